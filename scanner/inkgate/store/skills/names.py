"""Names of skills and paths of their files: what may be written, and what would collide with what is there.

A name that one system keeps apart and another one takes for the same (case, Unicode normalisation), that cannot exist
everywhere (`con`, a trailing dot) or that a person cannot see (control and format characters) is refused before
anything is written. What lies on the disk already is read whatever it is called.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from inkgate.store.errors import RefusalError
from inkgate.store.names import check_name as check_relative
from inkgate.store.names import collision_key

__all__ = [
    "FOLDERS",
    "MANIFEST",
    "check_category",
    "check_name",
    "check_new_path",
    "check_path",
    "find_collision",
    "is_asset",
    "is_script",
    "same_name",
]

MANIFEST = "SKILL.md"
FOLDERS = ("scripts", "references", "assets", "templates")
"""Where a new file may lie. The first three are those of the Agent Skills specification, the last one is Hermes'."""

_BESIDE = frozenset({"LICENSE", "LICENSE.md", "LICENSE.txt", "NOTICE", "NOTICE.md", "NOTICE.txt"})
_NAMES = {
    # https://agentskills.io/specification: lower-case letters, digits, single hyphens between them
    "spec": re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*"),
    # what hosts accept as a folder: Hermes 0.19 writes these
    "claude-code": re.compile(r"[a-z0-9][a-z0-9._-]*"),
}
_LONGEST_NAME = 64  # characters
_DEEPEST = 8  # parts of a path


def check_name(name: str, profile: str = "spec") -> str:
    """The name of a new skill, unchanged.

    Args:
        name: as asked for.
        profile: `spec`, or `claude-code`, which accepts dots and underscores as well.

    Raises:
        RefusalError: `bad-name`.
    """
    if not isinstance(name, str) or len(name) > _LONGEST_NAME or not _NAMES[profile].fullmatch(name):
        what = "lower-case letters, digits and single hyphens between them"
        if profile != "spec":
            what = "lower-case letters, digits, dots, underscores and hyphens, beginning with a letter or a digit"
        raise RefusalError("bad-name", f"A skill's name must be 1 to {_LONGEST_NAME} {what}.")
    return check_relative(name)


def check_category(category: str) -> str:
    """The folder between the store and a new skill, unchanged; empty for none.

    Raises:
        RefusalError: `bad-name`.
    """
    if category:
        check_name(category, "claude-code")
    return category


def check_path(path: str) -> str:
    """A path inside a skill, unchanged: relative, with slashes, of parts that exist on every system.

    Raises:
        RefusalError: `bad-name`.
    """
    check_relative(path)
    if path != unicodedata.normalize("NFC", path):
        raise _bad_path("it is not in the Unicode normalisation form C")
    if path.count("/") >= _DEEPEST:
        raise _bad_path(f"it has more than {_DEEPEST} parts")
    return path


def check_new_path(path: str, *, anywhere: bool = False) -> str:
    """The path of a file that is not there yet, unchanged.

    Args:
        path: as asked for.
        anywhere: whether it may also lie outside the folders of the specification.

    Raises:
        RefusalError: `bad-name`.
    """
    check_path(path)
    parts = path.split("/")
    if same_name(parts[-1], MANIFEST):
        if path != MANIFEST:
            raise _bad_path(f"`{MANIFEST}` is written so, and there is one, at the top of the skill")
        return path
    if anywhere or (len(parts) == 1 and path in _BESIDE):
        return path
    if len(parts) == 1 or parts[0] not in FOLDERS:
        raise _bad_path(f"a new file lies in {', '.join(f'{name}/' for name in FOLDERS)}")
    return path


def _bad_path(why: str) -> RefusalError:
    return RefusalError("bad-name", f"This path cannot be used: {why}. Nothing was changed.")


def is_script(path: str) -> bool:
    """Whether a file may be executable."""
    return path.startswith("scripts/")


def is_asset(path: str) -> bool:
    """Whether a file may be something else than text."""
    return path.startswith("assets/")


def same_name(one: str, other: str) -> bool:
    """Whether two names are one on a system that folds case or normalises."""
    return one == other or collision_key(one) == collision_key(other)


def find_collision(path: str, known: Iterable[str]) -> str | None:
    """The known path that some system could not keep apart from this one; equal paths do not collide.

    Two paths collide when they are spelled alike but not the same, also in one of their folders, and when one is a
    file where the other one needs a folder.
    """
    parts = path.split("/")
    keys = [collision_key(part) for part in parts]
    for other in known:
        if other == path:
            continue
        theirs = other.split("/")
        for depth, (mine, part) in enumerate(zip(parts, theirs, strict=False), 1):
            if mine == part:
                if depth == min(len(parts), len(theirs)):
                    return other  # one is the folder of the other
                continue
            if keys[depth - 1] == collision_key(part):
                return other
            break
    return None
