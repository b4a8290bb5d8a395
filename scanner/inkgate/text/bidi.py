"""Directional controls: whether they order right-to-left text, or disguise what is written (UAX #9, Trojan Source).

Text is judged in windows of `REACH` characters. What counts as the paragraph of a control is the part of it in this
window and the two beside it, so a paragraph of any length needs bounded memory and time.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache

from inkgate.model import Severity
from inkgate.text._ucd_table import STRONG_RTL
from inkgate.text.concealment import Hidden, Report
from inkgate.text.lazy import lazy

__all__ = ["REACH", "BidiWindow"]

REACH = 4096
"""Characters of a window."""

_BREAKS = "\n\r\x1c\x1d\x1e\x85\u2029"  # Bidi_Class B
_BREAK = lazy(f"[{_BREAKS}]")
_CONTROL = lazy("[\u061c\u200e\u200f]+|[\u202a-\u202e\u2066-\u2069]")
_LATIN = lazy("[A-Za-z\u00c0-\u024f]")
_WORD = lazy(r"[^\W_]")
_DELIMITER = lazy(r"[\"'`]|/\*|\*/|//|#|--|<!")  # where a string or comment could start or end
_OVERRIDES = "\u202d\u202e"
_EMBEDDINGS = "\u202a\u202b"
_ISOLATES = "\u2066\u2067\u2068"
_POP_EMBEDDING = "\u202c"
_POP_ISOLATE = "\u2069"
_POPS = _POP_EMBEDDING + _POP_ISOLATE
_MARKS = "\u061c\u200e\u200f"


@cache
def _rtl() -> re.Pattern[str]:
    """A strong right-to-left character that is not a directional mark."""
    return re.compile(f"[{STRONG_RTL}]")


class BidiWindow:
    """Judges the controls of text[start:stop]; the text around it, as far as it is given, is their context.

    Args:
        text: the window and up to `REACH` characters on each side of it.
        start, stop: the window inside `text`.
        base: offset of `text` in the whole input; findings are reported with offsets of the input.
        code: whether the text is source code, where a control may only order text inside one string or comment.
        report: called for each finding, in the order of their offsets.
    """

    def __init__(self, text: str, start: int, stop: int, *, base: int, code: bool, report: Report) -> None:
        self._text, self._start, self._stop = text, start, stop
        self._base, self._code, self._report = base, code, report
        self._found: list[Hidden] = []
        self._range = start, stop  # the paragraph that is judged, as far as it is given
        self._places: dict[re.Pattern[str], list[int]] = {}  # where patterns match in it

    def judge(self) -> None:
        """Report every finding of the window."""
        at, text = self._start, self._text
        while control := _CONTROL.search(text, at, self._stop):
            low = max(at, 1 + max(text.rfind(char, at, control.start()) for char in _BREAKS))
            end = _BREAK.search(text, control.end(), self._stop)
            at = end.start() if end else self._stop
            self._paragraph(low, at)
        for found in sorted(self._found, key=lambda item: (item.start, item.end)):
            self._report(found)

    def _paragraph(self, low: int, high: int) -> None:
        """Judge the controls of text[low:high], a paragraph or the part of one that lies in the window."""
        text = self._text
        first, last = self._context(low, high)
        self._places = {}
        self._range = first, last
        rtl = _rtl().search(text, first, last) is not None
        inside = range(low, high)
        opened: list[int] = []
        isolates = 0
        for match in _CONTROL.finditer(text, first, last):
            at, char = match.start(), match.group()
            if char[0] in _MARKS:
                if not rtl:
                    self._mark(max(at, low), min(match.end(), high))
            elif char not in _POPS:
                opened.append(at)
                isolates += char in _ISOLATES
            elif char == _POP_EMBEDDING and opened and text[opened[-1]] not in _ISOLATES:
                self._closed(opened.pop(), at, inside, rtl)
            elif char == _POP_ISOLATE and isolates:
                while text[opened[-1]] not in _ISOLATES:  # UAX #9, X6a: the isolate's end closes what it contains
                    self._closed(opened.pop(), at, inside, rtl)
                self._closed(opened.pop(), at, inside, rtl)
                isolates -= 1
            elif self._code and at in inside:
                self._in_code(at, at + 1)
        for at in opened:
            if at in inside:
                self._unclosed(at, last, rtl)

    def _context(self, low: int, high: int) -> tuple[int, int]:
        """The part of the paragraph of text[low:high] that is given."""
        first, last = low, high
        if low == self._start:
            first = 1 + max(self._text.rfind(char, 0, low) for char in _BREAKS)
        if high == self._stop:
            stop = _BREAK.search(self._text, high)
            last = stop.start() if stop else len(self._text)
        return first, last

    def _holds(self, pattern: re.Pattern[str], start: int, end: int) -> bool:
        """Whether text[start:end] has a match; the places in the paragraph are found once, so nesting costs nothing."""
        if pattern not in self._places:
            self._places[pattern] = [match.start() for match in pattern.finditer(self._text, *self._range)]
        places = self._places[pattern]
        at = bisect_left(places, start)
        return at < len(places) and places[at] < end

    def _closed(self, at: int, end: int, inside: range, rtl: bool) -> None:
        """Judge a control whose end is known; one outside the window is left to its own window."""
        if at not in inside:
            return
        char = self._text[at]
        if self._code:
            if char in _OVERRIDES or not rtl or self._holds(_DELIMITER, at, end):
                self._in_code(at, end + 1)
        elif char in _OVERRIDES:
            if not rtl or self._holds(_LATIN, at, end):
                self._override(at, end, end + 1, Severity.MEDIUM)
        elif char in "\u202b\u2067" and not rtl:
            message = "Right-to-left embedding or isolate in a paragraph that has no right-to-left text"
            self._add("bidi-control-without-rtl", Severity.LOW, at, end + 1, message)

    def _unclosed(self, at: int, last: int, rtl: bool) -> None:
        """Judge a control that stays open to the end of its paragraph."""
        char = self._text[at]
        if self._code:
            self._in_code(at, at + 1)
        elif char in _OVERRIDES:
            severity = Severity.MEDIUM if not rtl or self._holds(_LATIN, at, last) else Severity.LOW
            self._override(at, last, last, severity)
        elif char in _EMBEDDINGS:
            if not rtl:
                message = "Directional embedding without end in a paragraph that has no right-to-left text"
                self._add("bidi-embedding-unclosed", Severity.LOW, at, at + 1, message)
        else:
            message = "Directional isolate that is never closed in its paragraph"
            self._add("bidi-isolate-unclosed", Severity.LOW if rtl else Severity.MEDIUM, at, at + 1, message)

    def _override(self, at: int, end: int, stop: int, severity: Severity) -> None:
        """Report an override of text[at:end]; one that covers no letter or digit changes nothing that is read."""
        if not self._holds(_WORD, at, end):
            severity = Severity.LOW
        message = "Directional override: the text is shown in another order than it is read"
        self._add("bidi-override", severity, at, stop, message)

    def _mark(self, start: int, end: int) -> None:
        """Report directional marks that have nothing to order, if any of them is in the window."""
        if start >= end:
            return
        message = "Directional mark in a paragraph that has no right-to-left text"
        self._add("bidi-mark-without-rtl", Severity.LOW, start, end, message)

    def _in_code(self, start: int, end: int) -> None:
        """Report a control that makes code read otherwise than it runs."""
        message = "Directional control in source code: it can be shown in another order than it is executed"
        self._add("bidi-in-code", Severity.HIGH, start, end, message)

    def _add(self, rule: str, severity: Severity, start: int, end: int, message: str) -> None:
        self._found.append(Hidden(rule, severity, self._base + start, self._base + end, message))
