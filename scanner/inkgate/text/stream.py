"""Canonical blocks: however a reader delivers, the scan sees the same pieces of the same text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from inkgate.lean import Protocol
from inkgate.model import InkgateError
from inkgate.text.decode import BLOCK, Decoder

__all__ = ["BLOCK", "Blocks", "Reader", "ReaderError", "reblock"]


class Reader(Protocol):
    """Anything with `read(n)`: a file, a socket's file, a decompressor. Short reads are fine, empty means the end."""

    def read(self, n: int, /) -> str | bytes:
        """At most `n` characters or bytes; empty at the end."""


class ReaderError(InkgateError):
    """The reader gave something that is no text: a fault of the caller, not of the text."""


class Blocks:
    """The text of a reader as blocks of exactly `BLOCK` characters, the last one shorter and never empty.

    Args:
        reader: gives `str`, or bytes, which are decoded.
        decoder: what decodes the bytes; a new `Decoder` if not given.

    Attributes:
        decoder: its `notes` are complete when the last block was taken.

    Raises:
        TypeError: `reader` has no `read`.
        ReaderError: on iteration, if the reader gives `None` (it is non-blocking), changes between text and bytes, or
            gives anything else. What the reader itself raises passes through.
    """

    def __init__(self, reader: Reader, decoder: Decoder | None = None) -> None:
        if not callable(getattr(reader, "read", None)):
            other = {str: "; use scan_text for text", bytes: "; use scan_bytes for bytes"}.get(type(reader), "")
            raise TypeError(f"reader must have read(size), and {type(reader).__name__} has not{other}")
        self.decoder = Decoder() if decoder is None else decoder
        self._reader = reader

    def __iter__(self) -> Iterator[str]:
        return reblock(self._pieces())

    def _pieces(self) -> Iterator[str]:
        first: type | None = None
        while True:
            piece = self._reader.read(BLOCK)
            _check(piece, first)
            if not piece:
                break
            first = str if isinstance(piece, str) else bytes
            yield piece if isinstance(piece, str) else self.decoder.feed(bytes(piece))
        if first is not str:
            yield self.decoder.feed(b"", final=True)


def reblock(pieces: Iterable[str]) -> Iterator[str]:
    """Cut and join pieces of any size into blocks of exactly `BLOCK` characters; the last may be shorter."""
    held: list[str] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size < BLOCK:
            continue
        text = "".join(held)
        whole = size - size % BLOCK
        for start in range(0, whole, BLOCK):
            yield text[start : start + BLOCK]
        held = [text[whole:]]
        size -= whole
    if size:
        yield "".join(held)


def _check(piece: object, first: type | None) -> None:
    if piece is None:
        raise ReaderError(
            "the reader gave None instead of data", hint="it is non-blocking; give one that waits for its data"
        )
    if not isinstance(piece, str | bytes | bytearray | memoryview):
        raise ReaderError(f"the reader gave {type(piece).__name__}, neither text nor bytes")
    if first is not None and isinstance(piece, str) is not (first is str):
        raise ReaderError("the reader gave text and bytes in turn", hint="open it in text mode or in binary mode")
