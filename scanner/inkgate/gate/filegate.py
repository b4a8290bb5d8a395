"""What the gates of all tiers that are made of files have in common: the way of a write, and what a person decides.

A tier says how a request is tried under its lock, and how it is kept for a person; everything else is here, once: the
screening of what the writer brings, block, stage or allow, the question to a person, what an unattended writer may do,
the replay of a staged write, the ledger.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

from inkgate.model import Finding, InkgateError, Target, Verdict
from inkgate.store import files
from inkgate.store.chain import Draft
from inkgate.store.errors import NotUnderstoodError, RefusalError, StoreError
from inkgate.store.files import Durability
from inkgate.store.ledger import Ledger
from inkgate.store.memory import LEDGER
from inkgate.store.origin import Origin

from . import wording
from .decided import refuse_decided
from .gate import Approver, Question, Reviewer
from .guards import Guards
from .pending import PendingWrite
from .request import Outcome
from .screened import Scanner, Screening
from .settings import Settings
from .tierplan import Planned, TierDecision, TierRequest

__all__ = ["BlockedError", "FileGate", "Waiting"]


Q = TypeVar("Q", bound=TierRequest)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A write that could be made, if a person agrees."""

    planned: Planned
    reason: str
    findings: tuple[Finding, ...]


class BlockedError(Exception):
    """A turn of the way: the policy forbids a text that the writer brings (`piece`), or a resulting file (`path`)."""

    def __init__(self, screening: Screening, piece: str = "", path: str = "") -> None:
        super().__init__(piece or path)
        self.screening = screening
        self.piece = piece
        self.path = path


class FileGate(ABC, Generic[Q]):
    """Guards one tier of one home.

    Args:
        home: the home folder: ledger, staged writes, key.
        settings: the operator's settings.
        scan: the scanner, as `(text, target) -> ScanResult`; the built-in one under the settings' policy when None.
        approver: asks a person who is present; None where there is none.
        durability: how much is synced before a write is acknowledged.
        lock_seconds: how long to wait for another writer.
    """

    subsystem: ClassVar[str]  # names the folder of staged writes, and the first part of the ledger's keys
    target: ClassVar[Target]
    remedy: ClassVar[str] = "State the fact in your own words, without the instruction."

    def __init__(
        self,
        home: Path,
        *,
        settings: Settings | None = None,
        scan: Scanner | None = None,
        approver: Approver | None = None,
        durability: Durability = Durability.FULL,
        lock_seconds: float = files.LOCK_SECONDS,
    ) -> None:
        self.home = home
        self.settings = settings or Settings()
        self.approver = approver
        self.ledger = Ledger(home / LEDGER, durability=durability, lock_seconds=lock_seconds)
        self.accepted, self.pending, self.screener = Guards.of(home, self.settings, scan)
        self._session_yes: set[str] = set()

    # --- what a tier says --------------------------------------------------------------------------------------------

    @abstractmethod
    def attempt(self, request: Q, found: list[Finding], reviewer: Reviewer | None) -> TierDecision[Q] | Waiting:
        """Plan the request under the tier's lock, screen the result, and write it unless a person has to be asked.

        Args:
            request: what to do; the texts that it brings are screened.
            found: what was found in them, and does not block.
            reviewer: the person who has agreed; None where nobody has.

        Raises:
            BlockedError: the policy forbids the result.
            RefusalError: the tier cannot do that.
            NotUnderstoodError: the text cannot be stored.
            StoreError: the disk is in the way.
        """

    @abstractmethod
    def payload(self, request: Q, planned: Planned) -> dict[str, Any]:
        """The request as JSON values, pinned to the files as they were read, for a replay."""

    @abstractmethod
    def restore(self, payload: Mapping[str, Any], origin: Origin) -> Q:
        """The request of a staged payload.

        Raises:
            RefusalError: the payload is no such request.
        """

    @abstractmethod
    def key(self, name: str) -> str:
        """The ledger's key of a note or skill; that of the tier for a name that no store would take."""

    @abstractmethod
    def diff(self, write: PendingWrite) -> str:
        """The full change of a staged write, as a unified diff against the files as they are now, secrets masked.

        Raises:
            RefusalError: it cannot be applied to them any more.
            StoreError: a file cannot be read.
        """

    def checked(self, request: Q) -> Q:
        """The request in its whole form.

        Raises:
            RefusalError: it has none.
        """
        return request

    # --- the one way in ----------------------------------------------------------------------------------------------

    def submit(self, request: Q) -> TierDecision[Q]:
        """Decide on a write, and make it when it is allowed. Never raises for what a writer or a disk can do."""
        return self._enter(request, None)

    def replay(self, request: Q, reviewer: Reviewer) -> TierDecision[Q]:
        """Make a write that a person has agreed to, if it can still be made as it was shown."""
        return self._enter(request, reviewer)

    def _enter(self, request: Q, reviewer: Reviewer | None) -> TierDecision[Q]:
        try:
            request = self.checked(request)
        except RefusalError as problem:
            return self._recorded(request, Outcome.REFUSED, problem.code, str(problem), problem.hint)
        answer = self.decide(request, reviewer)
        return self._ask_or_stage(request, answer) if isinstance(answer, Waiting) else answer

    def decide(self, request: Q, reviewer: Reviewer | None) -> TierDecision[Q] | Waiting:
        """One pass of the gate; with a reviewer nothing has to wait, but what the policy forbids stays forbidden."""
        if not self.settings.of(self.target).enabled:
            message = f"Writes to the {self.subsystem} are disabled in the settings."
            return self._recorded(request, Outcome.REFUSED, "disabled", message)
        try:
            try:
                findings = self._screen(request)
                return self.attempt(request, findings, reviewer)
            except BlockedError as blocked:
                return self._blocked(request, blocked)
        except (RefusalError, NotUnderstoodError) as problem:
            code = problem.code if isinstance(problem, RefusalError) else "not-understood"
            details = problem.details if isinstance(problem, RefusalError) else {}
            answer = self._recorded(request, Outcome.REFUSED, code, str(problem), problem.hint)
            return replace(answer, details=details)
        except StoreError as problem:
            return self._failed(request, problem)

    def _screen(self, request: Q) -> list[Finding]:
        """Scan each text that the writer brings by itself."""
        found: list[Finding] = []
        for piece, text in request.pieces.items():
            if text.strip():
                screening = self.screener.text(text, self.target, operation=1)
                if screening.verdict is Verdict.BLOCK:
                    raise BlockedError(screening, piece=piece)
                found += screening.findings if screening.verdict is not Verdict.ALLOW else ()
        return found

    def only_adds(self, request: Q, planned: Planned) -> bool:
        """Whether an unattended writer may make this write without a person."""
        del planned
        return request.adds

    def _needs_person(self, request: Q, planned: Planned, findings: Sequence[Finding]) -> str:
        if any(finding.verdict is not Verdict.ALLOW for finding in findings):
            return "rule"
        if planned.refusal is not None:
            return ""
        agreed = request.origin.session in self._session_yes and not request.origin.background
        if self.settings.of(self.target).approval and not agreed:
            return "approval"
        adds = self.only_adds(request, planned)
        if request.origin.unattended and not adds and not (self.settings.preserve and planned.keeps):
            return "unattended"
        return ""

    # --- a person ----------------------------------------------------------------------------------------------------

    def _ask_or_stage(self, request: Q, waiting: Waiting) -> TierDecision[Q]:
        if self.approver is not None and not request.origin.background:
            answer = self._ask(self.approver, request, waiting)
            if answer in ("once", "session"):
                if answer == "session" and waiting.reason == "approval":
                    self._session_yes.add(request.origin.session)
                return self.replay(self._pinned(request, waiting.planned), Reviewer("user", "inline"))
            if answer == "deny":
                return self._recorded(request, Outcome.DENIED, "denied", wording.denied(self.target))
        return self.stage(request, waiting.planned, waiting.reason, waiting.findings)

    def _ask(self, approver: Approver, request: Q, waiting: Waiting) -> str:
        edits = [edit for edit in waiting.planned.edits if edit.real]
        before = tuple((edit.before or b"").decode("utf-8") for edit in edits if edit.before is not None)
        after = tuple(edit.after for edit in edits)
        try:
            answer = approver(Question(self.target, request.action, before, after, waiting.reason))
        except Exception:  # noqa: BLE001 - no answer means that the write waits
            return ""
        return answer if isinstance(answer, str) else ""

    def _pinned(self, request: Q, planned: Planned) -> Q:
        return self.restore(self.payload(request, planned), request.origin)

    def stage(
        self, request: Q, planned: Planned, reason: str, findings: tuple[Finding, ...] = (), action: str = ""
    ) -> TierDecision[Q]:
        """Keep a scanned, pinned write for a person."""
        rules = wording.rule_ids(findings)
        try:
            kept = self.pending.stage(
                self.subsystem, self.payload(request, planned), action=action or request.action,
                summary=self.summary(request), origin=request.origin, reason=reason, rules=rules,
            )  # fmt: skip
            facts = {"pending": kept.id, "reason": reason}
            self.ledger.append([self._draft("stage", request, rules=rules, facts=facts)])
        except StoreError as problem:
            return self._failed(request, problem)
        return TierDecision(
            Outcome.STAGED, request, reason, wording.staged(kept.id, reason, self.target, rules),
            findings=findings, pending_id=kept.id, details=planned.details,
        )  # fmt: skip

    def approve(self, pending_id: str, reviewer: Reviewer) -> TierDecision[Q]:
        """Apply a staged write as it was shown, scanned again under today's rules; it stays staged when it fails.

        Raises:
            PendingError: there is no such write, it has expired, its record was changed, or it was decided before.
        """
        write = self.pending.get(self.subsystem, pending_id)
        refuse_decided(self.ledger, write)
        request = self.restore(write.payload, write.origin)
        decision = self.replay(request, reviewer)
        if decision.saved:
            self._by_person("approve", request.name, reviewer, pending_id)
            self.pending.remove(self.subsystem, pending_id)
        return decision

    def reject(self, pending_id: str, reviewer: Reviewer) -> None:
        """Drop a staged write, trustworthy or not.

        Raises:
            PendingError: there is none with this id.
        """
        self.pending.remove(self.subsystem, pending_id)
        self._by_person("reject", "", reviewer, pending_id)

    def _by_person(self, event: str, name: str, reviewer: Reviewer, pending_id: str) -> None:
        key = self.key(name) if name else self.subsystem
        origin = Origin(reviewer.name, reviewer.channel)
        self.ledger.append([Draft(event, key, origin, facts={"pending": pending_id})])

    def summary(self, request: Q) -> str:
        """One line about a request, with secrets masked."""
        text = self.screener.masked(next(iter(request.pieces.values()), ""), self.target)
        return f"{request.action} {self.target} {self.screener.masked(request.name, self.target)}: {text}"

    # --- answers -----------------------------------------------------------------------------------------------------

    def _blocked(self, request: Q, blocked: BlockedError) -> TierDecision[Q]:
        screening = blocked.screening
        rules = wording.rule_ids(screening.findings)
        places = [[item.rule, item.start, item.end] for item in screening.findings if item.verdict is Verdict.BLOCK]
        facts = {"piece": blocked.piece, "places": places[:20], "complete": screening.complete}
        draft = self._draft("block", request, rules=rules, ruleset=screening.ruleset, facts=facts)
        try:
            self.ledger.append([replace(draft, origin=self._clean_origin(request.origin))])
        except StoreError as problem:
            return self._failed(request, problem)
        message, hint = wording.blocked_file(screening, blocked.piece, blocked.path, self.remedy)
        return TierDecision(
            Outcome.BLOCKED, request, "rule" if screening.complete else "unread", message, hint,
            screening.findings, piece=blocked.piece, path=blocked.path,
        )  # fmt: skip

    def _clean(self, text: str) -> bool:
        return self.screener.text(text, self.target).verdict is Verdict.ALLOW

    def _clean_origin(self, origin: Origin) -> Origin:
        """The origin of a blocked write, without what may have caused the block: the ledger keeps it for ever."""
        author, source, session = (
            text if self._clean(text) else "[not shown]" for text in (origin.author, origin.source, origin.session)
        )
        return replace(origin, author=author, source=source, session=session)

    def _recorded(self, request: Q, outcome: Outcome, code: str, message: str, hint: str = "") -> TierDecision[Q]:
        event = "deny" if outcome is Outcome.DENIED else "refuse"
        try:
            self.ledger.append([self._draft(event, request, facts={"code": code})])
        except StoreError as problem:
            return self._failed(request, problem)
        return TierDecision(outcome, request, code, message, hint)

    @staticmethod
    def _failed(request: Q, problem: InkgateError) -> TierDecision[Q]:
        code = problem.code if isinstance(problem, StoreError) else "failed"
        return TierDecision(Outcome.FAILED, request, code, str(problem), problem.hint)

    def _draft(
        self,
        event: str,
        request: Q,
        *,
        rules: tuple[str, ...] = (),
        ruleset: str = "",
        facts: Mapping[str, Any] | None = None,
    ) -> Draft:
        """A record about a request. A name that no store would take, or that a rule doubts, is not in it."""
        key = self.key(request.name) if self._clean(request.name) else self.subsystem
        action = request.action if self._clean(request.action) else "[not shown]"
        return Draft(event, key, request.origin, rules, ruleset, {"action": action, **(facts or {})})
