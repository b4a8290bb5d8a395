"""What a writer asks of a skill."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from inkgate.store.origin import Origin

from .names import MANIFEST
from .tree import SkillFile

__all__ = ["Content", "SkillAction", "SkillRequest"]

Content = str | bytes | SkillFile


class SkillAction(enum.StrEnum):
    """What is done to a skill."""

    CREATE = "create"  # a new skill: its SKILL.md, and files
    EDIT = "edit"  # the whole SKILL.md, and files
    PATCH = "patch"  # a piece of one file, with the reason
    WRITE = "write"  # one file whole, or several
    REMOVE = "remove"  # one file; its versions stay
    ARCHIVE = "archive"  # the skill leaves the list and lies in `.archive`
    RESTORE = "restore"  # the archived skill comes back, or a version of it


@dataclass(frozen=True, slots=True)
class SkillRequest:
    """One write.

    Attributes:
        action: what to do.
        name: the skill; the name of its folder.
        path: the file, relative to the skill, with slashes; `SKILL.md` when empty.
        text: the new text: of the `SKILL.md` for create and edit, of the file for write, of the piece for patch.
        data: for write, bytes in the place of `text`.
        old_text: for patch, the piece that stands in the file exactly once.
        reason: why; a patch must say it, and it is recorded.
        files: further files by path, for create, edit and write: all or nothing. Text and bytes are what a writer
            makes; a `SkillFile` is one that somebody has, and lies where it lies, with its rights.
        origin: who asks, from which source.
        category: for create, the folder between the store and the skill; none when empty.
        executable: for write, whether the file may be run; None leaves it, and goes by `#!` for a new script.
        replace_all: for patch, whether every occurrence is meant.
        expected: SHA-256 of the file as the writer has seen it; when it is given and wrong, nothing is written.
        version: for restore, the id of a version; the archived folder when empty.
        pins: for a replay, the SHA-256 of each file as it was shown to a person, empty for one that was not there; when
            one of them is another, nothing is written.
    """

    action: SkillAction
    name: str
    path: str = ""
    text: str = ""
    data: bytes | None = None
    old_text: str = ""
    reason: str = ""
    files: Mapping[str, Content] = field(default_factory=dict)
    origin: Origin = field(default_factory=Origin)
    category: str = ""
    executable: bool | None = None
    replace_all: bool = False
    expected: str | None = None
    version: str = ""
    pins: Mapping[str, str] | None = None

    @property
    def adds(self) -> bool:
        """Whether nothing that stands can go, whatever the skill looks like."""
        return self.action is SkillAction.CREATE

    @property
    def pieces(self) -> Mapping[str, str]:
        """What the ledger will hold of it beside the files: the reason, and the names."""
        names = (self.name, self.category, self.path, *self.files)
        return {"reason": self.reason, "names": "\n".join(name for name in names if name)}

    @property
    def where(self) -> str:
        """The skill and the file that is meant, for a list."""
        if self.action in (SkillAction.ARCHIVE, SkillAction.RESTORE):
            return self.name
        return f"{self.name}/{self.path or MANIFEST}"
