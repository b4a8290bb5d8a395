"""Marks that every match of a pattern holds near its beginning: most prose has none of them there."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import exp
from typing import Any

from inkgate.match.collapse import is_word
from inkgate.match.literals import REPEATS, Node, group

__all__ = ["signs"]

_RATES = {
    **dict.fromkeys(".,-", 0.012), "`": 0.008, **dict.fromkeys(":/*'", 0.006), **dict.fromkeys("\"()_", 0.004),
    **dict.fromkeys("[]|", 0.003), **dict.fromkeys("=#<>", 0.002),
}  # fmt: skip
"""How often a mark stands in a text about software, per character, roughly."""
_OTHER = 0.001
_LIKELY = 0.7
"""A condition that is met more often than this spares too little."""
_MOST = 8

Sign = tuple[frozenset[str], int]
"""Marks, one of which is there, and within how many characters from the beginning."""


def signs(nodes: Iterable[Node], width: Callable[[Iterable[Node]], int], known: int = 0) -> tuple[str, int]:
    """The marks that say most about a concatenation, and within how many characters they stand; none: `("", 0)`.

    Args:
        nodes: of the standard library's syntax tree of a pattern.
        width: gives the most characters that some nodes match.
        known: characters from the beginning that are known to be there, so that marks among them say nothing.
    """
    best = _best(sign for sign in _signs(nodes, width) if sign[1] > known)
    if best is None or _chance(best) > _LIKELY:
        return "", 0
    return "".join(sorted(best[0])), best[1]


def _chance(sign: Sign) -> float:
    return 1 - exp(-sign[1] * sum(_RATES.get(char, _OTHER) for char in sign[0]))


def _best(found: Iterable[Sign]) -> Sign | None:
    return min(found, key=lambda sign: (_chance(sign), sorted(sign[0])), default=None)


def _signs(nodes: Iterable[Node], width: Callable[[Iterable[Node]], int]) -> list[Sign]:
    found: list[Sign] = []
    position = 0
    for node in nodes:
        found += [(chars, position + end) for chars, end in _of_node(node, width)]
        position += width([node])
    return found


def _of_node(node: Node, width: Callable[[Iterable[Node]], int]) -> list[Sign]:
    name, argument = str(node[0]), node[1]
    if name == "LITERAL":
        return [(frozenset(chr(argument)), 1)] if _mark(argument) else []
    if name == "IN":
        plain = all(str(kind) == "LITERAL" and _mark(code) for kind, code in argument)
        return [(frozenset(chr(code) for _, code in argument), 1)] if plain and len(argument) <= _MOST else []
    if name in REPEATS:
        return _signs(argument[2], width) if argument[0] >= 1 else []
    if name == "BRANCH":
        best = [_best(_signs(alternative, width)) for alternative in argument[1]]
        told = [sign for sign in best if sign is not None]
        chars = frozenset[str]().union(*(sign[0] for sign in told))
        return [(chars, max(sign[1] for sign in told))] if len(told) == len(best) and len(chars) <= _MOST else []
    if name == "ASSERT":  # what must follow, seen from here; what must stand before says nothing of the match
        return _signs(argument[1], width) if argument[0] > 0 else []
    return _signs(group(node) or (), width)


def _mark(code: Any) -> bool:  # noqa: ANN401 - the parser's tree has no types
    return 32 < code < 127 and not is_word(chr(code))
