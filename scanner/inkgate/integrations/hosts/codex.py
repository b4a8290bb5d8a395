"""Codex CLI: PreToolUse and PostToolUse hooks.

Source: codex-rs/hooks in openai/codex. Exit code 2 blocks when stderr is not empty. `ask` is refused there as an
invalid answer, and the call goes on: so what a person must confirm is blocked here.
"""

from __future__ import annotations

import re

from inkgate.integrations.hosts.answer import HookAnswer, Outcome
from inkgate.integrations.hosts.call import Call
from inkgate.integrations.hosts.dialect import Dialect, blocked
from inkgate.integrations.hosts.tools import edit_file, patch_tool, shell_tool, spoken, write_file
from inkgate.lint.targets import words
from inkgate.model import Verdict

__all__ = ["DIALECT", "answer"]


def answer(call: Call | None, outcome: Outcome) -> HookAnswer:
    """`deny` with exit code 2, or silence."""
    if outcome.verdict is Verdict.ALLOW:
        return HookAnswer(stderr=f"{outcome.note}\n" if outcome.note else "")
    if call is not None and call.after:
        return blocked(outcome, {"decision": "block", "reason": outcome.reason})
    specific = {
        "hookEventName": "PreToolUse",
        "permissionDecision": "deny",
        "permissionDecisionReason": outcome.reason,
    }
    return blocked(outcome, {"hookSpecificOutput": specific})


DIALECT = Dialect(
    tools={
        "apply_patch": patch_tool,
        **dict.fromkeys(("Bash", "shell", "local_shell", "shell_command", "exec_command"), shell_tool),
        "write_stdin": spoken,
        "Write": write_file,
        "Edit": edit_file,
    },
    silent=words(
        "update_plan view_image web_search read_file list_dir grep_files list_mcp_resources read_mcp_resource "
        "list_mcp_resource_templates spawn_agent send_input wait close_agent request_user_input tool_search"
    ),
    mcp=re.compile(r"mcp__"),
    answer=answer,
)
