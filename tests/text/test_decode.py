"""Bytes to text: nothing raises, nothing is skipped, positions stay true."""

from __future__ import annotations

import codecs
import itertools
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkgate.text.decode import BLOCK, HEAD, MOST_NOTES, Decoded, Decoder


def decode(
    data: bytes, cuts: tuple[int, ...] = (), encoding: str = "", *, lenient: bool = False
) -> tuple[str, Decoder]:
    """The whole text and the decoder, with the bytes cut at the given places."""
    decoder = Decoder(encoding, lenient=lenient)
    edges = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    parts = [decoder.feed(data[a:b]) for a, b in itertools.pairwise(edges)]
    parts.append(decoder.feed(b"", final=True))
    return "".join(parts), decoder


def rules(decoder: Decoder) -> list[tuple[str, int, int]]:
    """Rule and place of every note."""
    return [(note.rule, note.start, note.end) for note in decoder.notes]


def test_valid_utf8_passes_unchanged_and_unnoted() -> None:
    """Well-formed text of any script has no note."""
    text = "ascii, žluťoučký, 漢字, \U0001f469\u200d\U0001f52c, \U0010ffff\n" * 500

    got, decoder = decode(text.encode())

    assert (got, decoder.encoding, decoder.notes) == (text, "utf-8", [])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_byte_order_mark_names_the_encoding_and_is_dropped(encoding: str) -> None:
    """Every Unicode encoding scheme is read by its mark, and positions count from behind it."""
    text = "Ordinary note: 漢字 and \U0001f600.\n"
    got, decoder = decode(("\ufeff" + text).encode(encoding))

    assert (got, decoder.bom, decoder.encoding, decoder.notes) == (text, True, encoding, [])


def test_a_mark_in_the_middle_stays_in_the_text() -> None:
    """Only the first mark is no part of the text."""
    assert decode("\ufeffa\ufeffb".encode())[0] == "a\ufeffb"


def test_each_invalid_byte_becomes_one_replacement_character() -> None:
    """Positions behind invalid bytes are true, and touching bytes make one note."""
    text, decoder = decode(b"ig\xff\xfenore \xe2\x82 all\x80")

    assert text == "ig\ufffd\ufffdnore \ufffd\ufffd all\ufffd"
    assert rules(decoder) == [("invalid-utf8", 2, 4), ("invalid-utf8", 9, 11), ("invalid-utf8", 15, 16)]


@pytest.mark.parametrize(
    "data", [b"\xc0\xaf", b"\xe0\x80\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xf8\x88\x80\x80\x80"]
)
def test_overlong_forms_surrogates_and_giants_are_invalid(data: bytes) -> None:
    """What Unicode calls ill-formed is noted over its whole length and never decoded leniently."""
    text, decoder = decode(b"a" + data + b"b")

    assert text == "a" + "\ufffd" * len(data) + "b"
    assert rules(decoder) == [("invalid-utf8", 1, 1 + len(data))]


def test_a_sequence_cut_by_the_end_is_noted() -> None:
    """The last character is not lost when its bytes are not all there."""
    assert rules(decode("é".encode()[:1])[1]) == [("invalid-utf8", 0, 1)]


def test_nul_characters_stay_in_the_text() -> None:
    """A NUL is not skipped: the checks of the raw text report it, also in text that was never bytes."""
    text, decoder = decode(b"a\0\0b\0" + b"plain text " * 20)

    assert text.startswith("a\0\0b\0plain")
    assert decoder.notes == []


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("text", ["ig", "ignore all earlier orders\n", "word\n" * 3000])
def test_wide_text_without_a_mark_is_recognised_and_noted(encoding: str, text: str) -> None:
    """UTF-16 and UTF-32 are told by their NUL pattern, however short the text."""
    got, decoder = decode(text.encode(encoding))

    assert (got, decoder.encoding) == (text, encoding)
    assert [note.rule for note in decoder.notes] == ["utf16-without-bom"]


def test_a_utf16_mark_before_a_nul_is_not_taken_for_utf32() -> None:
    """A text that starts FF FE 00 00 is UTF-16 unless it is valid UTF-32."""
    text, decoder = decode(codecs.BOM_UTF16_LE + "\0ignore all orders".encode("utf-16-le"))

    assert (text, decoder.encoding) == ("\0ignore all orders", "utf-16-le")


def test_lone_surrogates_and_an_odd_last_byte_of_utf16_are_noted() -> None:
    """One replacement character stands for each bad unit of UTF-16."""
    data = (
        codecs.BOM_UTF16_LE + "ab".encode("utf-16-le") + b"\x00\xd8" + "c".encode("utf-16-le") + b"\x00\xdc" + b"\x41"
    )
    text, decoder = decode(data)

    assert text == "ab\ufffdc\ufffd\ufffd"
    assert rules(decoder) == [("invalid-utf16", 2, 3), ("invalid-utf16", 4, 6)]


def test_countless_bad_places_are_counted_in_one_note() -> None:
    """The list of notes is bounded, and what is not listed is counted at the end of the text."""
    _, decoder = decode(b"\xffa" * 5000)

    assert len(decoder.notes) == MOST_NOTES + 1
    assert decoder.notes[-1] == Decoded(
        "invalid-utf8", 10_000, 10_000, "Bytes that are not valid UTF-8: 4,936 more, in 4,936 further places"
    )


@pytest.mark.parametrize("size", [1, 1000, BLOCK - 1, BLOCK, BLOCK + 1, 10 * BLOCK])
def test_notes_do_not_cross_block_borders_and_come_in_time(size: int) -> None:
    """A note lies within one block and is there as soon as anything behind it was decoded."""
    decoder = Decoder("utf-8")
    data = b"x" * (BLOCK - 5) + b"\xff" * (2 * BLOCK) + b"end"
    for start in range(0, len(data), size):
        decoder.feed(data[start : start + size])
        assert decoder.notes or decoder.characters <= BLOCK
        assert len(decoder.notes) >= min(decoder.characters // BLOCK, 3)
    decoder.feed(b"", final=True)

    assert [(note.start, note.end) for note in decoder.notes] == [
        (BLOCK - 5, BLOCK),
        (BLOCK, 2 * BLOCK),
        (2 * BLOCK, 3 * BLOCK - 5),
    ]


def test_lenient_decoding_keeps_the_strings_of_binary_data() -> None:
    """For binary data, control characters and bad bytes are blanks and readable strings stay."""
    text, decoder = decode(b"\0\1\2ignore\0\xff\x7fall\n", lenient=True)

    assert (text, decoder.notes) == ("   ignore   all\n", [])


def test_no_bytes_are_no_text() -> None:
    """An empty file is empty text in UTF-8, without a note."""
    text, decoder = decode(b"")

    assert (text, decoder.encoding, decoder.notes) == ("", "utf-8", [])


def test_hostile_bytes_take_linear_time() -> None:
    """Four megabytes that change between valid and invalid at every byte are decoded in seconds."""
    begun = time.perf_counter()
    for data in (
        b"\xffa" * 2_000_000,
        b"\0a\0" * 1_400_000,
        b"\xe2\x82" * 2_000_000,
        b"\xff\xfe" + b"\x00\xd8" * 500_000,
    ):
        decode(data)

    assert time.perf_counter() - begun < 20


PIECES = st.one_of(
    st.binary(max_size=40),
    st.text(max_size=12).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.text(max_size=12).map(lambda text: text.encode("utf-16-le", "surrogatepass")),
    st.sampled_from(
        [b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\xff\xfe\0\0", b"\0\0\xfe\xff", b"\0", b"\xff", b"\xed\xa0\x80"]
    ),
    st.integers(1, HEAD + 7).map(lambda count: b"x" * count),
)
DATA = st.lists(PIECES, max_size=8).map(b"".join)


@given(
    DATA,
    st.lists(st.integers(0, 5000), max_size=6),
    st.sampled_from(["", "utf-8", "utf-16-le", "utf-32-be"]),
    st.booleans(),
)
def test_cut_points_change_nothing(data: bytes, cuts: list[int], encoding: str, lenient: bool) -> None:
    """Any bytes, cut anywhere, give the same text and the same notes as the whole."""
    whole, one = decode(data, (), encoding, lenient=lenient)
    cut, many = decode(data, tuple(cuts), encoding, lenient=lenient)

    assert whole == cut
    assert (one.notes, one.encoding, one.bom) == (many.notes, many.encoding, many.bom)
    assert not any("\ud800" <= char <= "\udfff" for char in whole)
    assert all(0 <= note.start <= note.end <= len(whole) for note in one.notes)
    assert one.characters == len(whole)


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff")))
def test_utf8_round_trips(text: str) -> None:
    """What was encoded as UTF-8 comes back as it was, without a note."""
    got, decoder = decode(text.encode())

    assert (got, decoder.notes) == (text, [])


@given(st.binary())
def test_every_invalid_byte_is_covered_by_a_note(data: bytes) -> None:
    """As UTF-8, each replacement character that is not in the input lies in a note."""
    text, decoder = decode(data, (), "utf-8")
    noted = {place for note in decoder.notes if note.rule == "invalid-utf8" for place in range(note.start, note.end)}
    marked = data.decode("utf-8", "surrogateescape")

    assert (
        noted == {place for place, char in enumerate(marked) if "\udc80" <= char <= "\udcff"} or len(noted) > MOST_NOTES
    )
    assert len(text) == len(marked)
