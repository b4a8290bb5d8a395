"""What becomes of values in a script: followed by name in a dozen languages, without a parser.

A name that takes a marked value is marked, and so is every name that is made from it: in assignments, loops, chains of
calls, calls that fill an object, results and parameters of functions. Names have no case here, and no scope, but for
parameters.
"""

from __future__ import annotations

import enum
import re
from bisect import bisect_left
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator

from inkgate.code.script_pieces import Function, Locals, Piece, calls, functions, pieces
from inkgate.code.script_text import Outline, Span
from inkgate.code.sensitive import secret_name, service_name

__all__ = ["Following", "Mark", "Marks", "Source"]

_MENTIONS = 1_500_000
"""Mentions of names that are looked at, in all pieces of a script together. That there are more is said: `whole`."""
_SPAN = 8
"""Mentions that a range of a script costs as much as."""


class Mark(enum.IntFlag):
    """Where a value comes from."""

    NONE = 0
    SECRET = 1
    """A credential file, or its content."""
    ENVIRONMENT = 2
    """All environment variables."""
    FILES = 4
    """Every file of the project or the home folder."""
    FETCHED = 8
    """What the network answers, or a connection to it."""
    AGENT = 16
    """The path of a file that agents read as their own."""
    STARTUP = 32
    """The path of a file that every new shell or session runs."""
    SERVICE = 64
    """The path of a job that goes on."""
    DOOR = 128
    """The path of a file that lets somebody in."""
    DECODED = 256
    """What was base64, hex, packed or a row of numbers."""


Marks = tuple[Mark, frozenset[str]]
"""The marks of a value, and up to two of the services whose credentials from the environment are in it."""
Source = tuple[int, Mark, str]
"""Offset of a place where something is read, its mark, and the service whose credential it is (or empty)."""

_NOTHING: Marks = (Mark.NONE, frozenset())
_OF_PARTS = Mark.SECRET | Mark.FETCHED | Mark.DECODED
"""Marks that a part of a value still has."""

_NAME = re.compile(r"[A-Za-z_][\w$]*+")
_PART = re.compile(
    r"\s{0,2}(?:\?\.|\.|\[|->|::)\s{0,2}['\"]?(?!(?:map|filter|entries|toString|to_s\w{0,3}|to_json|trim|join|slice|text|clone|iter|as_\w+|to_vec|read|length)\b)\w"
)


class Following:
    """The marks of the names of a script.

    Args:
        text: the script; at most `inkgate.code.LONGEST` characters.
        sources: where something is read.
        marked: names that hold something for another reason, each with its offset and mark.

    Attributes:
        outline: its brackets.
        connections: names that are given a connection to the network, or its answer, at first hand.
        whole: whether all of it was followed.
    """

    def __init__(self, text: str, sources: Iterable[Source], marked: Iterable[tuple[str, int, Mark]] = ()) -> None:
        self.text, self.outline, self.whole = text, Outline(text), True
        self._sources = sorted(sources)
        self._places = [place for place, _mark, _service in self._sources]
        self._left = _MENTIONS
        self._marks: dict[str, Marks] = {}
        self.connections: set[str] = set()
        named = list(functions(self.outline))
        self._locals = Locals(named)
        self.whole = not self._locals.deep
        for name, place, mark in marked:
            self._marks[self._locals.key(name.lower(), place)] = (mark, frozenset())
        found = [*self._given(), *self._results(named)]
        self._index(
            {name for item in found for name in item.names}.union(
                self._marks, (item.name for item in named), self._locals.all
            )
        )
        found += self._handed(named)
        self._spread(found)

    def value(self, start: int, stop: int) -> Marks:
        """What a range of the script is made of."""
        if not self.whole:
            return _NOTHING
        return _joined(self._read(start, stop), self.names(start, stop))

    def names(self, start: int, stop: int) -> Marks:
        """What the names in a range hold."""
        found = _NOTHING
        for name, part in self._mentions(start, stop):
            found = _joined(found, self._of(name, part))
        return found

    # --- pieces ------------------------------------------------------------------------------------------------------

    def _given(self) -> Iterator[Piece]:
        """What is given to names, each with the marks that it has at first hand."""
        for item in pieces(self.outline):
            piece = self._own(item)
            read = Mark.NONE
            for span in piece.spans if piece.form != "other" else ():
                read |= self._read(*span)[0]
            if piece.form == "taken" and read & Mark.ENVIRONMENT:
                for name in piece.names:  # variables by name, and not the whole environment
                    plain = name.partition("@")[0]
                    if secret_name(plain):
                        self._marks[name] = _joined(
                            self._marks.get(name, _NOTHING), (Mark.NONE, frozenset((service_name(plain) or plain,)))
                        )
                continue
            if read & Mark.FETCHED:
                self.connections.update(piece.names)
            yield piece

    def _results(self, named: Iterable[Function]) -> Iterator[Piece]:
        """What functions give back."""
        for item in named:
            spans = ((item.body, item.stop),) if item.last else self.outline.returned(item.body, item.stop)
            yield self._own(Piece((item.name,), item.start - 1, spans))

    def _handed(self, named: Iterable[Function]) -> Iterator[Piece]:
        """What functions are given for their parameters."""
        for one in named:
            for item in calls(self.outline, one, self._mentioned[one.name]):
                if not self.whole:
                    return
                yield self._own(item)

    def _own(self, piece: Piece) -> Piece:
        """A piece with its names told apart, and no more ranges than may still be looked at."""
        spans: list[Span] = []
        for span in piece.spans:
            self._left -= _SPAN
            if self._left < 0:
                self.whole = False
                break
            spans.append(span)
        return piece._replace(names=tuple(self._locals.key(name, piece.place) for name in piece.names), spans=spans)

    # --- marks -------------------------------------------------------------------------------------------------------

    def _index(self, wanted: set[str]) -> None:
        """Where the names stand that matter."""
        plain = {name.partition("@")[0] for name in wanted}
        self._names: list[tuple[str, int]] = []
        self._starts: list[int] = []
        self._mentioned: dict[str, list[int]] = defaultdict(list)
        for hit in _NAME.finditer(self.text):
            name = hit[0].lower()
            if name in plain:
                self._names.append((self._locals.key(name, hit.start()), hit.end()))
                self._starts.append(hit.start())
                self._mentioned[name].append(hit.start())

    def _mentions(self, start: int, stop: int) -> Iterator[tuple[str, bool]]:
        """Names in a range, each with whether only a part of its value is taken."""
        first, last = bisect_left(self._starts, start), bisect_left(self._starts, stop)
        self._left -= last - first + 1
        if self._left < 0:
            self.whole = False
            return
        for name, end in self._names[first:last]:
            yield name, _PART.match(self.text, end) is not None

    def _read(self, start: int, stop: int) -> Marks:
        """What is read in a range."""
        found = _NOTHING
        first, last = bisect_left(self._places, start), bisect_left(self._places, stop)
        self._left -= last - first
        self.whole = self.whole and self._left >= 0
        for number in range(first, last if self.whole else first):
            _place, mark, service = self._sources[number]
            found = _joined(found, (mark, frozenset((service,) if service else ())))
        return found

    def _of(self, name: str, part: bool) -> Marks:
        mark, services = self._marks.get(name, _NOTHING)
        return (mark & _OF_PARTS if part else mark), services

    def _spread(self, found: list[Piece]) -> None:
        """Hand the marks on until nothing changes."""
        used: dict[str, set[tuple[int, bool]]] = defaultdict(set)
        changed = deque(self._marks)
        for number, piece in enumerate(found):
            if not self.whole:
                return
            marks = _NOTHING
            for span in piece.spans:
                marks = _joined(marks, self._read(*span))
                for name, part in self._mentions(*span):
                    used[name].add((number, part))
            self._give(piece, marks, changed.append)
        while changed:
            name = changed.popleft()
            for number, part in used.get(name, ()):
                self._give(found[number], self._of(name, part), changed.append)

    def _give(self, piece: Piece, marks: Marks, tell: Callable[[str], object]) -> None:
        for name in piece.names:
            old = self._marks.get(name, _NOTHING)
            new = _joined(old, marks)
            if new != old:
                self._marks[name] = new
                tell(name)


def _joined(one: Marks, other: Marks) -> Marks:
    services = one[1] | other[1]
    return one[0] | other[0], services if len(services) < 3 else frozenset(sorted(services)[:2])
