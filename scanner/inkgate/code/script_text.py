"""The outline of a script without a parser: its brackets, where an expression ends, the paths that are written down."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import lru_cache

__all__ = ["Outline", "Span", "paths"]

Span = tuple[int, int]
"""The range of a piece of the script: offsets of its first character and just past its last one."""

_BODY = 500
"""Characters from the beginning of a function's body that count as its value; further down, what it returns does."""
_QUOTED = r"\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|`[^`\n]{1,200}`"
_JOINED = re.compile(
    rf"(?:{_QUOTED})(?:\s{{0,3}}(?:[,+.]|\)\s{{0,3}}(?:\.\s{{0,3}}(?:join|push|resolve|appending\w{{0,24}})\s{{0,2}}\(|[,+])|/)\s{{0,3}}"
    rf"(?:(?:path\.sep|File::SEPARATOR|DIRECTORY_SEPARATOR|sep)\s{{0,3}}[+.,]\s{{0,3}})?(?:{_QUOTED})){{0,6}}"
)
_PIECE = re.compile(_QUOTED)
_SIGNS = re.compile(r"\"(?:[^\"\\\n]|\\.)*\"?|(?<![<&\w])'(?:[^'\\\n]|\\.)*'?|(?<!\\)(?P<sign>[()\[\]{},;\n])")
"""Brackets and ends outside of quotes. A quote that is not closed ends with its line."""
_GOES_ON = re.compile(r"\s{0,200}(?:\?\.|\.(?!\.)|->|::|\+|\|\|?|&&|\?\?|[?:]\s|//[^\n]*\n\s{0,200}\.)")
"""How a line begins that goes on with the expression of the line before."""
_UNDONE = re.compile(r"(?:[=+,.\\({\[]|[=-]>|&&|\|\||\s`|\n[^|\n]*[^|\s\w]\s?\|)\s{0,9}\Z")
"""How a line ends that goes on in the next one."""
_OPENS = {")": "(", "]": "[", "}": "{"}
_RETURN = re.compile(r"\breturn\b")
_SPACE = re.compile(r"\s*+")


@lru_cache(maxsize=1)
def paths(text: str) -> tuple[tuple[str, int, int], ...]:
    """The quoted texts of a script; pieces of a path that are joined by a call or a sign count as one.

    Args:
        text: the script; at most `inkgate.code.LONGEST` characters.
    """
    return tuple(_paths(text))


def _paths(text: str) -> Iterator[tuple[str, int, int]]:
    for hit in _JOINED.finditer(text):
        pieces = [piece[0][1:-1] for piece in _PIECE.finditer(hit[0])]
        yield pieces[0], hit.start() + 1, hit.start() + 1 + len(pieces[0])
        if len(pieces) > 1:
            for piece in pieces[1:]:
                yield piece, hit.start(), hit.end()
            yield "/".join(piece.strip("/\\") for piece in pieces), hit.start(), hit.end()


class Outline:
    """The brackets of a script, each with the one that closes it.

    Args:
        text: the script; at most `inkgate.code.LONGEST` characters.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._places = [hit.start() for hit in _SIGNS.finditer(text) if hit.lastindex]
        self._partner: dict[int, int] = {}  # numbers of signs: of either bracket the other one
        self._within: list[int] = []  # number of the bracket that each sign stands in, or -1
        self._bodies: list[Span] = []
        self._match()
        self._bodies.sort()
        self._limits()
        self._returns = [hit.end() for hit in _RETURN.finditer(text)]

    def _match(self) -> None:
        """Pair the brackets. One without its like (in a regular expression, say) is passed over."""
        opened: list[int] = []
        waiting = dict.fromkeys("([{", 0)
        for number, place in enumerate(self._places):
            char = self.text[place]
            wanted = _OPENS.get(char)
            if wanted is not None and waiting[wanted]:
                while (start := opened.pop()) >= 0:
                    other = self.text[self._places[start]]
                    waiting[other] -= 1
                    if other == wanted:
                        break
                self._partner[start], self._partner[number] = number, start
                if char == "}" and place - self._places[start] > _BODY and self._is_body(self._places[start]):
                    self._bodies.append((self._places[start], place))
            self._within.append(opened[-1] if opened else -1)
            if char in waiting:
                waiting[char] += 1
                opened.append(number)

    def _is_body(self, place: int) -> bool:
        return self.text[max(0, place - 200) : place].rstrip().endswith((")", "=>"))

    def _limits(self) -> None:
        """Of each sign, where the expression behind it ends, and where the one before it begins."""
        text, places, partner = self.text, self._places, self._partner
        self._ends, self._begins = [len(text)] * (len(places) + 1), [0] * len(places)
        kept = [char == "\n" and self._goes_on(place) for place in places for char in text[place]]
        for number in range(len(places) - 1, -1, -1):
            char = text[places[number]]
            if char in "([{":
                self._ends[number] = self._ends[partner.get(number, number) + 1]
            elif char == "," or kept[number]:
                self._ends[number] = self._ends[number + 1]
            else:
                self._ends[number] = places[number]
        for number, place in enumerate(places):
            before = partner.get(number, 0) - 1 if text[place] in ")]}" else number - 1
            goes_on = kept[number] or (text[place] in ")]}" and number in partner)
            self._begins[number] = (self._begins[before] if before >= 0 else 0) if goes_on else place + 1

    def end(self, start: int) -> int:
        """Where the expression that begins at an offset ends: with its line, unless brackets or signs let it go on."""
        return self._ends[bisect_left(self._places, _SPACE.match(self.text, start).end())]  # type: ignore[union-attr]

    def beginning(self, stop: int) -> int:
        """Where the expression that ends at an offset begins."""
        number = bisect_left(self._places, stop) - 1
        return self._begins[number] if number >= 0 else 0

    def closing(self, place: int) -> int:
        """The offset of the bracket that closes the one at an offset; the end of the line where none does."""
        number = bisect_left(self._places, place)
        if number < len(self._places) and self._places[number] == place and number in self._partner:
            return self._places[self._partner[number]]
        return self.end(place + 1)

    def bracket(self, place: int) -> int:
        """The offset of the innermost bracket that is open at an offset, or -1."""
        number = bisect_left(self._places, place) - 1
        if number < 0:
            return -1
        if self.text[self._places[number]] in "([{":
            return self._places[number]
        within = self._within[number]
        return self._places[within] if within >= 0 else -1

    def arguments(self, place: int) -> list[Span]:
        """What stands in the bracket at an offset, cut at its commas; as one where nothing closes the bracket."""
        number, start, stop = bisect_left(self._places, place) + 1, place + 1, self.closing(place)
        if number - 1 not in self._partner:
            return [(start, stop)]
        out: list[Span] = []
        while number < len(self._places) and self._places[number] < stop:
            place = self._places[number]
            if self.text[place] == ",":
                out.append((start, place))
                start = place + 1
            number = self._partner.get(number, number) + 1 if self.text[place] in "([{" else number + 1
        return [*out, (start, stop)]

    def read(self, start: int, stop: int) -> Iterator[Span]:
        """What of a range counts as its value: all of it, but of a long body of a function what `_BODY` says."""
        number = bisect_left(self._bodies, (start, 0)) if stop - start > _BODY else len(self._bodies)
        while number < len(self._bodies) and self._bodies[number][0] < stop:
            opened, closed = self._bodies[number]
            if closed > stop:
                break
            yield start, opened + _BODY
            yield from self.returned(opened + _BODY, closed)
            start = closed
            number = bisect_left(self._bodies, (start, 0))
        yield start, stop

    def returned(self, start: int, stop: int) -> Iterator[Span]:
        """The values that a range returns."""
        for number in range(bisect_left(self._returns, start), bisect_left(self._returns, stop)):
            place = self._returns[number]
            yield place, min(stop, self.end(place))

    def _goes_on(self, place: int) -> bool:
        """Whether an expression goes on behind the end of a line."""
        return (
            _UNDONE.search("\n" + self.text[max(0, place - 80) : place]) is not None
            or _GOES_ON.match(self.text, place + 1) is not None
        )
