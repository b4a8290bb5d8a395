"""Which files a run is about, in an order that depends on nothing but their names.

Whatever is not given out as a file to scan is given out with the reason, or counted in the `Tally`.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

from inkgate.lean import dataclass, field
from inkgate.lint.bounds import Problem
from inkgate.lint.ignored import Ignored, ask_git, work_tree
from inkgate.lint.targets import has_skill_file, is_skill, target_for
from inkgate.model import Target

__all__ = ["Item", "Tally", "describe", "target_for", "walk"]


@dataclass(frozen=True, slots=True)
class Item:
    """One file to scan, or something that cannot be scanned.

    Attributes:
        path: what to open.
        source: how to call it, with slashes.
        target: what it is written for.
        problem: why it is not to be opened, or None; its `name` is empty.
    """

    path: str
    source: str
    target: Target
    problem: Problem | None = None


@dataclass(slots=True)
class Tally:
    """What a walk left out, filled while it goes on.

    Attributes:
        ignored: files and folders that git ignores; a folder counts once.
        repositories: folders with git's own data.
        remarks: what a person should know, for instance that git did not answer and so nothing was left out.
    """

    ignored: int = 0
    repositories: int = 0
    remarks: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder on the way down."""

    path: Path
    source: str
    skill: bool
    own_rules: bool
    """Whether the ignore rules here were written by the author of the skill, who does not decide what is scanned."""
    ignored: Ignored


def walk(
    paths: Iterable[str | os.PathLike[str]], *, gitignore: bool = True, tally: Tally | None = None
) -> Iterator[Item]:
    """Every file that the paths mean, each once.

    A file that is named is given out whatever it is. Below a folder, what git ignores is left out, unless the ignore
    file belongs to a skill. Links are followed to files within the folder, and reported where they leave it.

    Args:
        paths: files and folders.
        gitignore: whether to leave out what git ignores.
        tally: where to count what is left out.
    """
    walker = _Walker(gitignore, Tally() if tally is None else tally)
    seen: set[str] = set()
    for path in paths:
        for item in walker.start(os.fspath(path)):
            key = os.path.abspath(item.path)  # noqa: PTH100 - text, for every file
            if key not in seen:
                seen.add(key)
                yield item


def describe(mode: int) -> str:
    """The kind of file that a mode stands for, in words."""
    kinds = (
        (stat.S_ISREG, "a file"),
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISFIFO, "a FIFO"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISCHR, "a character device"),
        (stat.S_ISBLK, "a block device"),
        (stat.S_ISLNK, "a symbolic link"),
    )
    return next((name for test, name in kinds if test(mode)), "a special file")


def _source(path: str) -> str:
    return path.replace(os.sep, "/") if os.sep != "/" else path


def _failure(error: OSError) -> Problem:
    if error.errno == errno.ELOOP:
        return Problem("", "a symbolic link that leads back to itself", fatal=True)
    return Problem("", f"cannot be read: {error.strerror or error}", fatal=True)


class _Walker:
    def __init__(self, gitignore: bool, tally: Tally) -> None:
        self._gitignore, self._tally = gitignore, tally
        self._visited: set[tuple[int, int]] = set()
        self._root = self._tree = Path()
        self._skills: dict[str, bool] = {}  # by folder, whether it belongs to a skill

    def start(self, path: str) -> Iterator[Item]:
        """Everything that one path of the command line means."""
        try:
            status = os.stat(path)  # noqa: PTH116 - follows a link that was named
            real = Path(os.path.realpath(path)) if stat.S_ISDIR(status.st_mode) else None
        except (OSError, ValueError) as error:
            problem = _failure(error) if isinstance(error, OSError) else Problem("", "not a path", fatal=True)
            yield Item(path, _source(path), self._target(path), problem)
            return
        if real is None:
            special = None if stat.S_ISREG(status.st_mode) else _special(status.st_mode)
            yield Item(path, _source(path), self._target(path), special)
            return
        self._root = real
        self._tree = work_tree(real) or real
        source = "" if path in (".", "./") else _source(path).rstrip("/") + "/"
        yield from self._descend(self._folder(real, source, is_skill(real), False, None))

    def _target(self, path: str) -> Target:
        """What a file that was named is written for; its folder is asked once for all files in it."""
        folder = os.path.dirname(path)  # noqa: PTH120 - text, for every file
        if folder not in self._skills:
            self._skills[folder] = is_skill(Path(folder))
        return target_for(path, skill=self._skills[folder])

    def _descend(self, top: _Folder) -> Iterator[Item]:
        stack = [(top, self._entries(top))]
        while stack:
            folder, entries = stack[-1]
            entry = next(entries, None)
            if entry is None:
                stack.pop()
            elif isinstance(entry, Item):
                yield entry
            else:
                inner = self._folder(
                    folder.path / entry, f"{folder.source}{entry}/", folder.skill, folder.own_rules, folder.ignored
                )
                stack.append((inner, self._entries(inner)))

    def _folder(self, path: Path, source: str, skill: bool, own_rules: bool, ignored: Ignored | None) -> _Folder:
        skill = skill or has_skill_file(path)
        repository = os.path.lexists(path / ".git")
        own_rules = own_rules or (skill and (repository or os.path.lexists(path / ".gitignore")))
        if ignored is None or repository:
            ignored = ask_git(path) if self._gitignore else Ignored()
            if ignored.failure:
                self._tally.remarks.append(f"{source or './'}: {ignored.failure}; no file was left out")
        return _Folder(path, source, skill, own_rules, ignored)

    def _entries(self, folder: _Folder) -> Iterator[Item | str]:
        """Items for what is no folder, names for folders, sorted by name."""
        try:
            status = folder.path.stat()
            if (status.st_dev, status.st_ino) in self._visited:
                return
            self._visited.add((status.st_dev, status.st_ino))
            with os.scandir(folder.path) as listing:
                entries = sorted(listing, key=lambda entry: entry.name)
        except OSError as error:
            name = folder.source or "."
            yield Item(os.fspath(folder.path), name, target_for(folder.path, skill=folder.skill), _failure(error))
            return
        for entry in entries:
            yield from self._entry(folder, entry)

    def _entry(self, folder: _Folder, entry: os.DirEntry[str]) -> Iterator[Item | str]:
        if entry.path in folder.ignored.paths and not folder.own_rules:
            self._tally.ignored += 1
            return
        try:
            mode = entry.stat(follow_symlinks=False).st_mode
        except OSError as error:
            yield self._item(folder, entry, _failure(error))
            return
        if stat.S_ISDIR(mode):
            yield from self._subfolder(folder, entry)
        elif stat.S_ISLNK(mode):
            yield from self._link(folder, entry)
        else:
            yield self._item(folder, entry, None if stat.S_ISREG(mode) else _special(mode))

    def _subfolder(self, folder: _Folder, entry: os.DirEntry[str]) -> Iterator[Item | str]:
        if entry.name.lower() == ".git" and _is_git(entry.path):
            self._tally.repositories += 1
            if folder.skill:
                yield self._item(folder, entry, Problem("", "git's own data, which is not scanned"))
        elif entry.name.lower() == "plugins" and folder.path.name.startswith(".obsidian") and not folder.skill:
            yield self._item(folder, entry, Problem("", "the code of Obsidian plugins, which is not scanned"))
        else:
            yield entry.name

    def _link(self, folder: _Folder, entry: os.DirEntry[str]) -> Iterator[Item]:
        """A link is a file to scan if it stays in the folder and leads to one."""
        try:
            real = Path(os.path.realpath(entry.path, strict=True))
            mode = real.stat().st_mode
        except FileNotFoundError:
            real = Path(os.path.realpath(entry.path))
            rule = "" if real.is_relative_to(self._tree) else "symlink-escape"
            yield self._item(folder, entry, Problem("", "a symbolic link that leads to nothing", rule))
        except OSError as error:
            yield self._item(folder, entry, _failure(error))
        else:
            yield from self._linked(folder, entry, real, mode)

    def _linked(self, folder: _Folder, entry: os.DirEntry[str], real: Path, mode: int) -> Iterator[Item]:
        if not real.is_relative_to(self._tree):
            problem = Problem("", "a symbolic link that leaves the folder and was not followed", "symlink-escape")
            yield self._item(folder, entry, problem)
        elif not real.is_relative_to(self._root):
            yield self._item(folder, entry, Problem("", "a symbolic link that leads to another part of the repository"))
        elif not stat.S_ISDIR(mode):
            yield self._item(folder, entry, None if stat.S_ISREG(mode) else _special(mode))
        elif any(os.fspath(level) in folder.ignored.paths or level.name == ".git" for level in (real, *real.parents)):
            yield self._item(folder, entry, Problem("", "a symbolic link to a folder that is left out"))

    def _item(self, folder: _Folder, entry: os.DirEntry[str], problem: Problem | None) -> Item:
        source = f"{folder.source}{entry.name}"
        return Item(source, source, target_for(entry.path, skill=folder.skill), problem)


def _is_git(folder: str) -> bool:
    """Whether a folder holds git's data: a folder that is only called `.git` is no place to hide in."""
    return all(os.path.lexists(f"{folder}/{name}") for name in ("HEAD", "objects", "refs"))


def _special(mode: int) -> Problem:
    return Problem("", f"{describe(mode)}, not a file, and was not opened", fatal=True)
