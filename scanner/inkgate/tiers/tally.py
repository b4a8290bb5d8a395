"""What the steps between tiers count, kept over sessions: successes of procedures, references to notes, blocks.

A count is raised once for each thing that is counted (a run of messages, a referring session), so that reporting the
same success twice does not make it two.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from inkgate.store import files
from inkgate.store.errors import StoreError

__all__ = ["Count", "Tally"]

_T = TypeVar("_T")
KINDS = ("procedure", "reference", "block")


@dataclass(frozen=True, slots=True)
class Count:
    """How often something happened.

    Attributes:
        kind: `procedure`, `reference` or `block`.
        name: signature of the procedure, name of the note.
        seen: what was counted, in order, such as `session s1, messages 3-9`.
        raised: whether it has raised its proposal.
        skill: the skill that came of it, or is to come.
    """

    kind: str
    name: str
    seen: tuple[str, ...] = ()
    raised: bool = False
    skill: str = ""


class Tally:
    """The counts of one home, in one small file that is replaced as a whole under a lock.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, kind: str, name: str, what: str, *, raise_at: int, skill: str = "") -> tuple[Count, bool]:
        """Count something once, and say whether this is the moment to raise the proposal: exactly one caller hears so.

        Raises:
            StoreError: the counts could not be read or written.
        """

        def change(counts: dict[str, Count]) -> tuple[Count, bool]:
            key = _key(kind, name)
            known = counts.get(key, Count(kind, name))
            seen = known.seen if what in known.seen else (*known.seen, what)
            now = not known.raised and len(seen) >= raise_at
            counts[key] = Count(kind, name, seen, known.raised or now, known.skill or skill)
            return counts[key], now

        return self._changed(change)

    def settle(self, kind: str, name: str, *, raised: bool) -> None:
        """Say what became of a raised proposal: one that could not be kept is raised again by the next success."""

        def change(counts: dict[str, Count]) -> None:
            known = counts.get(_key(kind, name))
            if known is not None:
                counts[_key(kind, name)] = Count(kind, name, known.seen, raised, known.skill)

        self._changed(change)

    def get(self, kind: str, name: str) -> Count:
        """One count; nothing seen when there is none."""
        return self._read().get(_key(kind, name), Count(kind, name))

    def all(self, kind: str = "") -> list[Count]:
        """Every count, or those of one kind, sorted by name."""
        found = self._read().values()
        return sorted((count for count in found if kind in ("", count.kind)), key=lambda item: (item.kind, item.name))

    def _changed(self, change: Callable[[dict[str, Count]], _T]) -> _T:
        with files.lock(self._path.with_name(self._path.name + ".lock")):
            counts = self._read()
            result = change(counts)
            values = {
                key: {"seen": list(item.seen), "raised": item.raised, "skill": item.skill}
                for key, item in counts.items()
            }
            files.prepare(self._path, json.dumps(values, indent=1, sort_keys=True).encode("ascii")).commit()
        return result

    def _read(self) -> dict[str, Count]:
        data = files.read_bytes(self._path)
        if data is None:
            return {}
        try:
            return {key: _count(key, item) for key, item in json.loads(data).items()}
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise StoreError(
                f"The counts in {self._path.name} are damaged; nothing was changed.",
                hint="Move the file away to begin counting anew.",
            ) from error


def _key(kind: str, name: str) -> str:
    if kind not in KINDS:
        raise ValueError(f"{kind!r} is not counted")
    return f"{kind}:{name}"


def _count(key: str, item: dict[str, Any]) -> Count:
    kind, _, name = key.partition(":")
    if kind not in KINDS or not isinstance(item["seen"], list):
        raise ValueError("not a count")
    return Count(kind, name, tuple(map(str, item["seen"])), item["raised"] is True, str(item["skill"]))
