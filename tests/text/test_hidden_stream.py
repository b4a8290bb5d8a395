"""The same findings however the text is cut, in bounded memory and linear time."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkgate.text.bidi import REACH
from inkgate.text.hidden import LAG, Hidden, HiddenScanner
from inkgate.text.invisible import PIECE

HOSTILE = (
    "a1 -\"'#\n\r\t|\x00\x08\x1b[m]\x07\x85\x9b\u00ad\u0301\u0302\u034f\u05d0\u0627\u061c\u0628\u064e\u06cc\u0915\u094d"
    "\u0e01\u115f\u1160\u1780\u17b4\u180b\u180e\u182d\u200b\u200c\u200d\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d"
    "\u202e\u2060\u2062\u2066\u2067\u2068\u2069\u206a\u20e3\u2600\u2800\u2801\u3164\u6f22\ud800\udc80\ue000\ufe00\ufe0f"
    "\ufeff\ufff9\uffff\U00010a01\U0001d173\U0001f3f4\U0001f469\U0001f3fd\U000e0001\U000e0041\U000e0067\U000e0062"
    "\U000e0065\U000e006e\U000e007f\U000e0080\U000e0100\U000e01ef\U000f0000\U0010ffff"
)
RUNS = st.builds(lambda char, size: char * size, st.sampled_from(HOSTILE), st.integers(1, 40))
WORDS = st.text(st.sampled_from(HOSTILE), max_size=12)
TEXTS = st.lists(st.one_of(RUNS, WORDS, st.text(max_size=6)), max_size=30).map("".join)


def feed(text: str, cuts: list[int], *, code: bool = False) -> list[Hidden]:
    """All findings of a text that is cut at the given places, in order."""
    scanner = HiddenScanner(code=code)
    found: list[Hidden] = []
    places = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    for start, end in pairwise(places):
        found += scanner.feed(text[start:end])
    found += scanner.feed("", final=True)
    return sorted(found, key=lambda item: (item.start, item.end, item.rule))


@settings(max_examples=300, deadline=None)
@given(TEXTS, st.lists(st.integers(0, 2000), max_size=12), st.booleans())
def test_cuts_change_nothing(text: str, cuts: list[int], code: bool) -> None:
    """Any cuts give the findings of the whole."""
    assert feed(text, [], code=code) == feed(text, cuts, code=code)


@settings(max_examples=60, deadline=None)
@given(TEXTS)
def test_single_characters_change_nothing(text: str) -> None:
    """Blocks of one character give the findings of the whole."""
    assert feed(text, []) == feed(text, list(range(len(text))))


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.one_of(
            RUNS,
            WORDS,
            st.builds(lambda char, size: char * size, st.sampled_from(HOSTILE), st.integers(3000, 9000)),
            st.builds(lambda word, size: word * size, WORDS, st.integers(300, 900)),
        ),
        max_size=6,
    ).map("".join),
    st.lists(st.integers(0, 60_000), max_size=8),
)
def test_cuts_change_nothing_in_long_text(text: str, cuts: list[int]) -> None:
    """Runs, chains and paragraphs longer than every limit are cut at the same places however they arrive."""
    assert feed(text, []) == feed(text, cuts)


@settings(max_examples=200, deadline=None)
@given(TEXTS, st.booleans())
def test_spans_lie_in_the_text(text: str, code: bool) -> None:
    """Every finding has a place, a message without the text's hidden characters, and text that can be encoded."""
    for item in feed(text, [], code=code):
        assert 0 <= item.start < item.end <= len(text)
        assert item.message.isascii()
        assert item.message.isprintable()
        item.decoded.encode("utf-8")


def test_a_finding_comes_in_time() -> None:
    """A finding is reported at most LAG characters after its end."""
    scanner = HiddenScanner()
    text = "\u05d0 \u2066 word\u200dword " + "a" * 3 * REACH + "\u202e" + "b" * 3 * REACH + "\u0301" * (2 * PIECE)
    text += "x" * LAG
    fed = 0
    for at in range(0, len(text), 1000):
        block = text[at : at + 1000]
        fed += len(block)
        for item in scanner.feed(block):
            assert fed - item.end <= LAG + len(block)
    assert scanner.feed("", final=True) == []


@pytest.mark.parametrize(
    "unit",
    [
        "\u200d", "\u200e", "\u0301", "\u202e", "\u202e\u202c", "\u2066", "\u2066\u2069", "\u2069", "a\u200d", "\x1b",
        "\x1b]", "a\u00ad", "\ufe0f", "\U000e0041", "\U000e0100", "\ud800", "\ue000", "\u202ea\n", " ", "\n", "\x00a",
        "\u200b\u200c\u200d\u2060", "\U00010a01\U00010a01\U00010a01\U00010a01\U00010a01\U00010a00", "\u05d0\u2067",
        "\u6f22\U000e0100", "\u0628\u200d", "\u034f\u0301",
    ],
)  # fmt: skip
def test_hostile_floods_are_linear(unit: str) -> None:
    """Four times the flood takes no more than about four times as long, and the memory kept does not grow."""

    def run(size: int) -> tuple[float, int]:
        scanner = HiddenScanner()
        block = unit * (16_384 // len(unit))
        start = time.process_time()
        for _ in range(size):
            scanner.feed(block)
        kept = len(scanner._text)
        scanner.feed("x", final=True)
        return time.process_time() - start, kept

    run(1)
    small, large = run(2), run(8)

    assert large[0] < 10 * small[0] + 0.2
    assert large[1] <= 65_536
