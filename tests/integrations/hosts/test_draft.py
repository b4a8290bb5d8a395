"""Edits of a text, and the record of what is new."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inkgate.integrations.hosts.draft import Draft, find_lines
from inkgate.model import Span


def test_only_what_changed_is_fresh() -> None:
    """The part that old and new text share at both ends is not new."""
    draft = Draft("one\ntwo\nthree\n")
    assert draft.replace("one\ntwo\n", "one\nand\ntwo\n")
    assert draft.text == "one\nand\ntwo\nthree\n"
    assert [draft.text[span.start : span.end] for span in draft.fresh] == ["and\n"]


def test_a_deletion_leaves_a_seam() -> None:
    """Where something was taken out, an empty span stands."""
    draft = Draft("ab XX cd")
    assert draft.replace(" XX", "")
    assert draft.text == "ab cd"
    assert draft.fresh == (Span(2, 2),)


def test_spans_move_with_later_edits() -> None:
    """A span of an earlier edit still covers its text after a later edit before it."""
    draft = Draft("a b c")
    assert draft.replace("c", "new")
    assert draft.replace("a", "longer")
    assert draft.text == "longer b new"
    assert [draft.text[span.start : span.end] for span in draft.fresh] == ["longer", "new"]


def test_every_occurrence_is_replaced() -> None:
    """An old text that stands in several places is replaced in all of them."""
    draft = Draft("x-x-x")
    assert draft.replace("x", "yy")
    assert draft.text == "yy-yy-yy"
    assert len(draft.fresh) == 3


def test_typographic_quotes_and_line_ends_are_forgiven() -> None:
    """What editing tools forgive in the old text does not hide the place from us."""
    draft = Draft("it’s “here”\r\nnext\r\n")
    assert draft.replace('it\'s "here"\nnext', "gone")
    assert draft.text == "gone\r\n"


def test_indentation_is_forgiven_for_whole_lines() -> None:
    """Lines that differ in blanks at their ends are found."""
    draft = Draft("a\n    b\n  c\nd\n")
    assert draft.replace("b\nc", "z")
    assert draft.text == "a\nz\nd\n"


def test_an_absent_text_is_not_replaced() -> None:
    """A text that is not there changes nothing, and says so."""
    draft = Draft("abc")
    assert not draft.replace("xyz", "q")
    assert not draft.replace("", "q")
    assert (draft.text, draft.fresh) == ("abc", ())


def test_lines_are_found_from_a_start() -> None:
    """The search begins at the given line, and exact lines win over similar ones."""
    lines = ["a ", "b", "a", "b"]
    assert find_lines(lines, ["a", "b"]) == 2
    assert find_lines(lines, ["a ", "b"], 1) == 2
    assert find_lines(lines, ["c"]) is None


@given(
    st.text(alphabet="ab\n", max_size=30),
    st.lists(st.tuples(st.text("ab\n", min_size=1, max_size=3), st.text("abc", max_size=4)), max_size=4),
)
def test_what_is_not_fresh_stood_there_before(text: str, edits: list[tuple[str, str]]) -> None:
    """Without the fresh spans, what remains is a subsequence of the old text."""
    draft = Draft(text)
    for old, new in edits:
        draft.replace(old, new)
    kept = [char for index, char in enumerate(draft.text) if not any(s.start <= index < s.end for s in draft.fresh)]
    source = iter(text)
    assert all(char in source for char in kept)
    assert all(one.end <= two.start for one, two in zip(draft.fresh, draft.fresh[1:], strict=False))
    assert all(span.end <= len(draft.text) for span in draft.fresh)
