"""Anchors that are told only where another word that their unit needs stands nearby: asked of Hyperscan as one.

Common anchors are in every text, and nearly always in vain. An expression here says less than its unit asks for (one of
the words nearby, and a width that is rather too large), never more: what it finds is tested as if a word had been
found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from inkgate.lean import TYPE_CHECKING
from inkgate.match.automaton import Automaton
from inkgate.match.index import rank
from inkgate.match.passes import Hit
from inkgate.match.rarity import rate

if TYPE_CHECKING:
    from inkgate.match.keywords import Unit

__all__ = ["Watched", "expression", "worth"]

_COMMON = 300.0
"""Anchors per million characters from which on a condition costs less than what it spares."""

_LARGEST = 1024
"""Pairs of an anchor and a word nearby: far more are refused, or slow."""


def worth(unit: Unit) -> bool:
    """Whether the condition of a unit is to be asked for, and not its anchors one by one."""
    if not unit.near or rate(unit.anchors) < _COMMON:
        return False
    return len(unit.anchors) * len(unit.near[0].words) <= _LARGEST


def expression(unit: Unit) -> str:
    """What is asked for, of ASCII text; empty where such text cannot hold it."""
    near = unit.near[0]
    anchors, words = list(_ascii(unit.anchors)), list(_ascii(near.words))
    if not anchors or not words:
        return ""
    # The blank between two words that follow one another is one of both.
    if near.before:
        return f"{_any(word.removesuffix(' ') for word in words)}.{{0,{near.width}}}{_any(anchors)}"
    return f"{_any(anchors)}.{{0,{near.width}}}{_any(word.removeprefix(' ') for word in words)}"


def _ascii(words: Iterable[str]) -> Iterator[str]:
    return (word for word in words if word.isascii())


def _any(words: Iterable[str]) -> str:
    """Words are letters, digits and blanks: none of them means anything else in an expression."""
    return f"(?:{'|'.join(sorted(set(words)))})"


class Watched:
    """Finds the anchors of a unit where its expression matched.

    Args:
        number: of the unit.
        unit: the unit.
    """

    __slots__ = ("_before", "_depth", "_longest", "_users", "_words")

    def __init__(self, number: int, unit: Unit) -> None:
        near = unit.near[0]
        words = sorted(_ascii(unit.anchors), key=rank)
        self._words = Automaton(words, lambda number: len(words[number]))
        self._longest = max(map(len, words))
        self._before = near.before
        self._depth = self._longest + near.width + max(map(len, near.words))
        self._users = ((number, unit.span),)

    def hits(self, text: str, ends: Sequence[int]) -> Iterator[tuple[int, Hit]]:
        """The index of the last character of each anchor, and what it tells, in order.

        Args:
            text: the collapsed text.
            ends: where the expression ended, in order.
        """
        depth = self._longest if self._before else self._depth  # it ends with the anchor, or with the word nearby
        done = 0
        for end in ends:
            start = max(end - depth, done - self._longest, 0)
            for last, size in self._words.iter(text[start:end]):
                if start + last >= done:
                    yield start + last, (size, self._users, (), ())
            done = end
