"""Sentences that are scattered over the fields of a document: keys, values, cells, titles, attributes, comments.

A row of fields of one kind is read as if nothing stood between their texts. That is done only where words of orders
stand close together in it, at least four in two fields, so that tables and settings cost their look and nothing more.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import accumulate, chain, pairwise

from inkgate.lean import NamedTuple
from inkgate.text.lazy import lazy
from inkgate.text.unwrap.cues import FIELDED, LEAST, STRONG
from inkgate.text.unwrap.fragment import Unwrapped
from inkgate.text.unwrap.passage import splice
from inkgate.text.unwrap.scene import LINES, Candidate, Scene, split_words

__all__ = ["Fields"]

_DENSE = 5
"""One word of so many in the fields that hold them must be one."""

_GAP = 3
_LONG = 120
"""Characters: a longer field is a text of its own."""

_FIELD = 400
"""Characters: no field that counts takes more, with its name."""

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

_QUOTED = lazy(r"[:=][ \t]{0,3}[\"']|\][(:]")
"""What a line has besides quotes when one of its fields is quoted; apostrophes are in every other line."""

_FAR = {"heading": 240, "element": 200, "quoted": 200, "text": 200, "comment": 200, "note": 400}
_NEAR = 80
"""Characters that may stand between two fields of a row; more for those of `_FAR`."""

_MARKS = lazy("[_-]+")
Span = tuple[int, int]


class _Line(NamedTuple):
    """A line, or a piece of one, that has words of orders."""

    start: int
    end: int
    words: frozenset[bytes]


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
        for told, place in _stretches(scene, max(start, self._until - base), limit):
            if place < wanted:
                continue
            begin, end = told[0].start, told[-1].end
            self._until = base + end
            self._seen.clear()
            if text.find("\n", begin, end) < 0:
                kinds: Iterable[str] = _INLINE
                before, stop = begin, end
            else:
                kinds, before = _KINDS, text.rfind("\n", max(0, begin - _LONG), max(0, begin - 1)) + 1
                stop = max(end, text.find("\n", end + 1, end + _LONG))
            for kind in kinds:
                if not any(text.count(sign, before, stop) > 1 for sign in _SIGNS[kind]):
                    continue
                for low, high in _promising(text, kind, told, (before, stop)):
                    yield from self._rows(text, base, kind, (place, low, high))
        self.position = max(self.position, scene.stop)

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


def _stretches(scene: Scene, start: int, limit: int) -> Iterator[tuple[list[_Line], int]]:
    """Yield the lines with words of orders in a row, and the place of the first of these words.

    That place lies between `start`, or the piece of a line that holds it, and `limit`.
    """
    row: list[_Line] = []
    place, last = -1, 0
    data, spans, words = _pieces(scene, start, limit + _REACH)
    for number, idle in enumerate(map(FIELDED.isdisjoint, words)):
        if idle:
            continue
        begin, end = spans[number]
        if row and (
            start + end - row[0].start > _STRETCH
            or (number - last > _GAP + 1 and sum(map(bool, words[last + 1 : number])) > _GAP)
        ):
            if _speaks(row):
                yield row, place
            row = []
        here = FIELDED.intersection(words[number])
        if not row:
            if start + begin >= limit:
                return
            line = b" %b " % data[begin:end]
            place = start + begin + min(line.find(b" %b " % word) for word in here)
            if place >= limit:
                return
        row.append(_Line(start + begin, start + end, here))
        last = number
    if row and _speaks(row):
        yield row, place


def _pieces(scene: Scene, start: int, stop: int) -> tuple[bytes, list[Span], list[list[bytes]]]:
    """Return a part of a text in small letters, without marks, where its lines stand in it, and the words of each.

    Lines are cut where the absolute place alone says it, so that it does not matter how the text was fed.
    """
    text, known = scene.text, scene.lines
    data = text[start:stop].encode("latin-1", "replace").translate(LINES)
    lines = data.split(b"\n")
    words = (
        list(map(bytes.split, lines))
        if known is None or start != scene.low or len(data) != len(scene.raw)
        else known[:]
    )
    ends = list(accumulate(map((1).__add__, map(len, lines)), initial=-1))[1:]
    begins = [0, *map((1).__add__, ends)]
    spans = list(zip(begins, ends, strict=False))
    for cut in reversed(range(_PIECE - (scene.base + start) % _PIECE, len(data), _PIECE)):
        number = bisect_right(begins, cut) - 1
        begin, end = spans[number]
        if begin < cut < end:
            spans[number : number + 1] = (begin, cut), (cut, end)
            words[number : number + 1] = data[begin:cut].split(), data[cut:end].split()
    return data, spans, words


def _speaks(lines: list[_Line]) -> bool:
    """Return whether lines have as many words of orders as a row must have."""
    words = frozenset[bytes]().union(*(line.words for line in lines))
    return len(words) >= LEAST and not STRONG.isdisjoint(words)


def _promising(text: str, kind: str, told: list[_Line], whole: Span) -> Iterator[Span]:
    """Yield the ranges of the fields of a kind, in lines that have both its marks and enough words of orders."""
    signs, far = _SIGNS[kind], _FAR.get(kind, _NEAR)
    groups: list[list[_Line]] = []
    for line in told:
        if any(text.find(sign, line.start, line.end) >= 0 for sign in signs) and (
            kind != "quoted" or _QUOTED.search(text, line.start, line.end)
        ):
            if groups and line.start - groups[-1][-1].end <= 3 * far + 2 * _FIELD:
                groups[-1].append(line)
            else:
                groups.append([line])
    for group in groups:
        if (len(group) > 1 or kind in _INLINE) and _speaks(group):
            low, high = group[0].start - far - _FIELD, group[-1].end + far + _FIELD
            low = whole[0] if low <= whole[0] else text.rfind("\n", whole[0], low) + 1 or whole[0]
            end = text.find("\n", high, whole[1]) if high < whole[1] else -1
            high = whole[1] if end < 0 else end
            if any(text.count(sign, low, high) > 1 for sign in signs):
                yield low, high


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
