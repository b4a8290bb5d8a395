"""Decompression in small steps: no input makes one step large, and every byte that comes out is counted."""

from __future__ import annotations

import bz2
import lzma
import zlib
from collections.abc import Callable
from typing import Protocol

from inkgate.lint.bounds import CHUNK, ArchiveError, Bounds, ByteReader

__all__ = ["Expander", "bzip2", "deflate", "gzip", "xz"]

_MEMORY = 64 << 20
"""Bytes that the xz dictionary may take; `xz -9` asks for 65 MiB in all, ordinary files for 9."""


class _Engine(Protocol):
    """What bz2 and lzma decompressors have in common."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int = -1) -> bytes: ...


class _Inflate:
    """zlib with the manners of bz2 and lzma."""

    def __init__(self, bits: int) -> None:
        self._zlib = zlib.decompressobj(bits)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return self._zlib.eof

    @property
    def unused_data(self) -> bytes:
        return self._zlib.unused_data

    def decompress(self, data: bytes, max_length: int = -1) -> bytes:
        out = self._zlib.decompress(self._zlib.unconsumed_tail + data, max_length)
        self.needs_input = not self._zlib.unconsumed_tail and len(out) < max_length
        return out


def gzip() -> _Engine:
    """A gzip member, with its header and checksum."""
    return _Inflate(31)


def deflate() -> _Engine:
    """Bare deflate, as in zip."""
    return _Inflate(-15)


def bzip2() -> _Engine:
    """A bzip2 stream."""
    return bz2.BZ2Decompressor()


def xz() -> _Engine:
    """An xz stream, within a bound for its dictionary."""
    return lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=2 * _MEMORY)


class Expander:
    """Reads decompressed bytes.

    Args:
        source: compressed bytes.
        engine: makes a decompressor for one stream.
        bounds: what may be spent.
        many: whether further streams may follow the first, as in gzip, bzip2 and xz files.
    """

    def __init__(self, source: ByteReader, engine: Callable[[], _Engine], bounds: Bounds, *, many: bool = True) -> None:
        self._source, self._make, self._bounds, self._many = source, engine, bounds, many
        self._engine: _Engine | None = engine()
        self._data = b""
        self._in = self._out = 0

    def read(self, n: int, /) -> bytes:
        """At most `n` bytes; empty at the end.

        Raises:
            ArchiveError: damaged data, or more than the bounds allow.
        """
        n = min(n, CHUNK)
        while self._engine is not None:
            if self._engine.eof:
                self._next()
                continue
            out = self._step(self._engine, n)
            if out:
                self._out += len(out)
                self._bounds.spend(len(out))
                self._bounds.ratio(self._in, self._out)
                return out
        return b""

    def _step(self, engine: _Engine, n: int) -> bytes:
        data, self._data = self._data, b""
        if engine.needs_input and not data:
            data = self._source.read(CHUNK)
            self._in += len(data)
            if not data:
                raise ArchiveError("the compressed data ends too early")
        try:
            return engine.decompress(data, n)
        except lzma.LZMAError as error:
            limit = "memory" in str(error).lower()
            raise ArchiveError(
                f"asks for more than {_MEMORY >> 20} MiB to unpack"
                if limit
                else f"the compressed data is damaged: {error}",
                "archive-limit" if limit else "archive-damaged",
            ) from error
        except (zlib.error, OSError, EOFError, ValueError) as error:
            raise ArchiveError(f"the compressed data is damaged: {error}") from error

    def _next(self) -> None:
        """Behind a stream: another one, padding, or the end."""
        assert self._engine is not None
        rest = self._engine.unused_data
        self._engine = None
        while not (rest := rest.lstrip(b"\0")):
            rest = self._source.read(CHUNK)
            self._in += len(rest)
            if not rest:
                return
        if not self._many:
            raise ArchiveError("there is data behind the end of the compressed data")
        self._bounds.member()
        self._engine, self._data = self._make(), rest
