"""Runs of base64, base32 and hex, however they are wrapped; compressed text inside them is unpacked."""

from __future__ import annotations

import binascii
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain

from inkgate.lean import TYPE_CHECKING, NamedTuple
from inkgate.text.lazy import lazy
from inkgate.text.unwrap.fragment import Budget, Bytes, Unwrapped
from inkgate.text.unwrap.inflate import Inflater, Packing, packing
from inkgate.text.unwrap.plain import Stretch, stretches
from inkgate.text.unwrap.scene import BEHIND, SLACK, Candidate, Scene, classes

if TYPE_CHECKING:
    from inkgate.text.unwrap.strewn import Strewn

__all__ = ["SHAPE", "SHORTEST", "Packed", "marked", "narrow"]

_ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_SIGNS = _ALNUM + "+/-_"
SHAPE = classes(A=_ALNUM)
SHORTEST = b"A" * 12
"""A run is noticed by twelve letters and digits in a row. Base64 of ASCII has its other two characters only for `>`,
`?` and `~`, and paths and hyphenated names have theirs everywhere."""

_MARKED = "Pz"
_AROUND = 64
_ENCODED = 24
"""Characters: what is this long and has `???` in it, which base64 writes as `Pz8/`, `8/P` or `/Pz`, is noticed too."""

_BACK = 128
_PIECE = 16 * 1024
_OVERLAP = 5504
"""Encoded characters read again after a cut: 4,128 bytes of base64, so 2,064 characters of UTF-16."""

_T = "[A-Za-z0-9+/_-]"
_JOIN = (
    r"(?:[\"'`]?[ \t]{0,4}[,+.&\\]{0,2}[ \t]{0,4}\r?\n[ \t>*#|]{0,24}(?:[+.&]?[ \t]{0,4}[\"'`])?"
    r"|[\"'`][ \t]{0,4}[,+.&][ \t]{0,4}[\"'`])"
)
_RUN = lazy(rf"(?:\n[ \t>]{{0,8}})?{_T}++(?>(?:{_JOIN}{_T}++)*)")
_MORE = lazy(rf"{_JOIN}?{_T}++(?>(?:{_JOIN}{_T}++)*)")
_KEPT = lazy(rf"(?:{_JOIN}|\n[ \t>]{{0,8}})?({_T}++)")
_NARROW_LINES = lazy(rf"\n(?=[ \t>]{{0,8}}(?:{_T}{{4,15}}\r?\n[ \t>]{{0,8}}){{3}})")
"""Before three lines that hold nothing but a few characters each: base64 in narrow columns, or a list of words."""

_LINE = 200
_LINE_BEFORE = lazy(rf"(?<![^\n >\t])({_T}{{16,160}})\r?\n[ \t>]{{0,8}}\Z")
"""A line that holds nothing but encoded characters, in front of one where a run was noticed."""

_SHORT = 96
_REMEMBERED = 8192
"""Runs that were looked at and hold nothing; texts repeat them."""

_ALIGNED = 20
"""Encoded characters: shorter runs are not tried with something glued before them."""
_HEX = lazy(r"[0-9A-Fa-f]{12,}")
_SPEECH = lazy("(?:[A-Za-z]{2,}[,.:;]? ){2}[A-Za-z]")
_PLAIN = 16
"""Characters: so many bytes are printable by chance once in ten million times."""

_DIGIT = lazy("[0-9]")
_BASE32 = lazy(r"[A-Z2-7]{16,}|[a-z2-7]{16,}")
_URL_SAFE = str.maketrans("-_", "+/")
_ENOUGH = 0.9
_CAMEL = lazy(r"[A-Z]{0,4}[a-z]{3,}+(?:(?:[_/+-][A-Z]{0,4}|[A-Z]{1,4})[a-z]{3,}+)*(?:[_/+-]?[A-Z]{1,4})?")
"""A name in humps; twelve characters of base64 look like one in a thousand cases, and sixteen in none that was met. A
hump begins with a sign or a capital, so there is one way only to take a name apart."""


class _Reading(NamedTuple):
    """One stretch of text in a run: its encoding, and the encoded offset and the group sizes behind its bytes."""

    encoding: str
    offset: int
    units: int
    octets: int
    stretch: Stretch


def _group(encoding: str, offset: int, units: int, octets: int, data: bytes) -> list[_Reading]:
    """Return the readings of the text in `data`, `octets` bytes of which come from `units` encoded characters."""
    return [_Reading(encoding, offset, units, octets, stretch) for stretch in stretches(data)]


def _base64(kept: str) -> Iterator[_Reading]:
    """Yield the readings of a run as base64; where it does not start with the run, at each of four alignments."""
    plain = kept.translate(_URL_SAFE)
    for offset in range(4 if len(kept) >= _ALIGNED else 1):
        size = len(plain) - offset
        size -= size % 4 == 1
        if size < 8:
            return
        data = binascii.a2b_base64(plain[offset : offset + size] + "=" * (-size % 4))
        found = _group("base64", offset, 4, 3, data)
        yield from found
        if sum(len(item.stretch.text) for item in found) >= _ENOUGH * len(data) or (found and _wide(found, data)):
            return


def _wide(found: list[_Reading], data: bytes) -> bool:
    """Return whether UTF-16 text fills the data."""
    return 2 * sum(len(item.stretch.text) for item in found) >= _ENOUGH * len(data)


def _base32(kept: str) -> Iterator[_Reading]:
    """Yield the readings of runs of the base32 alphabet (RFC 4648), at each of eight alignments until one fills it."""
    from base64 import b32decode  # only here; costs as much as the rest of this module

    for run in _BASE32.finditer(kept):
        if run[0].isalpha() and not run[0].isupper():
            continue
        for offset in range(8):
            body = run[0][offset:].upper()
            body = body[: len(body) - (1 if len(body) % 8 in (1, 3, 6) else 0)]
            if len(body) < 16:
                break
            data = b32decode(body + "=" * (-len(body) % 8))
            found = _group("base32", run.start() + offset, 8, 5, data)
            yield from found
            if sum(len(item.stretch.text) for item in found) >= _ENOUGH * len(data):
                break


def _hex(kept: str) -> Iterator[_Reading]:
    """Yield the readings of runs of hex digits, at either alignment."""
    for run in _HEX.finditer(kept):
        for offset in range(2):
            body = run[0][offset : len(run[0]) - (len(run[0]) - offset) % 2]
            found = _group("hex", run.start() + offset, 2, 1, bytes.fromhex(body))
            yield from found
            if found:
                break


def _dull(token: str) -> bool:
    """Return whether a short run can be no encoding: a word, a path or a name in one case, and no hex or base32."""
    if token.islower() or token.isupper() or not token.strip("-_/+") or (token.isalpha() and token.istitle()):
        if token.islower() and _DIGIT.search(token) is None:
            return True
        return _HEX.search(token) is None and _BASE32.search(token) is None
    return _CAMEL.fullmatch(token) is not None


def _read(kept: str) -> tuple[_Reading, ...]:
    """Return everything that reads as text in a run of encoded characters."""
    readings = list(_hex(kept))
    digits = sum(2 * len(item.stretch.text) for item in readings)
    if 2 * digits < len(kept) and not kept.islower() and not kept.isupper():
        readings += _base64(kept)
    if _BASE32.search(kept):
        readings += _base32(kept)
    return tuple(readings)


def _certain(reading: _Reading) -> bool:
    """Return whether a reading leaves no doubt how the run was encoded: it has words, or is base64 of ASCII only."""
    encoding, text = reading.encoding, reading.stretch.text
    plain = encoding == "base64" and reading.stretch.codec == "ascii" and len(text) >= _PLAIN
    return plain or _SPEECH.search(text) is not None


class _Source:
    """Where the kept characters of a run stand.

    Args:
        raw: the run, with line breaks and prefixes.
        base: absolute position where it begins.
    """

    __slots__ = ("_base", "_firsts", "_raw", "_starts")

    def __init__(self, raw: str, base: int) -> None:
        self._raw = raw
        self._base = base
        self._starts: list[int] = []  # of the pieces; made when a place is asked for
        self._firsts: list[int] = []

    def position(self, index: int) -> int:
        """Return the absolute position of the kept character `index`."""
        if not self._starts:
            spans = [hit.span(1) for hit in _KEPT.finditer(self._raw)]
            self._starts = [start for start, _ in spans]
            self._firsts = [0, *accumulate(end - start for start, end in spans)]
        piece = min(bisect_right(self._firsts, index) - 1, len(self._starts) - 1)
        return self._base + self._starts[piece] + index - self._firsts[piece]


class _Locate(NamedTuple):
    """Maps bytes of a reading to the range of the encoded characters that carry their bits."""

    source: _Source
    reading: _Reading

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return the absolute range behind bytes `[start, end)`."""
        units, octets, offset = self.reading.units, self.reading.octets, self.reading.offset
        first = offset + start * units // octets
        last = offset + (end * units - 1) // octets
        return self.source.position(first), self.source.position(last) + 1


def _fragments(readings: Iterable[_Reading], source: _Source) -> Iterator[Unwrapped]:
    """Yield a fragment for each reading."""
    for item in readings:
        places = Bytes(item.stretch.codec, item.stretch.start, _Locate(source, item).place)
        yield Unwrapped(item.encoding, item.stretch.text, places)


def narrow(scene: Scene) -> bool:
    """Whether three lines in a row hold nothing but a few characters each."""
    limit = scene.stop - scene.base
    return (
        scene.raw.count(b"\n") > 2 and scene.search(_NARROW_LINES, scene.start - scene.base, limit, 2 * SLACK) < limit
    )


def marked(text: str, start: int, stop: int) -> int:
    """Return where between two offsets base64 of a text with question marks in a row is noticed; `stop` if nowhere."""
    at = text.find(_MARKED, start, stop)
    while at >= 0:
        if text[at - 1 : at] in ("/", "_") or text[at + 2 : at + 4] in ("8/", "8_"):
            before, after = text[max(0, at - _AROUND) : at], text[at : at + _AROUND]
            size = len(before) - len(before.rstrip(_SIGNS)) + len(after) - len(after.lstrip(_SIGNS))
            if size >= _ENCODED:
                return at
        at = text.find(_MARKED, at + 1, stop)
    return stop


class Packed:
    """Finds runs of base64, base32 and hex of twelve and more characters, joined over lines and quoted pieces.

    A run is read in pieces of 16 Ki characters with 5,504 read again, so a piece depends on where its run began and
    on nothing else; compressed runs are read without overlap by an `Inflater`.

    Args:
        budget: bounds what compressed runs unpack to.
    """

    def __init__(self, budget: Budget | None = None) -> None:
        self.position = 0
        self._budget = budget
        self._inflater: Inflater | None = None
        self._floor = 0
        self._dull: set[str] = set()
        self._strewn: Strewn | None = None
        self._row: Candidate | None = None

    @property
    def busy(self) -> bool:
        """Whether a compressed run goes on."""
        return self._inflater is not None

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        text, base, limit = scene.text, scene.base, scene.stop - scene.base
        position = max(self.position, scene.start) - base
        shadow = scene.shadow(SHAPE) if position < limit else b""
        if len(self._dull) > _REMEMBERED:
            self._dull.clear()
        narrow = shown = -1
        while position < limit:
            if self._inflater is not None:
                candidate, position = self._continue(text, base, position)
            else:
                narrow = narrow if narrow >= position else scene.search(_NARROW_LINES, position, limit, 2 * SLACK)
                shown = shown if shown >= position else marked(text, position, limit)
                anchor = self._anchor(scene, shadow, position, min(narrow, shown, limit))
                if anchor >= limit:
                    break
                candidate, position = self._run(text, base, anchor)
                self._floor = base + position
            if candidate is not None:
                yield candidate
            if self._row is not None:
                yield self._row
                self._row = None
        self.position = base + max(position, limit)

    def _anchor(self, scene: Scene, shadow: bytes, position: int, limit: int) -> int:
        """Return where the first run is noticed that is worth a look; `limit` if none is before."""
        text, offset, find, dull = scene.text, scene.low, shadow.find, self._dull
        begin = max(0, position - offset)
        last = limit - offset
        while 0 <= (begin := find(SHORTEST, begin)) < last:
            end = find(b"?", begin + len(SHORTEST), begin + _SHORT)
            if end < 0:
                return begin + offset
            token = text[begin + offset : end + offset]
            if token not in dull:
                if not _dull(token):
                    return begin + offset
                dull.add(token)
            begin = end
        return limit

    def _run(self, text: str, base: int, noticed: int) -> tuple[Candidate | None, int]:
        """Return the candidate of the run noticed there, which may begin before, and where to look for the next."""
        before = text[max(0, self._floor - base, noticed - _BACK) : noticed]
        anchor = noticed - len(before) + len(before.rstrip(_SIGNS))
        while (
            line := _LINE_BEFORE.search(text, max(0, self._floor - base, anchor - _LINE, noticed - BEHIND), anchor)
        ) is not None:
            anchor = line.start(1)
        hit = _RUN.match(text, anchor, anchor + _PIECE)
        assert hit is not None, "a run begins at its anchor"
        raw, end = hit[0], hit.end()
        full = end > anchor + _PIECE - SLACK
        pieces = _KEPT.findall(raw)
        kept = "".join(pieces)
        method = packing(kept)
        readings = () if method else _read(kept)
        if not readings and (method := method or packing(kept, bare=True)) is not None:
            return self._begin(method, kept, (base + noticed, base + end), full=full), end
        if self._strewn is None:
            from inkgate.text.unwrap.strewn import Strewn

            self._strewn = Strewn()
        spans = [(base + anchor + hit.start(1), hit[1]) for hit in _KEPT.finditer(raw)]
        self._row = self._strewn.look(text, base, noticed, spans)
        rare: list[Unwrapped] = []
        if not any(map(_certain, readings)):
            from inkgate.text.unwrap.unusual import unusual

            rare += unusual(kept, base + anchor, base + end)
        if not readings and not rare and self._row is None and len(raw) < _SHORT:
            self._dull.add(raw)
        source = _Source(raw, base + anchor)
        after = end
        if full:
            resume = max((len(kept) - _OVERLAP) & ~7, len(kept) // 2 & ~7)
            after = source.position(resume) - base
        if not readings and not rare:
            return None, after
        fragments = chain(_fragments(readings, source), rare)
        return Candidate(base + noticed, [(base + anchor, base + end)], lambda: fragments), after

    def _begin(self, method: Packing, kept: str, place: tuple[int, int], *, full: bool) -> Candidate:
        """Return the first piece of a compressed run."""
        self._inflater = Inflater(self._budget, method)
        return self._unpack(kept, *place, full)

    def _continue(self, text: str, base: int, position: int) -> tuple[Candidate | None, int]:
        """Return the next piece of a compressed run."""
        hit = _MORE.match(text, position, position + _PIECE)
        raw, end = (hit[0], hit.end()) if hit else ("", position)
        full = end > position + _PIECE - SLACK
        return self._unpack("".join(_KEPT.findall(raw)), base + position, base + end, full), end

    def _unpack(self, kept: str, start: int, end: int, full: bool) -> Candidate:
        """Return a candidate that unpacks the next piece when its turn comes; a piece that is not full is the last."""
        inflater = self._inflater
        assert inflater is not None, "called within a compressed run"
        if not full:
            self._inflater = None
        return Candidate(start, [(start, end)], lambda: inflater.feed(kept, start, end, last=not full))
