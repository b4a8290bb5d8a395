"""Keyword hits to matches: windows around hits are merged per rule and searched once, wherever blocks happen to end.

A rule's window is its keyword with `reach` characters on both sides. Overlapping windows of one rule become one
region, so a flood of keywords costs one search over the text and not one search per keyword. A match counts when it
starts at least two reaches before the end of what is known; by then every keyword that could shape its region has
been seen, so the result does not depend on where the text was cut.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import Any, NamedTuple

from inkgate.match.keywords import Keywords
from inkgate.match.rules import Rule, RuleSet
from inkgate.text.view import View

__all__ = ["Match", "Matcher", "SearchTimeout"]

SEARCH_SECONDS = 10.0
"""Wall-clock limit of one search; patterns are bounded, so reaching it means a faulty rule."""


class SearchTimeout(Exception):  # noqa: N818 - it is caught and becomes a finding
    """A rule's search ran out of time; the text behind it is not judged by that rule."""

    def __init__(self, rule: Rule, start: int, end: int) -> None:
        super().__init__(rule.id)
        self.rule, self.start, self.end = rule, start, end


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


class _Region:
    __slots__ = ("end", "resume")

    def __init__(self, start: int, end: int) -> None:
        self.resume = start
        self.end = end


class Matcher:
    """Finds the matches of a rule set in one growing view.

    Attributes:
        cues: absolute ranges of the words at which the learned judge is to look, in order of their ends; whoever takes
            some removes them.
    """

    __slots__ = ("_keywords", "_latest", "_regions", "_rules", "_seen", "_starts", "cues")

    def __init__(self, rules: RuleSet) -> None:
        self._rules = rules
        self._keywords: Keywords = rules.once("keywords", Keywords)
        self._regions: dict[int, list[_Region]] = {}
        self._latest: dict[int, list[int]] = {}  # per rule: start of the last hit on each condition
        self._starts: dict[int, list[int]] = {}  # per rule: where a match could begin, for rules that say so
        self._seen = 0
        self.cues: list[tuple[int, int]] = []

    def read(self, view: View) -> None:
        """Look for keywords in the part of the view that is new since the last call."""
        known = self._seen - view.base
        start = max(0, known - self._keywords.longest + 1)
        rules, base = self._rules.rules, view.base
        for last, (length, alone, paired) in self._keywords.hits(view.lower, start):
            if last < known:
                continue
            end = base + last + 1
            begin = end - length
            for index in alone:
                rule = rules[index]
                if rule.starts:
                    self._starts.setdefault(index, []).append(begin)
                    self._widen(index, begin, begin + rule.reach)
                elif rule.detector:
                    self.cues.append((begin, end))
                else:
                    self._widen(index, begin - rule.reach, end + rule.reach)
            for index, group in paired:
                if group == 0 and rules[index].starts:
                    self._starts.setdefault(index, []).append(begin)
                self._pair(index, group, begin, end)
        self._seen = view.end

    def _pair(self, index: int, group: int, start: int, end: int) -> None:
        """Note a hit on one condition of a rule; when all others are met within reach, a match is possible.

        A match that holds this hit and the nearest earlier one of each other condition starts at most a reach before
        this hit's end and ends at most a reach behind the earliest of the others' starts.
        """
        rule = self._rules.rules[index]
        latest = self._latest.get(index)
        if latest is None:
            latest = self._latest[index] = [-1] * (len(rule.requires) + 1)
        latest[group] = max(latest[group], start)
        low = end - rule.reach
        first = min(latest)
        if first >= low and first >= 0:
            self._widen(index, low, first + rule.reach)

    def _widen(self, index: int, low: int, high: int) -> None:
        mine = self._regions.get(index)
        if mine is None:
            self._regions[index] = [_Region(max(0, low), high)]
        elif low <= mine[-1].end:
            mine[-1].end = max(mine[-1].end, high)
        else:
            mine.append(_Region(low, high))

    @property
    def idle(self) -> bool:
        """Whether no rule has anything left to search."""
        return not self._regions

    def matches(self, view: View, limit: int) -> Iterator[Match]:
        """Matches that start before the absolute position `limit`, rule by rule, in order of position.

        Raises:
            SearchTimeout: from `matches` itself; call again to go on behind the region that took too long.
        """
        for index in sorted(self._regions):
            rule = self._rules.rules[index]
            pattern = self._rules.compiled(rule)
            text = view.lower if rule.view == "folded" else view.cased
            left: list[_Region] = []
            starts = sorted(set(self._starts.get(index, ()))) if rule.starts else None
            for region in self._regions[index]:
                if region.resume < limit:
                    if starts is None:
                        yield from self._search(rule, pattern, text, view, region, limit)
                    else:
                        yield from self._try(rule, pattern, text, view, region, limit, starts)
                if region.end > limit:
                    left.append(region)
            if left:
                self._regions[index] = left
            else:
                del self._regions[index]
        self._starts = {
            index: kept
            for index, starts in self._starts.items()
            if (kept := [start for start in starts if start >= limit - self._rules.rules[index].reach])
        }

    def _try(
        self,
        rule: Rule,
        pattern: Any,  # noqa: ANN401 - `regex` has no types
        text: str,
        view: View,
        region: _Region,
        limit: int,
        starts: list[int],
    ) -> Iterator[Match]:
        """Like `_search`, at the places where a match can begin."""
        base, stop = view.base, min(region.end, view.end)
        for place in range(bisect_left(starts, region.resume), len(starts)):
            begin = starts[place]
            if begin >= limit or begin >= stop:
                break
            if begin < region.resume:
                continue
            try:
                found = pattern.match(text, begin - base, stop - base, timeout=SEARCH_SECONDS)
            except TimeoutError:
                region.resume = begin + 1
                raise SearchTimeout(rule, begin, stop) from None
            if found is not None:
                region.resume = max(base + found.end(), begin + 1)
                yield self._match(rule, found, base)
        region.resume = max(region.resume, min(limit, region.end))

    @staticmethod
    def _match(rule: Rule, found: Any, base: int) -> Match:  # noqa: ANN401 - `regex` has no types
        start, end = found.span()
        low, high = found.span(rule.value) if rule.value else (start, end)
        if low < 0:
            low, high = start, end
        return Match(rule, base + start, base + end, base + low, base + high)

    def _search(
        self,
        rule: Rule,
        pattern: Any,  # noqa: ANN401 - `regex` has no types
        text: str,
        view: View,
        region: _Region,
        limit: int,
    ) -> Iterator[Match]:
        base = view.base
        stop = min(region.end, view.end)
        try:
            for found in pattern.finditer(text, region.resume - base, stop - base, timeout=SEARCH_SECONDS):
                if base + found.start() >= limit:
                    break
                region.resume = base + max(found.end(), found.start() + 1)
                yield self._match(rule, found, base)
        except TimeoutError:
            start, region.resume = region.resume, stop
            raise SearchTimeout(rule, start, stop) from None
        region.resume = max(region.resume, min(limit, region.end))
