"""Replaced files, kept for a moment: somebody may still have one open and write to it.

An editor that saves in place, or a shell that appends, knows no lock. What it writes into a file that was replaced
meanwhile would be lost with the file. So each is kept as a hard link whose name tells the size and the modification
time that the file had when it was read; one that is not so any more was written to after that.
"""

from __future__ import annotations

import contextlib
import os
import re
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from . import files
from .edit import digest

__all__ = ["GRACE", "Late"]

GRACE = 2.0  # seconds that an untouched one is kept

_TOLD = re.compile(r"(\d{1,20})\.(\d{1,20})\.(\d{1,20})\.([0-9a-f]{16})")  # kept when, size, modified when, digest


class Late:
    """The replaced files of one folder. The caller holds the folder's lock.

    Args:
        folder: where they are kept, each under the name that it had; on the same file system.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def keep(self, name: str, path: Path, data: bytes, modified: int) -> None:
        """Keep a file that is about to be replaced, if there is one, as it was when it was read; where links exist.

        Args:
            name: of the file.
            path: where it is.
            data: what was read.
            modified: when it had last been changed then, in nanoseconds.
        """
        if not path.is_file():
            return
        place = self._folder.joinpath(*name.split("/"))
        with contextlib.suppress(OSError, NotImplementedError):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.link(os.path.realpath(path), place / f"{time.time_ns()}.{len(data)}.{modified}.{digest(data)[:16]}")

    def written_to(self) -> Iterator[tuple[str, Path]]:
        """Name and link of each that somebody has written to since it was read; old untouched ones are removed."""
        if not self._folder.is_dir():
            return
        now = time.time_ns()
        for folder, inner, names in os.walk(self._folder, topdown=False):
            for link in sorted(names):
                told = _TOLD.fullmatch(link)
                path = Path(folder, link)
                if told is None:
                    continue
                if _changed(path, int(told[2]), int(told[3]), told[4]):
                    yield Path(folder).relative_to(self._folder).as_posix(), path
                elif now - int(told[1]) > GRACE * 1e9:
                    path.unlink(missing_ok=True)
            del inner
            if Path(folder) != self._folder:
                with contextlib.suppress(OSError):  # it is not empty
                    Path(folder).rmdir()


def _changed(path: Path, size: int, modified: int, known: str) -> bool:
    try:
        status = path.lstat()
    except OSError:
        return False
    if not stat.S_ISREG(status.st_mode) or (status.st_size, status.st_mtime_ns) == (size, modified):
        return False
    return digest(files.read_bytes(path))[:16] != known
