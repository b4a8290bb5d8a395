"""The SARIF output is valid, and has what code scanning asks for beyond the schema."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema.validators import validator_for

from inkgate.report import Report, render

from .conftest import make

SCHEMA = Path(__file__).resolve().parents[1] / "data" / "sarif" / "sarif-2.1.0-rtm.5.json"


@pytest.fixture(scope="module")
def schema() -> Any:
    """A validator of the official schema."""
    data = json.loads(SCHEMA.read_text(encoding="utf-8"))
    kind = validator_for(data)
    kind.check_schema(data)
    return kind(data)


def run_of(report: Report) -> dict[str, Any]:
    """The only run of a report's log."""
    (run,) = json.loads(render(report, "sarif"))["runs"]
    return run


@pytest.mark.parametrize("name", ["full", "empty"])
def test_the_log_is_valid(name: str, full: Report, schema: Any) -> None:
    """The official schema finds no fault, with findings and without."""
    report = full if name == "full" else Report(version="0.1.0")

    assert [error.message for error in schema.iter_errors(json.loads(render(report, "sarif")))] == []


def test_the_schema_can_fail(full: Report, schema: Any) -> None:
    """The validator does refuse a log whose result lacks its message."""
    log = json.loads(render(full, "sarif"))
    del log["runs"][0]["results"][0]["message"]

    assert not schema.is_valid(log)


def test_results_are_present_when_nothing_is_found() -> None:
    """A clean run has an empty list of results, which code scanning takes as everything being fixed."""
    assert run_of(Report(version="0.1.0"))["results"] == []


def test_each_rule_has_what_code_scanning_shows(full: Report) -> None:
    """Descriptions, help, tags, precision and a severity score in GitHub's bands, none of them empty."""
    rule = next(rule for rule in run_of(full)["tool"]["driver"]["rules"] if rule["id"] == "hidden-tags")

    assert rule["name"] == "HiddenTags"
    assert rule["shortDescription"]["text"]
    assert rule["fullDescription"]["text"]
    assert rule["help"]["markdown"]
    assert rule["helpUri"] == "https://www.unicode.org/reports/tr36/"
    assert rule["defaultConfiguration"] == {"level": "error"}
    assert rule["properties"] == {"tags": ["security", "hidden"], "precision": "high", "security-severity": "8.0"}


def test_every_result_points_at_its_rule(full: Report) -> None:
    """The rule index and the rule id name the same rule."""
    run = run_of(full)

    for result in run["results"]:
        assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]


def test_only_our_own_fingerprint_is_written(full: Report) -> None:
    """GitHub's line hash is left to its uploader."""
    assert {key for result in run_of(full)["results"] for key in result["partialFingerprints"]} == {"inkgate/v1"}


def test_suppressions_say_where_they_stand_and_why(full: Report) -> None:
    """An inline one is in the source, the others are external, and each has its reason."""
    notes = [result["suppressions"] for result in run_of(full)["results"] if "suppressions" in result]

    assert notes == [
        [{"kind": "inSource", "justification": "an example for the course"}],
        [{"kind": "external", "justification": "seen on import"}],
        [{"kind": "external", "justification": "too noisy here"}],
    ]


def test_an_incomplete_run_is_not_successful(full: Report) -> None:
    """A file that could not be read makes the invocation unsuccessful and is told."""
    (invocation,) = run_of(full)["invocations"]

    assert invocation["executionSuccessful"] is False
    assert invocation["exitCode"] == 2
    assert invocation["toolExecutionNotifications"][0]["level"] == "error"


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("notes/a b.md", "notes/a%20b.md"),
        ("./a.md", "a.md"),
        ("/srv/repo/x/a.md", "x/a.md"),
        ("/etc/a.md", "file:///etc/a.md"),
        ("a:b#c?.md", "a%3Ab%23c%3F.md"),
        ("\u00e9\u202e.md", "%C3%A9%E2%80%AE.md"),
        ("\udcff.md", "%FF.md"),
        ("\ud800.md", "%3F.md"),
        ("", "text"),
    ],
)
def test_paths_become_relative_references(path: str, uri: str) -> None:
    """Relative to the working directory, percent-encoded from the bytes of the file name."""
    run = run_of(Report(findings=(make(source=path),), version="0.1.0", root="/srv/repo"))

    assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == uri


def test_brackets_in_a_message_are_not_links() -> None:
    """Square brackets and braces are escaped, since SARIF gives them a meaning."""
    run = run_of(Report(findings=(make(message="see [x](https://e.example) {0}"),), version="0.1.0"))

    assert run["results"][0]["message"]["text"] == "see \\[x\\](https://e.example) {{0}}."


def test_a_member_of_an_archive_lies_in_its_archive() -> None:
    """The archive is the artifact; a mark in a file's own name means nothing."""
    inner, plain = make(source="a!b.zip!c.md"), make(source="wow!.md")
    run = run_of(Report(findings=(inner, plain), version="0.1.0", members={"a!b.zip!c.md": "a!b.zip"}))
    first, second = (result["locations"][0] for result in run["results"])

    assert first["physicalLocation"]["artifactLocation"]["uri"] == "a%21b.zip"
    assert first["logicalLocations"][0]["fullyQualifiedName"] == "a!b.zip!c.md"
    assert second["physicalLocation"]["artifactLocation"]["uri"] == "wow%21.md"
    assert "logicalLocations" not in second
