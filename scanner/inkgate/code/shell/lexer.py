"""A shell script as words and operators with their places (POSIX 2.3, and what bash adds).

Not a shell: nothing is run. Continued lines are joined, quotes are taken off, here-documents are read; substitutions
stay in the word as they are written and are also given by their places, so that they can be read as scripts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

__all__ = ["Token", "tokens"]

_OPERATOR = re.compile(r"<<<|<<-|&>>|<\(|>\(|<<|>>|>\||&>|>&|<&|<>|&&|\|\||\|&|;;|[|&;()<>]")
_PLAIN = re.compile(r"[^\s\\'\"`$<>&|;()]+")
_VARIABLE = re.compile(r"\$(?:\{([!#]?)(\w{1,200})([^}\n]{0,200})\}|(\w{1,200})|[@*#?$!-])")
_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|0?([0-7]{1,3})|(.))", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "e": "\x1b"}


@dataclass(slots=True)
class Token:
    """A word or an operator.

    Attributes:
        text: the word without quotes, with variables and substitutions as written; or the operator.
        start: offset in the script.
        end: offset just past it.
        operator: whether it is an operator; a line end is `;`.
        inner: places of the scripts in command and process substitutions.
        variables: names of expanded variables.
        spelled: whether the word is spelled with escapes or slices of variables that hide its letters.
        single: whether it is one single-quoted stretch, so that offsets inside it are those of the script.
        body: text of the here-document that an operator brings.
        body_start: where that text begins.
    """

    text: str
    start: int
    end: int
    operator: bool = False
    inner: list[tuple[int, int]] = field(default_factory=list)
    variables: list[str] = field(default_factory=list)
    spelled: bool = False
    single: bool = False
    body: str = ""
    body_start: int = 0


class _Word:
    """A word being read."""

    def __init__(self, start: int) -> None:
        self.token = Token("", start, start)
        self.parts: list[str] = []

    def done(self, script: str, end: int) -> Token:
        token = self.token
        token.text, token.end = "".join(self.parts), end
        raw = script[token.start : min(end, token.start + 2)]
        token.single = (
            raw[:1] == "'"
            and script[end - 1] == "'"
            and token.text.count("'") == 0
            and len(token.text) == end - token.start - 2
        )
        return token


def tokens(script: str) -> list[Token]:
    """Every word and operator, in order; an unclosed quote ends with the text."""
    out: list[Token] = []
    waiting: list[int] = []  # places in `out` of here-documents whose text begins at the next line
    word: _Word | None = None
    at, size = 0, len(script)
    while at < size:
        char = script[at]
        if char == "\\" and script[at + 1 : at + 2] in ("\n", "\r"):
            at += 3 if script[at + 1 : at + 3] == "\r\n" else 2
            continue
        if char not in " \t\r\n<>&|;()" and not (char == "#" and word is None):
            word = word or _Word(at)
            at = _piece(script, at, word)
            continue
        operator = _OPERATOR.match(script, at)
        if operator is not None and operator[0] in ("<(", ">("):
            word = word or _Word(at)
            at = _substitution(script, at + 1, word, at)
            continue
        if word is not None:
            out.append(word.done(script, at))
            word = None
        if char == "#":
            end = script.find("\n", at)
            at = size if end < 0 else end
        elif operator is not None:
            out.append(Token(operator[0], at, operator.end(), operator=True))
            at = operator.end()
            if operator[0] in ("<<", "<<-"):
                waiting.append(len(out) - 1)
        else:
            at += 1
            if char == "\n":
                out.append(Token(";", at - 1, at, operator=True))
                at = _documents(script, at, waiting, out)
    if word is not None:
        out.append(word.done(script, size))
    return out


def _piece(script: str, at: int, word: _Word) -> int:
    """Read the next part of a word; the position behind it."""
    char = script[at]
    if char == "\\":
        word.parts.append(script[at + 1 : at + 2])
        word.token.spelled |= script[at + 1 : at + 2].isalpha()
        return at + 2
    if char == "'":
        end = script.find("'", at + 1)
        end = len(script) if end < 0 else end
        word.parts.append(script[at + 1 : end])
        return min(end + 1, len(script))
    if char == '"':
        return _double(script, at + 1, word)
    if char == "`":
        end = script.find("`", at + 1)
        end = len(script) if end < 0 else end
        word.token.inner.append((at + 1, end))
        word.parts.append(script[at : end + 1])
        return min(end + 1, len(script))
    if char == "$":
        return _dollar(script, at, word)
    plain = _PLAIN.match(script, at)
    end = plain.end() if plain else at + 1
    word.parts.append(script[at:end])
    return end


def _dollar(script: str, at: int, word: _Word) -> int:
    if script.startswith("$(", at):
        return _substitution(script, at + 1, word, at)
    if script.startswith("$'", at):
        end = at + 2
        while end < len(script) and script[end] != "'":
            end += 2 if script[end] == "\\" else 1
        word.token.spelled |= "\\x" in script[at:end] or "\\0" in script[at:end]
        word.parts.append(_ESCAPE.sub(_unescaped, script[at + 2 : end]))
        return min(end + 1, len(script))
    if script.startswith('$"', at):
        return _double(script, at + 2, word)
    variable = _VARIABLE.match(script, at)
    if variable is None:
        word.parts.append("$")
        return at + 1
    name = variable[2] or variable[4] or ""
    if name:
        word.token.variables.append(name)
        more = variable[3] or ""
        word.token.spelled |= more[:1] == ":" and more[1:2].strip().isdigit()
    word.parts.append(f"${{{name}}}" if name and not variable[3] and not variable[1] else variable[0])
    return variable.end()


def _unescaped(hit: re.Match[str]) -> str:
    digits = hit[1] or hit[2]
    if digits or hit[3]:
        return chr(int(digits, 16) if digits else int(hit[3], 8))
    return _SIMPLE.get(hit[4], hit[4])


def _double(script: str, at: int, word: _Word) -> int:
    size = len(script)
    while at < size and script[at] != '"':
        char = script[at]
        if char == "\\":
            word.parts.append(
                "" if script[at + 1 : at + 2] == "\n" else script[at + (script[at + 1 : at + 2] in '\\"$`') : at + 2]
            )
            at += 2
        elif char in "$`" and not script.startswith(("$'", '$"'), at):
            at = _piece(script, at, word)
        else:
            end = at + 1
            while end < size and script[end] not in '"\\$`':
                end += 1
            word.parts.append(script[at:end])
            at = end
    return min(at + 1, size)


def _substitution(script: str, at: int, word: _Word, begin: int) -> int:
    """Read a `$(…)` or `<(…)` whose bracket is at `at`; quotes inside are respected."""
    depth, place, size = 0, at, len(script)
    while place < size:
        char = script[place]
        if char == "\\":
            place += 1
        elif char == "'":
            end = script.find("'", place + 1)
            place = size if end < 0 else end
        elif char == "(":
            depth += 1
        elif char == ")":
            depth -= 1
            if depth == 0:
                break
        place += 1
    word.token.inner.append((at + 1, min(place, size)))
    word.parts.append(script[begin : place + 1])
    return min(place + 1, size)


def _documents(script: str, at: int, waiting: list[int], out: list[Token]) -> int:
    """Read the bodies of the here-documents that begin at a line; the position behind them."""
    for place in waiting:
        token = out[place]
        mark = out[place + 1].text if place + 1 < len(out) else ""
        start, size = at, len(script)
        while at < size:
            end = script.find("\n", at)
            end = size if end < 0 else end
            row = script[at:end].rstrip("\r")
            if (row.lstrip("\t") if token.text == "<<-" else row) == mark:
                token.body, token.body_start = script[start:at], start
                at = min(end + 1, size)
                break
            at = min(end + 1, size)
        else:
            token.body, token.body_start = script[start:], start
    waiting.clear()
    return at
