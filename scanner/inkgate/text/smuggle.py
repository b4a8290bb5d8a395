"""What invisible characters say: tag text, bytes in variation selectors, bits in zero-width characters.

Every decoder takes the run of characters and returns the hidden text, or an empty string when there is none that a
reader could print. All are linear in the length of the run.
"""

from __future__ import annotations

from codecs import utf_8_decode
from collections.abc import Iterable, Iterator
from itertools import permutations

__all__ = ["decode_bits", "decode_private_use", "decode_selectors", "decode_tags"]

_PROBE = 64  # symbols that are decoded first, since most alphabets and readings fail on them


def decode_tags(run: str) -> str:
    """ASCII text of a run of tag characters: U+E0020..E007E stand for U+0020..007E; the others say nothing."""
    return "".join(chr(ord(char) - 0xE0000) for char in run if 0xE0020 <= ord(char) <= 0xE007E)


def selector_byte(char: str) -> int:
    """Byte that a variation selector stands for: VS1 to VS16 are 0 to 15, VS17 to VS256 are 16 to 255."""
    point = ord(char)
    return point - 0xFE00 if point <= 0xFE0F else point - 0xE0100 + 16


def decode_selectors(run: str) -> str:
    """Text of a run of variation selectors, one byte or one half-byte each, as UTF-8 with replacement characters.

    Selectors from U+E0100 on are also read by their low byte, which is the character where an encoder just adds
    U+E0100; a run of half-bytes that makes no text is tried as bits.
    """
    data = bytes(selector_byte(char) for char in run)
    if max(data, default=0) < 16:
        whole = len(data) // 2 * 2
        halves = bytes(high << 4 | low for high, low in zip(data[:whole:2], data[1:whole:2], strict=True))
        return _text(halves) or decode_bits(run)
    low = bytes(ord(char) & 0xFF for char in run)
    return _text(data) or _text(low) or data.decode("utf-8", "replace")


def decode_private_use(run: str) -> str:
    """ASCII text that stands in the low bytes of private-use characters (symbol fonts use U+F020..F07E so)."""
    text = "".join(chr(ord(char) & 0xFF) for char in run)
    return text if text.isascii() and text.isprintable() else ""


def decode_bits(run: str) -> str:
    """Text of a run of zero-width characters that are used as digits of base two or four, or an empty string.

    Tried: two symbols as bits (either may be the 1; 8, 7 or 16 bits a character), three symbols with one of them
    as separator of binary numbers, four symbols as two bits each. One symbol that only wraps the run is left off.
    """
    symbols = sorted(set(run))
    if len(symbols) == 3:
        inner = run.strip(run[0])
        if len(set(inner)) == 2:
            return decode_bits(inner) or _separated(run, symbols)
        return _separated(run, symbols)
    for reading in (_eight, _sixteen, _seven):  # by how sure it is that what comes out was meant
        for digits in _alphabets(symbols):
            if reading(run[:_PROBE].translate(digits)):
                found = reading(run.translate(digits))
                if found:
                    return found
    return ""


def _alphabets(symbols: list[str]) -> Iterator[dict[int, str]]:
    """The ways to read two symbols as one bit each, or four as two bits each."""
    width = {2: 1, 4: 2}.get(len(symbols), 0)
    for order in permutations(symbols) if width else ():
        yield {ord(char): f"{value:0{width}b}" for value, char in enumerate(order)}


def _eight(bits: str) -> str:
    """Bytes of UTF-8; a tail that fills no byte is left off, or leading zeros are added."""
    for text in dict.fromkeys((bits[: len(bits) // 8 * 8], bits.zfill((len(bits) + 7) // 8 * 8))):
        found = _text(int(text, 2).to_bytes(len(text) // 8, "big")) if text else ""
        if found:
            return found
    return ""


def _seven(bits: str) -> str:
    """Seven bits a character; three of them at least, since two random ones are often printable."""
    return _printable((chr(int(bits[at : at + 7], 2)) for at in range(0, len(bits) - 6, 7)), least=3)


def _sixteen(bits: str) -> str:
    """Sixteen bits a character, of alphabets up to Cyrillic: beyond them nearly any bits would pass for text."""
    points = [int(bits[at : at + 16], 2) for at in range(0, len(bits) - 15, 16)]
    return _printable(map(chr, points)) if max(points, default=0) < 0x530 else ""


def _separated(run: str, symbols: list[str]) -> str:
    """Binary numbers of any length between separators, one per character."""
    for separator in symbols:
        zero, one = (char for char in symbols if char != separator)
        for low, high in ((zero, one), (one, zero)):
            words = run.translate({ord(low): "0", ord(high): "1", ord(separator): " "}).split()
            if all(len(word) <= 21 for word in words):
                points = [int(word, 2) for word in words]
                if max(points, default=0) <= 0x10FFFF:
                    found = _printable(map(chr, points))
                    if found:
                        return found
    return ""


def _text(data: bytes) -> str:
    """The bytes as UTF-8 when all of it is text, else an empty string; a character cut off at the end is left out."""
    try:
        return _printable(utf_8_decode(data, "strict", False)[0])
    except UnicodeDecodeError:
        return ""


def _printable(chars: Iterable[str], least: int = 2) -> str:
    """The characters joined when there are enough and a person could read all of them, else an empty string."""
    text = "".join(chars)
    return text if len(text) >= least and text.translate({9: " ", 10: " ", 13: " "}).isprintable() else ""
