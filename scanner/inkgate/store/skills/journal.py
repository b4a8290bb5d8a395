"""What is being done to which skill, until it is done: the next writer ends, or tells, what a killed one began.

The ledger decides. When it has the change, the files are brought to what it says, from the kept objects; a folder that
was to come or to go, and did not, is told to the ledger as interrupted. When the ledger has not, nothing was done yet.
Without a journal, a folder that is as it was before the last change was put back by somebody else.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from inkgate.store import files
from inkgate.store.errors import StoreError, UnreadableError
from inkgate.store.files import Durability

from .objects import Objects
from .plan import FileChange
from .tree import SkillFile, digest_of, read_tree

__all__ = ["Begun", "Journal", "left"]


@dataclass(frozen=True, slots=True)
class Begun:
    """A change that was begun.

    Attributes:
        key: of the skill in the ledger.
        name: of the skill.
        folder: where it lies.
        before: the digest of the whole folder before the change.
        after: the same once it is done.
        states: for a change of files, the state of each before and after, empty for one that is not there; empty for a
            folder that comes or goes as a whole.
    """

    key: str
    name: str
    folder: str
    before: str
    after: str
    states: Mapping[str, tuple[str, str]]


class Journal:
    """The change that is under way in one store; there is one at most. The caller holds the lock.

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

    def begin(self, begun: Begun) -> None:
        """Tell what will be done.

        Raises:
            StoreError: it could not be written. Nothing was changed.
        """
        files.prepare(self._path, json.dumps(asdict(begun)).encode("ascii"), self._durability).commit()

    def end(self) -> None:
        """It is done, or was undone.

        Raises:
            StoreError: the journal cannot be removed.
        """
        try:
            self._path.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{self._path} cannot be removed: {error.strerror}.") from error

    def read(self) -> Begun:
        """What was begun.

        Raises:
            StoreError: the journal cannot be read.
        """
        data = files.read_bytes(self._path)
        try:
            values = json.loads(data or b"")
            return Begun(**values)
        except (ValueError, TypeError):
            raise UnreadableError(
                f"{self._path} is damaged. Nothing was changed.",
                hint="Look whether the skill that was written last is whole; then remove this file.",
            ) from None


def left(begun: Begun, objects: Objects) -> list[FileChange]:
    """What is still to be done to the files of a recorded change.

    A file that is neither as it was nor as it should become was changed by somebody else, and stays.

    Args:
        begun: what was begun.
        objects: hold the new bytes.

    Raises:
        StoreError: the skill or an object cannot be read.
    """
    if not begun.states:
        return []
    standing = read_tree(Path(begun.folder), begun.name)
    if not standing or digest_of(standing) == begun.after:
        return []
    changes = []
    for path, (before, after) in sorted(begun.states.items()):
        found = standing.get(path)
        if (found.state if found else "") == before != after:
            changes.append(FileChange(path, found, _file(after, objects)))
    return changes


def _file(state: str, objects: Objects) -> SkillFile | None:
    if not state:
        return None
    sha256, flag, _size = state.split(":")
    return SkillFile(objects.get(sha256), flag == "x")
