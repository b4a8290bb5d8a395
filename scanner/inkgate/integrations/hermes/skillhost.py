"""What the agent itself does around a write of a skill, for writes that the gate makes in its place.

The agent keeps a record for each skill (how often it was changed, whether a person has pinned it), and remembers the
list of skills that stands in its prompt. What a version of it does not have is left out.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from inkgate.gate.gate import Gate, Reviewer
from inkgate.gate.registry import open_tier
from inkgate.gate.request import Answer
from inkgate.model import InkgateError

if TYPE_CHECKING:
    from .plugin import Plugin

__all__ = ["apply_pending", "is_pinned", "pending_diff", "put_in_place", "tell_written"]

_LOG = logging.getLogger("inkgate.hermes")


def is_pinned(name: str) -> bool:
    """Whether a person has pinned the skill: nobody deletes it, and no background writer touches it."""
    try:
        from tools.skill_usage import get_record  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return False
    record = get_record(name)
    return isinstance(record, Mapping) and bool(record.get("pinned"))


def tell_written(action: str, name: str, *, background: bool) -> None:
    """Let the agent read its list of skills anew, and count the change. The write stands, whatever goes wrong here."""
    for step in (_forget_prompt, lambda: _count(action, name, background=background)):
        try:
            step()
        except ImportError:
            continue
        except Exception as problem:  # noqa: BLE001 - the agent's own bookkeeping; the skill is written
            _LOG.warning("the agent's record of the skill was not brought up to date: %s", type(problem).__name__)


def _forget_prompt() -> None:
    from agent.prompt_builder import (  # type: ignore[import-not-found,unused-ignore]
        clear_skills_system_prompt_cache,
    )

    clear_skills_system_prompt_cache(clear_snapshot=True)


def _count(action: str, name: str, *, background: bool) -> None:
    from tools import skill_usage  # type: ignore[import-not-found,unused-ignore]

    if action == "create" and background:
        skill_usage.mark_agent_created(name)
    elif action in ("edit", "patch", "write_file", "remove_file"):
        skill_usage.bump_patch(name)


def put_in_place(plugin: Plugin) -> None:
    """Put the replay and the diff of staged skill writes in the place of the agent's own, which know other records."""

    def replay(original: Callable[[Any], str]) -> Callable[[Any], str]:
        return lambda payload: apply_pending(plugin.command_gate(), payload, original)

    def diff(original: Callable[[Any], str]) -> Callable[[Any], str]:
        return lambda record: pending_diff(plugin.command_gate(), record, original)

    _replace("tools.skill_manager_tool", "apply_skill_pending", replay)
    _replace("tools.write_approval", "skill_pending_diff", diff)


_ORIGINALS: dict[str, Callable[[Any], str]] = {}


def _replace(module: str, name: str, made: Callable[[Callable[[Any], str]], Callable[[Any], str]]) -> None:
    """Put what is made from the agent's own function in its place; once more in the place of an earlier plugin's."""
    try:
        found = import_module(module)
    except ImportError:
        return
    if hasattr(found, name):
        original = _ORIGINALS.setdefault(f"{module}.{name}", getattr(found, name))
        setattr(found, name, made(original))


def pending_diff(gate: Gate, record: Mapping[str, Any], original: Callable[[Any], str]) -> str:
    """The full change of a staged skill write, for a person.

    Args:
        gate: of the home.
        record: the staged write, as the agent read it.
        original: the agent's own function, for a skill that does not lie in the agent's home.
    """
    if "pins" not in record.get("payload", {}):
        return original(record)
    try:
        write = gate.pending.get("skills", str(record.get("id", "")))
        return open_tier("skills", gate.store.home, gate.settings, write.payload).diff(write)
    except InkgateError as problem:
        return str(problem)


def apply_pending(gate: Gate, payload: Mapping[str, Any], original: Callable[[Mapping[str, Any]], str]) -> str:
    """Replay an approved skill write: what the gate of skills staged, as it was shown.

    Args:
        gate: of the home.
        payload: of the record that a person has approved.
        original: the agent's own replay, for a skill that does not lie in the agent's home.
    """
    write = next((item for item in gate.pending.writes("skills") if dict(item.payload) == dict(payload)), None)
    if write is None:
        error = "This record was changed after it was staged, or was not staged by the gate; nothing was applied."
        return json.dumps({"success": False, "error": error})
    if "pins" not in payload:
        return original(payload)
    try:
        tier = open_tier("skills", gate.store.home, gate.settings, payload)
        decision: Answer[Any] = tier.approve(write.id, Reviewer("user", "host command"))
    except InkgateError as problem:
        return json.dumps({"success": False, "error": str(problem)})
    if decision.saved:
        return json.dumps({"success": True, "message": f"Skill '{payload.get('name', '')}' written."})
    return json.dumps({"success": False, "error": f"{decision.message} {decision.hint}".strip()}, ensure_ascii=False)
