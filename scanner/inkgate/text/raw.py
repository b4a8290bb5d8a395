"""The tail of the original text that findings still point into, with exact line and column numbers."""

from __future__ import annotations

from bisect import bisect_left

from inkgate.text.lazy import lazy

__all__ = ["Raw"]

KEEP = 1 << 20
"""Characters of original text that are kept at most; older parts keep only the places of their line ends."""


_LINE_END = lazy("\n")


class _Block:
    __slots__ = ("breaks", "dropped", "last_break", "lines", "size", "start", "text")

    def __init__(self, start: int, text: str, lines: int, last_break: int) -> None:
        self.start, self.size, self.text = start, len(text), text
        self.lines = lines  # line ends before this block
        self.last_break = last_break  # offset of the last of them, or -1
        self.breaks: list[int] | None = None  # line ends inside, once they are known
        self.dropped = False

    def line_ends(self) -> list[int]:
        """Offsets of the line ends inside, found when they are first asked for."""
        if self.breaks is None:
            self.breaks = [self.start + found.start() for found in _LINE_END.finditer(self.text)]
        return self.breaks

    def drop(self) -> None:
        if not self.dropped:
            self.line_ends()
            self.text, self.dropped = "", True


class Raw:
    """Blocks of the original text, oldest first.

    Attributes:
        end: characters read so far.
    """

    __slots__ = ("_blocks", "_kept", "end")

    def __init__(self) -> None:
        self._blocks: list[_Block] = []
        self._kept = 0
        self.end = 0

    def append(self, text: str) -> None:
        """Add the next block."""
        if not text:
            return
        lines, last = 0, -1
        if self._blocks:
            before = self._blocks[-1]
            lines, last = self._after(before)
        self._blocks.append(_Block(self.end, text, lines, last))
        self.end += len(text)
        self._kept += len(text)
        for block in self._blocks:
            if self._kept <= KEEP:
                break
            if not block.dropped and block is not self._blocks[-1]:
                block.drop()
                self._kept -= block.size

    @staticmethod
    def _after(block: _Block) -> tuple[int, int]:
        if block.breaks is not None:
            return block.lines + len(block.breaks), block.breaks[-1] if block.breaks else block.last_break
        place = block.text.rfind("\n")
        return block.lines + block.text.count("\n"), block.start + place if place >= 0 else block.last_break

    def trim(self, keep: int) -> None:
        """Forget the blocks that end at or before the offset `keep`; the last one always stays."""
        while len(self._blocks) > 1 and self._blocks[0].start + self._blocks[0].size <= keep:
            block = self._blocks.pop(0)
            if not block.dropped:
                self._kept -= block.size

    @property
    def first(self) -> int:
        """Offset of the first character whose line is still known."""
        return self._blocks[0].start if self._blocks else 0

    def _find(self, offset: int) -> _Block:
        for block in reversed(self._blocks):
            if block.start <= offset:
                return block
        raise LookupError(f"offset {offset} is no longer kept")

    def line_column(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1; lines end at LF.

        Raises:
            LookupError: the offset lies before what is kept.
        """
        if not self._blocks:
            return 1, offset + 1
        block = self._find(offset)
        breaks = block.line_ends()
        count = bisect_left(breaks, offset)
        last = breaks[count - 1] if count else block.last_break
        return block.lines + count + 1, offset - last

    def slice(self, start: int, end: int) -> str | None:
        """The original characters, or None when they are no longer kept."""
        parts: list[str] = []
        for block in self._blocks:
            if block.start + block.size <= start:
                continue
            if block.start >= end:
                break
            if block.dropped or (not parts and block.start > start):
                return None
            parts.append(block.text[max(0, start - block.start) : end - block.start])
        return "".join(parts)
