"""Secrets out of sight: whatever is shown or fingerprinted of a text holds no part of one, however it is spelled.

A secret is known by its letters and digits in the folded view, so look-alike letters, invisible characters and marks
between them change nothing. Any run of a few of them is covered, so one that is cut off by an excerpt is covered too.
The work is in proportion to the secrets and the texts, not to their product.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from inkgate.text.fold import fold

__all__ = ["MASK", "Masks"]

MASK = "\u2022\u2022\u2022\u2022"
_RUN = 6
"""Letters and digits: so many of a secret in a row are covered; a shorter secret is covered whole."""

# Long runs that look like a credential even where no rule has said so: an excerpt never shows their middle.
_OPAQUE = re.compile(r"(?=[A-Za-z0-9+/_=-]*\d)(?=[A-Za-z0-9+/_=-]*[A-Za-z])[A-Za-z0-9+/_=-]{20,}")

# What stands where a credential does and is no plain word: behind the scheme of a header, or a name and its sign.
_PLACED = re.compile(
    r"(?i:(?:\bbearer|\bbasic)[ \t]+"
    r"|(?:pass(?:word|wd|phrase|code)?|pwd|secret|token|api[_-]?key)[\"']?\s*[:=]\s*[\"']?)"
    r"(?P<value>(?=[^\s\"'`<>]*[\d!#$%&*@^])[^\s\"'`<>]{8,})"
)


class Masks:
    """Covers secrets.

    Args:
        secrets: the values that were found.
        spans: where they stand in the original text, as offsets.
    """

    __slots__ = ("_ends", "_runs", "_short", "_spans")

    def __init__(self, secrets: Iterable[str], spans: Iterable[tuple[int, int]] = ()) -> None:
        self._runs: set[str] = set()
        self._short: set[str] = set()
        for secret in secrets:
            plain = "".join(char for char in fold(secret).lower if char.isalnum())
            if len(plain) < _RUN:
                self._short.add(secret)
            self._runs.update(plain[at : at + _RUN] for at in range(len(plain) - _RUN + 1))
        self._spans = sorted(set(spans))
        self._ends = list(accumulate((end for _, end in self._spans), max))

    def text(self, text: str) -> str:
        """The text with every part of a secret replaced."""
        for secret in self._short:
            if secret in text:
                text = text.replace(secret, MASK)
        if self._runs:
            text = _covered(text, self._places(text))
        return _OPAQUE.sub(lambda found: found[0][:4] + MASK, text)

    def shown(self, text: str) -> str:
        """The same for what a person reads: what stands where a credential does is covered too, whatever it is."""
        return self.text(_PLACED.sub(lambda hit: hit[0][: hit.start("value") - hit.start()] + MASK, text))

    def slice(self, text: str, start: int) -> str:
        """As `shown`, for a piece of the original text that begins at offset `start`: there the places count too."""
        end = start + len(text)
        ranges: list[tuple[int, int]] = []
        index = bisect_right(self._spans, (end, 0)) - 1
        while index >= 0 and self._ends[index] > start:
            low, high = self._spans[index]
            if high > start:
                ranges.append((max(low, start) - start, min(high, end) - start))
                if low <= start and high >= end:
                    break
            index -= 1
        return self.shown(_covered(text, ranges))

    def _places(self, text: str) -> list[tuple[int, int]]:
        """The ranges of `text` that spell a run of a secret."""
        folded = fold(text)
        kept = [at for at, char in enumerate(folded.lower) if char.isalnum()]
        plain = "".join([folded.lower[at] for at in kept])
        found = [at for at in range(len(plain) - _RUN + 1) if plain[at : at + _RUN] in self._runs]
        if not found:
            return []
        sources = folded.sources(0, len(folded.cased))
        return [(sources[kept[at]], sources[kept[at + _RUN - 1]] + 1) for at in found]


def _covered(text: str, ranges: list[tuple[int, int]]) -> str:
    """The text with a mask for each stretch that the ranges cover."""
    parts: list[str] = []
    done = 0
    last = -1
    for start, end in sorted(ranges):
        if start > last:
            parts += (text[done:start], MASK)
        last = max(last, end)
        done = last
    return "".join([*parts, text[done:]]) if parts else text
