"""One look at a skill under the store's lock, good for one commit."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkgate.store.chain import Draft, Record
from inkgate.store.errors import RefusalError, StoreError
from inkgate.store.origin import OUTSIDE, Origin
from inkgate.store.screened import Screened

from .apply import Folder, InPlace, Moved
from .journal import Begun
from .places import ARCHIVE, Place, archived, find_one, folder_for
from .plan import SkillPlan
from .request import SkillAction, SkillRequest
from .tree import SkillFile, canonical, digest_of, read_tree, states
from .versions import key_of, versions_of

if TYPE_CHECKING:
    from .store import Skills

__all__ = ["RECOVERY", "SkillTransaction"]

RECOVERY = Origin("inkgate", "recovery")


class SkillTransaction:
    """What a skill is now, and the way to change it.

    Attributes:
        place: where it lies, or None when it is not there.
        tree: its files.
        drift: files that were changed without the gate since its last write.
    """

    def __init__(self, store: Skills, name: str) -> None:
        self._store = store
        self.name = name
        self.key = key_of(name)
        self.place: Place | None = find_one(store.root, name)
        self.tree: dict[str, SkillFile] = read_tree(self.place.folder, name) if self.place else {}
        self.drift: frozenset[str] = frozenset()
        self._preface: list[Draft] = []
        self.digest = digest_of(self.tree)
        recorded = store.ledger.digest_of(self.key)
        if recorded != self.digest and not (recorded is None and not self.tree):
            self._explain(recorded)

    def _explain(self, recorded: str | None) -> None:
        """Somebody else has changed the folder: a write that a kill stopped is ended or told by the store itself."""
        records = [record for record in self._store.ledger.records() if record.key == self.key]
        told = [record for record in records if record.event == "change" or _whole(record)]
        self._store.objects.put(self.tree.values())
        known: Mapping[str, str] = {}
        if told and told[-1].body is not None:
            known = told[-1].body.get("files", {})
        found = states(self.tree)
        changed = frozenset(path for path in {*known, *found} if known.get(path) != found.get(path))
        facts = {"first": recorded is None, "place": self._path(), "changed": len(changed)}
        body = {"before": recorded, "after": self.digest, "files": found}
        self._preface.append(Draft("outside", self.key, OUTSIDE, facts=facts, body=body))
        if recorded is not None:
            self.drift = changed

    def _path(self) -> str:
        return self.place.path if self.place else ""

    def record(self, *drafts: Draft) -> None:
        """Record decisions that change nothing, with what was found about the folder."""
        if self._preface or drafts:
            digests = {self.key: self.digest} if self._preface else {}
            self._store.ledger.append([*self._preface, *drafts], digests=digests)
            self._preface = []

    # --- what comes back ---------------------------------------------------------------------------------------------

    def files_to_restore(self, version_id: str) -> dict[str, SkillFile]:
        """The files of the archived folder, or of a version.

        Args:
            version_id: of the history; the archived folder when empty.

        Raises:
            RefusalError: `exists`, `no-skill`, `no-version`.
            StoreError: they cannot be read.
        """
        if version_id:
            return self._store.files_of(self.name, version_id)
        if self.place is not None:
            raise RefusalError(
                "exists",
                f"The skill {self.name} is not archived.",
                hint="To bring an earlier state back, name its version.",
            )
        folder = self._archived()
        if folder is None:
            raise RefusalError("no-skill", f"There is no archived skill {self.name}.")
        return read_tree(folder, self.name)

    def _archived(self) -> Path | None:
        """The folder that the last archiving made, while it is there."""
        wanted = [
            record.facts.get("archived")
            for record in self._store.ledger.records()
            if record.key == self.key and record.event == "change" and record.facts.get("action") == "archive"
        ]
        folders = {folder.name: folder for folder in archived(self._store.root)}
        names = [str(name) for name in reversed(wanted)] + [self.name]
        return next((folders[name] for name in names if name in folders), None)

    # --- writing -----------------------------------------------------------------------------------------------------

    def commit(
        self,
        screened: Screened,
        plan: SkillPlan,
        request: SkillRequest,
        *,
        rules: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> Record:
        """Put the planned files in place and record the change; on return they are there.

        Args:
            screened: the canonical text of the files as they will stand.
            plan: what makes them out of the files as they are.
            request: what was asked for.
            rules: ids of rules that had something to say.
            facts: what else to record, never a text.

        Raises:
            RefusalError: `exists`, `collision`: there is no room for a new skill.
            StoreError: it could not be written; what stood there stands, unless the message says otherwise.
        """
        if plan.old != self.tree or screened.text != canonical(plan.new):
            raise ValueError("the plan, the screened text and the folder do not belong together")
        work, more = self._work(plan, request)
        try:
            self._store.objects.put([*plan.old.values(), *plan.new.values()])
            self._check_still(plan)
            draft = self._change(plan, request, screened.ruleset, rules, {**(facts or {}), **more})
            after = digest_of(plan.new)
            self._begin_journal(plan, after, whole=not isinstance(work, InPlace))
            record = self._store.ledger.append([*self._preface, draft], digests={self.key: after})[-1]
        except BaseException:
            work.discard()
            raise
        self._preface = []
        self._carry_out(work, record)
        return record

    def _work(self, plan: SkillPlan, request: SkillRequest) -> tuple[Folder | InPlace | Moved, dict[str, Any]]:
        """What has to be done on the disk, prepared, and what the ledger should know of it."""
        store = self._store
        if self.place is not None and plan.new:
            changes = InPlace(self.place.folder, store.workshop, plan.changes, store.durability).prepare()
            return changes, {"place": self.place.path}
        if self.place is not None:
            target = _free(store.root / ARCHIVE, self.name)
            moved = Moved(self.place.folder, target, store.durability)
            return moved, {"place": self.place.path, "archived": target.name}
        category = request.category or (self._category() if request.action is SkillAction.RESTORE else "")
        target = folder_for(store.root, self.name, category)
        place = {"place": f"{category}/{self.name}" if category else self.name}
        source = None if request.version or request.action is not SkillAction.RESTORE else self._archived()
        if source is not None and digest_of(read_tree(source, self.name)) == digest_of(plan.new):
            return Moved(source, target, store.durability), place
        return Folder(target, store.workshop, plan.new, store.durability), place

    def _category(self) -> str:
        """Where the skill was when it was last there."""
        told = [version.place for version in versions_of(self._store.ledger.records(), self.name) if version.place]
        return told[-1].rpartition("/")[0] if told else ""

    def _check_still(self, plan: SkillPlan) -> None:
        """Whether the folder is still as it was read."""
        now = read_tree(self.place.folder, self.name) if self.place else {}
        if now != plan.old:
            raise RefusalError(
                "overtaken", f"The skill {self.name} was changed meanwhile. Nothing was changed.", hint="Try again."
            )

    def _begin_journal(self, plan: SkillPlan, after: str, *, whole: bool) -> None:
        pairs = {
            change.path: (change.before.state if change.before else "", change.after.state if change.after else "")
            for change in plan.changes
        }
        folder = str(self.place.folder) if self.place else ""
        self._store.journal.begin(Begun(self.key, self.name, folder, self.digest, after, {} if whole else pairs))

    def _change(
        self, plan: SkillPlan, request: SkillRequest, ruleset: str, rules: tuple[str, ...], facts: Mapping[str, Any]
    ) -> Draft:
        body: dict[str, Any] = {"before": self.digest, "after": digest_of(plan.new), "files": states(plan.new)}
        if request.reason:
            body["reason"] = request.reason
        about = {"action": str(request.action), "changed": len(plan.changes), **facts}
        if request.version:
            about["version"] = request.version
        return Draft("change", self.key, request.origin, rules=rules, ruleset=ruleset, facts=about, body=body)

    def _carry_out(self, work: Folder | InPlace | Moved, record: Record) -> None:
        try:
            work.commit()
        except StoreError:
            self._undo(record)
            self._store.journal.end()
            raise
        self._store.journal.end()
        if isinstance(work, InPlace) and work.late:
            self._store.objects.put(work.late.values())
            facts = {"late": True, "changed": len(work.late), "place": self._path()}
            self._store.ledger.append(
                [Draft("outside", self.key, OUTSIDE, facts=facts, body={"files": states(work.late)})]
            )

    def _undo(self, record: Record) -> None:
        """Tell the ledger that a recorded change did not take effect, when that is so."""
        with contextlib.suppress(StoreError, RefusalError):
            place = find_one(self._store.root, self.name)
            digest = digest_of(read_tree(place.folder, self.name) if place else {})
            if digest != self.digest:
                return  # the change stands, or the next look at the folder tells what does
            facts = {"record": record.seq, "reason": "the files could not be replaced"}
            draft = Draft("aborted", self.key, RECOVERY, facts=facts, body={"after": digest})
            self._store.ledger.append([draft], digests={self.key: digest})


def _whole(record: Record) -> bool:
    """Whether a record tells of a whole folder that somebody else left."""
    return record.event == "outside" and record.facts.get("late") is not True


def _free(folder: Path, name: str) -> Path:
    """A name in the archive that is not taken."""
    number = 1
    while (path := folder / (name if number == 1 else f"{name}~{number}")).exists() or path.is_symlink():
        number += 1
    return path
