"""A note to whoever comes after a kill: which change was being made, and to which files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from . import files
from .errors import StoreError
from .files import Durability

__all__ = ["Intended", "Intent"]


@dataclass(frozen=True, slots=True)
class Intended:
    """A change that was begun.

    Attributes:
        group: its id in the ledger.
        names: of the files that it writes.
    """

    group: str
    names: tuple[str, ...]


class Intent:
    """The one intent of a folder. The caller holds the folder's lock.

    Args:
        path: the file.
        durability: whether a synced intent is synced.
    """

    def __init__(self, path: Path, durability: Durability) -> None:
        self.path = path
        self._durability = durability

    def exists(self) -> bool:
        """Whether a change was begun and not ended, or was just about to begin."""
        return self.path.exists() or files.has_leftover(self.path)

    def write(self, group: str, names: Sequence[str], *, sync: bool) -> None:
        """Say which change begins.

        Args:
            group: its id in the ledger.
            names: of its files.
            sync: whether it must survive a loss of power: a change of one file is whole without it.

        Raises:
            StoreError: it could not be written.
        """
        data = json.dumps({"group": group, "names": list(names)}).encode("ascii")
        files.prepare(self.path, data, self._durability if sync else Durability.NONE).commit()

    def read(self) -> Intended | None:
        """The change that was begun, if there is one.

        Raises:
            StoreError: there is one, and it cannot be read; no write is safe before a person has looked.
        """
        files.sweep(self.path)
        data = files.read_bytes(self.path)
        if not data:  # an empty one is what a loss of power leaves of one that was not synced
            return None
        try:
            values = json.loads(data)
            return Intended(str(values["group"]), tuple(map(str, values["names"])))
        except (ValueError, TypeError, KeyError):
            raise StoreError(
                f"{self.path} is damaged: it tells of a change that was interrupted.",
                hint="Compare the files with `inkgate vault verify`, then remove it.",
            ) from None

    def clear(self) -> None:
        """The change is at its end.

        Raises:
            StoreError: the file could not be removed.
        """
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(f"{self.path} could not be removed: {error.strerror}.") from error
