"""Conditions read from patterns are true of every match."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkgate.match.literals import required_sets, start_set
from inkgate.match.rules import load_rules


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\bdrop\W+rules?\b", [{"drop"}, {"rule"}]),
        (r"(?:drop|skip)\W{1,3}(?:orders|prompts)", [{"drop", "skip"}, {"orders", "prompts"}]),
        (r"(?:drop|[a-z]+)x", []),
        (r"(?:drop)?thing", [{"thing"}]),
        (r"(?:drop){2}", [{"drop"}]),
        (r"(?=drop)abcd", [{"abcd"}]),
        (r"with\W+that", []),
        (r"AKIA[A-Z]+", [{"akia"}]),
        (r"(?:curl\W+http|wget\W+http)", [{"curl", "http"}, {"http", "wget"}]),
        (r"\p{Han}abcd", []),
    ],
)
def test_conditions(pattern: str, expected: list[set[str]]) -> None:
    """Mandatory words are found; optional ones, lookarounds and common words are not conditions."""
    assert sorted(map(sorted, required_sets(pattern))) == sorted(map(sorted, expected))


WORDS = ["drop", "skip", "rules", "orders", "curl", "sh"]
ATOM = st.sampled_from([*WORDS, r"\W+", "[a-z]{0,3}", r"\b", "(?:xy)?"])
PATTERN = st.recursive(
    ATOM,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda options: "(?:" + "|".join(options) + ")"),
        inner.map(lambda one: f"(?:{one}){{1,2}}"),
        inner.map(lambda one: f"(?:{one})?"),
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=300)
@given(PATTERN, st.lists(st.sampled_from([*WORDS, " ", "x", "ab"]), max_size=14).map("".join))
def test_every_match_meets_every_condition(pattern: str, text: str) -> None:
    """Whatever matches contains a literal of each set."""
    for found in re.finditer(pattern, text):
        assert all(any(word in found[0] for word in option) for option in required_sets(pattern))


def test_shipped_patterns_still_match_their_examples() -> None:
    """Every condition of a shipped rule holds for what its pattern matches in its own examples."""
    import regex

    from inkgate.match.samples import render
    from inkgate.text.fold import fold

    checked = 0
    for rule in load_rules().rules:
        for example in rule.examples if rule.requires else ():
            found = regex.search(rule.pattern, fold(render(example)).lower, regex.MULTILINE)
            if found:
                checked += 1
                conditions = required_sets(rule.pattern)
                assert all(any(word in found[0] for word in option) for option in conditions), rule.id
    assert checked


@settings(deadline=None, max_examples=300)
@given(PATTERN, st.lists(st.sampled_from([*WORDS, " ", "x", "ab"]), max_size=14).map("".join))
def test_every_match_begins_as_read(pattern: str, text: str) -> None:
    """When there is a start set, each match begins with one of its literals."""
    starts = tuple(start_set(pattern))
    for found in re.finditer(pattern, text):
        assert not starts or found[0].startswith(starts)


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\b(?:e-?mail|send)\W+x", {"e-mail", "email", "send"}),
        (r"(?:do|did)\W{1,3}x", {"do", "did"}),
        (r"(?:please )?send", {"please send", "send"}),
        (r"\w+ send", set()),
        (r"(?<=x)[bc]url", {"burl", "curl"}),
        (r"no(?:ne|where)?", {"no"}),
    ],
)
def test_starts(pattern: str, expected: set[str]) -> None:
    """Optional parts and small sets are followed both ways; an open beginning gives nothing."""
    assert start_set(pattern) == expected
