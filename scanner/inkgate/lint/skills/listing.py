"""Everything that lies in a skill's folder, without following links and without heeding any ignore file."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path

from inkgate.text.sniff import HEAD

__all__ = ["MOST", "Entry", "Listing", "list_folder"]

MOST = 5_000
"""Entries of one folder that are looked at."""


@dataclass(frozen=True, slots=True)
class Entry:
    """Something in the folder.

    Attributes:
        path: relative to the folder, with slashes.
        mode: its mode, of the link itself for a link.
        size: bytes.
        head: its first bytes; empty for what is no file or cannot be read.
        outside: whether it is a link that leads out of the folder.
    """

    path: str
    mode: int
    size: int
    head: bytes = b""
    outside: bool = False

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rpartition("/")[2]

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file."""
        return stat.S_ISREG(self.mode)


@dataclass(frozen=True, slots=True)
class Listing:
    """The entries of a folder, sorted by path, and whether there are more than were looked at."""

    root: Path
    entries: tuple[Entry, ...]
    truncated: bool = False


def list_folder(root: Path) -> Listing:
    """What lies in a folder; what git keeps for itself is left out.

    Raises:
        OSError: the folder itself cannot be read.
    """
    real = Path(os.path.realpath(root))
    entries: list[Entry] = []
    stack = [""]
    first = True
    while stack:
        inner = stack.pop()
        try:
            with os.scandir(real / inner if inner else real) as listing:
                found = sorted(listing, key=lambda entry: entry.name)
        except OSError:
            if first:
                raise
            continue  # the walk reports it
        first = False
        for item in found:
            if len(entries) >= MOST:
                return Listing(root, tuple(sorted(entries, key=lambda entry: entry.path)), truncated=True)
            path = f"{inner}/{item.name}" if inner else item.name
            entry = _entry(item, path, real)
            if entry is None or (item.name == ".git" and not inner):
                continue
            entries.append(entry)
            if stat.S_ISDIR(entry.mode):
                stack.append(path)
    return Listing(root, tuple(sorted(entries, key=lambda entry: entry.path)))


def _entry(item: os.DirEntry[str], path: str, real: Path) -> Entry | None:
    try:
        status = item.stat(follow_symlinks=False)
    except OSError:
        return None  # the walk reports it
    if stat.S_ISLNK(status.st_mode):
        return Entry(path, status.st_mode, 0, outside=not Path(os.path.realpath(item.path)).is_relative_to(real))
    head = _head(item.path) if stat.S_ISREG(status.st_mode) else b""
    return Entry(path, status.st_mode, status.st_size, head)


def _head(path: str) -> bytes:
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        handle = os.open(path, flags)
        try:
            return os.read(handle, HEAD)
        finally:
            os.close(handle)
    except OSError:
        return b""  # the scan of the file reports it
