"""Where skills lie: `<root>/<name>/SKILL.md`, or below folders that only sort them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from inkgate.store.errors import RefusalError

from .names import MANIFEST, same_name

__all__ = ["ARCHIVE", "WORKSHOP", "Place", "archived", "find_all", "find_one", "folder_for"]

ARCHIVE = ".archive"  # as Hermes' curator calls it
WORKSHOP = f"{ARCHIVE}/.inkgate"  # where no host looks for skills, also while a new one is prepared there
_DEEPEST = 3  # folders from the root to a skill


@dataclass(frozen=True, slots=True)
class Place:
    """One skill's folder.

    Attributes:
        name: of the skill: that of its folder.
        category: the folders between the root and it, with slashes; empty when it lies in the root.
        folder: where it lies.
        manifest: the `SKILL.md` as it is spelled there.
        problem: why it can neither be read nor written, or empty.
    """

    name: str
    category: str
    folder: Path
    manifest: str = MANIFEST
    problem: str = ""

    @property
    def path(self) -> str:
        """Category and name, with a slash."""
        return f"{self.category}/{self.name}" if self.category else self.name


def find_all(root: Path) -> list[Place]:
    """Every skill below the root, sorted by name and category; what begins with a dot is none."""
    return sorted(_find(root, "", _DEEPEST), key=lambda place: (place.name, place.category))


def _find(folder: Path, category: str, levels: int) -> Iterator[Place]:
    try:
        with os.scandir(folder) as found:
            entries = sorted((entry for entry in found if not entry.name.startswith(".")), key=lambda item: item.name)
    except FileNotFoundError:
        return
    except OSError as error:
        name = category.rpartition("/")
        yield Place(name[2] or folder.name, name[0], folder, problem=f"it could not be read: {error.strerror}")
        return
    for entry in entries:
        if not entry.is_dir():
            continue
        here = Path(entry.path)
        manifest = _manifest(here)
        if manifest:
            linked = entry.is_symlink() or (here / manifest).is_symlink()
            problem = "it is, or its SKILL.md is, a symbolic link" if linked else ""
            yield Place(entry.name, category, here, manifest, problem)
        elif levels > 1 and not entry.is_symlink():
            yield from _find(here, f"{category}/{entry.name}" if category else entry.name, levels - 1)


def _manifest(folder: Path) -> str:
    """The `SKILL.md` of a folder as it is spelled there, or empty."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 - names are enough, and there may be many folders
    except OSError:
        return ""
    if MANIFEST in names:
        return MANIFEST
    return next((name for name in sorted(names) if name.lower() == "skill.md"), "")


def find_one(root: Path, name: str) -> Place | None:
    """The skill of this name, spelled exactly so; None when there is none.

    Raises:
        RefusalError: `ambiguous`: there is more than one. `unreadable`: it is a link.
    """
    found = [place for place in find_all(root) if place.name == name]
    if len(found) > 1:
        places = ", ".join(place.path for place in found)
        raise RefusalError(
            "ambiguous", f"There is more than one skill {name}: {places}.", hint="Rename the folder of one of them."
        )
    if found and found[0].problem:
        raise RefusalError("unreadable", f"The skill {name} cannot be used: {found[0].problem}.")
    return found[0] if found else None


def folder_for(root: Path, name: str, category: str) -> Path:
    """Where a new skill goes.

    Raises:
        RefusalError: `exists`: a skill has that name. `collision`: a folder or a file is there, or something that some
            systems take for the same name.
    """
    for place in find_all(root):
        if place.name == name:
            raise RefusalError("exists", f"There is a skill {name} already, at {place.path}.")
        if same_name(place.name, name):
            raise RefusalError(
                "collision", f"There is a skill {place.path}, which some systems take for the same name."
            )
    level = root
    for part in [*(category.split("/") if category else []), name]:
        for other in _names(level):
            if other != part and same_name(other, part):
                raise RefusalError("collision", f"There is a folder {other}, which some systems take for {part}.")
        level = level / part
        if level.is_symlink() or (level.exists() and not level.is_dir()):
            raise RefusalError("collision", f"{part} is there, and is not a folder.")
        if level.name != name and _manifest(level):
            raise RefusalError("collision", f"{part} is a skill itself, and cannot hold others.")
    if level.exists():
        raise RefusalError("exists", f"There is a folder {name} already, without a SKILL.md.")
    return level


def _names(folder: Path) -> list[str]:
    try:
        return os.listdir(folder)  # noqa: PTH208
    except (FileNotFoundError, NotADirectoryError):
        return []


def archived(root: Path) -> list[Path]:
    """The folders of archived skills, sorted."""
    try:
        found = sorted((root / ARCHIVE).iterdir())
    except FileNotFoundError:
        return []
    return [path for path in found if path.is_dir() and not path.is_symlink() and not path.name.startswith(".")]
