"""Texts whose words are disguised one for one: written backwards, shifted through the alphabet, spelt with digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

from inkgate.text.unwrap.cues import CALLS, CIPHERED, LEETED, REVERSED, VOCABULARY
from inkgate.text.unwrap.fragment import Aligned, Mirrored, Reordered, Unwrapped
from inkgate.text.unwrap.scene import SLACK, Candidate, Scene, split_words

__all__ = ["Disguised", "cue_words"]

_BEFORE = 1024
_AFTER = 4096
_OVERLAP = 1536
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_ROT13 = 13
_ATBASH = 26
_SUBSTITUTES = {"o": "0", "i": "1", "l": "1", "e": "3", "a": "4@", "s": "5$", "t": "7", "b": "8", "g": "9"}
_LEET = str.maketrans("0345789@$!|(+", "oeastbgasilct")
_WORD = re.compile(r"[^\W_]+")
_TOKEN = re.compile(r"[A-Za-z0-9@$!|(+]{2,40}")


def _cipher(key: int) -> dict[int, str]:
    """Return the table that undoes a shift by `key` letters, or the mirrored alphabet."""
    plain = _LOWER[::-1] if key == _ATBASH else _LOWER[-key:] + _LOWER[:-key]
    return {ord(old): new for old, new in zip(_LOWER + _LOWER.upper(), plain + plain.upper(), strict=True)}


def _spellings(word: str) -> Iterator[str]:
    """Yield the leet spellings of `word` in which each letter is written one way throughout."""
    letters = [letter for letter in dict.fromkeys(word) if letter in _SUBSTITUTES]
    for choice in product(*(letter + _SUBSTITUTES[letter] for letter in letters)):
        spelt = word.translate(str.maketrans("".join(letters), "".join(choice)))
        if spelt != word:
            yield spelt


@cache
def cues() -> dict[bytes, tuple[str, int]]:
    """Return every cue word with its disguise and, for a shift, its key; and names of functions that make characters.

    Made once, when first needed."""
    table: dict[bytes, tuple[str, int]] = {}
    for key in range(1, 27):
        undone = _cipher(26 - key if key < _ATBASH else key)
        for word in CIPHERED:
            if len(word) > 5 or key in (_ROT13, _ATBASH):
                table[word.translate(undone).encode()] = ("cipher", key)
            if key == _ROT13:
                table[word[::-1].translate(undone).encode()] = ("cipher", key)
    for word in LEETED:
        for spelt in _spellings(word):
            table[spelt.encode()] = ("leet", 0)
    for word in REVERSED:
        table[word.encode()] = ("reversed", 0)
    for name in CALLS:
        table[name.encode()] = ("call", 0)
    for word in VOCABULARY:
        table.pop(word.encode(), None)
    return table


@cache
def cue_words() -> frozenset[bytes]:
    """Return the keys of `cues`, in the form that is quickest to compare with."""
    return frozenset(cues())


def _reversed(window: str, base: int, keys: set[int]) -> Iterator[Unwrapped]:
    """Yield the window read from its end, and with each word read from its end."""
    yield Unwrapped("reversed", window[::-1], Mirrored(base))
    words = _WORD.sub(lambda hit: hit[0][::-1], window)
    yield Unwrapped("reversed-words", words, Reordered(base, window))


def _ciphered(window: str, base: int, keys: set[int]) -> Iterator[Unwrapped]:
    """Yield the window under each key that one of its cue words gives away."""
    for key in sorted(keys):
        name = "rot13" if key == _ROT13 else "atbash" if key == _ATBASH else f"caesar-{key}"
        yield Unwrapped(name, window.translate(_cipher(key)), Aligned(base, window))


def _leet(window: str, base: int, keys: set[int]) -> Iterator[Unwrapped]:
    """Yield the window with digits and signs inside words read as letters; 1 as i, and as l where that may differ."""
    first = _TOKEN.sub(lambda hit: _spell(hit[0], "i"), window)
    yield Unwrapped("leet", first, Aligned(base, window))
    second = _TOKEN.sub(lambda hit: _spell(hit[0], "l"), window)
    if second != first:
        yield Unwrapped("leet", second, Aligned(base, window))


def _spell(token: str, one: str) -> str:
    """Return a token with its digits read as letters: a known word if one comes out, else with 1 read as `one`."""
    if not any(map(str.isalpha, token)) or token.isalpha():
        return token
    plain = token.lower().translate(_LEET)
    for reading in (plain.replace("1", "i"), plain.replace("1", "l"), plain.replace("1", "i", 1).replace("1", "l")):
        if reading in VOCABULARY:
            return reading
    return plain.replace("1", one)


_READERS = {"reversed": _reversed, "cipher": _ciphered, "leet": _leet}


class Disguised:
    """Finds windows around the cue words of one disguise and yields them as the reader would decode them.

    Args:
        disguise: `reversed`, `cipher` or `leet`.
    """

    def __init__(self, disguise: str) -> None:
        self.position = 0
        self._disguise = disguise
        self._read = _READERS[disguise]

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        text, base, limit = scene.text, scene.base, scene.stop - scene.base
        position = max(self.position, scene.start) - base
        known = cues()
        words = [word.decode() for word in scene.cues(cue_words()) if known[word][0] == self._disguise]
        if words and position < limit:
            choice = "|".join(re.escape(word) for word in sorted(words))
            pattern = re.compile(rf"(?<![A-Za-z0-9@$])(?:{choice})(?![A-Za-z0-9@$])", re.IGNORECASE | re.ASCII)
            while (hit := pattern.search(text, position, limit + SLACK)) and hit.start() < limit:
                begin = hit.start()
                low, high = max(0, begin - _BEFORE), min(len(text), begin + _AFTER)
                position = begin + _AFTER - _OVERLAP
                yield self._candidate(text[low:high], base + low, begin - low)
        self.position = base + max(position, limit)

    def _candidate(self, window: str, base: int, cue: int) -> Candidate:
        """Return the window with the keys that the cue words from offset `cue` on give away."""
        known = cues()
        words = split_words(window[cue:].encode("latin-1", "replace"))
        keys = {known[word][1] for word in words if word in known and known[word][0] == self._disguise}
        return Candidate(base + cue, [(base, base + len(window))], lambda: self._read(window, base, keys))
