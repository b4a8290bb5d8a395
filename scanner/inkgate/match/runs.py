"""Long runs of the characters of tokens, which ordinary prose has few of: most rules for secrets need one."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from inkgate.lean import Any

__all__ = ["CHARS", "SHORTEST", "Runs", "longest_run"]

SHORTEST = 16
"""Characters; shorter runs are not told apart from words."""

CHARS = r"\w+/=-"
"""What a run is made of, as the inside of a character class."""

_RUN = re.compile(f"(?<![{CHARS}])[{CHARS}]{{{SHORTEST},}}")
_ASCII = "".join(chr(code) if re.match(f"[{CHARS}]", chr(code)) else " " for code in range(128))


class Runs:
    """The runs of one text, looked for when the first rule asks.

    Args:
        text: the text.
    """

    __slots__ = ("_ends", "_longest", "_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._longest = -1
        self._starts: list[int] = []
        self._ends: list[int] = []

    def any(self, length: int) -> bool:
        """Whether there is a run of so many characters at all."""
        if self._longest < 0:
            self._measure()
        return self._longest >= length

    def within(self, length: int, start: int, end: int) -> bool:
        """Whether at least `length` characters of one run lie between two offsets."""
        if self._longest < 0:
            self._measure()
        starts, ends = self._starts, self._ends
        for number in range(bisect_left(ends, start + length), len(ends)):
            if starts[number] > end - length:
                return False
            if min(ends[number], end) - max(starts[number], start) >= length:
                return True
        return False

    def _measure(self) -> None:
        self._longest = 0
        for start, end in _found(self._text):
            self._starts.append(start)
            self._ends.append(end)
            self._longest = max(self._longest, end - start)


def _found(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each run, in order."""
    if not text.isascii():
        yield from (found.span() for found in _RUN.finditer(text))
        return
    end = 0
    for run in text.translate(_ASCII).split():  # several times as fast as the expression
        if len(run) >= SHORTEST:
            # Whatever holds these characters is a run of its own, so the next place that holds them is the one.
            start = text.index(run, end)
            end = start + len(run)
            yield start, end


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


_INSIDE = re.compile(f"[{CHARS}]")


def _inside(item: Sequence[Any]) -> bool:
    """Whether an item of a character class gives characters of runs only."""
    name, argument = str(item[0]), item[1]
    if name == "LITERAL":
        return _INSIDE.match(chr(argument)) is not None
    if name == "RANGE":
        low, high = argument
        return high < 128 and all(_INSIDE.match(chr(code)) for code in range(low, high + 1))
    return name == "CATEGORY" and str(argument) == "CATEGORY_DIGIT"
