"""Replaced files, kept for a moment: a writer that does not know our lock may still hold one open and append to it.

Each is a hard link beside its successor whose name tells the size and the modification time that it had when it was
read. One that is not so any more was written to after that, and its new text is brought over. The rest is removed after
a few seconds, or by the next open.
"""

from __future__ import annotations

import contextlib
import os
import stat
import time
from pathlib import Path

__all__ = ["GRACE", "Generations"]

GRACE = 2.0  # seconds that an untouched one is kept
MOST = 16  # untouched ones


class Generations:
    """The replaced files of one target. The caller holds the target's lock."""

    def __init__(self, path: Path) -> None:
        self._target = Path(os.path.realpath(path))
        self._prefix = f".{self._target.name}.inkgate.old."

    def keep(self, size: int, modified: int) -> None:
        """Keep the file that is about to be replaced, as it was when it was read; where links exist."""
        name = f"{self._prefix}{time.time_ns()}.{size}.{modified}"
        with contextlib.suppress(OSError, NotImplementedError):
            os.link(self._target, self._target.with_name(name))

    def strays(self) -> list[Path]:
        """Those that were written to after they had been read, oldest first. Old untouched ones are removed."""
        touched, untouched = [], []
        now = time.time_ns()
        for path in self._all():
            when, size, modified = self._told(path)
            try:
                status = path.stat(follow_symlinks=False)
            except FileNotFoundError:
                continue
            if not stat.S_ISREG(status.st_mode):
                continue
            if (status.st_size, status.st_mtime_ns) != (size, modified):
                touched.append(path)
            elif now - when > GRACE * 1e9:
                self.forget(path)
            else:
                untouched.append(path)
        for path in untouched[:-MOST]:
            self.forget(path)
        return touched

    @staticmethod
    def forget(path: Path) -> None:
        """Remove one whose text is safe elsewhere."""
        with contextlib.suppress(OSError):
            path.unlink()

    def holding(self, text: bytes) -> list[Path]:
        """Those that hold these bytes."""
        return [path for path in self._all() if text in path.read_bytes()]

    def any(self) -> bool:
        """Whether there are any."""
        return bool(self._all())

    def _all(self) -> list[Path]:
        try:
            names = [entry.name for entry in os.scandir(self._target.parent) if entry.name.startswith(self._prefix)]
        except OSError:
            return []
        return [
            self._target.with_name(name) for name in sorted(names) if name.count(".") == self._prefix.count(".") + 2
        ]

    def _told(self, path: Path) -> tuple[int, int, int]:
        words = path.name.removeprefix(self._prefix).split(".")
        try:
            when, size, modified = map(int, words)
        except ValueError:
            return 0, -1, -1
        return when, size, modified
