"""The gate of skills: the resulting folder is scanned, a person is asked where one must be, every state is kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from inkgate.model import Finding, Target, Verdict
from inkgate.policy import Trust
from inkgate.store import files
from inkgate.store.errors import RefusalError, StoreError
from inkgate.store.files import Durability
from inkgate.store.origin import Origin
from inkgate.store.skills import (
    Listed,
    SkillAction,
    SkillPlan,
    SkillRequest,
    Skills,
    SkillTransaction,
    View,
    canonical,
    key_of,
    plan_change,
)
from inkgate.store.skills.names import check_category, check_name
from inkgate.store.skills.tree import manifest_path

from .. import wording
from ..filegate import BlockedError, FileGate, Waiting
from ..gate import Reviewer
from ..pending import PendingWrite
from ..request import Outcome
from ..screened import Screening
from ..settings import Settings
from ..tierplan import Planned, TierDecision
from .payload import from_payload, to_payload
from .screen import FolderScan, FolderScreener, check_manifest, with_secrets_blocked
from .show import diff_of

__all__ = ["SkillDecision", "SkillGate", "SkillPlanned", "SkillStatus"]

SkillDecision = TierDecision[SkillRequest]

_BLIND = frozenset({SkillAction.EDIT, SkillAction.WRITE, SkillAction.REMOVE})
"""What a writer can do to a file without knowing what it says; a patch knows, and an archived skill is as it was."""


@dataclass(frozen=True, slots=True)
class SkillPlanned(Planned):
    """What a request means for the files of a skill."""

    made: SkillPlan = field(default_factory=lambda: SkillPlan({}, {}, ()))


@dataclass(frozen=True, slots=True)
class SkillStatus:
    """The tier at a glance.

    Attributes:
        skills: in use.
        archived: put away.
        problems: cannot be used, because of links or of rights.
        pending: staged writes that wait for a person.
    """

    skills: int
    archived: int
    problems: int
    pending: int


class SkillGate(FileGate[SkillRequest]):
    """Guards the skills of one home.

    Args:
        home: the home folder: ledger, versions, staged writes, key.
        root: holds the skills; `skills` in the home when None.
        settings: the operator's settings.
        profile: `spec` or `claude-code`: which names and which front matter a skill may have.
        trust: whose skills these are; nothing in a skill can say so, and a secret blocks whoever it is.
        scan: scans a folder; the built-in scanner when None.
        durability: how much is synced before a write is acknowledged.
        lock_seconds: how long to wait for another writer.
    """

    subsystem = "skills"
    target = Target.SKILL
    remedy = "Say what to do, not whom to obey, and leave out commands that read credentials or run what they fetch."

    def __init__(
        self,
        home: Path,
        root: Path | None = None,
        *,
        settings: Settings | None = None,
        profile: str = "spec",
        trust: Trust | str = Trust.COMMUNITY,
        scan: FolderScan | None = None,
        durability: Durability = Durability.FULL,
        lock_seconds: float = files.LOCK_SECONDS,
    ) -> None:
        super().__init__(home, settings=settings, durability=durability, lock_seconds=lock_seconds)
        self.profile = profile
        self.store = Skills(root or home / "skills", home, durability=durability, lock_seconds=lock_seconds)
        self.folders = FolderScreener(self.settings.policy, Trust(trust), profile, self.accepts, scan)

    # --- writing -----------------------------------------------------------------------------------------------------

    def attempt(
        self, request: SkillRequest, found: list[Finding], reviewer: Reviewer | None
    ) -> SkillDecision | Waiting:
        """Plan, screen the resulting folder and write it, under the lock of the store."""
        if request.action is SkillAction.CREATE:
            check_name(request.name, self.profile)
            check_category(request.category)
        with self.store.begin(request.name) as transaction:
            try:
                return self._under_lock(transaction, request, found, reviewer)
            except (RefusalError, BlockedError):
                transaction.record()  # what was found about the folder is told whatever becomes of the write
                raise

    def _under_lock(
        self, transaction: SkillTransaction, request: SkillRequest, found: list[Finding], reviewer: Reviewer | None
    ) -> SkillDecision | Waiting:
        planned = self._plan(transaction, request, reviewer)
        made = planned.made
        if not made.changes:
            transaction.record(self._draft("unchanged", request))
            return TierDecision(Outcome.UNCHANGED, request)
        screening = self._screening(request, made)
        if screening.verdict is Verdict.BLOCK:
            raise BlockedError(screening, path=_place_of(screening, request.name))
        findings = (*found, *screening.findings)
        reason = "" if reviewer else self._person(request, planned, findings)
        if reason:
            transaction.record()
            return Waiting(planned, reason, findings)
        screened = self.screener.sealed(screening, canonical(made.new))
        assert screened is not None  # it was not blocked
        facts = {"approved_by": reviewer.name, "channel": reviewer.channel} if reviewer else {}
        record = transaction.commit(screened, made, request, rules=wording.rule_ids(findings), facts=facts)
        paths = tuple(f"{request.name}/{change.path}" for change in made.changes)
        return TierDecision(Outcome.SAVED, request, findings=findings, paths=paths, records=(record.seq,))

    def _plan(self, transaction: SkillTransaction, request: SkillRequest, reviewer: Reviewer | None) -> SkillPlanned:
        """What the request makes of the skill as it is read now.

        Raises:
            RefusalError: it cannot be done; see `plan_change`, and `drift`, `changed`, `front-matter`.
            NotUnderstoodError: the text cannot be stored.
            StoreError: a file cannot be read.
        """
        made = self._made(transaction, request)
        touched = {change.path: change for change in made.changes}
        if request.pins is not None:
            now = {path: file.sha256 for path, file in transaction.tree.items()}
            if request.pins.keys() != touched.keys() or any(
                now.get(path, "") != pin for path, pin in request.pins.items()
            ):
                raise RefusalError(
                    "changed",
                    "The skill has changed since the write was staged, so it was not applied.",
                    hint="Reject it, and let it be proposed again.",
                )
        elif request.action in _BLIND and request.expected is None and reviewer is None:
            drifted = sorted(transaction.drift & touched.keys())
            if drifted:
                raise RefusalError(
                    "drift",
                    f"{len(drifted)} of these files were changed outside the gate meanwhile. Nothing was changed.",
                    hint="View the skill as it is now, then write again. Every state is in its history.",
                    details={"paths": tuple(drifted)},
                )
        manifest = touched.get(manifest_path(made.new)) if made.new else None
        if manifest is not None and manifest.after is not None and request.action is not SkillAction.RESTORE:
            check_manifest(manifest.after.data.decode("utf-8"), request.name, self.profile)
        return SkillPlanned((), made.keeps, made=made)

    @staticmethod
    def _made(transaction: SkillTransaction, request: SkillRequest) -> SkillPlan:
        if request.action is SkillAction.ARCHIVE:
            if not transaction.tree:
                raise RefusalError("no-skill", f"There is no skill {request.name}.", hint="See `inkgate skill list`.")
            return SkillPlan.between(transaction.tree, {})
        if request.action is SkillAction.RESTORE:
            return SkillPlan.between(transaction.tree, transaction.files_to_restore(request.version))
        return plan_change(transaction.tree, request)

    def accepts(self, text: str, ruleset: str) -> bool:
        """Whether a person has read this text of a file and accepted it."""
        return self.accepted.holds(self.target, text, ruleset)

    def _screening(self, request: SkillRequest, made: SkillPlan) -> Screening:
        if not made.new:  # what leaves brings nothing
            return Screening(Verdict.ALLOW, (), "")
        return self.folders.folder(request.name, made.old, made.new)

    def _screen(self, request: SkillRequest) -> list[Finding]:
        """Scan what the ledger will hold beside the files: the reason, and the names."""
        found: list[Finding] = []
        for piece, text in request.pieces.items():
            if not text.strip():
                continue
            screening = self.screener.text(text, self.target, operation=1)
            screening = with_secrets_blocked(screening, self.settings.policy)
            if screening.verdict is Verdict.BLOCK:
                raise BlockedError(screening, piece=piece)
            found += screening.findings if screening.verdict is not Verdict.ALLOW else ()
        return found

    def _person(self, request: SkillRequest, planned: SkillPlanned, findings: Sequence[Finding]) -> str:
        """Why a person has to be asked; empty when nobody has to."""
        if request.action is SkillAction.RESTORE:
            return "rule" if any(item.verdict is not Verdict.ALLOW for item in findings) else "restore"
        return self._needs_person(request, planned, findings)

    def only_adds(self, request: SkillRequest, planned: Planned) -> bool:
        """Whether every file that stood there stands as it was."""
        del request
        return isinstance(planned, SkillPlanned) and planned.made.adds

    # --- a person ----------------------------------------------------------------------------------------------------

    def payload(self, request: SkillRequest, planned: Planned) -> dict[str, Any]:
        """The request as JSON values, pinned to the files as they were read."""
        assert isinstance(planned, SkillPlanned)
        values = to_payload(request, planned.made)
        return {**values, "root": str(self.store.root), "profile": self.profile}

    def restore(self, payload: Mapping[str, Any], origin: Origin) -> SkillRequest:
        """The request of a staged payload.

        Raises:
            RefusalError: the payload is no such request.
        """
        return from_payload(payload, origin)

    def key(self, name: str) -> str:
        """The ledger's key of a skill; that of the tier for a name that no store would take."""
        try:
            return key_of(check_name(name, "claude-code"))
        except RefusalError:
            return self.subsystem

    def diff(self, write: PendingWrite) -> str:
        """The full change of a staged write against the skill as it is now, secrets masked.

        Raises:
            RefusalError: it cannot be applied any more.
            StoreError: a file cannot be read.
        """
        request = self.restore(write.payload, write.origin)
        with self.store.begin(request.name) as transaction:
            made = self._made(transaction, request)
        return diff_of(request.name, made, lambda text: self.screener.masked(text, self.target))

    def summary(self, request: SkillRequest) -> str:
        """One line about a request, with secrets masked."""
        line = f"{request.action} skill {request.where}"
        if request.files:
            line += f" and {len(request.files)} files"
        return self.screener.masked(f"{line}: {request.reason}" if request.reason else line, self.target)

    # --- reading -----------------------------------------------------------------------------------------------------

    def list(self) -> tuple[Listed, ...]:
        """The skills for a prompt: a description that the rules refuse is left out, and said to be."""
        return tuple(self._shown(item) for item in self.store.list())

    def _shown(self, item: Listed) -> Listed:
        text = f"{item.name}: {item.description}"
        try:
            screening = self.screener.text(text, self.target)
        except StoreError as problem:
            return Listed("", "", item.category, str(problem))
        if screening.verdict is not Verdict.BLOCK:
            return item
        rules = ", ".join(wording.rule_ids(screening.findings)) or "unread"
        return replace(item, description="", problem=f"its description was left out: {rules}")

    def view(self, name: str, path: str | None = None, *, start: int | None = None) -> View:
        """A file of a skill for a model; see `Skills.view`.

        Raises:
            RefusalError: as `Skills.view`; `poisoned`: the rules refuse what stands there.
            StoreError: it cannot be read, or cannot be scanned.
        """
        view = self.store.view(name, path, start=start)
        screening = self.screener.text(view.text or "", self.target)
        if screening.verdict is Verdict.BLOCK:
            rules = ", ".join(wording.rule_ids(screening.findings)) or "unread"
            raise RefusalError(
                "poisoned",
                f"{name}/{view.path} is not shown: {rules}.",
                hint="A person can look at it with `inkgate skill view`, and archive the skill.",
            )
        return view

    def status(self) -> SkillStatus:
        """Skills, archived ones, those that cannot be used, and staged writes; no file of a skill is read."""
        counts = self.store.counts()
        return SkillStatus(counts.skills, counts.archived, counts.problems, len(self.pending.writes(self.subsystem)))


def _place_of(screening: Screening, name: str) -> str:
    """The file that the worst finding is in."""
    return wording.worst_finding(screening.findings).source if screening.findings else name
