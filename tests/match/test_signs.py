"""Marks near the beginning of every match, read from patterns."""

from __future__ import annotations

import re
from collections.abc import Iterable
from re import _parser  # type: ignore[attr-defined]
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkgate.match.literals import parse_pattern
from inkgate.match.signs import signs


def read(pattern: str) -> tuple[str, int]:
    """The signs of a pattern."""
    tree = parse_pattern(pattern)
    assert tree is not None

    def width(nodes: Iterable[Any]) -> int:
        return int(_parser.SubPattern(tree.state, list(nodes)).getwidth()[1])

    return signs(list(tree), width)


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        (r"key\s{0,2}[:=]\s?\w+", (":=", 6)),
        (r"[\"'](?:user|name){1,2}=", ("\"'", 1)),
        (r"(?:user|name){1,2}=", ("=", 9)),
        (r"(?:a{1,3}=|bb->)", ("=>", 4)),
        (r"(?:a=|b)", ("", 0)),
        (r"(?:a=)?b", ("", 0)),
        (r"a(?=[b-z]{1,4}=)", ("=", 6)),
        (r"a(?<=-a)b", ("", 0)),
        (r"a(?!-)b", ("", 0)),
        (r"a.{0,400}:", ("", 0)),  # within so many characters nearly every text has one
        (r"a[\W_]b", ("", 0)),
    ],
)
def test_the_signs_of_a_pattern(pattern: str, found: tuple[str, int]) -> None:
    """One of them stands in every match, no further from its beginning than is said."""
    assert read(pattern) == found


ATOM = st.sampled_from(["a", r"[:=]", r"=", r"\s{0,2}", r"[^x]", r"(?=b)", r"\|", r"[@a]", r"\w{1,3}"])
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
TEXT = st.text(st.sampled_from("ab:=|@x \n"), max_size=24)


@settings(deadline=None, max_examples=500)
@given(PATTERN, TEXT)
def test_every_match_holds_a_sign(pattern: str, text: str) -> None:
    """Wherever the pattern matches."""
    chars, width = read(pattern)
    for hit in re.finditer(pattern, text):
        assert not chars or any(char in text[hit.start() : hit.start() + width] for char in chars)


def test_marks_that_are_known_say_nothing() -> None:
    """Those that a match begins with anyway."""
    tree = parse_pattern("https?://[a-z]{1,20}@")
    assert tree is not None
    assert signs(list(tree), lambda nodes: int(_parser.SubPattern(tree.state, list(nodes)).getwidth()[1]), 8) == (
        "@",
        29,
    )
