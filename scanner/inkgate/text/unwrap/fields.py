"""Sentences that are scattered over the fields of a document: keys, values, cells, titles, attributes, comments.

A row of fields of one kind is read as if nothing stood between their texts. That is done only where words of orders
stand close together in it, at least four in two fields, so that tables and settings cost their look and nothing more.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from itertools import chain, pairwise

from inkgate.text.lazy import lazy
from inkgate.text.unwrap.cues import FIELDED, LEAST, STRONG
from inkgate.text.unwrap.fragment import Unwrapped
from inkgate.text.unwrap.passage import splice
from inkgate.text.unwrap.scene import LETTERING, Candidate, Scene, split_words

__all__ = ["Fields"]

_DENSE = 5
"""One word of so many in the fields that hold them must be one."""

_GAP = 3
_LONG = 120
"""Characters: a longer field is a text of its own."""

_REACH = 12 * 1024
_STRETCH = 7 * 1024
_PIECE = 4096
_LABEL = r"[\"'`*_\[]{0,3}[A-Za-z0-9_][\w .\[\]-]{0,40}[\"'`*_\]]{0,3}"
_KINDS = {
    "value": (
        rf"^[ \t>*+,{{\[(-]{{0,24}}{_LABEL}[ \t]?(?::|=|=>|->)[*_\"'`]{{0,3}}[ \t]{{1,8}}[\"'`]?"
        r"(?P<value>[^\s\"'`{\[|][^\n]{0,300}?)[\"'`]?[ \t]?[,;]?$"
    ),
    "key": r"^[ \t>*+\"'-]{0,40}(?P<value>[A-Za-z][\w -]{1,80}?)[\"']?[ \t]?:(?=[ \t\n]|$)",
    "quoted": (
        r"(?:(?<![\w-])(?P<name>[A-Za-z][\w-]{0,24})[\"']?[ \t]?[:=]|\][(:][ \t]?[^\s\"()]{1,200})[ \t]{0,3}"
        r"[\"'](?P<value>[^\"'\n]{2,300})[\"']"
    ),
    "text": r"!?\[(?P<value>[^\[\]\n]{2,200})\]\([^()\n]{0,300}\)",
    "note": r"^[ \t>]{0,8}\[\^[^\]\n]{1,24}\]:[ \t]{1,4}(?P<value>[^\n]{1,300})$",
    "comment": r"^[^\n#]{0,80}?(?:[ \t]#|//|[ \t]--|;;)[ \t]{1,4}(?P<value>[^\n]{2,300})$",
    "log": r"^[ \t>\[(]{0,4}\d[\d:./T+-]{3,24}[^A-Za-z\n]{1,12}(?:[A-Z]{3,8}[\]:]?[ \t]{1,4})?(?P<value>[^\n]{2,300})$",
    "heading": r"^#{1,6}[ \t]{1,4}(?P<value>[^\n]{2,160})$",
    "element": r"<(?P<name>[A-Za-z][\w:-]{0,24})[^<>]{0,120}>(?P<value>[^<>\n]{2,300})</(?P=name)>",
    "given": r"(?<![\w=])[A-Za-z]\w{0,24}=(?P<value>[^\s=;,\"'][^=;\n\"']{1,120})(?:;|$)",
    "cell": r"^[ \t>]{0,8}\|(?P<value>[^\n]{3,600})\|[ \t]{0,4}$",
    "comma": r"^(?P<value>[^,\n|]{1,80}(?:,[^,\n]{1,200}){1,12})$",
}
_PATTERNS = {name: lazy(pattern, re.MULTILINE) for name, pattern in _KINDS.items()}
_INLINE = ("quoted", "text", "element", "given")
"""Kinds of which several can stand in one line."""

_SIGNS = {
    "value": (":", "="),
    "key": (":",),
    "quoted": ('"', "'"),
    "text": ("](",),
    "note": ("[^",),
    "comment": ("#", "//", "--", ";;"),
    "log": (":",),
    "heading": ("#",),
    "element": ("</",),
    "given": ("=",),
    "cell": ("|",),
    "comma": (",",),
}
"""Marks of which a stretch holds two at least when it has two fields of a kind."""

_FAR = {"heading": 240, "element": 200, "quoted": 200, "text": 200, "comment": 200, "note": 400}
_NEAR = 80
"""Characters that may stand between two fields of a row; more for those of `_FAR`."""

_MARKS = lazy("[_-]+")
_LINES = bytes(ord(chr(byte).lower()) if chr(byte) in LETTERING else byte if byte == 10 else 32 for byte in range(256))
Span = tuple[int, int]


class Fields:
    """Finds rows of fields that say something together, in the lines round words of orders."""

    def __init__(self) -> None:
        self.position = 0
        self._until = 0  # absolute end of the last stretch that was read
        self._seen: set[Span] = set()  # rows of this stretch

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        text, base, limit = scene.text, scene.base, scene.stop - scene.base
        wanted = max(self.position, scene.start) - base
        start = max(0, text.rfind("\n", max(0, wanted - _PIECE), wanted) + 1, wanted - (base + wanted) % _PIECE)
        for begin, end, place in self._stretches(text, base, max(start, self._until - base), limit):
            if place < wanted:
                continue
            self._until = base + end
            self._seen.clear()
            inline = text.find("\n", begin, end) < 0
            before = begin if inline else text.rfind("\n", max(0, begin - _LONG), max(0, begin - 1)) + 1
            after = text.find("\n", end + 1, end + _LONG)
            stop = end if inline else max(end, after)
            for kind in _INLINE if inline else _PATTERNS:
                if any(text.count(sign, before, stop) > 1 for sign in _SIGNS[kind]):
                    yield from self._rows(text, base, kind, (place, before, stop))
        self.position = max(self.position, scene.stop)

    @staticmethod
    def _stretches(text: str, base: int, start: int, limit: int) -> Iterator[tuple[int, int, int]]:
        """Yield the ranges of lines that have words of orders in a row, and the place of the first of these words.

        That place lies between `start`, or the piece of a line that holds it, and `limit`.
        """
        words: set[bytes] = set()
        first, last, missed, place = -1, -1, 0, -1
        for at, line in _pieces(text, base, start, limit + _REACH):
            if first < 0 and at >= limit:
                return
            row = line.split()
            end = at + len(line)
            here = FIELDED.intersection(row)
            if first >= 0 and (end - first > _STRETCH if here else missed + bool(row) > _GAP):
                if len(words) >= LEAST and not STRONG.isdisjoint(words):
                    yield first, last, place
                words, first, missed = set(), -1, 0
            if here:
                if first < 0:
                    place = at + min((b" %b " % line).find(b" %b " % word) for word in here)
                    if place >= limit:
                        return
                    first = at
                last, missed = end, 0
                words |= here
            elif first >= 0:
                missed += bool(row)
        if first >= 0 and len(words) >= LEAST and not STRONG.isdisjoint(words):
            yield first, last, place

    def _rows(self, text: str, base: int, kind: str, where: tuple[int, int, int]) -> Iterator[Candidate]:
        """Yield what the rows of one kind say that stand between two offsets; the first of `where` is the anchor."""
        far = _FAR.get(kind, _NEAR)
        anchor, begin, end = where
        row: list[Span] = []
        names: list[str] = []
        done = begin
        for hit in _PATTERNS[kind].finditer(text, begin, end):
            if row and hit.start() - done > far:
                yield from self._candidates(text, base, anchor, kind, row, names)
                row, names = [], []
            row.append(hit.span("value"))
            names.append((hit["name"] or "") if "name" in hit.re.groupindex else "")
            done = hit.end()
        yield from self._candidates(text, base, anchor, kind, row, names)

    def _candidates(
        self, text: str, base: int, first: int, kind: str, row: list[Span], names: list[str]
    ) -> Iterator[Candidate]:
        """Yield what a row says, if it has words of orders: by columns where it has some, and by names."""
        if len(row) < 2:
            return
        columns = [row]
        if kind in ("cell", "comma"):
            columns = _columns(text, row, "|" if kind == "cell" else ",")
        if len(set(names)) > 1:
            columns += (
                [span for span, its in zip(row, names, strict=True) if its == name] for name in sorted(set(names))
            )
        for spans in chain.from_iterable(_clusters(text, column) for column in columns):
            low, high = spans[0][0], spans[-1][1]
            if (low, high) in self._seen:
                continue
            self._seen.add((low, high))
            edits = [(one[1], other[0], " ") for one, other in pairwise(spans)]
            if kind == "key":
                marks = (mark.span() for span in spans for mark in _MARKS.finditer(text, *span))
                edits = sorted([*edits, *((*mark, " ") for mark in marks)])
            fragment = Unwrapped("fields", *splice(text, base, low, high, edits))
            cues = [(base + begin, base + end) for begin, end in spans]
            yield Candidate(base + first, cues, partial(iter, (fragment,)))


def _pieces(text: str, base: int, start: int, stop: int) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a text in small letters, without marks; those that are very long, in pieces.

    Where a line is cut depends on the absolute place alone, so that it does not matter how the text was fed.
    """
    raw = text[start:stop].encode("latin-1", "replace").translate(_LINES)
    at = start
    for line in raw.split(b"\n"):
        end = at + len(line)
        while (cut := at + _PIECE - (base + at) % _PIECE) < end:
            yield at, raw[at - start : cut - start]
            at = cut
        yield at, raw[at - start : end - start]
        at = end + 1


def _clusters(text: str, row: list[Span]) -> Iterator[list[Span]]:
    """Yield the parts of a row in which the words of orders stand close together, with a field around them."""
    told = [
        FIELDED.intersection(split_words(text[begin:end].encode("latin-1", "replace")))
        if end - begin <= _LONG
        else frozenset[bytes]()
        for begin, end in row
    ]
    begin = 0
    while begin < len(row):
        if not told[begin]:
            begin += 1
            continue
        last = begin
        at = begin + 1
        while at < len(row) and at <= last + _GAP and row[at][1] - row[at][0] <= _LONG:
            last = at if told[at] else last
            at += 1
        words = frozenset().union(*told[begin : last + 1])
        if last > begin and len(words) >= LEAST and not STRONG.isdisjoint(words):
            part = row[begin : last + 1]
            size = sum(
                len(text[start:end].split()) for (start, end), some in zip(part, told[begin:], strict=False) if some
            )
            if _DENSE * sum(map(len, told[begin : last + 1])) >= size:
                yield row[max(0, begin - 1) : last + 2]
        begin = last + 1


def _columns(text: str, row: list[Span], mark: str) -> list[list[Span]]:
    """Return the cells of each column."""
    columns: list[list[Span]] = []
    for begin, end in row:
        at = begin
        for number, cell in enumerate(text[begin:end].split(mark)):
            if number == len(columns):
                columns.append([])
            inner = cell.strip()
            if inner.strip(":- "):
                start = at + cell.index(inner)
                columns[number].append((start, start + len(inner)))
            at += len(cell) + 1
    return columns
