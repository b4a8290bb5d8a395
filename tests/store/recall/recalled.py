"""What the tests of recall share: messages in a row, and a scanner that is easy to reason about."""

from __future__ import annotations

import re

from inkgate.model import Category, Confidence, Finding, ScanResult, Severity, Target, Verdict
from inkgate.store.recall import Message

_MARKERS = (
    ("poison", r"POISON", Category.INJECTION, Verdict.BLOCK),
    ("split-order", r"BEGIN.{0,40}?END", Category.INJECTION, Verdict.BLOCK),
    ("doubtful-word", r"DOUBTFUL", Category.INJECTION, Verdict.STAGE),
    ("test-key", r"KEY-\d{8}", Category.SECRET, Verdict.BLOCK),
)


def fake_scan(text: str, target: Target) -> ScanResult:
    """A poisoned word, an order that may run over several messages, a doubtful word, a key."""
    findings = [
        Finding(
            rule, category, Severity.HIGH, Confidence.HIGH, "Marker",
            match.start(), match.end(), 1, 1, "raw", "", "", verdict=verdict,
        )
        for rule, pattern, category, verdict in _MARKERS
        for match in re.finditer(pattern, text, re.DOTALL)
    ]  # fmt: skip
    verdict = max((item.verdict for item in findings), key=lambda item: item.rank, default=Verdict.ALLOW)
    return ScanResult(verdict, tuple(findings), target, len(text))


def say(*texts: str, session: str = "s", start: float = 1000.0, role: str = "user") -> list[Message]:
    """Messages of one session, a second apart."""
    return [Message(session, role, text, start + number) for number, text in enumerate(texts)]
