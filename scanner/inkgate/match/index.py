"""Where the anchors of rules are listed: made once when the packs are built, and read at start."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby

from inkgate.lean import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from inkgate.match.rules import Rule

__all__ = ["CUES", "HEAD", "Index", "heads_of", "make_index", "rank", "read_users"]

CUES = "learned"
"""Detector whose rules have words at which a judge looks, and no pattern."""

HEAD = 4
"""So many first characters of an anchor are looked for before all of it is."""


class Index(NamedTuple):
    """The anchors of some rules. A unit is one way of one rule to match; units are numbered rule by rule.

    Attributes:
        units: how many units each rule has.
        words: anchors in collapsed text, in the order of `rank`.
        users: for each of them its units, as `read_users` reads them: most anchors are in no text, and are never read.
        heads: the first characters of `words`, each with the number of the first word that begins so; see `heads_of`.
        marks: anchors in the text as it is, each with the numbers of its units.
        cues: collapsed words at which a judge looks, each with the forms that it has in the text; all are in `words`.
        reach: characters of the longest match.
        ahead: how many characters behind its anchor a match can begin.
    """

    units: Sequence[int]
    words: Sequence[str]
    users: Sequence[str]
    heads: Sequence[tuple[str, int]]
    marks: dict[str, list[int]]
    cues: dict[str, list[str]]
    reach: int
    ahead: int


def make_index(rules: Iterable[Rule], first: int = 0) -> Index:
    """The index of some rules.

    Args:
        rules: in order.
        first: number of their first unit.
    """
    from inkgate.match.collapse import collapse

    units: list[int] = []
    words: dict[str, list[list[int]]] = {}
    marks: dict[str, list[int]] = {}
    cues: dict[str, list[str]] = {}
    reach, ahead = 1, 0
    for rule in rules:
        units.append(len(rule.clauses))
        reach = max(reach, rule.reach)
        for clause in rule.clauses:
            ahead = max(ahead, clause.ahead)
            for word in clause.anchors:
                if clause.marks:
                    marks.setdefault(word, []).append(first)
                else:
                    words.setdefault(word, []).append([first, 0 if clause.exact else clause.back + clause.ahead + 1])
            first += 1
        if rule.detector == CUES:
            for word in rule.keywords:
                cues.setdefault(collapse(word).strip(), []).append(word)
                words.setdefault(collapse(word).strip(), [])
    order = sorted(words, key=rank)
    users = [" ".join(f"{number}:{span}" for number, span in words[word]) for word in order]
    return Index(units, order, users, heads_of(order), marks, cues, reach, ahead)


def heads_of(words: Sequence[str]) -> list[tuple[str, int]]:
    """The first characters (`HEAD` of them) of words in the order of `rank`, and which word is the first to have them.

    Those words follow one another. A short text has few of the heads, and no word whose head it has not.
    """
    groups = [(head, sum(1 for _ in same)) for head, same in groupby(words, lambda word: word[:HEAD])]
    firsts = accumulate((count for _, count in groups), initial=0)
    return [(head, first) for (head, _), first in zip(groups, firsts, strict=False)]


def read_users(written: str) -> tuple[tuple[int, int], ...]:
    """The units of an anchor: their numbers, and how far apart two anchors may be to be looked at together (0: not)."""
    pairs = (each.partition(":") for each in written.split())
    return tuple((int(number), int(span)) for number, _, span in pairs)


# A node of the automaton tries its children in the order in which they were added: the commonest letters first.
_COMMON = " etaoinsrhldcumfpgwybvkxjqz"
_RANKS = {char: number for number, char in enumerate(_COMMON)}


def rank(word: str) -> list[int]:
    """What to sort words by before they are added to an automaton."""
    return [_RANKS.get(char, len(_COMMON) + ord(char)) for char in word]
