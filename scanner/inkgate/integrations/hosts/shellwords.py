"""A POSIX command line as simple commands with their redirections: enough to see what is written where.

Not a shell: nothing is run or expanded except `~`, and variables that the line itself sets or that name the user's
own folders. What cannot be told stays in the words as it is written, `$(…)` and backquotes included.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from inkgate.integrations.hosts.answer import RefusalError

__all__ = ["Command", "commands"]

_OPERATORS = (
    "<<<",
    "<<-",
    "&>>",
    "<<",
    ">>",
    ">|",
    "&>",
    ">&",
    "<&",
    "<>",
    "&&",
    "||",
    "|&",
    ";;",
    "|",
    "&",
    ";",
    "(",
    ")",
    "<",
    ">",
)
_OUTPUT = frozenset({">", ">>", ">|", "&>", "&>>", ">&", "<>"})
_VARIABLE = re.compile(r"\$(?:(\w+)|\{(\w+)\})", re.ASCII)
_OPEN = re.compile(r"\$[\w({*@#?!-]|`", re.ASCII)
_DOLLAR, _TICK = "\ufdd0", "\ufdd1"
_KNOWN = ("HOME", "HERMES_HOME", "CLAUDE_PROJECT_DIR", "CODEX_HOME", "XDG_CONFIG_HOME", "TMPDIR")
_SIMPLE_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\\": "\\", "'": "'", '"': '"', "0": "\0", "a": "\a", "b": "\b"}


@dataclass(slots=True)
class Command:
    """A simple command.

    Attributes:
        words: name and arguments, without their quotes.
        outputs: (append, path) for every file that its output goes to.
        given: text on its standard input that stands in the line itself (here-documents and here-strings).
        piped: whether its standard input is the output of the command before.
        loose: whether words or given text hold an expansion whose value is not known.
    """

    words: list[str] = field(default_factory=list)
    outputs: list[tuple[bool, str]] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    piped: bool = False
    loose: bool = False


@dataclass(slots=True)
class _Token:
    text: str
    operator: bool = False
    end: str = ""
    quoted: bool = False
    body: str = ""


def commands(line: str, environment: Mapping[str, str] | None = None) -> list[Command]:
    """Every simple command of a line or script, in order; an unclosed quote ends with the text.

    Raises:
        RefusalError: the line holds one of the two noncharacters that mark quoted characters here.
    """
    if _DOLLAR in line or _TICK in line:
        raise RefusalError("the command holds a character that no text may hold (U+FDD0 or U+FDD1)")
    variables = {name: value for name, value in (environment or os.environ).items() if name in _KNOWN}
    found: list[Command] = [Command()]
    tokens = iter(_tokens(line))
    for token in tokens:
        now = found[-1]
        if not token.operator:
            word = _expand(token.text, variables)
            name, equals, value = word.partition("=")
            if equals and not now.words and name.isidentifier():
                variables[name] = value
            now.loose |= bool(_OPEN.search(word))
            now.words.append(_plain(word))
        elif token.text in _OUTPUT or token.text in ("<", "<&"):
            target = _plain(_expand(next(tokens, _Token("")).text, variables))
            if now.words and now.words[-1].isdigit() and token.text in _OUTPUT:
                now.words.pop()
            if token.text in _OUTPUT and not target.isdigit() and target not in ("", "-", "/dev/null"):
                now.outputs.append((token.text.endswith(">>"), target))
        elif token.text in ("<<", "<<-", "<<<"):
            following = next(tokens, _Token("")).text
            text = f"{following}\n" if token.text == "<<<" else token.body
            text = _VARIABLE.sub(lambda hit: variables.get(hit[1] or hit[2], hit[0]), text)
            now.loose |= bool(_OPEN.search(text))
            now.given.append(_plain(text))
        else:
            found.append(Command(piped=token.text in ("|", "|&")))
    return [command for command in found if command.words or command.outputs or command.given]


def _expand(word: str, variables: Mapping[str, str]) -> str:
    word = _VARIABLE.sub(lambda hit: variables.get(hit[1] or hit[2], hit[0]), word)
    return os.path.expanduser(word) if word.startswith("~") else word  # noqa: PTH111 - a word, perhaps no path


def _quoted(text: str) -> str:
    """Mark what the shell leaves alone."""
    return text.replace("$", _DOLLAR).replace("`", _TICK)


def _plain(text: str) -> str:
    return text.replace(_DOLLAR, "$").replace(_TICK, "`")


def _tokens(line: str) -> list[_Token]:
    tokens: list[_Token] = []
    waiting: list[_Token] = []  # here-documents whose bodies begin at the next line
    word: list[str] | None = None
    at = 0
    while at < len(line):
        char = line[at]
        if char not in " \t\r\n<>&|;()" and not (char == "#" and word is None):
            text, at = _piece(line, at)
            word = [*(word or []), text]
            continue
        if word is not None:
            tokens.append(_Token("".join(word)))
            word = None
        if char == "#":
            end = line.find("\n", at)
            at = len(line) if end < 0 else end
        elif char in "<>&|;()":
            operator = next(each for each in _OPERATORS if line.startswith(each, at))
            tokens.append(_Token(operator, operator=True))
            at += len(operator)
            if operator in ("<<", "<<-"):
                at = _delimiter(line, at, tokens)
                waiting.append(tokens[-2])
        else:
            at += 1
            if char == "\n":
                tokens.append(_Token(";", operator=True))
                for token in waiting:
                    at = _document(line, at, token)
                waiting.clear()
    if word is not None:
        tokens.append(_Token("".join(word)))
    return tokens


def _delimiter(line: str, at: int, tokens: list[_Token]) -> int:
    """Read the word after `<<`; note in the operator's token how the here-document ends."""
    while at < len(line) and line[at] in " \t":
        at += 1
    start = at
    word: list[str] = []
    while at < len(line) and line[at] not in " \t\r\n<>&|;()":
        text, at = _piece(line, at)
        word.append(text)
    tokens[-1].end = _plain("".join(word))
    tokens[-1].quoted = any(char in line[start:at] for char in "\\'\"")
    tokens.append(_Token(tokens[-1].end))
    return at


def _document(line: str, at: int, token: _Token) -> int:
    """Read the body of a here-document, which begins at a position; the position behind it comes back."""
    body: list[str] = []
    while at < len(line):
        end = line.find("\n", at)
        end = len(line) if end < 0 else end
        row = line[at:end].lstrip("\t") if token.text == "<<-" else line[at:end]
        at = end + 1
        if row.rstrip("\r") == token.end:
            break
        body.append(f"{row}\n")
    token.body = _quoted("".join(body)) if token.quoted else "".join(body)
    return at


def _piece(line: str, at: int) -> tuple[str, int]:
    """The next part of a word: one quoted stretch, one escape, one substitution or one character."""
    char = line[at]
    if char == "\\":
        return ("" if line[at + 1 : at + 2] == "\n" else _quoted(line[at + 1 : at + 2])), at + 2
    if char == "'":
        end = line.find("'", at + 1)
        end = len(line) if end < 0 else end
        return _quoted(line[at + 1 : end]), end + 1
    if line.startswith("$'", at):
        return _ansi(line, at + 2)
    if char == '"':
        return _double(line, at + 1)
    if line.startswith("$(", at) or char == "`":
        end = _substitution_end(line, at)
        return line[at:end], end
    end = at + 1
    while end < len(line) and line[end] not in " \t\r\n\\'\"`$<>&|;()":
        end += 1
    return line[at:end], end


def _double(line: str, at: int) -> tuple[str, int]:
    out: list[str] = []
    while at < len(line) and line[at] != '"':
        if line[at] == "\\" and line[at + 1 : at + 2] in ("\\", '"', "$", "`", "\n"):
            out.append("" if line[at + 1] == "\n" else _quoted(line[at + 1]))
            at += 2
            continue
        end = at + 1
        while end < len(line) and line[end] not in '"\\':
            end += 1
        out.append(line[at:end])
        at = end
    return "".join(out), at + 1


def _ansi(line: str, at: int) -> tuple[str, int]:
    end = at
    while end < len(line) and line[end] != "'":
        end += 2 if line[end] == "\\" else 1
    return _quoted(unescape(line[at:end])), end + 1


_ESCAPE = re.compile(r"\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|0?([0-7]{1,3})|(.))", re.DOTALL)


def unescape(text: str) -> str:
    r"""Backslash escapes as `printf`, `echo -e` and `$'…'` take them."""

    def one(hit: re.Match[str]) -> str:
        digits = hit[1] or hit[2] or hit[3]
        if digits or hit[4]:
            code = int(digits, 16) if digits else int(hit[4], 8)
            return chr(code) if code <= 0x10FFFF else "\ufffd"
        return _SIMPLE_ESCAPES.get(hit[5], hit[0])

    return _ESCAPE.sub(one, text)


def _substitution_end(line: str, at: int) -> int:
    if line[at] == "`":
        end = line.find("`", at + 1)
        return len(line) if end < 0 else end + 1
    depth = 0
    for index in range(at + 1, len(line)):
        depth += (line[index] == "(") - (line[index] == ")")
        if depth == 0:
            return index + 1
    return len(line)
