"""How the gate last left each file of a tier: the digests, spread over many small files.

The ledger's head holds the digests of a few texts and is written with every record. A vault has thousands of notes, so
theirs are kept here, each write touching one small file. What is missing or damaged here counts as never seen, which
is the careful side: such a note is taken for somebody else's.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from . import files
from .errors import StoreError
from .files import Durability

__all__ = ["Known"]


class Known:
    """The digests of one tier. The caller holds the lock of the tier to write.

    Args:
        folder: where they are kept.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, name: str) -> str | None:
        """Digest of a file as the last record left it; None when there was none."""
        found = self._read(self._place(name)).get(name)
        return found if isinstance(found, str) else None

    def put(self, digests: Mapping[str, str]) -> None:
        """Remember digests by name."""
        places: dict[Path, dict[str, str]] = {}
        for name, value in digests.items():
            places.setdefault(self._place(name), {})[name] = value
        for place, values in places.items():
            data = json.dumps({**self._read(place), **values}).encode("ascii")
            with contextlib.suppress(StoreError):  # what is missing here costs care, not truth
                files.make_folder(self._folder)
                files.prepare(place, data, Durability.NONE).commit()

    def _place(self, name: str) -> Path:
        return self._folder / f"{hashlib.sha256(name.encode('utf-8')).hexdigest()[:2]}.json"

    @staticmethod
    def _read(place: Path) -> dict[str, str]:
        try:
            values = json.loads(files.read_bytes(place) or b"{}")
        except ValueError:
            return {}
        return values if isinstance(values, dict) else {}
