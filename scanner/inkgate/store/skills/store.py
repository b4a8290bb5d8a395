"""The store of skills: folders below one root, changed only under one lock, each change whole, every state kept."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from inkgate.store import files
from inkgate.store.chain import Draft
from inkgate.store.errors import RefusalError, UnreadableError
from inkgate.store.files import Durability
from inkgate.store.ledger import Ledger
from inkgate.store.memory import LEDGER

from .apply import InPlace, clear
from .journal import Begun, Journal, left
from .objects import Objects
from .places import WORKSHOP, Place, archived, find_all, find_one
from .reading import Listed, View, head_of, view_file
from .transaction import RECOVERY, SkillTransaction
from .tree import SkillFile, digest_of, read_tree
from .versions import SkillVersion, versions_of

__all__ = ["SkillCounts", "Skills"]


@dataclass(frozen=True, slots=True)
class SkillCounts:
    """How many skills there are.

    Attributes:
        skills: those in use.
        archived: those that were put away.
        problems: those that cannot be used because of links or of rights.
    """

    skills: int
    archived: int
    problems: int


class Skills:
    """Skills below one root, with their ledger and their earlier versions in a home.

    Args:
        root: holds the skills: `<name>/SKILL.md`, or below folders that sort them. Made when it is missing.
        home: holds `inkgate/ledger.jsonl` and `inkgate/skills`, the versions of every file.
        durability: how much is synced before a write returns.
        lock_seconds: how long to wait for another writer.
    """

    def __init__(
        self,
        root: Path,
        home: Path,
        *,
        durability: Durability = Durability.FULL,
        lock_seconds: float = files.LOCK_SECONDS,
    ) -> None:
        self.root = Path(os.path.realpath(root))
        self.home = home
        self.durability = durability
        self.workshop = self.root / WORKSHOP
        self.ledger = Ledger(home / LEDGER, durability=durability, lock_seconds=lock_seconds)
        self.objects = Objects(home / "inkgate" / "skills", durability)
        self.journal = Journal(self.workshop / "journal.json", durability)
        self._lock_seconds = lock_seconds

    # --- reading -----------------------------------------------------------------------------------------------------

    def list(self) -> tuple[Listed, ...]:
        """Every skill, by name; only front matter is read. One that cannot be used is listed with its problem."""
        self._settle()
        places = find_all(self.root)
        found = [head_of(place) for place in places]
        twice = {one.name for one, other in pairwise(places) if one.name == other.name}
        return tuple(
            Listed(item.name, item.description, item.category, item.problem or "there is another skill of this name")
            if item.name in twice
            else item
            for item in found
        )

    def view(self, name: str, path: str | None = None, *, start: int | None = None) -> View:
        """The `SKILL.md` of a skill, with the files beside it; or one of those files.

        Args:
            name: of the skill.
            path: of a file, relative to the skill, with slashes; the `SKILL.md` when None.
            start: offset in characters of the page to give, for a text that is longer than one view (100,000
                characters).

        Raises:
            RefusalError: `no-skill`, `no-file`, `bad-name`, `ambiguous`, `too-long`, `too-large`.
            UnreadableError: it is there, and cannot be read.
        """
        place = self.find(name)
        return view_file(place, path or place.manifest, start)

    def find(self, name: str) -> Place:
        """Where a skill lies.

        Raises:
            RefusalError: `no-skill`, `ambiguous`, `unreadable`.
        """
        self._settle()
        place = find_one(self.root, name)
        if place is None:
            raise RefusalError("no-skill", f"There is no skill {name!r}.", hint="See `inkgate skill list`.")
        return place

    def history(self, name: str) -> tuple[SkillVersion, ...]:
        """Every state that a skill was in, oldest first, also of one that is archived or gone."""
        return versions_of(self.ledger.records(), name)

    def version(self, name: str, version_id: str) -> SkillVersion:
        """One state of a skill.

        Raises:
            RefusalError: `no-version`.
        """
        found = next((item for item in self.history(name) if item.id == version_id), None)
        if found is None:
            raise RefusalError(
                "no-version", f"There is no version {version_id} of the skill {name}.", hint="See its history."
            )
        return found

    def read_version(self, name: str, version_id: str, path: str) -> bytes:
        """The bytes of a file as they were in a version.

        Raises:
            RefusalError: `no-version`, `no-file`, `purged`.
            UnreadableError: they are not kept any more.
        """
        version = self.version(name, version_id)
        if version.files is None:
            raise RefusalError("purged", f"Version {version_id} was purged.")
        sha256 = version.sha256(path)
        if sha256 is None:
            raise RefusalError("no-file", f"There was no {path} in version {version_id} of the skill {name}.")
        return self.objects.get(sha256)

    def files_of(self, name: str, version_id: str) -> dict[str, SkillFile]:
        """All files as they were in a version.

        Raises:
            RefusalError: `no-version`, `purged`; `no-skill`: the skill was not there then.
            UnreadableError: one of them is not kept any more.
        """
        version = self.version(name, version_id)
        if version.files is None:
            raise RefusalError("purged", f"Version {version_id} was purged.")
        if not version.files or version.late:
            raise RefusalError("no-skill", f"Version {version_id} is no whole state of the skill {name}.")
        found = {}
        for path, state in version.files.items():
            sha256, flag, _size = state.split(":")
            found[path] = SkillFile(self.objects.get(sha256), flag == "x")
        return found

    def counts(self) -> SkillCounts:
        """How many skills there are; nothing of them is read."""
        places = find_all(self.root)
        return SkillCounts(len(places), len(archived(self.root)), sum(bool(place.problem) for place in places))

    # --- writing -----------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def begin(self, name: str) -> Iterator[SkillTransaction]:
        """Hold the store's lock and see a skill fresh; `commit` on the result, or leave to change nothing.

        Raises:
            LockTimeoutError: another writer was busy all the time.
            RefusalError: `ambiguous`, `unreadable`.
            StoreError: the folder, the lock or the skill cannot be used.
        """
        with self._locked(self._lock_seconds):
            yield SkillTransaction(self, name)

    @contextlib.contextmanager
    def _locked(self, seconds: float) -> Iterator[None]:
        if self.workshop.is_symlink() or self.workshop.parent.is_symlink():
            raise UnreadableError(f"{self.workshop} is a symbolic link. Nothing was changed.")
        with files.lock(self.workshop / "lock", seconds=seconds):
            self._recover()
            yield

    def _recover(self) -> None:
        """End what a stopped writer began. The lock is held."""
        clear(self.workshop)
        self.objects.sweep()
        self.journal.sweep()
        if not self.journal.exists():
            return
        begun = self.journal.read()
        if self.ledger.digest_of(begun.key) == begun.after:
            changes = left(begun, self.objects)
            if changes:
                InPlace(Path(begun.folder), self.workshop, changes, self.durability).prepare().commit()
            else:
                self._tell_interrupted(begun)
        self.journal.end()

    def _tell_interrupted(self, begun: Begun) -> None:
        """Tell the ledger of a recorded change that did not take effect, when that is so."""
        with contextlib.suppress(RefusalError):  # there are two of that name by now: the next look tells it
            place = find_one(self.root, begun.name)
            digest = digest_of(read_tree(place.folder, begun.name) if place else {})
            if digest != begun.before:
                return
            record = [item for item in self.ledger.records() if item.key == begun.key and item.event == "change"][-1]
            facts = {"record": record.seq, "reason": "the write was interrupted before it took effect"}
            draft = Draft("aborted", begun.key, RECOVERY, facts=facts, body={"after": digest})
            self.ledger.append([draft], digests={begun.key: digest})

    def _settle(self) -> None:
        """Before reading: wait for a change that is under way, or end that of a stopped writer."""
        if self.journal.exists():
            with self._locked(self._lock_seconds):
                pass
