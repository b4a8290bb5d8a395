"""What a call would leave behind: the vocabulary between the hosts' tools and the judge."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from inkgate.integrations.hosts.answer import RefusalError
from inkgate.integrations.hosts.draft import Draft
from inkgate.integrations.hosts.files import label, locate, read_text
from inkgate.integrations.hosts.targets import in_order, targets_of
from inkgate.lean import Any, dataclass
from inkgate.model import Span, Target

__all__ = ["Desk", "Doubt", "Item", "Write", "arguments"]

_MAX_DEPTH = 64


@dataclass(frozen=True, slots=True)
class Write:
    """A text as it will stand after the call.

    Attributes:
        label: where it will stand, fit to be printed.
        text: the whole resulting text.
        targets: what it is taken for; usually one, two when a link leads from one kind of place to another.
        before: the text that stands there now, or None when all of `text` counts as new.
        fresh: spans of `text` that are new or seams; not used when `before` is None.
        parts: for a text put together from several arguments, the offset in `text` and the name of each.
    """

    label: str
    text: str
    targets: tuple[Target, ...]
    before: str | None = None
    fresh: tuple[Span, ...] = ()
    parts: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Doubt:
    """A durable place that a call writes to, with a text that cannot be told from the call: a person must look."""

    label: str
    reason: str


Item = Write | Doubt


@dataclass(slots=True)
class _File:
    label: str
    draft: Draft
    before: str | None
    targets: set[Target]


class Desk:
    """The files of one call as they will be, so that two changes to one file are judged together.

    Nothing is written. A file that two names lead to (a link) is one file, and is judged as what each name says.
    """

    def __init__(self, cwd: Path) -> None:
        self.cwd = cwd
        self._files: dict[str, _File] = {}

    def read(self, path: str) -> str | None:
        """The text of a file as the call sees it at this point; None when there is none."""
        place = locate(path, self.cwd)
        file = self._files.get(os.path.realpath(place))
        return read_text(place) if file is None else file.draft.text

    def write(self, path: str, text: str, *, target: Target | None = None) -> None:
        """The file is written from its first character to its last; all of it counts as new."""
        place = locate(path, self.cwd)
        self._put(place, _File(label(place, self.cwd), Draft(text), None, self._targets(place, target)))

    def edit(self, path: str, *, target: Target | None = None) -> Draft:
        """The file's text, to be changed in places.

        Raises:
            RefusalError: there is no such file, or it cannot be read.
        """
        place = locate(path, self.cwd)
        file = self._files.get(os.path.realpath(place))
        if file is None:
            text = read_text(place)
            if text is None:
                raise RefusalError("the file to be changed does not exist, so the result of the edit is unknown")
            file = _File(label(place, self.cwd), Draft(text), text, set())
            self._put(place, file)
        file.targets |= self._targets(place, target)
        return file.draft

    def append(self, path: str, text: str, *, target: Target | None = None) -> None:
        """Text is put at the end of a file, which is made where there is none."""
        if self.read(path) is None:
            self.write(path, text, target=target)
        else:
            self.edit(path, target=target).append(text)

    def items(self) -> list[Write]:
        """Every file that was touched, in order."""
        return [
            Write(file.label, file.draft.text, in_order(file.targets), file.before, file.draft.fresh)
            for file in self._files.values()
        ]

    def _put(self, place: Path, file: _File) -> None:
        self._files[os.path.realpath(place)] = file

    @staticmethod
    def _targets(place: Path, target: Target | None) -> set[Target]:
        return {target} if target is not None else set(targets_of(place))


def arguments(values: Mapping[str, Any], name: str, target: Target = Target.MEMORY) -> list[Write]:
    """Every text in the arguments of a tool that is not known, as one text, so that nothing hides between two of them.

    Keys count where they could hold a sentence.
    """
    pieces: list[tuple[str, str]] = []
    keys: list[tuple[str, str]] = []
    stack: list[tuple[str, Any, int]] = [("", dict(values), 0)]
    while stack:
        path, value, depth = stack.pop()
        if depth > _MAX_DEPTH:
            raise RefusalError("the arguments are nested too deeply")
        if isinstance(value, str):
            pieces.append((path, value))
        elif isinstance(value, dict):
            keys += ((f"{path} (key)", key) for key in value if len(key) > 32 or " " in key or not key.isascii())
            stack += ((f"{path}.{_plain(key)}".lstrip("."), item, depth + 1) for key, item in reversed(value.items()))
        elif isinstance(value, list):
            stack += ((f"{path}[{index}]", value[index], depth + 1) for index in reversed(range(len(value))))
    parts: list[tuple[int, str]] = []
    offset = 0
    for path, text in pieces + keys:
        parts.append((offset, path))
        offset += len(text) + 1
    if not parts:
        return []
    return [
        Write(f"the arguments of {name}", "\n".join(text for _, text in pieces + keys), (target,), parts=tuple(parts))
    ]


def _plain(key: str) -> str:
    return key if key.isascii() and key.isidentifier() and len(key) <= 32 else "?"
