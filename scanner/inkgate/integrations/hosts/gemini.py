"""Gemini CLI: BeforeTool and AfterTool hooks.

Source: docs/hooks/reference.md in google-gemini/gemini-cli. Exit code 2 blocks with stderr as the reason; any other
code warns and lets the call through. There is no answer that asks a person, so what needs one is blocked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import partial

from inkgate.integrations.hosts.answer import HookAnswer, Outcome
from inkgate.integrations.hosts.call import Call
from inkgate.integrations.hosts.dialect import Dialect, blocked
from inkgate.integrations.hosts.tools import edit_file, shell_tool, write_file
from inkgate.integrations.hosts.writes import Desk, Item
from inkgate.lint.targets import words
from inkgate.model import Target, Verdict

__all__ = ["DIALECT", "answer"]


def answer(call: Call | None, outcome: Outcome) -> HookAnswer:
    """`deny` with exit code 2, or silence."""
    del call
    if outcome.verdict is Verdict.ALLOW:
        return HookAnswer(stderr=f"{outcome.note}\n" if outcome.note else "")
    return blocked(outcome, {"decision": "deny", "reason": outcome.reason})


def _save_memory(call: Call) -> Iterable[Item]:
    """A fact, put as a list item at the end of the user's GEMINI.md."""
    desk = Desk(call.cwd)
    desk.append("~/.gemini/GEMINI.md", f"\n- {call.arguments.text('fact')}\n", target=Target.MEMORY)
    return desk.items()


DIALECT = Dialect(
    tools={
        "write_file": partial(write_file, path=("file_path",), content=("content",)),
        "replace": partial(edit_file, path=("file_path",)),
        "edit": partial(edit_file, path=("file_path",)),
        "run_shell_command": shell_tool,
        "save_memory": _save_memory,
    },
    silent=words(
        "read_file read_many_files list_directory glob search_file_content grep_search web_fetch google_web_search "
        "write_todos ask_user activate_skill get_internal_docs enter_plan_mode exit_plan_mode codebase_investigator"
    ),
    mcp=re.compile(r"mcp_|\w+__", re.ASCII),
    answer=answer,
)
