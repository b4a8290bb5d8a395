"""The agent's `skill_manage` calls: scanned before anything is written, staged where a person wants to see them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from inkgate.gate import wording
from inkgate.gate.gate import Gate
from inkgate.gate.request import Request
from inkgate.gate.screened import Screening
from inkgate.model import Target, Verdict
from inkgate.store.chain import Draft
from inkgate.store.errors import StoreError
from inkgate.store.origin import Origin
from inkgate.store.plan import Action, Operation

__all__ = ["intercept"]

_TEXTS = ("content", "new_string", "file_content", "new_text")


def intercept(arguments: Mapping[str, Any], gate: Gate, *, approval: bool, origin: Origin) -> dict[str, Any] | None:
    """The reply to a skill write that may not go on, or None when the agent may make it.

    Args:
        arguments: of the tool call.
        gate: scans, and keeps what is staged.
        approval: whether every skill write waits for a person. There is no inline question for skills: they are too
            long to judge in a prompt.
        origin: who writes.
    """
    worst, path = Verdict.ALLOW, _path(arguments)
    origin = replace(origin, source=path or origin.source)
    for name in _TEXTS:
        text = arguments.get(name)
        if not isinstance(text, str) or not text.strip():
            continue
        screening = gate.screener.text(text, Target.SKILL, operation=1, source=_scanned_as(arguments, path))
        if screening.verdict is Verdict.BLOCK:
            return _blocked(screening, gate, origin)
        worst = max(worst, screening.verdict, key=lambda item: item.rank)
    if not approval and worst is Verdict.ALLOW:
        return None
    return _stage(arguments, gate, origin, "approval" if approval else "rule")


def _blocked(screening: Screening, gate: Gate, origin: Origin) -> dict[str, Any]:
    request = Request(Target.SKILL, (Operation(Action.ADD),), origin=origin)
    message, hint = wording.blocked(screening, request)
    rules = wording.rule_ids(screening.findings)
    gate.store.ledger.append([Draft("block", Target.SKILL, origin, rules=rules, ruleset=screening.ruleset)])
    return {"success": False, "error": f"{message} {hint}"}


def _stage(arguments: Mapping[str, Any], gate: Gate, origin: Origin, reason: str) -> dict[str, Any]:
    gist = _gist(arguments)
    try:
        write = gate.pending.stage(
            "skills", arguments, action=str(arguments.get("action", "")), summary=gist, origin=origin, reason=reason
        )
        gate.store.ledger.append([Draft("stage", Target.SKILL, origin, facts={"pending": write.id, "reason": reason})])
    except (StoreError, TypeError, ValueError) as problem:
        return {"success": False, "error": f"The skill write could not be staged, so nothing was saved: {problem}"}
    message = f"Staged for approval. Not yet saved; review with `inkgate review show {write.id} --skills`."
    return {"success": True, "staged": True, "pending_id": write.id, "gist": gist, "message": message}


def _path(arguments: Mapping[str, Any]) -> str:
    """The file that the call writes, under the skills folder; empty when it does not say."""
    name, path = arguments.get("name"), arguments.get("file_path")
    inside = path if isinstance(path, str) and path else "SKILL.md"
    return f"{name}/{inside}" if isinstance(name, str) and name else ""


def _scanned_as(arguments: Mapping[str, Any], path: str) -> str:
    """What the scanner is told: a patch of a document is a piece, without the front matter that a whole one needs."""
    return "" if arguments.get("action") == "patch" and path.lower().endswith((".md", ".markdown")) else path


def _gist(arguments: Mapping[str, Any]) -> str:
    action, name = arguments.get("action", "?"), arguments.get("name", "?")
    size = sum(len(text) for field in _TEXTS if isinstance(text := arguments.get(field), str))
    path = arguments.get("file_path")
    where = f" {path}" if isinstance(path, str) and path else ""
    return f"{action} skill {name}{where} ({size:,} characters)"
