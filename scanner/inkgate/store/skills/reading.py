"""Reading skills step by step: what there is, then a `SKILL.md`, then a file that it links to."""

from __future__ import annotations

import codecs
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from inkgate.store.errors import RefusalError, UnreadableError

from .places import Place
from .plan import FILE_BYTES
from .tree import FOLDER_BYTES, SkillFile, read_file

__all__ = ["DESCRIPTION", "PAGE", "Linked", "Listed", "View", "head_of", "linked_files", "view_file"]

PAGE = 100_000  # characters that one view gives at most
DESCRIPTION = 1_024  # characters of a description, by the specification
_HEAD = 65_536  # bytes that are read of a SKILL.md for the list
_MOST_LINKED = 1_000


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of the list of skills.

    Attributes:
        name: of the skill: that of its folder.
        description: what it does and when to use it; at most `DESCRIPTION` characters.
        category: the folders between the store and it.
        problem: why it cannot be used, or what is wrong with its front matter; empty when nothing is.
    """

    name: str
    description: str
    category: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Linked:
    """A file beside the `SKILL.md`: its path, and its size in bytes. A link is named with a problem."""

    path: str
    size: int
    problem: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """A file, or a page of it.

    Attributes:
        name: of the skill.
        path: of the file.
        text: its text, or the page that was asked for; None when it is not UTF-8 text.
        data: its bytes when it is not text.
        sha256: digest of the whole file: what a writer gives as `expected`.
        size: bytes of the whole file.
        characters: of the whole text; 0 when it is none.
        start: offset of the page in characters.
        next: where the next page starts; None on the last one.
        linked: for a `SKILL.md`, the files beside it.
    """

    name: str
    path: str
    text: str | None
    data: bytes
    sha256: str
    size: int
    characters: int
    start: int = 0
    next: int | None = None
    linked: tuple[Linked, ...] = ()


def head_of(place: Place) -> Listed:
    """Name and description from the front matter alone; what is wrong with it is told, and hides no skill."""
    if place.problem:
        return Listed(place.name, "", place.category, place.problem)
    path = place.folder / place.manifest
    try:
        text = _beginning(path)
    except OSError as error:
        return Listed(place.name, "", place.category, f"it could not be read: {error.strerror}")
    description, problem = _description(text)
    return Listed(place.name, description, place.category, problem)


def _beginning(path: Path) -> str:
    """The first bytes of a regular file as text; a character that is cut at the end is left out."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "it is not a regular file")
        data = os.read(descriptor, _HEAD)
    finally:
        os.close(descriptor)
    return codecs.getincrementaldecoder("utf-8")("replace").decode(data)


def _description(text: str) -> tuple[str, str]:
    """The description, and what is wrong with the front matter."""
    from inkgate.code.front import FrontError, pairs, read, text_of

    try:
        front = read(text)
    except FrontError as error:
        return "", str(error)
    if front is None:
        return "", "there is no front matter"
    fields = {name: text_of(value) for name, _key, value in pairs(front.node)}
    description = " ".join((fields.get("description") or "").split())
    if not description:
        return "", "its front matter has no description"
    if len(description) > DESCRIPTION:
        return description[: DESCRIPTION - 1] + "…", f"its description is longer than {DESCRIPTION:,} characters"
    return description, ""


def linked_files(place: Place) -> tuple[Linked, ...]:
    """The files beside the `SKILL.md`, sorted by path; none of them is opened.

    Raises:
        UnreadableError: the folder cannot be read.
        RefusalError: `too-large`: there are more than 1,000.
    """
    found: list[Linked] = []
    stack = [(place.folder, "")]
    while stack:
        level, prefix = stack.pop()
        try:
            with os.scandir(level) as listing:
                for entry in listing:
                    path = prefix + entry.name
                    if entry.is_symlink():
                        found.append(Linked(path, 0, "a symbolic link"))
                    elif entry.is_dir(follow_symlinks=False):
                        if path != ".git":
                            stack.append((Path(entry.path), f"{path}/"))
                    elif path != place.manifest:
                        found.append(Linked(path, entry.stat(follow_symlinks=False).st_size))
        except OSError as error:
            raise UnreadableError(f"The skill {place.name} could not be read: {error.strerror}.") from error
        if len(found) > _MOST_LINKED:
            raise RefusalError("too-large", f"The skill {place.name} has more than {_MOST_LINKED:,} files.")
    return tuple(sorted(found, key=lambda item: item.path))


def view_file(place: Place, path: str, start: int | None) -> View:
    """One file of a skill, whole, or a page of it when `start` is given.

    Raises:
        RefusalError: `bad-name`, `no-file`; `too-long`: more than `PAGE` characters and no `start`; `too-large`: more
            than `FILE_BYTES` bytes that are no text.
        UnreadableError: a link, a special file, more than 16 MiB, or no permission.
    """
    shown = f"{place.name}/{path}"
    file = read_file(_locate(place, path), shown, FOLDER_BYTES)
    linked = linked_files(place) if path == place.manifest and not start else ()
    try:
        text = file.data.decode("utf-8")
    except UnicodeDecodeError:
        return _bytes(place, path, file)
    characters, size = len(text), len(file.data)
    if start is None and characters > PAGE:
        raise RefusalError(
            "too-long",
            f"{shown} has {characters:,} characters, more than the {PAGE:,} of one view.",
            hint="Read it page by page: give the offset to start at, from 0.",
            details={"characters": characters, "page": PAGE},
        )
    begin = start or 0
    if begin < 0 or begin > characters:
        raise RefusalError("bad-name", f"{shown} has {characters:,} characters; there is nothing at {begin:,}.")
    end = min(begin + PAGE, characters)
    return View(
        place.name, path, text[begin:end], b"", file.sha256, size, characters, begin,
        end if end < characters else None, linked,
    )  # fmt: skip


def _bytes(place: Place, path: str, file: SkillFile) -> View:
    if len(file.data) > FILE_BYTES:
        raise RefusalError(
            "too-large",
            f"{place.name}/{path} is no text and has {len(file.data):,} bytes, more than {FILE_BYTES:,}.",
            hint="Run a script on it instead.",
        )
    return View(place.name, path, None, file.data, file.sha256, len(file.data), 0)


def _locate(place: Place, path: str) -> Path:
    """A file inside the skill, by exactly the name that it has, not through a link.

    Raises:
        RefusalError: `bad-name`, `no-file`.
    """
    parts = path.split("/")
    if "\0" in path or any(part in ("", ".", "..") for part in parts):
        raise RefusalError("bad-name", "A path is relative to the skill, and stays inside it.")
    level = place.folder
    for part in parts:
        try:
            names = os.listdir(level)  # noqa: PTH208 - a system that folds case must not find another name
        except OSError:
            names = []
        if part not in names:
            raise RefusalError("no-file", f"There is no {path} in the skill {place.name}.")
        level = level / part
        if level.is_symlink():
            raise RefusalError("bad-name", f"{part} is a symbolic link, which is not followed.")
    if level.is_dir():
        raise RefusalError("no-file", f"{path} is a folder of the skill {place.name}.")
    return level
