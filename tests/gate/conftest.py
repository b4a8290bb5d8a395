"""A scanner that is easy to reason about: it blocks, stages or finds a secret where a marker word stands."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inkgate.gate import Gate
from inkgate.model import Category, Confidence, Finding, ScanResult, Severity, Target, Verdict
from inkgate.store import Durability

RULES = (
    ("poison-order", r"POISON\s+ORDER|POISON!", Category.INJECTION, Severity.HIGH, Verdict.BLOCK),
    ("doubtful-word", r"DOUBTFUL", Category.INJECTION, Severity.MEDIUM, Verdict.STAGE),
    ("test-key", r"KEY-\d{8}", Category.SECRET, Severity.CRITICAL, Verdict.BLOCK),
    ("maybe-key", r"key\.\d{8}", Category.SECRET, Severity.LOW, Verdict.ALLOW),
)


def fake_scan(text: str, target: Target) -> ScanResult:
    """Findings of the marker rules, in order."""
    findings = tuple(
        sorted(
            (
                Finding(
                    rule, category, severity, Confidence.HIGH, f"Marker of {rule}", match.start(), match.end(),
                    text.count("\n", 0, match.start()) + 1, match.start() - text.rfind("\n", 0, match.start()),
                    "raw", "", "", verdict=verdict,
                )
                for rule, pattern, category, severity, verdict in RULES
                for match in re.finditer(pattern, text)
            ),
            key=lambda item: item.start,
        )
    )  # fmt: skip
    verdict = max((item.verdict for item in findings), key=lambda item: item.rank, default=Verdict.ALLOW)
    return ScanResult(verdict, findings, target, len(text), ruleset="fake-1")


@pytest.fixture(name="scan")
def _scan() -> Callable[[str, Target], ScanResult]:
    return fake_scan


@pytest.fixture(name="gate")
def _gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path, scan=fake_scan, durability=Durability.NONE)


@pytest.fixture(name="make_gate")
def _make_gate(tmp_path: Path) -> Callable[..., Gate]:
    def make(**options: Any) -> Gate:
        return Gate(tmp_path, **{"scan": fake_scan, "durability": Durability.NONE, **options})

    return make
