"""Commands in JSON: tool servers (`mcpServers`), hooks, and the scripts of a `package.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from inkgate.code.model import Analysis, CodeFinding, Trait, few, merge

__all__ = ["analyse"]

_LOOSE = (".jsonc", ".json5")
_TEXT = r"\"(?>(?:[^\"\\\n]|\\.)*)(?:\"|(?=\n)|\Z)"
_COMMENT = re.compile(rf"{_TEXT}|//[^\n]*+|/\*(?:[\s\S]*?\*/|[\s\S]*\Z)")
_LAST = re.compile(rf"{_TEXT}|,(?=\s*+[}}\]])")
"""A comma behind which nothing comes."""
_NO_SERVERS = frozenset(
    {"nslookup", "dig", "host", "drill", "ping", "echo", "printf", "curl", "wget", "cat", "env", "printenv", "whoami"}
    | {"id", "nc", "ncat", "netcat", "telnet", "true"}
)
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "cmd", "powershell", "pwsh"})
_INLINE = re.compile(
    r"urlopen|requests\.(?:get|post)|\bhttps?['\"]\)?\.(?:get|request)|\bfetch\(|XMLHttpRequest|socket\."
    r"|fromhex|b64decode|\batob\(|unhexlify|Buffer\.from\([^)\n]{1,200}(?:base64|hex)"
)
_INSTALL = ("preinstall", "install", "postinstall", "prepare")
_BUILDS = re.compile(
    r"(?:(?:npx\s|is-ci\s\|\|\s)?(?:husky(?:\sinstall)?|lefthook\sinstall|simple-git-hooks|tsc|tsup|ngc|rollup|vite\sbuild|nuxt\sprepare|svelte-kit\ssync|patch-package"
    r"|prisma\sgenerate|node-gyp\srebuild|prebuild-install|node-gyp-build|electron-builder\sinstall-app-deps|(?:npm|pnpm|yarn)(?:\srun)?\s(?:build|compile)(?:[:\w-]{0,20}))"
    r"(?:\s-{1,2}[\w=./-]{1,40}|\s[\w./-]{1,40}\.json){0,4}(?:\s\|\|\s(?:true|exit\s0))?(?:\s&&\s(?=\S))?){1,4}"
)
"""What packages rightly do when they are installed: build themselves and set up hooks that are known."""


def analyse(text: str, *, name: str = "", depth: int = 0) -> Analysis:
    """What the commands in a JSON text do; a text that is no JSON, comments and last commas aside, has none.

    Args:
        text: the JSON.
        name: its file's name.
        depth: how many texts inside texts this one is.
    """
    if "command" not in text and "scripts" not in text and "\\u" not in text:
        return Analysis()
    try:
        data = _read(text)
    except RecursionError:
        return Analysis((CodeFinding("script-not-analysed", 0, len(text), "JSON that nests too deeply to be read"),))
    except ValueError:
        if not name.endswith(_LOOSE):
            return Analysis()
        message = "Neither JSON nor JSON with comments, though hosts may read it"
        return Analysis((CodeFinding("script-not-analysed", 0, len(text), message),))
    parts = []
    places = _Places(text)
    for words in _commands(data):
        parts.append(_command(words, places, depth))
    for words in _servers(data):
        parts.append(_server(words, places, depth))
    if name.rpartition("/")[2].lower() == "package.json" and isinstance(data, dict):
        parts += _scripts(data.get("scripts"), places, depth)
    return merge(parts)


def _read(text: str) -> Any:  # noqa: ANN401 - whatever JSON holds
    """The value of a JSON text; where it is none, without a byte order mark, comments and last commas.

    Raises:
        RecursionError: it nests too deeply.
        ValueError: it is no JSON.
    """
    try:
        return json.loads(text)
    except ValueError:
        bare = _COMMENT.sub(lambda hit: hit[0] if hit[0][:1] == '"' else " ", text.lstrip("\ufeff"))
        return json.loads(_LAST.sub(lambda hit: "" if hit[0][:1] == "," else hit[0], bare))


class _Places:
    """Where string values stand in a JSON text, found from left to right."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0

    def of(self, value: str) -> tuple[int, int]:
        for written in (json.dumps(value, ensure_ascii=False), json.dumps(value)):
            start = self._text.find(written, self._at)
            if start < 0 and self._at:
                start = self._text.find(written)
            if start >= 0:
                self._at = start
                return start, start + len(written)
        return self._at, min(len(self._text), self._at + 1)


def _commands(data: Any) -> Iterator[list[str]]:  # noqa: ANN401 - whatever JSON holds
    """Every command with its arguments."""
    stack: list[Any] = [data]
    while stack:
        item = stack.pop()
        if isinstance(item, list):
            stack += reversed(item)
        elif isinstance(item, dict):
            stack += reversed(list(item.values()))
            command, arguments = item.get("command"), item.get("args", [])
            if isinstance(command, list) and command:
                command, arguments = command[0], command[1:]
            if isinstance(command, str) and isinstance(arguments, list):
                yield [command, *(word for word in arguments if isinstance(word, str))]


def _servers(data: Any) -> Iterator[list[str]]:  # noqa: ANN401 - whatever JSON holds
    """The command of every tool server."""
    named = data.get("mcpServers", data.get("mcp_servers")) if isinstance(data, dict) else None
    for item in named.values() if isinstance(named, dict) else ():
        command, arguments = (item.get("command"), item.get("args", [])) if isinstance(item, dict) else (None, [])
        if isinstance(command, str) and isinstance(arguments, list):
            yield [command, *(word for word in arguments if isinstance(word, str))]


def _server(words: list[str], places: _Places, depth: int) -> Analysis:
    """What a tool server that is started like this is: a program that stays, or something else."""
    program = words[0].replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")
    found = [CodeFinding("server-is-no-server", *places.of(words[0]))] if program in _NO_SERVERS else []
    given = next((place for place, word in enumerate(words) if word in ("-c", "-e", "--eval", "-Command")), 0)
    if given and given + 1 < len(words):
        code = words[given + 1]
        inner = _command(words, places, depth).traits
        if _INLINE.search(code) or (program not in _SHELLS and Trait.NETWORK in inner):
            found.append(CodeFinding("server-is-no-server", *places.of(code)))
    return Analysis(tuple(found))


def _command(words: list[str], places: _Places, depth: int) -> Analysis:
    from inkgate.code.shell import analyse as shell

    line = words[0] if len(words) == 1 else " ".join(_quoted(word) for word in words)
    found = shell(line, depth=depth + 1)
    if not found.findings:
        return found  # to look for the place takes longer
    start, end = places.of(max(words, key=len))
    return Analysis(
        tuple(
            CodeFinding(item.rule, start, end, item.message, item.severity, item.confidence)
            for item in few(found.findings, 1)
        ),
        found.traits,
    )


def _quoted(word: str) -> str:
    """A word as it reaches the program; what a shell would expand in it is left to be seen."""
    return (
        word
        if word and word.replace("-", "").replace("_", "").isalnum()
        else '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
    )


def _scripts(scripts: Any, places: _Places, depth: int) -> list[Analysis]:  # noqa: ANN401 - whatever JSON holds
    parts = []
    for key, line in scripts.items() if isinstance(scripts, dict) else ():
        if isinstance(line, str):
            parts.append(_command([line], places, depth))
            if key in _INSTALL and not _BUILDS.fullmatch(line.strip()):
                parts.append(Analysis((CodeFinding("script-install-hook", *places.of(line)),)))
    return parts
