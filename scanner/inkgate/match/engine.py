"""Anchors to matches: stretches around anchors are tried, wherever blocks happen to end.

Every match of a rule holds one of its anchors, and is no longer than the rule's reach. So an anchor says in which
stretch matches can begin; overlapping stretches of one rule become one, and a flood of anchors costs one search over
the text and not one for each. A match counts when all text that it may need is known, so the result does not depend on
where the text was cut.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from inkgate.lean import Any, NamedTuple
from inkgate.match.collapse import Collapsed
from inkgate.match.index import AROUND, LONG
from inkgate.match.keywords import Keywords, Unit
from inkgate.match.passes import Pass
from inkgate.match.rules import Rule, RuleSet
from inkgate.match.runs import Runs
from inkgate.model import Target
from inkgate.text.view import View

__all__ = ["Match", "Matcher", "SearchTimeout"]

SEARCH_SECONDS = 10.0
"""Wall-clock limit of one search; patterns are bounded, so reaching it means a faulty rule."""

_TRIES = 8
"""A try at one place costs about as much as a search of so many characters."""

_AGAIN = 3
"""How often in one stretch a match is looked for within one that was refused: a flood of refusals costs no more."""

_SHORT = 4096
"""Characters of a text in which a literal is found in less time than it takes to map a position."""

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


class _Regions:
    """The anchors in one text.

    Args:
        lower: the text.
        wanted: between which offsets cues are noted.

    Attributes:
        collapsed: of the text.
        found: for each unit its anchors in the collapsed text: where the first of some ends, and the last one begins.
        marks: units of anchors that are no words, with the range in the text as it is.
        cues: ranges in the text.
    """

    __slots__ = ("_wanted", "collapsed", "cues", "found", "lower", "marks")

    def __init__(self, lower: str, wanted: tuple[int, int]) -> None:
        self._wanted = wanted
        self.lower = lower
        self.collapsed = Collapsed(lower)
        self.found: dict[int, list[tuple[int, int]]] = {}
        self.marks: list[tuple[Sequence[int], int, int]] = []
        self.cues: list[tuple[int, int]] = []

    def read(self, anchors: Pass) -> None:
        """Find all anchors of a pass."""
        found, sought = self.found, set[str]()
        words, bare = anchors.find(self.collapsed.text, self.lower)
        for last, (length, users, marks, cues) in words:
            begin = last + 1 - length
            if marks:
                self._look(begin, marks, sought)
            if cues:
                self._cue(begin, cues)
            for number, back in users:
                mine = found.get(number)
                if mine is None:
                    found[number] = [(last + 1, begin)]
                elif back and mine[-1][1] + back >= last:
                    mine[-1] = mine[-1][0], begin  # the anchors of one unit begin in the order in which they end
                else:
                    mine.append((last + 1, begin))
        for last, (length, numbers) in bare:
            self.marks.append((numbers, last + 1 - length, last + 1))

    def _look(self, begin: int, marks: Sequence[tuple[int, str, Sequence[int]]], sought: set[str]) -> None:
        """Take the marks that stand where a word begins in the collapsed text.

        In a short text each mark is looked for everywhere, once: that is quicker than to know where the word stands.
        """
        lower, found = self.lower, self.marks
        if len(lower) > _SHORT:
            at = self._source(begin)
            for place, mark, numbers in marks:
                if place <= at and lower.startswith(mark, at - place):
                    found.append((numbers, at - place, at - place + len(mark)))
            return
        for _, mark, numbers in marks:
            if mark not in sought:
                sought.add(mark)
                at = lower.find(mark)
                while at >= 0:
                    found.append((numbers, at, at + len(mark)))
                    at = lower.find(mark, at + 1)

    def _cue(self, begin: int, forms: Sequence[str]) -> None:
        """Take the cues that stand where a word begins in the collapsed text."""
        at = self._source(begin)
        if self._wanted[0] <= at < self._wanted[1]:
            self.cues += [(at, at + len(form)) for form in forms if self.lower.startswith(form, at)]

    def _source(self, begin: int) -> int:
        """Where a word that begins in the collapsed text, maybe with a blank, begins in the text."""
        return self.collapsed.source(begin + 1 if self.collapsed.text[begin] == " " else begin)


class Matcher:
    """Finds the matches of a rule set in one growing view.

    Args:
        rules: the rule set.
        target: only rules for this target are looked for; None: all are.

    Attributes:
        cues: absolute ranges of the words at which the learned judge is to look, in order of their ends; whoever takes
            some removes them.
    """

    __slots__ = ("_again", "_done", "_keywords", "_passes", "_refused", "_resume", "_rules", "cues")

    def __init__(self, rules: RuleSet, target: Target | None = None) -> None:
        self._rules = rules
        self._keywords: Keywords = rules.once("keywords", Keywords)
        self._passes = self._keywords.passes(target)
        self._done = 0  # absolute position before which all matches are found
        self._resume: dict[int, int] = {}  # per rule: the same
        # per rule: where the stretch of refused matches ends, and how often in it a match was refused
        self._again: dict[int, tuple[int, int]] = {}
        self._refused = False
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

    def refuse(self) -> None:
        """Say of the match that was given last that it is none: then one that begins within it is looked for."""
        self._refused = True

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
        anywhere, near = self._passes
        regions = _Regions(lower, wanted)
        regions.read(anywhere)
        self.cues += [(base + start, base + end) for start, end in regions.cues]
        yield from self._led(regions, cased, runs, 0)
        for first, last in runs.around(LONG, AROUND) if runs.longest >= LONG else ():
            regions = _Regions(lower[first:last], (0, 0))
            regions.read(near)
            yield from self._led(regions, cased[first:last], runs, first)

    def _led(self, regions: _Regions, cased: str, runs: Runs, offset: int) -> Iterator[tuple[Unit, int, int]]:
        """See `_stretches`; the regions are of a part of the text that begins at `offset`."""
        lower, text, source, unit_of = (
            regions.lower,
            regions.collapsed.text,
            regions.collapsed.source,
            self._keywords.unit,
        )
        for number, mine in regions.found.items():
            unit = unit_of(number)
            if unit.run > runs.longest:
                continue
            starts, near = (unit.starts if unit.exact else ()), unit.near
            read = cased if unit.cased else lower
            for first, last in mine:
                if near and not unit.has_near(text, first, last):
                    continue
                begin = source(last + 1 if text[last] == " " else last)
                if not starts:
                    yield unit, offset + source(first - 2 if text[first - 1] == " " else first - 1) + 1, offset + begin
                elif read.startswith(starts, begin):
                    yield unit, offset + begin + 1, offset + begin
        for numbers, begin, end in regions.marks:
            for unit in map(unit_of, numbers):
                read = cased if unit.cased else lower
                if unit.run <= runs.longest and (not unit.exact or read.startswith(unit.starts, begin)):
                    yield unit, offset + end, offset + begin

    def _search(self, number: int, view: View, places: list[Place]) -> Iterator[Match | SearchTimeout]:
        """Matches that begin in one of the ascending ranges."""
        base, rule = view.base, self._keywords.rule(number)
        pattern = self._rules.compiled(rule)
        match, search = pattern.match, pattern.search
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
                            start = self._after(number, found) - base
                else:
                    while (found := search(text, start, end, timeout=SEARCH_SECONDS)) and found.start() < stop:
                        start = max(found.end(), found.start() + 1)
                        if _counts(rule, view, found):
                            yield self._match(number, rule, found, base)
                            start = self._after(number, found) - base
                done = self._resume.get(number, 0) - base
            except TimeoutError:
                # The rest of the buffer is not searched: every place might take as long.
                start, last = max(base + start, self._resume.get(number, 0)), places[-1]
                self._resume[number] = base + last[1]
                yield SearchTimeout(rule, start, base + last[2])
                return

    def _after(self, number: int, found: Any) -> int:
        """Absolute position from which on to search behind a match, or within one that was refused."""
        end = self._resume[number]
        if self._refused:
            self._refused = False
            start = end - max(found.end() - found.start(), 1)
            last, times = self._again.get(number, (0, 0))
            times = times + 1 if start < last else 1
            last = max(last, end)
            self._again[number] = last, times
            self._resume[number] = start + 1 if times <= _AGAIN else last
        return self._resume[number]

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
