"""What encodings hide: each hidden text is decoded and handed back with a map to where it was written.

An `Unwrapper` reads a view as it grows and yields `Unwrapped` fragments; the caller scans each as a text of its own,
with another `Unwrapper` below it (`feed(text, 0, len(text), final=True)`) down to MAX_DEPTH, and takes what it reads
from a `Budget`. A trigger that was wrong costs time and never makes a finding: the fragments are judged by the rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from inkgate.text.unwrap.awake import DISGUISES, Detectors, order
from inkgate.text.unwrap.fragment import About, Budget, Unwrapped
from inkgate.text.unwrap.neighbours import Neighbours
from inkgate.text.unwrap.scene import AHEAD, BEHIND, SLACK, Candidate, Scene

__all__ = ["AHEAD", "BEHIND", "MAX_DEPTH", "About", "Budget", "Unwrapped", "Unwrapper"]

_NEAR = 240
_MOST = 0.8
_RENDERED = frozenset(
    {
        *("html-entity", "html-comment", "html-tag", "percent", "percent-comment", "escape", "backslash", "emphasis"),
        *("link", "hyphen", "shell-quotes", "concatenation", "braces", "comment", "terminal", "typeset"),
    }
)

_ARRANGED = ("told", "fields")
"""Views that hold nothing new but the order of their letters and words, in which words may stand glued."""

MAX_DEPTH = 4
"""How many encodings inside one another are undone."""

_OPAQUE = ("base", "hex", "decimal", "octal", "binary", "morse")
_DISGUISES = {
    "reversed": ("reversed", "turned"),
    "turned": ("reversed", "turned"),
    "cipher": ("rot13", "caesar", "atbash"),
    "leet": (),
    "typo": ("typo",),
    "coded": ("coded",),
    "rot47": ("rot47",),
    "pig-latin": ("pig-latin",),
}


_LATER = ("quoted-printable", "layout", "dressed", "spaced", "glued", "fields")
"""Encodings that are undone in place after those of `rendered`, in this order."""


def _order(chain: Sequence[str]) -> int:
    """Return the place in the order of the unwrappings of the one that made a view; beyond all where it has none."""
    last = chain[-1] if chain else ""
    if last in _LATER:
        return 1 + _LATER.index(last)
    return len(_LATER) + 1 if last in ("", "leet", "typo") or not set(last.split("+")) <= _RENDERED else 0


def _undone(disguise: str, chain: Sequence[str]) -> bool:
    """Return whether the disguise was taken off since the text last came out of something that hides every letter."""
    for encoding in reversed(chain):
        if encoding.startswith(_DISGUISES[disguise]):
            return True
        if encoding.startswith(_OPAQUE):
            return False
    return False


class Unwrapper:
    """Finds what is encoded in one view, however the view is cut into feeds.

    Args:
        budget: bounds what compressed text unpacks to; the caller spends from it what it reads.
        fresh: tells whether a range of the view is new, that is, made by an earlier unwrapping. What is encoded in
            ranges that are not new was found where they came from and is left out. None: everything is new.
        chain: the encodings that were undone to get this view, outermost first. A passage that was turned round or
            shifted is not turned or shifted again, which would only lead back.
    """

    def __init__(
        self,
        budget: Budget | None = None,
        fresh: Callable[[int, int], bool] | None = None,
        chain: Sequence[str] = (),
    ) -> None:
        self._fresh = fresh
        self._seen = 0
        self._order = _order(chain)
        self._detectors = Detectors(
            budget,
            len(chain),
            [disguise for disguise in DISGUISES if _undone(disguise, chain)] if chain else (),
            glued=bool(chain) and chain[-1] in _ARRANGED,
        )

    def feed(
        self, cased: str, base: int, upto: int, *, final: bool = False, about: About | None = None
    ) -> Iterator[Unwrapped]:
        """Yield the fragments whose anchors lie between the last `upto` and this one, in the order of the anchors.

        Exhaust the iterator before the next feed: compressed runs are unpacked as it goes.

        Args:
            cased: a stretch of the view that holds BEHIND characters before the wanted range and AHEAD after it,
                or fewer where the view begins or ends.
            base: absolute position of its first character.
            upto: absolute end of the wanted range; nothing is wanted twice.
            final: the view ends with `cased`; `upto` is then taken for its end.
            about: what is new in a view that is fed at once.

        Raises:
            ValueError: the range does not lie in the stretch, or goes back.
        """
        stop = base + len(cased) if final else upto
        if not base <= self._seen <= stop <= base + len(cased):
            raise ValueError(f"range {self._seen}..{stop} is not in the stretch {base}..{base + len(cased)}")
        scene = Scene(cased, base, self._seen, stop)
        self._seen = stop
        found: list[tuple[int, Candidate]] = []
        if stop > scene.start:
            near = None if about is None else _part(scene, about)
            for number, part, detector in self._detectors.awake(scene, near, about.kinds if about else frozenset()):
                found += ((number, candidate) for candidate in detector.find(part))
        found.sort(key=lambda item: item[1].anchor)
        return self._decode(found, scene)

    def _decode(self, found: list[tuple[int, Candidate]], scene: Scene) -> Iterator[Unwrapped]:
        """Decode the candidates that hold something new."""
        base, end = scene.base, scene.base + len(scene.text)
        neighbours = Neighbours(found, scene) if found else None
        for number, candidate in found:
            # Two disguises may lie side by side in one sentence: a later one counts where an earlier one was near.
            near = _NEAR if order(number) > self._order else 0
            if self._fresh is None or any(
                self._fresh(max(base, start - near), min(end, stop + near)) for start, stop in candidate.cues
            ):
                for item in candidate.decode():
                    yield item if neighbours is None else neighbours.told(item)


def _part(scene: Scene, about: About) -> Scene | None:
    """Return the part of a scene round what is new in it; None if that is most of it."""
    start, stop = max(scene.start, scene.base + about.start - SLACK), min(scene.stop, scene.base + about.end + SLACK)
    if stop - start > _MOST * (scene.stop - scene.start):
        return None
    return Scene(scene.text, scene.base, start, stop)
