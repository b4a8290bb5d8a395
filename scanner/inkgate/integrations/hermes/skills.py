"""The agent's `skill_manage` calls, answered by the gate of skills; what it cannot answer is scanned and passed on.

The layout is the agent's own (`skills/<category>/<name>/SKILL.md`, or without a category). A skill that does not lie
there (an external folder of skills) is left to the agent, after every text of the call was scanned.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from inkgate.gate import wording
from inkgate.gate.gate import Gate
from inkgate.gate.request import Outcome, Request
from inkgate.gate.screened import Screening
from inkgate.gate.skills import SkillDecision, SkillGate
from inkgate.gate.skills.screen import with_secrets_blocked
from inkgate.model import Target, Verdict
from inkgate.store.chain import Draft
from inkgate.store.errors import StoreError
from inkgate.store.origin import Origin
from inkgate.store.plan import Action, Operation
from inkgate.store.skills import SkillAction, SkillRequest
from inkgate.store.skills.places import find_all

from . import skillhost

__all__ = ["intercept", "serve"]

_TEXTS = ("content", "new_string", "file_content", "new_text")
_NAMES = ("name", "category", "file_path", "old_string", "absorbed_into", "reason", *_TEXTS)
_ACTIONS = {
    "create": SkillAction.CREATE,
    "edit": SkillAction.EDIT,
    "patch": SkillAction.PATCH,
    "write_file": SkillAction.WRITE,
    "remove_file": SkillAction.REMOVE,
    "delete": SkillAction.ARCHIVE,  # nothing is deleted
}
_DONE = {
    "create": "created",
    "edit": "updated",
    "patch": "patched",
    "write_file": "updated",
    "remove_file": "updated",
    "delete": "archived; it can be restored",
}


def serve(arguments: Mapping[str, Any], gate: SkillGate, *, origin: Origin) -> dict[str, Any] | None:
    """The reply to a skill write, which the gate makes, stages or refuses; None when the skill lies elsewhere.

    Args:
        arguments: of the tool call.
        gate: of the agent's skills, under its settings.
        origin: who writes.
    """
    action = arguments.get("action")
    if not isinstance(action, str) or action not in _ACTIONS:
        return None
    wrong = next((name for name in _NAMES if not isinstance(arguments.get(name) or "", str)), None)
    if wrong is not None:
        return {"success": False, "error": f"{wrong} must be text."}
    values = {name: arguments.get(name) or "" for name in _NAMES}
    if action != "create" and values["name"] not in {place.name for place in find_all(gate.store.root)}:
        return None
    if (action == "delete" or origin.background) and skillhost.is_pinned(values["name"]):
        error = f"Skill '{values['name']}' is pinned: a person does not want it to go, or to change by itself."
        return {"success": False, "error": error}
    origin = replace(origin, source=_path(arguments) or origin.source)
    request = _request(_ACTIONS[action], values, arguments.get("replace_all") is True, origin)
    decision = gate.submit(request)
    if decision.outcome is Outcome.SAVED:
        skillhost.tell_written(action, request.name, background=origin.background)
    return _reply(decision, action)


def _request(action: SkillAction, values: Mapping[str, str], replace_all: bool, origin: Origin) -> SkillRequest:
    request = SkillRequest(action, values["name"], reason=values["reason"], origin=origin)
    path = values["file_path"]
    if action is SkillAction.CREATE:
        return replace(request, text=values["content"], category=values["category"])
    if action is SkillAction.EDIT:
        return replace(request, text=values["content"])
    if action is SkillAction.PATCH:
        return replace(
            request, path=path, old_text=values["old_string"], text=values["new_string"], replace_all=replace_all,
            reason=values["reason"] or "The agent's tool gives no reason.",
        )  # fmt: skip
    if action is SkillAction.ARCHIVE:
        into = values["absorbed_into"]
        return replace(request, reason=values["reason"] or (f"Absorbed into {into}." if into else ""))
    return replace(request, path=path, text=values["file_content"])


def _reply(decision: SkillDecision, action: str) -> dict[str, Any]:
    request = decision.request
    if decision.outcome is Outcome.SAVED:
        message = f"Skill '{request.name}' {_DONE[action]}."
        return {"success": True, "message": message, "paths": list(decision.paths)}
    if decision.saved:
        return {"success": True, "message": f"Skill '{request.name}' reads so already; nothing was changed."}
    if decision.outcome is Outcome.STAGED:
        gist = f"{action} skill {request.where}"
        return {
            "success": True, "staged": True, "pending_id": decision.pending_id, "gist": gist,
            "message": decision.message,
        }  # fmt: skip
    return {"success": False, "error": f"{decision.message} {decision.hint}".strip()}


def intercept(arguments: Mapping[str, Any], gate: Gate, *, approval: bool, origin: Origin) -> dict[str, Any] | None:
    """The reply to a skill write that may not go on, or None when the agent may make it itself.

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
        screening = with_secrets_blocked(screening, gate.settings.policy)
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
