"""The agent's built-in memory store and tool, by the same names and with the same replies, on top of a gate."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from inkgate.gate.arguments import ArgumentError, from_arguments
from inkgate.gate.gate import Approver, Gate
from inkgate.gate.mirror import Mirror
from inkgate.gate.screened import Scanner
from inkgate.gate.settings import Settings, TargetSettings
from inkgate.gate.tool import UNCOUNTED, MemorySession
from inkgate.lean import Any, replace
from inkgate.model import Target
from inkgate.store.files import Durability
from inkgate.store.memory import CAPS, FILES
from inkgate.store.origin import Origin

from .home import home

__all__ = ["MemoryStore", "memory_tool"]

# Direct calls of the store never counted these; calls of the tool do.
_LIBRARY_UNCOUNTED = UNCOUNTED | {"ambiguous", "drift"}


class MemoryStore:
    """Drop-in for the agent's store: same constructor, methods, properties and result fields; everything is gated.

    Args:
        memory_char_limit: cap of MEMORY.md, in characters of the joined text.
        user_char_limit: cap of USER.md.
        memory_enabled: whether MEMORY.md may be written.
        user_profile_enabled: whether USER.md may be written.
        settings: the operator's settings; caps and switches above win over those in it.
        scan: the scanner, when it is not to be the built-in one.
        approver: asks a person who is present.
        mirror: receives every committed change.
        durability: how much is synced before a write returns.
    """

    def __init__(
        self,
        memory_char_limit: int = CAPS[Target.MEMORY],
        user_char_limit: int = CAPS[Target.USER],
        memory_enabled: bool = True,
        user_profile_enabled: bool = True,
        *,
        settings: Settings | None = None,
        scan: Scanner | None = None,
        approver: Approver | None = None,
        mirror: Mirror | None = None,
        durability: Durability = Durability.FULL,
    ) -> None:
        base = settings or Settings()
        targets = dict(base.targets)
        limits = {
            Target.MEMORY: (memory_enabled, memory_char_limit),
            Target.USER: (user_profile_enabled, user_char_limit),
        }
        for target, (enabled, cap) in limits.items():
            known = base.of(target)
            targets[target] = TargetSettings(enabled and known.enabled, cap, known.approval)
        self._options: dict[str, Any] = {
            "settings": replace(base, targets=targets),
            "scan": scan,
            "approver": approver,
            "mirror": mirror,
            "durability": durability,
        }
        self._home: Path | None = None
        self._session: MemorySession | None = None
        self.origin = Origin()
        self.turn = ""  # id of the host's turn, where it tells one

    @property
    def session(self) -> MemorySession:
        """The session of the home that is current now."""
        here = home()
        if self._session is None or self._home != here:
            self._home, self._session = here, MemorySession(Gate(here, **self._options), self.origin)
            self._load(self._session)
        self._session.origin = self.origin
        return self._session

    @property
    def gate(self) -> Gate:
        """The gate of the current home."""
        return self.session.gate

    @property
    def memory_entries(self) -> list[str]:
        """The entries of MEMORY.md as this session last saw them."""
        return list(self.session.entries[Target.MEMORY])

    @property
    def user_entries(self) -> list[str]:
        """The entries of USER.md as this session last saw them."""
        return list(self.session.entries[Target.USER])

    def load_from_disk(self) -> None:
        """Read both files and freeze the prompt snapshot; what a person agreed to for the session still holds."""
        if self._session is not None and self._home == home():
            self._load(self._session)
        _ = self.session

    @staticmethod
    def _load(session: MemorySession) -> None:
        """Refresh, and log what the owner should know: a file over its cap, unreadable, or with masked entries."""
        session.refresh()
        for target in FILES:
            for warning in session.snapshot(target).warnings:
                _log(warning)

    def format_for_system_prompt(self, target: str) -> str | None:
        """The frozen snapshot of a target, or None when it is empty."""
        if target not in FILES:
            return None
        return self.session.snapshot(Target(target)).text or None

    def reset_consolidation_failures(self) -> None:
        """A new turn begins."""
        self.session.budget.reset()

    def add(self, target: str, content: str) -> dict[str, Any]:
        """Add an entry."""
        return self._run({"action": "add", "target": target, "content": content})

    def replace(self, target: str, old_text: str, new_content: str, matched_entry: str | None = None) -> dict[str, Any]:
        """Replace the whole entry that `old_text` names."""
        arguments = {"action": "replace", "old_text": old_text, "content": new_content, "matched_entry": matched_entry}
        return self._run({**arguments, "target": target})

    def remove(self, target: str, old_text: str, matched_entry: str | None = None) -> dict[str, Any]:
        """Remove the entry that `old_text` names."""
        return self._run({"action": "remove", "target": target, "old_text": old_text, "matched_entry": matched_entry})

    def apply_batch(self, target: str, operations: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Apply several operations, all or nothing."""
        if not operations:
            return {"success": False, "error": "operations list is empty."}
        return self._run({"target": target, "operations": list(operations)})

    def _run(self, arguments: dict[str, Any]) -> dict[str, Any]:
        session = self.session
        try:
            request = from_arguments(arguments, self.origin, seen=session.seen(arguments["target"]), pinned=True)
        except ArgumentError as problem:
            return session.misshapen(arguments, problem)
        return session.run(request, uncounted=_LIBRARY_UNCOUNTED)


def _log(message: str) -> None:
    import logging

    logging.getLogger("inkgate.hermes").warning("%s", message)


def memory_tool(
    action: str | None = None,
    target: str | None = None,
    content: str | None = None,
    old_text: str | None = None,
    operations: object = None,
    store: MemoryStore | None = None,
    new_text: str | None = None,
) -> str:
    """Answer a call of the `memory` tool with JSON text.

    Args:
        action: add, replace or remove.
        target: memory (also when None) or user.
        content: the new entry.
        old_text: names the entry to change.
        operations: steps of a batch; they win over the single form.
        store: the agent's store.
        new_text: another name for content, which wins over it.
    """
    if store is None:
        error = "Memory is not available. It may be disabled in config or this environment."
        return json.dumps({"success": False, "error": error})
    arguments = {
        "action": action,
        "target": target,
        "content": content,
        "old_text": old_text,
        "operations": operations,
        "new_text": new_text,
    }
    return store.session.call_json(arguments)
