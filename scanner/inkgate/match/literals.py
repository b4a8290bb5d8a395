"""What every match of a pattern must contain, found by reading the pattern.

A rule's keywords say where it could match. Most patterns demand more than one word ("drop ... rules"): the other words
found here must stand within reach too before the pattern is tried, which spares nearly all searches. Every set returned
is a proven condition: a match without one of its literals is not possible, so leaving one out costs time, never a find.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

__all__ = ["required_sets", "start_set"]

_LEAST = 3
_MOST = 400
# Words so common that waiting for them spares nothing.
_COMMON = frozenset(
    """
    about after also and any are been before both but can could does each even every file files for from have here
    into its just like make more most must need new not note now only other out over same should some such that
    the their them then there these they this those user users use used using very want was well were what when
    where which while who will with without would you your always never
    """.split()  # noqa: SIM905 - a list of a hundred quoted words is harder to read
)


def required_sets(pattern: str) -> list[frozenset[str]]:
    """Sets of lower-case literals; every match of the pattern contains a literal of each set.

    Args:
        pattern: an expanded pattern. One that the standard library's parser cannot read gives no sets.
    """
    found: list[frozenset[str]] = []
    for option in _sequence(parse_pattern(pattern) or ()):
        if _useful(option) and option not in found:
            found.append(option)
    return found


def start_set(pattern: str) -> frozenset[str]:
    """Lower-case literals; every match of the pattern begins with one of them. Empty when there is no such set.

    Args:
        pattern: an expanded pattern.
    """
    tree = parse_pattern(pattern)
    kept: list[str] = []
    for text in sorted({text.lower() for text, _ in _starts(tree)} if tree is not None else ()):
        if not kept or not text.startswith(kept[-1]):  # in sorted order a prefix stands just before what it begins
            kept.append(text)
    return frozenset(kept) if 0 < len(kept) <= _MOST and min(map(len, kept)) >= _SHORTEST_START else frozenset()


@lru_cache(maxsize=2)
def parse_pattern(pattern: str) -> Any | None:  # noqa: ANN401 - the parser's tree has no types
    """The standard library's syntax tree of a pattern, or None when it does not know the syntax."""
    try:
        from re import _parser  # type: ignore[attr-defined]

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the standard parser warns of set syntax that `regex` reads as written
            return _parser.parse(pattern)
    except (re.error, ImportError, OverflowError, RecursionError):
        return None


Starts = list[tuple[str, bool]]
"""Possible beginnings: the characters, and whether what follows the expression follows them directly."""

_LONGEST_START = 12
_SHORTEST_START = 2


def _starts(nodes: Iterable[tuple[Any, Any]]) -> Starts:
    done: Starts = []
    going = [""]
    for kind, argument in nodes:
        options = _node_starts(str(kind), argument)
        if options is None:
            continue
        longer = [(begin + text, more) for begin in going for text, more in options]
        done += [(text[:_LONGEST_START], False) for text, more in longer if not more or len(text) >= _LONGEST_START]
        going = list(dict.fromkeys(text for text, more in longer if more and len(text) < _LONGEST_START))
        if not going:
            break
        if len(going) + len(done) > _MOST:
            return [*done, *((text, False) for text in going)]
    return list(dict.fromkeys([*done, *((text, True) for text in going)]))


def _node_starts(name: str, argument: Any) -> Starts | None:  # noqa: ANN401
    """What one part can begin with; None for a part of no width."""
    if name == "LITERAL":
        return [(chr(argument), True)]
    if name in ("AT", "ASSERT", "ASSERT_NOT"):
        return None
    if name == "IN":
        return _set_starts(argument)
    if name == "SUBPATTERN":
        return _starts(argument[3])
    if name == "ATOMIC_GROUP":
        return _starts(argument)
    if name == "BRANCH":
        return [option for alternative in argument[1] for option in _starts(alternative)]
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        least, most, inner = argument
        options = [(text, more and most == 1) for text, more in _starts(inner)]
        return [*options, ("", True)] if least == 0 else options
    return [("", False)]


def _set_starts(items: Sequence[tuple[Any, Any]]) -> Starts:
    chars: list[str] = []
    for kind, argument in items:
        if str(kind) == "LITERAL":
            chars.append(chr(argument))
        elif str(kind) == "RANGE" and argument[1] - argument[0] < 10:
            chars += map(chr, range(argument[0], argument[1] + 1))
        else:
            return [("", False)]
    return [(char, True) for char in chars] if len(chars) <= 10 else [("", False)]


def _useful(option: frozenset[str]) -> bool:
    return len(option) <= _MOST and not any(
        len(word) < (_LEAST if word.isascii() else 2) or word.strip() in _COMMON for word in option
    )


def _sequence(nodes: Iterable[tuple[Any, Any]]) -> list[frozenset[str]]:
    """Conditions of a concatenation: those of each of its parts."""
    options: list[frozenset[str]] = []
    run: list[str] = []

    def flush() -> None:
        if run:
            options.append(frozenset(("".join(run).lower(),)))
            run.clear()

    for kind, argument in nodes:
        name = str(kind)
        if name == "LITERAL":
            run.append(chr(argument))
            continue
        if name == "SUBPATTERN":
            inner = list(argument[3])
            if all(str(item[0]) == "LITERAL" for item in inner):
                run.extend(chr(item[1]) for item in inner)
                continue
        flush()
        options += _node(name, argument)
    flush()
    return options


def _node(name: str, argument: Any) -> list[frozenset[str]]:  # noqa: ANN401 - the parser's tree has no types
    if name == "SUBPATTERN":
        return _sequence(argument[3])
    if name == "ATOMIC_GROUP":
        return _sequence(argument)
    if name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
        return _sequence(argument[2]) if argument[0] >= 1 else []
    if name == "BRANCH":
        return _branch(argument[1])
    return []


def _branch(alternatives: Sequence[Any]) -> list[frozenset[str]]:
    """As many conditions as the least demanding alternative has; each unites one condition of every alternative."""
    ranked = [
        sorted(filter(_useful, _sequence(alternative)), key=lambda option: (-min(map(len, option)), sorted(option)))
        for alternative in alternatives
    ]
    return [frozenset().union(*options) for options in zip(*ranked, strict=False)]
