"""One automaton for the anchors of all rules: one pass over the collapsed text says where any rule could match."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from itertools import accumulate

from inkgate.lean import TYPE_CHECKING, TypeVar
from inkgate.match.automaton import Automaton
from inkgate.match.engines import AUTOMATON, HYPERSCAN, Engine, choose
from inkgate.match.index import BITS, Anchors, either, heads_of, make_index, rank
from inkgate.match.passes import Pass
from inkgate.match.rules import Rule, RuleSet

if TYPE_CHECKING:
    from inkgate.match.clause import Clause
    from inkgate.model import Target

__all__ = ["Keywords", "Unit"]

Item = TypeVar("Item")

_MANY = 24
_FEW = 8


class _Near:
    """One of some words, to stand in a stretch of text before or behind an anchor.

    Attributes:
        words: the words.
        width: characters of the stretch.
        before: whether it is before the anchor.
        many: how many words there are, where that is too many to look for one by one; otherwise 0.
    """

    __slots__ = ("_automaton", "before", "many", "width", "words")

    def __init__(self, words: tuple[str, ...], width: int, before: bool) -> None:
        self.words = words
        self.width = width + 1  # a blank at the border of the match
        self.before = before
        self.many = len(words) if len(words) > _MANY else 0
        self._automaton: Automaton | None = None

    def within(self, part: str) -> bool:
        """Whether one of many words stands in a text."""
        if self._automaton is None:
            self._automaton = Automaton(sorted(self.words, key=rank), lambda _: True)
        return next(self._automaton.iter(part), None) is not None


class Unit:
    """One way of one rule to match, ready to be looked for.

    Attributes:
        rule: number of the rule.
        reach: characters of the rule's longest match.
        lead: characters before a match that decide whether it is one.
        exact: whether a match begins with the first word character of its anchor.
        back: characters from where a match can begin to the end of its anchor.
        ahead: characters from the beginning of the anchor to where a match can begin behind it.
        cased: whether `starts` keep their case.
        starts: what matches begin with; empty: anything.
        near: what else stands near the anchor.
        signs: marks, one of which every match holds within `sign_width` characters; empty: none is known.
        run: characters of the longest run of token characters in every match; 0: none is known.
    """

    __slots__ = (
        "_first", "_longest", "ahead", "back", "cased", "exact", "lead", "near", "reach", "rule", "run",
        "sign_width", "signs", "starts",
    )  # fmt: skip

    def __init__(self, number: int, rule: Rule, clause: Clause) -> None:
        self.rule = number
        self.reach = rule.reach
        self.lead = rule.lead
        self.exact = clause.exact
        self.cased = clause.cased
        self.starts = clause.starts
        self._longest = max(map(len, clause.starts), default=0)
        self.back = clause.back
        self.ahead = clause.ahead
        self.run = clause.run
        self.signs = clause.signs
        self.sign_width = clause.sign_width
        self.near = tuple(_Near(*each) for each in clause.near)
        self._first: Automaton | None = None

    def has_near(self, text: str, first: int, last: int) -> bool:
        """Whether what a match needs stands near some anchors.

        Args:
            text: the collapsed text.
            first: where the first of the anchors ends.
            last: where the last of the anchors begins.
        """
        for near in self.near:
            width = near.width
            part = text[max(0, first - width) : last + 1] if near.before else text[first - 1 : last + width]
            if near.many and len(part) >= 2 * near.many:
                if not near.within(part):
                    return False
                continue
            for word in near.words:
                if word in part:
                    break
            else:
                return False
        return True

    def signed(self, text: str, start: int) -> bool:
        """Whether a match that begins at an offset of a text could hold one of the marks that it must hold."""
        end = start + self.sign_width
        for char in self.signs:  # noqa: SIM110 - twice as fast as `any`
            if text.find(char, start, end) >= 0:
                return True
        return False

    def begins(self, text: str, start: int, stop: int) -> list[int] | None:
        """Where in a stretch of a text with the case of `starts` matches can begin, in order; None: anywhere."""
        if not self.starts:
            return None
        end = min(len(text), stop - 1 + self._longest)
        if len(self.starts) <= _FEW:
            return _places(text, self.starts, start, stop, end)
        if self._first is None:
            words = sorted(self.starts, key=rank)
            self._first = Automaton(words, lambda number: len(words[number]))
        found = self._first.iter(text[start:end])
        return sorted({begin for place, size in found if (begin := start + place + 1 - size) < stop})


def _places(text: str, words: Iterable[str], start: int, stop: int, end: int) -> list[int]:
    """Where any of a few words begins in the stretch."""
    found: set[int] = set()
    for word in words:
        at = text.find(word, start, end)
        while 0 <= at < stop:
            found.add(at)
            at = text.find(word, at + 1, end)
    return sorted(found)


class Keywords:
    """Finds anchors of rules.

    Attributes:
        reach: characters of the longest match of any rule, or cue.
        ahead: how many characters behind its anchor a match can begin.
        shipped: how many of the rules, the first ones, come from the fast form of the shipped packs.
    """

    __slots__ = (
        "_bits",
        "_cues",
        "_engine",
        "_first",
        "_passes",
        "_plain",
        "_rules",
        "_tokens",
        "_units",
        "ahead",
        "reach",
        "shipped",
    )

    def __init__(self, rules: RuleSet) -> None:
        index = rules.index or make_index(())
        self._rules = list(rules.by_id.values())
        own = make_index(self._rules[len(index.units) :], sum(index.units))
        counts = [*index.units, *own.units]
        self._first = [0, *accumulate(counts)]
        self._units: list[Unit | None] = [None] * self._first[-1]
        self._cues = _joined(index.cues, own.cues)
        self.reach = max(index.reach, own.reach, *(len(form) for forms in self._cues.values() for form in forms))
        self.ahead = max(index.ahead, own.ahead)
        self._plain, self._tokens = _both(index.plain, own.plain), _both(index.tokens, own.tokens)
        on = {rule.id for rule in rules.rules}
        self._bits: list[int] = []  # for each unit
        for rule, count, bits in zip(self._rules, counts, (*index.targets, *own.targets), strict=True):
            self._bits += [bits if rule.id in on else 0] * count
        self._passes: dict[Target | None, tuple[Pass, Pass]] = {}
        self.shipped = len(index.units)
        name = choose(rules.engine)
        self._engine = None if name == AUTOMATON else Engine(rules.digest, at_once=name == HYPERSCAN, keep=rules.keep)

    def rule(self, number: int) -> Rule:
        """The rule of a number that a unit gives."""
        return self._rules[number]

    def unit(self, number: int) -> Unit:
        """The way to match of a number that a hit gives."""
        found = self._units[number]
        if found is None:
            place = bisect_right(self._first, number) - 1
            rule = self._rules[place]
            found = self._units[number] = Unit(place, rule, rule.clauses[number - self._first[place]])
        return found

    def passes(self, target: Target | None = None) -> tuple[Pass, Pass]:
        """What is looked for anywhere, and what within `AROUND` of runs of `LONG` token characters.

        Args:
            target: only rules for this target are looked for; None: all are.
        """
        found = self._passes.get(target)
        if found is None:
            mask = -1 if target is None else BITS[target]
            live = [bool(bits & mask) for bits in self._bits]
            anywhere = Pass(self._plain, target, live, self._cues, self._engine)
            found = self._passes[target] = anywhere, Pass(self._tokens, target, live, {})
        return found


def _joined(one: Mapping[str, list[Item]], other: Mapping[str, list[Item]]) -> dict[str, list[Item]]:
    joined = dict(one)
    for word, more in other.items():
        joined[word] = [*joined.get(word, []), *more]
    return joined


def _both(one: Anchors, other: Anchors) -> Anchors:
    """The anchors of two indexes of which the second goes on where the first ends."""
    if not other.words and not other.bare:
        return one
    users, targets = dict(zip(one.words, one.users, strict=True)), dict(zip(one.words, one.targets, strict=True))
    for word, more, sign in zip(other.words, other.users, other.targets, strict=True):
        users[word] = f"{users.get(word, '')} {more}"
        targets[word] = either(targets.get(word, sign), sign)
    words = sorted(users, key=rank)
    signs = "".join(targets[word] for word in words)
    marked, bare = _joined(one.marked, other.marked), _joined(one.bare, other.bare)
    return Anchors(words, [users[word] for word in words], signs, heads_of(words), marked, bare)
