"""Anchors to matches: stretches around anchors are tried, wherever blocks happen to end.

Every match of a rule holds one of its anchors, and is no longer than the rule's reach. So an anchor says in which
stretch matches can begin; overlapping stretches of one rule become one, and a flood of anchors costs one search over
the text and not one for each. A match counts when all text that it may need is known, so the result does not depend on
where the text was cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from inkgate.lean import Any, NamedTuple
from inkgate.match.collapse import Collapsed
from inkgate.match.keywords import Keywords, Unit
from inkgate.match.rules import Rule, RuleSet
from inkgate.match.runs import Runs
from inkgate.model import Target
from inkgate.text.view import View

__all__ = ["Match", "Matcher", "SearchTimeout"]

SEARCH_SECONDS = 10.0
"""Wall-clock limit of one search; patterns are bounded, so reaching it means a faulty rule."""

_TRIES = 8
"""A try at one place costs about as much as a search of so many characters."""

Place = tuple[int, int, int]
"""Offsets in the buffer: where matches can begin, first and last and one more, and where they end at the latest."""


class SearchTimeout(NamedTuple):
    """A rule's search ran out of time; where it may match from `start` to `end` (absolute), it did not look."""

    rule: Rule
    start: int
    end: int


class Match(NamedTuple):
    """A rule's pattern matched.

    Attributes:
        start: absolute position in the view.
        end: just past it.
        value_start: the same for the named group that holds the secret; the whole match when there is none.
        value_end: just past it.
    """

    rule: Rule
    start: int
    end: int
    value_start: int
    value_end: int


class Matcher:
    """Finds the matches of a rule set in one growing view.

    Args:
        rules: the rule set.
        target: only rules for this target are looked for; None: all are.

    Attributes:
        cues: absolute ranges of the words at which the learned judge is to look, in order of their ends; whoever takes
            some removes them.
    """

    __slots__ = ("_done", "_keywords", "_resume", "_rules", "_target", "cues")

    def __init__(self, rules: RuleSet, target: Target | None = None) -> None:
        self._rules = rules
        self._target = target
        self._keywords: Keywords = rules.once("keywords", Keywords)
        self._done = 0  # absolute position before which all matches are found
        self._resume: dict[int, int] = {}  # per rule: the same
        self.cues: list[tuple[int, int]] = []

    def matches(
        self, view: View, limit: int, fresh: Callable[[int, int], bool] | None = None
    ) -> Iterator[Match | SearchTimeout]:
        """Matches that start before the absolute position `limit`, rule by rule, in order of position.

        Exhaust the iterator before the next call.

        Args:
            view: a buffer that holds everything from the reach of every rule before the last `limit` to their reach
                behind this one, as far as there is text.
            limit: what starts behind it is left for later.
            fresh: whether an absolute range may hold a match that is wanted; None: all are.
        """
        start, self._done = max(self._done, view.base), limit
        if start >= min(limit, view.end):
            return
        low = max(start - self._keywords.ahead, view.base) - view.base
        high = min(limit + self._keywords.reach, view.end) - view.base
        places = self._places(view, low, high, (start - view.base, limit - view.base), fresh)
        for number in sorted(number for number, mine in places.items() if mine):
            yield from self._search(number, view, sorted(set(places[number])))

    def _places(
        self, view: View, low: int, high: int, wanted: tuple[int, int], fresh: Callable[[int, int], bool] | None
    ) -> dict[int, list[Place]]:
        """Where matches of each rule can begin.

        Args:
            view: the buffer.
            low: offset in it from which on it is read.
            high: offset up to which it is read.
            wanted: where matches may begin, as offsets.
            fresh: see `matches`.
        """
        places: dict[int, list[Place]] = {}
        first_place, limit = wanted
        size, base = len(view.lower), view.base
        whole = low == 0 and high == size
        lower, cased = (view.lower, view.cased) if whole else (view.lower[low:high], view.cased[low:high])
        runs = Runs(lower)
        for unit, first, last in self._stretches(lower, cased, base + low, (first_place - low, limit - low), runs):
            begin, stop = max(first + low - unit.back, first_place), min(last + 1 + low + unit.ahead, limit)
            if unit.exact:
                begin = stop - 1 if stop == last + 1 + low else stop
            if begin >= stop or begin < first_place:
                continue
            end = min(stop + unit.reach, size)
            if unit.run and not runs.within(unit.run, begin - low, end - low):
                continue
            if fresh is not None and not fresh(max(begin - unit.lead, 0) + base, end + base):
                continue
            mine = places.setdefault(unit.rule, [])
            if unit.exact:
                if not unit.signs or unit.signed(view.lower, begin):
                    mine.append((begin, stop, end))
                continue
            begins = unit.begins(view.cased if unit.cased else view.lower, begin, stop)
            if begins is None:
                mine.append((begin, stop, end))
                continue
            signed = [each for each in begins if unit.signed(view.lower, each)] if unit.signs else begins
            mine += [(each, each + 1, end) for each in signed]
        return places

    def _stretches(
        self, lower: str, cased: str, base: int, wanted: tuple[int, int], runs: Runs
    ) -> Iterator[tuple[Unit, int, int]]:
        """Units of which all that they need is there: where their first anchor ends and their last one begins.

        Args:
            lower: the text.
            cased: the same with its case.
            base: absolute position of its first character.
            wanted: between which offsets cues are noted.
            runs: of the text.
        """
        keywords, target = self._keywords, self._target
        collapsed = Collapsed(lower)
        text, source = collapsed.text, collapsed.source
        for number, mine in self._regions(collapsed, lower, base, wanted).items():
            unit = keywords.unit(number)
            if unit.idle(target, runs):
                continue
            starts, near = (unit.starts if unit.exact else ()), unit.near
            if starts:
                read = cased if unit.cased else lower
                for first, last in mine:
                    at = source(last + 1 if text[last] == " " else last)
                    if read.startswith(starts, at) and (not near or unit.has_near(text, first, last)):
                        yield unit, at + 1, at
                continue
            for first, last in mine:
                if not near or unit.has_near(text, first, last):
                    end = source(first - 2 if text[first - 1] == " " else first - 1) + 1
                    yield unit, end, source(last + 1 if text[last] == " " else last)
        for last, (length, numbers, *_) in keywords.marks(lower):
            begin = last + 1 - length
            for number in numbers:
                unit = keywords.unit(number)
                if unit.idle(target, runs):
                    continue
                if not unit.exact or (cased if unit.cased else lower).startswith(unit.starts, begin):
                    yield unit, last + 1, begin

    def _regions(
        self, collapsed: Collapsed, lower: str, base: int, wanted: tuple[int, int]
    ) -> dict[int, list[tuple[int, int]]]:
        """The anchors of each unit in the collapsed text: where the first of some ends and the last of them begins."""
        regions: dict[int, list[tuple[int, int]]] = {}
        for last, (length, users, cues) in self._keywords.hits(collapsed.text):
            begin = last + 1 - length
            if cues:
                at = collapsed.source(begin)
                forms = [word for word in cues if wanted[0] <= at < wanted[1] and lower.startswith(word, at)]
                self.cues += [(base + at, base + at + len(word)) for word in forms]
            for number, back in users:
                mine = regions.get(number)
                if mine is None:
                    regions[number] = [(last + 1, begin)]
                elif back and mine[-1][1] + back >= last:
                    mine[-1] = mine[-1][0], begin  # the anchors of one unit begin in the order in which they end
                else:
                    mine.append((last + 1, begin))
        return regions

    def _search(self, number: int, view: View, places: list[Place]) -> Iterator[Match | SearchTimeout]:
        """Matches that begin in one of the ascending ranges."""
        base, rule = view.base, self._keywords.rule(number)
        pattern = self._rules.compiled(rule)
        match = pattern.match
        # Each shipped pattern is tested to take linear time; a clock for every try would cost more than the try.
        options = {} if number < self._keywords.shipped else {"timeout": SEARCH_SECONDS}
        text = view.lower if rule.view == "folded" else view.cased
        done = self._resume.get(number, 0) - base
        for first, stop, end in places:
            start = max(first, done)
            if start >= stop:
                continue
            try:
                if (stop - start) * _TRIES < end - start:
                    while start < stop:
                        found = match(text, start, end, **options)
                        start += 1
                        if found is not None and _counts(rule, view, found):
                            yield self._match(number, rule, found, base)
                            start = max(start, found.end())
                else:
                    for found in pattern.finditer(text, start, end, timeout=SEARCH_SECONDS):
                        if found.start() >= stop:
                            break
                        if _counts(rule, view, found):
                            yield self._match(number, rule, found, base)
                done = self._resume.get(number, 0) - base
            except TimeoutError:
                # The rest of the buffer is not searched: every place might take as long.
                start, last = max(base + start, self._resume.get(number, 0)), places[-1]
                self._resume[number] = base + last[1]
                yield SearchTimeout(rule, start, base + last[2])
                return

    def _match(self, number: int, rule: Rule, found: Any, base: int) -> Match:
        start, end = found.span()
        self._resume[number] = base + max(end, start + 1)
        low, high = found.span(rule.value) if rule.value else (start, end)
        if low < 0:
            low, high = start, end
        return Match(rule, base + start, base + end, base + low, base + high)


def _counts(rule: Rule, view: View, found: Any) -> bool:
    """Whether a match has a keyword within reach, where its rule asks for one."""
    if not rule.keyed:
        return True
    near = view.lower[max(0, found.end() - rule.reach) : found.start() + rule.reach]
    return any(keyword in near for keyword in rule.keywords)
