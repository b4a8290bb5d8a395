"""What a match of a pattern must hold, and how far apart, found by reading the pattern.

Most patterns demand more than one word ("drop ... rules"). A `Clause` says which words, as they stand in the collapsed
text: the rarest of them is looked for, and the pattern is tried only where the others stand near it, which spares
nearly all searches. Every condition is proven: no match is possible without it, so leaving one out costs time, never a
find.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import exp
from typing import Any, NamedTuple

from inkgate.match.clause import Clause, Near
from inkgate.match.collapse import collapse, is_word
from inkgate.match.literals import (
    REPEATS,
    Known,
    Literals,
    Node,
    begins,
    fewest,
    group,
    is_separator,
    joined,
    least,
    parse_pattern,
    text_of,
)
from inkgate.match.rarity import rate
from inkgate.match.runs import longest_run
from inkgate.match.signs import signs

__all__ = ["clauses"]

_MOST = 600
_MOST_CLAUSES = 32
_MOST_NEAR = 4
_ITEM = 48
"""Characters: a longer alternative with two conditions is a way to match of its own, a shorter one a list item."""

# Microseconds, roughly: for an anchor, for a look whether something stands near it, for looking where a match could
# begin (and for each character that is looked at), and for trying the pattern there.
_HIT, _NEAR, _LOOK, _LOOK_EACH, _TRY = 0.4, 0.8, 2.0, 0.012, 2.5
_RARE_KEYWORD = 50.0  # per million characters
_EACH = 4.0  # occurrences per million characters that cost as much as one literal more
_RARER = 8.0  # how much rarer marks must be than words, which know what stands near them
_TOO_COMMON = 1.5e6  # occurrences per million characters, times the width: a condition that spares too little


class _Part(NamedTuple):
    """A condition of a concatenation.

    Attributes:
        words: literals of the collapsed text.
        first: number of the first node that holds it.
        last: number of the last one.
        begin: characters of collapsed text before it, at most.
        end: characters of collapsed text up to its end, at most.
        reach: characters of the text as it is up to its end, at most.
        exact: whether the part begins with its literal.
    """

    words: Literals
    first: int
    last: int
    begin: int
    end: int
    reach: int
    exact: bool


def clauses(pattern: str, reach: int, keywords: Iterable[str], *, cased: bool = False) -> tuple[Clause, ...]:
    """The ways to match a pattern; every match is one of them.

    Args:
        pattern: an expanded pattern. One that the standard library's parser cannot read has one way: by its keywords.
        reach: no match is longer, in characters.
        keywords: literals, one of which every match contains; used where the pattern tells nothing.
        cased: whether the pattern is searched for in text that keeps its case; `starts` then keep theirs.
    """
    tree = parse_pattern(pattern)
    known = _by_keywords(frozenset(keywords), reach)
    if tree is None:
        return known
    reader = _Reader(tree.state, reach, cased=cased and "(?i" not in pattern)
    found: dict[Clause, None] = {}
    for nodes in reader.ways(list(tree)):
        frame = reader.frame(nodes)
        clause = reader.clause(nodes, frame)
        others = (frame._replace(anchors=each.anchors, marks=each.marks, back=reach, ahead=reach) for each in known)
        found.update(dict.fromkeys((clause,) if clause else others))
    return tuple(found)


def _by_keywords(keywords: Literals, reach: int) -> tuple[Clause, ...]:
    """Ways to match of which only the keywords are known."""
    words = frozenset(word for word in keywords if rate([collapse(word)]) < _RARE_KEYWORD or is_word(word[0]))
    kinds = (least(map(collapse, words)), False), (least(keywords - words), True)
    return tuple(
        Clause(tuple(sorted(each)), marks, False, reach, reach, False, (), 0, "", 0, ())
        for each, marks in kinds
        if each
    )


class _Reader:
    """Reads the nodes of one pattern."""

    def __init__(self, state: Any, reach: int, *, cased: bool) -> None:  # noqa: ANN401 - the parser has no types
        self._state, self._reach, self.cased = state, reach, cased
        self._known: Known = {}  # by the identity of nodes, which alternatives share
        self._kept: list[Any] = []  # those nodes

    def width(self, nodes: Iterable[Node]) -> int:
        """The most characters that some nodes give."""
        total = 0
        for node in nodes:
            if id(node) not in self._known:
                from re import _parser  # type: ignore[attr-defined]

                self._known[id(node)] = int(_parser.SubPattern(self._state, [node]).getwidth()[1])
                self._kept.append(node)
            total += self._known[id(node)]
        return total

    def _span(self, node: Node) -> int:
        """The most characters of collapsed text that a node gives."""
        key = "span", id(node)
        if key not in self._known:
            self._kept.append(node)
            self._known[key] = self._measure(node)
        return int(self._known[key])

    def _measure(self, node: Node) -> int:
        name, argument = str(node[0]), node[1]
        if is_separator(node):
            return 1
        if name in REPEATS:
            if argument[0] == 0 and all(map(is_separator, argument[2])):
                return 1
            return int(argument[1]) * sum(map(self._span, argument[2]))
        inner = group(node)
        if inner is not None:
            return sum(map(self._span, inner))
        if name == "BRANCH":
            return max(sum(map(self._span, alternative)) for alternative in argument[1])
        return self.width([node])

    def ways(self, nodes: Sequence[Node]) -> list[list[Node]]:
        """The concatenation with its alternatives written out, where they are ways of their own."""
        ways: list[list[Node]] = [[]]
        alone = sum(self.width([node]) > 0 for node in nodes) <= 1
        for node in nodes:
            options = self._options(node, alone=alone)
            if len(ways) * len(options) > _MOST_CLAUSES:
                options = [[node]]
            ways = [[*way, *option] for way in ways for option in options]
        return ways

    def _options(self, node: Node, *, alone: bool) -> list[list[Node]]:
        inner = group(node)
        if inner is not None:
            ways = self.ways(inner)
            return ways if len(ways) > 1 or all(str(item[0]) != "BRANCH" for item in inner) else [[node]]
        if str(node[0]) != "BRANCH":
            return [[node]]
        items, ways = [], []
        for alternative in node[1][1]:
            conditions = self.conditions(alternative)
            if (alone or self.width(alternative) > _ITEM) and len(conditions) > 1:
                ways += self.ways(list(alternative))
            elif alone and not conditions:
                ways.append(list(alternative))
            else:
                items.append(alternative)
        if not ways or len(ways) >= _MOST_CLAUSES:
            return [[node]]
        return [*ways, [(node[0], (node[1][0], items))]] if items else ways

    def frame(self, nodes: Sequence[Node]) -> Clause:
        """What is known of the matches of a concatenation whichever part of it is looked for; without an anchor."""
        starts = begins(nodes, self._known, cased=self.cased)
        # Marks are of use only where it is known with what matches begin.
        chars, width = signs(nodes, self.width, max(map(len, starts))) if starts else ("", 0)
        run = longest_run(nodes)
        return Clause((), False, False, 0, 0, self.cased, tuple(sorted(starts)), run, chars, width, ())

    def clause(self, nodes: Sequence[Node], frame: Clause) -> Clause | None:
        """What a concatenation demands, on top of its frame; None when that is nothing."""
        parts = self.conditions(nodes)
        found = [part for part in [*parts, *self._beginnings(nodes)] if _rare(part.words)]
        marked = self._marked(nodes, frame)
        if not found:
            return marked
        options = [self._option(part, parts, frame) for part in found]
        best = min(options, key=lambda clause: (_work(clause), clause.back, clause.anchors))
        return marked if marked and _RARER * _marked_rate(marked.anchors) < rate(best.anchors) else best

    def _option(self, best: _Part, parts: Sequence[_Part], frame: Clause) -> Clause:
        """The clause that has one of the parts for its anchor."""
        near = [
            Near(
                tuple(sorted(part.words)),
                min(self._reach, max(part.end, best.end) - min(part.begin, best.begin)),
                before,
            )
            for part in parts
            if (before := part.last < best.first) or part.first > best.last
        ]
        near = [each for each in near if rate(each.words) * each.width < _TOO_COMMON]
        near.sort(key=lambda each: (rate(each.words) * each.width, each))
        anchors, back = tuple(sorted(best.words)), min(self._reach, best.reach)
        wordy = bool(frame.starts) and all(is_word(start[0]) for start in frame.starts)
        exact = best.exact and best.begin == 0 and wordy
        return frame._replace(anchors=anchors, exact=exact, back=back, near=tuple(near[:_MOST_NEAR]))

    def _marked(self, nodes: Sequence[Node], frame: Clause) -> Clause | None:
        """The clause by the marks in a concatenation, for one without a word, or with common words only."""
        found: list[tuple[Literals, int, bool]] = []
        source = 0
        for first, node in enumerate(nodes):
            plain = begins(nodes[first:], self._known)
            words = least(plain)
            if words and min(map(len, words)) > 1:
                found.append(
                    (words, source + max(map(len, plain)), source == 0 and words == plain == set(frame.starts))
                )
            source += self.width([node])
        if not found:
            return None
        words, back, exact = min(found, key=lambda item: (len(item[0]) * 8.0 ** -min(map(len, item[0])), item[1]))
        return frame._replace(anchors=tuple(sorted(words)), marks=True, exact=exact, back=back)

    def _beginnings(self, nodes: Sequence[Node]) -> list[_Part]:
        """Conditions that reach over several nodes: how the rest of the concatenation begins, from each node on."""
        found: list[_Part] = []
        position = source = 0
        for first, node in enumerate(nodes):
            plain = self._beginning(nodes[first:])
            words = least(plain)
            if _useful(words):
                # The literal lies within nodes that give as many characters of words as it has, at least.
                longest = max(len(word.replace(" ", "")) for word in words)
                last, covered, end, reach = first, 0, position, source
                while last < len(nodes) and covered < longest:
                    covered += fewest(nodes[last])
                    end += self._span(nodes[last])
                    reach += self.width([nodes[last]])
                    last += 1
                found.append(_Part(words, first, last - 1, position, end, reach, words == plain))
            position += self._span(node)
            source += self.width([node])
        return found

    def _beginning(self, nodes: Sequence[Node]) -> Literals:
        key = tuple(map(id, nodes))
        if key not in self._known:
            self._kept += nodes
            self._known[key] = begins(nodes, self._known, words=True)
        found: Literals = self._known[key]
        return found

    def conditions(self, nodes: Sequence[Node]) -> list[_Part]:
        """Conditions of a concatenation, each within one node or one row of characters, in order."""
        found: list[_Part] = []
        run, begin, first = "", 0, 0
        position = source = 0
        for index, node in enumerate(nodes):
            text = text_of(node)
            if text:
                if not run:
                    begin, first = position, index
                run = joined(run, text)
            elif run:
                found.append(_Part(frozenset((run,)), first, index - 1, begin, position, source, exact=True))
                run = ""
            span, width = self._span(node), self.width([node])
            options = [] if text else self._part(node)
            if options:
                found.append(
                    _Part(_rarest(options), index, index, position, position + span, source + width, exact=False)
                )
            position += span
            source += width
        if run:
            found.append(_Part(frozenset((run,)), first, len(nodes) - 1, begin, position, source, exact=True))
        return [part for part in found if _useful(part.words)]

    def _part(self, node: Node) -> list[Literals]:
        """Conditions of one part: of what is in it; for alternatives the union of one of each."""
        key = "part", id(node)
        if key not in self._known:
            self._kept.append(node)
            self._known[key] = self._united(node)
        found: list[Literals] = self._known[key]
        return found

    def _united(self, node: Node) -> list[Literals]:
        inner = group(node)
        name, argument = str(node[0]), node[1]
        if name in REPEATS and argument[0] >= 1:
            inner = list(argument[2])
        if inner is not None:
            return [part.words for part in self.conditions(inner)]
        if name != "BRANCH":
            return []
        united: set[str] = set()
        for alternative in argument[1]:
            options = [part.words for part in self.conditions(alternative)]
            starts = least(self._beginning(list(alternative)))
            if starts:
                options.append(starts)
            if not options:
                return []
            united |= _rarest(options)
        return [least(united)]


def _rarest(options: Iterable[Literals]) -> Literals:
    return min(options, key=lambda words: (_cost(words), sorted(words)))


_MARKS = {".": 0.1, ":": 0.04, "-": 0.04, "/": 0.03}
"""How many of the words of a text about software have the mark behind them, roughly."""
_OTHER_MARKS = 0.02


def _marked_rate(words: Iterable[str]) -> float:
    """How often literals of the text as it is stand in a million characters, roughly."""
    total = 0.0
    for word in words:
        inside = [_MARKS.get(char, _OTHER_MARKS) for char in word if not is_word(char) and not char.isspace()]
        total += rate([collapse(word)]) * (1.0 if "://" in word else min(inside, default=1.0))
    return total


def _work(clause: Clause) -> float:
    """What it takes to look for a clause, in microseconds per million characters of ordinary text, roughly."""
    likely, each = 1.0, _HIT
    for near in clause.near:
        each += likely * _NEAR
        likely *= 1 - exp(-rate(near.words) * near.width / 1e6)
    each += likely * (_TRY if clause.exact else _LOOK + clause.back * _LOOK_EACH + _TRY)
    return rate(clause.anchors) * each + _EACH * len(clause.anchors)


@lru_cache(maxsize=1 << 16)
def _cost(words: Literals) -> float:
    """How much it costs to look for the words everywhere: each of them makes the automaton larger."""
    return rate(words) + _EACH * len(words)


def _useful(words: Literals) -> bool:
    return 0 < len(words) <= _MOST and not any(word.isspace() for word in words)


def _rare(words: Literals) -> bool:
    """Whether the words are long enough to be looked for everywhere."""
    return _useful(words) and not any(len(word.strip()) < 2 and word.isascii() for word in words)
