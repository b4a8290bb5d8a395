"""Reading files without surprises: regular ones only, and what there is to know about one before it is replaced."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from inkgate.lean import NamedTuple

from .errors import UnreadableError

__all__ = ["ANYBODY", "NOFOLLOW", "NONBLOCK", "PLAIN", "Seen", "look", "read_bytes", "read_dated", "resolved"]

NOFOLLOW = getattr(os, "O_NOFOLLOW", 0)
NONBLOCK = getattr(os, "O_NONBLOCK", 0)
PLAIN = getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
ANYBODY = 0o222  # the bits of a mode that let somebody write


def read_bytes(path: Path) -> bytes | None:
    """All bytes of a regular file (a link to one is followed), or None when there is no file.

    Raises:
        UnreadableError: it exists but is not a regular file, or the system refuses to read it.
    """
    found = read_dated(path)
    return None if found is None else found[0]


def read_dated(path: Path) -> tuple[bytes, int] | None:
    """As `read_bytes`, with the time of its last change before it was read, in nanoseconds.

    Raises:
        UnreadableError: it exists but is not a regular file, or the system refuses to read it.
    """
    found = look(path)
    return None if found is None else (found.data, found.modified)


class Seen(NamedTuple):
    """A file as it was read.

    Attributes:
        data: all of its bytes.
        modified: time of its last change before it was read, in nanoseconds.
        place: where the file itself lies, when `path` was a link to it.
        writable: whether its mode lets anybody write.
    """

    data: bytes
    modified: int
    place: str
    writable: bool


def look(path: Path) -> Seen | None:
    """All there is to know about a regular file before it is replaced; None when there is no file.

    Raises:
        UnreadableError: it exists but is not a regular file, or the system refuses to read it.
    """
    try:
        descriptor, place = _open_seen(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableError(f"{path.name} exists but could not be read: {error.strerror}.") from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableError(f"{path.name} exists but could not be read: it is not a regular file.")
        data = _read_all(descriptor, status.st_size)
        return Seen(data, status.st_mtime_ns, place, bool(status.st_mode & ANYBODY))
    except OSError as error:
        raise UnreadableError(f"{path.name} exists but could not be read: {error.strerror}.") from error
    finally:
        os.close(descriptor)


def _open_seen(path: Path) -> tuple[int, str]:
    """Open a file to read it, and say where it lies; the system tells a link from a file in the same call."""
    place = os.fspath(path) if NOFOLLOW else resolved(path)
    try:
        return os.open(place, os.O_RDONLY | NONBLOCK | NOFOLLOW | PLAIN), place
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.EMLINK):
            raise
    place = os.path.realpath(path)
    return os.open(place, os.O_RDONLY | NONBLOCK | PLAIN), place


def _read_all(descriptor: int, expected: int) -> bytes:
    """Everything up to the end of the file, which may have grown since its size was asked for."""
    piece = os.read(descriptor, expected + 1)
    if len(piece) == expected:
        return piece  # one byte more was asked for: this is the end
    pieces = []
    while piece:
        pieces.append(piece)
        piece = os.read(descriptor, expected + 1)
    return b"".join(pieces)


def resolved(path: Path) -> str:
    """Where the file itself lies. Only a link is followed: to resolve every folder takes longer than to write."""
    return os.path.realpath(path) if os.path.islink(path) else os.fspath(path)
