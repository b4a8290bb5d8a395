"""Blank stretches that push text off the screen."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inkgate.text.hidden import HiddenScanner
from inkgate.text.padding import COLUMNS, LINES


def spans(text: str, size: int = 1 << 20) -> list[tuple[int, int]]:
    """Spans of the padding in a text that is fed in blocks of a size."""
    scanner = HiddenScanner()
    found = [item for at in range(0, len(text), size) for item in scanner.feed(text[at : at + size])]
    found += scanner.feed("", final=True)
    return [(item.start, item.end) for item in found if item.rule == "off-screen-padding"]


@pytest.mark.parametrize("size", [1, 7, 150, 1 << 20])
@pytest.mark.parametrize(
    "blank", [" " * COLUMNS, "\t " * COLUMNS, "\u3000" * COLUMNS, "\n" * LINES, "\r\n" * LINES, "\n \t" * LINES]
)
def test_long_stretch(blank: str, size: int) -> None:
    """A stretch of blanks or of empty lines that text follows is found, however it is cut."""
    assert [(4, 4 + len(blank))] == spans("text" + blank + "hidden", size)
    assert [(0, len(blank))] == spans(blank + "hidden", size)


@pytest.mark.parametrize(
    "text",
    [
        "a" + " " * (COLUMNS - 1) + "b",
        "a" + "\n" * (LINES - 1) + "b",
        "| a" + " " * 300 + "| b |",
        "end" + " " * 1000,
        "end" + "\n" * 1000,
        "",
        "a" + (" " * 120 + "\n") * 9 + "b",
    ],
)
def test_short_or_followed_by_nothing(text: str) -> None:
    """Short stretches, padded table cells and blanks at the end of the text hide nothing."""
    assert spans(text) == []


@given(st.lists(st.tuples(st.sampled_from(" \n\t\u3000x"), st.integers(1, 260)), max_size=12), st.integers(1, 300))
@example([(" ", 200), ("x", 1), (" ", 200), ("x", 1)], 1)
def test_cuts_change_nothing(parts: list[tuple[str, int]], size: int) -> None:
    """Any block size gives the stretches of the whole."""
    text = "".join(char * count for char, count in parts)

    assert spans(text) == spans(text, size)


@given(st.lists(st.tuples(st.sampled_from([" ", "\n", "x", "yy"]), st.integers(1, 400)), max_size=12))
def test_sampling_misses_nothing(parts: list[tuple[str, int]]) -> None:
    """The quick look at every sixteenth character finds each stretch that a full reading finds."""
    text = "".join(item * count for item, count in parts)
    expected = []
    at = 0
    while at < len(text):
        end = at
        while end < len(text) and text[end] in " \n":
            end += 1
        blank = text[at:end]
        last = len(blank) - blank.rfind("\n") - 1 if "\n" in blank else len(blank)
        if end < len(text) and blank and (last >= COLUMNS or blank.count("\n") >= LINES):
            expected.append((at, end))
        at = max(end, at + 1)

    assert expected == spans(text)
