"""What a run is about: the files that its arguments and exclusions leave."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

from inkgate.lean import dataclass
from inkgate.lint.examine import within
from inkgate.lint.globs import compile_glob
from inkgate.lint.walk import Item, Tally, walk
from inkgate.model import InkgateError

__all__ = ["Chosen", "select"]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is to be examined.

    Attributes:
        items: in the order of their names, each once.
        left_out: files and folders that git or an exclusion leaves out.
        remarks: what a person should know about the choice.
    """

    items: tuple[Item, ...]
    left_out: int
    remarks: tuple[str, ...]


def select(
    paths: Sequence[str],
    *,
    exclude: Sequence[str] = (),
    folder: str = "",
    gitignore: bool = True,
    force: bool = False,
    own: Sequence[str] = (),
) -> Chosen:
    """The files that paths mean.

    Args:
        paths: files and folders.
        exclude: patterns of paths to leave out.
        folder: absolute, what the patterns are relative to.
        gitignore: whether to leave out what git ignores.
        force: whether files are left out by a pattern even when they are named; git never leaves out a named file.
        own: files of the run itself (its baseline, the report that it is about to replace), left out like those of a
            pattern: they repeat the names of rules and pieces of what was found, and would be found again.

    Raises:
        InkgateError: a pattern cannot be read.
    """
    try:
        globs = [compile_glob(pattern) for pattern in exclude]
    except ValueError as error:
        raise InkgateError(f"--exclude: {error}") from None
    named = set() if force else {os.path.abspath(path) for path in paths if not os.path.isdir(path)}  # noqa: PTH100, PTH112
    ours = {os.path.basename(path): os.path.realpath(path) for path in own}  # noqa: PTH119
    tally = Tally()
    items: list[Item] = []
    excluded = 0
    for item in walk(paths, gitignore=gitignore, tally=tally):
        if (globs or ours) and os.path.abspath(item.path) not in named:  # noqa: PTH100 - text, for every file
            relative = within(item.path, folder)
            if any(glob.fullmatch(relative) for glob in globs) or _is_one(item.path, ours):
                excluded += 1
                continue
        items.append(item)
    return Chosen(tuple(items), tally.ignored + excluded, tuple(tally.remarks))


def _is_one(path: str, ours: Mapping[str, str]) -> bool:
    """Whether a path is one of those files, by its own name: a link of another name that leads there is not."""
    real = ours.get(os.path.basename(path))  # noqa: PTH119 - text, for every file
    return real is not None and os.path.realpath(path) == real
