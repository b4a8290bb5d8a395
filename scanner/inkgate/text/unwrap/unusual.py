"""What a run of letters and digits can be when it is neither base64 nor base32 nor hex: written backwards, base58.

A run gets here only when the usual readings gave nothing, and each test is one pass over it.
"""

from __future__ import annotations

import binascii
from collections.abc import Iterator

from inkgate.text.lazy import lazy
from inkgate.text.unwrap.fragment import Unwrapped, Whole
from inkgate.text.unwrap.plain import Stretch, printable, stretches

__all__ = ["ASCII64", "unusual"]

_FIRST, _SECOND, _THIRD = "[A-Za-f]", "[A-HQ-Xg-nw-z0-3]", "[ABEFIJMNQRUVYZcdghklopstwx014589]"
ASCII64 = f"(?:{_FIRST}{_SECOND}{_THIRD}[A-Za-z0-9+/_-])"
"""Pattern of four characters of base64 that carry three bytes below 0x80; one of eight random ones is so."""

_ENCODED_ASCII = lazy(ASCII64 + "{8}")
_TRIED = 2048
"""Characters: longer runs are turned round only where they would then hold the base64 of ASCII."""

_SHORTEST = 16
_URL_SAFE = str.maketrans("-_", "+/")
_HEX = lazy("[0-9A-Fa-f]{12,}")
_BASE32_HEX = lazy("[0-9A-V]{16,}|[0-9a-v]{16,}")
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_DIGITS58 = {char: value for value, char in enumerate(_BASE58)}
_LONGEST58 = 1500
"""Characters: a number of more digits takes too long to read, and is said to be unread."""

_MIXED58 = 40
_STEP58 = 10
_SURE = 12


def unusual(kept: str, start: int, end: int) -> Iterator[Unwrapped]:
    """Yield what a run reads as under the rarer codes.

    Args:
        kept: the characters of the run.
        start: absolute position where it begins, the place of everything in it.
        end: absolute position just past it.
    """
    if len(kept) < _SHORTEST:
        return
    place = Whole(start, end)
    for name, found in (
        ("base64-reversed", _base64_back(kept)),
        ("hex-reversed", _hex_back(kept)),
        ("base32-hex", _base32_hex(kept)),
        ("base58", _base58(kept)),
    ):
        yield from (Unwrapped(name, item.text, place) for item in found)
    if len(kept) > _LONGEST58 and len(set(kept)) >= _MIXED58 and _DIGITS58.keys() >= set(kept):
        yield Unwrapped("base58", "", place, truncated=True)


def _base64_back(kept: str) -> list[Stretch]:
    """Return the text of base64 that was written from its end, at the alignment that gives most of it."""
    if kept.islower() or kept.isupper():
        return []
    turned = kept[::-1].translate(_URL_SAFE)
    if len(turned) > _TRIED and _ENCODED_ASCII.search(turned) is None:
        return []
    best: list[Stretch] = []
    for offset in range(4):
        size = len(turned) - offset
        size -= size % 4 == 1
        data = binascii.a2b_base64(turned[offset : offset + size] + "=" * (-size % 4))
        best = max(best, [item for item in stretches(data) if len(item.text) >= _SURE], key=_size)
    return best


def _size(found: list[Stretch]) -> int:
    """Return how many characters were found."""
    return sum(len(item.text) for item in found)


def _hex_back(kept: str) -> list[Stretch]:
    """Return the text of hex that was written from its end."""
    found: list[Stretch] = []
    for run in _HEX.finditer(kept):
        body = run[0][::-1]
        for offset in range(2):
            found += stretches(bytes.fromhex(body[offset : len(body) - (len(body) - offset) % 2]))
    return found


def _base32_hex(kept: str) -> list[Stretch]:
    """Return the text of base32 in the alphabet that sorts (RFC 4648, section 7)."""
    from base64 import b32hexdecode  # only here; costs as much as this module

    found: list[Stretch] = []
    for run in _BASE32_HEX.finditer(kept):
        body = run[0].upper()
        body = body[: len(body) - (1 if len(body) % 8 in (1, 3, 6) else 0)]
        found += stretches(b32hexdecode(body + "=" * (-len(body) % 8)))
    return found


def _base58(kept: str) -> list[Stretch]:
    """Return the text of a number in the alphabet of Bitcoin, which leaves out what looks alike."""
    if len(kept) > _LONGEST58 or not _DIGITS58.keys() >= set(kept) or kept.isalpha() or kept.isdigit():
        return []
    number = 0
    for at in range(0, len(kept), _STEP58):
        part = kept[at : at + _STEP58]
        value = 0
        for char in part:
            value = value * 58 + _DIGITS58[char]
        number = number * 58 ** len(part) + value
    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    return stretches(data) if printable(data) >= len(data) // 2 or min(data, default=0) >= 0x20 else []
