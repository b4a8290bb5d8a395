"""The nodes of a tree in the order in which their values are made, with the function that each belongs to.

Operators, and what says whether a name is read or written, have no values and are left out.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

__all__ = ["Step", "postorder"]

Step = tuple[ast.AST, int]
"""A node and the number of its function; 0 is the module."""

_SIGNS = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def postorder(tree: ast.AST, names: dict[str, int], owners: dict[int, ast.AST], module: int) -> list[Step]:
    """Every node that can have a value, or binds one, after its children; without recursion.

    Args:
        tree: where to begin.
        names: gets the number of each named function.
        owners: gets the function of each number.
        module: number of the tree itself.
    """
    out: list[Step] = []
    stack: list[tuple[ast.AST, Iterator[ast.AST], int]] = [(tree, _children(tree), module)]
    while stack:
        node, rest, scope = stack[-1]
        child = next(rest, None)
        if child is None:
            stack.pop()
            out.append((node, stack[-1][2] if stack else module))
            continue
        inner = scope
        if isinstance(child, _FUNCTIONS):
            inner = len(owners) + 1
            owners[inner] = child
            if not isinstance(child, ast.Lambda):
                names[child.name] = inner
        stack.append((child, _children(child), inner))
    return out


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Children in the order of evaluation: what a loop, a comprehension or an assignment reads comes first."""
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        return iter((*node.generators, node.elt))
    if isinstance(node, ast.DictComp):
        return iter((*node.generators, node.key, node.value))
    found: list[ast.AST] = []
    for name in node._fields:
        value = getattr(node, name, None)
        if isinstance(value, list):
            found += [item for item in value if isinstance(item, ast.AST) and not isinstance(item, _SIGNS)]
        elif isinstance(value, ast.AST) and not isinstance(value, _SIGNS):
            found.append(value)
    return iter(found)
