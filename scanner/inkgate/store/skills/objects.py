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
        self._scratch = folder / "tmp"

    def put(self, items: Iterable[SkillFile]) -> None:
        """Keep the bytes of these files.

        Raises:
            StoreError: one of them could not be written.
        """
        missing = {item.sha256: item.data for item in items if not self.holds(item.sha256)}
        if not missing:
            return
        with self._locked():
            folders = {self._write(sha256, data) for sha256, data in missing.items()}
            if self._durability is Durability.FULL:
                for folder in [*sorted(folders), self.folder]:
                    files.sync_folder(folder)

    def _write(self, sha256: str, data: bytes) -> Path:
        """Write one object whole; returns its folder."""
        path, fresh = self._path(sha256), self._scratch / sha256
        files.make_folder(path.parent)
        try:
            descriptor = os.open(fresh, files.OVERWRITE | os.O_EXCL, 0o600)
            try:
                files.write_all(descriptor, data)
                if self._durability is not Durability.NONE:
                    os.fsync(descriptor)
            finally:
                os.close(descriptor)
            fresh.replace(path)
        except OSError as error:
            fresh.unlink(missing_ok=True)
            raise StoreError(f"A version could not be written: {error.strerror}. Nothing was changed.") from error
        return path.parent

    def sweep(self) -> None:
        """Remove what a killed writer left half-written.

        Raises:
            StoreError: it cannot be removed.
        """
        if self._scratch.is_dir() and any(self._scratch.iterdir()):
            with self._locked():
                pass

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock of the objects, which stores below several roots may share, with nothing half-written."""
        files.make_folder(self._scratch)
        with files.lock(self.folder / "lock"):
            try:
                for path in self._scratch.iterdir():
                    path.unlink()
            except OSError as error:
                raise StoreError(f"{self._scratch} cannot be cleared: {error.strerror}.") from error
            yield

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
            for level in sorted(name for name in os.listdir(self.folder) if len(name) == 2):  # noqa: PTH208
                for name in sorted(os.listdir(self.folder / level)):  # noqa: PTH208
                    if _DIGEST.fullmatch(level + name):
                        yield self.folder / level / name

    def _path(self, sha256: str) -> Path:
        return self.folder / sha256[:2] / sha256[2:]
