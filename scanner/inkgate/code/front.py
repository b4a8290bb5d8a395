"""The front matter of a `SKILL.md`: where it is, its YAML as nodes with places, and what in it is dangerous.

Only the node tree is made, never an object: tags, anchors and repeated keys stay visible, and nothing in the text can
make a loader do anything. What hosts honour beside the specification (hooks, tools that need no question) is looked
at here; whether fields are well-formed is `inkgate.lint.skills`' question.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from inkgate.code.model import CodeFinding, few
from inkgate.model import Severity

if TYPE_CHECKING:
    from yaml.nodes import MappingNode, Node

__all__ = ["LONGEST", "Front", "FrontError", "dangers", "kind_of", "pairs", "read", "text_of"]

LONGEST = 65_536
"""Characters of front matter that are read."""

_NESTING = 60
_OPEN = re.compile(r"\ufeff?---[ \t]*\r?\n")
_LATE = re.compile(r"\ufeff?\s{1,400}---[ \t]*\r?\n")
"""Blank lines before it, which some hosts pass over."""
_CLOSE = re.compile(r"^(?:---|\.\.\.)[ \t]*\r?$", re.MULTILINE)
_PLAIN = re.compile(
    r"^([ \t]{0,24}(?:-[ \t]{1,4})?[A-Za-z][\w-]{0,40}:[ \t]{1,4})"
    r"(\*(?=[*/.]|[ \t]*$)|[^\s\"'\[{|>&*!%@`#])([^\n]{0,4000})$",
    re.MULTILINE,
)
"""A value that is not quoted, and no list, mapping, block, anchor or tag; a star that stands for everything is none."""
_STAR = "\uff0a"
"""What a mended star is until it is looked at."""
_ENDS = re.compile(r":(?=[ \t]|$)")
_ENTRY = re.compile(r"\s{0,400}(?:#[^\n]{0,400}\n){0,20}[\"']?[\w.-]{1,60}[\"']?[ \t]{0,4}:")
"""The first thing in front matter: a name and a colon."""
_FLOW = re.compile(r"[\[{\]}]")
_BLOCKS = re.compile(r"(?:[ \t]{0,8}[-?][ \t]){60}")
_TOOLS = frozenset({"allowed-tools", "allowed_tools", "allowedtools", "tools", "permissions"})
_WILD = re.compile(r"(?:^|[\s,])(?:\*|[A-Za-z_]{1,40}\(\s{0,4}(?:\*{1,2}|:\*|\*:\*|\.\*)\s{0,4}\))(?=$|[\s,])")
_IDLE = frozenset({"exit 0", "true", ":", "echo ok"})
"""Commands of hooks that do nothing."""
_TELLING = frozenset({"type", "matcher", "timeout", "description"})
"""What else a hook has that runs nothing."""
_TYPED = re.compile(r"^(?:!!?|tag:yaml\.org,2002:)(?:python|ruby|java|perl|js|php)\b", re.IGNORECASE)


class FrontError(ValueError):
    """The front matter cannot be read. The message never holds any of it.

    Attributes:
        start: where.
    """

    def __init__(self, message: str, start: int = 0) -> None:
        super().__init__(message)
        self.start = start


@dataclass(frozen=True, slots=True)
class Front:
    """Front matter that was read.

    Attributes:
        node: its mapping.
        start: offset of the YAML in the text; marks of nodes count from here.
        end: offset just past the YAML.
        body: offset of what stands behind it.
        mended: whether it is no YAML as it stands, and was read as lenient hosts read it.
    """

    node: MappingNode
    start: int
    end: int
    body: int
    mended: bool = False

    def place(self, node: Node) -> tuple[int, int]:
        """The range of the text that a node is written in."""
        return self.start + node.start_mark.index, self.start + max(node.end_mark.index, node.start_mark.index)


def read(text: str, *, lenient: bool = False) -> Front | None:
    """The front matter of a text; None when it has none.

    Args:
        text: the beginning of the file, `LONGEST` characters of it at least where it has as many.
        lenient: read values with a colon and a space in them as the texts that are meant, and pass over blank lines
            before the front matter, as many hosts do.

    Raises:
        FrontError: it is not closed, is no YAML, or is no mapping.
    """
    opened = _OPEN.match(text)
    late = opened is None and lenient
    if late:
        opened = _LATE.match(text)
    if opened is None:
        return None
    start = opened.end()
    closed = _CLOSE.search(text, start, start + LONGEST)
    if (
        closed is not None
        and closed.end() == start + LONGEST
        and text[closed.end() : closed.end() + 1] not in ("", "\n")
    ):
        closed = None  # the beginning of a longer line
    if closed is None:
        if late or (lenient and not _ENTRY.match(text, start)):
            return None  # a rule between paragraphs
        raise FrontError("The front matter is never closed by a line of `---`")
    source = text[start : closed.start()]
    _check_nesting(source, start)
    end, body = closed.start(), min(len(text), closed.end() + 1)
    try:
        return Front(_compose(source, start), start, end, body)
    except FrontError:
        if late:
            return None
        mended = _PLAIN.sub(_mend, source) if lenient else source
        if mended == source:
            raise
        return Front(_compose(mended, start), start, end, body, mended=True)


def _mend(hit: re.Match[str]) -> str:
    """A plain value of one line without signs that YAML reads in it; every place stays where it was."""
    value = _STAR if hit[2] == "*" else hit[2]
    return hit[1] + value + _ENDS.sub("\u02d0", hit[3]).replace(" #", " \u02d0")


def _check_nesting(source: str, start: int) -> None:
    depth = 0
    for hit in _FLOW.finditer(source):
        depth += 1 if hit[0] in "[{" else -1
        if depth > _NESTING:
            raise FrontError("The front matter nests too deeply", start + hit.start())
    for line in source.splitlines():
        if _BLOCKS.match(line) or len(line) - len(line.lstrip(" ")) > 4 * _NESTING:
            raise FrontError("The front matter nests too deeply", start)


def _compose(source: str, start: int) -> MappingNode:
    import yaml

    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        node = yaml.compose(source, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise FrontError("The front matter is not valid YAML", start + (mark.index if mark else 0)) from None
    except (yaml.YAMLError, RecursionError, ValueError):
        raise FrontError("The front matter is not valid YAML", start) from None
    if not isinstance(node, yaml.MappingNode):
        raise FrontError("The front matter is no mapping of names to values", start)
    return node


def pairs(node: MappingNode) -> Iterator[tuple[str, Node, Node]]:
    """Names, their nodes and the nodes of their values; names that are no plain texts are empty."""
    for key, value in node.value:
        yield (key.value if isinstance(key.value, str) else ""), key, value


def kind_of(node: Node) -> str:
    """`scalar`, `sequence` or `mapping`."""
    return str(getattr(node, "id", ""))


def text_of(node: Node) -> str | None:
    """The text of a scalar; None for anything else."""
    return node.value if isinstance(node.value, str) else None


def dangers(front: Front) -> Iterator[CodeFinding]:
    """What in the front matter lets a skill do more, or says two things at once."""
    yield from _walk(front)
    for name, key, value in _merged(front.node):
        lower = name.lower()
        start, end = front.place(key)[0], front.place(value)[1]
        if lower == "hooks" and value.value:
            yield CodeFinding("skill-hooks", start, end, "", Severity.LOW if _idle(value) else None)
            yield from _commands(front, value)
        elif lower == "tools" and list(_texts(value)) == ["*"]:
            continue  # an agent with the tools that every agent has
        elif lower in _TOOLS and any(_WILD.search(text) for text in _texts(value)):
            yield CodeFinding("skill-wildcard-tools", start, end)


def _each(node: Node, inside: Callable[[Node], Iterable[Node]]) -> Iterator[Node]:
    """A node and those inside of it, each once, whatever refers to it."""
    stack: list[Node] = [node]
    seen: set[int] = set()
    while stack:
        item = stack.pop()
        if id(item) not in seen:
            seen.add(id(item))
            yield item
            stack += inside(item)


def _inside(node: Node) -> Iterable[Node]:
    """What a node is made of."""
    if kind_of(node) == "mapping":
        return [part for pair in node.value for part in pair]
    return node.value if kind_of(node) == "sequence" else ()


def _merged(node: Node) -> Iterator[tuple[str, Node, Node]]:
    """Names and values at the top, with those of the mappings that are merged into it (`<<`)."""
    for item in _each(node, _merges):
        if kind_of(item) == "mapping":
            yield from (found for found in pairs(item) if found[0] != "<<")  # type: ignore[arg-type]


def _merges(node: Node) -> Iterable[Node]:
    if kind_of(node) == "mapping":
        return [value for name, _key, value in pairs(node) if name == "<<"]  # type: ignore[arg-type]
    return _inside(node)


def _walk(front: Front) -> Iterator[CodeFinding]:
    """Repeated keys and types of programs, at every level."""
    for node in _each(front.node, _inside):
        if _TYPED.match(node.tag or ""):
            yield CodeFinding("skill-yaml-tag", *front.place(node))
        names: set[str] = set()
        for name, key, _value in pairs(node) if kind_of(node) == "mapping" else ():  # type: ignore[arg-type]
            if name and name in names:
                yield CodeFinding("skill-duplicate-key", *front.place(key))
            names.add(name)


def _idle(hooks: Node) -> bool:
    """Whether each hook has a command that does nothing, and nothing else that a host could run or say."""
    commands = 0
    for item in _each(hooks, _lists):
        if kind_of(item) != "mapping":
            if isinstance(item.value, str):
                return False  # a command without its name
            continue
        for name, _key, value in pairs(item):  # type: ignore[arg-type]
            if not isinstance(value.value, str):
                continue
            if name == "command" and value.value in _IDLE:
                commands += 1
            elif name not in _TELLING:
                return False
    return commands > 0


def _lists(node: Node) -> Iterable[Node]:
    """What a node is made of, but for texts under a name."""
    if kind_of(node) == "mapping":
        return [value for _name, _key, value in pairs(node) if not isinstance(value.value, str)]  # type: ignore[arg-type]
    return _inside(node)


def _texts(node: Node) -> Iterator[str]:
    """Every scalar in a node."""
    return (item.value.replace(_STAR, "*") for item in _each(node, _inside) if isinstance(item.value, str))


def _commands(front: Front, node: Node) -> Iterator[CodeFinding]:
    """What the commands of hooks do: every text but those that only tell when, and lists of words as one command."""
    import shlex

    for item in _each(node, _told):
        if isinstance(item.value, str):
            yield from _command(front, item, item.value)
        elif kind_of(item) == "sequence" and len(item.value) > 1 and all(isinstance(x.value, str) for x in item.value):
            yield from _command(front, item, shlex.join(part.value for part in item.value))


def _told(node: Node) -> Iterable[Node]:
    """What a hook is made of, but for what only tells when."""
    if kind_of(node) == "mapping":
        return [value for name, _key, value in pairs(node) if name not in _TELLING]  # type: ignore[arg-type]
    return _inside(node)


def _command(front: Front, node: Node, text: str) -> Iterator[CodeFinding]:
    """What a command does, each rule once."""
    from inkgate.code import Language, analyse

    place = front.place(node)
    for item in few(analyse(text, Language.SHELL, example=True).findings, 1):
        yield CodeFinding(item.rule, *place, item.message, item.severity, item.confidence)
