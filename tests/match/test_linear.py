"""No shipped pattern takes more than linear time, whatever is made of its own words."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator

import pytest

from inkgate.match import engine
from inkgate.match.engine import Match, Matcher, SearchTimeout
from inkgate.match.parse import parse_pack
from inkgate.match.rules import Rule, RuleSet, assemble, load_rules
from inkgate.text.fold import fold
from inkgate.text.view import View

RULES = tuple(rule for rule in load_rules().rules if rule.pattern)

SHORT, LONG = 2_000, 8_000
"""Characters. Time that grows with the square of the length would be sixteen times as long for the longer text."""

GROWTH = 9.0
"""How much longer the longer text may take; four would be exact."""

NOTICED = 0.08
"""Seconds of work for the longer text below which nothing is said about growth: ten microseconds per character.

A shorter text may just happen to hold nothing that costs time, and a rule that stays this cheap is then said to grow.
"""

EACH = 40e-6
"""Seconds of work per character, at most: a text of 64 Ki characters made for one rule would take three seconds."""

KNOWN: dict[str, str] = {
    "pipe-secret-out": "three gaps of up to 120 characters in a row, each of which may end at every pipe",
}
"""Rules that are still too slow, with the reason. It only ever gets shorter."""


def hostile(rule: Rule, size: int) -> Iterator[str]:
    """Texts of the rule's own words that come near to matches, again and again."""
    source = random.Random(rule.id)
    anchors = [word for clause in rule.clauses for word in clause.anchors]
    starts = [word for clause in rule.clauses for word in clause.starts] or anchors
    near = [word for clause in rule.clauses for each in clause.near for word in each.words] or anchors
    words = ["a", "the", "x1", "of", "all", "your"]
    signs = "".join({char for clause in rule.clauses for char in clause.signs}) or "."
    run = max(20, *(clause.run for clause in rule.clauses))
    yield _fill(lambda: source.choice(anchors) + " ", size)
    yield _fill(lambda: source.choice(starts), size)
    yield _fill(lambda: f"{source.choice(starts)} {source.choice(words)} {source.choice(near)} ", size)
    yield _fill(lambda: f"{source.choice(starts)} " + f"{source.choice(words)} " * 9 + source.choice(anchors), size)
    yield _fill(lambda: f"{source.choice(anchors)}{source.choice([' ', '-', '_', '. ', '**', '/', ':', '='])}", size)
    yield _fill(lambda: f"{source.choice(starts)}{source.choice('-_./=:') * 6}{source.choice('ab1') * run}", size)
    yield _fill(
        lambda: f"{source.choice(starts)} {source.choice(words)}{source.choice(signs)}{source.choice(near)} ", size
    )
    yield _fill(lambda: source.choice(starts) + f"{source.choice(words)} " * 20 + f",~;, {source.choice(signs)}", size)
    for example in rule.examples[:2]:
        half = example[: len(example) * 2 // 3]
        yield (f"{half} " * (size // (len(half) + 1) + 1))[:size]


def _fill(make: object, size: int) -> str:
    pieces: list[str] = []
    length = 0
    while length < size:
        pieces.append(make())  # type: ignore[operator]
        length += len(pieces[-1])
    return "".join(pieces)[:size]


def seconds(rules: RuleSet, text: str) -> float:
    """CPU seconds of all searches of a rule in a text; infinite when one of them ran out of time."""
    view = View()
    view.append(fold(text), 0)
    start = time.thread_time()
    found: list[Match | SearchTimeout] = list(Matcher(rules).matches(view, view.end + 1))
    spent = time.thread_time() - start
    return float("inf") if any(isinstance(item, SearchTimeout) for item in found) else spent


def verdict(rule: Rule) -> str:
    """What is wrong with the time that a rule takes; empty when nothing is."""
    rules = assemble([rule], rule.id)
    for short, long in zip(hostile(rule, SHORT), hostile(rule, LONG), strict=True):
        for _ in range(3):  # a busy machine may be slow once, a slow pattern is slow each time
            slow = seconds(rules, long)
            if slow < NOTICED:
                break
            quick = min(seconds(rules, short), seconds(rules, short))
            problem = ""
            if slow > GROWTH * quick:
                problem = f"{slow / max(quick, 1e-9):.0f} times as long for a text four times as long"
            elif slow > EACH * LONG:
                problem = f"{slow / LONG * 1e6:.0f} microseconds per character"
            if not problem:
                break
        else:
            return f"{problem}: {long[:80]!r}"
    return ""


@pytest.mark.parametrize("part", range(8))
def test_work_grows_with_the_text_only(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every rule searches texts made of its own words in time that grows with their length and no faster."""
    monkeypatch.setattr(engine, "SEARCH_SECONDS", 2.0)
    slow = {rule.id: said for rule in RULES[part::8] if rule.id not in KNOWN and (said := verdict(rule))}
    assert slow == {}


def test_the_known_ones_are_still_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A rule that has become fast leaves the list."""
    monkeypatch.setattr(engine, "SEARCH_SECONDS", 2.0)
    assert KNOWN.keys() <= {rule.id for rule in RULES if rule.id in KNOWN and verdict(rule)}


RUNAWAY = """
[pack]
name = "demo"
[[rule]]
id = "runaway"
title = "t"
category = "injection"
severity = "high"
confidence = "high"
keywords = ["drop"]
pattern = '''drop(?:[^\\W_]{1,9}[\\W_]{0,2}){1,90}!'''
reach = 1000
why = "w"
fix = "f"
since = "0.1.0"
examples = ["drop the lot now!"]
"""


GROWING = RUNAWAY.replace("drop(?:[^\\W_]{1,9}[\\W_]{0,2}){1,90}!", "drop(?:[^\\n]{0,4000}?zz[^\\n]{0,4000}!)").replace(
    "the lot now!", "zz !"
)


def test_a_pattern_that_grows_with_the_square_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two gaps that may be as long as the text are looked through again from each of its starts."""
    monkeypatch.setattr(engine, "SEARCH_SECONDS", 60.0)
    (rule,), _ = parse_pack(GROWING.replace("1000", "4000"), "demo.toml")

    assert "times as long" in verdict(rule)


def test_a_pattern_that_runs_away_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words and separators that can be parted in many ways take more time than there is, and the measure says so."""
    monkeypatch.setattr(engine, "SEARCH_SECONDS", 0.2)
    (rule,), _ = parse_pack(RUNAWAY, "demo.toml")

    assert verdict(rule).startswith("inf ")
