"""Files that were clean the last time, so that the same bytes need not be scanned again under the same settings.

Only what gave nothing at all is kept: no finding, nothing unread, no suppression. Any change of the file, its name, the
rules, the settings or the program makes it be scanned. Off unless asked for, and no part of the gate or the hooks:
whoever can write to the user's cache folder could call a file clean.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import inkgate
from inkgate.private import CacheError, load, save

if TYPE_CHECKING:
    from inkgate.lint.examine import Options

__all__ = ["LARGEST", "Clean", "CleanFiles"]

LARGEST = 8 << 20
"""Bytes: what is larger is always scanned, as it is not held in memory."""

_MOST = 200_000
_LIMIT = 64 << 20
_DAYS = 30
"""After so many days, what was kept for other settings is removed."""

_LINE = re.compile(r"([0-9a-f]{64}) (\d{1,9}) ([!-~]{3,4000})")


class Clean(NamedTuple):
    """What a clean file gave.

    Attributes:
        characters: characters of text read.
        views: names of the views that were made, sorted.
    """

    characters: int
    views: tuple[str, ...]


class CleanFiles:
    """The clean files of runs with the same settings.

    Args:
        folder: where they are kept.
        options: the settings.
        ruleset: digest of the rules.

    Attributes:
        remark: why what was kept is not used, or could not be kept; empty when all is well.
    """

    def __init__(self, folder: Path, options: Options, ruleset: str) -> None:
        self._stamp = _stamp(options, ruleset)
        name = hashlib.sha256(self._stamp.encode()).hexdigest()[:32]
        self._path = folder / f"clean-{name}"
        self._fresh: dict[str, Clean] = {}
        self.remark = ""
        try:
            self._kept = _read(load(self._path, self._stamp, _LIMIT) or b"")
        except CacheError as error:
            self._kept = {}
            self.remark = f"cache: {error}; every file was scanned"

    def key(self, data: bytes, source: str, *words: str) -> str:
        """The name of some bytes in a file of some name, taken for something."""
        digest = hashlib.sha256("\0".join((*words, source, "")).encode("utf-8", "surrogatepass"))
        digest.update(data)
        return digest.hexdigest()

    def find(self, key: str) -> Clean | None:
        """What it gave, if it is known to be clean."""
        return self._kept.get(key)

    def add(self, key: str, clean: Clean) -> None:
        """Remember that it is clean, from the next `save` on; not where its line could not be read again."""
        if _LINE.fullmatch(_line(key, clean)):
            self._fresh[key] = clean

    def save(self) -> None:
        """Keep what is known now; the newest, where it is too much."""
        if self._fresh.items() <= self._kept.items():
            return
        every = {**{key: clean for key, clean in self._kept.items() if key not in self._fresh}, **self._fresh}
        lines = [f"{_line(key, clean)}\n" for key, clean in every.items()][-_MOST:]
        while sum(map(len, lines)) > _LIMIT:
            lines = lines[len(lines) // 2 + 1 :]
        try:
            save(self._path, self._stamp, "".join(lines).encode("ascii"))
        except CacheError as error:
            self.remark = f"cache: {error}"
            return
        _tidy(self._path)


def _line(key: str, clean: Clean) -> str:
    return f"{key} {clean.characters} {','.join(clean.views)}"


def _read(content: bytes) -> dict[str, Clean]:
    """The lines of a file whose digest was right; one that is none of ours makes all of it unusable."""
    kept: dict[str, Clean] = {}
    for line in content.decode("ascii", "replace").splitlines():
        parts = _LINE.fullmatch(line)
        if parts is None:
            raise CacheError("holds a line that cannot be read")
        kept[parts[1]] = Clean(int(parts[2]), tuple(parts[3].split(",")))
    return kept


def _tidy(path: Path) -> None:
    """Remove what was kept for settings that nobody has used for long."""
    old = time.time() - _DAYS * 86_400
    for other in path.parent.glob("clean-*"):
        with suppress(OSError):  # another run may have removed it
            if other != path and other.lstat().st_mtime < old:
                other.unlink()


def _stamp(options: Options, ruleset: str) -> str:
    """Everything but the file on which its result depends."""
    settings = [inkgate.__version__, _program(), ruleset, options.policy, options.skill_trust, options.suppressions]
    return json.dumps(settings, sort_keys=True, default=str)


def _program() -> str:
    """A name of the installed program that changes when a file of it does."""
    root = Path(inkgate.__file__).parent
    digest = hashlib.sha256()
    for folder, below, names in os.walk(root):
        below.sort()
        for name in sorted(names):
            if name.endswith((".py", ".json", ".bin")):
                status = os.stat(os.path.join(folder, name))  # noqa: PTH116, PTH118 - text, for every file
                digest.update(f"{folder[len(str(root)) :]}/{name} {status.st_size} {status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
