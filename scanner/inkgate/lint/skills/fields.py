"""Whether the fields of a `SKILL.md` follow the Agent Skills specification, or what a host accepts beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from inkgate.code.front import Front, FrontError, kind_of, pairs, read, text_of
from inkgate.code.model import CodeFinding
from inkgate.lint.config import SKILL_PROFILES
from inkgate.model import Severity

if TYPE_CHECKING:
    from yaml.nodes import Node

__all__ = ["LINES", "PROFILES", "check_fields"]

PROFILES = SKILL_PROFILES
"""`spec`: https://agentskills.io/specification. `claude-code`: what that host accepts as well."""

LINES = 500
"""Lines of a body that the specification advises at most."""

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SPEC = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
_CLAUDE_CODE = (
    *_SPEC,
    *("disallowed-tools", "model", "effort", "context", "agent", "hooks", "paths", "argument-hint", "arguments"),
    *("user-invocable", "disable-model-invocation", "version", "when_to_use", "when-to-use", "shell", "skills", "mode"),
)
_KNOWN: Mapping[str, tuple[str, ...]] = MappingProxyType({"spec": _SPEC, "claude-code": _CLAUDE_CODE})


def check_fields(text: str, folder: str, profile: str) -> Iterator[CodeFinding]:
    """What is wrong with the form of a `SKILL.md`. None of it blocks anything.

    Args:
        text: the file, or at least its first 64 Ki characters.
        folder: name of the folder that it lies in; empty when that is not known.
        profile: one of `PROFILES`.
    """
    try:
        front = read(text)
    except FrontError:
        return  # the scan of the file reports it
    if front is None:
        yield _field("There is no front matter, so hosts know neither name nor description", 0, min(1, len(text)))
        return
    seen: dict[str, tuple[Node, Node]] = {}
    for name, key, value in pairs(front.node):
        seen.setdefault(name, (key, value))
    start = front.place(front.node)[0]
    for name, check in _CHECKS.items():
        found = seen.get(name)
        if found is not None:
            for message, severity in check(found[1], folder, profile):
                yield _field(message, *front.place(found[1]), severity)
        elif name in ("name", "description"):
            yield _field(f"The field `{name}` is required", start, start)
    yield from _unknown(front, seen, profile)
    if text.count("\n", front.body) > LINES:
        yield _field(
            f"The body is longer than {LINES} lines; hosts load all of it", front.body, front.body, Severity.INFO
        )


def _field(message: str, start: int, end: int, severity: Severity | None = None) -> CodeFinding:
    return CodeFinding("skill-field", start, end, message, severity)


def _unknown(front: Front, seen: Mapping[str, tuple[Node, Node]], profile: str) -> Iterator[CodeFinding]:
    for name, (key, _value) in seen.items():
        if name not in _KNOWN[profile]:
            known = "a field that the specification does not know" if profile == "spec" else "a field that hosts ignore"
            yield _field(f"The front matter has {known}", *front.place(key), Severity.INFO)


Complaints = Iterator[tuple[str, Severity | None]]


def _name(node: Node, folder: str, profile: str) -> Complaints:
    text = text_of(node)
    if not text:
        yield "`name` must be a text", None
        return
    softer = Severity.INFO if profile == "claude-code" else None
    if len(text) > 64 or not _NAME.fullmatch(text):
        yield "`name` must be 1 to 64 lower-case letters, digits and single hyphens between them", softer
    elif folder and text != folder:
        yield "`name` differs from the name of the folder", softer


def _description(node: Node, _folder: str, profile: str) -> Complaints:
    text = text_of(node)
    if text is None or not text.strip():
        yield "`description` must be a text that says what the skill does and when to use it", None
    elif len(text) > 1024:
        softer = Severity.INFO if profile == "claude-code" else None
        yield "`description` is longer than 1,024 characters; hosts cut it", softer


def _short(name: str, most: int) -> Callable[[Node, str, str], Complaints]:
    def check(node: Node, _folder: str, _profile: str) -> Complaints:
        text = text_of(node)
        if not text or len(text) > most:
            yield f"`{name}` must be a text of at most {most} characters", None

    return check


def _metadata(node: Node, _folder: str, profile: str) -> Complaints:
    flat = kind_of(node) == "mapping" and all(
        text_of(key) is not None and text_of(value) is not None for key, value in node.value
    )
    if not flat:
        yield "`metadata` must be a mapping of texts to texts", Severity.INFO if profile == "claude-code" else None


def _tools(node: Node, _folder: str, profile: str) -> Complaints:
    if text_of(node) is None and profile == "spec":
        yield "`allowed-tools` must be one text with blanks between the tools", Severity.INFO


_CHECKS: Mapping[str, Callable[[Node, str, str], Complaints]] = MappingProxyType(
    {
        "name": _name,
        "description": _description,
        "license": _short("license", 500),
        "compatibility": _short("compatibility", 500),
        "metadata": _metadata,
        "allowed-tools": _tools,
    }
)
