"""Hermes Agent: `pre_tool_call` and `post_tool_call` shell hooks.

0.19 reads only the JSON on stdout and knows nothing but `block`; newer versions also block on exit code 2, and some
understand `approve` (a person is asked, under a `rule_key`). An answer that only says `approve` would let the call
through wherever it is not understood, so it says `block` in the other vocabulary as well: a version that looks for
`action: approve` first asks, every other one blocks.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import partial
from pathlib import Path

from inkgate.integrations.hosts.answer import HookAnswer, Outcome, RefusalError
from inkgate.integrations.hosts.call import Arguments, Call
from inkgate.integrations.hosts.dialect import Dialect, blocked, to_json
from inkgate.integrations.hosts.tools import code_tool, edit_file, patch_tool, replace, shell_tool, spoken, write_file
from inkgate.integrations.hosts.writes import Desk, Item
from inkgate.lint.targets import words
from inkgate.model import Target, Verdict

__all__ = ["DIALECT", "answer"]

_JOINT = "\n§\n"
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,63}", re.ASCII)


def answer(call: Call | None, outcome: Outcome) -> HookAnswer:
    """`block` in both vocabularies with exit code 2, `approve` beside `block` with exit code 0, or silence."""
    if outcome.verdict is Verdict.ALLOW:
        return HookAnswer(stderr=f"{outcome.note}\n" if outcome.note else "")
    body = {"action": "block", "message": outcome.reason, "decision": "block", "reason": outcome.reason}
    if outcome.verdict is Verdict.STAGE and call is not None and not call.after:
        body |= {"action": "approve", "rule_key": outcome.key}
        return HookAnswer(to_json(body), f"{outcome.reason}\n", 0)
    return blocked(outcome, body)


def _home() -> Path:
    return Path(os.environ.get("HERMES_HOME") or "~/.hermes").expanduser()


def _memory(call: Call) -> Iterable[Item]:
    """The store's file after the operations, entries joined as the store joins them."""
    values = call.arguments
    name = values.text("target", "memory")
    target = {"memory": Target.MEMORY, "user": Target.USER}.get(name)
    if target is None:
        raise RefusalError("the memory target is neither memory nor user")
    path = str(_home() / "memories" / f"{name.upper()}.md")
    desk = Desk(call.cwd)
    for row in values.rows("operations") or [values]:
        _operate(desk, path, row, target)
    return desk.items()


def _operate(desk: Desk, path: str, row: Arguments, target: Target) -> None:
    action = row.text("action", "")
    text = (row.first("content", "new_text") or "").strip()
    if action == "add" and text:
        desk.append(path, f"{_JOINT}{text}" if (desk.read(path) or "").strip() else text, target=target)
    elif action in ("replace", "remove"):
        old = row.text("old_text", "").strip()
        entries = (desk.read(path) or "").split(_JOINT)
        hits = [entry for entry in entries if entry == old] or [entry for entry in entries if old and old in entry]
        if hits:
            replace(desk, path, hits[0], text if action == "replace" else "", target=target)
        elif text:  # the tool refuses; should it not, the text is judged at the end
            desk.append(path, f"{_JOINT}{text}", target=target)


def _skill(call: Call) -> Iterable[Item]:
    """The file of a skill after the action."""
    values = call.arguments
    action, name = values.text("action", ""), values.text("name", "")
    if action in ("delete", "remove_file"):
        return []
    if not _NAME.fullmatch(name) or not _NAME.fullmatch(values.text("category", "x") or "x"):
        raise RefusalError("the name or the category of the skill is not one that a folder can have")
    folder = _skill_folder(name) or _home() / "skills" / (values.text("category", "") or "") / name
    path = str(folder / (values.text("file_path", "") or "SKILL.md"))
    desk = Desk(call.cwd)
    if action in ("create", "edit"):
        desk.write(str(folder / "SKILL.md"), values.text("content"), target=Target.SKILL)
    elif action == "write_file":
        desk.write(path, values.text("file_content"), target=Target.SKILL)
    elif action == "patch":
        replace(desk, path, values.text("old_string"), values.text("new_string"), target=Target.SKILL)
    else:
        return spoken(call, Target.SKILL)
    return desk.items()


def _skill_folder(name: str) -> Path | None:
    root = _home() / "skills"
    found = (place for pattern in (name, f"*/{name}", f"*/*/{name}") for place in sorted(root.glob(pattern)))
    return next((place for place in found if (place / "SKILL.md").is_file()), None)


def _patch(call: Call) -> Iterable[Item]:
    if call.arguments.text("mode", "replace") == "patch":
        return patch_tool(call, names=("patch",), at_hint=True)
    return edit_file(call, path=("path",))


DIALECT = Dialect(
    tools={
        "write_file": partial(write_file, path=("path",), content=("content",)),
        "patch": _patch,
        "terminal": shell_tool,
        "execute_code": code_tool,
        "memory": _memory,
        "skill_manage": _skill,
        "cronjob": partial(spoken, target=Target.CONTEXT),
    },
    silent=words(
        "read_file search_files web_search web_extract session_search skills_list skill_view vision_analyze todo "
        "clarify delegate_task image_generate text_to_speech browser_navigate browser_snapshot browser_click "
        "browser_type browser_scroll browser_back browser_press browser_close browser_get_images browser_vision "
        "send_message process tool_search"
    ),
    mcp=re.compile(r"mcp_"),
    answer=answer,
)
