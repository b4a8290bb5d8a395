"""What stands beside the candidates of a scene: a fragment need not be searched for what its parent view had."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from inkgate.text.unwrap.fragment import About, Spliced, Unwrapped
from inkgate.text.unwrap.scene import Candidate, Scene

__all__ = ["Neighbours"]

_STEPS = 64
"""Candidates that are looked at; in a crowd of them every fragment is searched throughout."""


class Neighbours:
    """Knows where the candidates of a scene are.

    Args:
        found: numbers of kinds, and their candidates.
        scene: where they were found.
    """

    __slots__ = ("_ends", "_places", "_start", "_stop")

    def __init__(self, found: list[tuple[int, Candidate]], scene: Scene) -> None:
        self._start, self._stop = scene.start, scene.stop
        self._places = sorted((*candidate.extent, number) for number, candidate in found)
        self._ends = sorted(end for _, end, _ in self._places)

    def told(self, item: Unwrapped) -> Unwrapped:
        """Return a fragment with what is known to be new in it, where its neighbours are known."""
        places = item.places
        if not isinstance(places, Spliced) or not places.outs:
            return item
        low, high = item.place(0, len(item.text))
        if low < self._start or high > self._stop:
            return item
        kinds = self._between(low, high, (places.starts[0], places.ends[-1]))
        if kinds is None:
            return item
        return item._replace(about=About(places.outs[0], places.outs[-1] + places.sizes[-1], kinds))

    def _between(self, low: int, high: int, own: tuple[int, int]) -> frozenset[int] | None:
        """Return the kinds that have candidates between two places beside the one at `own`; None: there are many."""
        last = bisect_left(self._places, (high,))
        count = last - bisect_right(self._ends, low)
        if count > _STEPS:
            return None
        kinds: set[int] = set()
        itself = False
        for start, end, number in reversed(self._places[max(0, last - _STEPS) : last]):
            if end > low:
                count -= 1
                if (start, end) == own and not itself:
                    itself = True
                else:
                    kinds.add(number)
        return None if count else frozenset(kinds)
