"""Where a zero-width joiner or non-joiner belongs: in emoji sequences and in scripts that shape their letters.

The contexts are those of UAX #31, section 2.3 (A1, A2, B) and of UTS #51, ED-16; beside them stands a relaxed one
for what people really type: a letter of a joining script on one side and, for a joiner, no Latin, Greek or Cyrillic
letter or digit on the other (a non-joiner there holds the suffix of a foreign word, as in Persian plurals). Every
look to the left or right is limited to `CONTEXT` characters.
"""

from __future__ import annotations

from collections.abc import Iterable

from inkgate.text import _ucd_table as ucd
from inkgate.text.ucd import PROPERTIES

__all__ = ["CONTEXT", "base_after", "base_before", "joiner_belongs"]

CONTEXT = 64
"""How far the neighbours of a character are looked for, in characters."""

_NON_JOINER = "\u200c"
_JOINER = "\u200d"
_EMOJI_TAIL = "\ufe0e\ufe0f\u20e3"
_PASSED = ucd.MARK
_LEFT_A1 = ucd.JOINS_NEXT
_RIGHT_A1 = ucd.JOINS_PREVIOUS


def base_before(text: str, at: int) -> str:
    """Nearest character before `at` that is no mark and no joiner, or an empty string."""
    return _base(text, range(at - 1, max(-1, at - 1 - CONTEXT), -1))


def base_after(text: str, at: int) -> str:
    """Nearest character from `at` on that is no mark and no joiner, or an empty string."""
    return _base(text, range(at, min(len(text), at + CONTEXT)))


def _base(text: str, places: Iterable[int]) -> str:
    for place in places:
        char = text[place]
        if char not in "\u200c\u200d" and not PROPERTIES[char] & _PASSED:
            return char
    return ""


def joiner_belongs(text: str, at: int) -> bool:
    """Whether the joiner or non-joiner text[at] stands where a script or an emoji needs it."""
    before = PROPERTIES[text[at - 1]] if at else 0
    after = PROPERTIES[text[at + 1]] if at + 1 < len(text) else 0
    if text[at] == _NON_JOINER:
        if before & _LEFT_A1 and after & _RIGHT_A1:  # the commonest case, without marks between
            return True
        return _joins_letters(text, at) or _follows_virama(text, at) or _relaxed(text, at)
    if after & ucd.PICTOGRAPH and _follows_pictograph(text, at):
        return True
    return _follows_virama(text, at) or _relaxed(text, at)


def _follows_pictograph(text: str, at: int) -> bool:
    """Emoji before a joiner: a pictograph, with its variation selector, skin tone, keycap or tags (UTS #51, ED-16)."""
    for place in range(at - 1, max(-1, at - 1 - CONTEXT), -1):
        char = text[place]
        mask = PROPERTIES[char]
        if char in _EMOJI_TAIL or "\U000e0020" <= char <= "\U000e007f" or mask & ucd.SKIN:
            continue
        return bool(mask & ucd.PICTOGRAPH)
    return False


def _joins_letters(text: str, at: int) -> bool:
    """UAX #31, A1: between a letter that joins on its left side and one that joins on its right, marks skipped."""
    left = _beyond_transparent(text, range(at - 1, max(-1, at - 1 - CONTEXT), -1))
    right = _beyond_transparent(text, range(at + 1, min(len(text), at + 1 + CONTEXT)))
    return bool(left & _LEFT_A1 and right & _RIGHT_A1)


def _beyond_transparent(text: str, places: Iterable[int]) -> int:
    for place in places:
        mask = PROPERTIES[text[place]]
        if not mask & ucd.TRANSPARENT:
            return mask
    return 0


def _follows_virama(text: str, at: int) -> bool:
    """UAX #31, A2 and B: after a virama; a non-joiner also before a letter, a joiner not before a dependent vowel."""
    place = at - 1
    least = max(0, at - CONTEXT)
    while place >= least and PROPERTIES[text[place]] & ucd.REORDERED:
        place -= 1
    if place < least or not PROPERTIES[text[place]] & ucd.VIRAMA:
        return False
    if text[at] == _JOINER:
        return not (at + 1 < len(text) and PROPERTIES[text[at + 1]] & ucd.VOWEL)
    for following in range(at + 1, min(len(text), at + 1 + CONTEXT)):
        mask = PROPERTIES[text[following]]
        if not mask & ucd.NONSPACING:
            return bool(mask & ucd.LETTER)
    return False


def _relaxed(text: str, at: int) -> bool:
    """One neighbour is of a joining script; the other one, beside a joiner, is no letter or digit of an alphabet."""
    left = PROPERTIES[base_before(text, at)]
    right = PROPERTIES[base_after(text, at + 1)]
    if text[at] == _JOINER and (left | right) & ucd.ALPHABET:
        return False
    return bool((left | right) & ucd.JOINER_SCRIPT)
