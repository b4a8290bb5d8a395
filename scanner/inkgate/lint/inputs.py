"""What a run is about: the files that its arguments and exclusions leave."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

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
    paths: Sequence[str], *, exclude: Sequence[str] = (), folder: str = "", gitignore: bool = True, force: bool = False
) -> Chosen:
    """The files that paths mean.

    Args:
        paths: files and folders.
        exclude: patterns of paths to leave out.
        folder: absolute, what the patterns are relative to.
        gitignore: whether to leave out what git ignores.
        force: whether files are left out by a pattern even when they are named; git never leaves out a named file.

    Raises:
        InkgateError: a pattern cannot be read.
    """
    try:
        globs = [compile_glob(pattern) for pattern in exclude]
    except ValueError as error:
        raise InkgateError(f"--exclude: {error}") from None
    named = set() if force else {os.path.abspath(path) for path in paths if not os.path.isdir(path)}  # noqa: PTH100, PTH112
    tally = Tally()
    items: list[Item] = []
    excluded = 0
    for item in walk(paths, gitignore=gitignore, tally=tally):
        if globs and os.path.abspath(item.path) not in named:  # noqa: PTH100 - text, for every file
            relative = within(item.path, folder)
            if any(glob.fullmatch(relative) for glob in globs):
                excluded += 1
                continue
        items.append(item)
    return Chosen(tuple(items), tally.ignored + excluded, tuple(tally.remarks))
