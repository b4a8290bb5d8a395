"""Earlier and present bytes of files by their digest: what the ledger names can be read again."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from inkgate.store import files
from inkgate.store.errors import StoreError, UnreadableError
from inkgate.store.files import Durability

from .tree import SkillFile

__all__ = ["Objects"]

_DIGEST = re.compile(r"[0-9a-f]{64}")


class Objects:
    """A folder of files that are named by the SHA-256 of their bytes; owner-only, written once, never changed.

    Args:
        folder: made when something is put into it.
        durability: FULL syncs each file and its name before the ledger may speak of it.
    """

    def __init__(self, folder: Path, durability: Durability = Durability.FULL) -> None:
        self.folder = folder
        self._durability = durability

    def put(self, items: Iterable[SkillFile]) -> None:
        """Keep the bytes of these files. The caller holds the store's lock.

        Raises:
            StoreError: one of them could not be written.
        """
        touched: set[Path] = set()
        for item in items:
            path = self._path(item.sha256)
            if path.exists():
                continue
            if path.parent not in touched:
                files.make_folder(path.parent)
                touched.add(path.parent)
            files.prepare(
                path, item.data, Durability.FILE if self._durability is Durability.FULL else self._durability
            ).commit()
        if self._durability is Durability.FULL:
            for folder in sorted(touched):
                files.sync_folder(folder)
            if touched:
                files.sync_folder(self.folder)

    def get(self, sha256: str) -> bytes:
        """The bytes with this digest.

        Raises:
            UnreadableError: they are not there, or are not what they were.
        """
        if not _DIGEST.fullmatch(sha256):
            raise UnreadableError("A version is named by 64 hexadecimal digits.")
        data = files.read_bytes(self._path(sha256))
        if data is None:
            raise UnreadableError(f"The earlier version {sha256[:12]} is not kept any more.")
        if hashlib.sha256(data).hexdigest() != sha256:
            raise UnreadableError(f"The earlier version {sha256[:12]} was changed on the disk.")
        return data

    def holds(self, sha256: str) -> bool:
        """Whether there is something under this digest."""
        return self._path(sha256).exists()

    def erase(self, text: bytes) -> list[str]:
        """Remove every object that holds these bytes, for a leaked secret; returns their digests.

        Raises:
            StoreError: one of them could not be removed.
        """
        gone = []
        for path in self._all():
            data = files.read_bytes(path)
            if data is None or text not in data:
                continue
            try:
                path.unlink()
            except OSError as error:
                raise StoreError(f"{path} could not be removed: {error.strerror}.") from error
            gone.append(path.parent.name + path.name)
        return gone

    def _all(self) -> Iterator[Path]:
        with contextlib.suppress(FileNotFoundError):
            for level in sorted(os.listdir(self.folder)):  # noqa: PTH208 - names are enough
                for name in sorted(os.listdir(self.folder / level)):  # noqa: PTH208
                    if _DIGEST.fullmatch(level + name):
                        yield self.folder / level / name

    def _path(self, sha256: str) -> Path:
        return self.folder / sha256[:2] / sha256[2:]
