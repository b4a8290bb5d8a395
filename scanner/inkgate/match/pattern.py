"""From the pattern language of the packs to a `regex` pattern for the folded view.

Three things are added to plain regular expressions: `{name}` stands for a word list of the pack, `{gap:N}` for a
separator and at most N further words, `{s}` for a separator. Non-ASCII literals go through the same fold as the text,
so a rule is written in plain Russian, Chinese or Arabic and still matches its look-alikes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from inkgate.match.literals import parse_pattern
from inkgate.text.fold import pattern_chars

__all__ = ["PatternError", "bare_keyword", "expand", "keyword_variants", "keywords_of", "max_width"]

SEPARATOR = r"[\W_]{1,12}"
"""Between two words: blanks, line ends, quotes, emphasis, list marks; bounded, so that it cannot run away."""

_WORD = r"[^\W_]{1,32}"
_OPENING = r"(?<![^\W_])"
_BOUNDARY = r"(?:(?<![^\W_])(?=[^\W_])|(?<=[^\W_])(?![^\W_]))"
"""A word boundary for which an underscore is a mark like others: `_all_` is emphasis, `ignore_all` two words."""

_BEFORE_WORD = re.compile(r"(?:\((?:\?:|\?P<\w+>)?)*[^\W_]")
_MACRO = re.compile(r"\\.|\{([a-z][a-z0-9_]*)(?::(\d{1,2}))?\}", re.DOTALL)
_UPPER = re.compile(r"\(\?P?[<&=!'][^>)]*[>)]?|\\[pP]\{[^}]*\}|\\.|\(\?[A-Za-z-]+[:)]|([A-Z])")
_META = frozenset("\\.^$*+?{}[]|()")
_QUANTIFIED = re.compile(r"(?:[*?]|\{0,?\d*\})")
MIN_KEYWORD = 3


class PatternError(ValueError):
    """A pattern, class or keyword of a pack cannot be used; the message says why."""


def _gap(count: int) -> str:
    return f"{SEPARATOR}(?:{_WORD}{SEPARATOR}){{0,{count}}}?"


def _class_pattern(items: Sequence[str]) -> str:
    return "(?:" + "|".join(re.sub(r"(?<!\\) +", lambda _: SEPARATOR, item) for item in items) + ")"


def expand(pattern: str, classes: Mapping[str, Sequence[str]], *, folded: bool) -> str:
    """The `regex` pattern for a rule.

    Args:
        pattern: as written in the pack.
        classes: the word lists that `{name}` may name; an item may use further macros.
        folded: whether it runs on the lower-cased view; then a literal upper-case letter could never match.

    Raises:
        PatternError: an unknown macro, a literal that cannot be folded, or an upper-case literal.
    """
    expanded = _macros(pattern, classes, ())
    result = _fold_literals(expanded)
    if folded:
        result = _boundaries(result)
        for match in _UPPER.finditer(result):
            if match[1]:
                raise PatternError(f"upper-case {match[1]!r} can never match the lower-cased view")
    return result


def _macros(pattern: str, classes: Mapping[str, Sequence[str]], inside: tuple[str, ...]) -> str:
    def one(match: re.Match[str]) -> str:
        name, count = match[1], match[2]
        if name is None:
            return match[0]
        if name == "gap":
            return _gap(int(count or 0))
        if name == "s" and count is None:
            return f"(?:{SEPARATOR})"  # a group, so that `{s}?` is an optional one and not a lazy one
        if name not in classes or count is not None:
            raise PatternError(f"unknown macro {match[0]}")
        if name in inside:
            raise PatternError(f"class {name!r} contains itself")
        return _macros(_class_pattern(classes[name]), classes, (*inside, name))

    return _MACRO.sub(one, pattern)


def _boundaries(pattern: str) -> str:
    r"""Replace each `\b` by a boundary that takes the underscore for a mark."""
    out: list[str] = []
    for index, sign, in_class in _signs(pattern):
        if sign != r"\b" or in_class:
            out.append(sign)
        elif (index == 0 or pattern[index - 1] in "(|:") and _BEFORE_WORD.match(pattern, index + 2):
            out.append(_OPENING)
        else:
            out.append(_BOUNDARY)
    return "".join(out)


def _signs(pattern: str) -> Iterator[tuple[int, str, bool]]:
    """Each sign of a pattern with its place: an escape whole, and whether a class of characters is open behind it."""
    index, in_class = 0, False
    while index < len(pattern):
        sign = pattern[index : index + 2] if pattern[index] == "\\" else pattern[index]
        if sign == "[":
            in_class = True
        elif sign == "]":
            in_class = False
        yield index, sign, in_class
        index += len(sign)


def _fold_literals(pattern: str) -> str:
    """Replace each non-ASCII literal by what the fold makes of it, keeping the pattern's structure."""
    if pattern.isascii():
        return pattern
    return "".join(
        sign if sign.isascii() or sign[0] == "\\" else _literal(sign, in_class=in_class)
        for _, sign, in_class in _signs(pattern)
    )


def _literal(char: str, *, in_class: bool) -> str:
    options = [option for option in pattern_chars(char) if option]
    if not options:
        return ""
    if in_class:
        if any(len(option) > 1 for option in options):
            raise PatternError(f"{char!r} folds to several letters and cannot stand in a character class")
        return "".join(_escape(option) for option in options)
    if len(options) == 1:
        return f"(?:{_escape(options[0])})" if len(options[0]) > 1 else _escape(options[0])
    return "(?:" + "|".join(_escape(option) for option in options) + ")"


def _escape(text: str) -> str:
    return "".join("\\" + char if char in _META or char in "-^" else char for char in text)


def keywords_of(entry: str, classes: Mapping[str, Sequence[str]]) -> list[str]:
    """Literals, each inside every match of `entry` or of one item of the class that it names.

    Raises:
        PatternError: an unknown class, or an item without a literal of three characters (two outside ASCII).
    """
    named = re.fullmatch(r"\{([a-z][a-z0-9_]*)\}", entry)
    if named is None:
        return [entry]
    if named[1] not in classes:
        raise PatternError(f"unknown class in keyword {entry}")
    found: list[str] = []
    for item in classes[named[1]]:
        inner = re.fullmatch(r"\{([a-z][a-z0-9_]*)\}", item)
        found += keywords_of(item, classes) if inner else [_longest_literal(item)]
    return found


def _longest_literal(item: str) -> str:
    """The longest run of plain letters, digits, hyphens or apostrophes that every match of the fragment contains."""
    depth, runs, current, index = 0, [], "", 0
    if re.search(r"\|", re.sub(r"\\.|\((?:[^()\\]|\\.)*\)|\[[^\]]*\]", "", item)):
        raise PatternError(f"class item {item!r} has a bare '|': write two items")
    while index < len(item):
        char = item[index]
        if char == "\\":
            index += 2
            runs.append(current)
            current = ""
            continue
        if char == "[":
            closing = item.find("]", index + 2)
            index = closing if closing > 0 else len(item)
            runs.append(current)
            current = ""
        elif char in "()":
            depth += 1 if char == "(" else -1
            runs.append(current)
            current = ""
        elif depth == 0 and (char.isalnum() or char in "-'_"):
            following = item[index + 1 :]
            if _QUANTIFIED.match(following):
                runs.append(current)
                current = ""
            else:
                current += char
        else:
            runs.append(current)
            current = ""
        index += 1
    runs.append(current)
    best = max(runs, key=len)
    if len(best) < (MIN_KEYWORD if best.isascii() else 2):
        raise PatternError(f"class item {item!r} holds no literal to look for: add explicit keywords")
    return best


def bare_keyword(keyword: str) -> str:
    """The part of a keyword that holds whatever separates its words: a line break or `**` may stand for its blank.

    The longest of its words, without the blanks; the keyword itself where none of them is long enough to look for.
    """
    words = keyword.split()
    best = max(words, key=len, default=keyword) if len(words) > 1 else keyword
    return best if len(best) >= (MIN_KEYWORD if best.isascii() else 2) else keyword


def keyword_variants(keyword: str) -> set[str]:
    """What the fold can make of a keyword written in lower, title or upper case."""
    if keyword.isascii():
        return {keyword.lower()}
    from inkgate.text.fold import fold

    return {fold(form).lower for form in (keyword.lower(), keyword.upper(), keyword.title(), keyword)} - {""}


def max_width(pattern: str) -> int | None:
    """Longest possible match in characters, or None when the standard parser does not know the syntax."""
    tree = parse_pattern(pattern)
    return None if tree is None else int(tree.getwidth()[1])
