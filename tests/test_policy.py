"""The verdict table."""

from __future__ import annotations

import pytest

from inkgate.model import Category, Confidence, Finding, Severity, Stance, Target, Verdict
from inkgate.policy import DEFAULT, Policy, PolicyError


def finding(severity: Severity, confidence: Confidence, stance: Stance = Stance.USE) -> Finding:
    """A finding with just these three."""
    return Finding("r", Category.INJECTION, severity, confidence, "m", 0, 1, 1, 1, "raw", "x", "f", stance)


@pytest.mark.parametrize(
    ("severity", "confidence", "target", "verdict"),
    [
        (Severity.HIGH, Confidence.MEDIUM, Target.MEMORY, Verdict.BLOCK),
        (Severity.HIGH, Confidence.MEDIUM, Target.CONTEXT, Verdict.STAGE),
        (Severity.HIGH, Confidence.HIGH, Target.CONTEXT, Verdict.BLOCK),
        (Severity.HIGH, Confidence.LOW, Target.VAULT, Verdict.STAGE),
        (Severity.MEDIUM, Confidence.MEDIUM, Target.SKILL, Verdict.STAGE),
        (Severity.MEDIUM, Confidence.LOW, Target.SKILL, Verdict.ALLOW),
        (Severity.LOW, Confidence.HIGH, Target.MEMORY, Verdict.ALLOW),
    ],
)
def test_default_table(severity: Severity, confidence: Confidence, target: Target, verdict: Verdict) -> None:
    """Grave and certain blocks; grave or likely waits for a person; the rest passes."""
    assert DEFAULT.verdict(finding(severity, confidence), target) is verdict


def test_a_mention_is_staged_at_most() -> None:
    """A quoted attack never blocks by itself, and never passes in silence."""
    quoted = finding(Severity.CRITICAL, Confidence.HIGH, Stance.MENTION)

    assert DEFAULT.verdict(quoted, Target.MEMORY) is Verdict.STAGE


def test_an_incomplete_scan_is_never_allowed() -> None:
    """What was not read is not clean."""
    assert DEFAULT.decide((), complete=True) is Verdict.ALLOW
    assert DEFAULT.decide((), complete=False) is Verdict.STAGE


def test_configuration_replaces_floors() -> None:
    """A floor that is given replaces the default one; the others stay."""
    policy = Policy.from_mapping({"vault": {"block": {"critical": "high"}}, "mention": "block"})

    assert policy.verdict(finding(Severity.HIGH, Confidence.HIGH), Target.VAULT) is Verdict.STAGE
    assert policy.verdict(finding(Severity.HIGH, Confidence.HIGH), Target.MEMORY) is Verdict.BLOCK
    assert policy.mention is Verdict.BLOCK


@pytest.mark.parametrize(
    ("data", "named"),
    [
        ({"vaults": {}}, "vaults"),
        ({"vault": {"blok": {}}}, "blok"),
        ({"vault": {"block": {"severe": "low"}}}, "severe"),
        ({"vault": {"block": {"high": "sure"}}}, "policy.vault.block.high"),
        ({"vault": 1}, "policy.vault"),
        ({"vault": {"allow": {}}}, "policy.vault.allow"),
    ],
)
def test_mistakes_are_named(data: dict[str, object], named: str) -> None:
    """An unknown word in a policy is an error that says where."""
    with pytest.raises(PolicyError, match=named):
        Policy.from_mapping(data)
