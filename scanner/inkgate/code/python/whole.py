"""What shows only in a Python file as a whole: deeds that wait for a date, and other skills that are rewritten."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

__all__ = ["rewrites_agents", "waits_for_date"]

_DATES = frozenset({"date", "datetime", "strptime", "fromisoformat", "Timestamp", "mktime"})
_GRAVE = frozenset(
    {
        *("rmtree", "unlink", "remove", "rmdir", "write_bytes", "truncate", "system", "run", "Popen", "call"),
        *("check_call", "check_output", "exec", "eval", "post", "put", "urlopen", "urlretrieve", "sendall", "sendmail"),
    }
)
_WRITTEN = re.compile(r"20\d\d-\d\d(?:-\d\d)?")
_AGENT_FILES = re.compile(r"(?:SKILL|CLAUDE|AGENTS|GEMINI|MEMORY|SOUL)\.md|\.cursorrules|\.mcp\.json|\.windsurfrules")
_SECONDS = 1_500_000_000
"""A number above this one that is compared with a time is a date."""


def waits_for_date(nodes: Iterable[ast.AST]) -> Iterator[ast.If]:
    """Conditions that hold from a written-out date on, with something grave below them.

    Args:
        nodes: all nodes of a tree, assignments before their use.
    """
    named: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Assign) and _dated(node.value, named):
            named.update(target.id for target in node.targets if isinstance(target, ast.Name))
        if isinstance(node, ast.If) and _compares_date(node.test, named) and _grave(node.body):
            yield node


def rewrites_agents(nodes: Iterable[ast.AST]) -> ast.Call | None:
    """The call that looks for files of agents, where the file also writes; None where there is none."""
    looked: ast.Call | None = None
    writes = False
    for node in nodes:
        if not isinstance(node, ast.Call):
            continue
        leaf = _leaf(node.func)
        if leaf in ("glob", "rglob", "iglob") and any(_names_agent_file(item) for item in node.args[:2]):
            looked = looked or node
        elif leaf in ("write_text", "write_bytes") or (
            leaf == "open"
            and any(isinstance(item, ast.Constant) and item.value in ("w", "a", "r+", "wb", "ab") for item in node.args)
        ):
            writes = True
    return looked if writes else None


def _names_agent_file(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and bool(_AGENT_FILES.search(node.value))


def _leaf(func: ast.expr) -> str:
    return func.attr if isinstance(func, ast.Attribute) else func.id if isinstance(func, ast.Name) else ""


def _dated(node: ast.AST, named: set[str]) -> bool:
    """Whether an expression is a written-out date, or a name for one."""
    if isinstance(node, ast.Name):
        return node.id in named
    if not isinstance(node, ast.Call) or _leaf(node.func) not in _DATES or not node.args:
        return False
    first = node.args[0]
    return isinstance(first, ast.Constant) and (
        (isinstance(first.value, int) and 2000 < first.value < 2100)
        or (isinstance(first.value, str) and _WRITTEN.match(first.value) is not None)
    )


def _compares_date(test: ast.expr, named: set[str]) -> bool:
    parts = test.values if isinstance(test, ast.BoolOp) else [test]
    return any(_is_date(part, named) for part in parts if isinstance(part, ast.Compare))


def _is_date(test: ast.Compare, named: set[str]) -> bool:
    """Whether a comparison is with a written-out date, as an object, a number of seconds or a text."""
    if not isinstance(test.ops[0], (ast.Gt, ast.GtE, ast.Lt, ast.LtE, ast.Eq)):
        return False
    sides = [test.left, *test.comparators]
    if any(_dated(side, named) for side in sides):
        return True
    called = {_leaf(side.func) for side in sides if isinstance(side, ast.Call)}
    values = [side.value for side in sides if isinstance(side, ast.Constant)]
    if "time" in called and any(isinstance(value, (int, float)) and value > _SECONDS for value in values):
        return True
    told = called & {"strftime", "isoformat", "today"}
    return bool(told) and any(isinstance(value, str) and _WRITTEN.match(value) for value in values)


def _grave(body: list[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Call) and _leaf(node.func) in _GRAVE for part in body for node in ast.walk(part))
