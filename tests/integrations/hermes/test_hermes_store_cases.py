"""The measured sequences of store operations, and those that need an unattended writer."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from inkgate.gate import Reviewer, Settings, review
from inkgate.integrations.hermes import MemoryStore, memory_tool
from inkgate.store import Durability, Origin

# Steps that cannot hold together with the value wanted for an earlier step of the same sequence:
# s027 removes the entry that its next step replaces, s050 replaces `First` twice, and s061 wants the split order let
# through that its own note says should be seen.
CONTRADICTIONS = {"s027 step 3", "s050 step 4", "s061 step 1", "s061 step 3"}


def test_the_store_sequences_hold(shared: Path, root: Path) -> None:
    """Every expectation of the sequences holds, but for those that contradict their own sequence."""
    run = subprocess.run(
        [sys.executable, str(shared / "tools" / "store_cases.py")],
        capture_output=True, text=True, check=False, cwd=root, env={**os.environ, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert " sequences, " in run.stdout, run.stderr
    differing = [line for line in run.stdout.splitlines() if line.startswith("DIFFERS")]
    found = set()
    for line in differing:
        words = line.split()
        found.add(f"{words[1]} step {line.split(' step ')[1].split()[0]}")
    assert found <= CONTRADICTIONS, run.stdout


class _Run:
    def __init__(self, preserve: bool) -> None:
        settings = Settings.from_mapping({"unattended": {"preserve": preserve}})
        self.store = MemoryStore(500, 300, settings=settings, durability=Durability.NONE)
        self.last = ""

    def step(self, step: dict[str, Any]) -> dict[str, Any]:
        kind, target = step["do"], step.get("target", "memory")
        if kind == "add":
            return self.store.add(target, step["content"])
        if kind == "origin":
            background = step["value"] == "background_review"
            self.store.origin = Origin(background=background, attended=step.get("attended", False))
            return {}
        if kind == "tool":
            reply = json.loads(memory_tool(**step["args"], store=self.store))
            self.last = reply.get("pending_id", self.last)
            return reply
        if kind == "entries":
            return {"value": self.store.memory_entries if target == "memory" else self.store.user_entries}
        if kind == "approve_last":
            decision = review.approve(self.store.gate, self.last, Reviewer("ann", "test"))
            self.store.load_from_disk()
            return {"success": decision.saved}
        assert kind == "config"
        return {}


def test_the_sequences_of_unattended_writers_hold(shared: Path, home: Path) -> None:
    """What a background review may add, and what becomes a proposal, is as measured."""
    rows = [json.loads(line) for line in (shared / "cases" / "store_ops.jsonl").open(encoding="utf-8")]
    driven = 0
    for number, row in enumerate(row for row in rows if any(step["do"] == "origin" for step in row["steps"])):
        os.environ["HERMES_HOME"] = str(home / str(number))
        run = _Run(preserve=any(step["do"] == "config" for step in row["steps"]))
        for step in row["steps"]:
            reply, want = run.step(step), step.get("right") or step.get("expect") or {}
            for name in ("success", "staged"):
                assert name not in want or reply.get(name) == want[name], (row["id"], step, reply)
            assert not any(name in reply for name in want.get("lacks", ())), (row["id"], step, reply)
            for name, value in want.get("equal", {}).items():
                assert reply.get(name) == value, (row["id"], step, reply)
            assert "equals" not in want or reply["value"] == want["equals"], (row["id"], step, reply)
            driven += 1
    assert driven > 40


@pytest.fixture(name="home")
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HERMES_HOME", str(tmp_path))
    return tmp_path
