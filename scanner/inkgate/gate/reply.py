"""Decisions as the dictionaries that a model reads, with the field names that agents of this family know."""

from __future__ import annotations

from collections.abc import Mapping

from inkgate.lean import Any
from inkgate.store.plan import Action, preview

from .gate import Gate
from .request import Decision, Outcome
from .snapshot import marker, usage

__all__ = ["STOP", "to_reply"]

_NOTE = "Write saved. This update is complete — do not repeat it."
_INVENTORY = frozenset({"no-match", "over-cap", "overtaken", "needs-old-text"})
STOP = (
    "Memory consolidation failed {count} times this turn. Stop retrying memory calls and go on with the reply; the"
    " memory is as it was, and the change can be made in a later turn."
)
_DONE = {Action.ADD: "Entry added.", Action.REPLACE: "Entry replaced.", Action.REMOVE: "Entry removed."}


def to_reply(decision: Decision, gate: Gate) -> dict[str, Any]:
    """The reply to a tool call: `success`, and then what the case needs."""
    if decision.saved:
        return _saved(decision, gate)
    if decision.outcome is Outcome.STAGED:
        return _staged(decision)
    return _not_saved(decision, gate)


def _saved(decision: Decision, gate: Gate) -> dict[str, Any]:
    request, changes = decision.request, decision.changes
    reply: dict[str, Any] = {
        "success": True,
        "done": True,
        "target": str(request.target),
        "usage": usage(decision.size, decision.cap),
        "entry_count": len(decision.entries),
        "message": _DONE[request.operations[0].action],
        "note": _NOTE,
    }
    if request.batch:
        reply["message"] = f"Applied {len(request.operations)} operation(s)."
    elif not changes[0].real:
        reply["message"] = (
            "Entry already exists (no duplicate added)."
            if changes[0].action is Action.ADD
            else "Entry already reads so (nothing was changed)."
        )
    if decision.outcome is Outcome.UNCHANGED:
        reply["changed"] = False
    for action, name in ((Action.REPLACE, "replaced"), (Action.REMOVE, "removed")):
        gone = {
            str(number): _masked(change.before, decision, gate)
            for number, change in enumerate(changes, 1)
            if change.action is action and change.before is not None
        }
        if gone and request.batch:
            reply[f"{name}_entries"] = gone
        elif gone:
            reply[f"{name}_entry"] = gone["1"]
    return reply


def _masked(entry: str, decision: Decision, gate: Gate) -> str:
    target = decision.request.target
    return gate.inventory((entry,), target)[0]


def _staged(decision: Decision) -> dict[str, Any]:
    reply = {
        "success": True,
        "staged": True,
        "pending_id": decision.pending_id,
        "message": decision.message,
        "target": str(decision.request.target),
    }
    return {**reply, **decision.details}


def _not_saved(decision: Decision, gate: Gate) -> dict[str, Any]:
    request = decision.request
    error = f"{decision.message} {decision.hint}".strip()
    reply: dict[str, Any] = {"success": False, "error": error, "target": str(request.target)}
    if decision.code == "rule":
        reply["blocked_by"] = [
            {"rule": item.rule, "line": item.line, "column": item.column, "severity": str(item.severity)}
            for item in decision.findings
            if item.verdict is not item.verdict.ALLOW
        ][:10]
    if decision.code == "no-match" and not request.batch:
        reply["error"] = f"{decision.message} Check current_entries below and retry with a piece of one of them."
    if decision.code in _INVENTORY and (not request.batch or decision.code == "over-cap"):
        reply["current_entries"] = gate.inventory(decision.entries, request.target)
    if (decision.code in _INVENTORY and decision.code != "no-match") or (request.batch and decision.cap):
        reply["usage"] = f"{decision.size:,}/{decision.cap:,}"
    reply.update(_details(decision.details, decision, gate))
    return reply


def _details(details: Mapping[str, Any], decision: Decision, gate: Gate) -> dict[str, Any]:
    shown: dict[str, Any] = {}
    for name, value in details.items():
        if name == "matches":
            poisoned = gate.screener.poisoned(value, decision.request.target)
            shown["matches"] = [
                marker(decision.request.target, poisoned[entry]) if entry in poisoned else preview(entry)
                for entry in value
            ]
        elif name == "backup":
            shown |= {"drift_backup": value, "remediation": decision.hint}
        elif name in ("conflict_id", "overtaken_by", "overflow", "additions_saved"):
            shown[name] = value
    return shown
