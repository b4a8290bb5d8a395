"""When two writers disagree: nothing is overwritten, both texts are kept side by side for a person."""

from __future__ import annotations

from collections.abc import Callable

from inkgate.lean import TYPE_CHECKING, Any, replace
from inkgate.model import Verdict
from inkgate.store.chain import Draft
from inkgate.store.entries import fold_line_ends
from inkgate.store.errors import RefusalError, StoreError
from inkgate.store.memory import FILES, Transaction
from inkgate.store.origin import Origin
from inkgate.store.plan import Action, Operation, find_entry, plan, shown
from inkgate.store.provenance import Version, history

from . import wording
from .arguments import to_payload
from .request import Decision, Outcome, Request

if TYPE_CHECKING:
    from .gate import Gate

__all__ = ["guard", "refuse"]


def guard(transaction: Transaction, request: Request) -> Callable[[Operation, str], None]:
    """A check of each stored entry that a step is about to touch: has somebody else changed it under the writer?

    Giving the whole entry as `old_text` proves that the writer knows it.
    """

    def check(operation: Operation, entry: str) -> None:
        known = request.seen is not None and entry in request.seen
        whole = fold_line_ends(operation.old_text.strip()) == fold_line_ends(entry)
        if known or whole or operation.pinned is not None:
            return
        if transaction.is_foreign(entry):
            raise RefusalError("drift", "The entry was changed outside this tool.")
        other = _other_writer(transaction, request, entry)
        if other is not None:
            message = "The entry was written by another session."
            raise RefusalError("overtaken", message, details={"overtaken_by": other.author})

    return check


def _other_writer(transaction: Transaction, request: Request, entry: str) -> Origin | None:
    """Who wrote an entry that a writer has not seen although it knows what it has seen; None when that was itself."""
    if request.seen is None:
        return None
    origin = transaction.writer_of(entry)
    same = origin is None or (origin.author, origin.session) == (request.origin.author, request.origin.session)
    return None if same else origin


def refuse(gate: Gate, transaction: Transaction, request: Request, problem: RefusalError) -> Decision:
    """The decision on a plan that the store refuses, with everything set aside that would else be lost."""
    details: dict[str, Any] = dict(problem.details)
    message, hint = _discreet(gate, request, problem), problem.hint
    if problem.code == "over-cap":
        message, hint = wording.over_cap(request, problem)
    elif problem.code == "would-empty":
        message = message.replace("the store", f"{FILES[request.target]}")
    elif problem.code == "drift":
        backup = _set_aside(transaction)
        message, hint = wording.drifted(request.target, backup)
        details |= {"backup": backup, "conflict_id": _quarantine(gate, transaction, request)}
    elif problem.code == "overtaken":
        message, hint = wording.overtaken(request)
        details["conflict_id"] = _quarantine(gate, transaction, request)
    elif problem.code == "no-match" and not request.batch:
        details |= _overtaken(gate, transaction, request)
    facts = {"code": problem.code, "actions": [str(operation.action) for operation in request.operations]}
    conflict_id = details.get("conflict_id")
    transaction.record(
        Draft("refuse", request.target, request.origin, facts=facts | ({"pending": conflict_id} if conflict_id else {}))
    )
    stored = transaction.stored
    return Decision(
        Outcome.REFUSED, request, problem.code, message, hint,
        operation=details.get("operation", 0), entries=stored.entries, size=stored.size,
        cap=gate.settings.of(request.target).cap, details={key: value for key, value in details.items() if value},
    )  # fmt: skip


def _discreet(gate: Gate, request: Request, problem: RefusalError) -> str:
    """The message of a refusal; a piece of text that the rules object to, or that holds a secret, is not repeated."""
    message = str(problem)
    if not request.operations:
        return message
    named = request.operations[max(problem.details.get("operation", 0), 1) - 1].old_text
    if not named or shown(named) not in message:
        return message
    screening = gate.screener.text(named, request.target)
    if screening.verdict is Verdict.ALLOW and screening.complete:
        return message.replace(shown(named), shown(gate.screener.masked(named, request.target)))
    return message.replace(shown(named), "(not repeated)")


def _set_aside(transaction: Transaction) -> str:
    try:
        return str(transaction.set_aside())
    except StoreError as problem:
        return f"(no copy could be made: {problem})"


def _quarantine(gate: Gate, transaction: Transaction, request: Request) -> str:
    """Stage the writer's side of a conflict, pinned to the other side."""
    try:
        made = plan(
            transaction.entries,
            request.operations,
            cap=gate.settings.of(request.target).cap,
            batch=request.batch,
        )
    except RefusalError:
        return ""  # it could not be applied anyway; the other side is safe in the file
    kept = gate.pending.stage(
        "memory", to_payload(request, made.changes), action="conflict", summary=gate.summary(request),
        origin=request.origin, reason="conflict",
    )  # fmt: skip
    return kept.id


def _overtaken(gate: Gate, transaction: Transaction, request: Request) -> dict[str, Any]:
    """What to say when the entry that the writer means was meanwhile replaced by another writer."""
    operation = request.operations[0]
    if request.seen is None or operation.action is not Action.REPLACE:
        return {}
    try:
        meant = find_entry(sorted(request.seen), operation.old_text)
    except RefusalError:
        return {}
    version = _successor(gate, request, meant)
    if version is None or version.text not in transaction.stored.entries:
        return {}
    steps = (replace(operation, old_text=version.text or "", pinned=version.text),)
    rebased = replace(request, operations=steps)
    return {"overtaken_by": version.origin.author, "conflict_id": _quarantine(gate, transaction, rebased)}


def _successor(gate: Gate, request: Request, meant: str) -> Version | None:
    versions = history(gate.store.ledger.records(), request.target)
    gone = next((item for item in reversed(versions) if item.text == meant and item.successor is not None), None)
    return next((item for item in reversed(versions) if gone is not None and item.text == gone.successor), None)
