"""The format of a memory file."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkgate.store.entries import check_entry, fold_repeats, join, joined_length, parse, starts
from inkgate.store.errors import NotUnderstoodError

_TEXT = st.text(st.sampled_from("a b§\n\r\té字") | st.characters(exclude_categories=["Cs"]), max_size=30)


def _valid(text: str) -> bool:
    try:
        check_entry(text)
    except NotUnderstoodError:
        return False
    return True


@given(st.lists(_TEXT.filter(_valid).map(str.strip), max_size=6))
def test_what_was_joined_is_read_back(entries: list[str]) -> None:
    """Entries that were accepted come back from the file one by one and unchanged."""
    assert parse(join(entries)) == entries


@given(_TEXT)
def test_reading_is_stable(text: str) -> None:
    """Whatever a person typed into the file, writing it in the one form and reading again changes no entry."""
    entries = parse(text)
    assert parse(join(entries)) == entries


@given(_TEXT)
def test_reading_drops_only_space_and_signs(text: str) -> None:
    """Reading loses nothing but white space and delimiter signs."""
    kept = "".join("".join(parse(text)).split()).replace("§", "").replace("\ufeff", "")
    assert kept == "".join(text.split()).replace("§", "").replace("\ufeff", "")


@given(st.lists(_TEXT, max_size=6))
def test_the_length_is_that_of_the_joined_text(entries: list[str]) -> None:
    """The length and the offsets are those of the text that is written."""
    text = join(entries)
    assert joined_length(entries) == len(text)
    assert [text[place : place + len(entry)] for place, entry in zip(starts(entries), entries, strict=True)] == entries


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("one\r\n§\r\ntwo\r\n", ["one", "two"]),
        ("\ufeffone\n§\ntwo", ["one", "two"]),
        ("one\n\n§\n\ntwo\n", ["one", "two"]),
        ("line\r\nline\n§\ntwo", ["line\r\nline", "two"]),
        ("uses § signs\n§\n§", ["uses § signs", "§"]),
        ("§\n§\nx", ["§", "x"]),
        ("one\n§", ["one"]),
        ("§\none", ["one"]),
        ("one\n§\n§\ntwo", ["one", "two"]),
        ("", []),
        (" \n ", []),
    ],
)
def test_what_people_and_other_systems_write_is_understood(text: str, entries: list[str]) -> None:
    """Line ends, a byte order mark, blank lines and dangling delimiters do not change the entries."""
    assert parse(text) == entries


@pytest.mark.parametrize("content", ["", " \n", 42, None, "half \ud83d", "two\n§\nentries", "§\nlead", "trail\n§"])
def test_content_that_would_not_come_back_is_refused(content: object) -> None:
    """Text that has no place in the format is refused before anything is touched."""
    with pytest.raises(NotUnderstoodError):
        check_entry(content)


def test_the_first_of_equal_entries_stays() -> None:
    """Exact repeats are one entry, at the place of the first."""
    assert fold_repeats(["a", "b", "a"]) == ["a", "b"]
