"""The shipped threat packs: every rule proves itself on its own samples, and none can run away."""

from __future__ import annotations

import time

import pytest

from inkgate import scan_text
from inkgate.match.pattern import max_width
from inkgate.match.rules import Rule, load_rules
from inkgate.model import Category, Target

RULES = [r for r in load_rules().rules if not r.detector and r.category is not Category.SECRET]
IDS = [rule.id for rule in RULES]


def _found(text: str, rule: Rule) -> bool:
    target = min(rule.targets)
    return rule.id in {finding.rule for finding in scan_text(text, target=target).findings}


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_examples_are_found(rule: Rule) -> None:
    """Every rule has at least two examples, and the whole engine finds it in each."""
    assert len(rule.examples) >= 2
    assert [text for text in rule.examples if not _found(text, rule)] == []


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_counterexamples_are_left_alone(rule: Rule) -> None:
    """Every rule has ordinary text near it that it does not match."""
    assert rule.counterexamples
    assert [text for text in rule.counterexamples if _found(text, rule)] == []


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_no_match_is_longer_than_the_reach(rule: Rule) -> None:
    """A pattern cannot match more than its reach, so a result does not depend on where the text was cut."""
    width = max_width(rule.pattern)
    assert width is not None
    assert width <= rule.reach


@pytest.mark.parametrize("rule", RULES, ids=IDS)
def test_a_flood_of_its_own_words_is_read_in_linear_time(rule: Rule) -> None:
    """Half of an example, repeated without end, takes no longer a kilobyte than once."""
    unit = rule.examples[0][: max(8, len(rule.examples[0]) // 2)] + " "
    text = unit * (16_384 // len(unit))
    start = time.perf_counter()
    result = scan_text(text, target=min(rule.targets))
    assert time.perf_counter() - start < 15
    assert "search-timeout" not in {finding.rule for finding in result.findings}


WORDS = (
    "ignore ",
    "a_",
    "a-",
    "send all ",
    "curl $A ",
    "you must ",
    "to the ",
    "<!-- ",
    "always approve ",
    "![x](http://a/",
)


@pytest.mark.parametrize("unit", WORDS)
def test_hostile_lines_are_read(unit: str) -> None:
    """One line of 32 Ki characters made of the packs' own words is read to its end."""
    text = unit * (32_768 // len(unit))
    for target in (Target.MEMORY, Target.SKILL):
        start = time.perf_counter()
        result = scan_text(text, target=target)
        assert time.perf_counter() - start < 15
        assert "search-timeout" not in {finding.rule for finding in result.findings}


def test_every_family_has_rules() -> None:
    """No family of threats is without a rule."""
    families = {rule.category for rule in load_rules().rules}
    assert families == set(Category)
