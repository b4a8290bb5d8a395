"""The measured sequences of write approval."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from inkgate.gate import Reviewer, Settings, review
from inkgate.gate.arguments import from_arguments
from inkgate.gate.gate import Gate, Question
from inkgate.gate.tool import MemorySession
from inkgate.integrations.hermes.approval import handle_command, is_on, write_approval_enabled
from inkgate.integrations.hermes.skills import intercept
from inkgate.model import InkgateError
from inkgate.store import Durability, Origin

ANN = Reviewer("ann", "test")


class _Run:
    """One sequence: a configuration, a gate made from it, a person who answers or does not."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.config: dict[str, dict[str, Any]] = {"memory": {}, "skills": {}}
        self.answer: str | None = None
        self.asked = 0
        self.origin = Origin()

    @property
    def gate(self) -> Gate:
        settings = Settings.from_mapping({name: {"approval": self.on("memory")} for name in ("memory", "user")})
        approver = self._ask if self.answer else None
        return Gate(self.home, settings=settings, approver=approver, durability=Durability.NONE)

    def on(self, subsystem: str) -> bool:
        return write_approval_enabled(self.config, subsystem)

    def _ask(self, question: Question) -> str:
        self.asked += 1
        if self.answer == "raise":
            raise RuntimeError(question)
        return self.answer or ""

    def last(self, subsystem: str = "memory") -> str:
        return self.gate.pending.writes(subsystem)[-1].id

    def step(self, step: dict[str, Any]) -> Any:
        return getattr(self, f"do_{step['do']}")(step)

    def do_enabled(self, step: dict[str, Any]) -> Any:
        return self.on(step["subsystem"])

    def do_normalize(self, step: dict[str, Any]) -> Any:
        return is_on(step["value"])

    def do_approval(self, step: dict[str, Any]) -> None:
        self.config[step["subsystem"]]["write_approval"] = step["value"]

    def do_callback(self, step: dict[str, Any]) -> None:
        self.answer = step["value"]

    def do_origin(self, step: dict[str, Any]) -> None:
        self.origin = Origin(background=step["value"] == "background_review")

    def do_tool(self, step: dict[str, Any]) -> Any:
        session = MemorySession(self.gate, self.origin)
        session.refresh()
        return json.loads(session.call_json(step["args"]))

    def do_skill(self, step: dict[str, Any]) -> Any:
        return intercept(step["args"], self.gate, approval=self.on("skills"), origin=self.origin)

    def do_entries(self, step: dict[str, Any]) -> Any:
        return list(self.gate.store.read(_target(step)).entries)

    def do_entry_count(self, step: dict[str, Any]) -> Any:
        return len(self.gate.store.read(_target(step)).entries)

    def do_pending_count(self, step: dict[str, Any]) -> Any:
        return len(list((self.home / "pending" / step["subsystem"]).glob("*.json")))

    def do_callback_calls(self, step: dict[str, Any]) -> Any:
        return self.asked

    def do_apply_last(self, step: dict[str, Any]) -> Any:
        decision = review.approve(self.gate, self.last(), ANN)
        return {"success": decision.saved, "error": decision.message}

    def do_stage(self, step: dict[str, Any]) -> None:
        self.gate.pending.stage(
            step["subsystem"], step["payload"], action=step["payload"]["action"], summary=step["summary"],
            origin=Origin(background=step["origin"] != "foreground"),
        )  # fmt: skip

    def do_tamper_last(self, step: dict[str, Any]) -> None:
        path = self.home / "pending" / "memory" / f"{self.last()}.json"
        record = json.loads(path.read_text())
        record["payload"] = step["payload"]
        path.write_text(json.dumps(record))
        self.tampered = path.stem

    def do_command(self, step: dict[str, Any]) -> Any:
        words = [
            getattr(self, "tampered", "") or self.last(step["subsystem"]) if w == "$LAST" else w for w in step["words"]
        ]
        switched: list[bool] = []
        text = handle_command(self.gate, step["subsystem"], words, ANN, switched.append)
        return {"text": text, "set": switched[0] if switched else None}

    def do_skill_diff(self, step: dict[str, Any]) -> Any:
        return {"text": review.diff(self.gate, self.gate.pending.get("skills", self.last("skills")))}

    def _direct(self, step: dict[str, Any], action: str) -> None:
        arguments = {"action": action, "target": step["target"], "content": step["content"]}
        request = from_arguments({**arguments, "old_text": step.get("old_text")}, Origin())
        assert self.gate.replay(request, ANN).saved

    def do_direct_add(self, step: dict[str, Any]) -> None:
        self._direct(step, "add")

    def do_direct_replace(self, step: dict[str, Any]) -> None:
        self._direct(step, "replace")


def _target(step: dict[str, Any]) -> Any:
    from inkgate.model import Target

    return Target(step["target"])


def _holds(want: dict[str, Any], got: Any) -> bool:
    reply = got if isinstance(got, dict) else {}
    text = reply.get("text")
    checks = [
        all(reply.get(name) == want[name] for name in ("success", "staged", "set") if name in want),
        "equals" not in want or got == want["equals"],
        all(name in reply for name in want.get("has", ())),
        not any(name in reply for name in want.get("lacks", ())),
        want.get("error_has", "").lower() in str(reply.get("error", "")).lower(),
        all(part in (text or "") for part in want.get("contains", ())),
        "contains_any" not in want or any(part in (text or "") for part in want["contains_any"]),
        not want.get("none") or text is None,
    ]
    return all(checks)


def test_the_approval_sequences_hold(shared: Path, tmp_path: Path) -> None:
    """Every step of every measured sequence has its right value."""
    rows = [json.loads(line) for line in (shared / "cases" / "approval.jsonl").open(encoding="utf-8")]
    wrong = []
    for row in rows:
        run = _Run(tmp_path / row["id"])
        for step in row["steps"]:
            try:
                got = run.step(step)
            except InkgateError as problem:
                got = {"success": False, "error": str(problem), "text": str(problem)}
            want = step.get("right") or step.get("expect")
            if want and not _holds(want, got):
                wrong.append((row["id"], step, got))
    assert not wrong
    assert len(rows) >= 30


@pytest.mark.parametrize("pending_id", ["../../x", "", "0123456", "ABCDEF01", "0123456g", "..%2f0000", "01234567/../a"])
def test_an_id_cannot_leave_the_folder(tmp_path: Path, pending_id: str) -> None:
    """Only eight hexadecimal digits name a record."""
    gate = Gate(tmp_path)
    for action in (review.approve, review.reject):
        with pytest.raises(InkgateError, match="eight hexadecimal digits"):
            action(gate, pending_id, ANN)
