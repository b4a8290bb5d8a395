"""What never moves, each rule with what it means and with the ordinary facts that look most like it."""

from __future__ import annotations

import pytest

from inkgate.match.samples import render
from inkgate.model import Target
from inkgate.scan import scan_text
from inkgate.tiers.never import DUMP_CHARACTERS, objection

DUMPS = [
    "2026-11-30 10:00:01 INFO started\n2026-11-30 10:00:02 INFO ready\n" * 6,
    "\n".join(f"-rw-r--r-- 1 ann ann {size} Nov 30 10:00 file{size}.py" for size in range(10)),
    "Traceback (most recent call last):\n" + '  File "a.py", line 3, in f\n' * 9,
    "```\n" + "x = 1\n" * 20 + "```",
    "\n".join(f'{{"id": {number}, "name": "n"}},' for number in range(12)),
    "ERROR: connection refused",
    "{'name': 'Mark', 'rating': 4, 'content': 'The ferry was late and the tea was cold', 'day': '2022-02-23'}",
    "A long story. " * 400,
]
EPHEMERAL = [
    "I'm now running the tests.",
    "Currently waiting for the review.",
    "The build is still running.",
    "We are on step 3 of 5.",
    "The migration is 80% done.",
    "In this session we looked at the parser.",
    "TODO: rename the helper",
    "The dev server has PID 48213.",
    "The log lies in /tmp/run-4711/out.log.",
]
DERIVABLE = [
    "Today is Monday.",
    "It is now 2026-11-30.",
    "The current directory is /home/ann/work.",
    "There are 312 files in services/.",
    "main.py has 1,204 lines.",
    "The current branch is main.",
    "Node version is 20.11",
    "17 * 3 = 51",
    "The file README.md exists.",
]
FACTS = [
    "The staging database listens on port 5439.",
    "We run the tests before every release.",
    "Builds are never started on Fridays.",
    "The team meets on Monday at ten.",
    "An import may hold 10,000 rows at most.",
    "Invoices have 30 days.",
    "Files in services/ are owned by Ines.",
    "The release branch is called main.",
    "Python 3.11 is the oldest version that customers run.",
    "The build server is waiting-room.example, in the second rack.",
    "Errors are reported to the channel #harbor.",
    "Every skill has a step for cleaning up.",
    "The pipeline runs at three in the morning.",
    "CSV exports use semicolons; decimals use commas.",
    "顧客への請求書は三十日以内に支払われる。",
]


def code(text: str, heading: str = "") -> str:
    """The code of the objection, or nothing."""
    found = objection(text, scan_text(text, target=Target.MEMORY).findings, heading=heading)
    return found.code if found else ""


@pytest.mark.parametrize(
    ("text", "expected"),
    [(text, "never-dump") for text in DUMPS]
    + [(text, "never-ephemeral") for text in EPHEMERAL]
    + [(text, "never-derivable") for text in DERIVABLE],
)
def test_what_never_moves(text: str, expected: str) -> None:
    """The rule that fits says so."""
    assert code(text) == expected


@pytest.mark.parametrize("fact", FACTS)
def test_ordinary_facts_move(fact: str) -> None:
    """Numbers, days, file names and versions do not keep a fact back."""
    assert code(fact) == ""


def test_secrets_never_move_in_the_clear_or_masked() -> None:
    """Nor the marks that recall and the gate put in their places."""
    token = render("{{crc62:ghp_}}")
    assert code(f"The deploy token is {token}.") == "never-secret"
    assert code("The deploy token is [REDACTED:github-token:1].") == "never-secret"
    assert code("The deploy token is [secret: github-token].") == "never-secret"
    assert code("The deploy token is kept in the password store under harbor/deploy.") == ""


def test_a_heading_of_open_tasks_makes_ephemera() -> None:
    """The same sentence under another heading is a fact."""
    assert code("Rename the helper in berth.py.", "Summary / In progress") == "never-ephemeral"
    assert code("Rename the helper in berth.py.", "Summary / Next steps") == "never-ephemeral"
    assert code("Helpers are named after their module.", "Summary / Conventions") == ""


def test_every_reason_says_what_and_what_instead() -> None:
    """A refusal names its rule in words, never repeats the text, and knows a way out."""
    for text in (
        "ERROR: connection refused",
        "Today is Monday.",
        "TODO: rename the helper",
        "x" * (DUMP_CHARACTERS + 1),
    ):
        found = objection(text)
        assert found is not None
        assert "never moves between tiers" in found.reason
        assert text not in found.reason
        assert found.hint


def test_a_procedure_may_hold_commands_but_no_secret() -> None:
    """Steps are often what would be ephemera as a fact."""
    assert objection("cp out.tar /tmp/upload/x", procedure=True) is None
    assert objection("login with [REDACTED:github-token:1]", procedure=True) is not None
