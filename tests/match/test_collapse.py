"""Collapsed text: its words, and the way back to where they stand."""

from __future__ import annotations

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st

from inkgate.match.collapse import Collapsed, collapse, is_word

TEXT = st.text(st.sampled_from("ab1 \n.-_\u00e9\u7684\u0928\u093f\u00b2\u2167\u3000"), max_size=80) | st.text(
    max_size=60
)


@settings(deadline=None, max_examples=400)
@given(TEXT)
def test_every_word_character_is_found_again(text: str) -> None:
    """The map gives each character of a word, in order, and none is lost."""
    collapsed = Collapsed(text)
    places = [collapsed.source(at) for at, char in enumerate(collapsed.text) if char != " "]

    assert places == [at for at, char in enumerate(text) if is_word(char)]
    assert "  " not in collapsed.text.strip()


@settings(deadline=None, max_examples=400)
@given(TEXT, TEXT, TEXT)
def test_what_a_text_holds_its_collapsed_form_holds(before: str, part: str, after: str) -> None:
    """A literal that stands in a text stands collapsed in the collapsed text: nothing is overlooked."""
    assert collapse(part).strip() in Collapsed(before + part + after).text
    assert collapse(part) in Collapsed(before + part + after).text or not part


def test_no_separator_is_taken_for_a_word() -> None:
    """Whatever the separator of the patterns may bridge is a blank in the collapsed text, under every version."""
    separator = regex.compile(r"[\W_]")
    assert not [code for code in range(0x110000) if is_word(chr(code)) and separator.match(chr(code))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [("a-b.", "a b "), ("_x", " x"), ("don't", "don t"), ("", " "), ("--", " "), ("a\n\n b", "a b")],
)
def test_collapse(text: str, expected: str) -> None:
    """Marks at the ends stay as one blank."""
    assert collapse(text) == expected


@pytest.mark.parametrize("times", [1, 400])
def test_foreign_signs_are_blanks_however_many_letters_are_foreign(times: int) -> None:
    """A few signs among ASCII are looked for in another way than those among foreign letters."""
    for text in (
        "\u201cyes\u201d \u2014 no\u2026 " + "plain words " * times,
        "\u043e\u043d \u2014 \u00abda\u00bb, \ud800x " * times,
    ):
        expected = "".join(char if is_word(char) else " " for char in text).split()
        assert Collapsed(text).text == f" {' '.join(expected)} "
