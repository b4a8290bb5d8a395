"""The commands about rules and configuration."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from inkgate import cli
from inkgate.match.rules import load_rules
from inkgate.text.escape import is_safe_line

PACK = """
[pack]
name = "team"
[[rule]]
id = "team-word"
title = "The team's word"
category = "injection"
severity = "high"
confidence = "high"
keywords = ["xyzzy"]
pattern = "xyzzy"
reach = 20
why = "It is a word of power."
fix = "Do not write it."
since = "0.1.0"
examples = ["say %s now"]
counterexamples = ["say nothing"]
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder without a configuration."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("INKGATE_CONFIG", raising=False)
    return tmp_path


def pack(folder: Path, word: str) -> None:
    """A configuration with one further pack, whose example is that word."""
    (folder / "team.toml").write_text(PACK % word, encoding="utf-8")
    (folder / "inkgate.toml").write_text('rule-packs = ["team.toml"]\n', encoding="utf-8")


def test_the_list_has_every_rule_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line for each, safe to print."""
    assert cli.main(["rules"]) == 0
    lines = capsys.readouterr().out.splitlines()

    assert sorted(line.split()[0] for line in lines) == sorted(load_rules().by_id)
    assert all(map(is_safe_line, lines))


def test_the_list_is_also_json(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """With a version, and every rule's words."""
    assert cli.main(["rules", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)

    assert data["schema_version"] == 1
    assert {rule["id"] for rule in data["rules"]} == set(load_rules().by_id)
    assert all(rule["why"] and rule["fix"] for rule in data["rules"])


def test_every_rule_can_be_explained(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Why, what to do and how to suppress it, in safe lines."""
    for rule in load_rules().rules:
        assert cli.main(["explain", rule.id]) == 0
        shown = capsys.readouterr().out
        assert shown.startswith(f"{rule.id}: ")
        assert all(map(is_safe_line, shown.splitlines()))


def test_an_unknown_rule_has_a_near_one(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A slip of the pen is met with what was meant."""
    assert cli.main(["explain", "supression-unused"]) == 2
    assert "did you mean suppression-unused" in capsys.readouterr().err


@pytest.mark.parametrize(("word", "code"), [("xyzzy", 0), ("plugh", 1)])
def test_the_check_finds_a_rule_that_breaks_its_word(
    word: str, code: int, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An example that is not found is a failure with its rule's name; the configuration's packs are checked too."""
    import inkgate.checks

    # The shipped rules have a test of their own, which takes its time.
    monkeypatch.setattr(
        inkgate.checks,
        "check_rules",
        lambda rules: list(inkgate.checks.check_rule(rules.by_id["team-word"], rules)),
    )
    pack(folder, word)

    assert cli.main(["rules", "check"]) == code
    assert ("team-word: example 1 is not found" in capsys.readouterr().out) is bool(code)


def test_config_show_names_value_and_origin(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each value with its file, each default as one; and it is TOML."""
    import tomllib

    (folder / "inkgate.toml").write_text(
        'jobs = 3\n[targets]\n"m/**" = "memory"\n[disable]\nx = "why"', encoding="utf-8"
    )

    assert cli.main(["config", "show"]) == 0
    shown = capsys.readouterr().out
    assert f"jobs = 3  # {folder / 'inkgate.toml'}" in shown
    assert 'fail-on = "stage"  # default' in shown
    parsed = tomllib.loads(shown)
    assert (parsed["targets"], parsed["disable"]) == ({"m/**": "memory"}, {"x": "why"})


@pytest.mark.parametrize(
    ("argv", "environment", "jobs"),
    [
        ([], None, 1),
        ([], "env.toml", 2),
        (["--config", "option.toml"], "env.toml", 3),
        (["--no-config"], "env.toml", 0),
    ],
)
def test_which_configuration_counts(
    argv: list[str],
    environment: str | None,
    jobs: int,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The option, then the environment, then the nearest file."""
    for number, name in enumerate(["inkgate.toml", "env.toml", "option.toml"], 1):
        (folder / name).write_text(f"jobs = {number}", encoding="utf-8")
    if environment:
        monkeypatch.setenv("INKGATE_CONFIG", environment)

    assert cli.main(["config", *argv]) == 0
    assert f"\njobs = {jobs}  #" in capsys.readouterr().out
