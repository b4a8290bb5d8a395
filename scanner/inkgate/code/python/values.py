"""What is known of values in a Python file: labels, constant texts and full names, and which names hold them."""

from __future__ import annotations

import ast
from typing import NamedTuple

from inkgate.code.model import Label
from inkgate.code.python import fold, names
from inkgate.code.sensitive import credential_path, secret_name

__all__ = ["NOTHING", "Known", "Value"]

DECODED, DOWNLOADED, PART = int(Label.DECODED), int(Label.DOWNLOADED), int(Label.DOWNLOADED_PART)
ENVIRONMENT, SECRET, VARIABLE = int(Label.ENVIRONMENT), int(Label.SECRET), int(Label.SECRET_VARIABLE)
HIDDEN, BUILT, HARVEST = int(Label.HIDDEN_FILE), int(Label.BUILT), int(Label.HARVEST)
OBSERVED, SWEPT = int(Label.OBSERVED), int(Label.SWEPT)


class Value(NamedTuple):
    """What is known of an expression.

    Attributes:
        labels: `Label` bits.
        text: its constant text, with `fold.UNKNOWN` for unknown pieces; None when nothing is known.
        name: the full name of the function or module that it is; empty when it is none.
    """

    labels: int = 0
    text: str | None = None
    name: str = ""


NOTHING = Value()

BUDGET = 1 << 22
"""Characters of texts that are computed in one pass over a tree; that there are more is said: `short`."""


class Known:
    """The values of the expressions and names of one tree.

    Attributes:
        modules: top-level modules that it imports.
        stars: modules whose names it imports all.
        budget: characters of computed texts that may still be made in this pass.
        short: whether a text was not computed for want of budget.
        moved: whether a name or a result gained a label in this pass.
    """

    def __init__(self) -> None:
        self._values: dict[int, Value] = {}
        self._names: dict[tuple[int, str], Value] = {}
        self.modules: set[str] = set()
        self.stars: list[str] = []
        self.budget = BUDGET
        self.short = False
        self.moved = False

    def value(self, node: ast.AST | None) -> Value:
        """What is known of an expression that was visited."""
        return NOTHING if node is None else self._values.get(id(node), NOTHING)

    def keep(self, node: ast.AST, value: Value | None) -> None:
        """Remember the value of an expression."""
        if value is not None and value != NOTHING:
            self._values[id(node)] = value
        else:
            self._values.pop(id(node), None)

    def spend(self, text: str | None) -> str | None:
        """The text, if it is short enough and the budget allows it."""
        if text is None or len(text) > fold.LONGEST:
            return None
        self.budget -= len(text)
        self.short = self.short or self.budget <= 0
        return text if self.budget > 0 else None

    def begin(self) -> None:
        """Begin a pass over the tree."""
        self.budget, self.moved = BUDGET, False

    def bind(self, target: ast.AST, value: Value, scope: int) -> None:
        """Give a value to a target of an assignment."""
        pending = [target]
        while pending:
            item = pending.pop()
            if isinstance(item, (ast.Tuple, ast.List)):
                pending += item.elts
                value = Value(value.labels)
            elif isinstance(item, ast.Starred):
                pending.append(item.value)
            elif isinstance(item, ast.Name):
                self.set((scope, item.id), value)
            elif isinstance(item, ast.Attribute):
                self.set((-1, item.attr), value)
            elif isinstance(item, ast.Subscript):
                self.taint(item.value, value.labels, scope)

    def set(self, key: tuple[int, str], value: Value) -> None:
        """Give a value to a name of a function; -1 is for attributes of any object."""
        old = self._names.get(key)
        before = old.labels if old else 0
        labels = value.labels | before
        self.moved = self.moved or labels != before
        self._names[key] = Value(labels, value.text, value.name)

    def taint(self, node: ast.AST, labels: int, scope: int) -> None:
        """Add labels to the container that a name or attribute stands for."""
        if isinstance(node, ast.Name):
            local = (scope, node.id)
            key = local if local in self._names or (0, node.id) not in self._names else (0, node.id)
        elif isinstance(node, ast.Attribute):
            key = (-1, node.attr)
        else:
            return
        if labels:
            old = self._names.get(key, NOTHING)
            self.moved = self.moved or labels & ~old.labels != 0
            self._names[key] = Value(old.labels | labels, old.text, old.name)

    def load(self, name: str, scope: int) -> Value:
        """The value of a name, which stands for itself when nothing is known."""
        found = self._names.get((scope, name)) or self._names.get((0, name))
        if found is not None:
            return found
        for module in self.stars:
            if names.known(f"{module}.{name}"):
                return Value(name=f"{module}.{name}")
        return Value(name=name)

    def path(self, value: Value) -> Value:
        """The value with the labels that its text deserves as a path."""
        text = value.text
        if text is None or not 2 < len(text) <= 400 or "\n" in text:
            return value
        if ("." in text or "/" in text or "\\" in text or " " in text) and credential_path(text):
            return Value(value.labels | SECRET, text, value.name)
        return value

    def variable(self, name: str | None) -> Value:
        """An environment variable of that name."""
        if name in ("HOME", "USERPROFILE"):
            return Value(0, "~")
        return Value(VARIABLE if name is not None and secret_name(name) else 0)
