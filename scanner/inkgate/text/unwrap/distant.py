"""Words that stand far apart, with something between them that is not shown: long comments, styles, hidden elements.

A comment of any length is bridged: what was visible before it is remembered, and read together with what follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from inkgate.lean import dataclass
from inkgate.text.lazy import lazy
from inkgate.text.unwrap.fragment import Unwrapped
from inkgate.text.unwrap.passage import MARGIN, Edit, Passages
from inkgate.text.unwrap.scene import Candidate, Scene

__all__ = ["Distant", "unseen"]

_OPENINGS = (b"<!--", b"%%", b"<style", b"<script", b"<template")
_CLOSINGS = {"<!--": "-->", "%%": "%%", "<style": "</style>", "<script": "</script>", "<template": "</template>"}
_SHORTEST = {"<!--": 4000, "%%": 1000}
"""Characters: what is shorter is undone where the text is rendered."""

_CLOSING = 12
"""Characters: no mark that closes a gap is longer."""

_SOON = 64
_JOINTS = 32
_ENOUGH = 256
"""Visible characters by which what was found must be handed on."""

_CASES = lazy("</(?:style|script|template)>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Across:
    """The end of what stood before a gap, a blank, and what follows it.

    Attributes:
        joint: characters of the fragment that stood before the gap; their place is the end of the gap.
        earlier: offsets among them where an earlier gap was.
        start: absolute position of the gap's last characters.
        end: absolute position just past the gap.
    """

    joint: int
    earlier: tuple[int, ...]
    start: int
    end: int

    def place(self, text: str, start: int, end: int) -> tuple[int, int]:
        """See `Places.place`."""
        begin = self.start if start < self.joint else self.end + start - self.joint
        return begin, max(begin, self.end if end <= self.joint else self.end + end - self.joint)

    def changed(self, text: str, start: int, end: int) -> bool:
        """See `Places.changed`."""
        return any(start < joint < end for joint in (*self.earlier, self.joint))


class Distant:
    """Finds gaps of any length that are not shown, and yields what stands on their two sides together."""

    def __init__(self) -> None:
        self.position = 0
        self._before = ""  # the visible end of what was read
        self._joints: list[int] = []  # how far before its end gaps were
        self._shown = 0  # absolute position from which on text is visible
        self.opened = ""  # what opened the gap that is not closed yet
        self._began = 0
        self._seen = ""  # what was visible before it
        self._pending = 0  # visible characters since the last candidate

    @property
    def busy(self) -> bool:
        """Whether a gap is open."""
        return bool(self.opened)

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        text, base, limit = scene.text, scene.base, scene.stop - scene.base
        position = max(self.position, scene.start) - base
        nexts = dict.fromkeys(_OPENINGS, -1)  # where each opening stands next; those that never do are left out
        while position < limit:
            if not self.opened:
                position = self._opening(scene, position, limit, nexts)
                continue
            close = self._closing(text, max(self._began + 2 - base, position - _CLOSING, 0))
            if close < 0 or close >= limit:
                break
            position = close
            gap, self.opened = self.opened, ""
            if base + close - self._began > _SHORTEST.get(gap, 0):
                self._pass_by(base + close)
                if not self._goes_on(text, close):
                    self._pending = 0
                    yield self._candidate(text, base, close, len(_CLOSINGS[gap]))
        self.position = base + max(position, limit)

    def _opening(self, scene: Scene, position: int, limit: int, nexts: dict[bytes, int]) -> int:
        """Take the next gap that opens before `limit`; return where to go on."""
        begin = max(0, position - scene.low)
        for word, place in list(nexts.items()):
            if place < begin:
                nexts[word] = scene.raw.find(word, begin)
                if nexts[word] < 0:
                    del nexts[word]
        at, word = min(((at, word) for word, at in nexts.items()), default=(limit - scene.low, b""))
        at += scene.low
        if at >= limit:
            return limit
        base = scene.base
        self._seen = scene.text[max(0, at - MARGIN, self._shown - base) : at]
        self.opened, self._began = word.decode(), base + at
        return at + len(word)

    def _pass_by(self, end: int) -> None:
        """Take what was visible before the gap that ends at an absolute position."""
        seen, size = self._seen, len(self._seen)
        self._pending += max(0, self._began - self._shown)
        near = self._began - self._shown < MARGIN
        self._joints = (
            [joint + size for joint in (*self._joints[-_JOINTS:], 0) if joint + size < MARGIN] if near else []
        )
        self._before = (self._before + seen)[-MARGIN:] if near else seen
        self._shown = end

    def _goes_on(self, text: str, close: int) -> bool:
        """Return whether the next gap follows soon, so that what stands behind it can be read together with this."""
        stop = close + _SOON
        return self._pending < _ENOUGH and any(text.find(word.decode(), close, stop) >= 0 for word in _OPENINGS)

    def _closing(self, text: str, position: int) -> int:
        """Return the offset just past the end of the open gap, or -1."""
        closing = _CLOSINGS[self.opened]
        if closing[0] == "<":
            hit = _CASES.search(text, position)
            return hit.end() if hit else -1
        at = text.find(closing, position)
        return at + len(closing) if at >= 0 else -1

    def _candidate(self, text: str, base: int, close: int, width: int) -> Candidate:
        """Return both sides of a gap that ends at offset `close`."""
        before = self._before
        earlier = tuple(len(before) - joint for joint in self._joints)
        before += " "
        shown = text[close : close + MARGIN]
        places = _Across(len(before), earlier, base + close - width, base + close)
        fragment = Unwrapped("apart", before + shown, places)
        return Candidate(base + close - 1, [(base + close - width, base + close)], partial(iter, (fragment,)))


_UNSEEN = lazy(
    r"<(?P<name>[A-Za-z]{1,12})\b(?=[^<>]{0,300}?(?:\shidden(?![\w-])|display\s*:\s*none|visibility\s*:\s*(?:hidden|coll)"
    r"|font-size\s*:\s*0|opacity\s*:\s*0(?![.]?[1-9])|(?:width|height)\s*:\s*0|aria-hidden|text-indent\s*:\s*-\d{3}))"
    r"[^<>]{0,400}>[^<]{0,400}</(?P=name)>",
    re.IGNORECASE,
)


def _unseen(hit: re.Match[str]) -> tuple[str, Sequence[Edit]]:
    """Leave out an element that a browser does not show."""
    return "unseen", ((hit.start(), hit.end(), ""),)


def unseen() -> Passages:
    """Text without the elements that are hidden in it."""
    return Passages(_UNSEEN, _unseen, longest=1024)
