"""`skill_manage` of the agent: answered by the gate of skills, in the agent's own layout."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from inkgate.gate.skills import SkillGate
from inkgate.integrations.hermes import skillhost
from inkgate.integrations.hermes.plugin import Plugin

KEY = "gh" + "p_" + "Zk3vQ9xW1bN7mR5tY2uP8sD4fG6hJ0aLcEoI"
TEXT = "---\nname: tea\ndescription: d\n---\nBoil water.\n"

Call = Callable[..., dict[str, Any]]


@pytest.fixture(name="config")
def _config() -> dict[str, Any]:
    return {}


@pytest.fixture(name="plugin")
def _plugin(tmp_path: Path, config: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Plugin:
    monkeypatch.setenv("HERMES_HOME", str(tmp_path))
    monkeypatch.delenv("INKGATE_SETTINGS", raising=False)
    return Plugin(lambda: config, lambda: "foreground")


@pytest.fixture(name="call")
def _call(plugin: Plugin) -> Call:
    def call(**arguments: Any) -> dict[str, Any]:
        def never(args: object) -> str:
            raise AssertionError("the agent's own function was called")

        reply = plugin.execute(tool_name="skill_manage", args=arguments, next_call=never, session_id="s1")
        assert isinstance(reply, str)
        return json.loads(reply)

    return call


@pytest.fixture(name="store")
def _store(tmp_path: Path) -> SkillGate:
    return SkillGate(tmp_path)


def test_every_action_is_served_with_its_source(call: Call, store: SkillGate, tmp_path: Path) -> None:
    """All six actions, below a category; each state is kept, and says from which file of which session it is."""
    assert call(action="create", name="tea", category="kitchen", content=TEXT)["success"]
    assert (tmp_path / "skills" / "kitchen" / "tea" / "SKILL.md").read_text() == TEXT
    steps = (
        {"action": "patch", "old_string": "Boil", "new_string": "Heat"},
        {"action": "write_file", "file_path": "references/water.md", "file_content": "80 °C"},
        {"action": "patch", "file_path": "references/water.md", "old_string": "80", "new_string": "75"},
        {"action": "edit", "content": TEXT},
        {"action": "remove_file", "file_path": "references/water.md"},
        {"action": "delete", "absorbed_into": "drinks"},
    )
    for step in steps:
        reply = call(name="tea", **step)
        assert reply["success"], reply
    versions = store.store.history("tea")
    assert [item.action for item in versions] == ["create", "patch", "write", "patch", "edit", "remove", "archive"]
    sources = [item.origin.source for item in versions]
    assert sources[1] == "tea/SKILL.md"
    assert sources[2] == sources[3] == sources[5] == "tea/references/water.md"
    assert {item.origin.session for item in versions} == {"s1"}
    assert versions[-1].reason == "Absorbed into drinks."
    assert store.status().archived == 1


def test_a_refusal_names_the_rule_and_not_the_secret(call: Call, store: SkillGate) -> None:
    """A credential never reaches a skill; neither does a patch that is not clear, or a path that leaves it."""
    reply = call(action="create", name="tea", content=TEXT + KEY)
    assert reply["success"] is False
    assert "github-token" in reply["error"]
    assert KEY not in reply["error"]
    assert call(action="create", name="tea", content=TEXT)["success"]
    for step in (
        {"action": "patch", "old_string": "none of it", "new_string": "x"},
        {"action": "write_file", "file_path": "../x.md", "file_content": "x"},
        {"action": "write_file", "file_path": "SKILL.md", "file_content": "x"},
        {"action": "edit", "content": "no front matter"},
        {"action": "edit", "content": 7},
        {"action": "create", "content": TEXT},
    ):
        reply = call(name="tea", **step)
        assert reply["success"] is False
        assert reply["error"]
    assert store.store.view("tea").text == TEXT


def test_approval_stages_with_the_agents_words(
    call: Call, config: dict[str, Any], plugin: Plugin, store: SkillGate
) -> None:
    """With approval on, the whole change waits; the person's command shows and applies it."""
    config["skills"] = {"write_approval": True}
    reply = call(action="create", name="tea", content=TEXT)
    assert (reply["success"], reply["staged"]) == (True, True)
    assert reply["gist"] == "create skill tea/SKILL.md"
    assert store.store.list() == ()
    pending = reply["pending_id"]
    assert pending in str(plugin.command("skills", ["pending"], lambda on: None))
    assert "+Boil water." in str(plugin.command("skills", ["diff", pending], lambda on: None))
    answer = plugin.command("skills", ["approve", pending, "extra"], lambda on: None)
    assert answer == "Approved 1 skills write(s)."
    assert store.store.view("tea").text == TEXT
    call(action="delete", name="tea")
    assert plugin.command("skills", ["reject", "all"], lambda on: None) == "Rejected 1 skills write(s)."


def test_a_background_writer_only_adds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Call) -> None:
    """What it would change is a proposal."""
    assert call(action="create", name="tea", content=TEXT)["success"]
    plugin = Plugin(dict, lambda: "background_review")

    def run(**arguments: Any) -> dict[str, Any]:
        return json.loads(str(plugin.execute(tool_name="skill_manage", args=arguments, next_call=None)))

    assert "staged" not in run(action="create", name="ale", content=TEXT.replace("tea", "ale"))
    assert run(action="patch", name="tea", old_string="Boil", new_string="Heat")["staged"] is True
    assert run(action="delete", name="tea")["staged"] is True


def test_what_lies_elsewhere_is_scanned_and_left_to_the_agent(plugin: Plugin, tmp_path: Path) -> None:
    """A skill of an external folder, and an action that we do not know: clean ones go on, others do not."""
    for arguments in (
        {"action": "patch", "name": "far", "old_string": "a", "new_string": "clean"},
        {"action": "new_action", "name": "far", "content": "clean"},
    ):
        assert plugin.execute(tool_name="skill_manage", args=arguments, next_call=lambda given: "host") == "host"
        poisoned = {name: text.replace("clean", KEY) for name, text in arguments.items()}
        reply = json.loads(str(plugin.execute(tool_name="skill_manage", args=poisoned, next_call=None)))
        assert reply["success"] is False
    blocked = [record for record in SkillGate(tmp_path).ledger.records() if record.event == "block"]
    assert {record.origin.source for record in blocked} == {"far/SKILL.md"}


# --- what the agent does around a write ------------------------------------------------------------------------------


class _Host:
    """The modules of the agent that know about skills, as far as they are used."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.told: list[object] = []
        self.pinned: set[str] = set()
        usage = SimpleNamespace(
            get_record=lambda name: {"pinned": name in self.pinned},
            mark_agent_created=lambda name: self.told.append(("created", name)),
            bump_patch=lambda name: self.told.append(("patched", name)),
        )
        prompt = SimpleNamespace(clear_skills_system_prompt_cache=lambda clear_snapshot: self.told.append("prompt"))
        self.manager = SimpleNamespace(apply_skill_pending=lambda payload: json.dumps({"success": True, "own": True}))
        self.approval = SimpleNamespace(skill_pending_diff=lambda record: "own diff")
        modules = {
            "tools": SimpleNamespace(skill_usage=usage),
            "tools.skill_usage": usage,
            "tools.skill_manager_tool": self.manager,
            "tools.write_approval": self.approval,
            "agent": SimpleNamespace(prompt_builder=prompt),
            "agent.prompt_builder": prompt,
        }
        for name, module in modules.items():
            monkeypatch.setitem(sys.modules, name, module)
        monkeypatch.setattr("inkgate.integrations.hermes.skillhost._ORIGINALS", {})


@pytest.fixture(name="host")
def _host(monkeypatch: pytest.MonkeyPatch) -> _Host:
    return _Host(monkeypatch)


def test_the_agent_hears_of_what_was_written(call: Call, host: _Host) -> None:
    """Its list of skills is read anew and the change is counted; not for what was refused or staged."""
    call(action="create", name="tea", content=TEXT)
    assert host.told == ["prompt"]
    call(action="patch", name="tea", old_string="Boil", new_string="Heat")
    assert host.told == ["prompt", "prompt", ("patched", "tea")]
    call(action="patch", name="tea", old_string="none", new_string="x")
    assert len(host.told) == 3


def test_an_agent_whose_bookkeeping_breaks_has_its_skill(
    call: Call, host: _Host, store: SkillGate, caplog: pytest.LogCaptureFixture
) -> None:
    """The write stands, and the log says what went wrong."""
    sys.modules["agent.prompt_builder"].clear_skills_system_prompt_cache = None  # type: ignore[attr-defined]
    assert call(action="create", name="tea", content=TEXT)["success"]
    assert store.store.view("tea").text == TEXT
    assert "TypeError" in caplog.text


def test_a_pinned_skill_is_not_deleted(call: Call, host: _Host, store: SkillGate) -> None:
    """Not by the agent, and no background writer touches it at all; a patch in the foreground goes on."""
    call(action="create", name="tea", content=TEXT)
    host.pinned.add("tea")
    reply = call(action="delete", name="tea")
    assert reply["success"] is False
    assert "pinned" in reply["error"]
    assert call(action="patch", name="tea", old_string="Boil", new_string="Heat")["success"]
    plugin = Plugin(dict, lambda: "background_review")
    new = {"action": "write_file", "name": "tea", "file_path": "references/a.md", "file_content": "x"}
    assert "pinned" in json.loads(str(plugin.execute(tool_name="skill_manage", args=new, next_call=None)))["error"]
    assert len(store.store.history("tea")) == 2


def test_the_agents_own_command_replays_what_was_shown(
    call: Call, host: _Host, plugin: Plugin, config: dict[str, Any], store: SkillGate
) -> None:
    """Its functions for staged skill writes are ours: the diff is the whole change, a foreign record is not applied."""
    config["skills"] = {"write_approval": True}
    pending = call(action="create", name="tea", content=TEXT)["pending_id"]
    skillhost.put_in_place(plugin)
    write = store.pending.get("skills", pending)
    record = {"id": pending, "payload": dict(write.payload)}
    assert "+Boil water." in host.approval.skill_pending_diff(record)
    changed = {**write.payload, "text": TEXT.replace("Boil", "Burn")}
    assert json.loads(host.manager.apply_skill_pending(changed))["success"] is False
    assert json.loads(host.manager.apply_skill_pending(dict(write.payload)))["success"] is True
    assert store.store.view("tea").text == TEXT
    assert store.pending.writes("skills") == []
    elsewhere = {"action": "edit", "name": "far", "content": "clean"}
    staged = json.loads(str(plugin.execute(tool_name="skill_manage", args=elsewhere, next_call=None)))
    own = store.pending.get("skills", staged["pending_id"])
    assert json.loads(host.manager.apply_skill_pending(dict(own.payload))) == {"success": True, "own": True}
    assert host.approval.skill_pending_diff({"id": own.id, "payload": dict(own.payload)}) == "own diff"


REAL = """
import json, os, sys
from pathlib import Path
home = Path(os.environ["HERMES_HOME"])
from hermes_cli.plugins import discover_plugins
from hermes_cli.middleware import run_tool_execution_middleware
discover_plugins()
from tools.skill_manager_tool import skill_manage
from tools.skills_tool import skill_view, skills_list
from tools import skill_usage
from tools.skill_provenance import set_current_write_origin
told = {}

def call(**args):
    return json.loads(run_tool_execution_middleware("skill_manage", args, lambda a: skill_manage(**a), session_id="s1"))

text = "---\\nname: tea\\ndescription: How to make tea.\\n---\\nBoil water.\\n"
told["create"] = call(action="create", name="tea", category="kitchen", content=text)
told["poison"] = call(action="write_file", name="tea", file_path="scripts/a.sh", file_content=sys.argv[1])
told["write"] = call(action="write_file", name="tea", file_path="references/water.md", file_content="80")
told["patch"] = call(action="patch", name="tea", old_string="Boil", new_string="Heat")
told["list"] = skills_list()
told["view"] = skill_view("tea")
told["linked"] = skill_view("tea", file_path="references/water.md")
told["patches"] = skill_usage.get_record("tea").get("patch_count")
skill_usage.set_pinned("tea", True)
told["pinned"] = call(action="delete", name="tea")
skill_usage.set_pinned("tea", False)
set_current_write_origin("background_review")
told["background"] = call(action="patch", name="tea", old_string="Heat", new_string="Burn")
set_current_write_origin("foreground")
config = home / "config.yaml"
config.write_text(config.read_text() + "skills:\\n  write_approval: true\\n")
told["staged"] = call(action="edit", name="tea", content=text.replace("Boil", "Cool"))
from hermes_cli import write_approval_commands as commands
handler = next(getattr(commands, name) for name in dir(commands) if name.startswith("handle"))
told["listed"] = handler("skills", ["pending"])
told["diff"] = handler("skills", ["diff", told["staged"]["pending_id"]])
told["approved"] = handler("skills", ["approve", told["staged"]["pending_id"]])
told["rejected"] = handler("skills", ["reject", told["background"]["pending_id"]])
config.write_text(config.read_text().replace("true", "false"))
told["delete"] = call(action="delete", name="tea", absorbed_into="")
told["gone"] = skills_list()
print("TOLD " + json.dumps(told))
"""


def test_the_real_host_serves_skills_through_the_gate(tmp_path: Path) -> None:
    """In Hermes Agent every action goes to the gate; its list, view, records and commands know what was written."""
    named = os.environ.get("INKGATE_HERMES_PYTHON", "")
    python = named or (sys.executable if importlib.util.find_spec("hermes_cli") else "")
    if not python:
        pytest.skip("hermes-agent is not installed; name a Python that has it and inkgate in INKGATE_HERMES_PYTHON")
    (tmp_path / "config.yaml").write_text("plugins:\n  enabled: [inkgate]\n")
    run = subprocess.run(
        [python, "-c", REAL, f"#!/bin/sh\necho {KEY}\n"], capture_output=True, text=True, check=False, timeout=300,
        cwd=tmp_path, env={**os.environ, "HERMES_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    lines = [line for line in run.stdout.splitlines() if line.startswith("TOLD ")]
    assert lines, run.stderr[-3000:]
    told = json.loads(lines[0].removeprefix("TOLD "))
    for name in ("create", "write", "patch", "delete"):
        assert told[name]["success"] is True, told[name]
        assert "staged" not in told[name]
    assert "github-token" in told["poison"]["error"]
    assert [item["name"] for item in json.loads(told["list"])["skills"]] == ["tea"]
    assert "Heat water." in json.loads(told["view"])["content"]
    assert json.loads(told["linked"])["content"] == "80"
    assert told["patches"] == 2
    assert "pinned" in told["pinned"]["error"]
    assert told["background"]["staged"] is True
    assert told["staged"]["staged"] is True
    assert told["staged"]["pending_id"] in told["listed"]
    assert "+Cool water." in told["diff"]
    assert "Approved 1 skills write" in told["approved"]
    assert told["background"]["pending_id"] in told["rejected"] or "1" in told["rejected"]
    assert json.loads(told["gone"])["skills"] == []
    versions = SkillGate(tmp_path).store.history("tea")
    assert [item.action for item in versions] == ["create", "write", "patch", "edit", "archive"]
    assert SkillGate(tmp_path).ledger.verify().intact
