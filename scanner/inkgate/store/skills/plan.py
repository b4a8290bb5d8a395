"""What a request makes of a skill's files: pure, without a disk."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from inkgate.store.errors import NotUnderstoodError, RefusalError

from .names import check_new_path, find_collision, is_asset, is_script
from .request import Content, SkillAction, SkillRequest
from .tree import FOLDER_BYTES, FOLDER_FILES, SkillFile, Tree, manifest_path

__all__ = ["FILE_BYTES", "MANIFEST_CHARACTERS", "FileChange", "SkillPlan", "plan_change"]

MANIFEST_CHARACTERS = 100_000
FILE_BYTES = 1 << 20
"""What is written at most: characters of a `SKILL.md`, bytes of any other file."""

_SURROGATE = re.compile("[\ud800-\udfff]")
_LINES = 5  # places that an ambiguous piece names


@dataclass(frozen=True, slots=True)
class FileChange:
    """What happens to one file; None for one that was not, or will not be, there."""

    path: str
    before: SkillFile | None
    after: SkillFile | None


@dataclass(frozen=True, slots=True)
class SkillPlan:
    """The outcome of a request.

    Attributes:
        old: the files before; empty for a skill that was not there.
        new: the files after; empty for one that leaves.
        changes: one for each file that is not as it was, sorted by path.
    """

    old: Tree
    new: Tree
    changes: tuple[FileChange, ...]

    @property
    def adds(self) -> bool:
        """Whether every file that stood there stands as it was."""
        return all(change.before is None for change in self.changes)

    @property
    def keeps(self) -> bool:
        """Whether every file that stood there is still the beginning of a file of that name."""
        return all(
            change.before is None or (change.after is not None and change.after.data.startswith(change.before.data))
            for change in self.changes
        )

    @classmethod
    def between(cls, old: Tree, new: Tree) -> SkillPlan:
        """The plan that makes one set of files out of another."""
        changes = [
            FileChange(path, old.get(path), new.get(path))
            for path in sorted({*old, *new})
            if old.get(path) != new.get(path)
        ]
        return cls(old, new, tuple(changes))


def plan_change(tree: Tree, request: SkillRequest) -> SkillPlan:
    """Apply a create, edit, patch, write or remove to the files of a skill.

    Args:
        tree: the files as they stand; empty when the skill is not there.
        request: what to do. Archive and restore are not planned here: they bring files as they are.

    Raises:
        RefusalError: `exists`, `no-skill`, `no-file`, `bad-name`, `collision`, `needs-reason`, `empty-text`,
            `no-match`, `ambiguous`, `manifest`, `binary`, `too-large`, `overtaken`.
        NotUnderstoodError: a text that has no UTF-8 form, or holds a NUL.
    """
    if request.action is SkillAction.CREATE and tree:
        raise RefusalError("exists", f"There is a skill {request.name} already.", hint="Edit or patch it.")
    if request.action is not SkillAction.CREATE and not tree:
        raise RefusalError("no-skill", f"There is no skill {request.name}.")
    manifest = manifest_path(tree)
    new = dict(tree)
    if request.action in (SkillAction.CREATE, SkillAction.EDIT):
        _seen(tree.get(manifest), request)
        _put(new, tree, manifest, _encoded(request.text, manifest), None)
    elif request.action is SkillAction.PATCH:
        _patch(new, request, request.path or manifest)
    elif request.action is SkillAction.WRITE:
        _write(new, tree, request)
    elif request.action is SkillAction.REMOVE:
        _remove(new, request, manifest)
    else:
        raise ValueError(f"{request.action} is no change of files")
    if request.action in (SkillAction.CREATE, SkillAction.EDIT, SkillAction.WRITE):
        _further(new, tree, request.files, manifest)
    made = SkillPlan.between(tree, new)
    _check_sizes(made, manifest)
    return made


def _write(new: dict[str, SkillFile], tree: Tree, request: SkillRequest) -> None:
    if not request.path and request.files:
        return
    if not request.path or request.path == manifest_path(tree):
        raise RefusalError("manifest", "SKILL.md is written with `edit` or `patch`.")
    _seen(tree.get(request.path), request)
    data = _encoded(request.text, request.path) if request.data is None else request.data
    _put(new, tree, request.path, data, request.executable)


def _further(new: dict[str, SkillFile], tree: Tree, more: Mapping[str, Content], manifest: str) -> None:
    for path, content in more.items():
        if path == manifest:
            raise RefusalError("manifest", "SKILL.md is the text of the request, not one of its files.")
        if isinstance(content, SkillFile):
            _name(new, tree, path, anywhere=True)
            new[path] = content
        else:
            _put(new, tree, path, content if isinstance(content, bytes) else _encoded(content, path), None)


def _name(new: Mapping[str, SkillFile], tree: Tree, path: str, *, anywhere: bool = False) -> None:
    """Whether a file may have this name, which is there, or collides with none that is."""
    if path not in tree:
        check_new_path(path, anywhere=anywhere)
        other = find_collision(path, new)
        if other is not None:
            raise RefusalError(
                "collision",
                f"Beside this file stands `{other}`, which some systems take for the same name, or for its folder.",
                hint="Use the name that is there, or another one.",
            )


def _put(new: dict[str, SkillFile], tree: Tree, path: str, data: bytes, executable: bool | None) -> None:
    """Set one file, after everything that can be wrong with its name and its kind."""
    _name(new, tree, path)
    standing = tree.get(path)
    if executable and not is_script(path):
        raise RefusalError("bad-name", "Only files below scripts/ may be executable.")
    if not is_asset(path):
        _check_text(data, path)
    if executable is None:
        executable = standing.executable if standing else is_script(path) and data.startswith(b"#!")
    new[path] = SkillFile(data, executable)


def _check_text(data: bytes, path: str) -> None:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise RefusalError(
            "binary", f"{path} would not be UTF-8 text. Nothing was changed.", hint="Other data lies in assets/."
        )


def _encoded(text: object, path: str) -> bytes:
    if not isinstance(text, str):
        raise NotUnderstoodError(f"The content of {path} must be text, not {type(text).__name__}.")
    half = _SURROGATE.search(text)
    if half:
        raise NotUnderstoodError(
            f"The text cannot be stored: U+{ord(half.group()):04X} at character {half.start()} is half of a surrogate"
            " pair and has no UTF-8 form.",
            hint="Send the whole character, or leave it out.",
        )
    return text.encode("utf-8")


def _patch(new: dict[str, SkillFile], request: SkillRequest, path: str) -> None:
    if not request.reason.strip():
        raise RefusalError(
            "needs-reason", "A patch says why: give a reason.", hint="Say what has changed, or was wrong."
        )
    if not request.old_text:
        raise RefusalError("empty-text", "old_text cannot be empty.")
    standing = new.get(path)
    if standing is None:
        raise RefusalError("no-file", f"There is no {path} in the skill {request.name}.")
    _seen(standing, request)
    try:
        text = standing.data.decode("utf-8")
    except UnicodeDecodeError:
        raise RefusalError("binary", f"{path} is not UTF-8 text, so it cannot be patched.") from None
    old, fresh = request.old_text, request.text
    if old not in text and "\r\n" in text and "\r" not in old:
        old, fresh = old.replace("\n", "\r\n"), fresh.replace("\r\n", "\n").replace("\n", "\r\n")
    places = _places(text, old)
    if not places:
        raise RefusalError(
            "no-match",
            f"The old text does not stand in {path}. Nothing was changed.",
            hint="View the file and take it from there.",
        )
    if len(places) > 1 and not request.replace_all:
        lines = [text.count("\n", 0, place) + 1 for place in places[:_LINES]]
        raise RefusalError(
            "ambiguous",
            f"The old text stands in {path} {len(places)} times, on lines {', '.join(map(str, lines))}"
            f"{' and others' if len(places) > _LINES else ''}.",
            hint="Give more of the text around it, so that it is the only one.",
            details={"count": len(places), "lines": tuple(lines)},
        )
    new[path] = SkillFile(_encoded(text.replace(old, fresh), path), standing.executable)
    if not is_asset(path):
        _check_text(new[path].data, path)


def _places(text: str, piece: str) -> list[int]:
    """Where a piece stands; occurrences that overlap count, because then it is not clear which one is meant."""
    places = []
    at = text.find(piece)
    while at >= 0:
        places.append(at)
        at = text.find(piece, at + 1)
    return places


def _remove(new: dict[str, SkillFile], request: SkillRequest, manifest: str) -> None:
    if not request.path or request.path == manifest:
        raise RefusalError("manifest", "A skill has a SKILL.md.", hint="To put the whole skill away, archive it.")
    if request.path not in new:
        raise RefusalError("no-file", f"There is no {request.path} in the skill {request.name}.")
    _seen(new[request.path], request)
    del new[request.path]


def _seen(standing: SkillFile | None, request: SkillRequest) -> None:
    """Whether the file is as the writer has seen it."""
    if request.expected is not None and request.expected != (standing.sha256 if standing else ""):
        raise RefusalError(
            "overtaken", f"{request.where} is not as you have seen it. Nothing was changed.", hint="View it again."
        )


def _check_sizes(made: SkillPlan, manifest: str) -> None:
    for change in made.changes:
        if change.after is None:
            continue
        size = len(change.after.data)
        if change.path == manifest:
            characters = len(change.after.data.decode("utf-8"))
            if characters > MANIFEST_CHARACTERS:
                raise _too_large(f"SKILL.md would have {characters:,} characters, more than {MANIFEST_CHARACTERS:,}")
        elif size > FILE_BYTES:
            raise _too_large(f"{change.path} would have {size:,} bytes, more than {FILE_BYTES:,}")
    if len(made.new) > FOLDER_FILES:
        raise _too_large(f"The skill would have {len(made.new):,} files, more than {FOLDER_FILES:,}")
    total = sum(len(file.data) for file in made.new.values())
    if total > FOLDER_BYTES:
        raise _too_large(f"The skill would have {total:,} bytes, more than {FOLDER_BYTES:,}")


def _too_large(what: str) -> RefusalError:
    return RefusalError(
        "too-large", f"{what}. Nothing was changed.", hint="Move parts into files that are read when they are needed."
    )
