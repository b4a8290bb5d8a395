"""Colour, progress and writing to the streams."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Mapping

from inkgate.lean import TYPE_CHECKING
from inkgate.text.escape import escape

if TYPE_CHECKING:
    from typing import TextIO

__all__ = ["Progress", "say", "use_color", "write"]

PATIENCE = 2.0
"""Seconds of work after which progress is shown."""

_EVERY = 0.2


def use_color(choice: str, stream: TextIO, environment: Mapping[str, str] = os.environ) -> bool:
    """Whether a stream gets colours: `--color`, NO_COLOR, FORCE_COLOR (both if not empty), a terminal; first wins."""
    if choice != "auto":
        return choice == "always"
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR"):
        return True
    return stream.isatty() and environment.get("TERM") != "dumb"


def write(text: str) -> None:
    """Write a report to standard output; what its encoding lacks is written as an escape."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))


def say(text: str) -> None:
    """One line on the error stream."""
    print(escape(text, 2000), file=sys.stderr)


class Progress:
    """A line on the error stream that says how far a long run is; for a person at a terminal, and only then.

    Args:
        total: number of steps.
        quiet: never show anything.
    """

    def __init__(self, total: int, *, quiet: bool = False, environment: Mapping[str, str] = os.environ) -> None:
        # Under pre-commit both streams can be terminals that nobody watches.
        unwatched = any(environment.get(name) for name in ("PRE_COMMIT", "CI", "NO_COLOR"))
        self._on = not quiet and not unwatched and sys.stderr.isatty() and environment.get("TERM") != "dumb"
        self._total = total
        self._done = 0
        self._next = time.monotonic() + PATIENCE
        self._shown = False

    def step(self, path: str) -> None:
        """One more is done."""
        self._done += 1
        if not self._on or (now := time.monotonic()) < self._next:
            return
        self._next = now + _EVERY
        self._shown = True
        sys.stderr.write(f"\r\x1b[K{self._done} of {self._total}  {escape(path, 60)}")
        sys.stderr.flush()

    def close(self) -> None:
        """Take the line away."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
            self._shown = False
