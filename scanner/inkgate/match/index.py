"""Where the anchors of rules are listed: made once when the packs are built, and read at start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby

from inkgate.lean import TYPE_CHECKING, NamedTuple
from inkgate.model import Target

if TYPE_CHECKING:
    from inkgate.match.clause import Clause
    from inkgate.match.rules import Rule

__all__ = [
    "AROUND",
    "BITS",
    "CUES",
    "HEAD",
    "LONG",
    "Anchors",
    "Index",
    "either",
    "heads_of",
    "make_index",
    "rank",
    "read_users",
    "wanted",
]

CUES = "learned"
"""Detector whose rules have words at which a judge looks, and no pattern."""

HEAD = 4
"""So many first characters of an anchor are looked for before all of it is."""

BITS = {target: 1 << number for number, target in enumerate(Target)}
"""A bit for each target."""

_SIGN = ord("0")

LONG = 32
"""Characters of a run of token characters that ordinary text seldom holds."""

AROUND = 320
"""Characters around such a run in which an anchor that belongs to it is looked for; what reaches further is not."""


class Anchors(NamedTuple):
    """What is looked for in one pass.

    Attributes:
        words: anchors in collapsed text, in the order of `rank`.
        users: for each of them its units, as `read_users` reads them: most anchors are in no text, and are never read.
        targets: for each of the words a character that says for which targets it has units; see `wanted`.
        heads: the first characters of `words`, each with the number of the first word that begins so; see `heads_of`.
        marked: those of the words that are also what is left of a mark when its signs are taken off, each with such
            marks: where in the mark the first letter is, the mark, and its units.
        bare: marks without any letter or digit, which are looked for in the text as it is, each with its units.
    """

    words: Sequence[str]
    users: Sequence[str]
    targets: str
    heads: Sequence[tuple[str, int]]
    marked: dict[str, list[tuple[int, str, list[int]]]]
    bare: dict[str, list[int]]


class Index(NamedTuple):
    """The anchors of some rules. A unit is one way of one rule to match; units are numbered rule by rule.

    Attributes:
        units: how many units each rule has.
        targets: the targets of each rule, as the sum of their `BITS`.
        plain: anchors that can stand anywhere.
        tokens: anchors of units whose matches hold a run of `LONG` characters, and that stand within `AROUND` of it.
        cues: collapsed words at which a judge looks, each with the forms that it has in the text; all are in `plain`.
        reach: characters of the longest match.
        ahead: how many characters behind its anchor a match can begin.
    """

    units: Sequence[int]
    targets: Sequence[int]
    plain: Anchors
    tokens: Anchors
    cues: dict[str, list[str]]
    reach: int
    ahead: int


class _Sorted:
    """Anchors of one pass while they are gathered."""

    def __init__(self) -> None:
        self._words: dict[str, list[str]] = {}
        self._bits: dict[str, int] = {}
        self._marks: dict[str, list[int]] = {}

    def add(self, clause: Clause, unit: int, bits: int) -> None:
        """Take the anchors of a unit, which is for some targets."""
        from inkgate.match.collapse import collapse

        span = 0 if clause.exact else clause.back + clause.ahead + 1
        for word in clause.anchors:
            if not clause.marks:
                self.word(word, bits).append(f"{unit}:{span}")
                continue
            self._marks.setdefault(word, []).append(unit)
            if collapse(word).strip():
                self.word(collapse(word), bits)

    def word(self, word: str, bits: int) -> list[str]:
        """The units of a word, which is looked for from now on, for some targets."""
        self._bits[word] = self._bits.get(word, 0) | bits
        return self._words.setdefault(word, [])

    def anchors(self) -> Anchors:
        """All that was taken."""
        from inkgate.match.collapse import collapse, is_word

        marked: dict[str, list[tuple[int, str, list[int]]]] = {}
        bare: dict[str, list[int]] = {}
        for mark, units in self._marks.items():
            letter = next((place for place, char in enumerate(mark) if is_word(char)), -1)
            if letter < 0:
                bare[mark] = units
                continue
            marked.setdefault(collapse(mark), []).append((letter, mark, units))
        order = sorted(self._words, key=rank)
        users = [" ".join(self._words[word]) for word in order]
        targets = "".join(_sign(self._bits[word]) for word in order)
        return Anchors(order, users, targets, heads_of(order), marked, bare)


def make_index(rules: Iterable[Rule], first: int = 0) -> Index:
    """The index of some rules.

    Args:
        rules: in order.
        first: number of their first unit.
    """
    from inkgate.match.collapse import collapse

    units: list[int] = []
    targets: list[int] = []
    plain, tokens = _Sorted(), _Sorted()
    cues: dict[str, list[str]] = {}
    reach, ahead = 1, 0
    for rule in rules:
        units.append(len(rule.clauses))
        bits = sum(BITS[target] for target in rule.targets)
        targets.append(bits)
        reach = max(reach, rule.reach)
        for clause in rule.clauses:
            ahead = max(ahead, clause.ahead)
            near = max(rule.reach + clause.ahead, clause.back) <= AROUND
            (tokens if clause.run >= LONG and near else plain).add(clause, first, bits)
            first += 1
        if rule.detector == CUES:
            for word in rule.keywords:
                cues.setdefault(collapse(word).strip(), []).append(word)
                plain.word(collapse(word).strip(), sum(BITS.values()))
    return Index(units, targets, plain.anchors(), tokens.anchors(), cues, reach, ahead)


def heads_of(words: Sequence[str]) -> list[tuple[str, int]]:
    """The first characters (`HEAD` of them) of words in the order of `rank`, and which word is the first to have them.

    Those words follow one another. A short text has few of the heads, and no word whose head it has not.
    """
    groups = [(head, sum(1 for _ in same)) for head, same in groupby(words, lambda word: word[:HEAD])]
    firsts = accumulate((count for _, count in groups), initial=0)
    return [(head, first) for (head, _), first in zip(groups, firsts, strict=False)]


def _sign(bits: int) -> str:
    """The character that stands for some targets."""
    return chr(_SIGN + bits)


def wanted(target: Target | None) -> frozenset[str]:
    """The characters of `Anchors.targets` that stand for a target among others; without one, for any."""
    bits = sum(BITS.values()) if target is None else BITS[target]
    return frozenset(_sign(each) for each in range(sum(BITS.values()) + 1) if each & bits)


def either(one: str, other: str) -> str:
    """The character for the targets of two characters of `Anchors.targets`."""
    return _sign((ord(one) - _SIGN) | (ord(other) - _SIGN))


def read_users(written: str) -> tuple[tuple[int, int], ...]:
    """The units of an anchor: their numbers, and how far apart two anchors may be to be looked at together (0: not)."""
    pairs = (each.partition(":") for each in written.split())
    return tuple((int(number), int(span)) for number, _, span in pairs)


# A node of the automaton tries its children in the order in which they were added: the commonest letters first.
_COMMON = " etaoinsrhldcumfpgwybvkxjqz"
_RANKS = {char: number for number, char in enumerate(_COMMON)}


def rank(word: str) -> list[int]:
    """What to sort words by before they are added to an automaton."""
    return [_RANKS.get(char, len(_COMMON) + ord(char)) for char in word]
