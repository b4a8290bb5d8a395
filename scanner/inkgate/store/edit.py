"""What becomes of one file, and how files are told apart."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

__all__ = ["GONE", "Edit", "digest"]

GONE = ""  # digest of a file that is not there


@dataclass(frozen=True, slots=True)
class Edit:
    """What becomes of one file.

    Attributes:
        path: its name, from the root.
        before: its bytes as they were read; None when it is not there.
        after: its whole text as it will stand, a byte order mark included.
        fresh: the range of `after` that the writer brings, in characters.
        source: for a move, the name that the file has now; `before` is then None, as nothing has the new name.
    """

    path: str
    before: bytes | None
    after: str
    fresh: tuple[int, int] = (0, 0)
    source: str = ""

    @property
    def real(self) -> bool:
        """Whether anything changes."""
        return bool(self.source) or self.before != self.after.encode("utf-8")


def digest(data: bytes | None) -> str:
    """SHA-256 of the bytes of a file; empty for none."""
    return GONE if data is None else hashlib.sha256(data).hexdigest()
