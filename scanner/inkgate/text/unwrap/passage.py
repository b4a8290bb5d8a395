"""Passages in which pieces are written in another way: found by those pieces, rewritten in place, kept in context."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from inkgate.text.unwrap.fragment import Spliced, Unwrapped
from inkgate.text.unwrap.scene import Candidate, Scene

__all__ = ["LONGEST", "MARGIN", "Edit", "Passages", "Rewriter", "extent", "rewrite"]

MARGIN = 640
"""Characters of context on either side of what was rewritten: more than any rule reaches."""

LONGEST = 4200
"""Characters: no match of a passage's pattern, with what its rewriter takes in, is longer."""

_SPAN = 8192
_OVERLAP = 2048

Edit = tuple[int, int, str]
"""What is replaced: its offsets in the searched text, and the new text."""

Rewriter = Callable[[re.Match[str]], tuple[str, Sequence[Edit]] | None]
"""Names a match's encoding and gives its edits, in order (the last may reach past the match); None leaves it."""


def rewrite(raw: str, base: int, pattern: re.Pattern[str], rewriter: Rewriter) -> tuple[str, Spliced, set[str]]:
    """Replace what `pattern` finds in `raw`, which begins at absolute `base`.

    Returns the new text, its map, and the names of the encodings that occurred.
    """
    parts: list[str] = []
    outs: list[int] = []
    sizes: list[int] = []
    starts: list[int] = []
    ends: list[int] = []
    kinds: set[str] = set()
    length = done = position = 0
    while hit := pattern.search(raw, position):
        position = hit.end()
        made = rewriter(hit)
        if made is None:
            continue
        kinds.add(made[0])
        for begin, stop, new in made[1]:
            parts += (raw[done:begin], new)
            length += begin - done
            outs.append(length)
            sizes.append(len(new))
            starts.append(base + begin)
            ends.append(base + stop)
            length += len(new)
            done = stop
        position = max(position, done)
    parts.append(raw[done:])
    return "".join(parts), Spliced(base, outs, sizes, starts, ends), kinds


def extent(text: str, hit: re.Match[str], pattern: re.Pattern[str], span: int = _SPAN) -> tuple[int, bool]:
    """Return where the last match of a passage that begins with `hit` ends, and whether the passage was cut there."""
    begin, last = hit.span()
    for follower in pattern.finditer(text, last, begin + span + LONGEST):
        if follower.start() - last > 2 * MARGIN:
            break
        if follower.start() >= begin + span:
            return last, True
        last = follower.end()
    return last, False


class Passages:
    """Finds passages by a pattern and rewrites every match in them.

    A passage begins MARGIN before its first match, goes on while the next match is nearer than twice that, and ends
    MARGIN after the last; a passage of 8,192 characters is cut there and the last 2,048 are read again.

    Args:
        pattern: what is rewritten; every branch should begin with a literal.
        rewriter: makes the replacement of one match.
        awake: cheap test of a scene; False promises that the pattern matches nowhere in its range.
        worth: test of the new text against the old; False drops a reading that says nothing new.
    """

    def __init__(
        self,
        pattern: re.Pattern[str],
        rewriter: Rewriter,
        awake: Callable[[Scene], bool] | None = None,
        worth: Callable[[str, str], bool] | None = None,
    ) -> None:
        self.position = 0
        self._pattern = pattern
        self._rewriter = rewriter
        self._awake = awake
        self._worth = worth

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        text, base, limit = scene.text, scene.base, scene.stop - scene.base
        position = max(self.position, scene.start) - base
        if position < limit and (self._awake is None or self._awake(scene)):
            while (hit := self._pattern.search(text, position, limit + LONGEST)) and hit.start() < limit:
                begin = hit.start()
                last, cut = extent(text, hit, self._pattern)
                position = begin + _SPAN - _OVERLAP if cut else max(last, begin + 1)
                low = max(0, begin - MARGIN)
                candidate = self._candidate(base + begin, text[low : last + MARGIN], base + low)
                if candidate is not None:
                    yield candidate
        self.position = base + max(position, limit)

    def _candidate(self, anchor: int, raw: str, base: int) -> Candidate | None:
        """Return the rewritten passage, or None when nothing in it was rewritten or it says nothing new."""
        new, spliced, kinds = rewrite(raw, base, self._pattern, self._rewriter)
        if not spliced.outs or (self._worth is not None and not self._worth(raw, new)):
            return None
        unwrapped = Unwrapped("+".join(sorted(kinds)), new, spliced)
        return Candidate(anchor, list(zip(spliced.starts, spliced.ends, strict=True)), lambda: (unwrapped,))
