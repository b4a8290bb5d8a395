"""Patterns as the standard library's parser reads them: what their parts begin with, literally or in collapsed text."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Any

from inkgate.match.collapse import collapse

__all__ = [
    "REPEATS", "Known", "Literals", "Node", "begins", "fewest", "group", "is_separator", "joined", "least",
    "parse_pattern", "start_set", "text_of",
]  # fmt: skip

_MOST = 600
_EXPLODES = 10_000
_GROUP = re.compile(r"(?<!\\)\(\?P<(\w+)>")
REPEATS = ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT")
"""Names of the nodes that repeat something."""

Node = tuple[Any, Any]
Literals = frozenset[str]


def start_set(pattern: str) -> Literals:
    """Lower-case literals; every match of the pattern begins with one of them. Empty when there is no such set.

    Args:
        pattern: an expanded pattern.
    """
    tree = parse_pattern(pattern)
    starts = begins(list(tree), {}, lengths=_LENGTHS[1:]) if tree is not None else frozenset()
    return starts if min(map(len, starts), default=0) >= _SHORTEST_START else frozenset()


@lru_cache(maxsize=2)
def parse_pattern(pattern: str) -> Any | None:  # noqa: ANN401 - the parser's tree has no types
    """The standard library's syntax tree of a pattern, or None when it does not know the syntax.

    Alternatives may share the name of a group, which only `regex` allows: to the reader the second one has no name.
    """
    named: set[str] = set()

    def once(found: re.Match[str]) -> str:
        name = found[1]
        if name in named:
            return "(?:"
        named.add(name)
        return found[0]

    pattern = _GROUP.sub(once, pattern)
    try:
        from re import _parser  # type: ignore[attr-defined]

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the standard parser warns of set syntax that `regex` reads as written
            return _parser.parse(pattern, re.MULTILINE)
    except (re.error, ImportError, OverflowError, RecursionError):
        return None


def group(node: Node) -> list[Node] | None:
    """What is inside a group that is always there, once; None for other nodes."""
    name, argument = str(node[0]), node[1]
    if name == "SUBPATTERN":
        return list(argument[3])
    if name == "ATOMIC_GROUP":
        return list(argument)
    return None


def joined(left: str, right: str) -> str:
    """Two rows of collapsed text, one behind the other."""
    return left + (right[1:] if left[-1:] == " " and right[:1] == " " else right)


@cache
def _char(code: int) -> str:
    return collapse(chr(code).lower())


def text_of(node: Node) -> str:
    """The collapsed characters of a node that always gives the same."""
    name, argument = str(node[0]), node[1]
    if name == "LITERAL":
        return _char(argument)
    if is_separator(node):
        return " "
    if _is_border(node):
        return " "
    inner = group(node)
    if not inner:
        return ""
    whole = ""
    for item in inner:
        text = text_of(item)
        if not text:
            return ""
        whole = joined(whole, text)
    return whole


def _is_border(node: Node) -> bool:
    """Whether a node of no width asks for an end of a word on one of its sides, at least."""
    name, argument = str(node[0]), node[1]
    if name == "AT":
        return str(argument) in ("AT_BOUNDARY", "AT_BEGINNING", "AT_END")
    if name == "ASSERT_NOT":
        inside = list(argument[1])
        items = [(str(kind), str(value)) for kind, value in inside[0][1]] if str(inside[0][0]) == "IN" else []
        return len(inside) == 1 and items in _EVERY_WORD
    if name == "BRANCH":
        return all(
            all(str(item[0]) in ("AT", "ASSERT", "ASSERT_NOT") for item in alternative)
            and any(map(_is_border, alternative))
            for alternative in argument[1]
        )
    inner = group(node)
    return bool(inner) and all(map(_is_border, inner or ()))


_EVERY_WORD = (
    [("CATEGORY", "CATEGORY_WORD")],
    [("NEGATE", "None"), ("CATEGORY", "CATEGORY_NOT_WORD"), ("LITERAL", "95")],
)
_NO_WORD = ("CATEGORY_NOT_WORD", "CATEGORY_SPACE")


def is_separator(node: Node) -> bool:
    """Whether a node gives one character at least, and none of a word."""
    name, argument = str(node[0]), node[1]
    if name in REPEATS:
        return argument[0] >= 1 and all(map(is_separator, argument[2]))
    if name == "LITERAL":
        return _char(argument) == " "
    if name == "IN":
        return all(
            (str(kind) == "LITERAL" and _char(value) == " ") or (str(kind) == "CATEGORY" and str(value) in _NO_WORD)
            for kind, value in argument
        )
    inner = group(node)
    return bool(inner) and all(map(is_separator, inner or ()))


def fewest(node: Node) -> int:
    """Of how many word characters a node consists, at least."""
    name, argument = str(node[0]), node[1]
    if name == "LITERAL":
        return 0 if _char(argument) == " " else 1
    if name == "IN":
        plain = all(str(kind) == "LITERAL" and _char(value) != " " for kind, value in argument)
        return 1 if plain else 0
    if name == "BRANCH":
        return min(sum(map(fewest, alternative)) for alternative in argument[1])
    if name in REPEATS:
        return int(argument[0]) * sum(map(fewest, argument[2]))
    return sum(map(fewest, group(node) or ()))


def least(words: Iterable[str]) -> Literals:
    """The literals without those that contain another one."""
    kept: list[str] = []
    for word in sorted(set(words), key=lambda word: (len(word), word)):
        if not any(other in word for other in kept):
            kept.append(word)
    return frozenset(kept)


Starts = list[tuple[str, bool]]
"""Possible beginnings: the characters, and whether what follows the expression follows them directly."""

Known = dict[Any, Any]
"""What was found out about nodes, by their identity."""

_LENGTHS = (24, 12, 6)
"""Characters of the longest beginnings that are told apart; the next length where there are too many."""
_SHORTEST_START = 2


def begins(
    nodes: Sequence[Node],
    known: Known,
    *,
    words: bool = False,
    cased: bool = False,
    lengths: Sequence[int] = _LENGTHS,
) -> Literals:
    """What a concatenation begins with, as exactly as can be said with few literals."""
    for longest in lengths:
        found = _prefix_free(_starts(nodes, longest, known, words=words), cased=cased)
        if found:
            return found
    return frozenset()


def _prefix_free(starts: Starts, *, cased: bool = False) -> Literals:
    kept: list[str] = []
    for text in sorted({text if cased else text.lower() for text, _ in starts}):
        if not kept or not text.startswith(kept[-1]):  # in sorted order a prefix stands just before what it begins
            kept.append(text)
    return frozenset(kept) if 0 < len(kept) <= _MOST and kept[0].strip() else frozenset()


def _starts(nodes: Iterable[Node], longest: int, known: Known, *, words: bool = False) -> Starts:
    """How a concatenation can begin: in the collapsed text, or in the text as it is."""
    done: Starts = []
    going = [""]
    for node in nodes:
        key = id(node), longest, words
        if key not in known:
            known[key] = (
                _node_starts(node, longest, known, words=words),
                node,
            )  # which is kept, and its identity with it
        options = known[key][0]
        if options is None:
            continue
        join = joined if words else str.__add__
        if len(going) * len(options) > _EXPLODES:
            return [*done, *((text, False) for text in going)]
        longer = [(join(begin, text), more) for begin in going for text, more in options]
        done += [(text[:longest], False) for text, more in longer if not more or len(text) >= longest]
        going = list(dict.fromkeys(text for text, more in longer if more and len(text) < longest))
        if not going:
            break
        if len(going) + len(done) > _MOST:
            return [*done, *((text, False) for text in going)]
    return list(dict.fromkeys([*done, *((text, True) for text in going)]))


def _node_starts(node: Node, longest: int, known: Known, *, words: bool) -> Starts | None:
    """What one part can begin with; None for a part of no width."""
    name, argument = str(node[0]), node[1]
    if words and (text := text_of(node)):
        return [(text, True)]
    if name == "LITERAL":
        return [(chr(argument), True)]
    if name in ("AT", "ASSERT", "ASSERT_NOT"):
        return None
    if name == "IN":
        return _set_starts(argument, words=words)
    inner = group(node)
    if inner is not None:
        return _starts(inner, longest, known, words=words)
    if name == "BRANCH":
        return [option for alternative in argument[1] for option in _starts(alternative, longest, known, words=words)]
    if name in REPEATS:
        least, most, part = argument
        repeated = words and all(map(is_separator, part))
        options = [
            (text, more and (most == 1 or repeated)) for text, more in _starts(part, longest, known, words=words)
        ]
        return [*options, ("", True)] if least == 0 else options
    return [("", False)]


def _set_starts(items: Sequence[Node], *, words: bool) -> Starts:
    chars: list[str] = []
    for kind, argument in items:
        if str(kind) == "LITERAL":
            chars.append(chr(argument))
        elif str(kind) == "RANGE" and argument[1] - argument[0] < 10:
            chars += map(chr, range(argument[0], argument[1] + 1))
        elif words and str(kind) == "CATEGORY" and str(argument) in _NO_WORD:
            chars.append(" ")
        else:
            return [("", False)]
    options = list(dict.fromkeys(_char(ord(char)) if words else char for char in chars))
    return [(option, True) for option in options] if len(options) <= 10 else [("", False)]
