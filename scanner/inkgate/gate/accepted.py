"""Texts that the rules refused and a person reviewed and accepted, remembered by keyed digest and rule set.

The text itself is not kept. When the rules change, the question is asked again.
"""

from __future__ import annotations

import json
from pathlib import Path

from inkgate.lean import Any
from inkgate.model import Target
from inkgate.store import files
from inkgate.store.errors import StoreError

from .secretkey import HomeKey

__all__ = ["Accepted"]


class Accepted:
    """The list of accepted texts of a home."""

    def __init__(self, path: Path, key: HomeKey) -> None:
        self._path = path
        self._key = key

    def holds(self, target: Target, text: str, ruleset: str) -> bool:
        """Whether a person accepted exactly this text, for this target, under this rule set."""
        if not self._path.exists():
            return False
        found = self._read().get(self._digest(target, text))
        return isinstance(found, dict) and found.get("ruleset") == ruleset

    def add(self, target: Target, text: str, ruleset: str, *, by: str, at: float) -> str:
        """Remember a text; returns its keyed digest."""
        digest = self._digest(target, text)
        with files.lock(self._path.with_name(self._path.name + ".lock")):
            known = self._read()
            known[digest] = {"ruleset": ruleset, "by": by, "at": at}
            files.prepare(self._path, json.dumps(known, indent=1, sort_keys=True).encode("ascii")).commit()
        return digest

    def _digest(self, target: Target, text: str) -> str:
        return self._key.digest(f"{target}\0{text}".encode())

    def _read(self) -> dict[str, Any]:
        try:
            known = json.loads(files.read_bytes(self._path) or b"{}")
        except (ValueError, RecursionError) as error:
            raise StoreError(f"The list of accepted texts {self._path} is damaged.") from error
        if not isinstance(known, dict):
            raise StoreError(f"The list of accepted texts {self._path} is damaged.")
        return known
