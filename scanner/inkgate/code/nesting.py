"""Whether Python source can be handed to the parser: how deep it nests, told without parsing it.

The parser of CPython recurses. It guards itself against most hostile nesting with an error, but not on every version
and not with every stack size, so what nests deeper than people write is not given to it.
"""

from __future__ import annotations

import re

__all__ = ["MAX_BRACKETS", "MAX_CHAIN", "too_deep"]

MAX_BRACKETS = 90
"""Open brackets at one place; the tokenizer of CPython refuses 200."""

MAX_CHAIN = 1200
"""Operators, attributes and calls in one expression, which become that many levels of the tree."""

_TOKEN = re.compile(
    r"""[-'"\#(\[{)\]}\n,;+*/%&|^~@.<>nNaAoOiI\u0131eElL](?:
    (?P<string>(?<=')''|(?<=")"")|(?P<quote>(?<=['"]))|(?P<comment>(?<=\#)[^\n]*)|(?P<open>(?<=[(\[{]))
    |(?P<close>(?<=[)\]}]))|(?P<line>(?<=\n))|(?P<stop>(?<=[,;]))|(?P<chain>(?<=\*)\*|(?<=/)/|(?<=[-+*/%&|^~@.<>])
    |(?<!\w.)(?:(?<=n)ot|(?<=a)(?:nd|wait)|(?<=o)r|(?<=i)[fns]|(?<=e)l(?:se|if)|(?<=l)ambda)\b))""",
    re.VERBOSE | re.IGNORECASE,
)
"""One class first: the engine passes over all other characters at once. Where case is ignored, a dotless i is an i."""


def too_deep(source: str) -> bool:
    """Whether the source nests deeper than the limits of this module; one pass over it."""
    depth = chain = elifs = at = 0
    while (token := _TOKEN.search(source, at)) is not None:
        at, kind = token.end(), token.lastgroup
        if kind in ("string", "quote"):
            at = _string_end(source, at, token[0])
        elif kind == "open":
            depth += 1
            chain += 1
        elif kind == "close":
            depth = max(0, depth - 1)
        elif kind == "stop" or (kind == "line" and depth == 0):
            chain = 0
        elif kind == "chain":
            chain += 1
            elifs += token[0] == "elif"
        if depth > MAX_BRACKETS or chain > MAX_CHAIN or elifs > 4 * MAX_CHAIN:
            return True
    return _indentation(source) > MAX_BRACKETS


def _string_end(source: str, at: int, opening: str) -> int:
    """Where a string ends whose opening quotes end at `at`; an unclosed short one ends with its line."""
    quote = opening[-3:] if len(opening) >= 3 else opening[-1]
    line = source.find("\n", at) if len(quote) == 1 else -1
    while True:
        end = source.find(quote, at)
        while line >= 0 and (end < 0 or line < end):
            if source[line - 1] != "\\":
                return line
            line = source.find("\n", line + 1)
        if end < 0:
            return len(source)
        slashes = 0
        while end - slashes - 1 >= at and source[end - slashes - 1] == "\\":
            slashes += 1
        if slashes % 2 == 0:
            return end + len(quote)
        at = end + 1


def _indentation(source: str) -> int:
    """Levels of the deepest indented line, taking one blank for a level where there is no telling."""
    levels: list[int] = [0]
    deepest = 0
    for line in source.splitlines():
        width = len(line) - len(line.lstrip(" \t"))
        if width == len(line):
            continue
        while levels[-1] > width:
            levels.pop()
        if levels[-1] < width:
            levels.append(width)
        deepest = max(deepest, len(levels))
    return deepest
