"""Texts in which only some letters or words count: nobody finds those without being told, so the telling is the cue.

"Read the first letter of each line" is looked for in several languages. What stands behind it and before it is then
read in that way: first and last letters or words of lines, first letters of words, every second or third letter or
word, words from right to left, columns.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import zip_longest

from inkgate.text.fold import fold
from inkgate.text.lazy import lazy
from inkgate.text.unwrap.awake import NOUNS, signs
from inkgate.text.unwrap.cues import FIELDED
from inkgate.text.unwrap.fragment import Unwrapped, Whole
from inkgate.text.unwrap.letters import telling
from inkgate.text.unwrap.scene import BEHIND, Candidate, Scene, split_words

__all__ = ["Told"]

_AFTER = 4096
_APART = 2048
"""Characters: tellings that are nearer to each other are taken as one."""

_LINES = 800
_BEFORE = 64
_COUNT = r"(?:second|third|other|alternate|2nd|3rd|nth|odd|even)"
_LETTER = (
    r"\b(?:first|initial|last|final|opening|capital|starting|leading|every|each|only|alternate|odd|even)\b"
    r"[^\n.]{0,32}?\b(?:letters?|characters?|chars?)\b|\bacrostics?\b|\binitials of\b"
    rf"|\b{_COUNT} (?:letters?|characters?)\b"
    r"|\b(?:letters?|characters?)\b[^\n.]{0,24}\b(?:lines?|words?|sentences?)\b"
    r"|\bprim\w{2,5} (?:letra|lettera|lettere)s?\b|\bcada (?:segunda|dos|otra) letras?\b|\buna lettera (?:si|su)\b"
    r"|\b(?:erste|letzte|zweite|jede)[nrs]? buchstaben?\b|\banfangsbuchstaben?\b|\bpremieres? lettres?\b"
    r"|\bune lettre sur\b|\b(?:eerste|tweede) letters?\b|\bpierwsz\w{1,4} liter\w?\b"
    r"|\bilk harf\w{0,6}\b|\bhuruf pertama\b"
)
_WORD = (
    rf"\b(?:first|initial|last|final|every {_COUNT}|each {_COUNT}|alternate|opening)\b[^\n.]{{0,12}}?\bwords?\b"
    r"|\bprim\w{2,5} (?:palabra|parola|palavra|parole)s?\b|\b(?:erste|letzte|zweite)[nrs]? w(?:ort|orte|orter)\b"
    r"|\bpremiers? mots?\b|\bun mot sur\b"
)
_WAY = (
    r"\b(?:read|reading|reads|written|words?|lines?|letters?|columns?)\b[^\n]{0,40}?\b(?:downwards?|vertical(?:ly)?"
    r"|top to bottom|bottom to top|backwards?|right to left|(?:in )?reverse(?:d)?|from the (?:end|last)|columns?)\b"
    r"|\b(?:de derecha a izquierda|von rechts nach links|de droite a gauche|da destra a sinistra|de cima para baixo"
    r"|von oben nach unten|de haut en bas|de arriba abajo)\b"
)
_ABROAD = (
    "перв(?:ые|ых|ую|ой|ая) букв",
    "кажд(?:ая|ую|ой) (?:вторая|вторую|второй) букв",
    "藏头|首字|第一个字|第一個字|每隔一个字",
    "頭文字|縦読み|一文字目",
    "첫 ?글자|앞 ?글자",
)
_TOLD = lazy(
    f"(?P<letter>{_LETTER}|{'|'.join(fold(words).cased for words in _ABROAD)})|(?P<word>{_WORD})|(?P<way>{_WAY})"
)
"""For text in small letters: with a flag for capitals it takes many times as long."""

_WORDS = lazy(r"[^\W_]+(?:['’][^\W_]+)?")
_EVERY = (2, 3)
_MOST = 4096


_ASCII = [chr(code) for code in range(128)]
_NO_LETTERS = "".join(char for char in _ASCII if not char.isalpha()).encode()
_NO_CAPITALS = "".join(char for char in _ASCII if not char.isupper()).encode()
_NO_LETTERS_OR_DIGITS = "".join(char for char in _ASCII if not char.isalnum()).encode()


def _only(text: str, kept: Callable[[str], bool], others: bytes) -> str:
    """Return the characters that are kept; `others` are those of ASCII that are not."""
    if text.isascii():
        return text.encode().translate(None, others).decode()
    return "".join(filter(kept, text))


def _rows(text: str) -> list[str]:
    """Return the lines without what marks them as items or quotes."""
    return [re.sub(r"^[\s>*+#|-]+|^\s*\d{1,3}[.)]\s+", "", line) for line in text.split("\n", _LINES)[:_LINES]]


def _letters(text: str) -> Iterator[str]:
    """Yield what a text says when only some of its letters count."""
    rows = _rows(text)
    yield "".join(row[:1] or " " for row in rows)
    yield "".join(row.rstrip(" .,;:!?|")[-1:] or " " for row in rows)
    words = _WORDS.findall(text)
    yield "".join(word[0] for word in words)
    yield "".join(word[-1] for word in words)
    capitals = _only(text, str.isupper, _NO_CAPITALS)
    if len(capitals) > 1:
        yield capitals
    body = text.strip(" \n:\"'`*>")
    for step in _EVERY:
        for first in range(step):
            yield body[first::step]
    solid = _only(body, str.isalnum, _NO_LETTERS_OR_DIGITS)
    for step in _EVERY:
        for first in range(step):
            yield solid[first::step]


def _words(text: str) -> Iterator[str]:
    """Yield what a text says when only some of its words count."""
    rows = [row.split() for row in _rows(text)]
    yield " ".join(row[0] for row in rows if row)
    yield " ".join(row[-1] for row in rows if row)
    words = text.split()
    for step in _EVERY:
        for first in range(step):
            yield " ".join(words[first::step])


def _ways(text: str) -> Iterator[str]:
    """Yield what a text says when it is read in another direction."""
    rows = _rows(text)
    yield " ".join(reversed(text.split()))
    yield "\n".join(" ".join(reversed(row.split())) for row in rows)
    yield "\n".join(reversed(rows))
    columns = ["".join(column).strip() for column in zip_longest(*text.split("\n", _LINES)[:_LINES], fillvalue=" ")]
    yield " ".join(column for column in columns[:_MOST] if column)


_INSIDE = frozenset(bytes([byte]) for byte in b"abcdefghijklmnopqrstuvwxyz0123456789@$")


def _speaks(reading: str) -> bool:
    """Return whether a reading has words of orders, apart or glued together."""
    raw = reading.encode("latin-1", "replace")
    return telling(_only(reading, str.isalpha, _NO_LETTERS)) or len(FIELDED.intersection(split_words(raw))) > 1


def _paragraph(text: str, begin: int, end: int) -> int:
    """Return where the first paragraph of a part ends."""
    start = next((at for at in range(begin, end) if not text[at].isspace()), end)
    stop = text.find("\n\n", start, end)
    return end if stop < 0 else stop


def _places(text: bytes, word: bytes) -> Iterator[int]:
    """Yield where a word stands in a text in lower case, with no letter or digit on either side."""
    at = text.find(word)
    while at >= 0:
        end = at + len(word)
        if text[max(0, at - 1) : at] not in _INSIDE and text[end : end + 1] not in _INSIDE:
            yield at
        at = text.find(word, end)


def _spoken(scene: Scene, position: int, limit: int) -> list[int]:
    """Return the offsets where letters, words or ways of reading are named, in order."""
    lower = scene.raw.lower()
    places = [place + scene.low for noun in NOUNS & scene.words for place in _places(lower, noun)]
    for sign in signs() if b"??" in lower else ():
        places += (hit.start() for hit in re.finditer(sign, scene.text[: limit + _BEFORE]))
    return sorted(place for place in places if place >= position)


class Told:
    """Finds where a reader is told which letters or words count, and reads what stands around in that way."""

    def __init__(self) -> None:
        self.position = 0

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        text, base, limit = scene.text, scene.base, scene.stop - scene.base
        position = max(self.position, scene.start) - base
        silent: set[str] = set()  # surroundings that tell nothing; a flood of one word has few different ones
        for place in _spoken(scene, position, limit):
            if place < position:
                continue
            start = max(position, place - _BEFORE)
            low = max(0, start - 1)
            near = text[low : place + _BEFORE]
            hit = None if near in silent else _TOLD.search(near.replace("\u0130", "i").lower(), start - low)
            if hit is None:
                silent.add(near)
                continue
            first, last = low + hit.start(), low + hit.end()
            if first >= limit:
                continue
            position = first + _APART
            line = text.find("\n", last, last + 160)
            behind = (last if line < 0 else line, min(len(text), last + _AFTER))
            before = (max(0, first - BEHIND // 2), text.rfind("\n", 0, first) + 1)
            colon = text.find(":", last, behind[0])
            parts = [behind, before, (colon + 1, behind[1])] if colon >= 0 else [behind, before]
            parts += [(begin, _paragraph(text, begin, end)) for begin, end in parts]
            yield Candidate(
                base + first,
                [(base + first, base + behind[1])],
                lambda hit=hit, parts=parts: self._read(scene, hit, parts),  # type: ignore[misc]
            )
        self.position = base + max(position, limit)

    @staticmethod
    def _read(scene: Scene, hit: re.Match[str], parts: list[tuple[int, int]]) -> Iterator[Unwrapped]:
        """Yield the readings of the parts of the text that the telling may mean."""
        read = _letters if hit["letter"] else _words if hit["word"] else _ways
        for begin, end in dict.fromkeys(parts):
            part = scene.text[begin:end]
            if part.strip():
                place = Whole(scene.base + begin, scene.base + end)
                yield from (Unwrapped("told", reading, place) for reading in read(part) if _speaks(reading))
