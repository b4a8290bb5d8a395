"""Replaced files, kept for a moment: a writer that does not know our lock may still hold one open and append to it.

Each is a hard link whose name tells the size and the modification time that it had when it was
read. One that is not so any more was written to after that, and its new text is brought over. The rest is removed after
a few seconds, or by the next open.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import time
from pathlib import Path

__all__ = ["GRACE", "Generations"]

GRACE = 2.0  # seconds that an untouched one is kept
MOST = 8  # untouched ones
_DAY = 86_400 * 10**9  # nanoseconds; one from so far ahead was kept under a clock that was wrong

_TOLD = re.compile(r"[0-9]{1,20}\.[0-9]{1,20}\.[0-9]{1,20}")  # when it was kept, its size, its modification time


class Generations:
    """The replaced files of one target. The caller holds the target's lock.

    Args:
        path: the target.
        place: where the file itself lies, which is elsewhere when the target is a link.
        folder: where they are kept, on the same device; those of a target that is a link are kept beside what it names.
    """

    def __init__(self, path: Path, place: str, folder: Path) -> None:
        self._target = place
        beside, name = os.path.split(place)
        own = place == os.fspath(path)
        self._folder = os.fspath(folder) if own else beside
        self._prefix = f"{name}." if own and self._folder != beside else f".{name}.inkgate.old."
        self._kept: tuple[str, int, int] | None = None
        self._at = place, folder

    def lie_at(self, place: str, folder: Path) -> bool:
        """Whether they are those of a file that lies at `place`, kept in `folder`."""
        return self._at == (place, folder)

    def keep(self, size: int, modified: int) -> None:
        """Keep the file that is about to be replaced, as it was when it was read; where links exist."""
        path = f"{self._folder}{os.sep}{self._prefix}{time.time_ns()}.{size}.{modified}"
        with contextlib.suppress(OSError, NotImplementedError):
            try:
                os.link(self._target, path)
            except FileNotFoundError:  # no file yet, or no folder yet
                os.mkdir(self._folder, 0o700)
                os.link(self._target, path)
            self._kept = (path, size, modified)

    def late(self) -> bool:
        """Whether the one that was kept last has been written to already."""
        return self._kept is not None and _touched(*self._kept)

    def strays(self) -> list[Path]:
        """Those that were written to after they had been read, oldest first. Old untouched ones are removed."""
        touched, untouched = [], []
        now = time.time_ns()
        old = now - int(GRACE * 1e9)
        for name in self._names():
            path = f"{self._folder}{os.sep}{name}"
            _, when, size, modified = name.rsplit(".", 3)
            if _touched(path, int(size), int(modified)):
                touched.append(Path(path))
            else:
                untouched.append((int(when), path))
        most = len(untouched) - MOST
        for place, (kept, path) in enumerate(untouched):
            if place < most or not old <= kept <= now + _DAY:
                self.forget(path)
        return touched

    def watch(self, path: Path, size: int, modified: int) -> None:
        """Keep one whose text is safe elsewhere, as it was when it was read: its writer may not have finished."""
        with contextlib.suppress(OSError):
            os.rename(path, f"{self._folder}{os.sep}{self._prefix}{time.time_ns()}.{size}.{modified}")

    @staticmethod
    def forget(path: str | Path) -> None:
        """Remove one that nobody has written to."""
        with contextlib.suppress(OSError):
            os.unlink(path)

    @property
    def folder(self) -> Path:
        """Where they are kept."""
        return Path(self._folder)

    def paths(self) -> list[Path]:
        """All of them, oldest first."""
        return [Path(self._folder, name) for name in self._names()]

    def any(self) -> bool:
        """Whether there are any."""
        return bool(self._names())

    def _names(self) -> list[str]:
        try:
            found = os.listdir(self._folder)
        except OSError:
            return []
        prefix, start = self._prefix, len(self._prefix)
        return sorted([name for name in found if name.startswith(prefix) and _TOLD.fullmatch(name, start)])


def _touched(path: str, size: int, modified: int) -> bool:
    """Whether a kept file is not as it was when it was read; what is no regular file is none of ours."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISREG(status.st_mode) and (status.st_size, status.st_mtime_ns) != (size, modified)
