"""Nothing that is printed can drive a terminal, a CI runner or a reader's eye."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkgate.text.escape import escape, is_safe_line

HOSTILE = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from("#:[]<>U+\x1b\u202e\u200b\u2066\u0301\ud800\r\n\t\x85\u2028\ufeff\U000e0041 avso."),
    ),
    max_size=200,
)


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain text", "plain text"),
        ("", ""),
        ("a\nb", "a<U+000A>b"),
        ("\x1b[31mred", "<U+001B>[31mred"),
        ("\x9b31m", "<U+009B>31m"),
        ("a\u202eb", "a<U+202E>b"),
        ("a\u200bb", "a<U+200B>b"),
        ("a\U000e0041", "a<U+E0041>"),
        ("a\ud800b", "a<U+D800>b"),
        ("\u3164", "<U+3164>"),
        ("\u2028", "<U+2028>"),
        ("e\u0301", "e\u0301"),
        ("\u0301e", "<U+0301>e"),
        ("e" + "\u0301" * 5, "e" + "\u0301" * 4 + "<U+0301>"),
        ("\u041f\u0440\u0438\u0432\u0435\u0442 \u4f60\u597d", "\u041f\u0440\u0438\u0432\u0435\u0442 \u4f60\u597d"),
        ("::error::x", "<U+003A>:error::x"),
        ("  ::error::x", "  <U+003A>:error::x"),
        ("\u3000::error::x", "\u3000<U+003A>:error::x"),
        ("a::b", "a::b"),
        ("x ##[group]y", "x <U+0023>#[group]y"),
        ("###[group]y", "#<U+0023>#[group]y"),
        ("##vso[task.setvariable]", "<U+0023>#vso[task.setvariable]"),
        ("## heading", "## heading"),
    ],
)
def test_each_kind_of_danger_is_spelled_out(raw: str, shown: str) -> None:
    """Unsafe characters are named, ordinary writing of any script stays."""
    assert escape(raw) == shown


def test_a_long_text_is_cut_with_an_ellipsis() -> None:
    """The result has exactly as many characters as allowed."""
    assert escape("a" * 500, 10) == "aaaaaaaaa…"


def test_a_name_is_never_cut_in_two() -> None:
    """Where a spelled-out character does not fit whole it is left out."""
    assert escape("ab\u202ecd", 8) == "ab…"


def test_a_limit_below_one_is_refused() -> None:
    """There is no text of no characters that tells of what was cut."""
    with pytest.raises(ValueError, match="at least 1"):
        escape("a", 0)


@given(HOSTILE, st.integers(1, 200))
def test_the_result_is_safe_short_and_stable(raw: str, limit: int) -> None:
    """Whatever comes in: one line, no control, no command, within the limit, encodable, and the same when repeated."""
    shown = escape(raw, limit)

    assert is_safe_line(shown)
    assert shown.splitlines() in ([], [shown])
    assert len(shown) <= limit
    assert escape(shown, limit) == shown
    shown.encode("utf-8")
