"""What patterns begin with is read from them as the standard library's parser sees them."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkgate.match.collapse import collapse
from inkgate.match.literals import begins, parse_pattern, start_set

WORDS = ["drop", "skip", "rules", "orders", "curl", "sh"]
ATOM = st.sampled_from([*WORDS, r"[\W_]{1,4}", r"\W+", "[a-z]{0,3}", r"\b", "(?:xy)?", r"\s?", r"(?![^\W_])", "_", "-"])
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
TEXT = st.lists(st.sampled_from([*WORDS, " ", "x", "ab", "-", "_", "\n", ". "]), max_size=14).map("".join)


@settings(deadline=None, max_examples=300)
@given(PATTERN, TEXT)
def test_every_match_begins_as_read(pattern: str, text: str) -> None:
    """When there is a start set, each match begins with one of its literals."""
    starts = tuple(start_set(pattern))
    for found in re.finditer(pattern, text):
        assert not starts or found[0].startswith(starts)


@settings(deadline=None, max_examples=300)
@given(PATTERN, TEXT)
def test_every_match_begins_as_read_in_collapsed_text(pattern: str, text: str) -> None:
    """The same for the collapsed text, where a match may share the blanks at its ends with what surrounds it."""
    starts = begins(list(parse_pattern(pattern) or ()), {}, words=True)
    for found in re.finditer(pattern, text):
        if starts and found[0]:
            before, inside = collapse(text[: found.start()]), collapse(text[found.start() :])
            seen = (" " if before[-1:] in ("", " ") and inside[:1] != " " else "") + inside + " "
            assert seen.startswith(tuple(starts)) or seen[1:].startswith(tuple(starts)), (starts, seen)


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


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"\bdrop[\W_]{1,12}(?:all|the)\b", {" drop all ", " drop the "}),
        (r"your[\W_]{1,12}(?:new[\W_]{1,12})?rules", {"your new rules", "your rules"}),
        (r"api[-_ ]?key", {"api key", "apikey"}),
        (r"(?<![^\W_])nc\s", {" nc "}),
        (r"_{1,3}x", {" x"}),
    ],
)
def test_starts_in_collapsed_text(pattern: str, expected: set[str]) -> None:
    """Separators and borders of words are blanks there, one for any number of them."""
    assert begins(list(parse_pattern(pattern) or ()), {}, words=True) == expected
