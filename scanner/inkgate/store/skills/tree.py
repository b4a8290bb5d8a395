"""A skill's folder as a value: its files by path, their bytes and whether they are executable."""

from __future__ import annotations

import hashlib
import json
import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from inkgate.store.errors import UnreadableError

from .names import MANIFEST, same_name

__all__ = [
    "ABSENT",
    "FOLDER_BYTES",
    "FOLDER_FILES",
    "SkillFile",
    "Tree",
    "canonical",
    "digest_of",
    "manifest_path",
    "read_file",
    "read_tree",
    "states",
]

ABSENT = "absent"
"""The digest of a skill that is not there."""

FOLDER_BYTES = 16 << 20
FOLDER_FILES = 500
"""Bytes and files of a folder that the store reads whole, and so can change."""

_FLAGS = os.O_RDONLY
for _name in ("O_NOFOLLOW", "O_NONBLOCK", "O_CLOEXEC", "O_BINARY"):
    _FLAGS |= getattr(os, _name, 0)


@dataclass(frozen=True, slots=True)
class SkillFile:
    """One file of a skill.

    Attributes:
        data: its bytes.
        executable: whether its owner may run it.
        sha256: digest of the bytes.
    """

    data: bytes
    executable: bool = False
    sha256: str = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sha256", hashlib.sha256(self.data).hexdigest())

    @property
    def state(self) -> str:
        """Digest, `x` or `-`, and bytes: what the ledger says about it."""
        return f"{self.sha256}:{'x' if self.executable else '-'}:{len(self.data)}"


Tree = Mapping[str, SkillFile]
"""The files of a skill by relative path with slashes; empty for a skill that is not there."""


def states(tree: Tree) -> dict[str, str]:
    """What the ledger says about each file."""
    return {path: tree[path].state for path in sorted(tree)}


def canonical(tree: Tree) -> str:
    """One text for one folder: paths, digests and rights, so that whoever checked this text has checked the folder."""
    return json.dumps(states(tree), separators=(",", ":"))


def digest_of(tree: Tree) -> str:
    """SHA-256 of the canonical text, or `ABSENT`."""
    return hashlib.sha256(canonical(tree).encode("ascii")).hexdigest() if tree else ABSENT


def manifest_path(paths: Mapping[str, object]) -> str:
    """The path of the `SKILL.md`, as it is spelled there; `SKILL.md` when there is none."""
    if MANIFEST in paths:
        return MANIFEST
    return next((path for path in sorted(paths) if "/" not in path and same_name(path, MANIFEST)), MANIFEST)


def read_file(path: Path, shown: str, most: int = FOLDER_BYTES) -> SkillFile:
    """One file, never through a link, and never waiting for one that is no file.

    Args:
        path: where it lies.
        shown: how to call it in a message.
        most: bytes.

    Raises:
        UnreadableError: it is a link, no regular file, too large, or the system refuses.
    """
    try:
        descriptor = os.open(path, _FLAGS)
    except OSError as error:
        why = "it is a symbolic link" if path.is_symlink() else str(error.strerror)
        raise UnreadableError(f"{shown} could not be read: {why}.") from error
    with os.fdopen(descriptor, "rb") as file:
        status = os.fstat(file.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise UnreadableError(f"{shown} could not be read: it is not a regular file.")
        if status.st_size > most:
            raise UnreadableError(f"{shown} has {status.st_size:,} bytes, more than {most:,}.")
        try:
            data = file.read(most + 1)
        except OSError as error:
            raise UnreadableError(f"{shown} could not be read: {error.strerror}.") from error
    if len(data) > most:
        raise UnreadableError(f"{shown} grew to more than {most:,} bytes while it was read.")
    return SkillFile(data, bool(status.st_mode & 0o100))


def read_tree(folder: Path, name: str) -> dict[str, SkillFile]:
    """Every file of a folder; none when there is no folder. What git keeps for itself (`.git` at the top) is left out.

    Args:
        folder: where the skill lies.
        name: how to call it in a message.

    Raises:
        UnreadableError: a link, a special file, a name that is no text, too many files or bytes, or no permission.
            Nothing of the folder is given out then: a part of it must not pass for the whole.
    """
    tree: dict[str, SkillFile] = {}
    left = FOLDER_BYTES
    stack = [(folder, "")]
    while stack:
        level, prefix = stack.pop()
        try:
            with os.scandir(level) as found:
                entries = sorted(found, key=lambda entry: entry.name)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise UnreadableError(
                f"The skill {name} could not be read: {prefix or 'its folder'}: {error.strerror}."
            ) from error
        for entry in entries:
            path = prefix + entry.name
            shown = f"{name}/{path}".encode("utf-8", "backslashreplace").decode()
            if not path.isprintable() and any("\ud800" <= char <= "\udfff" for char in path):
                raise UnreadableError(f"{shown}: the name of this file is not UTF-8.")
            if entry.is_symlink():
                raise UnreadableError(
                    f"{shown} is a symbolic link, which a skill must not hold. Its bytes are untouched.",
                    hint="Put the file itself there.",
                )
            if entry.is_dir(follow_symlinks=False):
                if path != ".git":
                    stack.append((Path(entry.path), f"{path}/"))
                continue
            try:
                file = read_file(Path(entry.path), shown)
            except UnreadableError as problem:
                if isinstance(problem.__cause__, FileNotFoundError):
                    continue  # somebody has just removed it
                raise
            tree[path] = file
            left -= len(file.data)
            if left < 0 or len(tree) > FOLDER_FILES:
                raise UnreadableError(
                    f"The skill {name} holds more than {FOLDER_FILES} files or {FOLDER_BYTES:,} bytes: too much for"
                    " the store to keep versions of.",
                    hint="Keep data elsewhere, and let the skill say where.",
                )
    return tree
