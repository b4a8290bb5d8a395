"""Claude Code: PreToolUse and PostToolUse hooks.

Source: code.claude.com/docs/en/hooks. Exit code 2 blocks and shows stderr to the model; any other code lets the call
through, except where the settings say `onFailure: "block"`. `ask` is given with exit code 0.
"""

from __future__ import annotations

import re
from functools import partial

from inkgate.integrations.hosts.answer import HookAnswer, Outcome
from inkgate.integrations.hosts.call import Call
from inkgate.integrations.hosts.dialect import Dialect, blocked, to_json
from inkgate.integrations.hosts.tools import edit_file, notebook, shell_tool, spoken, write_file
from inkgate.lint.targets import words
from inkgate.model import Target, Verdict

__all__ = ["DIALECT", "answer"]

_NOBODY_ASKED = frozenset({"bypassPermissions", "dontAsk"})
"""Permission modes in which no person is asked, so that `ask` could mean `allow`."""


def answer(call: Call | None, outcome: Outcome) -> HookAnswer:
    """`deny` with exit code 2, `ask` with exit code 0, or silence; `allow` is never said, since it would skip the
    user's own permission prompt.
    """
    if outcome.verdict is Verdict.ALLOW:
        return HookAnswer(stderr=f"{outcome.note}\n" if outcome.note else "")
    if call is not None and call.after:
        return blocked(outcome, {"decision": "block", "reason": outcome.reason})
    ask = outcome.verdict is Verdict.STAGE and call is not None and call.mode not in _NOBODY_ASKED
    body = {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "ask" if ask else "deny",
            "permissionDecisionReason": outcome.reason,
        }
    }
    return HookAnswer(to_json(body), f"{outcome.reason}\n", 0) if ask else blocked(outcome, body)


DIALECT = Dialect(
    tools={
        "Write": partial(write_file, path=("file_path",), content=("content",)),
        "Edit": partial(edit_file, path=("file_path",)),
        "MultiEdit": partial(edit_file, path=("file_path",)),
        "NotebookEdit": notebook,
        "Bash": shell_tool,
        "PowerShell": shell_tool,
        "CronCreate": partial(spoken, target=Target.CONTEXT),
    },
    silent=words(
        "Read Glob Grep LS WebFetch WebSearch TodoWrite TodoRead Task Agent Skill SlashCommand BashOutput KillShell "
        "KillBash NotebookRead ExitPlanMode EnterPlanMode AskUserQuestion ListMcpResourcesTool ReadMcpResourceTool "
        "TaskCreate TaskUpdate TaskList TaskGet TaskOutput TaskStop ToolSearch LSP"
    ),
    mcp=re.compile(r"mcp__"),
    answer=answer,
)
