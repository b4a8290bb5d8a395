"""Passages in which pieces are written in another way: found by those pieces, rewritten in place, kept in context."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from inkgate.text.unwrap.fragment import Spliced, Unwrapped
from inkgate.text.unwrap.scene import SLACK, Candidate, Scene

__all__ = ["MARGIN", "Edit", "Passages", "Rewriter", "rewritten", "splice"]

MARGIN = 512
"""Characters of context on either side of what was rewritten: more than a rule's match needs on one side."""

_SPAN = 8192
_OVERLAP = 2048

Edit = tuple[int, int, str]
"""What is replaced: its offsets in the searched text, and the new text."""

Rewriter = Callable[[re.Match[str]], tuple[str, Sequence[Edit]] | None]
"""Names a match's encoding and gives its edits, in order (the last may reach past the match); None leaves it."""


def splice(text: str, base: int, low: int, high: int, edits: Sequence[Edit]) -> tuple[str, Spliced]:
    """Make the edits in `text[low:high]`; `text` begins at absolute `base`. Returns the new passage and its map."""
    parts: list[str] = []
    outs: list[int] = []
    length, done = 0, low
    for begin, stop, new in edits:
        parts += (text[done:begin], new)
        length += begin - done
        outs.append(length)
        length += len(new)
        done = stop
    parts.append(text[done:high])
    starts, ends = [base + edit[0] for edit in edits], [base + edit[1] for edit in edits]
    spliced = Spliced(base + low, outs, [len(edit[2]) for edit in edits], starts, ends)
    return "".join(parts), spliced


def rewritten(window: str, base: int, edits: Sequence[Edit]) -> tuple[str, Spliced]:
    """Make the edits in a window that begins at absolute `base`, and leave out what is far before and behind them."""
    low, high = max(0, edits[0][0] - MARGIN), min(len(window), edits[-1][1] + MARGIN)
    return splice(window, base, low, high, edits)


class Passages:
    """Finds passages by a pattern and rewrites every match in them.

    A passage begins MARGIN before its first edit, goes on while the next is nearer than twice that, and ends MARGIN
    after the last; a passage of 8,192 characters is cut there and the last 2,048 are read again.

    Args:
        pattern: what is rewritten; every branch should begin with a literal.
        rewriter: makes the edits of one match.
        longest: characters that the pattern needs to see from the start of any match.
        locate: gives the first offset at or after a position (and before a limit, else the limit) where the pattern
            matches; faster than the pattern. None: the pattern searches by itself.
        begun: a pattern that matches wherever `pattern` does, and what it needs to see; it is searched for in the
            rest of a passage when `longest` is too much to look through.
    """

    def __init__(
        self,
        pattern: re.Pattern[str],
        rewriter: Rewriter,
        *,
        longest: int = MARGIN,
        locate: Callable[[Scene, int, int], int] | None = None,
        begun: tuple[re.Pattern[str], int] | None = None,
    ) -> None:
        self.position = 0
        self._pattern = pattern
        self._rewriter = rewriter
        self._longest = longest
        self._locate = locate
        self._begun = begun or (pattern, longest)

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        base, limit = scene.base, scene.stop - scene.base
        position = max(self.position, scene.start) - base
        while position < limit:
            if self._locate is None:
                hit = self._pattern.search(scene.text, position, limit + self._longest)
            else:
                position = self._locate(scene, position, limit)
                hit = self._pattern.match(scene.text, position, position + self._longest) if position < limit else None
                if hit is None and position < limit:
                    position += 1
                    continue
            if hit is None or hit.start() >= limit:
                break
            made = self._rewriter(hit)
            if made is None:
                position = hit.end()
                continue
            candidate, position = self._passage(scene, hit.start(), made)
            yield candidate
        self.position = base + max(position, limit)

    def _next(self, scene: Scene, position: int, limit: int) -> re.Match[str] | None:
        """Return the next match that begins at or before `limit`, or one that begins behind it, or None."""
        text = scene.text
        if self._locate is not None and (limit + SLACK < scene.high or scene.high == len(text)):
            stop = min(limit + 1, len(text))
            while position < stop and (position := self._locate(scene, position, stop)) < stop:
                found = self._pattern.match(text, position, position + self._longest)
                if found is not None:
                    return found
                position += 1
            return None
        begun, needed = self._begun
        while (hit := begun.search(text, position, limit + needed)) is not None:
            if begun is self._pattern or hit.start() > limit:
                return hit
            whole = self._pattern.match(text, hit.start(), hit.start() + self._longest)
            if whole is not None:
                return whole
            position = hit.start() + 1
        return None

    def _passage(self, scene: Scene, begin: int, made: tuple[str, Sequence[Edit]]) -> tuple[Candidate, int]:
        """Return the passage that begins at `begin` with the edits `made`, and where to look for the next."""
        text, base = scene.text, scene.base
        kinds = {made[0]}
        edits = list(made[1])
        position = last = edits[-1][1]
        while last < begin + _SPAN:
            hit = self._next(scene, position, last + 2 * MARGIN)
            if hit is None or hit.start() > last + 2 * MARGIN:
                position = last + 2 * MARGIN + 1
                break
            more = self._rewriter(hit)
            position = hit.end()
            if more is not None:
                kinds.add(more[0])
                edits += more[1]
                last = edits[-1][1]
                position = max(position, last)
        after = begin + _SPAN - _OVERLAP if last >= begin + _SPAN else max(position, begin + 1)
        low, high = max(0, begin - MARGIN), last + MARGIN
        new, spliced = splice(text, base, low, high, edits)
        fragment = Unwrapped("+".join(sorted(kinds)), new, spliced)
        cues = list(zip(spliced.starts, spliced.ends, strict=True))
        return Candidate(base + begin, cues, lambda: (fragment,)), after
