"""Texts whose words are disguised one for one: written backwards, upside down, shifted, misspelt, spelt with digits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product

from inkgate.text.lazy import lazy
from inkgate.text.unwrap.codewords import coded_cues
from inkgate.text.unwrap.cues import (
    CALLS,
    CIPHERED,
    COMMANDS,
    HEADS,
    INNOCENT,
    LEETED,
    MISSPELT,
    REVERSED,
    TURNED,
    VOCABULARY,
    turned,
)
from inkgate.text.unwrap.fragment import Aligned, Mirrored, Reordered, Unwrapped
from inkgate.text.unwrap.passage import rewritten
from inkgate.text.unwrap.scene import SLACK, Candidate, Scene, classes, split_words

__all__ = ["LETTERLIKE", "Disguised", "cue_kinds", "cue_words"]

_BEFORE = 1024
_AFTER = 8192
_OVERLAP = 768
_LOWER = "abcdefghijklmnopqrstuvwxyz"
_ROT13 = 13
_ATBASH = 26
_SUBSTITUTES = {"o": "0", "i": "1", "l": "1", "e": "3", "a": "4@", "s": "5$", "t": "7", "b": "8", "g": "9"}
_LEET = str.maketrans("0345789@$!|(+", "oeastbgasilct")
_WORD = lazy(r"[^\W_]+")
_MARKED = lazy(r"\S+")
_TOKEN = lazy(r"[A-Za-z0-9@$!|(+]{1,40}")
_LEET_BYTES = tuple(bytes.maketrans(b"0345789@$1", b"oeastbgas" + one) for one in (b"i", b"l"))
LETTERLIKE = b"01345789@$!|"
"""Digits and signs one of which every leet word has."""

_LEAST = 4
_SIGN_SHAPE = classes(a="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ013457@$", s="!|")
_VOCABULARY = frozenset(word.encode() for word in VOCABULARY)
_LETTERS = lazy("[A-Za-z]{2,24}")
_PLAIN_WORD = lazy("[A-Za-z]{4,20}")


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
    table: dict[bytes, tuple[str, int]] = {word: (name, 0) for word, name in coded_cues()}
    table.update(_ciphered_cues())
    for word in LEETED:
        for spelt in _spellings(word):
            table[spelt.encode()] = ("leet", 0)
    for word in MISSPELT:
        for slip in _slips(word):
            table[slip.encode()] = ("typo", 0)
    for word in TURNED:
        table[word.encode()] = ("turned", 0)
    for word in REVERSED:
        table[word.encode()] = ("reversed", 0)
    table[b"join"] = ("join", 0)
    for name in CALLS:
        table[name.encode()] = ("call", 0)
    for word in VOCABULARY | INNOCENT:
        table.pop(word.encode(), None)
    for word in HEADS:
        table[word.encode()] = table[f"${word}$".encode()] = ("command", 0)
    return table


def _ciphered_cues() -> Iterator[tuple[bytes, tuple[str, int]]]:
    """Yield the shifted and mirrored cue words with their keys; short ones under the two best known keys only."""
    for key in range(1, 27):
        written = _cipher(26 - key if key < _ATBASH else key)
        for word in (*CIPHERED, *COMMANDS):
            if len(word) > 5 or word in COMMANDS or key in (_ROT13, _ATBASH):
                yield word.translate(written).encode(), ("cipher", key)
            if key == _ROT13:
                yield word[::-1].translate(written).encode(), ("cipher", key)


def _slips(word: str) -> Iterator[str]:
    """Yield the word with one letter missing, doubled, or swapped with the next; never its first letter."""
    for at in range(1, len(word)):
        yield word[:at] + word[at + 1 :]
        yield word[: at + 1] + word[at:]
        if at + 1 < len(word) and word[at] != word[at + 1]:
            yield word[:at] + word[at + 1] + word[at] + word[at + 2 :]


@cache
def _corrections() -> dict[str, str]:
    """Return the words of the vocabulary by their misspellings, and by their letters with the inner ones sorted.

    Made when a misspelt cue word is met, which is rare."""
    table: dict[str, str] = {}
    for word in sorted({*VOCABULARY, *MISSPELT}):
        if len(word) > _LEAST:
            table.setdefault(_shuffled(word), word)
            for slip in _slips(word):
                table.setdefault(slip, word)
    return table


def _shuffled(word: str) -> str:
    """Return a key that a word keeps when its inner letters change places; no word looks like one."""
    return f"{word[0]}{''.join(sorted(word[1:-1])).upper()}{word[-1]}"


@cache
def cue_words() -> frozenset[bytes]:
    """Return the keys of `cues`, in the form that is quickest to compare with."""
    return frozenset(cues())


def cue_kinds(scene: Scene) -> frozenset[str]:
    """Return the disguises of the cue words in the range of a scene."""
    if scene.kinds is None:
        known = cues()
        scene.kinds = frozenset(known[word][0] for word in scene.cues(cue_words()))
    return scene.kinds


def _reversed(window: str, base: int, keys: set[int]) -> Iterator[Unwrapped]:
    """Yield the window read from its end, and with each word read from its end."""
    yield Unwrapped("reversed", window[::-1], Mirrored(base))
    words = _WORD.sub(lambda hit: hit[0][::-1], window)
    yield Unwrapped("reversed-words", words, Reordered(base, window))
    tokens = _MARKED.sub(lambda hit: hit[0][::-1], window)
    if tokens != words:
        yield Unwrapped("reversed-words", tokens, Reordered(base, window, marks=True))
    some = _mixed(window, None)
    if some not in (window, words):
        yield Unwrapped("reversed-words", some, Aligned(base, window))


def _turned(window: str, base: int, keys: set[int]) -> Iterator[Unwrapped]:
    """Yield the window as it reads when the page is turned round."""
    plain = turned(window.lower()).replace("q", "b")
    yield Unwrapped("turned", _WORD.sub(lambda hit: _upright(hit[0]), plain), Mirrored(base))


def _upright(word: str) -> str:
    """Return a word with the letters that a turned `g` folds to read as `g`, where that makes it a known word."""
    if "b" not in word or word in VOCABULARY:
        return word
    one = (f"{word[:at]}g{word[at + 1 :]}" for at, char in enumerate(word) if char == "b")
    return next((reading for reading in (word.replace("b", "g"), *one) if reading in VOCABULARY), word)


def _corrected(window: str, base: int, keys: set[int]) -> Iterator[Unwrapped]:
    """Yield the window with its misspelt words put right."""
    known = _corrections()
    edits = []
    for hit in _PLAIN_WORD.finditer(window):
        word = hit[0].lower()
        right = known.get(word) or known.get(_shuffled(word))
        if right and word not in VOCABULARY and word not in INNOCENT:
            edits.append((*hit.span(), right))
    if edits:
        yield Unwrapped("typo", *rewritten(window, base, edits))


def _ciphered(window: str, base: int, keys: set[int]) -> Iterator[Unwrapped]:
    """Yield the window under each key that one of its cue words gives away."""
    for key in sorted(keys):
        name = "rot13" if key == _ROT13 else "atbash" if key == _ATBASH else f"caesar-{key}"
        table = _cipher(key)
        whole, some = window.translate(table), _mixed(window, table)
        yield Unwrapped(name, whole, Aligned(base, window))
        if some not in (window, whole):
            yield Unwrapped(name, some, Aligned(base, window))


def _leet(window: str, base: int, keys: set[int]) -> Iterator[Unwrapped]:
    """Yield the window with digits and signs inside words read as letters; 1 as i, and as l where that may differ."""
    first = _TOKEN.sub(lambda hit: _spell(hit[0], "i"), window)
    yield Unwrapped("leet", first, Aligned(base, window))
    second = _TOKEN.sub(lambda hit: _spell(hit[0], "l"), window)
    if second != first:
        yield Unwrapped("leet", second, Aligned(base, window))


def _spell(token: str, one: str) -> str:
    """Return a token with its digits read as letters: a known word if one comes out, else with 1 read as `one`."""
    if token in _NUMERALS:
        return _NUMERALS[token]
    if token.isdigit() or token.isalpha():
        return token
    plain = token.lower().translate(_LEET)
    for reading in (plain.replace("1", "i"), plain.replace("1", "l"), plain.replace("1", "i", 1).replace("1", "l")):
        if reading in VOCABULARY:
            return reading
    if not any(map(str.isalpha, token)):
        return token
    kept = "".join("@" if old == "@" else new for old, new in zip(token, plain, strict=True))
    return (kept if "@" in token[1:-1] else plain).replace("1", one)


_NUMERALS = {"4": "a", "17": "it", "15": "is", "45": "as", "47": "at", "70": "to", "50": "so", "@": "a"}
"""Words that have no letter in leet; other numbers stay numbers."""


def _mixed(window: str, table: dict[int, str] | None) -> str:
    """Return a window in which only those words are deciphered that are known words then, and none before.

    `table` undoes the cipher; None: the words are written backwards.
    """

    def read(hit: re.Match[str]) -> str:
        word = hit[0]
        plain = word[::-1] if table is None else word.translate(table)
        return plain if plain.lower() in VOCABULARY and word.lower() not in VOCABULARY else word

    return _LETTERS.sub(read, window)


_READERS = {"reversed": _reversed, "turned": _turned, "cipher": _ciphered, "leet": _leet, "typo": _corrected}


_INSIDE = frozenset(bytes([byte]) for byte in b"abcdefghijklmnopqrstuvwxyz0123456789@$")


def _standing(raw: bytes, word: bytes, at: int) -> int:
    """Return where a word stands by itself from an offset on, in a text in small letters; its length if nowhere."""
    size = len(word)
    while (at := raw.find(word, at)) >= 0:
        if (not at or raw[at - 1 : at] not in _INSIDE) and raw[at + size : at + size + 1] not in _INSIDE:
            return at
        at += 1
    return len(raw)


def _spelt(scene: Scene) -> Iterator[bytes]:
    """Yield the words of the scene that letters and digits spell together, signs for letters included."""
    for word in scene.words:
        if not word.isalpha() and len(word) >= _LEAST and any(word.translate(t) in _VOCABULARY for t in _LEET_BYTES):
            yield word
    shadow = scene.shadow(_SIGN_SHAPE)
    at = shadow.find(b"asa")
    while at >= 0:
        end = shadow.find(b"?", at)
        end = len(shadow) if end < 0 else end
        word = scene.raw[shadow.rfind(b"?", 0, at) + 1 : end].lower()
        if len(word) < SLACK and word.replace(b"!", b"i").replace(b"|", b"l").translate(_LEET_BYTES[0]) in _VOCABULARY:
            yield word
        at = shadow.find(b"asa", end)


class Disguised:
    """Finds windows around the cue words of one disguise and yields them as the reader would decode them.

    Args:
        disguise: `reversed`, `turned`, `cipher`, `leet`, `typo`, or one of those in `coded`, which is loaded for it.
    """

    def __init__(self, disguise: str) -> None:
        self.position = 0
        self._disguise = disguise
        self._read = _READERS.get(disguise)

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        text, base, limit = scene.text, scene.base, scene.stop - scene.base
        position = max(self.position, scene.start) - base
        known = cues()
        words = {word for word in scene.cues(cue_words()) if known[word][0] == self._disguise}
        if self._disguise == "leet":
            words.update(_spelt(scene))
        if words and position < limit:
            raw, offset = scene.raw.lower(), scene.low
            nexts = {word: _standing(raw, word, position - offset) for word in words}
            while (begin := offset + min(nexts.values())) < limit:
                low, high = max(0, begin - _BEFORE), min(len(text), begin + _AFTER)
                position = begin + _AFTER - _OVERLAP
                yield self._candidate(text[low:high], base + low, begin - low)
                for word, at in nexts.items():
                    if at < position - offset:
                        nexts[word] = _standing(raw, word, position - offset)
        self.position = base + max(position, limit)

    def _candidate(self, window: str, base: int, cue: int) -> Candidate:
        """Return the window with the keys that the cue words from offset `cue` on give away."""
        known, read = cues(), self._read
        if read is None:
            from inkgate.text.unwrap.coded import READERS

            read = READERS[self._disguise]
        words = split_words(window[cue:].encode("latin-1", "replace"))
        keys = {known[word][1] for word in words if word in known and known[word][0] == self._disguise}
        return Candidate(base + cue, [(base, base + len(window))], lambda: read(window, base, keys))
