"""What shows only in a Python file as a whole: deeds that wait for a date, and other skills that are rewritten."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

__all__ = ["rewrites_agents", "waits_for_date"]

_DATES = frozenset({"date", "datetime", "strptime", "fromisoformat", "Timestamp", "mktime", "fromtimestamp", "parse"})
_PRESENT = frozenset(
    {"now", "utcnow", "today", "time", "time_ns", "localtime", "gmtime", "strftime", "isoformat", "date"}
)
_GRAVE = frozenset(
    {
        *("rmtree", "unlink", "remove", "rmdir", "write_bytes", "truncate", "system", "run", "Popen", "call"),
        *("check_call", "check_output", "exec", "eval", "post", "put", "urlopen", "urlretrieve", "sendall", "sendmail"),
    }
)
_LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_WRITTEN = re.compile(r"20\d\d-\d\d(?:-\d\d)?|20\d\d[01]\d[0-3]\d$|\d\d[/.]\d\d[/.]20\d\d")
_AGENT_FILES = re.compile(r"(?:SKILL|CLAUDE|AGENTS|GEMINI|MEMORY|SOUL)\.md|\.cursorrules|\.mcp\.json|\.windsurfrules")
_ROUNDS = 12
"""Passes over the assignments; each carries a name at least one further."""
_SECONDS = 1_500_000_000
"""A number above this one that is compared with a time is a date."""


def waits_for_date(nodes: Sequence[ast.AST]) -> Iterator[ast.If]:
    """Conditions that hold from a written-out date on, with something grave below or behind them.

    Args:
        nodes: all nodes of a tree, assignments before their use.
    """
    if not _speaks_of_time(nodes):
        return
    dates: set[str] = set()
    nows: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Assign):
            names = {target.id for target in node.targets if isinstance(target, ast.Name)}
            if _dated(node.value, dates):
                dates |= names
            elif _present(node.value, nows):
                nows |= names
    deeds = {item.name for item in nodes if isinstance(item, ast.FunctionDef) and _grave(item.body, frozenset())}
    for node in nodes:
        for block in (getattr(node, "body", None), getattr(node, "orelse", None), getattr(node, "finalbody", None)):
            if isinstance(block, list):
                yield from _waiting(block, lambda test: _compares_date(test, dates, nows), deeds)


def _speaks_of_time(nodes: Sequence[ast.AST]) -> bool:
    """Whether there is a date at all, or a year, and a call that gives the present."""
    dated = present = False
    for node in nodes:
        if isinstance(node, ast.Constant):
            dated = dated or _time(node.value) or _year(node.value)
        elif isinstance(node, ast.Call):
            present = present or _leaf(node.func) in _PRESENT
        if dated and present:
            return True
    return False


def _waiting(block: list[ast.stmt], dated: Callable[[ast.expr], bool], deeds: set[str]) -> Iterator[ast.If]:
    """Conditions of a block on a date that something grave hangs on."""
    found = [(place, item) for place, item in enumerate(block) if isinstance(item, ast.If) and dated(item.test)]
    last = -1
    if any(_leaves(item.body) for _place, item in found):
        last = max((place for place, item in enumerate(block) if _grave([item], deeds)), default=-1)
    for place, item in found:
        if _grave([*item.body, *item.orelse], deeds) or (_leaves(item.body) and place < last):
            yield item


def rewrites_agents(nodes: Sequence[ast.AST], text: Callable[[ast.AST], str | None]) -> ast.Call | None:
    """The call that looks for files of agents, where one that it finds is written; None where there is none.

    Args:
        nodes: all nodes of a tree.
        text: the constant text of an expression, if it has one.
    """
    looked = [
        node
        for node in nodes
        if isinstance(node, ast.Call)
        and _leaf(node.func) in ("glob", "rglob", "iglob")
        and any(_AGENT_FILES.search(text(item) or "") for item in node.args[:2])
    ]
    if not looked:
        return None
    found = _found(nodes, {id(node) for node in looked})
    if found is None:
        return looked[0]
    for node in nodes:
        if isinstance(node, ast.Call) and (written := _written(node)) is not None and _mentions(written, found, set()):
            return looked[0]
    return None


def _found(nodes: Sequence[ast.AST], looked: set[int]) -> set[str] | None:
    """Names that hold what these calls give, through loops, assignments and parameters; None where there is no end."""
    functions = {node.name: node for node in nodes if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    found: set[str] = set()
    for _ in range(_ROUNDS):
        before = len(found)
        for node in nodes:
            pair = _pair(node)
            if pair is not None and _mentions(pair[1], found, looked):
                found.update(item.id for item in ast.walk(pair[0]) if isinstance(item, ast.Name))
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in functions:
                for given, taken in zip(node.args, functions[node.func.id].args.args, strict=False):
                    if _mentions(given, found, looked):
                        found.add(taken.arg)
        if len(found) == before:
            return found
    return None


def _pair(node: ast.AST) -> tuple[ast.AST, ast.AST] | None:
    """What takes a value in a node, and the value."""
    if isinstance(node, (ast.For, ast.AsyncFor, ast.comprehension)):
        return node.target, node.iter
    if isinstance(node, ast.Assign):
        return node.targets[0], node.value
    if isinstance(node, ast.NamedExpr):
        return node.target, node.value
    return None


def _mentions(node: ast.AST, names: set[str], calls: set[int]) -> bool:
    return any((isinstance(item, ast.Name) and item.id in names) or id(item) in calls for item in ast.walk(node))


def _written(node: ast.Call) -> ast.expr | None:
    """The file that a call writes to, or None."""
    leaf = _leaf(node.func)
    if leaf in ("write_text", "write_bytes") and isinstance(node.func, ast.Attribute):
        return node.func.value
    if leaf == "open":
        modes = [*node.args, *(item.value for item in node.keywords if item.arg == "mode")]
        if any(isinstance(item, ast.Constant) and item.value in ("w", "a", "r+", "wb", "ab", "w+") for item in modes):
            whole = isinstance(node.func, ast.Name) or not isinstance(node.func.value, ast.Name)  # type: ignore[attr-defined]
            return node.args[0] if isinstance(node.func, ast.Name) and node.args and whole else node.func
    if leaf in ("copy", "copyfile", "copy2", "move", "replace", "rename") and len(node.args) > 1:
        return node.args[1]
    return None


def _leaf(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def _dated(node: ast.AST, dates: set[str]) -> bool:
    """Whether an expression is a written-out date, or a name for one."""
    if isinstance(node, ast.Name):
        return node.id in dates
    if isinstance(node, ast.Constant):
        return _time(node.value)
    if not isinstance(node, ast.Call) or _leaf(node.func) not in _DATES:
        return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _dated(node.func.value, dates)
    first = node.args[0] if node.args else next((item.value for item in node.keywords if item.arg == "year"), None)
    if isinstance(first, (ast.Tuple, ast.List)) and first.elts:
        first = first.elts[0]
    return isinstance(first, ast.Constant) and (_time(first.value) or _year(first.value))


def _time(value: object) -> bool:
    """Whether a constant is a date in seconds, or written as a text."""
    if isinstance(value, str):
        return _WRITTEN.match(value) is not None
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value > _SECONDS


def _year(value: object) -> bool:
    return isinstance(value, int) and 2000 < value < 2100


def _present(node: ast.AST, nows: set[str]) -> bool:
    """Whether an expression is made of the present time."""
    for item in ast.walk(node):
        if isinstance(item, ast.Name) and item.id in nows:
            return True
        if isinstance(item, ast.Call) and _leaf(item.func) in _PRESENT and not _dated(item, set()):
            return True
    return False


def _compares_date(test: ast.expr, dates: set[str], nows: set[str]) -> bool:
    return any(_is_date(part, dates, nows) for part in ast.walk(test) if isinstance(part, ast.Compare))


def _is_date(test: ast.Compare, dates: set[str], nows: set[str]) -> bool:
    """Whether a comparison is of the present with a written-out date, as an object, a number of seconds or a text."""
    if not isinstance(test.ops[0], (ast.Gt, ast.GtE, ast.Lt, ast.LtE, ast.Eq, ast.NotEq)):
        return False
    sides = [test.left, *test.comparators]
    if not any(_present(side, nows) for side in sides):
        return False
    years = any(isinstance(side, ast.Attribute) and side.attr in ("year", "tm_year") for side in sides)
    return any(
        _dated(side, dates) or (years and isinstance(side, ast.Constant) and _year(side.value)) for side in sides
    )


def _leaves(body: list[ast.stmt]) -> bool:
    """Whether nothing that stands behind a block is reached from it."""
    last = body[-1]
    called = (
        isinstance(last, ast.Expr) and isinstance(last.value, ast.Call) and _leaf(last.value.func) in ("exit", "_exit")
    )
    return called or isinstance(last, _LEAVES)


def _grave(body: Iterable[ast.AST], deeds: Iterable[str]) -> bool:
    return any(
        isinstance(node, ast.Call) and (_leaf(node.func) in _GRAVE or _leaf(node.func) in deeds)
        for part in body
        for node in ast.walk(part)
    )
