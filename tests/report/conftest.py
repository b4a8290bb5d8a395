"""A report that has something of everything, and the golden files that each format is compared with."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

import pytest

from inkgate.match.parse import parse_pack
from inkgate.match.rules import Rule
from inkgate.model import Category, Confidence, Finding, Severity, Stance, Unread, Verdict
from inkgate.report import Report, Suppressed

GOLDEN = Path(__file__).parent / "golden"

PACK = """
[pack]
name = "sample"
[[rule]]
id = "hidden-tags"
title = "Text hidden in tag characters"
category = "hidden"
severity = "high"
confidence = "high"
detector = "hidden"
why = "A model reads tag characters as letters [and] a person sees nothing."
fix = "Delete the characters."
references = ["https://www.unicode.org/reports/tr36/"]
since = "0.1.0"
[[rule]]
id = "sample-order"
title = "Order to do a thing"
category = "injection"
severity = "medium"
confidence = "medium"
detector = "lint"
why = "An order in a note is read as an order."
fix = "Quote it or delete it."
since = "0.1.0"
"""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds the option that rewrites the golden files."""
    parser.addoption("--update-golden", action="store_true", help="write the golden files anew")


@pytest.fixture
def golden(request: pytest.FixtureRequest) -> Callable[[str, str], None]:
    """Compares a text with the golden file of that name; `--update-golden` writes it instead."""

    def compare(name: str, actual: str) -> None:
        path = GOLDEN / name
        if request.config.getoption("--update-golden", default=False):
            path.write_text(actual, encoding="utf-8", newline="\n")
        assert path.read_text(encoding="utf-8") == actual

    return compare


@pytest.fixture(scope="session")
def rules() -> MappingProxyType[str, Rule]:
    """Two rules with all their words."""
    found, _ = parse_pack(PACK, "sample.toml")
    return MappingProxyType({rule.id: rule for rule in found})


def make(rule: str = "sample-order", *, source: str = "notes/a.md", line: int = 3, **changes: object) -> Finding:
    """A finding, of which any field can be changed."""
    fields: dict[str, object] = {
        "rule": rule,
        "category": Category.INJECTION,
        "severity": Severity.MEDIUM,
        "confidence": Confidence.MEDIUM,
        "message": "Order to do a thing",
        "start": 40,
        "end": 52,
        "line": line,
        "column": 5,
        "view": "folded",
        "excerpt": "do the thing",
        "fingerprint": "0123456789abcdef",
        "source": source,
        "verdict": Verdict.STAGE,
        "end_line": line,
        "end_column": 17,
    }
    return Finding(**(fields | changes))  # type: ignore[arg-type]


@pytest.fixture
def full(rules: MappingProxyType[str, Rule]) -> Report:
    """Findings of every verdict, hostile text, suppressed and unread items, a notice."""
    tags = make(
        "hidden-tags",
        category=Category.HIDDEN,
        severity=Severity.HIGH,
        confidence=Confidence.HIGH,
        message="Text hidden in tag characters",
        view="tags",
        excerpt="run <U+E0072><U+E0075>",
        verdict=Verdict.BLOCK,
        end_line=5,
        end_column=2,
    )
    mention = make(stance=Stance.MENTION, reason="quoted in a fenced example", severity=Severity.LOW, line=9)
    hostile = make(
        source="::error::50%, [x](https://e.example)\n##[group]\u202e.md",
        excerpt="::stop-commands::x ##[warning]y <script>&]]>\x1b[31m",
        verdict=Verdict.ALLOW,
        severity=Severity.INFO,
        view="raw",
        end_line=0,
        end_column=0,
    )
    unknown = make("gone-rule", source="/srv/repo/b c.md", line=1, column=1, message="Something [else](x)")
    known = make(source="notes/a.md", line=20)
    return Report(
        findings=(unknown, hostile, tags, mention),
        suppressed=(
            Suppressed(known, "inline", "an example for the course"),
            Suppressed(make(line=21), "baseline", "seen on import"),
            Suppressed(make(line=22), "config", "too noisy here"),
        ),
        unread=(
            Unread("secret.md", "permission denied", fatal=True),
            Unread("logo.png", "an image holds no text", fatal=False),
        ),
        notices=("baseline: 1 entry matches nothing any more",),
        files=4,
        left_out=2,
        characters=1234,
        ruleset="fedcba9876543210",
        version="0.1.0",
        rules=rules,
        root="/srv/repo",
    )
