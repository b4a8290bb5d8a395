"""Is it a live credential: checksum, entropy and placeholder tests on the value of a secret rule."""

from __future__ import annotations

import math
import re
from collections import Counter

from inkgate.judge.context import Context, Judgement
from inkgate.match.rules import Rule

__all__ = ["entropy", "judge_secret"]

_PLACEHOLDER = re.compile(
    r"(?i)example|placeholder|your[_-]|change[_-]?me|redacted|dummy|sample|xxxx|\*\*\*|\.\.\.|<[^>]*>|\$\{?\w|\{\{|^%\w+%$"
)


def entropy(text: str) -> float:
    """Shannon entropy in bits a character; 0.0 for an empty text."""
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values()) if size else 0.0


def judge_secret(rule: Rule, context: Context) -> Judgement | None:
    """Severity and confidence of a secret, or None when the value is not a credential at all (a placeholder)."""
    value = context.value
    if _PLACEHOLDER.search(value) or len(set(value)) <= 3:
        return None
    for check in rule.checks:
        name, _, argument = check.partition(":")
        if name == "entropy" and entropy(value) < float(argument):
            return None
    return Judgement(rule.severity, rule.confidence)
