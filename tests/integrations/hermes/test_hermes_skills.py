"""`skill_manage` of the agent: answered by the gate of skills, in the agent's own layout."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inkgate.gate.skills import SkillGate
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
