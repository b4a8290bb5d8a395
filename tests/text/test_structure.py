"""Fences and headings around a position."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from inkgate.text.structure import Structure

TEXT = "# Top\n~~~\n# not a heading\n```\n~~~\n## Sub\nplain\n````py\n```\nx\n````\n# Next\n"


def read(text: str, cuts: list[int]) -> Structure:
    """The structure of a text that is delivered in pieces."""
    structure, last = Structure(), 0
    for cut in sorted(cut % (len(text) + 1) for cut in cuts):
        structure.feed(text[last:cut])
        last = cut
    structure.feed(text[last:], final=True)
    return structure


def test_fences_and_headings() -> None:
    """A fence ends at its own marks; headings nest by level and do not count inside a fence."""
    structure = read(TEXT, [])

    assert structure.at(TEXT.index("not a")) == ("", ("Top",))
    assert structure.at(TEXT.index("plain")) == (None, ("Top", "Sub"))
    assert structure.at(TEXT.index("\nx\n")) == ("py", ("Top", "Sub"))
    assert structure.at(len(TEXT)) == (None, ("Next",))


PIECES = st.lists(
    st.sampled_from(["#", "## t", "```", "````py", "~~~", "\n", " ", "> ", "word", "x" * 400, " " * 90]), max_size=30
)


@given(PIECES, st.lists(st.integers(0, 9999), max_size=6))
def test_the_cut_changes_nothing(pieces: list[str], cuts: list[int]) -> None:
    """What encloses a position does not depend on how the text was delivered."""
    text = "".join(pieces)
    whole, parts = read(text, []), read(text, cuts)

    assert all(whole.at(position) == parts.at(position) for position in range(len(text) + 1))


def test_trimmed_positions_keep_their_surroundings() -> None:
    """What later positions need survives a trim."""
    structure = read(TEXT, [])
    place = TEXT.index("plain")
    structure.trim(place)

    assert structure.at(place) == (None, ("Top", "Sub"))
