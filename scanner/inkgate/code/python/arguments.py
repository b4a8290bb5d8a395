"""What calls in Python are given: commands as lists, by keyword or one by one, and functions for others to call."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from inkgate.code.python import names

if TYPE_CHECKING:
    from inkgate.code.python.flow import Flow

__all__ = ["argument", "handed", "quoted", "words"]

_SPREAD = re.compile(r"^os\.(?:exec|spawn)l|^asyncio\.create_subprocess_exec$")
"""Calls that take each word of a command as an argument."""
_MODED = re.compile(r"^os\.spawn[lv]")
"""Calls whose first argument says how to wait."""
_FILE_FIRST = re.compile(r"^os\.(?:exec|spawn|posix_spawn)")
"""Calls that are given the program and then the words, the first of which is its name again."""
_MAPS = re.compile(r"(?:^|\.)(?:i|star)?map\w{0,12}$")
"""Calls that hand each item of a list to a function."""
_FIRST = ("args", "command", "cmd")
"""Keywords of what is run, where it is not the first argument."""
_CALLED = ("target", "func", "function", "callback", "initializer")
"""Keywords of a function that is called later on."""


def argument(node: ast.Call, name: str) -> ast.expr | None:
    """What a call is about: its first argument, or for a call that runs something its command or program."""
    if names.runs_program(name):
        given = node.args[1:] if _MODED.match(name) else node.args
        named = (item.value for item in node.keywords if item.arg in _FIRST)
        return given[0] if given else next(named, None)
    return node.args[0] if node.args else None


def words(node: ast.Call, name: str) -> list[ast.expr] | None:
    """The words of the command that a call runs; None where it is given as one text, or runs none."""
    given = node.args[1:] if _MODED.match(name) else node.args
    if _FILE_FIRST.match(name):
        listed = given[1] if len(given) > 1 else None
        rest = listed.elts if isinstance(listed, (ast.List, ast.Tuple)) else given[1:] if _SPREAD.match(name) else []
        return [*given[:1], *rest[1:]]
    if _SPREAD.match(name):
        return list(given)
    first = argument(node, name)
    return first.elts if isinstance(first, (ast.List, ast.Tuple)) else None


def handed(flow: Flow, node: ast.Call) -> Iterator[ast.Call]:
    """Calls that a thread, a process, a pool, a `map` or the like makes of what it is given."""
    given = next((item.value for item in node.keywords if item.arg == "args"), None)
    spread = given.elts if isinstance(given, (ast.List, ast.Tuple)) else []
    later: list[tuple[ast.expr, list[ast.expr]]] = [
        (item.value, spread) for item in node.keywords if item.arg in _CALLED
    ]
    for place, item in enumerate(node.args):
        rest = node.args[place + 1 :]
        if rest and _MAPS.search(flow.value(node.func).name) and isinstance(rest[0], (ast.List, ast.Tuple)):
            rest = rest[0].elts
        later.append((item, rest or spread))
    for function, rest in later:
        if isinstance(function, (ast.Name, ast.Attribute)) and names.known(flow.value(function).name):
            yield ast.copy_location(ast.Call(func=function, args=rest, keywords=[]), node)


def quoted(text: str) -> str:
    """A word of a command as a shell would need it."""
    return (
        text
        if text.replace("-", "").replace("_", "").replace("/", "").isalnum()
        else "'" + text.replace("'", "'\\''") + "'"
    )
