"""One look at a stretch of a view: the buffer, the range whose candidates are wanted, and cheap shadows of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain

from inkgate.lean import NamedTuple, Protocol
from inkgate.text.unwrap.fragment import Unwrapped

__all__ = [
    "AHEAD",
    "BEHIND",
    "LETTERING",
    "LINES",
    "MARKS",
    "SLACK",
    "Candidate",
    "Detector",
    "Scene",
    "classes",
    "split_words",
]

BEHIND = 4096
"""Characters before an anchor that a detector may look at."""

AHEAD = 24 * 1024
"""Characters after an anchor that a detector may look at; no candidate is longer."""

SLACK = 96
"""Characters around the wanted range that the shadows cover: more than any trigger is long."""


def classes(**members: str) -> bytes:
    """Return a table for `bytes.translate` that writes each byte as the letter of its class, `?` where it has none.

    A shadow made with it has the length of the text, and a run of a class is found by `bytes.find` at more than half
    a gigabyte per second, ten times as fast as a pattern.
    """
    table = bytearray(b"?" * 256)
    for name, characters in members.items():
        for character in characters:
            table[ord(character)] = ord(name)
    return bytes(table)


class Candidate(NamedTuple):
    """A place where something seems to be encoded.

    Attributes:
        anchor: absolute position that decides which feed yields it.
        cues: absolute ranges of what was encoded; of no interest in a fragment where none of it is new.
        decode: does the work; called at most once, in the order of the anchors.
    """

    anchor: int
    cues: Sequence[tuple[int, int]]
    decode: Callable[[], Iterable[Unwrapped]]

    @property
    def extent(self) -> tuple[int, int]:
        """The absolute range from the first cue to the end of the last."""
        return min(start for start, _ in self.cues), max(end for _, end in self.cues)


LETTERING = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@$"
"""What words are made of; `@` and `$` stand for letters often enough to be among it."""

MARKS = "".join(char for char in map(chr, range(256)) if not char.isalnum() and char not in "@$?")
"""Marks and spaces that a shadow can tell. The question mark is left out: it stands for everything past Latin-1."""

_WORDS = bytes(ord(chr(byte).lower()) if chr(byte) in LETTERING else 0x20 for byte in range(256))


LINES = bytes(_WORDS[byte] if byte != 0x0A else byte for byte in range(256))
"""The table of `split_words` for a text that is split into lines afterwards."""

_LONG = 8192
_WIDE = 16
"""Characters of a line on average; what has shorter ones is not split into lines for the sake of its words."""


def split_words(raw: bytes) -> list[bytes]:
    """Return the words of a text that was encoded as Latin-1, in lower case."""
    return raw.translate(_WORDS).split()


class Scene:
    """The buffer `text`, whose first character is at absolute `base`, and the wanted range `[start, stop)`.

    `raw` and all shadows begin at offset `low` of the buffer and hold one byte per character (`?` for those past
    Latin-1).

    Attributes:
        bare: shadows without what may stand between the characters of a row, for `Detectors`.
        kinds: of the cue words in the range, once somebody asked.
        lines: the words of each line of a long range, once somebody asked for its words.
    """

    def __init__(self, text: str, base: int, start: int, stop: int) -> None:
        self.text = text
        self.base = base
        self.start = start
        self.stop = stop
        self.low = max(0, start - base - SLACK)
        self.high = min(len(text), stop - base + SLACK)
        self.bare: dict[bytes, bytes] = {}
        self.kinds: frozenset[str] | None = None
        self._shadows: dict[bytes, bytes] = {}
        self._padded: dict[bytes, bytes] = {}
        self._located: dict[bytes, tuple[int, int]] = {}  # from where a pattern was looked for, and where it is
        self.raw = text[self.low : self.high].encode("latin-1", "replace")
        self._places: dict[str, dict[bytes, tuple[int, int]]] = {}
        self._foreign: bool | None = None
        self._words: frozenset[bytes] | None = None
        self.lines: list[list[bytes]] | None = None
        self._cues: frozenset[bytes] | None = None

    @property
    def last(self) -> bool:
        """Whether the text ends with the range."""
        return self.stop - self.base == len(self.text)

    @property
    def foreign(self) -> bool:
        """Whether two characters past Latin-1 may stand side by side."""
        if self._foreign is None:
            self._foreign = not self.text.isascii() and b"??" in self.raw
        return self._foreign

    @property
    def words(self) -> frozenset[bytes]:
        """The different words of the range in lower case; those at its edges may be cut."""
        if self._words is None:
            raw = self.raw
            if len(raw) > _LONG and raw.count(b"\n") * _WIDE < len(raw):
                self.lines = list(map(bytes.split, raw.translate(LINES).split(b"\n")))
                self._words = frozenset(chain.from_iterable(self.lines))
            else:
                self._words = frozenset(split_words(raw))
        return self._words

    def cues(self, known: frozenset[bytes]) -> frozenset[bytes]:
        """Return which of the `known` words (always the same set) are among the words of the range."""
        if self._cues is None:
            self._cues = known.intersection(self.words)
        return self._cues

    def locate(self, table: bytes, pattern: re.Pattern[bytes], position: int, limit: int) -> int:
        """Return the first offset at or after `position` that follows a match's first byte; `limit` if none is before.

        The pattern, one for each table, reads the shadow under `table` and begins with an `s` (white space or a mark);
        the range's ends count as marks.
        """
        wanted = max(0, position - self.low)
        asked, found = self._located.get(table, (1, 0))
        if not asked <= wanted <= found:
            padded = self._padded.get(table)
            if padded is None:
                padded = self._padded[table] = b"s" + self.shadow(table) + b"s"
            hit = pattern.search(padded, wanted)
            found = hit.start() if hit else len(padded)
            self._located[table] = wanted, found
        return min(found + self.low, limit)

    def shadow(self, table: bytes) -> bytes:
        """Return the shadow of the range under a table of `classes`."""
        made = self._shadows.get(table)
        if made is None:
            made = self._shadows[table] = self.raw.translate(table)
        return made

    def next_of(self, name: str, words: Callable[[], Iterable[bytes]], table: bytes, position: int, limit: int) -> int:
        """Return where one of some words stands next in a shadow, or `limit`; each is looked for once for each place.

        Args:
            name: names the question.
            words: gives what is looked for, when the question is put for the first time.
            table: of the shadow.
            position: offset from which on it is looked for.
            limit: offset before which it must begin.
        """
        shadow, wanted, best = self.shadow(table), max(0, position - self.low), limit - self.low
        places = self._places.get(name)
        if places is None:
            places = self._places[name] = dict.fromkeys(words(), (1, 0))
        for word, (asked, known) in places.items():
            place = known
            if not asked <= wanted <= known:
                place = shadow.find(word, wanted)
                place = len(shadow) if place < 0 else place
                places[word] = wanted, place
            best = min(best, place)
        return best + self.low

    def search(self, pattern: re.Pattern[str], position: int, limit: int, longest: int = SLACK) -> int:
        """Return where the first match begins from `position` on; `limit` if none is before.

        `longest` is how many characters the pattern needs to see to know that it matches.
        """
        hit = pattern.search(self.text, position, limit + longest)
        return min(hit.start(), limit) if hit else limit


class Detector(Protocol):
    """Finds the candidates of one kind. `position` is the first absolute position not yet looked at."""

    position: int

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """Yield the candidates whose anchors lie in the scene's range, in order, and move `position` past them.

        What is found must depend on nothing but the text within BEHIND and AHEAD of an anchor and on where the
        candidate before it ended; then the cuts between feeds cannot show.
        """
