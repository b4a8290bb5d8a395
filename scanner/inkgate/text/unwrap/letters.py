"""Words taken apart into letters, and words glued together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby

from inkgate.text.lazy import lazy
from inkgate.text.unwrap.cues import GLUED, HEADS, VOCABULARY
from inkgate.text.unwrap.fragment import Unwrapped
from inkgate.text.unwrap.passage import MARGIN, Edit, Passages, splice
from inkgate.text.unwrap.scene import LETTERING, MARKS, Candidate, Scene, classes

__all__ = ["LONG", "SHAPE", "Glued", "single_letters", "spaced", "telling"]

_SINGLE = classes(a=LETTERING + "?", s=MARKS)
_SINGLES = lazy(b"sas{1,9}as{1,9}as{1,9}as")
_JAMO = classes(a=LETTERING, s=MARKS)
_SYLLABLES = lazy(rb"s\?{2,3}s{1,9}\?{2,3}s{1,9}\?{2,3}s{1,9}\?{2,3}s")
_ONE = "(?:[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?|[^\\W_]|[@$])"
_SPACED = lazy(rf"(?<![^\W_])(?<![@$]){_ONE}(?>(?:(?:[^\w@$]|_){{1,32}}{_ONE}(?![^\W_]|[@$])){{3,400}})")
_GAP = lazy(r"(?:[^\w@$]|_)+")
_TOGETHER = lazy(r"[^\W_]{2,}")
_SHORT = 4
"""Letters: a shorter word must be a known one."""


def _joined(hit: re.Match[str]) -> tuple[str, Sequence[Edit]] | None:
    """Close the gaps between single letters; a gap with more white space than is usual there is a word gap.

    Other marks than the usual ones between two letters are part of the text, as in a command. What was written without
    word gaps is parted into known words.
    """
    row = hit[0]
    if 3 * sum(map(str.isalpha, row)) < sum(map(str.isalnum, row)):
        return None
    gaps = list(_GAP.finditer(row))
    usual = Counter(gap[0] for gap in gaps).most_common(1)[0][0]
    start = hit.start()
    edits = [(start + gap.start(), start + gap.end(), _meant(gap[0], usual)) for gap in gaps]
    letters = _GAP.sub("", row)
    if not _spelt(row, edits, start):
        return None
    if all(new != " " for _, _, new in edits) and len(edits) + 1 == len(letters):
        for cut in _segments(letters.lower()):
            begin, end, new = edits[cut - 1]
            edits[cut - 1] = (begin, end, new or " ")
    return "spaced", edits


def _spelt(row: str, edits: Sequence[Edit], start: int) -> bool:
    """Return whether letters come together to a word, as those of a formula (`a + b = c`) do not."""
    reading, done = "", 0
    for begin, end, new in edits:
        reading += row[done : begin - start] + new
        done = end - start
    words = _TOGETHER.findall((reading + row[done:]).lower())
    return any(len(word) >= _SHORT or word in HEADS or word in VOCABULARY for word in words)


@lru_cache(maxsize=4096)
def _meant(gap: str, usual: str) -> str:
    """Return what a gap between two letters stands for, where `usual` stands between letters of one word."""
    if gap == usual:
        return ""
    if gap.isspace():
        return " " if _white(gap) > _white(usual) else ""
    rest = gap
    if gap.startswith(usual) and gap.endswith(usual) and len(gap) > 2 * len(usual):
        rest = gap[len(usual) : -len(usual)]
    elif gap.count(usual) <= 1 and not gap.replace(usual, "").strip():
        return " " if _white(gap) > _white(usual) else ""
    meant = ""
    while rest:
        meant += rest[0]
        rest = rest[1:]
        if rest.startswith(usual):
            rest = rest[len(usual) :]
    return re.sub(r"\s+", " ", meant)


def _white(gap: str) -> int:
    """Return how many characters of a gap are white space."""
    return sum(map(str.isspace, gap))


def _locate(scene: Scene, position: int, limit: int) -> int:
    """Return where four letters, or syllables of Hangul (which the fold takes apart), stand alone in a row."""
    found = scene.locate(_SINGLE, _SINGLES, position, limit)
    return scene.locate(_JAMO, _SYLLABLES, position, found) if scene.foreign else found


def single_letters(scene: Scene) -> bool:
    """Whether four letters or syllables stand alone in a row."""
    return _locate(scene, scene.low, scene.high) < scene.high


def spaced() -> Passages:
    """Letters with blanks, marks or line ends between them."""
    return Passages(
        _SPACED,
        _joined,
        longest=4500,
        locate=_locate,
    )


def _by_first(patterns: Iterable[str]) -> list[tuple[str, list[str]]]:
    """Return patterns that begin with a literal grouped by it: one branch each is a quicker alternation."""
    return [(first, [item[1:] for item in group]) for first, group in groupby(sorted(patterns), lambda item: item[0])]


SHAPE = classes(a="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
LONG = b"a" * 16
_TOKEN_LENGTH = 64
_CUE = lazy("|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in _by_first(GLUED)))
_HUMP = lazy("_+|(?<=[a-z])(?=[A-Z0-9])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[0-9])(?=[A-Za-z])")
_SPLIT = lazy("[A-Za-z_][A-Za-z0-9_]{5,160}")
_AFTER = 2048
_OVERLAP = 1024
_UNKNOWN = 4
_REMEMBERED = 8192
"""Tokens that were looked at and said nothing; texts repeat them."""


def telling(token: str) -> bool:
    """Return whether glued words say something that an order would say."""
    return _CUE.search(token.lower().replace("_", "")) is not None


@lru_cache(maxsize=1024)
def _segments(letters: str) -> tuple[int, ...]:
    """Return the offsets at which a row of lower-case letters falls into words of the vocabulary at least cost."""
    costs = [0] + [0] * len(letters)
    froms = [0] * (len(letters) + 1)
    for end in range(1, len(letters) + 1):
        costs[end], froms[end] = costs[end - 1] + _UNKNOWN, end - 1
        for start in range(max(0, end - 16), end):
            if costs[start] + 1 < costs[end] and letters[start:end] in VOCABULARY:
                costs[end], froms[end] = costs[start] + 1, start
    cuts: list[int] = []
    end, after = len(letters), False
    while end > 0:
        start = froms[end]
        known = letters[start:end] in VOCABULARY
        if after or (known and end < len(letters)):
            cuts.append(end)
        end, after = start, known
    return tuple(reversed(cuts))


def _single(token: str) -> bool:
    """Return whether a token is a plain word."""
    return len(token) < 12 and "_" not in token and (token.islower() or token.istitle())


def _parted(hit: re.Match[str]) -> list[Edit]:
    """Part a glued token at humps and underscores, and what is still long into known words."""
    token, start = hit[0], hit.start()
    edits: list[Edit] = []
    done, speaks = 0, telling(token)
    for begin, end in [*(hump.span() for hump in _HUMP.finditer(token)), (len(token), len(token))]:
        if begin - done > 5 and speaks and token[done:begin].lower() not in VOCABULARY:
            edits += [(start + done + cut, start + done + cut, " ") for cut in _segments(token[done:begin].lower())]
        if end < len(token):
            edits.append((start + begin, start + end, " "))
        done = end
    return edits


class Glued:
    """Finds tokens such as `ignore_all_previous_instructions`, in any case and without marks, and parts them."""

    def __init__(self) -> None:
        self.position = 0
        self._dull: set[str] = set()

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        text, base, limit = scene.text, scene.base, scene.stop - scene.base
        if len(self._dull) > _REMEMBERED:
            self._dull.clear()
        position = max(self.position, scene.start) - base
        shadow = scene.shadow(SHAPE) if position < limit else b""
        find, offset, known = shadow.find, scene.low, self._dull
        while position < limit and 0 <= (begin := find(LONG, max(0, position - offset))) < limit - offset:
            begin += offset
            position = begin + _TOKEN_LENGTH
            end = find(b"?", begin - offset, position - offset)
            if end >= 0:
                position = end + offset
            token = text[begin:position]
            if token in known:
                continue
            if not telling(token):
                known.add(token)
            else:
                low, high = max(0, begin - MARGIN), begin + _AFTER
                position = max(position, high - _OVERLAP)
                candidate = self._candidate(text[low:high], base + low, base + begin)
                if candidate.cues:
                    yield candidate
        self.position = base + max(position, limit)

    def _candidate(self, raw: str, base: int, anchor: int) -> Candidate:
        """Return the passage with all its glued tokens parted; it has no cues where none of them falls into words."""
        edits = [edit for hit in _SPLIT.finditer(raw) if not _single(hit[0]) for edit in _parted(hit)]
        new, spliced = splice(raw, base, 0, len(raw), edits)
        fragment = Unwrapped("glued", new, spliced)
        return Candidate(anchor, list(zip(spliced.starts, spliced.ends, strict=True)), lambda: (fragment,))
