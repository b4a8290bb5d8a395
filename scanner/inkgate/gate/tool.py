"""The `memory` tool that a model calls: its schema, and a session that answers it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from collections.abc import Set as AbstractSet

from inkgate.lean import Any, replace
from inkgate.model import Target
from inkgate.store.errors import StoreError
from inkgate.store.memory import FILES
from inkgate.store.origin import Origin

from .arguments import ArgumentError, from_arguments, target_of
from .budget import FailureBudget
from .gate import Gate
from .reply import STOP, to_reply
from .request import Decision, Outcome, Request
from .snapshot import Snapshot

__all__ = ["UNCOUNTED", "MemorySession", "tool_schema"]

UNCOUNTED = frozenset(
    {
        *("rule", "unread", "disabled", "not-understood", "unreadable", "failed", "pending-full", "denied"),
        "empty-text",
    }
)
_MOST_SEEN = 2_000  # entries, for each target

_ABOUT = """Save durable facts to memory, which stands in every prompt. Targets: 'memory' (your notes about the work) \
and 'user' (who the user is). Save what will still be true and useful in a week: preferences, corrections, \
decisions, how this environment works. Do not save instructions, secrets, or what a file or a search tells again. \
Prefer one `operations` list when you make room and add in one go: it is applied as a whole, and only its \
final size counts. Every text is checked before it is saved; a refusal says why and what to do next."""


def tool_schema(targets: Collection[Target] = (Target.MEMORY, Target.USER)) -> dict[str, Any]:
    """The tool's JSON schema, with only the targets that are switched on.

    Plain `required` at the top and no combinators, because some model services refuse them.
    """
    names = [str(target) for target in targets]
    action = {"type": "string", "enum": ["add", "replace", "remove"], "description": "What to do with one entry."}
    content = {"type": "string", "description": "The new entry, for add and replace. Replace rewrites the whole entry."}
    old_text = {
        "type": "string",
        "description": "For replace and remove: a piece of text that stands in exactly one entry, or the whole entry.",
    }
    step = {
        "type": "object",
        "properties": {"action": action, "content": content, "old_text": old_text},
        "required": ["action"],
    }
    operations = {
        "type": "array",
        "items": step,
        "description": "Several steps at once, all or nothing; use it instead of action, content and old_text.",
    }
    target = {"type": "string", "enum": names, "description": "Which memory."}
    return {
        "name": "memory",
        "description": _ABOUT,
        "parameters": {
            "type": "object",
            "properties": {
                "action": action,
                "target": target,
                "content": content,
                "old_text": old_text,
                "operations": operations,
            },
            "required": ["target"],
        },
    }


class MemorySession:
    """One conversation's view of a gate: frozen snapshots, what the model has seen, and its failures this turn.

    Args:
        gate: the gate.
        origin: who writes in this session.
    """

    def __init__(self, gate: Gate, origin: Origin | None = None) -> None:
        self.gate = gate
        self.origin = origin or Origin()
        self.context: Mapping[str, str] = {}  # of the next call, see Request.context
        self.budget = FailureBudget()
        self.entries: dict[Target, list[str]] = {target: [] for target in FILES}
        self._snapshots: dict[Target, Snapshot] = {}
        self._seen: dict[Target, dict[str, None]] = {target: {} for target in FILES}

    def refresh(self) -> None:
        """Read both files and freeze what the prompt shows: at the start of a session and after a compression."""
        for target in FILES:
            self._snapshots[target] = self.gate.snapshot(target)
            try:
                self.entries[target] = list(self.gate.store.read(target).entries)
            except StoreError:
                self.entries[target] = []
            self._seen[target] = dict.fromkeys(self.entries[target])
        self.budget.reset()

    def snapshot(self, target: Target) -> Snapshot:
        """The frozen snapshot of a target; later writes do not change it."""
        return self._snapshots.get(target, Snapshot())

    def call(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Answer one tool call."""
        try:
            request = from_arguments(arguments, self.origin, seen=self.seen(arguments.get("target")))
        except ArgumentError as problem:
            return self.misshapen(arguments, problem)
        return self.run(request)

    def call_json(self, arguments: str | Mapping[str, Any]) -> str:
        """Answer one tool call, JSON in and JSON out, with characters outside ASCII kept."""
        if isinstance(arguments, str):
            try:
                arguments = json.loads(arguments)
            except (ValueError, RecursionError):
                return json.dumps({"success": False, "error": "The arguments are not readable as JSON."})
        if not isinstance(arguments, Mapping):
            return json.dumps({"success": False, "error": "The arguments must be one JSON object."})
        return json.dumps(self.call(arguments), ensure_ascii=False)

    def seen(self, target: object) -> AbstractSet[str] | None:
        """The entries of a target that this session's model has been shown or has written; it grows with the session.

        None while that is not known, because the session was never refreshed.

        Raises:
            ArgumentError: there is no such target.
        """
        known = self._seen[target_of(target)]
        return known.keys() if self._snapshots else None

    def run(self, request: Request, *, uncounted: frozenset[str] = UNCOUNTED) -> dict[str, Any]:
        """Submit a request and word the reply.

        Args:
            request: a request of this session.
            uncounted: codes of refusals that do not count as failed attempts.
        """
        decision = self.gate.submit(replace(request, context=self.context) if self.context else request)
        self._learn(decision)
        if decision.outcome in (Outcome.SAVED, Outcome.STAGED):
            self.budget.reset()
        elif decision.outcome is Outcome.UNCHANGED:
            self.budget.idle()
        elif decision.code not in uncounted and self.budget.fail():
            return self._stop()
        reply = to_reply(decision, self.gate)
        if "current_entries" in reply:
            self._show(decision.request.target, decision.entries)
        return reply

    def _learn(self, decision: Decision) -> None:
        target = decision.request.target
        if decision.outcome is Outcome.FAILED or target not in FILES or decision.code == "disabled":
            return
        self.entries[target] = list(decision.entries)
        self._show(target, [change.after for change in decision.changes if change.after is not None])

    def _show(self, target: Target, entries: Iterable[str]) -> None:
        """Note that the model knows these entries. The oldest are forgotten: to know too little only asks a person."""
        seen = self._seen[target]
        for entry in entries:
            seen.pop(entry, None)
            seen[entry] = None
        while len(seen) > _MOST_SEEN:
            del seen[next(iter(seen))]

    def _stop(self) -> dict[str, Any]:
        return {"success": False, "done": True, "error": STOP.format(count=self.budget.failures)}

    def misshapen(self, arguments: Mapping[str, Any], problem: ArgumentError) -> dict[str, Any]:
        """The reply to a call that is no write; one that the model can mend shows the inventory."""
        if problem.counted and self.budget.fail():
            return self._stop()
        reply: dict[str, Any] = {"success": False, "error": f"{problem} {problem.hint}".strip()}
        if problem.code in ("needs-old-text", "step"):
            target = target_of(arguments.get("target"))
            try:
                stored = self.gate.store.read(target)
            except StoreError as unreadable:
                return {"success": False, "error": str(unreadable)}
            reply["usage"] = f"{stored.size:,}/{self.gate.settings.of(target).cap:,}"
            if problem.code == "needs-old-text":
                reply["current_entries"] = self.gate.inventory(stored.entries, target)
                self._show(target, stored.entries)
        return reply
