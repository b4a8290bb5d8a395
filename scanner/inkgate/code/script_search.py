"""Expressions that are only tried on a script in which something stands that every match of theirs holds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

__all__ = ["Cued"]


class Cued:
    """An expression with its cues: to look for a dozen plain texts takes a tenth of the time of most expressions.

    Args:
        pattern: what is looked for.
        cues: texts in small letters, one of which stands in every match; a test holds every expression to that.
        flags: of `re`.
        exact: more cues, which stand as they are, capitals and all.
    """

    __slots__ = ("cues", "exact", "pattern")

    def __init__(self, pattern: str, cues: Iterable[str], flags: int = 0, *, exact: Iterable[str] = ()) -> None:
        self.pattern = re.compile(pattern, flags)
        self.cues, self.exact = tuple(cues), tuple(exact)

    def told(self, text: str) -> bool:
        """Whether there may be a match at all."""
        small = _small(text)
        return any(cue in small for cue in self.cues) or any(cue in text for cue in self.exact)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Every match."""
        return self.pattern.finditer(text) if self.told(text) else iter(())

    def search(self, text: str) -> re.Match[str] | None:
        """The first match."""
        return self.pattern.search(text) if self.told(text) else None


@lru_cache(maxsize=2)
def _small(text: str) -> str:
    return text.lower()
