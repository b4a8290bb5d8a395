"""Which stretches of decoded bytes are text that a reader could take as words."""

from __future__ import annotations

from inkgate.lean import NamedTuple
from inkgate.text.fold import fold
from inkgate.text.lazy import lazy

__all__ = ["Stretch", "printable", "stretches"]

SHORTEST = 6
"""Bytes: shorter stretches say nothing that a rule could judge."""

_PRINTABLE = bytes([9, 10, 13, *range(0x20, 0x7F)])
_PRINTABLE_MARK = bytes(ord("p") if byte in _PRINTABLE else ord("-") for byte in range(256))
_LEADS = bytes([*range(0xCE, 0xDC), 0xE0, *range(0xE3, 0xEE)])
"""First bytes of the letters of living scripts in UTF-8 (Greek to Arabic, Indic, Kana, Han, Hangul)."""
_SMALL = 64
_RUN = 8
_LITTLE = 512
_LONG_RUN = 14
"""Printable bytes in a row that hint at text; chance gives the longer row once in a million bytes."""

_VALID = 12
"""Bytes: chance makes so many of them valid UTF-8 without controls once in fifty thousand times."""

_UTF16_SHARE = 0.4
_BLOCKS = frozenset({0, *range(2, 7)})
"""Control bytes that are the high half of common letters in UTF-16: Latin, IPA, Greek, Cyrillic, Hebrew, Arabic."""

_NEVER_ALIKE = bytes([*range(0x34, 0xA0), *range(0xAC, 0xD8)])
"""High bytes of Han and Hangul in UTF-16, which nothing in Latin looks like."""

_NO_CONTROLS = bytes([*_PRINTABLE, *range(0x80, 0x100)])
_LATIN_SHARE = 0.85
_LONE = 24
_UTF8 = lazy(
    rb"(?>(?:[\t\n\r\x20-\x7e]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}"
    rb"|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}){5,})"
)
_UTF16_LATIN = lazy(rb"(?>(?:[\t\n\r\x20-\x7e]\x00){4,}|(?:\x00[\t\n\r\x20-\x7e]){4,})")


class Stretch(NamedTuple):
    """Text found in bytes: it begins at byte `start` and encodes back to the same bytes under `codec`."""

    start: int
    text: str
    codec: str


def printable(data: bytes) -> int:
    """Return how many of the bytes are printable ASCII, tab or line ends."""
    return len(data) - len(data.translate(None, _PRINTABLE))


def stretches(data: bytes) -> list[Stretch]:
    """Return the text in `data`: all of it, or the stretches of words between other bytes; nothing for noise.

    UTF-8, UTF-16 and Latin-1 are known. A random key or hash passes with a chance of about one in ten thousand,
    which costs the time of one look and nothing else.
    """
    if len(data) < SHORTEST:
        return []
    plain = printable(data)
    if plain == len(data):
        return [Stretch(0, data.decode("ascii"), "ascii")]
    if data.count(0) * 5 >= len(data) or data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        wide = _utf16(data)
        if wide:
            return wide
    if plain >= len(data) * _LATIN_SHARE:
        return [_mostly(data)]
    found = _utf8(data)
    return found or _foreign_utf16(data)


def _mostly(data: bytes) -> Stretch:
    """Decode bytes that are nearly all printable ASCII: UTF-8 where valid, else Latin-1."""
    try:
        return Stretch(0, data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        return Stretch(0, data.decode("latin-1"), "latin-1")


def _utf8(data: bytes) -> list[Stretch]:
    """Return stretches of valid UTF-8 without control characters, if together they are more than an accident."""
    controls = set(data.translate(None, _NO_CONTROLS))
    if len(data) >= _VALID and (not controls or (len(controls) == 1 and not controls & _BLOCKS)):
        whole = _whole(data)
        if whole and _readable(whole[0].text):
            return whole
    run = _RUN if len(data) <= _LITTLE else _LONG_RUN
    if b"p" * run not in data.translate(_PRINTABLE_MARK):
        if 4 * (len(data) - len(data.translate(None, _LEADS))) < len(data):
            return []
        if len(data) < _SMALL:
            return _whole(data)
    found = [Stretch(hit.start(), hit[0].decode("utf-8"), "utf-8") for hit in _UTF8.finditer(data)]
    if 2 * sum(len(item.text.encode("utf-8")) for item in found) >= len(data):
        return found
    return [item for item in found if len(item.text) >= _LONE]


def _readable(text: str) -> bool:
    """Return whether at least half of what is seen of the text is letters and spaces."""
    seen = [char for char in fold(text).cased if char >= " "]
    return 2 * sum(char.isalpha() or char == " " for char in seen) >= len(seen) > 0


def _whole(data: bytes) -> list[Stretch]:
    """Return the text, if all of it is valid UTF-8 but for a character that was cut at either end."""
    start = next((at for at in range(4) if data[at : at + 1] and data[at] & 0xC0 != 0x80), 0)
    for end in range(len(data), max(start, len(data) - 4), -1):
        try:
            return [Stretch(start, data[start:end].decode("utf-8"), "utf-8")]
        except UnicodeDecodeError:
            continue
    return []


def _utf16(data: bytes) -> list[Stretch]:
    """Return stretches of UTF-16 in the Latin range, either byte order."""
    for codec in ("utf-16-le", "utf-16-be"):
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        if sum(" " <= char <= "~" for char in text) >= _UTF16_SHARE * len(text):
            return [Stretch(0, text, codec)]
    found = []
    for hit in _UTF16_LATIN.finditer(data):
        codec = "utf-16-be" if hit[0][0] == 0 else "utf-16-le"
        found.append(Stretch(hit.start(), hit[0].decode(codec), codec))
    return found if 4 * sum(len(item.text) for item in found) >= len(data) else _foreign_utf16(data)


def _foreign_utf16(data: bytes) -> list[Stretch]:
    """Return UTF-16 of another alphabet: its code units share one or two high bytes, as chance never does.

    Or its letters are all look-alikes of Latin ones, which chance does not either.
    """
    if min(data[0], data[1]) > 0x30:
        return _alike_utf16(data)
    even = data[: len(data) & ~1]
    for codec, high in (("utf-16-le", even[1::2]), ("utf-16-be", even[0::2])):
        kinds = set(high) - {0x00, 0x20, 0x30, 0xFE, 0xFF}
        if len(high) >= SHORTEST and len(kinds) <= 2 and all(1 <= kind <= 0x1F for kind in kinds):
            text = even.decode(codec, "surrogatepass")
            if sum(map(str.isalpha, text)) * 2 >= len(text):
                return [Stretch(0, text, codec)]
    return _alike_utf16(data)


def _alike_utf16(data: bytes) -> list[Stretch]:
    """Return UTF-16 of which nearly all folds to ASCII."""
    if len(data) % 2 or len(data) < 2 * _VALID:
        return []
    halves = data[0::2], data[1::2]
    if all(2 * len(half.translate(None, _NEVER_ALIKE)) < len(half) for half in halves):
        return []
    for codec in ("utf-16-le", "utf-16-be"):
        try:
            text = data.decode(codec)
        except UnicodeDecodeError:
            continue
        plain = fold(text).cased
        if len(plain) * 4 >= len(text) and sum(char.isascii() for char in plain) >= _LATIN_SHARE * len(plain):
            return [Stretch(0, text, codec)]
    return []
