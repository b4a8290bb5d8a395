"""Files that only their owner may have written: what was worked out once and is used again.

A cache can make a scan blind, so what is found is used only if it is whole, of this purpose and version, and lies where
nobody else can write. Everything else is as good as absent, with the reason for who wants to tell it. Someone who runs
as the same user can write here what they like; that is why nothing of the gate is kept in such files.
"""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path

__all__ = ["CacheError", "cache_folder", "load", "save"]

_MAGIC = b"inkgate-cache-1"
_HEAD = 256
"""Bytes: the longest first line."""


class CacheError(Exception):
    """A file or folder that is there and must not be used, or could not be written; the message says why."""


def cache_folder() -> Path:
    """Where such files are kept: `INKGATE_CACHE_DIR`, else the `inkgate` folder of the user's caches."""
    given = os.environ.get("INKGATE_CACHE_DIR")
    if given:
        return Path(given).absolute()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
        return Path(base) / "inkgate" if base else Path.home() / "AppData" / "Local" / "inkgate"
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if base.startswith("/") else Path.home() / ".cache") / "inkgate"


def load(path: Path, stamp: str, limit: int) -> bytes | None:
    """What `save` wrote under the same stamp; None where there is nothing.

    Args:
        path: the file.
        stamp: what the content was made from and for, one line.
        limit: bytes of content that are read at most.

    Raises:
        CacheError: the file is damaged, was made for something else, or others could have written it.
    """
    try:
        _check(path.parent.lstat(), path.parent, stat.S_ISDIR)
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | _BINARY)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise CacheError(f"{path}: cannot be read: {error.strerror or error}") from error
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        _check(status, path, stat.S_ISREG)
        if status.st_size > limit + _HEAD:
            raise CacheError(f"{path}: larger than {limit} bytes")
        try:
            head, content = file.readline(_HEAD), file.read(limit + 1)
        except OSError as error:
            raise CacheError(f"{path}: cannot be read: {error.strerror or error}") from error
    if head != _head(stamp, content):
        raise CacheError(f"{path}: damaged, or made for something else")
    return content


_BINARY = getattr(os, "O_BINARY", 0)


def save(path: Path, stamp: str, content: bytes) -> None:
    """Write a file for `load`, whole or not at all, readable by its owner only.

    Args:
        path: the file; its folder is made if it is absent.
        stamp: as for `load`.
        content: what to keep.

    Raises:
        CacheError: it cannot be written there, or others could write it too.
    """
    import tempfile

    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check(path.parent.lstat(), path.parent, stat.S_ISDIR)
        handle, name = tempfile.mkstemp(prefix=".new-", dir=path.parent)  # 0600
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_head(stamp, content) + content)
            Path(name).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
    except OSError as error:
        raise CacheError(f"{path}: cannot be written: {error.strerror or error}") from error


def _head(stamp: str, content: bytes) -> bytes:
    import hashlib

    named = hashlib.sha256(stamp.encode()).hexdigest().encode()
    return b" ".join((_MAGIC, named, hashlib.sha256(content).hexdigest().encode())) + b"\n"


def _check(status: os.stat_result, path: Path, kind: object) -> None:
    """Refuse what is no folder or file of this user alone."""
    if not callable(kind) or not kind(status.st_mode):
        raise CacheError(f"{path}: not what it should be, and was not opened")
    if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o077):
        raise CacheError(f"{path}: others than its owner may use it")
