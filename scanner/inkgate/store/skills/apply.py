"""Putting files in place: prepared in full first, then only renamed, and undone when a rename fails.

Whatever a killed writer leaves lies in the workshop (`.archive/.inkgate` in the store's folder), never inside a skill.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from inkgate.store import files
from inkgate.store.errors import StoreError
from inkgate.store.files import Durability

from .plan import FileChange
from .tree import SkillFile, Tree, read_file

__all__ = ["Folder", "InPlace", "Moved", "clear"]

_OWNER = 0o600


def _write(path: Path, file: SkillFile, mode: int, durability: Durability) -> None:
    descriptor = os.open(path, files.OVERWRITE | os.O_EXCL, _OWNER)
    try:
        files.write_all(descriptor, file.data)
        if os.name == "posix":
            os.fchmod(descriptor, mode)
        if durability is not Durability.NONE:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _mode(standing: int, executable: bool) -> int:
    """The permissions of a file that stood, with or without the right to run it for whoever may read it."""
    plain = standing & 0o666
    return plain | (plain & 0o444) >> 2 if executable else plain


def clear(workshop: Path) -> None:
    """Remove what killed writers left in the workshop. The caller holds the lock.

    Raises:
        StoreError: it cannot be removed.
    """
    for name in ("stage", "tmp"):
        try:
            shutil.rmtree(workshop / name)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StoreError(
                f"What a stopped writer left in {workshop} cannot be removed: {error.strerror}."
            ) from error


class Folder:
    """A new skill: written whole beside the others, then renamed to its place."""

    def __init__(self, place: Path, workshop: Path, tree: Tree, durability: Durability) -> None:
        self._place, self._durability = place, durability
        self._stage = workshop / "stage" / place.name
        try:
            self._build(tree)
        except OSError as error:
            self.discard()
            raise StoreError(f"The skill could not be written: {error.strerror}. Nothing was changed.") from error

    def _build(self, tree: Tree) -> None:
        folders = {self._stage}
        self._stage.mkdir(mode=0o700, parents=True)
        for path, file in tree.items():
            target = self._stage / path
            target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            folders.add(target.parent)
            _write(target, file, _mode(_OWNER, file.executable), self._durability)
        if self._durability is Durability.FULL:
            for folder in sorted(folders, reverse=True):
                files.sync_folder(folder)
        files.make_folder(self._place.parent)

    def commit(self) -> None:
        """Put it in its place.

        Raises:
            StoreError: it could not be put there.
        """
        _rename(self._stage, self._place, self._durability)

    def discard(self) -> None:
        """Remove what was prepared."""
        shutil.rmtree(self._stage, ignore_errors=True)


class Moved:
    """A skill that is archived or comes back: the folder moves as it is."""

    def __init__(self, source: Path, place: Path, durability: Durability) -> None:
        self._source, self._place, self._durability = source, place, durability
        files.make_folder(place.parent)

    def commit(self) -> None:
        """Move it.

        Raises:
            StoreError: it could not be moved.
        """
        _rename(self._source, self._place, self._durability)
        if self._durability is Durability.FULL:
            files.sync_folder(self._source.parent)

    def discard(self) -> None:
        """Nothing was prepared."""


def _rename(source: Path, place: Path, durability: Durability) -> None:
    if os.path.lexists(place):
        raise StoreError(f"{place.name} appeared while it was written. Nothing was changed.")
    try:
        source.rename(place)
    except OSError as error:
        raise StoreError(f"{place.name} could not be put in place: {error.strerror}. Nothing was changed.") from error
    if durability is Durability.FULL:
        files.sync_folder(place.parent)


@dataclass(slots=True)
class _Step:
    """One file on its way."""

    change: FileChange
    target: Path
    fresh: Path | None
    kept: Path


@dataclass(slots=True)
class InPlace:
    """Files of a standing skill: each is written to the workshop, then renamed over its target.

    Attributes:
        late: files that somebody changed between the reading and the replacing, as they were then.
    """

    folder: Path
    workshop: Path
    changes: Sequence[FileChange]
    durability: Durability
    late: dict[str, SkillFile] = field(default_factory=dict)
    _steps: list[_Step] = field(default_factory=list)

    def prepare(self) -> InPlace:
        """Write the new files.

        Raises:
            StoreError: no space, no permission, or a read-only file. Nothing was changed.
        """
        scratch = self.workshop / "tmp"
        try:
            scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
            for number, change in enumerate(self.changes):
                target = self.folder / change.path
                mode = self._standing_mode(target, change)
                fresh = None
                if change.after is not None:
                    fresh = scratch / f"{number}.new"
                    _write(fresh, change.after, _mode(mode, change.after.executable), self.durability)
                    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                self._steps.append(_Step(change, target, fresh, scratch / f"{number}.old"))
        except OSError as error:
            self.discard()
            raise StoreError(f"The skill could not be written: {error.strerror}. Nothing was changed.") from error
        return self

    @staticmethod
    def _standing_mode(target: Path, change: FileChange) -> int:
        if change.before is None:
            return _OWNER
        mode = stat.S_IMODE(target.lstat().st_mode)
        if not mode & 0o222:
            raise StoreError(
                f"{change.path} is read-only. Nothing was changed.", hint=f"To allow writes again: chmod u+w {target}"
            )
        return mode

    def commit(self) -> None:
        """Replace every file, or none.

        Raises:
            StoreError: a file could not be replaced. Those before it were put back.
        """
        done: list[_Step] = []
        try:
            for step in self._steps:
                self._replace(step)
                done.append(step)
        except OSError as error:
            self._put_back(done)
            raise StoreError(f"A file could not be replaced: {error.strerror}. Nothing was changed.") from error
        self._look_back()
        self.discard()
        if self.durability is Durability.FULL:
            for folder in sorted({step.target.parent for step in self._steps}):
                if folder.is_dir():
                    files.sync_folder(folder)

    def _replace(self, step: _Step) -> None:
        if step.change.before is None and os.path.lexists(step.target):
            raise FileExistsError(17, "a file appeared there meanwhile")
        if step.change.before is not None:
            with contextlib.suppress(OSError, NotImplementedError):  # a file system without links has no late looks
                os.link(step.target, step.kept, follow_symlinks=False)
        if step.fresh is not None:
            step.fresh.replace(step.target)
            return
        step.target.unlink(missing_ok=True)
        for level in step.target.relative_to(self.folder).parents:
            if level == Path():
                break
            with contextlib.suppress(OSError):  # it is not empty
                (self.folder / level).rmdir()

    def _put_back(self, done: Sequence[_Step]) -> None:
        for step in reversed(done):
            with contextlib.suppress(OSError):  # what cannot be put back is told as a change from outside
                if step.change.before is None:
                    step.target.unlink()
                    continue
                step.target.parent.mkdir(parents=True, exist_ok=True)
                if not step.kept.exists():  # no links on this file system
                    _write(step.kept, step.change.before, _mode(_OWNER, step.change.before.executable), self.durability)
                step.kept.replace(step.target)

    def _look_back(self) -> None:
        """Whether a replaced file was still the one that had been read."""
        for step in self._steps:
            if step.change.before is None or not step.kept.exists():
                continue
            with contextlib.suppress(StoreError):  # not a file any more, or too large: nothing that could be kept
                found = read_file(step.kept, step.change.path)
                if found.sha256 != step.change.before.sha256:
                    self.late[step.change.path] = found

    def discard(self) -> None:
        """Remove what was prepared and what was kept for a moment."""
        for step in self._steps:
            for path in (step.fresh, step.kept):
                if path is not None:
                    with contextlib.suppress(OSError):
                        path.unlink()
