"""Each floor knows only what lies below it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import inkgate

FLOORS = (
    ("record",),
    ("row",),
    ("lean",),
    ("model", "private"),
    ("text",),
    ("match", "patterns"),
    ("judge",),
    ("code", "policy", "masks"),
    ("findings", "weighing", "layer"),
    ("scan",),
    ("redact", "report", "checks"),
    ("lint",),
    ("store",),
    ("gate",),
    ("tiers",),
    ("integrations",),
    ("cli",),
)
RANK = {name: rank for rank, names in enumerate(FLOORS) for name in names}
ROOT = Path(inkgate.__file__).parent


def imports(tree: ast.AST) -> Iterator[str]:
    """Modules that are imported when the code runs, not only for the type checker."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)
        else:
            yield from imports(node)


def test_imports_go_down() -> None:
    """No module imports one of a floor above its own."""
    wrong, read = set(), 0
    for path in sorted(ROOT.rglob("*.py")):
        floor = path.relative_to(ROOT).parts[0].removesuffix(".py")
        if floor not in RANK:
            assert floor in ("__init__", "__main__"), f"{floor} has no floor"
            continue
        read += 1
        for name in imports(ast.parse(path.read_text(encoding="utf-8"))):
            parts = name.split(".")
            if parts[0] == "inkgate" and len(parts) > 1 and RANK.get(parts[1], -1) > RANK[floor]:
                wrong.add((path.relative_to(ROOT).as_posix(), parts[1]))
    assert wrong == set()
    assert read > 100
