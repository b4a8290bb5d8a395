"""Long runs of the characters of tokens, which ordinary prose has few of: most rules for secrets need one."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from inkgate.lean import Any

__all__ = ["CHARS", "SHORTEST", "Runs", "longest_run"]

SHORTEST = 16
"""Characters; shorter runs are not told apart from words."""

CHARS = "A-Za-z0-9_+/=-"
"""What a run is made of, as the inside of a character class."""

_INSIDE = re.compile(f"[{CHARS}]")
_RUN = b"x" * SHORTEST
_END = b" "
_SHADOW = bytes(_RUN[0] if _INSIDE.match(chr(code)) else _END[0] for code in range(256))


class Runs:
    """The runs of one text.

    Args:
        text: the text.

    Attributes:
        longest: characters of the longest run; 0 when there is none.
    """

    __slots__ = ("_ends", "_starts", "longest")

    def __init__(self, text: str) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        self.longest = 0
        # `bytes.find` passes over what is no run ten times as fast as an expression does.
        shadow = text.encode("ascii", "replace").translate(_SHADOW)
        start = shadow.find(_RUN)
        while start >= 0:
            end = shadow.find(_END, start)
            end = len(shadow) if end < 0 else end
            self._starts.append(start)
            self._ends.append(end)
            self.longest = max(self.longest, end - start)
            start = shadow.find(_RUN, end)

    def within(self, length: int, start: int, end: int) -> bool:
        """Whether at least `length` characters of one run lie between two offsets."""
        starts, ends = self._starts, self._ends
        for number in range(bisect_left(ends, start + length), len(ends)):
            if starts[number] > end - length:
                return False
            if min(ends[number], end) - max(starts[number], start) >= length:
                return True
        return False

    def around(self, length: int, width: int) -> Iterator[tuple[int, int]]:
        """The stretches, apart and in order, that lie within `width` characters of runs that are long enough.

        The last one may end behind the text.
        """
        first = last = 0
        for start, end in zip(self._starts, self._ends, strict=True):
            if end - start < length:
                continue
            if start - width > last:
                if last:
                    yield first, last
                first = start - width
            last = end + width
        if last:
            yield first, last


def longest_run(nodes: Iterable[Any]) -> int:
    """Characters of the longest run that every match of a concatenation holds; 0 when it is shorter than SHORTEST.

    Args:
        nodes: of the standard library's syntax tree of a pattern.
    """
    longest, _ = _runs(nodes)
    return longest if longest >= SHORTEST else 0


def _runs(nodes: Iterable[Any]) -> tuple[int, int | None]:
    """The longest run in every match, and its whole length at least; None when it may hold other characters."""
    longest = current = whole = 0
    pure = True
    for node in nodes:
        inner, total = _node_runs(node)
        if total is None:
            longest, current, pure = max(longest, inner), 0, False
        else:
            current += total
            whole += total
            longest = max(longest, current)
    return longest, (whole if pure else None)


def _node_runs(node: Any) -> tuple[int, int | None]:
    name, argument = str(node[0]), node[1]
    if name in ("AT", "ASSERT", "ASSERT_NOT"):
        return 0, 0
    if name == "LITERAL":
        return (1, 1) if _INSIDE.match(chr(argument)) else (0, None)
    if name == "IN":
        return (1, 1) if all(map(_inside, argument)) else (0, None)
    if name == "SUBPATTERN":
        return _runs(argument[3])
    if name == "ATOMIC_GROUP":
        return _runs(argument)
    if name == "BRANCH":
        found = [_runs(alternative) for alternative in argument[1]]
        totals = [total for _, total in found if total is not None]
        return min(longest for longest, _ in found), (min(totals) if len(totals) == len(found) else None)
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least = int(argument[0])
        longest, total = _runs(argument[2])
        if total is not None:
            return least * total, least * total
        return (longest if least else 0), None
    return 0, None


def _inside(item: Sequence[Any]) -> bool:
    """Whether an item of a character class gives characters of runs only."""
    name, argument = str(item[0]), item[1]
    if name == "LITERAL":
        return _INSIDE.match(chr(argument)) is not None
    if name == "RANGE":
        low, high = argument
        return high < 128 and all(_INSIDE.match(chr(code)) for code in range(low, high + 1))
    return name == "CATEGORY" and str(argument) == "CATEGORY_DIGIT"
