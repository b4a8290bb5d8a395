"""The code blocks of a growing Markdown text, each with a map back to the text (CommonMark 4.5, and inline shell)."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

__all__ = ["MAX_BLOCK", "Block", "Fences"]

MAX_BLOCK = 262_144
"""Characters of one code block that are kept; what is longer is given out as far as it goes, and says so."""

_LINE = 65_536
_OPEN = re.compile(r"((?:[ \t]{0,12}(?:>|[-*+]|\d{1,3}[.)])){0,4}[ \t]{0,32})(`{3,}|~{3,})([^\n`]{0,120})")
_PROMPT = re.compile(r"(?:\(\w{1,20}\)[ ])?(?:[\w.@~:/-]{0,40}[$%]|PS [^>\n]{0,80}>|>>>|\.\.\.)[ ]")
_INLINE = re.compile(r"(?<![^\s(\[:>|])!`([^\s`][^`\n]{0,2000})`")


@dataclass(slots=True)
class Block:
    """Code in a text.

    Attributes:
        info: label of the fence; `!` for inline shell that a host runs when it loads the text.
        text: the code, without the indentation and quote marks of its block.
        truncated: whether the block is longer.
        line: the text on the line before the block, for its caption.
    """

    info: str
    text: str = ""
    truncated: bool = False
    line: str = ""
    _starts: list[int] = field(default_factory=list)  # offset in `text` of each line
    _places: list[int] = field(default_factory=list)  # offset in the original text of each line
    _parts: list[str] = field(default_factory=list)
    _size: int = 0

    def add(self, line: str, place: int) -> None:
        """Append a line, with its end, that begins at an offset of the original text."""
        if self._size + len(line) > MAX_BLOCK:
            self.truncated = True
            return
        self._starts.append(self._size)
        self._places.append(place)
        self._parts.append(line)
        self._size += len(line)

    def close(self) -> Block:
        """Put the lines together."""
        self.text = "".join(self._parts)
        return self

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The range of the original text that a range of the code comes from."""
        if not self._starts:
            return 0, 0
        return self._offset(start), max(self._offset(start), self._offset(max(start, end - 1)) + (end > start))

    def _offset(self, at: int) -> int:
        row = max(0, bisect_right(self._starts, at) - 1)
        return self._places[row] + at - self._starts[row]

    @property
    def first(self) -> int:
        """Offset of the block in the original text."""
        return self._places[0] if self._places else 0


class Fences:
    """Finds code blocks while a text is fed to it; holds one block at most."""

    def __init__(self) -> None:
        self._carry = ""
        self._base = 0
        self._block: Block | None = None
        self._marker = ""
        self._indent = 0
        self._before = ""

    def oldest(self, default: int) -> int:
        """Offset of the block that is open, if that lies before `default`."""
        return default if self._block is None else min(default, self._block.first or default)

    def feed(self, text: str, *, final: bool = False) -> Iterator[Block]:
        """Read on; gives each block that ended."""
        data = self._carry + text
        at = 0
        while at < len(data):
            end = data.find("\n", at) + 1
            if not end:
                if not final and len(data) - at < _LINE:
                    break
                end = len(data)
            yield from self._row(data[at:end], self._base + at)
            at = end
        self._carry = data[at:]
        self._base += at
        if final and self._block is not None:
            yield self._block.close()
            self._block = None

    def _row(self, line: str, place: int) -> Iterator[Block]:
        if self._block is not None:
            if self._closes(line):
                yield self._block.close()
                self._block = None
                return
            body, skipped = self._strip(line)
            self._block.add(body, place + skipped)
            return
        if "```" in line or "~~~" in line:
            found = _OPEN.match(line)
            if found is not None:
                self._marker, self._indent = found[2], len(found[1])
                self._block = Block(found[3].strip(), line=self._before)
                return
        if "!`" in line:
            for hit in _INLINE.finditer(line):
                inline = Block("!", line=self._before)
                inline.add(hit[1], place + hit.start(1))
                yield inline.close()
        if line.strip():
            self._before = line.strip()[-200:]

    def _closes(self, line: str) -> bool:
        bare = line.strip(" \t\r\n>")
        return len(bare) >= len(self._marker) and not bare.strip(self._marker[0])

    def _strip(self, line: str) -> tuple[str, int]:
        """The line without the quote marks and the indentation of its block, and how much was taken off."""
        skipped = 0
        for char in line[: self._indent]:
            if char not in " \t>":
                break
            skipped += 1
        prompt = _PROMPT.match(line, skipped) if len(line) < 4000 else None
        if prompt is not None:
            skipped = prompt.end()
        return line[skipped:], skipped
