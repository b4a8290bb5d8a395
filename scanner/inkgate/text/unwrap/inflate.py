"""Compressed text inside base64: unpacked step by step within a bound; what lies beyond the bound is told."""

from __future__ import annotations

import binascii
import zlib
from collections.abc import Iterator

from inkgate.text.unwrap.fragment import Budget, Unwrapped, Whole
from inkgate.text.unwrap.plain import stretches

__all__ = ["LIMIT", "Inflater", "compressed"]

LIMIT = 1 << 20
"""Bytes that one run of base64 may unpack to."""

_STEP = 4096
_TAIL = 2048
_FLAG_CRC, _FLAG_EXTRA, _FLAG_NAME, _FLAG_COMMENT = 2, 4, 8, 16
_URL_SAFE = str.maketrans("-_", "+/")


def compressed(kept: str) -> bool:
    """Return whether base64 begins with the header of gzip (RFC 1952) or zlib (RFC 1950) and then really inflates."""
    if not kept.startswith(("H4sI", "eA", "eF", "eJ", "eN", "eN")):
        return False
    data = _decoded(kept[: 4 * 256])
    start = _body(data)
    if start < 0:
        return False
    try:
        return bool(zlib.decompressobj(-15).decompress(data[start:], 64))
    except zlib.error:
        return False


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
    """Unpacks one run of base64, piece by piece. Checksums are not looked at: a reader's tool prints before it checks.

    Args:
        budget: bounds what is unpacked together with LIMIT; the caller spends from it what it reads.
    """

    def __init__(self, budget: Budget | None) -> None:
        self._budget = budget
        self._stream = zlib.decompressobj(-15)
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
        data = _decoded(kept[:cut])
        if not self._started:
            self._started = True
            data = data[_body(data) :]
        out, more = self._inflate(data)
        texts = stretches(self._tail + out) if out else []
        self._tail = out[-_TAIL:]
        for index, stretch in enumerate(texts):
            yield Unwrapped("base64+deflate", stretch.text, Whole(start, end), more and index == len(texts) - 1)
        if more and not texts:
            yield Unwrapped("base64+deflate", "", Whole(start, end), truncated=True)

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
        except zlib.error:
            self._done = True
        return b"".join(parts), False
