"""Long blank stretches with text behind them: a reader sees the end, a model reads on."""

from __future__ import annotations

from collections.abc import Iterator

from inkgate.model import Severity
from inkgate.text.concealment import Hidden, Report
from inkgate.text.lazy import lazy

__all__ = ["COLUMNS", "LINES", "Padding"]

COLUMNS = 200
"""Blanks in one line, in characters, before text counts as pushed off the screen."""
LINES = 80
"""Line ends in one blank stretch before text counts as pushed off the screen."""

_VAST = 5  # times as much is wider than any table and longer than any page

_BLANK = " \t\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_SPACE = _BLANK + "\n\r\x0b\x0c\x85\u2028\u2029"
_LEAST = min(COLUMNS, LINES)  # no shorter stretch can be reported
_STRIDE = 16  # every stretch that can be reported holds `_SAMPLES` samples in a row, taken this far apart
_SAMPLES = _LEAST // _STRIDE
_SAMPLED = lazy(f"[{_SPACE}]{{{_SAMPLES},}}")
_STRETCH = lazy(f"[{_SPACE}]{{{_LEAST},}}")
_ASCII_BLANKS = bytes(chr(point) in _SPACE for point in range(256))


def _regions(body: str) -> Iterator[tuple[int, int]]:
    """Ranges of the text that may hold a long stretch; every long stretch lies inside one."""
    samples = body[::_STRIDE]
    if samples.isascii() and b"\1" * _SAMPLES not in samples.encode("ascii").translate(_ASCII_BLANKS):
        return  # three times as fast as the expression below
    for region in _SAMPLED.finditer(samples):
        yield max(0, region.start() - 1) * _STRIDE, region.end() * _STRIDE


class Padding:
    """Finds blank stretches in blocks of one text.

    A stretch is followed through any number of blocks by its counts alone. A block without a long stretch costs one
    strip at each end and a look at every sixteenth character.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._start = -1  # offset of the stretch that reaches the end of what was fed, or -1
        self._feeds = 0  # its LF and line separators
        self._returns = 0  # its CR, which count where there is no LF
        self._columns = 0  # its blanks since the last line end

    def feed(self, block: str, base: int) -> None:
        """Read a block, whose first character has offset `base`; report each stretch that text follows.

        Stretches that end the text hide nothing and are never reported.
        """
        rest = block.lstrip(_SPACE)
        lead = len(block) - len(rest)
        if lead:
            if self._start < 0:
                self._open(base)
            self._extend(block[:lead])
        if not rest:
            return
        if self._start >= 0:
            self._close(base + lead, rest[0])
        body = rest.rstrip(_SPACE)
        for first, last in _regions(body):
            for match in _STRETCH.finditer(body, first, last):
                self._open(base + lead + match.start())
                self._extend(match.group())
                self._close(base + lead + match.end(), body[match.end()])
        if len(body) < len(rest):
            self._open(base + lead + len(body))
            self._extend(rest[len(body) :])

    def _open(self, start: int) -> None:
        """A stretch starts."""
        self._start, self._feeds, self._returns, self._columns = start, 0, 0, 0

    def _extend(self, blanks: str) -> None:
        """The stretch goes on."""
        self._feeds += sum(map(blanks.count, "\n\x85\u2028\u2029"))
        self._returns += blanks.count("\r")
        last = max(map(blanks.rfind, "\n\r\x85\u2028\u2029"))
        self._columns = len(blanks) - last - 1 + (self._columns if last < 0 else 0)

    def _close(self, end: int, char: str) -> None:
        """Text follows, and `char` is its first character. A column that `|` ends is the padding of a table."""
        if (self._columns >= COLUMNS and char != "|") or max(self._feeds, self._returns) >= LINES:
            message = "A long blank stretch pushes the text behind it off the screen"
            vast = self._columns >= _VAST * COLUMNS or max(self._feeds, self._returns) >= _VAST * LINES
            severity = Severity.MEDIUM if vast else Severity.LOW
            self._report(Hidden("off-screen-padding", severity, self._start, end, message))
        self._start = -1
