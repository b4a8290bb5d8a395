"""The tokens of a shell script as pipelines of simple commands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from inkgate.code.shell.lexer import Token, tokens

__all__ = ["Command", "pipelines", "unwrapped"]

_OUTPUT = frozenset({">", ">>", ">|", "&>", "&>>", ">&", "<>"})
_KEYWORDS = frozenset(
    {
        "if",
        "then",
        "elif",
        "else",
        "fi",
        "do",
        "done",
        "while",
        "until",
        "!",
        "{",
        "}",
        "case",
        "esac",
        "time",
        "function",
    }
)
_WRAPPERS: dict[str, frozenset[str]] = {
    # word: its options that take a value
    "sudo": frozenset({"-u", "-g", "-h", "-p", "-C", "-D", "-R", "-T", "-r", "-t"}),
    "doas": frozenset({"-u", "-C"}),
    "env": frozenset({"-u", "-C", "-S"}),
    "nohup": frozenset(),
    "command": frozenset(),
    "builtin": frozenset(),
    "exec": frozenset({"-a"}),
    "nice": frozenset({"-n"}),
    "ionice": frozenset({"-c", "-n"}),
    "timeout": frozenset({"-s", "-k"}),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "setsid": frozenset(),
    "xargs": frozenset({"-I", "-n", "-P", "-L", "-d", "-a", "-E", "-s"}),
    "busybox": frozenset(),
    "watch": frozenset({"-n"}),
    "RUN": frozenset(),
}
_NESTED = 8


@dataclass(slots=True)
class Command:
    """A simple command.

    Attributes:
        words: its words behind assignments, keywords and wrappers such as `sudo`; the first is the program.
        assigned: names and the words that hold their values.
        outputs: operator and file of each redirected output.
        inputs: file of each redirected input.
        given: here-documents and here-strings.
        wrappers: names of the wrappers that were taken off.
        start: offset in the script.
        end: offset just past it.
    """

    words: list[Token] = field(default_factory=list)
    assigned: list[tuple[str, Token]] = field(default_factory=list)
    outputs: list[tuple[str, Token]] = field(default_factory=list)
    inputs: list[Token] = field(default_factory=list)
    given: list[Token] = field(default_factory=list)
    wrappers: list[str] = field(default_factory=list)
    start: int = 0
    end: int = 0

    @property
    def program(self) -> str:
        """The program's name without its folder, in lower case; empty where there is none."""
        return self.words[0].text.rpartition("/")[2].lower().removesuffix(".exe") if self.words else ""

    @property
    def arguments(self) -> list[Token]:
        """The words behind the program."""
        return self.words[1:]


def pipelines(script: str) -> Iterator[list[Command]]:
    """Every pipeline of a script, in order; commands of lists, loops and conditions come one after another."""
    line: list[Command] = []
    now = Command()
    stream = iter(tokens(script))
    for token in stream:
        if not token.operator:
            _word(now, token)
        elif token.text in _OUTPUT or token.text in ("<", "<&", "<<", "<<-", "<<<"):
            _redirect(now, token, next(stream, None))
        else:
            if now.words or now.assigned or now.outputs or now.given:
                line.append(_unwrapped(now))
            now = Command()
            if token.text not in ("|", "|&") and line:
                yield line
                line = []
    if now.words or now.assigned or now.outputs or now.given:
        line.append(_unwrapped(now))
    if line:
        yield line


def _word(command: Command, token: Token) -> None:
    if not command.words:
        if token.text in _KEYWORDS:
            return
        name, equals, value = token.text.partition("=")
        if equals and name.rstrip("+").partition("[")[0].isidentifier():
            offset = token.start + len(name) + 1
            command.assigned.append(
                (
                    name.rstrip("+").partition("[")[0],
                    Token(value, offset, token.end, inner=token.inner, variables=token.variables),
                )
            )
            _cover(command, token)
            return
    command.words.append(token)
    _cover(command, token)


def _cover(command: Command, token: Token) -> None:
    if not command.end:
        command.start = token.start
    command.end = max(command.end, token.end)


def _redirect(command: Command, operator: Token, target: Token | None) -> None:
    _cover(command, operator)
    if target is None:
        return
    _cover(command, target)
    if operator.text in ("<<", "<<-"):
        command.given.append(Token(operator.body, operator.body_start, operator.body_start + len(operator.body)))
    elif operator.text == "<<<":
        command.given.append(target)
    elif operator.text in _OUTPUT:
        if command.words and command.words[-1].text.isdigit() and command.words[-1].end == operator.start:
            command.words.pop()
        if operator.text != ">&" or not target.text.isdigit():
            command.outputs.append((operator.text, target))
    else:
        command.inputs.append(target)


def _unwrapped(command: Command) -> Command:
    command.words = unwrapped(command.words, command.wrappers)
    return command


def unwrapped(words: list[Token], wrappers: list[str]) -> list[Token]:
    """The words of a command without `sudo`, `env X=1`, `timeout 5` and the like in front, which go to `wrappers`."""
    while len(wrappers) < _NESTED and words and words[0].text.rpartition("/")[2] in _WRAPPERS:
        name = words[0].text.rpartition("/")[2]
        valued = _WRAPPERS[name]
        at = 1
        while at < len(words):
            text = words[at].text
            if text.startswith("-"):
                at += 2 if text in valued else 1
            elif (name == "env" and "=" in text) or (name in ("timeout", "watch") and at == 1 and text[:1].isdigit()):
                at += 1
            else:
                break
        if at >= len(words):
            break
        wrappers.append(name)
        words = words[at:]
    return words
