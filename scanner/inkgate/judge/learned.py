"""The learned judge: does a short passage read like an order that an attacker gives to the agent?

A linear model over three kinds of features of the folded, lower-cased text: words with the groups of four letters in
them, pairs of words that stand side by side or one apart, and *meanings*: a word list in seventeen languages says that
a word is about keeping quiet, say, or about the user, and the model weighs which meanings stand near each other.
Weights are one signed byte each, made by `tools/train_judge.py`; adding them up takes integers only, so the score is
the same on every machine.

What the model says can hold a text up for a review. It never blocks, and what it does not see is not clean.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from hashlib import blake2b, sha256
from math import sqrt
from pathlib import Path
from zlib import crc32

from inkgate.lean import Any
from inkgate.model import InkgateError, Target

__all__ = ["PLACES", "Model", "learned"]

NGRAMS = 7 << 17
"""Places for words, groups of letters and pairs of words; they share places where their hashes meet. With fewer of them
the judge catches less of what is worded anew, and with the word list they take just less than a megabyte."""

NEAR = 12
"""Words: meanings that stand further apart are not weighed as a pair."""

_PAIRED = 13
"""Meanings before one that are weighed with it."""

_MEANINGS = 64
PLACES = NGRAMS + _MEANINGS + _MEANINGS * _MEANINGS
"""Length of the table in bytes."""

_INDIC = "\u0900-\u0963\u0966-\u0eff"
"""Scripts whose vowels are marks beside the letters, which no `\\w` takes for parts of a word."""

TOKEN = re.compile(rf"[^\W_{_INDIC}]+|[{_INDIC}]+|[?!:]")
"""A word, or a mark that says what a sentence is."""

_REMEMBERED = 20_000
_SCORES = 512
_FIRST = 0x1234567
_NEXT, _APART, _MIX = 0x9E3779B1, 0xC2B2AE35, 0x85EBCA6B
_SPACELESS = "\u2e80"
_OTHER_SCRIPT = "\u0590"
_LONGEST_WORD = 24
_LONGEST_RUN = 200
_WORD_SHOWN = re.compile(r"(?<![^\s\"'(])[a-z]{4,20}(?![^\s\"'),.;:!?])")

Entry = tuple[int, int, int, tuple[int, ...]]
"""What is known of a word: sum of its weights, how many there are, its stem's hash, its meanings."""


def _code(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


_WORD, _GROUP = crc32(b"w"), crc32(b"c")
"""Where the hashes of words and of groups of letters begin, so that one never stands for the other."""


def word_places(word: str) -> list[int]:
    """Places in the table of a word and of the groups of letters in it."""
    places = [crc32(_code(word), _WORD) % NGRAMS]
    if word[0] >= _SPACELESS or "\u0e00" <= word[0] <= "\u0eff":
        run = word[:_LONGEST_RUN]
        for size in (2, 3):
            places += [crc32(_code(run[i : i + size]), _GROUP) % NGRAMS for i in range(len(run) - size + 1)]
    elif len(word) > 3:
        run = f"<{word[:_LONGEST_WORD]}>"
        if word.isascii():
            code = run.encode()
            places += [crc32(code[i : i + 4], _GROUP) % NGRAMS for i in range(len(code) - 3)]
        else:
            places += [crc32(_code(run[i : i + 4]), _GROUP) % NGRAMS for i in range(len(run) - 3)]
    return places


def stem(word: str) -> int:
    """The hash by which a word takes part in pairs: that of its first six characters."""
    return crc32(_code(word[:6]))


def pair_place(first: int, second: int) -> int:
    """Place of two neighbouring words, given their stems' hashes."""
    return ((first * _NEXT ^ second) * _MIX >> 7) % NGRAMS


def apart_place(first: int, second: int) -> int:
    """Place of two words with one between them, given their stems' hashes."""
    return ((first * _APART ^ second) * _MIX >> 7) % NGRAMS


class Meanings:
    """Which meanings a word has.

    Args:
        data: `labels`, and from folded words (`whole`), beginnings of words (`begin`), parts of words (`inside`, for
            scripts that write several in a row) and pairs of words (`pairs`, parted by a blank) to lists of labels'
            numbers.
    """

    __slots__ = ("_begin", "_inside", "_longest", "_pairs", "_whole", "labels")

    def __init__(self, data: dict[str, Any]) -> None:
        self.labels: list[str] = data["labels"]
        self._whole: dict[str, list[int]] = data["whole"]
        self._begin: dict[str, list[int]] = data["begin"]
        self._inside: dict[str, list[int]] = data["inside"]
        self._pairs: dict[str, list[int]] = data["pairs"]
        self._longest = max(map(len, self._inside), default=0)

    def of(self, word: str) -> tuple[int, ...]:
        """Numbers of the word's meanings, in order."""
        found = set(self._whole.get(word, ()))
        for size in range(2, min(len(word), _LONGEST_WORD) + 1):
            found.update(self._begin.get(word[:size], ()))
        if word[-1] >= _OTHER_SCRIPT or word[0] >= _OTHER_SCRIPT:
            run = word[:_LONGEST_RUN]
            for start in range(len(run)):
                for size in range(1, min(self._longest, len(run) - start) + 1):
                    found.update(self._inside.get(run[start : start + size], ()))
        return tuple(sorted(found))

    def entry(self, word: str) -> str:
        """The entry of the word list by which a word is known, so that a reason never repeats the text; or empty."""
        if word in self._whole:
            return word
        for size in range(min(len(word), _LONGEST_WORD), 2, -1):
            if word[:size] in self._begin:
                return word if size == len(word) else f"{word[:size]}\u2026"
        return ""

    def of_pair(self, first: str, second: str) -> list[int]:
        """Numbers of the meanings that two words have together."""
        return self._pairs.get(f"{first} {second}", [])


class Model:
    """The weights, and how to read a passage with them.

    Args:
        weights: one signed byte for each of `PLACES`.
        data: the rest: `meanings`, `bias`, `scale` of n-grams and of meanings, `thresholds`.
    """

    def __init__(self, weights: bytes, data: dict[str, Any]) -> None:
        self._weights = memoryview(weights).cast("b")
        self._meaning_weights = self._weights[NGRAMS:]
        self.meanings = Meanings(data["meanings"])
        self._bias: float = data["bias"]
        scale: list[float] = data["scale"]
        self._scale, self._meaning_scale = scale
        self._thresholds: dict[str, list[tuple[int, float]]] = data["thresholds"]
        self._known: dict[str, Entry] = {}
        self._scores: dict[bytes, float] = {}

    def _learn(self, word: str) -> Entry:
        bare = "0" if word.isdigit() else word
        places = word_places(bare)
        weights = self._weights
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        entry = self._known[word] = (
            sum(weights[place] for place in places),
            len(places),
            stem(bare),
            self.meanings.of(bare),
        )
        return entry

    def score(self, text: str) -> float:
        """Log-odds of a passage of folded, lower-cased text.

        The last few hundred are remembered by digest: a memory is scanned whole at every write, and most of its
        entries are those of the write before.
        """
        key = blake2b(_code(text), digest_size=16).digest()
        score = self._scores.get(key)
        if score is None:
            score = self._score(text)
            if len(self._scores) >= _SCORES:
                self._scores.clear()
            self._scores[key] = score
        return score

    def _score(self, text: str) -> float:
        known, weights, size = self._known, self._weights, NGRAMS
        together = self.meanings._pairs
        total = count = 0
        before = last = _FIRST
        previous = ""
        meant: list[tuple[int, int]] = []
        for index, word in enumerate(TOKEN.findall(text)):
            entry = known.get(word)
            weight, places, code, meanings = self._learn(word) if entry is None else entry
            total += (
                weight
                + weights[((last * _NEXT ^ code) * _MIX >> 7) % size]
                + weights[((before * _APART ^ code) * _MIX >> 7) % size]
            )
            count += places + 2
            for meaning in meanings:
                meant.append((index, meaning))
            extra = together.get(f"{previous} {word}")
            if extra is not None:
                meant += [(index, meaning) for meaning in extra if meaning not in meanings]
            before, last, previous = last, code, word
        if not count:
            return self._bias
        table = self._meaning_weights
        meaning_total = sum(table[place] for place in meaning_places(meant))
        return self._bias + self._scale * total / sqrt(count) + self._meaning_scale * meaning_total

    def threshold(self, target: Target, length: int) -> float:
        """The least score that counts in a text of `length` characters: the more there is to read, the higher."""
        rows = self._thresholds[target]
        return next((least for size, least in rows if length <= size), rows[-1][1])

    def least(self, target: Target) -> float:
        """The lowest threshold of a target."""
        return min(least for _, least in self._thresholds[target])

    def explain(self, text: str) -> str:
        """What weighed most in a passage of folded, lower-cased text: at most two pairs of meanings and three words."""
        labels, table = self.meanings.labels, self._meaning_weights
        pairs: list[tuple[int, str]] = []
        for place in meaning_places(meant_in(self.meanings, text)):
            first, second = divmod(place - _MEANINGS, _MEANINGS)
            name = labels[place] if place < _MEANINGS else f"{labels[first]} with {labels[second]}"
            pairs.append((-table[place], name))
        words: dict[str, float] = {}
        for word in _WORD_SHOWN.findall(text):
            if entry := self.meanings.entry(word):
                weight, places, *_ = self._known.get(word) or self._learn(word)
                words[entry] = min(words.get(entry, 0.0), -weight / sqrt(places))
        said = [name for weight, name in sorted(pairs)[:2] if weight < 0]
        shown = [
            f"\u201c{word}\u201d" for weight, word in sorted((w, word) for word, w in words.items())[:3] if weight < 0
        ]
        parts = (f"speaks of {' and '.join(said)}" if said else "", f"words {', '.join(shown)}" if shown else "")
        return "; ".join(filter(None, parts)) or "its wording as a whole"


def meant_in(meanings: Meanings, text: str) -> list[tuple[int, int]]:
    """Which meanings a passage has, with the number of the word that has it."""
    meant: list[tuple[int, int]] = []
    previous = ""
    for index, word in enumerate(TOKEN.findall(text)):
        own = meanings.of("0" if word.isdigit() else word)
        meant += [(index, meaning) for meaning in (*own, *meanings.of_pair(previous, word))]
        previous = word
    return meant


def meaning_places(meant: list[tuple[int, int]]) -> set[int]:
    """Places, counted from behind the n-grams, of the meanings of a passage and of pairs of them that stand near."""
    found: set[int] = set()
    waiting: list[tuple[int, int]] = []
    for index, meaning in meant:
        found.add(meaning)
        if waiting and (index - waiting[0][0] > NEAR or len(waiting) == _PAIRED):
            waiting = [item for item in waiting[1:] if index - item[0] <= NEAR]
        column = _MEANINGS + meaning
        found.update([column + row for _, row in waiting])
        waiting.append((index, meaning * _MEANINGS))
    return found


def ngram_places(text: str) -> list[int]:
    """Places of all words, groups of letters and pairs of words of a passage, as often as they stand there."""
    places: list[int] = []
    before = last = _FIRST
    for word in TOKEN.findall(text):
        bare = "0" if word.isdigit() else word
        code = stem(bare)
        places += word_places(bare)
        places += [pair_place(last, code), apart_place(before, code)]
        before, last = last, code
    return places


@lru_cache(maxsize=1)
def learned() -> Model:
    """The shipped model, read at the first call.

    Raises:
        InkgateError: its files are missing, or do not belong together.
    """
    folder = Path(__file__).parent
    try:
        data = json.loads((folder / "learned.json").read_text(encoding="utf-8"))
        weights = (folder / "learned.bin").read_bytes()
    except (OSError, ValueError) as error:
        raise InkgateError(f"the learned judge cannot be read: {error}", hint="install inkgate again") from error
    if len(weights) != PLACES or sha256(weights).hexdigest() != data.get("sha256"):
        raise InkgateError(
            "the learned judge's weights are not those it was shipped with", hint="install inkgate again"
        )
    return Model(weights, data)
