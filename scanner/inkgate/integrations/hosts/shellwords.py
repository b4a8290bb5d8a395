"""A POSIX command line as simple commands with their redirections: enough to see what is written where.

Not a shell: nothing is run or expanded except `~`, and variables that the line itself sets or that name the user's
own folders. What cannot be told stays in the words as it is written, `$(…)` and backquotes included.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

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
        line: the command that stands before it in the pipeline, if any.
    """

    words: list[str] = field(default_factory=list)
    outputs: list[tuple[bool, str]] = field(default_factory=list)
    given: list[str] = field(default_factory=list)
    piped: bool = False


@dataclass(slots=True)
class _Token:
    text: str
    operator: bool = False


def commands(line: str, environment: Mapping[str, str] | None = None) -> list[Command]:
    """Every simple command of a line or script, in order; an unclosed quote ends with the text."""
    variables = {name: value for name, value in (environment or os.environ).items() if name in _KNOWN}
    line, documents = _take_documents(line)
    found: list[Command] = [Command()]
    tokens = iter(_tokens(line))
    for token in tokens:
        now = found[-1]
        if not token.operator:
            word = _expand(token.text, variables)
            name, equals, value = word.partition("=")
            if equals and not now.words and name.isidentifier():
                variables[name] = value
            now.words.append(word)
        elif token.text in _OUTPUT or token.text in ("<", "<&"):
            target = _expand(next(tokens, _Token("")).text, variables)
            if now.words and now.words[-1].isdigit() and token.text in _OUTPUT:
                now.words.pop()
            if token.text in _OUTPUT and not target.isdigit() and target not in ("", "-", "/dev/null"):
                now.outputs.append((token.text.endswith(">>"), target))
        elif token.text in ("<<", "<<-"):
            next(tokens, None)
            now.given.append(documents.pop(0) if documents else "")
        elif token.text == "<<<":
            now.given.append(_expand(next(tokens, _Token("")).text, variables) + "\n")
        else:
            found.append(Command(piped=token.text in ("|", "|&")))
    return [command for command in found if command.words or command.outputs or command.given]


def _expand(word: str, variables: Mapping[str, str]) -> str:
    word = _VARIABLE.sub(lambda hit: variables.get(hit[1] or hit[2], hit[0]), word)
    return os.path.expanduser(word) if word.startswith("~") else word  # noqa: PTH111 - a word, perhaps no path


_DOCUMENT = re.compile(r"(?<!<)<<(-?)(?!<)[ \t]*(?:'([^'\n]+)'|\"([^\"\n]+)\"|(\\?[\w.-]+))")


def _take_documents(line: str) -> tuple[str, list[str]]:
    """Cut the bodies of here-documents out of a script."""
    if "<<" not in line:
        return line, []
    kept: list[str] = []
    bodies: list[str] = []
    rows = iter(line.split("\n"))
    for row in rows:
        kept.append(row)
        for hit in _DOCUMENT.finditer(row):
            end = (hit[2] or hit[3] or hit[4]).lstrip("\\")
            body: list[str] = []
            for text in rows:
                if (text.lstrip("\t") if hit[1] else text).rstrip("\r") == end:
                    break
                body.append(text.lstrip("\t") if hit[1] else text)
            bodies.append("".join(f"{text}\n" for text in body))
    return "\n".join(kept), bodies


def _tokens(line: str) -> list[_Token]:
    tokens: list[_Token] = []
    word: list[str] | None = None
    at = 0

    def close() -> None:
        nonlocal word
        if word is not None:
            tokens.append(_Token("".join(word)))
        word = None

    while at < len(line):
        char = line[at]
        if char in " \t\r\n":
            close()
            if char == "\n":
                tokens.append(_Token(";", operator=True))
            at += 1
        elif char == "#" and word is None:
            end = line.find("\n", at)
            at = len(line) if end < 0 else end
        elif (operator := next((each for each in _OPERATORS if line.startswith(each, at)), "")) and char in "<>&|;()":
            close()
            tokens.append(_Token(operator, operator=True))
            at += len(operator)
        else:
            text, at = _piece(line, at)
            word = [*(word or []), text]
    close()
    return tokens


def _piece(line: str, at: int) -> tuple[str, int]:
    """The next part of a word: one quoted stretch, one escape, one substitution or one character."""
    char = line[at]
    if char == "\\":
        return ("" if line[at + 1 : at + 2] == "\n" else line[at + 1 : at + 2]), at + 2
    if char == "'":
        end = line.find("'", at + 1)
        end = len(line) if end < 0 else end
        return line[at + 1 : end], end + 1
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
            out.append("" if line[at + 1] == "\n" else line[at + 1])
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
    return unescape(line[at:end]), end + 1


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
