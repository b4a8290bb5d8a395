"""Unicode 17 properties of single characters, for the checks of hidden text.

The packed table is read once, on the first look-up; answers are remembered in a bounded cache.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from functools import cache

from inkgate.text import _ucd_table as table

__all__ = ["PROPERTIES", "is_listed_variation", "regions", "subdivisions"]

_CACHE_LIMIT = 20_000


@cache
def _runs() -> tuple[array[int], array[int]]:
    """First code point of every run of equal properties, and the mask of that run."""
    masks = [int(item, 16) for item in table.MASKS.split()]
    starts, values = array("I"), array("I")
    point = 0
    for item in table.RUNS.split():
        length, _, index = item.partition(".")
        starts.append(point)
        values.append(masks[int(index, 16)])
        point += int(length, 16)
    return starts, values


class _Properties(dict[str, int]):
    """Mask of a character; the empty string (no neighbour) has no property."""

    def __missing__(self, char: str) -> int:
        if not char:
            return 0
        starts, values = _runs()
        if len(self) >= _CACHE_LIMIT:
            self.clear()
        mask = self[char] = values[bisect_right(starts, ord(char)) - 1]
        return mask


PROPERTIES: dict[str, int] = _Properties()
"""Bit mask of a character's properties; the bits are named in `_ucd_table`."""


@cache
def _variations() -> dict[int, tuple[array[int], array[int]]]:
    """For each selector the first and last bases of its ranges."""
    found: dict[int, tuple[array[int], array[int]]] = {}
    firsts, lasts = array("I"), array("I")
    for item in table.VARIATIONS.split():
        if item.endswith(":"):
            firsts, lasts = found[int(item[:-1], 16)] = array("I"), array("I")
            continue
        first, _, more = item.partition("+")
        firsts.append(int(first, 16))
        lasts.append(firsts[-1] + int(more or "0", 16))
    return found


def is_listed_variation(base: str, selector: str) -> bool:
    """Whether Unicode lists this base with this selector (StandardizedVariants, emoji-variation-sequences)."""
    firsts, lasts = _variations().get(ord(selector), (array("I"), array("I")))
    at = bisect_right(firsts, ord(base)) - 1 if base else -1
    return at >= 0 and ord(base) <= lasts[at]


@cache
def regions() -> frozenset[str]:
    """Lower-case ISO 3166-1 codes (and the few others) that have a flag emoji."""
    return frozenset(table.REGIONS.split())


@cache
def subdivisions() -> frozenset[str]:
    """CLDR subdivision ids whose flag tag sequence is recommended for general interchange (UTS #51, ED-14a)."""
    return frozenset(table.SUBDIVISIONS.split())
