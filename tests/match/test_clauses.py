"""The conditions that are read from patterns hold for every match."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkgate.match.clause import Clause
from inkgate.match.clauses import clauses
from inkgate.match.collapse import Collapsed
from inkgate.match.keywords import Unit
from inkgate.match.rules import load_rules
from inkgate.match.runs import Runs

WORDS = ["drop", "skip", "rules", "orders", "curl", "sh"]
ATOM = st.sampled_from(
    [
        *WORDS,
        r"[\W_]{1,4}",
        r"\W{1,3}",
        "[a-z]{0,3}",
        r"\b",
        "(?:xy)?",
        r"\s?",
        r"(?![^\W_])",
        "_",
        "-",
        "[A-Za-z]x",
        ":",
    ]
)
PATTERN = st.recursive(
    ATOM,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda options: "(?:" + "|".join(options) + ")"),
        inner.map(lambda one: f"(?:{one}){{1,2}}"),
        inner.map(lambda one: f"(?:{one})?"),
    ),
    max_leaves=10,
)
TEXT = st.lists(st.sampled_from([*WORDS, " ", "x", "ab", "-", "_", "\n", ". ", "xy", ":"]), max_size=16).map("".join)


def found_by(clause: Clause, text: str, start: int) -> bool:
    """Whether a clause leads to a match that begins at `start`."""
    unit = Unit(0, next(iter(load_rules().rules)), clause)
    runs = Runs(text)
    collapsed = Collapsed(text)
    for anchor in clause.anchors:
        seen, at = text if clause.marks else collapsed.text, -1
        while (at := seen.find(anchor, at + 1)) >= 0:
            end = at + len(anchor)
            if clause.marks:
                first, last = end, at
            elif not unit.has_near(seen, end, at):
                continue
            else:
                first = collapsed.source(end - 2 if seen[end - 1] == " " else end - 1) + 1
                last = collapsed.source(at + 1 if seen[at] == " " else at)
            if clause.signs and not unit.signed(text, start):
                continue
            if clause.run and not runs.within(clause.run, start, len(text)):
                continue
            if clause.exact:
                if last == start and text.startswith(clause.starts, last):
                    return True
            elif first - clause.back <= start <= last + clause.ahead:
                begins = unit.begins(text, start, start + 1)
                if begins is None or begins:
                    return True
    return False


@settings(deadline=None, max_examples=500)
@given(PATTERN, TEXT, TEXT)
def test_every_match_is_led_to(pattern: str, before: str, text: str) -> None:
    """For each match one of the clauses has its anchor, all that stands near it, and the beginning."""
    whole = before + text
    found = [hit for hit in re.finditer(pattern, whole) if hit[0].strip(" \n._-:")]
    if not found:
        return
    keywords = ("\0",)  # a pattern that says nothing is found by its keywords, which are not at hand here
    read = clauses(pattern, 400, keywords)
    if any("\0" in clause.anchors for clause in read):
        return
    for hit in found:
        assert any(found_by(clause, whole, hit.start()) for clause in read), (hit, read)


@pytest.mark.parametrize(
    ("pattern", "anchors"),
    [
        (r"\b(?:drop|ignore)[\W_]{1,12}(?:[^\W_]{1,9}[\W_]{1,12}){0,3}?instructions\b", {"instructions "}),
        (r"\bread[\W_]{1,12}zanzibar\b", {" read zanzibar "}),
        (r"(?:curl\s{1,3}xyzzy|wget\s{1,3}plugh)", {"curl xyzzy", "wget plugh"}),
    ],
)
def test_the_rarest_condition_is_the_anchor(pattern: str, anchors: set[str]) -> None:
    """Rows of words are rarer than words, and rare words rarer than common ones."""
    assert {word for clause in clauses(pattern, 300, ()) for word in clause.anchors} == anchors


def test_alternatives_are_ways_of_their_own() -> None:
    """Each alternative of a whole pattern has its own conditions."""
    found = clauses(r"(?:zanzibar\W{1,3}[a-z]{1,9}\W{1,3}plugh|xyzzy\W{1,3}\d{1,9}\W{1,3}frobnicate)", 300, ())

    assert len(found) == 2
    assert all(clause.near for clause in found)


def test_marks_are_anchors_where_there_is_no_word() -> None:
    """A pattern of marks alone is looked for in the text as it is."""
    (clause,) = clauses(r":\(\)\{", 50, ())

    assert clause.marks
    assert clause.anchors == (":(){",)


def test_keywords_serve_where_the_pattern_cannot_be_read() -> None:
    """Syntax that only `regex` knows leaves the keywords."""
    (clause,) = clauses(r"\p{Han}{2,4}", 50, ("password",))

    assert clause.anchors == ("password",)
    assert clause.back == 50


def test_shipped_rules_find_their_examples_by_a_clause() -> None:
    """Every match of a shipped pattern in its own examples is led to by a clause of it."""
    import regex

    from inkgate.match.samples import render
    from inkgate.text.fold import fold

    checked = 0
    for rule in load_rules().rules:
        for example in rule.examples if rule.pattern else ():
            view = fold(render(example))
            text = view.lower if rule.view == "folded" else view.cased
            hit = regex.search(rule.pattern, text, regex.MULTILINE)
            if hit:
                checked += 1
                assert any(
                    found_by(clause, view.cased if clause.cased else view.lower, hit.start())
                    if not clause.cased
                    else found_by_cased(clause, view.lower, view.cased, hit.start())
                    for clause in rule.clauses
                ), rule.id
    assert checked


def found_by_cased(clause: Clause, lower: str, cased: str, start: int) -> bool:
    """The same for a clause whose starts keep their case."""
    plain = clause._replace(cased=False, starts=tuple(word.lower() for word in clause.starts))
    return found_by(plain, lower, start) and (not clause.starts or cased.startswith(clause.starts, start))
