"""The values of calls in Python: what a function gives for what it is given."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from inkgate.code.python import fold, names, observing
from inkgate.code.python.values import (
    BUILT,
    DECODED,
    DOWNLOADED,
    HIDDEN,
    NOTHING,
    OBSERVED,
    PART,
    SECRET,
    SWEPT,
    VARIABLE,
    Value,
)
from inkgate.code.sensitive import is_hidden_path

if TYPE_CHECKING:
    from inkgate.code.python.flow import Flow

__all__ = ["call"]

_PATHS = frozenset(
    {
        "pathlib.Path",
        "Path",
        "pathlib.PosixPath",
        "os.path.expanduser",
        "os.path.expandvars",
        "str",
        "os.path.abspath",
        "os.path.realpath",
        "os.path.normpath",
        "bytes",
        "os.fspath",
        "bytearray",
    }
)
_READS = frozenset({"read_text", "read_bytes", "read", "readlines", "readline"})
_ADDS = frozenset({"append", "add", "extend", "update", "insert", "setdefault", "write", "writestr", "put"})
_MODULES = frozenset({"__import__", "importlib.import_module", "builtins.__import__"})


def call(flow: Flow, node: ast.Call, scope: int) -> Value:
    """The value of a call whose function and arguments have theirs."""
    callee = flow.value(node.func)
    name = callee.name.replace("()", "") if callee.name else f"?.{getattr(node.func, 'attr', '')}"
    first = flow.value(node.args[0]) if node.args else NOTHING
    special = _special(flow, node, name, first)
    if special is not None:
        return special
    labels = _arguments(flow, node)
    owner = node.func.value if isinstance(node.func, ast.Attribute) else None
    if owner is not None:
        labels |= flow.value(owner).labels
        if node.func.attr in _ADDS:  # type: ignore[attr-defined]
            flow.taint(owner, labels, scope)
    number = flow.functions.get(name) if name else None
    if number is not None:
        _pass(flow, node, number)
        labels = flow.results.get(number, 0)
    if not names.passes(callee.name):
        labels = 0
    if names.fetches(name):
        labels = DOWNLOADED
    elif names.decodes(name) or name.endswith(".decrypt"):
        labels |= DECODED
    if observing.observes(name):
        labels |= OBSERVED
    elif observing.takes_secrets(name):
        labels |= SECRET
    elif observing.sweeps(name, first.text if name.startswith(("os.", "glob.")) else flow.value(owner).text):
        labels |= SWEPT
    text = _text(flow, node, name, first)
    if name == "chr" or (owner is not None and node.func.attr in ("join", "replace") and _builds(node, text)):  # type: ignore[attr-defined]
        labels |= BUILT | (DECODED if name == "chr" or (node.args and _numbers(node.args[0])) else 0)
    return flow.path(Value(labels, flow.spend(text), f"{name}()" if callee.name and len(name) < 200 else ""))


def _special(flow: Flow, node: ast.Call, name: str, first: Value) -> Value | None:
    """Calls that stand for something else: a module, an attribute, a variable of the environment."""
    if name in _MODULES and first.text:
        top = first.text.partition(".")[0]
        flow.modules.add(top)
        whole = name.endswith("import_module") or len(node.args) > 3 or any(x.arg == "fromlist" for x in node.keywords)
        return Value(first.labels & (BUILT | DECODED), None, first.text if whole else top)
    if name == "getattr" and len(node.args) > 1:
        attribute = flow.value(node.args[1])
        if attribute.text and first.name:
            value = f"{first.name}.{attribute.text}".removeprefix("builtins.")
            return Value((first.labels | attribute.labels) & (BUILT | DECODED), None, value)
    if name == "functools.partial" and first.name:
        return Value(_arguments(flow, node), None, first.name)
    if name == "keyring.get_password":
        return Value(VARIABLE)
    if name in ("os.getenv", "os.environ.get", "os.environ.pop"):
        return flow.variable(first.text)
    if name in ("open", "io.open", "os.open", "codecs.open") or name.endswith((".open", *(f".{x}" for x in _READS))):
        owner = flow.value(getattr(node.func, "value", None))
        source = first if name.endswith("open") and node.args and owner.text is None else owner
        hidden = HIDDEN if source.text and fold.UNKNOWN not in source.text and is_hidden_path(source.text) else 0
        return Value(source.labels | hidden, None, f"{name}()" if name.endswith("open") else "")
    if name == "json.loads" or name.endswith(".json"):
        labels = _arguments(flow, node) | flow.value(getattr(node.func, "value", None)).labels
        return Value(labels & ~DOWNLOADED | (PART if labels & DOWNLOADED else 0))
    return None


def _arguments(flow: Flow, node: ast.Call) -> int:
    labels = 0
    for argument in node.args:
        labels |= flow.value(argument).labels
    for keyword in node.keywords:
        proper = keyword.arg is not None and names.authentic(keyword.arg)
        labels |= flow.value(keyword.value).labels & (~VARIABLE if proper else ~0)
    return labels


def _pass(flow: Flow, node: ast.Call, number: int) -> None:
    """Hand the arguments to the parameters of a function of this file."""
    function = flow.owners[number]
    if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
        return
    parameters = [item.arg for item in (*function.args.posonlyargs, *function.args.args)]
    if parameters[:1] in (["self"], ["cls"]):
        parameters = parameters[1:]
    for parameter, argument in zip(parameters, node.args, strict=False):
        flow.set((number, parameter), flow.value(argument))
    for keyword in node.keywords:
        if keyword.arg is not None:
            flow.set((number, keyword.arg), flow.value(keyword.value))


def _text(flow: Flow, node: ast.Call, name: str, first: Value) -> str | None:
    """The constant text of a call's result."""
    if name in _PATHS:
        if isinstance(node.args[0] if node.args else None, (ast.List, ast.Tuple)):
            return fold.characters([getattr(item, "value", None) for item in node.args[0].elts])  # type: ignore[attr-defined]
        return fold.path([flow.value(item).text for item in node.args]) if first.text is not None else None
    if name == "os.path.join":
        return fold.path([flow.value(item).text for item in node.args])
    if name in ("pathlib.Path.home", "Path.home"):
        return "~"
    if name == "chr" and node.args:
        return fold.characters([getattr(node.args[0], "value", None)])
    if names.decodes(name) and first.text is not None:
        codec = flow.value(node.args[1]).text if name == "codecs.decode" and len(node.args) > 1 else name
        return fold.decode(codec or "", first.text)
    if name == "reversed":
        return first.text[::-1] if first.text else None
    if isinstance(node.func, ast.Attribute):
        return _method(flow, node, node.func)
    return None


def _method(flow: Flow, node: ast.Call, function: ast.Attribute) -> str | None:
    text = flow.value(function.value).text
    if text is None:
        return None
    if function.attr != "join" or not node.args:
        return fold.method(function.attr, text, [flow.value(item).text for item in node.args])
    parts = node.args[0]
    if isinstance(parts, (ast.List, ast.Tuple)):
        texts = [flow.value(item).text for item in parts.elts]
        return text.join(item for item in texts if item is not None) if None not in texts else None
    numbers = _numbers(parts)
    joined = fold.characters(numbers) if numbers else flow.value(parts).text
    return text.join(joined) if joined and len(text) * len(joined) <= fold.LONGEST else None


def _builds(node: ast.Call, text: str | None) -> bool:
    """Whether a `join` or `replace` makes a text out of characters or out of another text."""
    return text is not None or bool(node.args and _numbers(node.args[0]))


def _numbers(node: ast.expr) -> list[object]:
    """The numbers whose characters a `map(chr, […])` or `chr(i) for i in […]` puts together."""
    listed: ast.expr | None = None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "map" and len(node.args) == 2:
        listed = node.args[1]
    elif isinstance(node, (ast.ListComp, ast.GeneratorExp)) and len(node.generators) == 1:
        element = node.elt
        if isinstance(element, ast.Call) and isinstance(element.func, ast.Name) and element.func.id == "chr":
            plain = isinstance(element.args[0] if element.args else None, ast.Name)
            listed = node.generators[0].iter if plain else None
    if isinstance(listed, (ast.List, ast.Tuple)):
        return [getattr(item, "value", None) for item in listed.elts]
    return []
