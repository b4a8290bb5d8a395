"""Compressed text inside base64 or hex: unpacked step by step within a bound; what lies beyond the bound is told."""

from __future__ import annotations

import binascii
import re
import zlib
from collections.abc import Callable, Iterator

from inkgate.lean import Any, NamedTuple
from inkgate.text.lazy import lazy
from inkgate.text.unwrap.fragment import Budget, Unwrapped, Whole
from inkgate.text.unwrap.plain import stretches

__all__ = ["LIMIT", "Inflater", "Packing", "packing"]

LIMIT = 1 << 20
"""Bytes that one run may unpack to."""

_STEP = 4096
_TAIL = 2048
_PROBE = 4 * 256
_MEMORY = 64 << 20
"""Bytes that unpacking xz may take; a stream that asks for more is unread."""

_FLAG_CRC, _FLAG_EXTRA, _FLAG_NAME, _FLAG_COMMENT = 2, 4, 8, 16
_URL_SAFE = str.maketrans("-_", "+/")
_HEX_START = lazy("(?:1f8b08|78(?:01|5e|9c|da)|425a68[0-9a-f]{2}314159|fd377a585a00)[0-9a-f]{8}", re.IGNORECASE)
_HEX_ONLY = lazy("[0-9A-Fa-f]*")
_BZIP2, _XZ = b"1AY&SY", b"\xfd7zXZ\0"
_SURE = 16
_BREAKS = {9: " ", 10: " ", 13: " "}


class Packing(NamedTuple):
    """How a run was made.

    Attributes:
        name: of the encoding.
        decode: makes bytes of its characters.
        stream: makes a decompressor, which has `decompress(data, most)` and `eof`.
        body: where the stream begins in the first bytes, or -1.
    """

    name: str
    decode: Callable[[str], bytes]
    stream: Callable[[], Any]
    body: Callable[[bytes], int]


def packing(kept: str, *, bare: bool = False) -> Packing | None:
    """Return how a run that begins with a compressed stream was made; None for any other.

    Known are gzip (RFC 1952) and zlib (RFC 1950) that really inflate, bzip2 and xz by their headers.

    Args:
        kept: the characters of the run.
        bare: look for a deflate stream without a header (RFC 1951), whose first bytes must come out as text.
    """
    if bare:
        return _bare(kept)
    name, decode = "base64", _decoded
    if _HEX_START.match(kept):
        name, decode = "hex", _unhexed
    elif not kept.startswith(("H4sI", "eA", "eF", "eJ", "eN", "QlpoO", "/Td6WFo")):
        return None
    data = decode(kept[:_PROBE])
    if data[:3] == b"BZh" and data[4:10] == _BZIP2:
        return Packing(f"{name}+bzip2", decode, _bzip2, _start)
    if data[:6] == _XZ:
        return Packing(f"{name}+xz", decode, _Xz, _start)
    start = _body(data)
    if start < 0 or not _inflates(data[start:]):
        return None
    return Packing(f"{name}+deflate", decode, _deflate, _body)


def _bare(kept: str) -> Packing | None:
    """Return the way to read a stream that has no header, if the run begins with one of a text."""
    if len(kept) < _SURE or kept.islower() or kept.isupper():
        return None
    out = _inflates(_decoded(kept[:_PROBE]))
    text = out.decode("utf-8", "replace").rstrip("\ufffd")  # the last character may be cut
    if len(out) < _SURE or "\ufffd" in text or not text.translate(_BREAKS).isprintable():
        return None
    return Packing("base64+deflate", _decoded, _deflate, _start)


def _inflates(data: bytes) -> bytes:
    """Return the first bytes that a deflate stream gives."""
    try:
        return zlib.decompressobj(-15).decompress(data, 64)
    except zlib.error:
        return b""


def _start(data: bytes) -> int:
    """Return where a stream begins whose header belongs to it."""
    return 0


def _deflate() -> Any:
    return zlib.decompressobj(-15)


def _bzip2() -> Any:
    from bz2 import BZ2Decompressor

    return BZ2Decompressor()


class _Xz:
    """A decompressor of xz whose errors are those of Python: the module's own is loaded only where there is some."""

    def __init__(self) -> None:
        from lzma import LZMADecompressor, LZMAError

        self._stream, self._error = LZMADecompressor(memlimit=_MEMORY), LZMAError

    @property
    def eof(self) -> bool:
        """Whether the stream has ended."""
        return self._stream.eof

    def decompress(self, data: bytes, most: int) -> bytes:
        """Unpack at most so many bytes.

        Raises:
            MemoryError: the stream asks for too much.
            OSError: the stream is broken.
        """
        try:
            return self._stream.decompress(data, most)
        except self._error as error:
            raise (MemoryError if "emory" in str(error) else OSError)(str(error)) from error


def _unhexed(kept: str) -> bytes:
    """Decode hex up to the first other character; a lone last digit is dropped."""
    digits = _HEX_ONLY.match(kept)
    assert digits is not None, "the pattern matches nothing too"
    return bytes.fromhex(digits[0][: len(digits[0]) & ~1])


def _decoded(kept: str) -> bytes:
    """Decode base64 of either alphabet, without padding; a lone last character is dropped."""
    kept = kept[:-1] if len(kept) % 4 == 1 else kept
    return binascii.a2b_base64(kept.translate(_URL_SAFE) + "=" * (-len(kept) % 4))


def _body(data: bytes) -> int:
    """Return where the deflate stream begins after the header, or -1 when there is no header."""
    if data[:1] == b"\x78":
        return 2 if len(data) > 2 and (data[0] * 256 + data[1]) % 31 == 0 and not data[1] & 0x20 else -1
    if data[:3] != b"\x1f\x8b\x08" or len(data) < 10:
        return -1
    flags, at = data[3], 10
    if flags & _FLAG_EXTRA:
        at += 2 + int.from_bytes(data[at : at + 2], "little")
    for flag in (_FLAG_NAME, _FLAG_COMMENT):
        if flags & flag:
            at = data.find(0, at) + 1
            if at == 0:
                return -1
    at += 2 if flags & _FLAG_CRC else 0
    return at if at < len(data) else -1


class Inflater:
    """Unpacks one run, piece by piece. Checksums are not looked at: a reader's tool prints before it checks.

    Args:
        budget: bounds what is unpacked together with LIMIT; the caller spends from it what it reads.
        method: how the run was made.
    """

    def __init__(self, budget: Budget | None, method: Packing) -> None:
        self._budget = budget
        self._method = method
        self._stream = method.stream()
        self._started = self._done = False
        self._rest = ""
        self._tail = b""
        self._room = LIMIT

    def feed(self, kept: str, start: int, end: int, *, last: bool) -> Iterator[Unwrapped]:
        """Unpack the next encoded characters, which stand at absolute `[start, end)`; `last` ends the run."""
        if self._done:
            return
        kept = self._rest + kept
        cut = len(kept) if last else len(kept) & ~3
        self._rest = kept[cut:]
        data = self._method.decode(kept[:cut])
        if not self._started:
            self._started = True
            data = data[self._method.body(data) :]
        out, more = self._inflate(data)
        texts = stretches(self._tail + out) if out else []
        self._tail = out[-_TAIL:]
        for index, stretch in enumerate(texts):
            yield Unwrapped(self._method.name, stretch.text, Whole(start, end), more and index == len(texts) - 1)
        if more and not texts:
            yield Unwrapped(self._method.name, "", Whole(start, end), truncated=True)

    def _inflate(self, data: bytes) -> tuple[bytes, bool]:
        """Return what `data` unpacks to and whether the bound left some of it packed."""
        room = self._room if self._budget is None else min(self._room, max(0, self._budget.left))
        parts: list[bytes] = []
        try:
            for at in range(0, len(data), _STEP):
                part = self._stream.decompress(data[at : at + _STEP], room + 1)
                parts.append(part[:room])
                if len(part) > room:
                    self._done = True
                    return b"".join(parts), True
                room -= len(part)
                self._room -= len(part)
                if self._stream.eof:
                    self._done = True
                    break
        except (zlib.error, OSError, EOFError):
            self._done = True
        except MemoryError:
            self._done = True
            return b"".join(parts), True
        return b"".join(parts), False
