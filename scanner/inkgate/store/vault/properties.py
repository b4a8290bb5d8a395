"""The front matter of a note, changed in its text: whatever a change does not name keeps every byte.

It is read as YAML nodes with places, never as objects, and only values of single lines are written, one to a line.
Every change is read back: the named properties must have their new values and all others must be as they were, or the
change is refused and the note stays as it is.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from inkgate.code.front import Front, FrontError, kind_of, pairs, read
from inkgate.store.errors import RefusalError

if TYPE_CHECKING:
    from yaml.nodes import Node

__all__ = ["Properties", "dominant_line_end", "plain", "with_item", "with_item_changed", "with_properties"]

_EMPTY = re.compile(
    r"\ufeff?---[ \t]*(?P<end>\r?\n)(?P<yaml>(?:[ \t]*+(?:#[^\r\n]*)?\r?\n)*)(?:---|\.\.\.)[ \t]*(?:\r?\n|$)"
)
_LINE_END = re.compile(r"\r?$", re.MULTILINE)
_LONE_CR = re.compile(r"\ufeff?---[ \t]*\r(?!\n)")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./@+-]*(?: [A-Za-z0-9_./@+-]+)*|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z")
_WORDS = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})  # YAML 1.1 takes them for something


def plain(value: str) -> str:
    """The value as YAML of one line: bare when every reader takes it for the same text, else in double quotes."""
    if _PLAIN.fullmatch(value) and value.casefold() not in _WORDS:
        return value
    return "".join(_escaped(character) for character in json.dumps(value, ensure_ascii=False))


def _escaped(character: str) -> str:
    if unicodedata.category(character)[0] != "C" and character not in "\u2028\u2029\u0085":
        return character
    return f"\\u{ord(character):04X}" if ord(character) < 0x10000 else f"\\U{ord(character):08X}"


def dominant_line_end(text: str) -> str:
    """The line end that most lines of the text have; LF when it has none."""
    pairs_of_both, alone = text.count("\r\n"), text.count("\n")
    if pairs_of_both * 2 > alone:
        return "\r\n"
    return "\r" if not alone and "\r" in text else "\n"


@dataclass(frozen=True)
class Properties:
    """The properties of a note.

    Attributes:
        text: the whole note.
        front: the YAML with its places; None when there is none, or it holds no property.
        start: offset of the YAML; of the body when there is no front matter.
        end: offset of the line that closes the front matter.
        body: offset of the text behind it, in characters.
    """

    text: str
    front: Front | None
    start: int
    end: int
    body: int

    @staticmethod
    def of(text: str) -> Properties:
        """The properties of a note's text.

        Raises:
            RefusalError: `front-matter`: it cannot be read with certainty. It is not repeated in the message.
        """
        return _properties(text)

    @classmethod
    def _of(cls, text: str) -> Properties:
        bom = len(text) - len(text.removeprefix("\ufeff"))
        empty = _EMPTY.match(text)
        if empty is not None:
            return cls(text, None, empty.end("end"), empty.end("yaml"), empty.end())
        if _LONE_CR.match(text):
            raise _refusal("its lines end with a lone carriage return")
        try:
            front = read(text)
        except FrontError as problem:
            line = text.count("\n", 0, problem.start) + 1
            raise _refusal(f"{str(problem)[0].lower()}{str(problem)[1:]} (line {line})") from problem
        if front is None:
            return cls(text, None, bom, bom, bom)
        return cls(text, front, front.start, front.end, front.body)

    @property
    def there(self) -> bool:
        """Whether the note has front matter, be it empty."""
        return self.end > self.start or self.body > self.end

    @cached_property
    def _nodes(self) -> dict[str, tuple[Node, Node]]:
        nodes: dict[str, tuple[Node, Node]] = {}
        for name, key, value in pairs(self.front.node) if self.front else ():
            if name in nodes:
                raise _refusal(f"the property {plain(name)} stands in it twice")
            nodes[name] = (key, value)
        return nodes

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(self._nodes)

    def get(self, name: str) -> str:
        """The text of a property of one value; empty when there is none, or it is a list."""
        found = self._nodes.get(name)
        if found is None or str(found[1].tag).endswith(":null"):
            return ""
        return found[1].value if isinstance(found[1].value, str) else ""

    def items(self, name: str) -> tuple[str, ...]:
        """The texts of a property: those of a list, or the one."""
        found = self._nodes.get(name)
        if found is None:
            return ()
        if kind_of(found[1]) == "sequence":
            return tuple(str(item.value) for item in found[1].value if isinstance(item.value, str))
        return (self.get(name),) if self.get(name) else ()

    def has(self, name: str) -> bool:
        """Whether a property is there and not empty."""
        found = self._nodes.get(name)
        return found is not None and (kind_of(found[1]) != "scalar" or bool(self.get(name)))

    def written(self, name: str) -> str:
        """The lines in which a property is written, as they are; empty when it is not there."""
        found = self._nodes.get(name)
        if found is None or self.front is None:
            return ""
        start, end = self.front.place(found[0])[0], self.front.place(found[1])[1]
        return self.text[start : max(end, self.front.place(found[0])[1] + 1)].rstrip()

    def place(self, name: str) -> tuple[int, int]:
        """The range of the text that the value of a property is written in.

        Raises:
            RefusalError: `front-matter`: it is no value of one line, or it is written elsewhere (an alias).
        """
        assert self.front is not None
        key, value = self._nodes[name]
        after = self.text.index(":", self.front.place(key)[1]) + 1
        start, end = self.front.place(value)
        written = self.text[start:end]
        if kind_of(value) != "scalar" or getattr(value, "style", None) in ("|", ">") or "\n" in written:
            raise _refusal(f"the property {plain(name)} is no value of one line")
        if end <= after or not written.strip():  # nothing stands behind the colon
            return after, after
        if start < after:
            raise _refusal(f"the property {plain(name)} is written elsewhere")
        return start, end

    def node(self, name: str) -> Node:
        """The YAML node of a property's value."""
        return self._nodes[name][1]

    def tree(self) -> dict[str, Any]:
        """Every property as plain values, to compare."""
        return {name: _tree(value, 0) for name, (_, value) in self._nodes.items()}


@lru_cache(8)
def _properties(text: str) -> Properties:
    """Read once for the several questions of one change."""
    return Properties._of(text)


def _tree(node: Node, depth: int) -> Any:  # noqa: ANN401 - any YAML
    if depth > 80:
        raise _refusal("it nests too deeply")
    if kind_of(node) == "scalar":
        return node.tag, node.value
    return node.tag, [
        tuple(_tree(part, depth + 1) for part in item) if isinstance(item, tuple) else _tree(item, depth + 1)
        for item in node.value
    ]


def _refusal(why: str) -> RefusalError:
    return RefusalError(
        "front-matter",
        f"The front matter of the note cannot be changed safely: {why}. Nothing was changed.",
        hint="Repair it by hand.",
    )


def with_properties(text: str, changes: Mapping[str, str]) -> str:
    """The note with these properties set: in their place where they are, else on lines of their own at the end.

    Raises:
        RefusalError: `front-matter`.
    """
    before = Properties.of(text)
    changes = {name: value for name, value in changes.items() if before.items(name) != (value,) or not value}
    if not changes:
        return text
    if before.front is not None and before.front.node.flow_style:
        raise _refusal("it is written in braces")
    edits = []
    added = ""
    column = " " * (before.front.node.start_mark.column if before.front else 0)
    end = dominant_line_end(text[: before.end] or text)
    for name, value in changes.items():
        if name in before.names:
            start, stop = before.place(name)
            edits.append((start, stop, plain(value) if stop > start else f" {plain(value)}"))
        else:
            added += f"{column}{name}: {plain(value)}{end}"
    if not before.there:
        added = f"---{end}{added}---{end}"
    edits.append((before.end, before.end, added))
    return _checked(before, _spliced(text, edits), {name: (value,) for name, value in changes.items()})


def with_item(text: str, name: str, item: str) -> str:
    """The note with one more item in a list; a single value becomes the first of a list.

    Raises:
        RefusalError: `front-matter`.
    """
    before = Properties.of(text)
    known = before.items(name)
    if item in known:
        return text
    if not before.has(name):
        return with_properties(text, {name: item})
    assert before.front is not None
    value = before.node(name)
    start, stop = before.front.place(value)
    if kind_of(value) == "scalar":
        start, stop = before.place(name)
        edit = (start, stop, f"[{plain(known[0])}, {plain(item)}]")
    elif getattr(value, "flow_style", False):
        edit = (stop - 1, stop - 1, f", {plain(item)}" if known else plain(item))
    else:
        ends = _LINE_END.search(text, before.front.place(value.value[-1])[1])
        last = ends.start() if ends else before.end
        column = " " * value.start_mark.column
        edit = (last, last, f"{dominant_line_end(text[: before.end])}{column}- {plain(item)}")
    return _checked(before, _spliced(text, [edit]), {name: (*known, item)})


def with_item_changed(text: str, name: str, item: str, new: str) -> str:
    """The note with another text in the place of one item of a property, be it a list or a single value.

    Raises:
        RefusalError: `front-matter`.
    """
    before = Properties.of(text)
    known = before.items(name)
    if item not in known:
        return text
    value = before.node(name)
    if kind_of(value) == "scalar":
        return with_properties(text, {name: new})
    assert before.front is not None
    edits = [
        (*before.front.place(node), plain(new))
        for node in value.value
        if kind_of(node) == "scalar" and node.value == item
    ]
    return _checked(before, _spliced(text, edits), {name: tuple(new if part == item else part for part in known)})


def _spliced(text: str, edits: list[tuple[int, int, str]]) -> str:
    for start, stop, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[stop:]
    return text


def _checked(before: Properties, text: str, wanted: Mapping[str, tuple[str, ...]]) -> str:
    """The text, when it reads as it should: what was wanted, and all else as before."""
    after = Properties.of(text)
    others = [
        {name: value for name, value in properties.tree().items() if name not in wanted}
        for properties in (before, after)
    ]
    if others[0] != others[1] or text[after.body :] != before.text[before.body :]:
        raise _refusal("the change would reach other properties")
    if any(after.items(name) != tuple(filter(None, value)) for name, value in wanted.items()):
        raise _refusal("the change would not be read back as it was meant")
    return text
