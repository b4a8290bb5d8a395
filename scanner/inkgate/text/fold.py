"""The folded view: the text as a reader takes it, whatever characters it is written with.

`fold` maps every code point by itself: compatibility decomposition (NFKD), marks and default-ignorables dropped,
look-alikes of Latin letters turned into them (UTS #39 and more), ASCII never rewritten. It is the same for NFC and NFD,
commutes with concatenation, and needs no normalisation, so a text may be cut anywhere and no run of marks is slow.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cache

__all__ = ["Folded", "disguises", "fold", "fold_char", "pattern_chars"]

_HANGUL_FIRST, _HANGUL_LAST = 0xAC00, 0xD7A3
_CHECKPOINT = 512  # characters between two remembered positions of an offset map


class _Table(dict[int, str]):
    """Code point to fold; what is not in it is Hangul (by arithmetic), a plane-14 ignorable, or stays itself."""

    __slots__ = ()

    def __missing__(self, code: int) -> str:
        if _HANGUL_FIRST <= code <= _HANGUL_LAST:
            index = code - _HANGUL_FIRST
            lead, vowel, tail = index // 588, index % 588 // 28, index % 28
            fold = chr(0x1100 + lead) + chr(0x1161 + vowel) + (chr(0x11A7 + tail) if tail else "")
        elif 0xE0000 <= code <= 0xE0FFF:
            return ""
        else:
            fold = chr(code)
        if code < 0x10000:  # remembered: at most the 65,536 of the first plane
            self[code] = fold
        return fold


@cache
def _table() -> _Table:
    """The map, built at the first non-ASCII text."""
    from inkgate.text import _fold_table as data

    table = _Table()
    for runs, folds in (
        (data.SINGLE_RUNS, data.SINGLE),
        (data.MULTI_RUNS, data.MULTI.split("\n")),
    ):
        table.update(zip(_codes(runs), folds, strict=True))
    table.update(dict.fromkeys(_codes(data.DROPPED_RUNS), ""))
    return table


def _codes(runs: str) -> list[int]:
    """The code points of runs that are written as pairs of first and last character."""
    ends = list(map(ord, runs))
    return [code for first, last in zip(ends[::2], ends[1::2], strict=True) for code in range(first, last + 1)]


class Folded:
    """A text and its folded view: `cased` (ASCII case kept) and `lower`, equally long; positions are characters."""

    __slots__ = ("_marks", "_text", "cased", "lower")

    def __init__(self, text: str, cased: str, lower: str) -> None:
        self._text = text
        self._marks: list[int] | None = None
        self.cased = cased
        self.lower = lower

    @property
    def identity(self) -> bool:
        """Whether every position is the same in the view and in the source."""
        if self.cased is self._text:
            return True
        if len(self.cased) != len(self._text):
            return False
        table = _table()
        return all(len(table[ord(char)]) == 1 for char in self._text if char > "\x7f")

    def source(self, position: int) -> int:
        """The index in the source text of the character that gave `position`; the view's length gives the text's.

        Raises IndexError outside of 0..len(cased).
        """
        if not 0 <= position <= len(self.cased):
            raise IndexError(f"position {position} is outside of a view of {len(self.cased)} characters")
        if position == len(self.cased):
            return len(self._text)
        return self.sources(position, position + 1)[0]

    def sources(self, start: int, stop: int) -> Sequence[int]:
        """The source index of each view position from start to stop (exclusive)."""
        if self.cased is self._text:
            return range(start, stop)
        if not 0 <= start <= stop <= len(self.cased):
            raise IndexError(f"{start}..{stop} is outside of a view of {len(self.cased)} characters")
        table, marks = _table(), self._checkpoints()
        block = bisect_right(marks, start) - 1
        position, index, found = marks[block], block * _CHECKPOINT, list[int]()
        while position < stop:
            length = len(table[ord(self._text[index])])
            found.extend([index] * (min(position + length, stop) - max(position, start)))
            position, index = position + length, index + 1
        return found

    def _checkpoints(self) -> list[int]:
        """View positions of every 512th source character."""
        if self._marks is None:
            table, text, total, marks = _table(), self._text, 0, [0]
            for index in range(0, len(text), _CHECKPOINT):
                total += len(text[index : index + _CHECKPOINT].translate(table))
                marks.append(total)
            self._marks = marks
        return self._marks


def fold(text: str) -> Folded:
    """The folded view of `text`; any string, lone surrogates too (they stay themselves). Linear time."""
    if text.isascii():
        return Folded(text, text, text.lower())
    cased = text.translate(_table())
    return Folded(text, cased, cased.lower())


def fold_char(char: str) -> str:
    """The fold of one character, ASCII case kept; '' when it is dropped."""
    return char if char < "\x80" else _table()[ord(char)]


def pattern_chars(char: str) -> tuple[str, ...]:
    """The distinct lower-case folds of a literal's lower, upper and title form, so that a pattern meets them all."""
    return tuple(dict.fromkeys(fold(form).lower for form in (char.lower(), char.upper(), char.title())))


def disguises(raw: str) -> frozenset[str]:
    """How a short raw slice differs from plain writing: a subset of {"ignorable", "confusable", "compat"}."""
    from inkgate.text.disguise import disguises as look

    return look(raw)
