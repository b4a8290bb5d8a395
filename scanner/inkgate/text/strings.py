"""The readable strings of binary data: what a person or an agent sees who looks into it."""

from __future__ import annotations

from inkgate.lean import Protocol
from inkgate.text.lazy import lazy

__all__ = ["SHORTEST", "Strings"]

SHORTEST = 6
"""Characters of a run that counts as a string."""

_CHUNK = 65_536
_LONGEST = 1 << 20
_TAIL = 4 * SHORTEST
# UTF-8 first, then letters of UTF-16 in either byte order, which have a NUL on one side.
_RUN = lazy(
    rb"(?:[\t\n\r\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}){%d,}"
    rb"|(?:[\t\n\r\x20-\x7e]\0){%d,}" % (SHORTEST, SHORTEST)
)


class _Bytes(Protocol):
    def read(self, n: int, /) -> str | bytes: ...


class Strings:
    """Reads the strings of a reader of bytes, each on a line of its own.

    Args:
        reader: gives bytes.
    """

    def __init__(self, reader: _Bytes) -> None:
        self._reader = reader
        self._buffer = b""
        self._ready, self._place = "", 0
        self._ended = False

    def read(self, n: int, /) -> str:
        """At most `n` characters; empty at the end."""
        while self._place == len(self._ready) and not self._ended:
            self._fill()
            self._ready, self._place = self._take(), 0
        text = self._ready[self._place : self._place + n]
        self._place += len(text)
        return text

    def _fill(self) -> None:
        """Read a whole chunk, so that the cuts do not depend on how the reader delivers."""
        parts, wanted = [self._buffer], _CHUNK
        while wanted and not self._ended:
            data = self._reader.read(wanted)
            if isinstance(data, str):
                raise TypeError("strings are taken from bytes, not from text")
            self._ended = not data
            parts.append(data)
            wanted -= len(data)
        self._buffer = b"".join(parts)

    def _take(self) -> str:
        """The strings of the buffer that cannot go on in what follows."""
        found = []
        keep = len(self._buffer) if self._ended else max(0, len(self._buffer) - _TAIL)
        for match in _RUN.finditer(self._buffer):
            if not self._ended and match.end() > keep and len(match[0]) < _LONGEST:
                keep = match.start()
                break
            found.append(match[0].replace(b"\0", b"").decode("utf-8", "replace") + "\n")
            keep = max(keep, match.end())
        self._buffer = self._buffer[keep:]
        return "".join(found)
