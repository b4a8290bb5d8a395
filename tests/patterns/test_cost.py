"""What the rules cost on ordinary text, counted and not timed: how often patterns are asked, and over how much text."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest

from inkgate import scan_text
from inkgate.match.rules import Rule, RuleSet, load_rules
from inkgate.model import Category

GROUPS = ("admin-howto", "context", "docs", "mail", "memory", "questions", "skill", "user", "vault")

TRY = 8
"""A try at one place costs about as much as a search over so many characters."""

EACH = 60_000
"""Characters per million of ordinary text: what one rule may search, tries included."""

TOGETHER = 830_000
"""The same for all rules of threats together. Both budgets stand just above what is reached; lower them with it."""


@dataclass
class Asked:
    """A compiled pattern that counts what it is asked."""

    pattern: Any
    ident: str
    costs: Counter[str]

    def match(self, text: str, start: int, end: int, **options: Any) -> Any:
        """A try at one place."""
        self.costs[self.ident] += TRY
        return self.pattern.match(text, start, end, **options)

    def search(self, text: str, start: int, end: int, **options: Any) -> Any:
        """A search over a stretch, up to what it finds."""
        found = self.pattern.search(text, start, end, **options)
        self.costs[self.ident] += TRY + (found.end() if found else end) - start
        return found


class Counting(RuleSet):
    """A rule set whose patterns count what they are asked."""

    costs: ClassVar[Counter[str]] = Counter()

    def compiled(self, rule: Rule) -> Any:
        """The rule's pattern, with a counter around it."""
        return Asked(super().compiled(rule), rule.id, self.costs)


@pytest.fixture(scope="module")
def costs(root: Path) -> dict[str, float]:
    """Characters searched per million characters of ordinary text, for each rule of threats that was asked at all."""
    text = "\n\n".join(
        json.loads(line)["text"]
        for group in GROUPS
        for line in (root / "corpus" / "ordinary" / f"{group}.jsonl").read_text(encoding="utf-8").splitlines()
        if '"text"' in line
    )
    shipped = load_rules()
    rules = Counting(shipped.rules, shipped.by_id, shipped.digest)
    Counting.costs.clear()
    assert len(text) > 40_000
    scan_text(text, target="memory", rules=rules)
    threats = {rule.id for rule in shipped.rules if rule.category is not Category.SECRET}
    return {ident: 1e6 * cost / len(text) for ident, cost in Counting.costs.items() if ident in threats}


def test_the_count_sees_every_search(costs: dict[str, float]) -> None:
    """Rules are asked in ordinary text at all; a count of nothing would prove nothing."""
    assert len(costs) > 20


def test_no_rule_is_dear(costs: dict[str, float]) -> None:
    """No rule searches more than a small part of ordinary text."""
    dear = {ident: round(cost) for ident, cost in costs.items() if cost > EACH}
    assert dear == {}


def test_all_rules_together_are_cheap(costs: dict[str, float]) -> None:
    """All rules together ask their patterns about no more than a few passes over the text."""
    assert sum(costs.values()) <= TOGETHER
