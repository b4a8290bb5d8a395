"""Words taken apart into letters, and words glued together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

from inkgate.text.unwrap.cues import GLUED, VOCABULARY
from inkgate.text.unwrap.fragment import Unwrapped
from inkgate.text.unwrap.passage import MARGIN, Edit, Passages, rewrite
from inkgate.text.unwrap.scene import Candidate, Scene, classes

__all__ = ["Glued", "spaced"]

_SINGLE = classes(a="abcdefghijklmnopqrstuvwxyz0123456789", s=" ")
_SPACED = re.compile(
    r"(?<![0-9A-Za-z@$])[A-Za-z0-9](?![0-9A-Za-z@$])(?:[^0-9A-Za-z@$]{1,5}[A-Za-z0-9](?![0-9A-Za-z@$])){3,600}+"
)
_GAP = re.compile(r"[^0-9A-Za-z@$]+")


def _joined(hit: re.Match[str]) -> tuple[str, Sequence[Edit]] | None:
    """Close the gaps between single letters; a gap with more white space than is usual there is a word gap."""
    row = hit[0]
    if 4 * sum(map(str.isalpha, row)) < 3 * sum(map(str.isalnum, row)):
        return None
    gaps = list(_GAP.finditer(row))
    usual = Counter(gap[0] for gap in gaps).most_common(1)[0][0]
    room = _white(usual)
    start = hit.start()
    return "spaced", [(start + gap.start(), start + gap.end(), " " if _white(gap[0]) > room else "") for gap in gaps]


def _white(gap: str) -> int:
    """Return how many characters of a gap are white space."""
    return sum(map(str.isspace, gap))


def spaced() -> Passages:
    """Letters with blanks, marks or line ends between them."""
    return Passages(_SPACED, _joined, lambda scene: b"sasasasas" in scene.spelled.translate(_SINGLE))


_LETTERS = classes(a="abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_")
_LONG = b"a" * 10
_TOKEN = re.compile("[A-Za-z_]{1,160}")
_CUE = re.compile("|".join(GLUED))
_HUMP = re.compile("_+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_SPLIT = re.compile("[A-Za-z_]{6,160}")
_AFTER = 4096
_OVERLAP = 1536
_UNKNOWN = 4


@lru_cache(maxsize=4096)
def _telling(token: str) -> bool:
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
    end = len(letters)
    while end > 0:
        start = froms[end]
        known = letters[start:end] in VOCABULARY
        if start and (known or (cuts and cuts[-1] == end)):
            cuts.append(start)
        end = start
    return tuple(reversed(cuts))


def _parted(hit: re.Match[str]) -> tuple[str, Sequence[Edit]] | None:
    """Part a glued token at humps and underscores, and what is still long into known words."""
    token, start = hit[0], hit.start()
    edits: list[Edit] = []
    done = 0
    for begin, end in [*(hump.span() for hump in _HUMP.finditer(token)), (len(token), len(token))]:
        if begin - done > 7 and _telling(token[done:begin]):
            edits += [(start + done + cut, start + done + cut, " ") for cut in _segments(token[done:begin].lower())]
        if end < len(token):
            edits.append((start + begin, start + end, " "))
        done = end
    return ("glued", edits) if edits else None


class Glued:
    """Finds tokens such as `ignore_all_previous_instructions`, in any case and without marks, and parts them."""

    def __init__(self) -> None:
        self.position = 0

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        text, base, limit = scene.text, scene.base, scene.stop - scene.base
        position = max(self.position, scene.start) - base
        shadow = scene.shadow(_LETTERS) if position < limit else b""
        while position < limit and (begin := scene.anchors(shadow, _LONG, position, limit)) < limit:
            token = _TOKEN.match(text, begin)
            assert token is not None, "a token begins at its anchor"
            position = token.end()
            if _telling(token[0]):
                low, high = max(0, begin - MARGIN), begin + _AFTER
                position = max(position, high - _OVERLAP)
                yield self._candidate(text[low:high], base + low, base + begin)
        self.position = base + max(position, limit)

    def _candidate(self, raw: str, base: int, anchor: int) -> Candidate:
        """Return the passage with all its glued tokens parted."""
        new, spliced, _ = rewrite(raw, base, _SPLIT, _parted)
        fragment = Unwrapped("glued", new, spliced)
        return Candidate(anchor, list(zip(spliced.starts, spliced.ends, strict=True)), lambda: (fragment,))
