"""Files that survive: a lock with a time limit, replacing as a whole; reading is in `reading`.

Replacing writes a temporary file beside the target, syncs it, renames it over the target and syncs the directory, so
that a reader, or a machine that lost power, sees the old bytes or the new ones. The temporary name is fixed per target:
it is only used under the target's lock, so whatever lies there is a leftover of a killed writer and is removed.
"""

from __future__ import annotations

import contextlib
import enum
import errno
import os
import random
import stat
import time
from pathlib import Path

from inkgate.lean import TYPE_CHECKING

from .errors import LockTimeoutError, StoreError
from .reading import ANYBODY, NOFOLLOW, NONBLOCK, PLAIN, Seen, look, read_bytes, read_dated, resolved

if TYPE_CHECKING:
    from typing import NoReturn

__all__ = [
    "APPEND",
    "LEFT",
    "LOCK_SECONDS",
    "OVERWRITE",
    "Durability",
    "Prepared",
    "Seen",
    "has_leftover",
    "lock",
    "look",
    "make_folder",
    "prepare",
    "read_bytes",
    "read_dated",
    "resolved",
    "sweep",
    "sync_folder",
    "write_all",
]

LOCK_SECONDS = 10.0
LEFT = ".inkgate.tmp"  # how the names of temporary files end
_OWNER_ONLY = 0o600
APPEND = os.O_RDWR | os.O_CREAT | os.O_APPEND | NOFOLLOW | PLAIN
OVERWRITE = os.O_WRONLY | os.O_CREAT | NOFOLLOW | PLAIN


class Durability(enum.StrEnum):
    """How much is synced before a write is acknowledged. A killed process loses nothing under any of them."""

    FULL = "full"  # file, directory and ledger: survives a loss of power at any moment
    FILE = "file"  # the file alone: whole after a loss of power, but the last writes may be missing
    NONE = "none"  # nothing: for tests and throw-away stores


def make_folder(path: Path) -> None:
    """Create a folder (and its parents) that only the owner can enter; an existing one keeps its mode."""
    if os.path.isdir(path):
        return
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"The folder {path} could not be made: {error.strerror}.") from error


# --- locking ---------------------------------------------------------------------------------------------------------


class lock:  # noqa: N801 - used as a function; a generator would cost twice as much, several times per write
    """Hold the exclusive advisory lock on the file `path`, which is created owner-only and never removed.

    Its folder is made when it is missing.

    Any writer that takes the same lock (`flock` on POSIX, a one-byte lock on Windows) is kept out, in other processes
    and in other threads of this one.

    Args:
        path: the lock file; a symbolic link or anything but a regular file is refused.
        seconds: how long to wait.

    Raises:
        LockTimeoutError: another writer held it all that time.
        StoreError: the lock file cannot be used.
    """

    __slots__ = ("_descriptor", "_path", "_seconds")

    def __init__(self, path: Path, *, seconds: float = LOCK_SECONDS) -> None:
        self._path = path
        self._seconds = seconds
        self._descriptor = -1

    def __enter__(self) -> None:
        self._descriptor = _acquire(self._path, time.monotonic() + self._seconds, self._seconds)

    def __exit__(self, *_: object) -> None:
        _unlock(self._descriptor)
        os.close(self._descriptor)


def _acquire(path: Path, deadline: float, seconds: float) -> int:
    pause = 0.0005
    while True:
        descriptor, opened = _open_lock(path)
        try:
            while not _try_lock(descriptor):
                if time.monotonic() >= deadline:
                    _give_up(path, seconds)
                time.sleep(pause * (0.5 + random.random()))  # noqa: S311 - spreads the waiters, keeps no secret
                pause = min(pause * 1.5, 0.008)
            if _still_there(opened, path):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # someone removed the lock file while we waited: its successor is the lock


def _give_up(path: Path, seconds: float) -> NoReturn:
    raise LockTimeoutError(
        f"{path.name} is held by another writer; gave up after {seconds:g} s. Nothing was changed.",
        hint="Try again; if it stays so, find the process that holds the lock.",
    )


_LOCK = os.O_RDWR | os.O_CREAT | NOFOLLOW | NONBLOCK | PLAIN


def _open_lock(path: Path) -> tuple[int, os.stat_result]:
    try:
        try:
            descriptor = os.open(path, _LOCK, _OWNER_ONLY)
        except FileNotFoundError:  # only the first time; to ask before each write takes longer
            make_folder(path.parent)
            descriptor = os.open(path, _LOCK, _OWNER_ONLY)
    except OSError as error:
        why = "it is a symbolic link" if error.errno in (errno.ELOOP, errno.EMLINK) else str(error.strerror)
        raise StoreError(f"The lock file {path} could not be opened: {why}. Nothing was changed.") from error
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        os.close(descriptor)
        raise StoreError(f"The lock file {path} is not a regular file. Nothing was changed.")
    if os.name == "posix" and stat.S_IMODE(status.st_mode) & 0o077:
        with contextlib.suppress(PermissionError):  # the file of another user: the lock works all the same
            os.fchmod(descriptor, _OWNER_ONLY)
    return descriptor, status


def _still_there(opened: os.stat_result, path: Path) -> bool:
    try:
        return os.path.samestat(opened, os.lstat(path))
    except FileNotFoundError:
        return False


if os.name == "nt":  # pragma: no cover - exercised on Windows only

    def _try_lock(descriptor: int) -> bool:
        import msvcrt

        os.lseek(descriptor, 0, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        except OSError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        import msvcrt

        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)  # type: ignore[attr-defined,unused-ignore]

else:

    def _try_lock(descriptor: int) -> bool:
        import fcntl

        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(descriptor: int) -> None:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_UN)


# --- replacing -------------------------------------------------------------------------------------------------------


class Prepared:
    """New bytes that lie synced beside their target and only wait for the rename."""

    __slots__ = ("_durability", "_target", "_temporary")

    def __init__(self, temporary: str, target: str, durability: Durability) -> None:
        self._temporary = temporary
        self._target = target
        self._durability = durability

    def commit(self) -> None:
        """Put the new bytes in the place of the old.

        Raises:
            StoreError: the rename was refused (the old bytes stand), or the directory could not be synced (the new
                bytes stand, but may be lost with the power).
        """
        try:
            os.replace(self._temporary, self._target)
        except OSError as error:
            self.discard()
            name = os.path.basename(self._target)
            raise StoreError(f"{name} could not be replaced: {error.strerror}. Nothing was changed.") from error
        if self._durability is Durability.FULL:
            sync_folder(os.path.dirname(self._target))

    def discard(self) -> None:
        """Remove the new bytes; the old ones stand."""
        with contextlib.suppress(OSError):
            os.unlink(self._temporary)


def prepare(
    path: Path,
    data: bytes,
    durability: Durability = Durability.FULL,
    *,
    mode: int = _OWNER_ONLY,
    seen: Seen | None = None,
) -> Prepared:
    """Write `data` beside `path`, synced, for a later `commit`. The caller holds the lock of `path`.

    A symbolic link keeps its place: the file that it names is the one that will be replaced.

    Args:
        path: the file.
        data: its new bytes.
        durability: what is synced.
        mode: its permissions; owner-only by default.
        seen: the file as it was read under that lock, where it was; that saves asking again.

    Raises:
        StoreError: no space, no permission, a read-only target, or the sync failed; nothing is left behind.
    """
    if seen is not None and seen.writable:
        target = seen.place
    else:
        target = resolved(path)
        _refuse_read_only(target)
    temporary = _temporary_of(target)
    prepared = Prepared(temporary, target, durability)
    try:
        descriptor = _create(temporary)
        try:
            write_all(descriptor, data)
            if mode != _OWNER_ONLY and os.name == "posix":
                os.fchmod(descriptor, mode)
            if durability is not Durability.NONE:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        prepared.discard()
        raise StoreError(f"{path.name} could not be written: {error.strerror}. Nothing was changed.") from error
    return prepared


def _create(temporary: str) -> int:
    """Open a new file; what a killed writer left under this name goes."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | NOFOLLOW | PLAIN
    try:
        return os.open(temporary, flags, _OWNER_ONLY)
    except FileExistsError:
        os.unlink(temporary)
        return os.open(temporary, flags, _OWNER_ONLY)


def write_all(descriptor: int, data: bytes) -> None:
    """Write every byte, however many calls the system makes of it."""
    written = os.write(descriptor, data)
    while written < len(data):
        written += os.write(descriptor, memoryview(data)[written:])


def has_leftover(path: Path) -> bool:
    """Whether a temporary file of `path` lies about: of a killed writer, or of one at work."""
    return os.path.lexists(_temporary_of(resolved(path)))


def sweep(path: Path) -> bool:
    """Remove what a killed writer of `path` left behind; True when there was something. The caller holds the lock."""
    try:
        os.unlink(_temporary_of(resolved(path)))
    except FileNotFoundError:
        return False
    except OSError:
        return False  # a folder that cannot be written holds what it holds
    return True


def _temporary_of(target: str) -> str:
    folder, name = os.path.split(target)
    return f"{folder}{os.sep}.{name}{LEFT}"


def _refuse_read_only(target: str) -> None:
    try:
        status = os.stat(target)
    except FileNotFoundError:
        return
    if not stat.S_ISREG(status.st_mode):
        raise StoreError(f"{os.path.basename(target)} is not a regular file. Nothing was changed.")
    if not status.st_mode & ANYBODY:
        raise StoreError(
            f"{os.path.basename(target)} is read-only. Nothing was changed.",
            hint=f"To allow writes again: chmod u+w {target}",
        )


def sync_folder(folder: str | Path) -> None:
    """Make the names in a folder durable.

    Raises:
        StoreError: the system refused.
    """
    if os.name != "posix":
        return  # Windows has no handle of a directory to sync
    try:
        descriptor = os.open(folder, os.O_RDONLY | PLAIN)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise StoreError(
            f"The change is written, but {folder} could not be synced ({error.strerror}): a loss of power may undo it."
        ) from error
