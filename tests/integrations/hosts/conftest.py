"""What the tests of the hooks share: hook input in each host's shape, and a folder to write into."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inkgate.integrations.hosts import HookAnswer, run

SHAPES: dict[str, dict[str, Any]] = {
    "claude-code": {
        "hook_event_name": "PreToolUse",
        "transcript_path": "/t.jsonl",
        "permission_mode": "default",
        "tool_use_id": "toolu_1",
    },
    "codex": {
        "hook_event_name": "PreToolUse",
        "turn_id": "1",
        "transcript_path": None,
        "model": "m",
        "permission_mode": "default",
        "tool_use_id": "c1",
    },
    "gemini": {"hook_event_name": "BeforeTool", "transcript_path": "", "timestamp": "2026-01-01T00:00:00Z"},
    "hermes": {"hook_event_name": "pre_tool_call", "extra": {"task_id": "", "tool_call_id": "t", "turn_id": "1"}},
}


class Hook:
    """Calls the hook of a host from a working folder."""

    def __init__(self, home: Path) -> None:
        self.home = home

    def data(self, host: str, tool: str, arguments: Any, **more: Any) -> bytes:
        """Hook input in the shape that a host sends."""
        common = {"session_id": "s-1", "cwd": str(self.home), "tool_name": tool, "tool_input": arguments}
        body = {**arguments, "cwd": str(self.home)} if host == "plain" else {**common, **SHAPES[host]}
        return json.dumps({**body, **more}).encode()

    def __call__(self, host: str, tool: str, arguments: Any, **more: Any) -> HookAnswer:
        """The answer to one tool call."""
        return run(host, self.data(host, tool, arguments, **more))

    @staticmethod
    def blocks(host: str, answer: HookAnswer) -> bool:
        """Whether the host would block on this answer: exit code 2 with a reason, and the JSON that it reads."""
        body = json.loads(answer.stdout)
        told = {
            "claude-code": lambda: body["hookSpecificOutput"]["permissionDecision"] == "deny",
            "codex": lambda: body["hookSpecificOutput"]["permissionDecision"] == "deny",
            "gemini": lambda: body["decision"] == "deny",
            "hermes": lambda: body["action"] == body["decision"] == "block" and body["message"],
            "plain": lambda: body["verdict"] in ("block", "stage"),
        }
        return answer.exit_code == 2 and bool(answer.stderr.strip()) and bool(told[host]())


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a note, a notebook, a memory and a skill, as the user's home and as the working folder."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("HERMES_HOME", str(tmp_path))
    (tmp_path / "old.md").write_text("tea\n")
    (tmp_path / "memories").mkdir()
    (tmp_path / "memories" / "MEMORY.md").write_text("one\n§\ntwo")
    (tmp_path / "skills" / "work" / "neat").mkdir(parents=True)
    (tmp_path / "skills" / "work" / "neat" / "SKILL.md").write_text("---\nname: neat\ndescription: d\n---\n\ntea\n")
    (tmp_path / "n.ipynb").write_text(json.dumps({"cells": [{"id": "c1", "source": ["a\n", "b"]}]}))
    return tmp_path


@pytest.fixture
def hook(home: Path) -> Hook:
    """The hook, called from that folder."""
    return Hook(home)
