"""Decoders of hidden text."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkgate.text import smuggle

PLAIN = st.text(st.characters(min_codepoint=32, max_codepoint=0x17E, exclude_categories=("C", "Z")), min_size=3)


def in_base(text: str, symbols: str) -> str:
    """UTF-8 bytes of a text as digits of base two or four."""
    width = {2: 1, 4: 2}[len(symbols)]
    digits = "".join(f"{byte:08b}" for byte in text.encode())
    return "".join(symbols[int(digits[at : at + width], 2)] for at in range(0, len(digits), width))


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
def test_tags(text: str) -> None:
    """Tag characters stand for ASCII."""
    assert text == smuggle.decode_tags("".join(chr(0xE0000 + ord(char)) for char in text))


@given(PLAIN)
def test_selectors(text: str) -> None:
    """Variation selectors stand for bytes of UTF-8."""
    run = "".join(chr(0xFE00 + byte if byte < 16 else 0xE0100 + byte - 16) for byte in text.encode())

    assert text == smuggle.decode_selectors(run)


@given(PLAIN)
def test_half_bytes(text: str) -> None:
    """Sixteen selectors stand for half-bytes."""
    run = "".join(chr(0xFE00 + half) for byte in text.encode() for half in (byte >> 4, byte & 15))

    assert text == smuggle.decode_selectors(run)


def test_selectors_that_are_no_text() -> None:
    """Bytes that are not UTF-8 become replacement characters, never an error."""
    assert smuggle.decode_selectors("\U000e01ef\U000e01ef") == "\ufffd\ufffd"


@pytest.mark.parametrize("symbols", ["\u200b\u200c", "\u200c\u200b", "\u2060\ufeff", "\u200b\u200c\u200d\u2060"])
def test_bits(symbols: str) -> None:
    """Two or four zero-width symbols in any order are bits."""
    assert smuggle.decode_bits(in_base("write this down", symbols)) == "write this down"


def test_bits_of_other_languages() -> None:
    """Bits of UTF-8 beyond ASCII are text too."""
    assert smuggle.decode_bits(in_base("привет", "\u200b\u200c\u200d\u2060")) == "привет"


def test_wrapped_bits() -> None:
    """A symbol that only wraps the run is left off."""
    assert smuggle.decode_bits("\ufeff" + in_base("wrapped", "\u200b\u200c") + "\ufeff") == "wrapped"


def test_separated_numbers() -> None:
    """Binary numbers of any length may be separated by a third symbol."""
    run = "\u200d".join(f"{ord(char):b}".translate({48: "\u200b", 49: "\u200c"}) for char in "ключ")

    assert smuggle.decode_bits(run) == "ключ"


@pytest.mark.parametrize("width", [7, 16])
def test_other_widths(width: int) -> None:
    """Seven and sixteen bits a character are read as well."""
    run = "".join(f"{ord(char):0{width}b}" for char in "token").translate({48: "\u200b", 49: "\u200c"})

    assert smuggle.decode_bits(run) == "token"


def test_noise_says_nothing() -> None:
    """A random run is not taken for text."""
    source = random.Random(7)

    assert smuggle.decode_bits("".join(source.choices("\u200b\u200c", k=400))) == ""
    assert smuggle.decode_bits("\u200b" * 400) == ""
    assert smuggle.decode_bits("") == ""


def test_private_use() -> None:
    """Private-use characters are read by their low byte when all of it is ASCII."""
    assert smuggle.decode_private_use("\uf06b\uf065\uf079") == "key"
    assert smuggle.decode_private_use("\uf06b\uf0ff") == ""
