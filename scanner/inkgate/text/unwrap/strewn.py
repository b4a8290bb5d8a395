"""Encoded runs in pieces: between sentences, in fields, cells or numbered lines, in groups, in a dump of bytes."""

from __future__ import annotations

import binascii
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from inkgate.lean import dataclass
from inkgate.text.lazy import lazy
from inkgate.text.unwrap.awake import GROUPS, NEEDLES
from inkgate.text.unwrap.fragment import Bytes, Unwrapped, Whole
from inkgate.text.unwrap.plain import Stretch, stretches
from inkgate.text.unwrap.scene import Candidate, Scene
from inkgate.text.unwrap.unusual import ASCII64

__all__ = ["Dumped", "Grouped", "Strewn"]

_T = "[A-Za-z0-9+/_-]"
_NEXT = lazy(rf"(?<!{_T}){_T}{{12,}}={{0,2}}(?!{_T})")
_LAST = lazy(rf"(?:^|[|:*>#-])[ \t]{{0,8}}({_T}{{1,11}}={{0,2}})[ \t|\"',;]{{0,8}}$", re.MULTILINE)
_FAR = 600
"""Characters that may stand between two pieces."""

_TOKENS = 6
_WORDS = 2
_TAIL = 120
_REACH = 16 * 1024
"""Characters that the pieces of one row may take up, together with what stands between them."""

_AGAIN = 2048
_JOINT = 16
_ENDS64 = lazy(ASCII64 + "{2}" + _T + "{0,3}$")
_ENDS16 = lazy("(?:[2-7][0-9A-Fa-f]){6}$")
_JOINT64 = lazy(ASCII64 + "{6}")
_JOINT16 = lazy("(?:[2-7][0-9A-Fa-f]){8}")
_BEGINS64 = lazy(ASCII64 + "{3}")
_URL_SAFE = str.maketrans("-_", "+/")
_HEX = lazy("[0-9A-Fa-f]+")
_LEAST = 12


@dataclass(frozen=True, slots=True)
class _Pieces:
    """The characters of an encoded text, and where each piece of it stands.

    Attributes:
        starts: absolute position of each piece.
        firsts: number of the first character of each piece.
    """

    kept: str
    starts: Sequence[int]
    firsts: Sequence[int]

    @classmethod
    def of(cls, pieces: Sequence[tuple[int, str]]) -> _Pieces:
        """Make it of places and pieces."""
        firsts = [0, *accumulate(len(piece) for _, piece in pieces)]
        return cls("".join(piece for _, piece in pieces), [start for start, _ in pieces], firsts[:-1])

    def position(self, index: int) -> int:
        """Return the absolute position of the character `index`."""
        piece = bisect_right(self.firsts, index) - 1
        return self.starts[piece] + index - self.firsts[piece]

    def readings(self) -> Iterator[Unwrapped]:
        """Yield the texts in it as hex or as base64."""
        if _HEX.fullmatch(self.kept):
            data = bytes.fromhex(self.kept[: len(self.kept) & ~1])
            yield from (self._fragment("hex", 2, 1, item) for item in _telling(data))
            return
        for size in (len(self.kept), len(self.kept) - 1):
            if size % 4 != 1:
                plain = self.kept[:size].translate(_URL_SAFE)
                found = _telling(binascii.a2b_base64(plain + "=" * (-size % 4)))
                yield from (self._fragment("base64", 4, 3, item) for item in found)
                return

    def _fragment(self, encoding: str, units: int, octets: int, stretch: Stretch) -> Unwrapped:
        """Return a stretch with its map."""

        def locate(start: int, end: int) -> tuple[int, int]:
            return self.position(start * units // octets), self.position((end * units - 1) // octets) + 1

        return Unwrapped(encoding, stretch.text, Bytes(stretch.codec, stretch.start, locate))


def _telling(data: bytes) -> list[Stretch]:
    """Return the texts that are long enough to be no accident."""
    return [item for item in stretches(data) if len(item.text) >= _LEAST]


def _alone(pieces: Sequence[tuple[int, str]]) -> Iterator[Unwrapped]:
    """Yield the texts of pieces that were encoded one by one, put together."""
    texts: list[str] = []
    for _, piece in pieces:
        size = len(piece)
        if size % 4 == 1:
            return
        found = stretches(binascii.a2b_base64(piece.translate(_URL_SAFE) + "=" * (-size % 4)))
        if not found:
            return
        texts.append(found[0].text)
    yield Unwrapped("base64", " ".join(texts), Whole(pieces[0][0], pieces[-1][0] + len(pieces[-1][1])))


def _goes_on(piece: str) -> bool:
    """Return whether a piece ends like the base64 or the hex of ASCII."""
    return len(piece) >= _LEAST and bool(_ENDS64.search(piece[-_JOINT:]) or _ENDS16.search(piece[-_JOINT:]))


def _mixed(piece: str) -> bool:
    """Return whether a piece of some length has letters in both cases, as base64 of any alphabet has."""
    return len(piece) >= _JOINT and not piece.islower() and not piece.isupper()


class Strewn:
    """Puts the pieces of an encoded text together when the first of them was seen.

    Pieces belong together when the text goes on from one to the next (by chance the base64 of ASCII does so once in
    a quarter of a million times), or when they are of one length and look like base64 of any other text.
    """

    __slots__ = ("_until",)

    def __init__(self) -> None:
        self._until = 0

    def look(self, text: str, base: int, noticed: int, run: list[tuple[int, str]]) -> Candidate | None:
        """Return the candidate of a row of pieces that begins with a run.

        Args:
            text: the buffer.
            base: absolute position of its first character.
            noticed: offset that decides which feed yields it.
            run: absolute positions and characters of what the run consists of; words of the sentence behind may be
                the last of them.
        """
        if run[0][0] < self._until:
            return None
        pieces = run[
            : next((at for at in range(len(run), 0, -1) if _goes_on(run[at - 1][1]) or _mixed(run[at - 1][1])), 0)
        ]
        if len(pieces) < len(run) - _WORDS or not pieces:
            return None
        end = pieces[-1][0] - base + len(pieces[-1][1])
        limit = min(len(text), noticed + _REACH)
        count = len(pieces)
        while (hit := self._next(text, pieces[-1][1], end, limit)) is not None:
            pieces.append((base + hit.start(), hit[0].rstrip("=")))
            end = hit.end()
        if len(pieces) == count:
            return None
        last = _LAST.search(text, end, min(limit, end + _TAIL))
        if last is not None:
            pieces.append((base + last.start(1), last[1].rstrip("=")))
        cut = end > noticed + _REACH - _FAR
        self._until = base + end - (_AGAIN if cut else 0)
        fragments = [*_Pieces.of(pieces).readings(), *_alone(pieces)]
        cues = [(start, start + len(piece)) for start, piece in pieces]
        return Candidate(base + noticed, cues, lambda: fragments)

    @staticmethod
    def _next(text: str, before: str, end: int, limit: int) -> re.Match[str] | None:
        """Return the next piece behind `end`, or None."""
        stop = min(limit, end + _FAR)
        for _ in range(_TOKENS):
            hit = _NEXT.search(text, end, stop)
            if hit is None or hit.end() == stop:
                return None
            joint = before[-_JOINT:] + hit[0][:_JOINT]
            if _JOINT64.search(joint) or _JOINT16.search(joint) or _BEGINS64.match(hit[0]):
                return hit
            if len(hit[0]) == len(before) and _mixed(before) and _mixed(hit[0]):
                return hit
            end = hit.end()
        return None


_WIDTHS = tuple(NEEDLES)
_GROUP = {
    width: lazy(rf"(?<![^\s|>\"'`]){_T}{{{width}}}(?:[ \t]{{1,3}}(?:\n[ \t>*]{{0,8}})?{_T}{{{width}}}){{3,2000}}"
                      rf"(?:[ \t]{{1,3}}{_T}{{1,{width}}}={{0,2}})?(?!{_T})")
    for width in _WIDTHS
}  # fmt: skip
_HEAD = lazy(rf"(?<![^\s|>\"'`]){_T}{{1,7}}[ \t]\Z")
"""The first group, where it is the one that is not full."""

_IN_GROUP = lazy(_T + "+")
_GROUPED = 12 * 1024


def _find(shadow: bytes, needle: bytes, begin: int) -> int:
    """Return where groups begin at or behind an offset of a shadow; -1: nowhere."""
    if begin == 0 and shadow.startswith(needle[1:]):
        return 0
    found = shadow.find(needle, max(0, begin - 1))
    return found if found < 0 else found + 1


class Grouped:
    """Finds base64 and hex that is written in groups of four or eight characters."""

    def __init__(self) -> None:
        self.position = 0
        self._ends = dict.fromkeys(_WIDTHS, 0)  # absolute position up to which groups of a width are read

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        text, base, limit = scene.text, scene.base, scene.stop - scene.base
        shadow = scene.shadow(GROUPS)
        for width, needle in NEEDLES.items():
            begin = max(self._ends[width], scene.start) - base - scene.low
            while 0 <= (begin := _find(shadow, needle, max(0, begin))) < limit - scene.low:
                start = begin + scene.low
                hit = _GROUP[width].match(text, start, start + _GROUPED)
                begin += 1
                if hit is None:
                    continue
                begin = hit.end() - scene.low
                self._ends[width] = base + hit.end()
                head = _HEAD.search(text, max(0, start - 2 * width), start)
                first = start if head is None else head.start()
                pieces = [(base + piece.start(), piece[0]) for piece in _IN_GROUP.finditer(text, first, hit.end())]
                fragments = list(_Pieces.of(pieces).readings())
                if fragments:
                    yield Candidate(base + start, [(base + start, base + hit.end())], fragments.__iter__)
        self.position = scene.stop


_ROW = lazy(
    r"^[ \t>]{0,8}(?:0x)?[0-9A-Fa-f]{6,10}[:h]?[ \t]{1,4}"
    r"((?:[0-9A-Fa-f]{2}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{8})(?![0-9A-Fa-f])"
    r"(?:[ \t-]{1,3}(?:[0-9A-Fa-f]{8}|[0-9A-Fa-f]{4}|[0-9A-Fa-f]{2})"
    r"(?![0-9A-Fa-f])){0,31})[^\n]{0,80}(?:\n|\Z)",
    re.MULTILINE,
)
_SECOND = b"0000010"
"""The offset of the second row of sixteen bytes."""

_ROWS = 512
_OFFSET = 12


class Dumped:
    """Finds the rows of a dump, as `xxd` and `hexdump -C` write them, and yields the bytes of all of them."""

    def __init__(self) -> None:
        self.position = 0

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        text, base, limit = scene.text, scene.base, scene.stop - scene.base
        position = max(self.position, scene.start) - base
        while position < limit and (at := scene.raw.find(_SECOND, max(0, position - scene.low))) >= 0:
            at += scene.low
            if at >= limit:
                break
            position = at + 1
            line = text.rfind("\n", max(0, at - _OFFSET), at) + 1
            first = text.rfind("\n", 0, max(0, line - 1)) + 1
            rows: list[re.Match[str]] = []
            while len(rows) < _ROWS and (row := _ROW.match(text, rows[-1].end() if rows else first)) is not None:
                rows.append(row)
            if len(rows) > 1:
                position = max(position, rows[-1].end())
                pieces = [
                    (base + piece.start(), piece[0]) for row in rows for piece in _HEX.finditer(text, *row.span(1))
                ]
                fragments = list(_Pieces.of(pieces).readings())
                yield Candidate(base + at, [(base + first, base + rows[-1].end())], fragments.__iter__)
        self.position = base + max(position, limit)
