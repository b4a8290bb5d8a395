"""The patch language of `apply_patch` (Codex) and of the `patch` tool (Hermes): what the patched files will hold.

    *** Begin Patch
    *** Add File: PATH          every following line begins with +
    *** Update File: PATH       then hunks: @@ HINT, lines that begin with blank, - or +; before them *** Move to: PATH
    *** Delete File: PATH
    *** Move File: PATH -> PATH
    *** End Patch

Markers may have blanks around them, as both tools allow.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass, field

from inkgate.integrations.hosts.answer import RefusalError
from inkgate.integrations.hosts.draft import Draft, Splice, find_lines
from inkgate.integrations.hosts.writes import Desk

__all__ = ["apply_patch", "is_patch", "patch_in", "patched_paths"]

_HEADERS = {
    "*** Add File:": "add",
    "*** Update File:": "update",
    "*** Delete File:": "delete",
    "*** Move File:": "move",
}
_IGNORED = ("*** Begin Patch", "*** End Patch", "*** Environment ID:")


@dataclass(slots=True)
class _Hunk:
    hints: list[str] = field(default_factory=list)
    lines: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class _Operation:
    kind: str
    path: str
    moved: str = ""
    added: list[str] = field(default_factory=list)
    hunks: list[_Hunk] = field(default_factory=list)


def is_patch(text: str) -> bool:
    """Whether a text holds a patch of this language."""
    return "*** Begin Patch" in text


def patch_in(text: str) -> str:
    """The patch that a text holds: from the first beginning to the last end, so that nothing falls out between."""
    start, end = text.find("*** Begin Patch"), text.rfind("*** End Patch")
    return text[start:] if end < start else text[start:end]


def patched_paths(text: str) -> list[str]:
    """The files that exist after the patch and were touched by it."""
    return [operation.moved or operation.path for operation in _parse(text) if operation.kind != "delete"]


def apply_patch(text: str, desk: Desk, *, at_hint: bool = False) -> None:
    """Change the files on the desk as a patch says.

    Args:
        text: the patch.
        desk: the files; the patch's paths start from its folder.
        at_hint: where a hunk that only adds goes: after its hint (Hermes) or to the end of the file (Codex).

    Raises:
        RefusalError: the patch cannot be read, or does not fit the files.
    """
    for operation in _parse(text):
        if operation.kind == "add":
            desk.write(operation.path, "".join(f"{line}\n" for line in operation.added))
        elif operation.kind == "move":
            desk.write(operation.moved, _existing(operation.path, desk))
        elif operation.kind == "update" and operation.moved:
            draft = Draft(_existing(operation.path, desk))
            draft.splice(_splices(draft.text, operation.hunks, at_hint=at_hint))
            desk.write(operation.moved, draft.text)
        elif operation.kind == "update":
            draft = desk.edit(operation.path)
            draft.splice(_splices(draft.text, operation.hunks, at_hint=at_hint))


def _existing(path: str, desk: Desk) -> str:
    text = desk.read(path)
    if text is None:
        raise RefusalError("the file to be moved does not exist, so the result of the patch is unknown")
    return text


def _parse(text: str) -> list[_Operation]:
    operations: list[_Operation] = []
    for line in text.replace("\r\n", "\n").split("\n"):
        if (operation := _header(line)) is not None:
            operations.append(operation)
        elif operations:
            _body(operations[-1], line)
    if not operations:
        raise RefusalError("the patch names no file, or is not in the patch language")
    return operations


def _header(line: str) -> _Operation | None:
    marker = line.strip()
    if not marker.startswith("*** ") or line[:1] in ("+", "-"):
        return None
    for start, kind in _HEADERS.items():
        if marker.startswith(start):
            path, moved = marker[len(start) :].strip(), ""
            if kind == "move":
                path, _, moved = path.partition(" -> ")
            if not path or (kind == "move" and not moved):
                raise RefusalError("the patch has a header without a path")
            return _Operation(kind, path.strip(), moved.strip())
    return None


def _body(operation: _Operation, line: str) -> None:
    marker = line.strip()
    if line[:1] not in ("+", "-", " ") or marker.startswith("*** "):
        if marker.startswith("*** Move to:"):
            operation.moved = marker.removeprefix("*** Move to:").strip()
            return
        if marker == "*** End of File" or marker.startswith(_IGNORED):
            return
    if operation.kind == "add":
        if line:  # an empty line has lost its mark; both tools leave it out
            operation.added.append(line[1:] if line.startswith("+") else line)
    elif operation.kind == "update":
        _hunk_line(operation, line)
    elif marker:
        raise RefusalError("the patch has lines where none may stand")


def _hunk_line(operation: _Operation, line: str) -> None:
    if line.startswith("@@"):
        hint = line[2:].strip().removesuffix("@@").strip()
        if not operation.hunks or operation.hunks[-1].lines:
            operation.hunks.append(_Hunk())
        if hint:
            operation.hunks[-1].hints.append(hint)
        return
    if not operation.hunks:
        operation.hunks.append(_Hunk())
    if line[:1] in ("+", "-", " "):
        operation.hunks[-1].lines.append((line[0], line[1:]))
    elif line:  # both tools take a line without a mark for context
        operation.hunks[-1].lines.append((" ", line))
    else:
        operation.hunks[-1].lines.append((" ", ""))


def _splices(text: str, hunks: list[_Hunk], *, at_hint: bool) -> list[Splice]:
    lines = text.split("\n")
    offsets = [0]
    for line in lines:
        offsets.append(offsets[-1] + len(line) + 1)
    splices: list[Splice] = []
    cursor = 0
    for hunk in hunks:
        for hint in hunk.hints:
            found = find_lines(lines, [hint], cursor)
            if found is None:
                found = next((index for index in range(len(lines)) if hint in lines[index]), None)
            if found is None:
                raise RefusalError("the patch does not fit the file: a line named after @@ is not in it")
            cursor = found + 1
        while hunk.lines and hunk.lines[-1] == (" ", ""):  # blank lines between hunks are not context
            hunk.lines.pop()
        old = [line for mark, line in hunk.lines if mark != "+"]
        if not old:
            splices.append(_addition(text, offsets, hunk, cursor if at_hint and hunk.hints else None))
            continue
        found = find_lines(lines, old, cursor)
        if found is None:
            found = find_lines(lines, old)
        if found is None:
            raise RefusalError("the patch does not fit the file: its context lines are not in it")
        splices += _changes(lines, offsets, hunk, found, len(text))
        cursor = found + len(old)
    splices.sort(key=lambda splice: splice[:2])
    if any(first[1] > second[0] for first, second in itertools.pairwise(splices)):
        raise RefusalError("the patch changes the same lines twice, so its result is unknown")
    return splices


def _addition(text: str, offsets: list[int], hunk: _Hunk, after: int | None) -> Splice:
    new = "".join(f"{line}\n" for _, line in hunk.lines)
    if after is not None and after < len(offsets) and offsets[after] <= len(text):
        return offsets[after], offsets[after], new
    return len(text), len(text), new if not text or text.endswith("\n") else f"\n{new}"


def _changes(lines: list[str], offsets: list[int], hunk: _Hunk, found: int, size: int) -> list[Splice]:
    """One replacement for each run of changed lines of a hunk that begins at line `found`."""
    splices: list[Splice] = []
    at = start = found
    new: list[str] = []
    changed = False

    def flush() -> None:
        nonlocal changed
        if changed:
            begin, end = min(offsets[start], size), min(offsets[at], size)
            text = "".join(f"{line}\n" for line in new)
            if begin == size and begin and at > len(lines) - 1 and start >= len(lines):
                text = f"\n{text}"
            splices.append((begin, end, text))
        changed = False
        new.clear()

    for mark, line in hunk.lines:
        if mark == " " and line == lines[at].rstrip("\r"):
            flush()
            at += 1
            start = at
            continue
        changed = True
        if mark != "-":
            new.append(line)
        if mark != "+":
            at += 1
    flush()
    return splices
