"""Which files a change of several is about, until all are in place: the next writer ends what a killed one began.

The ledger decides. When it has the change, the files are brought to what it says, from the kept objects; when it has
not, nothing was done yet, and the journal goes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inkgate.store import files
from inkgate.store.errors import StoreError, UnreadableError
from inkgate.store.files import Durability

from .objects import Objects
from .plan import FileChange
from .tree import SkillFile, digest_of, read_tree

__all__ = ["Journal"]

_FIELDS = frozenset({"key", "name", "folder", "after", "states"})


class Journal:
    """The change of several files that is under way in one store; there is one at most. The caller holds the lock.

    Args:
        path: the file.
        durability: FULL syncs it before the ledger speaks of the change.
    """

    def __init__(self, path: Path, durability: Durability) -> None:
        self._path = path
        self._durability = durability

    def exists(self) -> bool:
        """Whether a change is under way, or was when its writer was stopped."""
        return self._path.exists()

    def sweep(self) -> None:
        """Remove what a writer left that was stopped before it had begun."""
        files.sweep(self._path)

    def begin(self, key: str, name: str, folder: Path, after: str, states: Mapping[str, tuple[str, str]]) -> None:
        """Tell what will be done.

        Args:
            key: of the skill in the ledger.
            name: of the skill, for messages.
            folder: where it lies.
            after: the digest of the whole folder once it is done.
            states: for each file that changes, its state before and after; empty for one that is not there.

        Raises:
            StoreError: it could not be written. Nothing was changed.
        """
        values = {"key": key, "name": name, "folder": str(folder), "after": after, "states": dict(states)}
        files.prepare(self._path, json.dumps(values).encode("ascii"), self._durability).commit()

    def end(self) -> None:
        """It is done, or was undone.

        Raises:
            StoreError: the journal cannot be removed.
        """
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{self._path} cannot be removed: {error.strerror}.") from error

    def left(self, recorded: str | None, objects: Objects) -> tuple[Path, list[FileChange]]:
        """What is still to be done.

        Args:
            recorded: the last digest of the skill in the ledger.
            objects: hold the new bytes.

        Returns:
            The folder and the changes; none when the ledger does not know of the change, or when nothing is left. A
            file that is neither as it was nor as it should become was changed by somebody else, and stays.

        Raises:
            StoreError: the journal or an object cannot be read.
        """
        values = self._read()
        folder = Path(str(values["folder"]))
        if recorded != values["after"]:
            return folder, []
        standing = read_tree(folder, str(values["name"]))
        if not standing or digest_of(standing) == values["after"]:
            return folder, []
        changes = []
        for path, (before, after) in sorted(values["states"].items()):
            found = standing.get(path)
            if (found.state if found else "") == before != after:
                changes.append(FileChange(path, found, _file(after, objects)))
        return folder, changes

    def key(self) -> str:
        """The key of the skill that it is about.

        Raises:
            StoreError: the journal cannot be read.
        """
        return str(self._read()["key"])

    def _read(self) -> dict[str, Any]:
        data = files.read_bytes(self._path)
        try:
            values = json.loads(data or b"")
        except ValueError:
            values = None
        if not isinstance(values, dict) or not values.keys() >= _FIELDS:
            raise UnreadableError(
                f"{self._path} is damaged. Nothing was changed.",
                hint="Look whether the skill that was written last is whole; then remove this file.",
            )
        return values


def _file(state: str, objects: Objects) -> SkillFile | None:
    if not state:
        return None
    sha256, flag, _size = state.split(":")
    return SkillFile(objects.get(sha256), flag == "x")
