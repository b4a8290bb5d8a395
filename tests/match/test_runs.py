"""Long runs of token characters: read from patterns, and found in texts."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkgate.match.literals import parse_pattern
from inkgate.match.runs import CHARS, SHORTEST, Runs, longest_run


@pytest.mark.parametrize(
    ("pattern", "length"),
    [
        (r"\bkey-[0-9a-f]{32}\b", 36),
        (r"ab[A-Za-z0-9_=-]{10,}cd[0-9]{4}", 18),
        (r"(?:sk|pk)_(?P<secret>[a-z]{20})\.[a-z]{5}", 23),
        (r"(?:[a-z]{20}|[0-9]{17})!", 17),
        (r"(?:[a-z]{20}|stop)", 0),
        (r"[a-z]{0,40}", 0),
        (r"(?:x[a-z]{17})?yes", 0),
        (r"[^\s]{40}", 0),
        (r"\w{40}", 0),  # `regex` counts marks among the word characters, `re` does not
        (r"(?:[0-9]{8}-){4}", 36),
        (r"(?=[a-z]{30})no", 0),
    ],
)
def test_the_longest_run_of_a_pattern(pattern: str, length: int) -> None:
    """Of every match, and only where it is long enough to tell tokens from words."""
    tree = parse_pattern(pattern)
    assert tree is not None
    assert longest_run(tree) == length


ATOM = st.sampled_from(
    [r"[a-z0-9]{9}", r"[A-Z_]{8,}", "ab", r"\.", r"[0-9]{2,4}?", r"x?", r"-", r"[^a]", r"\s", r"(?!q)"]
)
PATTERN = st.recursive(
    ATOM,
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=4).map("".join),
        st.lists(inner, min_size=1, max_size=3).map(lambda options: "(?:" + "|".join(options) + ")"),
        inner.map(lambda one: f"(?:{one}){{1,3}}"),
        inner.map(lambda one: f"(?:{one})?"),
    ),
    max_leaves=8,
)


@settings(deadline=None, max_examples=300)
@given(PATTERN, st.data())
def test_every_match_holds_its_run(pattern: str, data: st.DataObject) -> None:
    """Whatever the pattern matches has a run of that length in it."""
    text = data.draw(st.from_regex(pattern, fullmatch=True))
    tree = parse_pattern(pattern)
    assert tree is not None
    length = longest_run(tree)
    assert length == 0 or re.search(f"[{CHARS}]{{{length},}}", text)


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["a" * 15, "b" * 16, "c-d=" * 5, " ", "\n", ".", "é"]), max_size=12).map("".join),
    st.data(),
)
def test_runs_are_found_between_offsets(text: str, data: st.DataObject) -> None:
    """As a search of the part between the offsets says."""
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    length = data.draw(st.integers(SHORTEST, 40))
    runs = Runs(text)
    assert (runs.longest >= length) == bool(re.search(f"[{CHARS}]{{{length},}}", text))
    inside = any(
        min(found.end(), end) - max(found.start(), start) >= length
        for found in re.finditer(f"[{CHARS}]{{{SHORTEST},}}", text)
    )
    assert runs.within(length, start, end) == inside


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["a" * 15, "b" * 33, "c" * 40, " ", "\n ", ". " * 9, "é"]), max_size=12).map("".join),
    st.integers(0, 30),
)
def test_what_lies_around_long_runs(text: str, width: int) -> None:
    """Each character that is near enough to a run, and no other, once."""
    spans = [found.span() for found in re.finditer(f"[{CHARS}]{{{SHORTEST},}}", text)]
    near = {place for start, end in spans if end - start >= 32 for place in range(max(0, start - width), end + width)}
    told = [place for first, last in Runs(text).around(32, width) for place in range(first, last)]
    assert sorted(near) == told
