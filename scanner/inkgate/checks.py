"""Every rule proves itself: its examples must be found and its counterexamples left alone, by the real pipeline."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from inkgate.match.pattern import max_width
from inkgate.match.rules import Rule, RuleSet, assemble
from inkgate.match.samples import SampleError, render
from inkgate.scan import scan_text
from inkgate.text.coverage import uncovered

__all__ = ["Failure", "check_rule", "check_rules", "check_table"]

_SEEDS = 3
"""Different texts are generated for each example, so that a rule does not pass by luck."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A rule does not do what its pack says.

    Attributes:
        rule: id of the rule.
        problem: one sentence; never holds a generated secret.
    """

    rule: str
    problem: str


def check_rule(rule: Rule, rules: RuleSet) -> Iterator[Failure]:
    """What is wrong with one rule; nothing when it keeps its word."""
    if rule.pattern:
        width = max_width(rule.pattern)
        if width is not None and width > rule.reach:
            yield Failure(rule.id, f"a match can be {width} characters long, its reach is {rule.reach}")
    if rule.detector == "learned":  # it is silent where another rule has spoken
        rules = assemble((other for other in rules.rules if other.detector), "alone")
    target = min(rule.targets)
    for name, samples, wanted in (("example", rule.examples, True), ("counterexample", rule.counterexamples, False)):
        for number, sample in enumerate(samples, 1):
            for seed in range(_SEEDS if "{{" in sample else 1):
                try:
                    text = render(sample, seed)
                except SampleError as error:
                    yield Failure(rule.id, f"{name} {number}: {error}")
                    break
                found = any(item.rule == rule.id for item in scan_text(text, target=target, rules=rules).findings)
                if found is not wanted:
                    yield Failure(rule.id, f"{name} {number} is {'found' if found else 'not found'}")
                    break


def check_rules(rules: RuleSet) -> list[Failure]:
    """What is wrong with any rule of a set."""
    return [failure for rule in rules.rules for failure in check_rule(rule, rules)]


def check_table() -> list[Failure]:
    """What the shipped fold table lacks of the installed `confusable-homoglyphs`.

    Raises:
        InkgateError: the package or its data file is not there.
    """
    return [Failure("fold table", f"U+{ord(char):04X} does not fold to what it looks like") for char in uncovered()]
