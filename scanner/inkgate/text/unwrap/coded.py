"""Words that are encoded one by one among others: base64, hex, base32, ROT47, pig Latin, numbers, spelling words.

What gives most of them away is the encoded form of a cue word (see `codewords`). This module is loaded when one is met.
"""

from __future__ import annotations

import binascii
import re
from base64 import b32decode
from collections.abc import Iterator, Sequence
from itertools import pairwise

from inkgate.text.lazy import lazy
from inkgate.text.unwrap.codewords import ROT47, SPELLING
from inkgate.text.unwrap.cues import VOCABULARY
from inkgate.text.unwrap.fragment import Aligned, Unwrapped
from inkgate.text.unwrap.passage import Edit, Passages, rewritten
from inkgate.text.unwrap.scene import Scene, classes

__all__ = ["READERS", "letter_numbers", "spelling_words"]

_LOWER = "abcdefghijklmnopqrstuvwxyz"
_LEAST = 4

_TOKEN = lazy(r"(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{2,400}={0,6}(?![A-Za-z0-9+/=])")
_HEX = lazy("(?:[2-7][0-9A-Fa-f]){2,}")
_BASE32 = lazy("[A-Z2-7]{4,}=*|[a-z2-7]{8,}=*")
_SURE = 8
_PLAIN = lazy("[A-Za-z]+(?:['-][A-Za-z]+)?")


def _coded(window: str, base: int, keys: set[int]) -> Iterator[Unwrapped]:
    """Yield the window with each of its words decoded that is an encoded word."""
    edits = [(*hit.span(), plain) for hit in _TOKEN.finditer(window) if (plain := _decoded(hit[0])) is not None]
    if edits:
        yield Unwrapped("coded", *rewritten(window, base, edits))


def _decoded(token: str) -> str | None:
    """Return the word that a token encodes, or None; a short one must be a known word to be believed."""
    body = token.rstrip("=")
    if body.lower() in VOCABULARY:
        return None
    for plain in _readings(token, body):
        word = plain.strip(".,:;!?()\"' \n")
        if word.lower() in VOCABULARY or (len(token) >= _SURE and _PLAIN.fullmatch(word)):
            return plain
        if len(body) > _SURE and plain.isprintable() and any(map(str.isalpha, plain)):
            return plain
    return None


def _readings(token: str, body: str) -> Iterator[str]:
    """Yield what a token is under each code, where that is ASCII."""
    if _HEX.fullmatch(token):
        yield bytes.fromhex(token).decode("ascii")
    if len(body) % 4 != 1:
        yield from _ascii(binascii.a2b_base64(body + "=" * (-len(body) % 4)))
    if _BASE32.fullmatch(token) and len(body) % 8 not in (1, 3, 6):
        yield from _ascii(b32decode(body.upper() + "=" * (-len(body) % 8)))


def _ascii(data: bytes) -> Iterator[str]:
    """Yield printable ASCII; nothing for other bytes."""
    if data.isascii() and (text := data.decode("ascii")).isprintable():
        yield text


def _rot47(window: str, base: int, keys: set[int]) -> Iterator[Unwrapped]:
    """Yield the window with all that is printable moved by half of its number."""
    yield Unwrapped("rot47", window.translate(ROT47), Aligned(base, window))


_PIGGED = lazy("[A-Za-z]{2,24}[aA][yY](?![A-Za-z])")


def _piglet(window: str, base: int, keys: set[int]) -> Iterator[Unwrapped]:
    """Yield the window with its pig Latin put right."""
    edits = [(*hit.span(), word) for hit in _PIGGED.finditer(window) if (word := _unpigged(hit[0].lower())) is not None]
    if edits:
        yield Unwrapped("pig-latin", *rewritten(window, base, edits))


def _unpigged(word: str) -> str | None:
    """Return the word that a word in pig Latin stands for: a known one, else the likeliest; None if it is no such."""
    if word in VOCABULARY:
        return None
    if word[-3] in "wyh" and word[0] in "aeiou" and (word[:-3] in VOCABULARY or word[-3] == "w"):
        return word[:-3]
    stem = word[:-2]
    turned = [stem[-count:] + stem[:-count] for count in range(1, min(5, len(stem)))]
    return next((form for form in turned if form in VOCABULARY), turned[0] if turned else None)


READERS = {"coded": _coded, "rot47": _rot47, "pig-latin": _piglet}
"""How a window is read, by the code that one of its words gave away."""

_NUMBERED = r"[0-9]{1,2}(?:[-.,][0-9]{1,2}){0,24}"
_PLACED = lazy(
    rf"(?<![0-9.,/-])(?:[0-9]{{1,2}}[-.,]{_NUMBERED}(?:[ ]{{0,3}}[/|;][ ]{{0,3}}|[ ]{{1,3}}|\n){_NUMBERED}"
    rf"(?>(?:(?:[ ]{{0,3}}[/|;][ ]{{0,3}}|[ ]{{1,3}}|\n){_NUMBERED}){{1,300}}))(?![0-9])"
)
_NUMBER = lazy("[0-9]{1,2}")
_SMALL_SHAPE = classes(d="0123456789", m="-.,/|; \n")
_ROWS = (b"dmdm", b"dmddm")
_FEWEST = 12
_LONGEST = 4000


def _numbered(hit: re.Match[str]) -> tuple[str, Sequence[Edit]] | None:
    """Write the letter of each number, if that makes known words."""
    row = hit[0]
    numbers = [int(number) for number in _NUMBER.findall(row)]
    if len(numbers) < _FEWEST or not all(1 <= number <= 26 for number in numbers):
        return None
    gaps = re.findall("[^0-9]+", row)
    inner = min(set(gaps), key=lambda gap: (gap not in "-.,", -gaps.count(gap)))
    edits: list[Edit] = []
    for number, gap in zip(_NUMBER.finditer(row), [*gaps, ""], strict=True):
        begin, end = hit.start() + number.start(), hit.start() + number.end()
        edits.append((begin, end, _LOWER[int(number[0]) - 1]))
        edits.append((end, end + len(gap), "" if gap in ("", inner) else " "))
    words = "".join(new for _, _, new in edits).split()
    return ("numbers", edits) if any(len(word) >= _LEAST and word in VOCABULARY for word in words) else None


def _small_row(scene: Scene, position: int, limit: int) -> int:
    """Return where small numbers with marks behind them stand in a row next."""
    best = scene.next_of("numbers", lambda: _ROWS, _SMALL_SHAPE, position, limit)
    return best - (position < best < limit and scene.text[best - 1].isdecimal())


def letter_numbers() -> Passages:
    """Letters written as their places in the alphabet."""
    return Passages(_PLACED, _numbered, longest=_LONGEST, locate=_small_row)


_NAME = rf"(?:{'|'.join(sorted(SPELLING, key=len, reverse=True))}|x-ray)"
_SPELT = lazy(rf"(?<![A-Za-z0-9@$]){_NAME}(?>(?:[^A-Za-z0-9@$]{{1,6}}{_NAME}){{5,600}})(?![A-Za-z])", re.IGNORECASE)
_ONE = lazy(_NAME, re.IGNORECASE)


def _spelt(hit: re.Match[str]) -> tuple[str, Sequence[Edit]]:
    """Write the first letter of each name; a gap that is wider than most, or has a mark of its own, parts words."""
    names = list(_ONE.finditer(hit.string, *hit.span()))
    gaps = [hit.string[one.end() : other.start()] for one, other in pairwise(names)]
    usual = max(set(gaps), key=gaps.count)
    edits: list[Edit] = []
    for name, gap in zip(names, [*gaps, ""], strict=True):
        edits.append((*name.span(), name[0][0].lower()))
        edits.append((name.end(), name.end() + len(gap), "" if gap in ("", usual) else " "))
    return "spelling", edits


_SMALL = bytes(range(256)).lower()
_NAMES = frozenset(name.encode() for name in SPELLING)


def _named(scene: Scene, position: int, limit: int) -> int:
    """Return where the next word of the alphabet begins."""
    return scene.next_of("spelling", lambda: [*(_NAMES & scene.words), b"x-ray"], _SMALL, position, limit)


def spelling_words() -> Passages:
    """Letters written as words of the spelling alphabet of radio (ICAO)."""
    return Passages(_SPELT, _spelt, longest=_LONGEST, locate=_named, begun=(_ONE, len("foxtrot")))
