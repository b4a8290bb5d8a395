"""Cue words as they are written when each word is encoded by itself. Loaded with the first scan: no patterns here."""

from __future__ import annotations

import binascii
from collections.abc import Iterator

from inkgate.text.unwrap.cues import CIPHERED, MISSPELT
from inkgate.text.unwrap.scene import split_words

__all__ = ["ROT47", "SPELLING", "coded_cues"]


def _listed(text: str) -> list[str]:
    """Return the words of a list that is written as text."""
    return text.split()


SPELLING = _listed(
    "alfa alpha bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar papa "
    "quebec romeo sierra tango uniform victor whiskey whisky xray yankee zulu"
)
"""The words for letters of the spelling alphabet of radio (ICAO), with the spellings that people use."""

ROT47 = str.maketrans({char: 33 + (char - 33 + 47) % 94 for char in range(33, 127)})
"""Moves every printable character by half of their number."""

_MORE = _listed(
    "all any user tell note send keys shell file files node poll rules orders copy agents contract account vendor "
    "route never always from with your them into everything"
)
_LEAST = 4
_ROT47_WORDS = (*CIPHERED, "https:", "user", "your", "from", "with", "never", "always", "curl", "sudo")
_BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def coded_cues() -> Iterator[tuple[bytes, str]]:
    """Yield the cue words as they are written in each code, in small letters, and the name of the code."""
    for word in sorted({*MISSPELT, *_MORE}):
        for form in (word, word.capitalize()):
            data = form.encode()
            yield binascii.b2a_base64(data).rstrip(b"=\n").lower(), "coded"
            if len(word) >= _LEAST:
                yield data.hex().encode(), "coded"
                yield _base32(data), "coded"
        yield from ((form.encode(), "pig-latin") for form in _pig_latin(word) if len(word) > _LEAST)
    for word in _ROT47_WORDS:
        for piece in split_words(word.translate(ROT47).encode()):
            if len(piece) >= _LEAST:
                yield piece, "rot47"


def _pig_latin(word: str) -> Iterator[str]:
    """Yield the forms of a word in pig Latin."""
    head = next((at for at, char in enumerate(word) if char in "aeiou"), len(word))
    if head:
        yield f"{word[head:]}{word[:head]}ay"
    else:
        yield from (f"{word}{end}" for end in ("way", "yay", "hay"))


def _base32(data: bytes) -> bytes:
    """Return base32 in small letters, unpadded; `base64` would take as long to load as all of this."""
    bits = int.from_bytes(data, "big") << -8 * len(data) % 5
    size = -(-8 * len(data) // 5)
    return "".join(_BASE32[bits >> 5 * at & 31] for at in reversed(range(size))).lower().encode()
