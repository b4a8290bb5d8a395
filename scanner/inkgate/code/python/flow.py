"""Which values of a Python file come from where: labels, constant texts and full names, file-wide and in linear time.

Nothing is run. Assignments are followed by name within a function, through parameters and results of functions of the
same file, through containers and attributes; a name keeps every label that it ever had. Passes over the nodes settle
what is defined later than it is used.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from inkgate.code.python import fold, names
from inkgate.code.python.calls import call
from inkgate.code.python.order import Step, postorder
from inkgate.code.python.values import (
    BUILT,
    DECODED,
    DOWNLOADED,
    ENVIRONMENT,
    HARVEST,
    NOTHING,
    PART,
    SECRET,
    VARIABLE,
    Known,
    Value,
)
from inkgate.code.sensitive import service_name

__all__ = ["PASSES", "Flow"]

PASSES = 3
"""Passes over a tree while names still change: the first two settle names and texts, the third what hangs on them."""
_VISITS = 400_000
"""Nodes that further passes may visit, while labels still move on. That they did not settle is said: `settle`."""


class Flow(Known):
    """The values of one tree.

    Attributes:
        steps: its nodes in order, with their functions.
        open: those of them of which a further pass may tell something new: constants stay, and many have no value.
        functions: number of each named function.
        owners: function of each number.
        results: labels of what a function returns.
    """

    def __init__(self, tree: ast.Module) -> None:
        super().__init__()
        self.functions: dict[str, int] = {}
        self.owners: dict[int, ast.AST] = {}
        self.results: dict[int, int] = {}
        self.steps: list[Step] = postorder(tree, self.functions, self.owners, 0)
        self.open: list[Step] = [step for step in self.steps if _is_open(step[0])]

    def settle(self) -> bool:
        """Compute every value; whether they settled, however many functions and names a label has to go through."""
        left = _VISITS
        for number in itertools.count():
            self.begin()
            before = (dict(self._names), dict(self.results))
            for node, scope in self.open if number else self.steps:
                self.visit(node, scope)
            if before == (self._names, self.results):
                break  # another pass would do the same again
            if number >= PASSES - 1:
                left -= len(self.open)
                if not self.moved or left < 0:
                    break
        return not self.moved

    def visit(self, node: ast.AST, scope: int) -> None:
        """Compute the value of a node whose children have theirs, and what it binds."""
        handler = _HANDLERS.get(type(node))
        self.keep(node, self._children(node) if handler is None else handler(self, node, scope))

    def _children(self, node: ast.AST) -> Value | None:
        """Any other expression holds what its parts hold."""
        if not isinstance(node, _EXPRESSIONS):
            return None
        labels = 0
        for child in ast.iter_child_nodes(node):
            labels |= self.value(child).labels
        return Value(labels)

    def _see_import(self, node: ast.Import, scope: int) -> None:
        for item in node.names:
            self.modules.add(item.name.partition(".")[0])
            name = item.asname or item.name.partition(".")[0]
            self.set((0, name), Value(name=item.name if item.asname else name))

    def _see_import_from(self, node: ast.ImportFrom, scope: int) -> None:
        module = node.module or ""
        self.modules.add(module.partition(".")[0])
        for item in node.names:
            if item.name == "*" and module not in self.stars:
                self.stars.append(module)
            self.set(
                (0, item.asname or item.name), Value(name=f"{module}.{item.name}" if not node.level else item.name)
            )

    def _see_assign(self, node: ast.Assign, scope: int) -> None:
        value = self.value(node.value)
        for target in node.targets:
            if (
                isinstance(target, (ast.Tuple, ast.List))
                and isinstance(node.value, (ast.Tuple, ast.List))
                and len(target.elts) == len(node.value.elts)
            ):
                for one, other in zip(target.elts, node.value.elts, strict=True):
                    self.bind(one, self.value(other), scope)
            else:
                self.bind(target, value, scope)

    def _see_ann_assign(self, node: ast.AnnAssign, scope: int) -> None:
        if node.value is not None:
            self.bind(node.target, self.value(node.value), scope)

    def _see_aug_assign(self, node: ast.AugAssign, scope: int) -> None:
        old, new = self.value(node.target), self.value(node.value)
        if isinstance(node.target, ast.Name):
            old = self.load(node.target.id, scope)
        text = self.spend(old.text + new.text) if old.text is not None and new.text is not None else None
        self.bind(node.target, Value(old.labels | new.labels, text), scope)

    def _see_named_expr(self, node: ast.NamedExpr, scope: int) -> Value:
        value = self.value(node.value)
        self.bind(node.target, value, scope)
        return value

    def _see_for(self, node: ast.For | ast.AsyncFor, scope: int) -> None:
        self.bind(node.target, self._item(node.iter), scope)

    def _see_comprehension(self, node: ast.comprehension, scope: int) -> None:
        self.bind(node.target, self._item(node.iter), scope)

    def _item(self, node: ast.expr) -> Value:
        """What a loop over an expression gives; of a written-out list of texts, one that matters."""
        value = self.value(node)
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            texts = [self.value(item) for item in node.elts]
            found = next((item for item in texts if item.labels & SECRET), texts[0] if texts else NOTHING)
            return Value(value.labels, found.text)
        return Value(value.labels)

    def _see_withitem(self, node: ast.withitem, scope: int) -> None:
        if node.optional_vars is not None:
            self.bind(node.optional_vars, self.value(node.context_expr), scope)

    def _see_return(self, node: ast.Return, scope: int) -> None:
        before = self.results.get(scope, 0)
        self.results[scope] = before | self.value(node.value).labels
        self.moved = self.moved or self.results[scope] != before

    def _see_name(self, node: ast.Name, scope: int) -> Value | None:
        return self.load(node.id, scope) if isinstance(node.ctx, ast.Load) else None

    def _see_constant(self, node: ast.Constant, scope: int) -> Value | None:
        value = node.value
        if isinstance(value, bytes):
            value = value.decode("latin-1")
        if not isinstance(value, str):
            return None
        return self.path(Value(0, value if len(value) <= fold.LONGEST else None))

    def _see_joined_str(self, node: ast.JoinedStr, scope: int) -> Value:
        parts, labels = [], 0
        for item in node.values:
            value = self.value(item.value if isinstance(item, ast.FormattedValue) else item)
            labels |= value.labels
            parts.append(fold.UNKNOWN if value.text is None else value.text)
        if labels & DOWNLOADED:
            labels = labels & ~DOWNLOADED | PART
        return self.path(Value(labels, self.spend("".join(parts))))

    def _see_bin_op(self, node: ast.BinOp, scope: int) -> Value:
        left, right = self.value(node.left), self.value(node.right)
        labels = left.labels | right.labels
        if isinstance(node.op, ast.Div):
            text = self.spend(fold.path([left.text, right.text]))
            if text is not None and fold.UNKNOWN not in text:
                labels &= ~SECRET  # of a folder; whether what lies in it is secret, its own path says
            return self.path(Value(labels, text))
        if isinstance(node.op, ast.Add) and (left.text is not None or right.text is not None):
            if left.text is not None and right.text is not None:
                labels |= BUILT
            elif labels & DOWNLOADED:
                labels = labels & ~DOWNLOADED | PART
            text = (fold.UNKNOWN if left.text is None else left.text) + (
                fold.UNKNOWN if right.text is None else right.text
            )
            return self.path(Value(labels, self.spend(text)))
        if isinstance(node.op, ast.Mod) and left.text is not None:
            return self.path(Value(labels, self.spend(fold.percent(left.text))))
        return Value(labels)

    def _see_compare(self, node: ast.Compare, scope: int) -> None:
        return None

    def _see_attribute(self, node: ast.Attribute, scope: int) -> Value | None:
        if not isinstance(node.ctx, ast.Load):
            return None
        base = self.value(node.value)
        if node.attr == "__call__":
            return base
        stored = self._names.get((-1, node.attr), NOTHING) if base.name in ("self", "cls") else NOTHING
        name = stored.name or (f"{base.name}.{node.attr}" if base.name and len(base.name) < 200 else "")
        labels = base.labels | stored.labels
        if name == "os.environ" or name == "os.environb":
            labels |= ENVIRONMENT
        return Value(labels, stored.text, name.removeprefix("builtins."))

    def _see_subscript(self, node: ast.Subscript, scope: int) -> Value | None:
        if not isinstance(node.ctx, ast.Load):
            return None
        base, key = self.value(node.value), self.value(node.slice)
        if base.name == "os.environ":
            return self.variable(key.text)
        if base.name in ("__builtins__", "globals()", "vars()", "builtins.__dict__", "__dict__") and key.text:
            return Value(key.labels & (BUILT | DECODED), None, key.text)
        if base.name == "sys.modules" and key.text:
            return Value(key.labels & (BUILT | DECODED), None, key.text)
        if isinstance(node.slice, ast.Slice):
            step = node.slice.step
            back = isinstance(step, ast.UnaryOp) and isinstance(step.op, ast.USub) and not node.slice.lower
            text = base.text[::-1] if back and base.text is not None else None
            shown = 0 if all(_is_number(end) for end in (node.slice.lower, node.slice.upper)) else VARIABLE
            return self.path(Value(base.labels & (~VARIABLE | shown) | (BUILT if text else 0), self.spend(text)))
        labels = base.labels & ~DOWNLOADED | (PART if base.labels & DOWNLOADED else 0)
        return Value(labels)

    def _see_dict(self, node: ast.Dict, scope: int) -> Value:
        labels = 0
        services: set[str] = set()
        for key, item in zip(node.keys, node.values, strict=True):
            value, field = self.value(item), self.value(key).text
            if value.labels & VARIABLE and field is not None:
                services.add(service_name(field) or field)
            proper = field is not None and names.authentic(field)
            labels |= value.labels & ~VARIABLE if proper else value.labels
        return Value(labels | (HARVEST if len(services) > 1 else 0))

    def _see_if_exp(self, node: ast.IfExp, scope: int) -> Value:
        return Value(self.value(node.body).labels | self.value(node.orelse).labels)

    def _see_lambda(self, node: ast.Lambda, scope: int) -> Value:
        return Value(self.value(node.body).labels)

    def _see_call(self, node: ast.Call, scope: int) -> Value:
        return call(self, node, scope)


_EXPRESSIONS = (ast.expr, ast.Slice, ast.FormattedValue)


def _is_number(end: ast.expr | None) -> bool:
    """Whether an end of a slice is left out or written down, as where the first letters of a key are shown."""
    return end is None or isinstance(end.operand if isinstance(end, ast.UnaryOp) else end, ast.Constant)


def _is_open(node: ast.AST) -> bool:
    """Whether the value of a node, or what it binds, may change from one pass to the next."""
    return not isinstance(node, ast.Constant) and (type(node) in _HANDLERS or isinstance(node, _EXPRESSIONS))


_HANDLERS: Mapping[type[ast.AST], Callable[[Flow, Any, int], Value | None]] = MappingProxyType(
    {
        ast.Import: Flow._see_import,
        ast.ImportFrom: Flow._see_import_from,
        ast.Assign: Flow._see_assign,
        ast.AnnAssign: Flow._see_ann_assign,
        ast.AugAssign: Flow._see_aug_assign,
        ast.NamedExpr: Flow._see_named_expr,
        ast.For: Flow._see_for,
        ast.AsyncFor: Flow._see_for,
        ast.comprehension: Flow._see_comprehension,
        ast.withitem: Flow._see_withitem,
        ast.Return: Flow._see_return,
        ast.Name: Flow._see_name,
        ast.Constant: Flow._see_constant,
        ast.JoinedStr: Flow._see_joined_str,
        ast.BinOp: Flow._see_bin_op,
        ast.Compare: Flow._see_compare,
        ast.Attribute: Flow._see_attribute,
        ast.Subscript: Flow._see_subscript,
        ast.Dict: Flow._see_dict,
        ast.IfExp: Flow._see_if_exp,
        ast.Lambda: Flow._see_lambda,
        ast.Call: Flow._see_call,
    }
)
