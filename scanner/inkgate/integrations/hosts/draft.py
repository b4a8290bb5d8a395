"""A text while edits are applied to it, with a record of what is new.

The seams are kept as well: where something was deleted, the record holds an empty span, so that a phrase which only
comes together through the deletion can be told from one that stood there before.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from inkgate.model import Span

__all__ = ["Draft", "Splice", "find_lines"]

Splice = tuple[int, int, str]
"""Start and end of a range of the text in characters, and what takes its place."""

# What editing tools take for the same character when they look for the text to replace; one character each.
_ALIKE = str.maketrans("‘’‚‛“”„‟‐‑‒–—―−\u00a0\u2002\u2003\u2009\u202f\u3000", "''''\"\"\"\"-------" + " " * 6)


class Draft:
    """A text under edit.

    Attributes:
        text: the text as it stands now.
        fresh: spans of `text` that are new, sorted, without overlap; an empty span is a place where something was
            taken out.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self.fresh: tuple[Span, ...] = ()

    def append(self, text: str) -> None:
        """Put `text` at the end."""
        self.splice([(len(self.text), len(self.text), text)])

    def replace(self, old: str, new: str) -> bool:
        """Replace every occurrence of `old`; False when it cannot be found.

        Tools that want one occurrence refuse where there are more; judging all of them covers whichever they take.
        What editing tools forgive is forgiven here too: typographic quotes and dashes, CRLF, and blanks at the ends of
        whole lines.
        """
        if "\r\n" in self.text and "\r\n" not in old:
            old, new = old.replace("\n", "\r\n"), new.replace("\n", "\r\n")
        starts = _occurrences(self.text, old) or _occurrences(self.text.translate(_ALIKE), old.translate(_ALIKE))
        splices: list[Splice] = [(start, start + len(old), new) for start in starts]
        if not splices:
            lines = self.text.split("\n")
            wanted = old.strip("\n").split("\n")
            found = find_lines(lines, wanted)
            if found is None or not old.strip():
                return False
            start = sum(len(line) + 1 for line in lines[:found])
            end = start + len("\n".join(lines[found : found + len(wanted)]))
            splices = [(start, end, new)]
        self.splice(splices)
        return True

    def splice(self, splices: Sequence[Splice]) -> None:
        """Apply replacements that are sorted and do not overlap; positions are those of the text before."""
        pieces: list[str] = []
        spans: list[Span] = []
        starts: list[int] = []
        ends: list[int] = []
        cursor = shift = 0
        for start, end, new in splices:
            start, end, new = _trim(self.text, start, end, new)
            pieces += (self.text[cursor:start], new)
            spans.append(Span(start + shift, start + shift + len(new)))
            starts.append(start)
            ends.append(end)
            shift += len(new) - (end - start)
            cursor = end
        pieces.append(self.text[cursor:])

        def moved(position: int, *, right: bool) -> int:
            index = bisect_right(starts, position) - 1
            if index < 0:
                return position
            if position < ends[index]:
                return spans[index].end if right else spans[index].start
            return position - ends[index] + spans[index].end

        older = [Span(moved(span.start, right=False), moved(span.end, right=True)) for span in self.fresh]
        self.text = "".join(pieces)
        self.fresh = _merged([*older, *spans])


def find_lines(lines: Sequence[str], wanted: Sequence[str], start: int = 0) -> int | None:
    """Index of the first line at or after `start` where the lines of `wanted` stand, or None.

    Exact lines are looked for first, then without trailing blanks, then without blanks at either end, then with
    typographic quotes, dashes and blanks taken for plain ones.
    """
    for level in (str, str.rstrip, str.strip, lambda line: line.strip().translate(_ALIKE)):
        have = [level(line) for line in lines]
        want = [level(line) for line in wanted]
        for index in range(start, len(have) - len(want) + 1):
            if have[index] == want[0] and have[index : index + len(want)] == want:
                return index
    return None


def _merged(spans: list[Span]) -> tuple[Span, ...]:
    merged: list[Span] = []
    for span in sorted(spans, key=lambda each: (each.start, each.end)):
        if merged and span.start < merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        elif not merged or span != merged[-1]:
            merged.append(span)
    return tuple(merged)


def _occurrences(text: str, part: str) -> list[int]:
    starts: list[int] = []
    at = text.find(part) if part else -1
    while at >= 0:
        starts.append(at)
        at = text.find(part, at + len(part))
    return starts


def _trim(text: str, start: int, end: int, new: str) -> Splice:
    """Leave out what is the same at both ends of the old and the new text."""
    old = text[start:end]
    head = _common(old, new)
    room = min(len(old), len(new)) - head
    tail = min(room, _common(old[::-1], new[::-1]))
    return start + head, end - tail, new[head : len(new) - tail]


def _common(one: str, two: str) -> int:
    """Length of the longest common beginning, by halving: comparing slices is fast, comparing characters is not."""
    low, high = 0, min(len(one), len(two))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == two[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
