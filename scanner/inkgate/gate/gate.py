"""The gate: one `submit`, one commit point. Whoever writes (a tool call, an approval, the command line) passes here."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from pathlib import Path

from inkgate.lean import Any, dataclass, replace
from inkgate.model import Finding, InkgateError, Target, Verdict
from inkgate.store import files
from inkgate.store.chain import Draft
from inkgate.store.entries import check_entry, join
from inkgate.store.errors import NotUnderstoodError, RefusalError, StoreError, UnreadableError
from inkgate.store.files import Durability
from inkgate.store.memory import FILES, MemoryStore, Transaction
from inkgate.store.origin import OUTSIDE
from inkgate.store.plan import Action, Plan, plan

from . import conflict, wording
from .arguments import to_payload
from .guards import Guards
from .mirror import Mirror
from .request import Decision, Outcome, Request
from .screened import Scanner, Screening
from .settings import Settings
from .snapshot import Snapshot, marker, render
from .unattended import independent_adds, preserves

__all__ = ["Approver", "Gate", "Question", "Reviewer"]

SUBSYSTEM = "memory"


@dataclass(frozen=True, slots=True)
class Reviewer:
    """A person who decides, and the channel that proves one: never made from the arguments of a tool call."""

    name: str
    channel: str


@dataclass(frozen=True, slots=True)
class Question:
    """What an inline approver is asked about; secrets are masked.

    Attributes:
        target: which text.
        action: add, replace, remove or batch.
        before: the entries that would go.
        after: the entries that would come.
        reason: why it is asked: `approval`, `unattended` or `rule`.
        rules: ids of the rules that had something to say.
    """

    target: Target
    action: str
    before: tuple[str, ...]
    after: tuple[str, ...]
    reason: str
    rules: tuple[str, ...] = ()


Approver = Callable[[Question], str]  # answers once, session or deny; anything else, and any error, stages


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A write that could be made, if a person agrees."""

    plan: Plan
    reason: str
    findings: tuple[Finding, ...]


class Gate:
    """Guards the memory of one home.

    Args:
        home: the home folder.
        settings: the operator's settings.
        scan: the scanner, as `(text, target) -> ScanResult`; the built-in one under the settings' policy when None.
        approver: asks a person who is present; None where there is none.
        mirror: receives every committed change.
        durability: how much is synced before a write is acknowledged.
        lock_seconds: how long to wait for another writer.
    """

    def __init__(
        self,
        home: Path,
        *,
        settings: Settings | None = None,
        scan: Scanner | None = None,
        approver: Approver | None = None,
        mirror: Mirror | None = None,
        durability: Durability = Durability.FULL,
        lock_seconds: float = files.LOCK_SECONDS,
    ) -> None:
        self.settings = settings or Settings()
        self.approver = approver
        self.mirror = mirror
        self.store = MemoryStore(home, caps=self.settings.caps, durability=durability, lock_seconds=lock_seconds)
        self.accepted, self.pending, self.screener = Guards.of(home, self.settings, scan)
        if mirror is not None:
            mirror.attach(self.store, self.screener)
        self._session_yes: set[tuple[str, Target]] = set()
        self._late: set[Target] = set()

    # --- the one way in ----------------------------------------------------------------------------------------------

    def submit(self, request: Request) -> Decision:
        """Decide on a write, and make it when it is allowed. Never raises for what a writer or a disk can do."""
        answer = self.decide(request, None)
        if isinstance(answer, _Waiting):
            answer = self._ask_or_stage(request, answer)
        return answer

    def decide(self, request: Request, reviewer: Reviewer | None) -> Decision | _Waiting:
        """One pass of the gate; with a reviewer nothing has to wait, but what the policy forbids stays forbidden."""
        if not self.settings.of(request.target).enabled or request.target not in FILES:
            return self._refused(request, RefusalError("disabled", wording.disabled(request.target)))
        try:
            screenings = self._screen(request)
            bad = _bad(screenings)
            if bad is not None:
                return self._blocked(request, bad, None)
            with self.store.begin(request.target) as transaction:
                answer = self._under_lock(transaction, request, screenings, reviewer)
        except (RefusalError, NotUnderstoodError) as problem:
            return self._refused(request, problem)
        except StoreError as problem:
            return self._failed(request, problem)
        except OSError as error:  # a folder that is a file, a disk that vanished: whatever it is, it is no success
            return self._failed(request, StoreError(f"The memory cannot be used: {error.strerror}."))
        if isinstance(answer, Decision) and answer.outcome is Outcome.SAVED and self.mirror is not None:
            self.mirror.committed(request, answer)
        self._bring_over()
        return answer

    def _bring_over(self) -> None:
        """Keep what others wrote into a file while it was being replaced."""
        while self._late:
            target = self._late.pop()
            self.decide(Request(target, (), batch=True, origin=OUTSIDE), Reviewer("inkgate", "recovery"))

    def _screen(self, request: Request) -> list[Screening]:
        """Scan each new text by itself, whatever it is called in the request."""
        screenings = []
        for number, operation in enumerate(request.operations, 1):
            if operation.action is Action.REMOVE:
                continue
            try:
                entry = check_entry(operation.content)
            except NotUnderstoodError as problem:
                raise _numbered(problem, number, request) from problem
            screenings.append(self.screener.text(entry, request.target, operation=number))
        return screenings

    def _under_lock(
        self, transaction: Transaction, request: Request, screenings: list[Screening], reviewer: Reviewer | None
    ) -> Decision | _Waiting:
        cap = self.settings.of(request.target).cap
        entries = transaction.entries
        try:
            guard = None if reviewer else conflict.guard(transaction, request)
            made = plan(entries, request.operations, cap=cap, batch=request.batch, guard=guard)
        except RefusalError as problem:
            return conflict.refuse(self, transaction, request, problem)
        if not made.real and not transaction.recovered:
            transaction.record(self._draft("unchanged", request))
            return self._decision(Outcome.UNCHANGED, request, made)
        whole, screened = self.screener.whole(made, request.target)
        if screened is None:
            return self._blocked(request, whole, transaction)
        if any(screening.ruleset != whole.ruleset for screening in screenings):  # the rules changed meanwhile
            screenings = self._screen(request)
            bad = _bad(screenings)
            if bad is not None:
                return self._blocked(request, bad, transaction)
        findings = tuple(finding for screening in (*screenings, whole) for finding in screening.findings)
        verdict = max((item.verdict for item in (*screenings, whole)), key=lambda item: item.rank)
        reason = "" if reviewer else self._needs_person(request, made, verdict)
        if reason:
            return _Waiting(made, reason, findings)
        facts = {"approved_by": reviewer.name, "channel": reviewer.channel} if reviewer else {}
        transaction.commit(
            screened, made, request.origin, rules=wording.rule_ids(findings), facts=request.facts | facts
        )
        if transaction.late():
            self._late.add(request.target)
        return self._decision(Outcome.SAVED, request, made, findings=findings)

    def _needs_person(self, request: Request, made: Plan, verdict: Verdict) -> str:
        if verdict is Verdict.STAGE:
            return "rule"
        agreed = (request.origin.session, request.target) in self._session_yes and not request.origin.background
        if self.settings.of(request.target).approval and not agreed:
            return "approval"
        if request.origin.unattended and request.destructive and not (self.settings.preserve and preserves(made)):
            return "unattended"
        return ""

    # --- a person ----------------------------------------------------------------------------------------------------

    def _ask_or_stage(self, request: Request, waiting: _Waiting) -> Decision:
        if self.approver is not None and not request.origin.background:
            answer = self._ask(self.approver, request, waiting)
            if answer in ("once", "session"):
                if answer == "session" and waiting.reason == "approval":
                    self._session_yes.add((request.origin.session, request.target))
                return self.replay(pinned(request, waiting.plan), Reviewer("user", "inline"))
            if answer == "deny":
                return self._recorded(request, Outcome.DENIED, "denied", wording.denied(request.target))
        if waiting.reason == "unattended":
            return self._propose(request)
        return self.stage(request, waiting)

    def _ask(self, approver: Approver, request: Request, waiting: _Waiting) -> str:
        target, changes = request.target, waiting.plan.changes
        before = tuple(self.screener.masked(item.before, target) for item in changes if item.before is not None)
        after = tuple(self.screener.masked(item.after, target) for item in changes if item.after is not None)
        rules = wording.rule_ids(waiting.findings)
        try:
            answer = approver(Question(target, request.action, before, after, waiting.reason, rules))
        except Exception:  # noqa: BLE001 - no answer means that the write waits
            return ""
        return answer if isinstance(answer, str) else ""

    def replay(self, request: Request, reviewer: Reviewer) -> Decision:
        """Make a write that a person has agreed to, if it can still be made as it was shown."""
        answer = self.decide(request, reviewer)
        assert isinstance(answer, Decision)  # nothing waits once a reviewer has decided
        return answer

    def _propose(self, request: Request) -> Decision:
        """Save what an unattended batch may add, and stage the whole as a proposal."""
        saved = 0
        for add in independent_adds(request.operations) if request.batch else ():
            answer = self.decide(replace(request, operations=(add,), batch=False), None)
            saved += isinstance(answer, Decision) and answer.outcome is Outcome.SAVED
        waiting = self.decide(request, None)
        details = {"proposal_staged": True, "additions_saved": saved}
        if isinstance(waiting, Decision):
            return replace(waiting, details={**waiting.details, "additions_saved": saved})
        return self.stage(request, waiting, details)

    def stage(self, request: Request, waiting: _Waiting, details: dict[str, Any] | None = None) -> Decision:
        """Keep a scanned, pinned write for a person."""
        rules = wording.rule_ids(waiting.findings)
        try:
            kept = self.pending.stage(
                SUBSYSTEM,
                to_payload(request, waiting.plan.changes),
                action=request.action,
                summary=self.summary(request),
                origin=request.origin,
                reason=waiting.reason,
                rules=rules,
            )
            facts = {"pending": kept.id, "reason": waiting.reason}
            self.store.ledger.append([self._draft("stage", request, rules=rules, facts=facts)])
        except StoreError as problem:
            return self._failed(request, problem)
        message = wording.staged(kept.id, waiting.reason, request.target, rules)
        return replace(
            self._decision(Outcome.STAGED, request, None, findings=waiting.findings),
            code=waiting.reason, message=message, pending_id=kept.id, details=details or {},
        )  # fmt: skip

    def summary(self, request: Request) -> str:
        """One line about a request, with secrets masked."""
        first = request.operations[0]
        text = self.screener.masked(first.content or first.old_text, request.target)
        if request.batch:
            text = f"{len(request.operations)} operations: {text}"
        return f"{request.action} {request.target}: {text}"

    # --- what a model or a person sees -------------------------------------------------------------------------------

    def snapshot(self, target: Target) -> Snapshot:
        """The target for the prompt, poison left out; an unreadable file renders as nothing, with a warning."""
        self._late |= {late for late in self.store.sweep() if self.settings.of(late).enabled}
        with contextlib.suppress(OSError):  # a folder that cannot be written holds what it holds
            self.pending.sweep()
        self._bring_over()
        try:
            entries = self.store.read(target).entries
        except UnreadableError as problem:
            return Snapshot("", (str(problem),))
        return render(entries, target, self.settings.of(target).cap, self.screener.poisoned(entries, target))

    def inventory(self, entries: tuple[str, ...], target: Target) -> list[str]:
        """The entries as a model may see them: poison masked."""
        poisoned = self.screener.poisoned(entries, target)
        return [marker(target, poisoned[entry]) if entry in poisoned else entry for entry in entries]

    # --- answers -----------------------------------------------------------------------------------------------------

    def _decision(
        self, outcome: Outcome, request: Request, made: Plan | None, *, findings: tuple[Finding, ...] = ()
    ) -> Decision:
        entries = made.new if made else self._entries(request.target)
        changes = made.changes if made else ()
        cap = self.settings.of(request.target).cap
        return Decision(
            outcome, request, findings=findings, changes=changes, entries=entries, size=len(join(entries)), cap=cap
        )

    def _entries(self, target: Target) -> tuple[str, ...]:
        try:
            return self.store.read(target).entries if target in FILES else ()
        except StoreError:
            return ()

    def _blocked(self, request: Request, screening: Screening, transaction: Transaction | None) -> Decision:
        rules = wording.rule_ids(screening.findings)
        places = [[item.rule, item.start, item.end] for item in screening.findings if item.verdict is Verdict.BLOCK]
        facts = {"operation": screening.operation, "places": places[:20], "complete": screening.complete}
        draft = self._draft("block", request, rules=rules, ruleset=screening.ruleset, facts=facts)
        self._tell(draft, transaction)
        message, hint = wording.blocked(screening, request)
        return replace(
            self._decision(Outcome.BLOCKED, request, None, findings=screening.findings),
            code="rule" if screening.complete else "unread",
            message=message, hint=hint, operation=screening.operation,
        )  # fmt: skip

    def _refused(self, request: Request, problem: RefusalError | NotUnderstoodError) -> Decision:
        code = problem.code if isinstance(problem, RefusalError) else "not-understood"
        return self._recorded(request, Outcome.REFUSED, code, str(problem), problem.hint)

    def _recorded(self, request: Request, outcome: Outcome, code: str, message: str, hint: str = "") -> Decision:
        event = "deny" if outcome is Outcome.DENIED else "refuse"
        try:
            self.store.ledger.append([self._draft(event, request, facts={"code": code})])
        except StoreError as problem:
            return self._failed(request, problem)
        return replace(self._decision(outcome, request, None), code=code, message=message, hint=hint)

    def _failed(self, request: Request, problem: InkgateError) -> Decision:
        code = problem.code if isinstance(problem, StoreError) else "failed"
        return replace(
            self._decision(Outcome.FAILED, request, None), code=code, message=str(problem), hint=problem.hint
        )

    def _tell(self, draft: Draft, transaction: Transaction | None) -> None:
        if transaction is None:
            self.store.ledger.append([draft])
        else:
            transaction.record(draft)

    def _draft(
        self,
        event: str,
        request: Request,
        *,
        rules: tuple[str, ...] = (),
        ruleset: str = "",
        facts: Any = None,
    ) -> Draft:
        about = {
            "actions": [str(operation.action) for operation in request.operations],
            **request.facts,
            **(facts or {}),
        }
        return Draft(event, request.target, request.origin, rules=rules, ruleset=ruleset, facts=about)


def pinned(request: Request, made: Plan) -> Request:
    """The request with every destructive step pinned to the entry that it touches."""
    steps = tuple(
        operation if operation.action is Action.ADD else replace(operation, pinned=change.before)
        for operation, change in zip(request.operations, made.changes, strict=True)
    )
    return replace(request, operations=steps)


def _numbered(problem: NotUnderstoodError, number: int, request: Request) -> NotUnderstoodError:
    if not request.batch:
        return problem
    message = f"Operation {number}: {problem} No operations were applied (batch is all-or-nothing)."
    return NotUnderstoodError(message, hint=problem.hint)


def _bad(screenings: Iterable[Screening]) -> Screening | None:
    """The first screening of a text that is blocked."""
    return next((screening for screening in screenings if screening.verdict is Verdict.BLOCK), None)
