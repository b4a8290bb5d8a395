"""The fold of single code points, as a mapping for `str.translate`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

__all__ = ["CONTROLS", "FoldMap", "fold_map"]

CONTROLS = bytes(code for code in (*range(32), 127) if code not in b"\t\n\r\f")
"""ASCII control characters, which fold to nothing; tab and the ends of lines and pages do not."""

_OTHERS = (*range(0x80, 0x85), *range(0x86, 0xA0), 0xFFFD)  # C1 controls but the line end, and what could not be read

_HANGUL_FIRST, _HANGUL_LAST = 0xAC00, 0xD7A3


class FoldMap(dict[int, str]):
    """Code point to folded text; what the generated table does not list is computed or stays itself.

    Hangul syllables decompose by arithmetic (Unicode Standard, section 3.12), the default-ignorables of plane 14 are
    dropped. Answers are remembered for the first plane only, so the map holds fewer than 80,000 entries.
    """

    __slots__ = ()

    def __missing__(self, code: int) -> str:
        if _HANGUL_FIRST <= code <= _HANGUL_LAST:
            index = code - _HANGUL_FIRST
            tail = index % 28
            folded = chr(0x1100 + index // 588) + chr(0x1161 + index % 588 // 28) + (chr(0x11A7 + tail) if tail else "")
        elif 0xE0000 <= code <= 0xE0FFF:
            return ""
        else:
            folded = chr(code)
        if code < 0x10000:
            self[code] = folded
        return folded


def _codes(runs: str) -> Iterator[int]:
    """The code points of runs that are written as pairs of first and last character."""
    for first, last in zip(runs[::2], runs[1::2], strict=True):
        yield from range(ord(first), ord(last) + 1)


@cache
def fold_map() -> FoldMap:
    """The one map of the process, made when the first non-ASCII text comes."""
    from inkgate.text import _fold_table as table

    folds = FoldMap(zip(_codes(table.SINGLE_RUNS), table.SINGLE, strict=True))
    folds.update(zip(_codes(table.MULTI_RUNS), table.MULTI.split("\n"), strict=True))
    folds.update(dict.fromkeys(_codes(table.DROPPED_RUNS), ""))
    folds.update(dict.fromkeys((*CONTROLS, *_OTHERS), ""))
    return folds
