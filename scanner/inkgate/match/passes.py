"""What one pass over a text looks for, and how an engine tells what it found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from inkgate.lean import TYPE_CHECKING, Protocol
from inkgate.match.automaton import Automaton
from inkgate.match.index import Anchors, read_users, wanted

if TYPE_CHECKING:
    from inkgate.match.engines import Engine
    from inkgate.model import Target

__all__ = ["Finder", "Found", "Hit", "Pass", "read_hit"]

Hit = tuple[int, Sequence[Sequence[int]], Sequence[tuple[int, str, Sequence[int]]], Sequence[str]]
"""What a word in collapsed text tells: its length; numbers of units, each with how far apart two anchors may be to be
looked at together (0: one by one); marks that may stand there (where in the mark the first letter is, the mark, and
numbers of units); and the forms that it has as a cue."""

Found = tuple[Iterable[tuple[int, Hit]], Iterable[tuple[int, tuple[int, Sequence[int]]]]]
"""What stands in a text. Of the collapsed text: the index of the last character of a word, and what that tells; for
each unit in order. Of the text as it is: the index of the last character of a mark, its length, and its units."""


class Finder(Protocol):
    """An engine with what it looks for."""

    def find(self, text: str, lower: str) -> Found:
        """All words and marks in a text.

        Args:
            text: the collapsed text.
            lower: the text as it is, in lower case.
        """


class Pass:
    """What is looked for in one pass for one target, with the automaton or, when it has taken over, another engine.

    Args:
        anchors: of the index.
        target: only units for this target are looked for; None: all are.
        live: for each unit, whether it is looked for.
        cues: words at which a judge looks, each with the forms that it has in the text.
        engine: gives the finder that takes over; None: none does.

    Attributes:
        words: finds words in collapsed text, and tells the number of each.
        bare: finds marks without letters in the text as it is, and tells their length and units.
    """

    __slots__ = ("_anchors", "_cues", "_engine", "_fast", "_hits", "_live", "bare", "target", "words")

    def __init__(
        self,
        anchors: Anchors,
        target: Target | None,
        live: Sequence[bool],
        cues: Mapping[str, Sequence[str]],
        engine: Engine | None = None,
    ) -> None:
        self.target = target
        self._anchors = anchors
        self._live = live
        self._cues = cues
        self._engine = engine
        self._fast: Finder | None = None
        self._hits: list[Hit | None] = [None] * len(anchors.words)
        marks, signs, targets = list(anchors.bare), wanted(target), anchors.targets

        def mark(number: int) -> tuple[int, Sequence[int]] | None:
            units = [unit for unit in anchors.bare[marks[number]] if live[unit]]
            return (len(marks[number]), units) if units else None

        self.words = Automaton(
            anchors.words, lambda number: number if targets[number] in signs else None, anchors.heads
        )
        self.bare = Automaton(marks, mark)

    def find(self, text: str, lower: str) -> Found:
        """See `Finder`."""
        engine = self._engine
        if engine is not None and lower.isascii():
            if self._fast is None:
                self._fast = engine.finder(len(lower), self._anchors, self.target, self._live, self._cues)
            if self._fast is not None:
                return self._fast.find(text, lower)
        return self.hits(text), self.bare.iter(lower)

    def hits(self, text: str) -> Iterator[tuple[int, Hit]]:
        """The index of the last character of every word in collapsed text, and what it tells."""
        known = self._hits
        for last, number in self.words.iter(text):
            yield last, known[number] or self._hit(number)

    def _hit(self, number: int) -> Hit:
        """What a word tells, with the marks of which it is what is left."""
        live = self._live
        marked = self._anchors.marked.get(self._anchors.words[number], ())
        marks = tuple((place, mark, [unit for unit in some if live[unit]]) for place, mark, some in marked)
        found = self._hits[number] = read_hit(self._anchors, number, live, self._cues, marks)
        return found


def read_hit(
    anchors: Anchors,
    number: int,
    live: Sequence[bool],
    cues: Mapping[str, Sequence[str]],
    marks: Sequence[tuple[int, str, Sequence[int]]] = (),
) -> Hit:
    """Read what a word tells: most are in no text, and are never read.

    Args:
        anchors: of the index.
        number: of the word among them.
        live: for each unit, whether it is looked for.
        cues: words at which a judge looks, each with the forms that it has in the text.
        marks: that may stand where the word does; none where they are found by themselves.
    """
    word = anchors.words[number]
    units = tuple(user for user in read_users(anchors.users[number]) if live[user[0]])
    return len(word), units, marks, cues.get(word, ())
