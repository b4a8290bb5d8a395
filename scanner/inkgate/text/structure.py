"""Where a position stands in a Markdown text: inside a fence, under which headings. Fed block by block."""

from __future__ import annotations

import re
from bisect import bisect_right

from inkgate.lean import NamedTuple
from inkgate.text.lazy import lazy

__all__ = ["Structure", "Surroundings"]

_EVENT = lazy(r"(?:`{3,}|~{3,})[^\n`]{0,80}|#{1,6}[ \t][^\n]{0,160}")
_NEEDLES = ("```", "~~~", "# ", "#\t")
"""What every mark holds; `str.find` gets to the next one far sooner than the expression."""
_LEAD = " \t>"
_LINE = 300
_INDENT = 100


class Surroundings(NamedTuple):
    """What encloses a position.

    Attributes:
        fence: info string of the enclosing fenced block; None outside of one.
        headings: texts of the enclosing headings, outermost first.
    """

    fence: str | None = None
    headings: tuple[str, ...] = ()


_NOWHERE = Surroundings()


class Structure:
    """Fences and headings of a growing text; remembers only what positions from `trim` on need.

    Positions are characters of the text. A fence closes at a line of the same marks, at least as long, without an
    info string (CommonMark 4.5); headings inside a fence do not count.
    """

    __slots__ = ("_base", "_carry", "_events", "_fence", "_headings", "_positions", "_seen", "_skip")

    def __init__(self) -> None:
        self._seen = 0
        self._carry = ""  # the unfinished last line, at most _LINE characters
        self._skip = False  # inside a line that is longer than that: its marks are read already
        self._base = 0
        self._fence: tuple[str, str] | None = None
        self._headings: tuple[tuple[int, str], ...] = ()
        self._positions = [0]
        self._events = [_NOWHERE]

    def feed(self, block: str, *, final: bool = False) -> None:
        """Read the next block."""
        text, base = self._carry + block, self._base
        self._seen += len(block)
        if self._skip:
            start = text.find("\n") + 1
            if not start:
                self._base = self._seen
                return
            text, base = text[start:], base + start
        cut = text.rfind("\n") + 1
        self._skip = len(text) - cut > _LINE
        stop = len(text) if final or self._skip else cut
        if "#" in text or "```" in text or "~~~" in text:
            self._marks(text, base, stop)
        self._carry = text[stop:]
        self._base = base + stop

    def _marks(self, text: str, base: int, stop: int) -> None:
        line_end = -1
        nexts = dict.fromkeys(_NEEDLES, -1)  # where each needle stands next; those that never do are left out
        while nexts:
            for needle, at in list(nexts.items()):
                if at <= line_end:
                    nexts[needle] = text.find(needle, line_end + 1, stop)
                    if nexts[needle] < 0:
                        del nexts[needle]
            if not nexts:
                return
            at = min(nexts.values())
            begin = text.rfind("\n", 0, at) + 1
            mark = _EVENT.search(text, max(begin, at - 6), stop)
            assert mark is not None, "a needle is the least that the expression asks for"
            self._place(text, base, begin, mark)
            line_end = text.find("\n", mark.end())
            if line_end < 0:
                return

    def _place(self, text: str, base: int, begin: int, mark: re.Match[str]) -> None:
        """Take a mark, the first of its line, if nothing but its indentation stands before it."""
        if mark.start() - begin <= _INDENT and not text[begin : mark.start()].strip(_LEAD):
            self._mark(mark[0], base + mark.start())

    def _mark(self, mark: str, position: int) -> None:
        if mark[0] == "#":
            if self._fence is not None:
                return
            level = len(mark) - len(mark.lstrip("#"))
            title = mark[level:].strip(" \t#")[:120]
            self._headings = (*(item for item in self._headings if item[0] < level), (level, title))
        elif self._fence is None:
            run = mark[: len(mark) - len(mark.lstrip(mark[0]))]
            self._fence = (run, mark[len(run) :].strip())
        else:
            run = self._fence[0]
            if not mark.startswith(run) or mark.strip(run[0]).strip():
                return
            self._fence = None
        self._positions.append(position)
        self._events.append(
            Surroundings(None if self._fence is None else self._fence[1], tuple(item[1] for item in self._headings))
        )

    def at(self, position: int) -> Surroundings:
        """What encloses the character at `position`."""
        return self._events[max(0, bisect_right(self._positions, position) - 1)]

    def trim(self, keep: int) -> None:
        """Forget what positions before `keep` need."""
        first = max(0, bisect_right(self._positions, keep) - 1)
        if first:
            del self._positions[:first], self._events[:first]
