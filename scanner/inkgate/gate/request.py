"""What a writer asks the gate for, and what the gate answers."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from types import MappingProxyType

from inkgate.lean import Any, Generic, TypeVar, dataclass, field
from inkgate.model import Finding, Target, Verdict
from inkgate.store.origin import Origin
from inkgate.store.plan import Action, Change, Operation

__all__ = ["Answer", "Decision", "Outcome", "Request"]

CONTEXT = 200


@dataclass(frozen=True, slots=True)
class Request:
    """One write.

    Attributes:
        target: which text.
        operations: one step, or the steps of a batch.
        batch: whether it is a batch: all or nothing, judged by its final size.
        origin: who asks, from which source.
        seen: the entries that the writer has been shown; None when that is not known. A piece of text that names an
            entry which somebody else wrote meanwhile, and which the writer has not seen, is a conflict.
        context: what else the host knows about the call: ids of the turn, the task, the tool call. It is recorded and
            mirrored, `CONTEXT` characters of each value; never a text.
    """

    target: Target
    operations: tuple[Operation, ...]
    batch: bool = False
    origin: Origin = field(default_factory=Origin)
    seen: AbstractSet[str] | None = None
    context: Mapping[str, str] = field(default_factory=dict)

    @property
    def facts(self) -> dict[str, Any]:
        """The context as the ledger keeps it; nothing when there is none."""
        told = {str(name): str(value)[:CONTEXT] for name, value in self.context.items() if value}
        return {"context": told} if told else {}

    @property
    def destructive(self) -> bool:
        """Whether it replaces or removes anything."""
        return any(operation.action is not Action.ADD for operation in self.operations)

    @property
    def action(self) -> str:
        """`batch`, or the action of the one operation."""
        return "batch" if self.batch else str(self.operations[0].action)


class Outcome(enum.StrEnum):
    """What became of a request."""

    SAVED = "saved"
    UNCHANGED = "unchanged"  # it asked for what is there already
    STAGED = "staged"  # waits for a person
    BLOCKED = "blocked"  # the policy forbids the text
    REFUSED = "refused"  # the store cannot do that: no match, over the cap, a conflict
    DENIED = "denied"  # a person said no
    FAILED = "failed"  # the work could not be done; nothing was saved


_VERDICTS: Mapping[Outcome, Verdict] = MappingProxyType(
    {Outcome.SAVED: Verdict.ALLOW, Outcome.UNCHANGED: Verdict.ALLOW, Outcome.STAGED: Verdict.STAGE}
)


R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Answer(Generic[R]):
    """What every gate answers, whatever it was asked.

    Attributes:
        outcome: what became of the request.
        request: the request.
        code: a stable word for programs, such as `over-cap` or `rule`; empty when it was saved.
        message: what to tell the writer; holds neither the payload nor a secret.
        hint: what to do about it.
        findings: what the rules said, with positions in the text `operation` (or in the whole).
        pending_id: id of the staged write.
        details: further facts of a refusal or of staging.
    """

    outcome: Outcome
    request: R
    code: str = ""
    message: str = ""
    hint: str = ""
    findings: tuple[Finding, ...] = ()
    pending_id: str = ""
    details: Mapping[str, Any] = field(default_factory=dict)

    @property
    def verdict(self) -> Verdict:
        """Allow, stage or block."""
        return _VERDICTS.get(self.outcome, Verdict.BLOCK)

    @property
    def saved(self) -> bool:
        """Whether the text stands as asked for: it was written, or it was there."""
        return self.outcome in (Outcome.SAVED, Outcome.UNCHANGED)


@dataclass(frozen=True, slots=True)
class Decision(Answer[Request]):
    """The memory gate's answer.

    Attributes:
        operation: number of the operation that the findings or the refusal are about, from 1; 0 for the whole.
        changes: what was done, one for each operation.
        entries: the entries as they stand after the decision.
        size: characters of the joined entries.
        cap: most characters allowed.
    """

    operation: int = 0
    changes: tuple[Change, ...] = ()
    entries: tuple[str, ...] = ()
    size: int = 0
    cap: int = 0
