"""A folded view that grows block by block, and its map back to the text that it was made from."""

from __future__ import annotations

from collections.abc import Sequence

from inkgate.text.fold import Folded

__all__ = ["View"]


class View:
    """The carried tail of a folded text. Positions are absolute: they count from the start of the whole view.

    Attributes:
        cased: the buffered part, ASCII case kept.
        lower: the same, lower-cased; always as long.
        base: absolute position of the first buffered character.
    """

    __slots__ = ("_parts", "base", "cased", "lower")

    def __init__(self) -> None:
        self.cased = ""
        self.lower = ""
        self.base = 0
        # (absolute start, length, offset of the source, how to map): a Folded, its eager map, or None for identity
        self._parts: list[tuple[int, int, int, Folded | Sequence[int] | None]] = []

    @property
    def end(self) -> int:
        """Absolute position just past the buffer."""
        return self.base + len(self.cased)

    def append(self, folded: Folded, origin: int) -> None:
        """Add a folded block whose source starts at character `origin`."""
        if folded.cased:
            how = None if folded.identity else folded
            self._parts.append((self.end, len(folded.cased), origin, how))
            self.cased += folded.cased
            self.lower += folded.lower

    def trim(self, keep: int) -> None:
        """Forget everything before the absolute position `keep`; what stays costs memory by its own length only."""
        if keep <= self.base:
            return
        parts: list[tuple[int, int, int, Folded | Sequence[int] | None]] = []
        for start, length, origin, how in self._parts:
            cut = max(0, keep - start)
            if cut >= length:
                continue
            if how is None:
                parts.append((start + cut, length - cut, origin + cut, None))
            elif isinstance(how, Folded):
                parts.append((start + cut, length - cut, origin, list(how.sources(cut, length))))
            else:
                parts.append((start + cut, length - cut, origin, how[cut:]))
        self._parts = parts
        self.cased = self.cased[keep - self.base :]
        self.lower = self.lower[keep - self.base :]
        self.base = keep

    def source(self, position: int) -> int:
        """Offset in the source of the character at an absolute position.

        Raises:
            LookupError: the position is not buffered.
        """
        low, high = 0, len(self._parts)
        while low < high:
            middle = (low + high) // 2
            if self._parts[middle][0] + self._parts[middle][1] <= position:
                low = middle + 1
            else:
                high = middle
        if low == len(self._parts) or position < self._parts[low][0]:
            raise LookupError(f"position {position} is not buffered")
        start, _, origin, how = self._parts[low]
        offset = position - start
        if how is None:
            return origin + offset
        return origin + (how.source(offset) if isinstance(how, Folded) else how[offset])

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The source range that an absolute view range covers; an empty one has the place of what follows it.

        Raises:
            LookupError: the range is not buffered.
        """
        if end > start:
            first, length, origin, how = self._parts[0] if self._parts else (0, 0, 0, None)
            if how is None and first <= start and end <= first + length:
                return origin + start - first, origin + end - first
            return self.source(start), self.source(end - 1) + 1
        if not self.cased:
            return 0, 0
        first = self.source(start) if start < self.end else self.source(self.end - 1) + 1
        return first, first
