"""Names of files that a writer may choose: relative, plain, inside, and unlike any name that is there already.

A name is a path from the root with `/` between its parts. It must mean the same file on every system that may hold the
folder, so what one of them reserves is refused on all: device names and the characters `<>:"|?*\\` of Windows, a dot or
a space at an end, names that differ only in case or in Unicode form from what is there (macOS and Windows take them for
one file). Hidden parts belong to the programs that keep their state there.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from .errors import RefusalError

__all__ = [
    "LONGEST_NAME",
    "LONGEST_PART",
    "QUARANTINE",
    "aside_name",
    "check_name",
    "collision_key",
    "existing",
    "locate",
]

QUARANTINE = "quarantine"  # folder beside a file, for what contradicts it and waits for a person
LONGEST_PART = 200  # bytes of UTF-8 of one part; file systems take 255, and a temporary name needs some of them
LONGEST_NAME = 1_000  # bytes of the whole name

_RESERVED = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{device}{number}" for device in ("com", "lpt") for number in "0123456789¹²³"}
)  # Microsoft: Naming Files, Paths, and Namespaces
_FORBIDDEN = re.compile(r'[<>:"|?*\\]')
_UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Zl", "Zp"})
_JOINERS = "\u200c\u200d"
_WITHOUT_JOINERS = dict.fromkeys(map(ord, _JOINERS))


def check_name(name: object) -> str:
    """The name, when a writer may use it.

    Raises:
        RefusalError: `bad-name`; the message says what is wrong with it and never repeats what cannot be seen.
    """
    if not isinstance(name, str) or not name:
        raise _bad("it is empty")
    for place, character in enumerate(name):
        if unicodedata.category(character) in _UNSEEN and not _joins(name, place):
            raise _bad(f"it holds U+{ord(character):04X}, which cannot be seen")
    found = _FORBIDDEN.search(name)
    if found:
        raise _bad(f"it holds {found.group()!r}, which not every system allows", "Use / between folders.")
    if name.startswith("/"):
        raise _bad("it is absolute", "Names are relative to the root.")
    if len(name.encode("utf-8")) > LONGEST_NAME:
        raise _bad(f"it is longer than {LONGEST_NAME:,} bytes")
    for part in name.split("/"):
        _check_part(part)
    return name


def _joins(name: str, place: int) -> bool:
    """Whether a joiner or a non-joiner stands between letters of a script that needs it, or in an emoji."""
    around = name[place - 1 : place] + name[place + 1 : place + 2]
    return name[place] in _JOINERS and len(around) == 2 and not any(map(str.isascii, around))


def _check_part(part: str) -> None:
    if not part:
        raise _bad("it has an empty part")
    if part in (".", ".."):
        raise _bad(f"{part!r} is no name of a file")
    if part.startswith("."):
        raise _bad("a part begins with a dot: hidden files and folders belong to other programs")
    if part != part.strip() or part.endswith("."):
        raise _bad("a part begins or ends with a space, or ends with a dot")
    if unicodedata.normalize("NFKC", part.split(".")[0].rstrip()).casefold() in _RESERVED:
        raise _bad("a part is the name of a device on Windows")
    if len(part.encode("utf-8")) > LONGEST_PART:
        raise _bad(f"a part is longer than {LONGEST_PART} bytes")


def _bad(why: str, hint: str = "") -> RefusalError:
    return RefusalError("bad-name", f"The name cannot be used: {why}.", hint=hint)


def collision_key(part: str) -> str:
    """Equal for two parts that some file system or reader takes for the same name: by case, form or joiners."""
    part = part.translate(_WITHOUT_JOINERS)
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", part).casefold())


def locate(root: Path, name: str) -> Path:
    """Where a checked name leads.

    Raises:
        RefusalError: `outside`: a symbolic link in it leads out of the root, or to a hidden file or folder.
    """
    path = root.joinpath(*name.split("/"))
    base, real = Path(os.path.realpath(root)), Path(os.path.realpath(path))
    if not real.is_relative_to(base) or any(part.startswith(".") for part in real.relative_to(base).parts):
        raise RefusalError("outside", "A symbolic link in the name leads out of the folder, or to a hidden one.")
    return path


def existing(root: Path, name: str) -> Iterator[str]:
    """The names under the root that some file system takes for this one, itself included, as they are spelled there."""
    yield from _walk(root, "", name.split("/"))


def _walk(folder: Path, before: str, parts: list[str]) -> Iterator[str]:
    key = collision_key(parts[0])
    try:
        found = sorted(path.name for path in folder.iterdir())
    except (FileNotFoundError, NotADirectoryError):
        return
    for part in found:
        if collision_key(part) == key:
            if len(parts) == 1:
                yield before + part
            else:
                yield from _walk(folder / part, f"{before}{part}/", parts[1:])


def aside_name(name: str, mark: str) -> str:
    """The name of a file in the quarantine beside another.

    Args:
        name: of the other file.
        mark: tells it from further ones, such as a digest.
    """
    folder, _, last = name.rpartition("/")
    stem, dot, ending = last.rpartition(".")
    short = (stem if dot else last).encode("utf-8")[:150].decode("utf-8", "ignore").rstrip(" .")
    place = f"{folder}/{QUARANTINE}" if folder else QUARANTINE
    return f"{place}/{short}.{mark}{dot}{ending}"
