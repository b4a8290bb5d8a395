"""The agent's write-approval settings and its `/memory` and `/skills` commands, on top of a gate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from inkgate.gate import review
from inkgate.gate.gate import Gate, Reviewer
from inkgate.gate.pending import PendingError, PendingWrite
from inkgate.gate.registry import open_tier
from inkgate.gate.request import Answer
from inkgate.model import InkgateError

__all__ = ["SUBSYSTEMS", "handle_command", "is_on", "write_approval_enabled"]

SUBSYSTEMS = ("memory", "skills")
_ON = frozenset({"on", "true", "yes", "1", "approve", "enabled"})


def is_on(value: object) -> bool:
    """Whether a configured value turns approval on, as the agent reads it."""
    return value is True or (isinstance(value, str) and value.strip().lower() in _ON)


def write_approval_enabled(config: Mapping[str, Any], subsystem: str) -> bool:
    """Whether writes of a subsystem wait for a person, by the agent's configuration."""
    section = config.get(subsystem) if subsystem in SUBSYSTEMS else None
    return isinstance(section, Mapping) and is_on(section.get("write_approval"))


def handle_command(
    gate: Gate, subsystem: str, words: Sequence[str], reviewer: Reviewer, set_approval: Callable[[bool], None]
) -> str | None:
    """Answer `/memory …` or `/skills …`; None when the words are not about staged writes.

    Args:
        gate: the gate.
        subsystem: memory or skills.
        words: what followed the command.
        reviewer: who typed it.
        set_approval: stores the switch in the agent's configuration.
    """
    verb = words[0].lower() if words else "pending"
    rest = list(words[1:])
    if verb == "pending":
        return _listing(gate, subsystem)
    if verb in ("approve", "apply"):
        return _approve(gate, subsystem, _ids(gate, subsystem, rest), reviewer)
    if verb in ("reject", "deny", "drop"):
        return _reject(gate, subsystem, _ids(gate, subsystem, rest), reviewer)
    if verb == "diff":
        return _diff(gate, subsystem, rest)
    if verb in ("approval", "mode"):
        return _switch(subsystem, rest, set_approval)
    return None


def _listing(gate: Gate, subsystem: str) -> str:
    writes = gate.pending.writes(subsystem)
    lines = [f"{write.id}  {'[auto] ' if write.origin.background else ''}{_about(write)}" for write in writes]
    lines += [f"{name}  cannot be applied: {why}" for name, why in gate.pending.damaged(subsystem).items()]
    return "\n".join(lines) if lines else f"No pending {subsystem} writes."


def _about(write: PendingWrite) -> str:
    times = f", {write.count} times" if write.count > 1 else ""
    return f"{write.summary} ({write.reason or 'approval'}, {age(write.age)} old{times})"


def age(seconds: float) -> str:
    """Such as `3 h`."""
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return f"{int(seconds)} s"


def _ids(gate: Gate, subsystem: str, rest: Sequence[str]) -> list[str]:
    return [write.id for write in gate.pending.writes(subsystem)] if list(rest[:1]) == ["all"] else list(rest[:1])


def _approve(gate: Gate, subsystem: str, ids: Sequence[str], reviewer: Reviewer) -> str:
    done, failed = 0, []
    for pending_id in ids:
        try:
            decision = _applied(gate, subsystem, pending_id, reviewer)
        except InkgateError as problem:
            failed.append(f"{pending_id}: {problem}")
            continue
        if decision.saved:
            done += 1
        else:
            failed.append(f"{pending_id}: {decision.message}")
    lines = [f"Approved {done} {subsystem} write(s)."] if done or not failed else []
    return "\n".join([*lines, *(["Failed:", *failed] if failed else [])])


def _applied(gate: Gate, subsystem: str, pending_id: str, reviewer: Reviewer) -> Answer[Any]:
    if subsystem == "memory":
        return review.approve(gate, pending_id, reviewer)
    write = gate.pending.get(subsystem, pending_id)
    return open_tier(subsystem, gate.store.home, gate.settings, write.payload).approve(pending_id, reviewer)


def _reject(gate: Gate, subsystem: str, ids: Sequence[str], reviewer: Reviewer) -> str:
    failed = []
    for pending_id in ids:
        try:
            review.reject(gate, pending_id, reviewer, subsystem=subsystem)
        except PendingError as problem:
            failed.append(f"{pending_id}: {problem}")
    return "\n".join([f"Rejected {len(ids) - len(failed)} {subsystem} write(s).", *failed])


def _diff(gate: Gate, subsystem: str, rest: Sequence[str]) -> str:
    try:
        write = gate.pending.get(subsystem, rest[0] if rest else "")
        if subsystem == "memory":
            return review.diff(gate, write)
        return open_tier(subsystem, gate.store.home, gate.settings, write.payload).diff(write)
    except InkgateError as problem:
        return str(problem)


def _switch(subsystem: str, rest: Sequence[str], set_approval: Callable[[bool], None]) -> str:
    value = rest[0].lower() if rest else ""
    if value not in ("on", "off"):
        return f"Invalid value '{value}'. Use: on or off."
    set_approval(value == "on")
    return f"{subsystem}.write_approval set to '{value}'."
