"""Writes that wait for a person: one owner-only file each, sealed, so that what is applied is what was shown."""

from __future__ import annotations

import contextlib
import json
import os
import re
import stat
import time
from collections.abc import Mapping
from pathlib import Path

from inkgate.lean import Any, dataclass
from inkgate.model import InkgateError
from inkgate.store import files
from inkgate.store.errors import StoreError, UnreadableError
from inkgate.store.masking import clean_origin
from inkgate.store.origin import Origin

from .secretkey import HomeKey

__all__ = ["PendingError", "PendingFullError", "PendingStore", "PendingWrite"]

_ID = re.compile(r"[0-9a-f]{8}")
_SUMMARY = 120
_DAY = 86_400
_EXPIRED = "it has expired"
_KINDS = (
    (stat.S_ISDIR, "a folder"), (stat.S_ISFIFO, "a pipe"), (stat.S_ISSOCK, "a socket"), (stat.S_ISLNK, "a link"),
    (stat.S_ISCHR, "a device"), (stat.S_ISBLK, "a device"),
)  # fmt: skip


class PendingError(InkgateError):
    """There is no such staged write, or it cannot be trusted."""


class PendingFullError(StoreError):
    """As many writes wait as may wait. This one was not staged, and nothing else was changed."""

    code = "pending-full"


@dataclass(frozen=True, slots=True)
class PendingWrite:
    """One staged write.

    Attributes:
        id: eight hexadecimal digits.
        subsystem: `memory`, `vault` or `skills`.
        action: add, replace, remove, batch, or a skill action.
        summary: one line for a list.
        origin: who asked.
        created_at: when it was first staged, seconds since 1970.
        last_at: when it was last staged.
        count: how often the same write was staged.
        payload: the arguments for the replay, with the exact entries that it touches.
        reason: why it waits.
        rules: ids of the rules that had something to say.
    """

    id: str
    subsystem: str
    action: str
    summary: str
    origin: Origin
    created_at: float
    last_at: float
    count: int
    payload: Mapping[str, Any]
    reason: str = ""
    rules: tuple[str, ...] = ()

    @property
    def age(self) -> float:
        """Seconds since it was first staged."""
        return max(time.time() - self.created_at, 0.0)


class PendingStore:
    """The folder of staged writes of one home.

    Args:
        folder: holds one folder for each subsystem.
        key: seals the records.
        days: after how many days a record expires.
        most: records of one subsystem that may wait at a time; damaged ones count, expired ones do not.
    """

    def __init__(self, folder: Path, key: HomeKey, *, days: float, most: int) -> None:
        self._folder = folder
        self._key = key
        self._days = days
        self._most = most

    def stage(
        self,
        subsystem: str,
        payload: Mapping[str, Any],
        *,
        action: str,
        summary: str,
        origin: Origin,
        reason: str = "",
        rules: tuple[str, ...] = (),
    ) -> PendingWrite:
        """Keep a write for a person; the same write from the same author is one record whose count grows.

        Raises:
            PendingFullError: too many wait already. No record is dropped for it.
            StoreError: it could not be written. Then it is not staged, and the caller must say so.
        """
        origin = clean_origin(origin)
        folder = self._folder / subsystem
        now = time.time()
        with files.lock(folder / ".lock"):
            records = self._all(subsystem)
            for known in [write for write, _why in records if write is not None]:
                if known.payload == payload and known.origin.author == origin.author:
                    write = _again(known, now)
                    break
            else:
                if sum(why != _EXPIRED for _write, why in records) >= self._most:
                    raise _full(self._most, subsystem)
                write = PendingWrite(
                    self._free_id(folder), subsystem, action, _one_line(summary), origin, now, now, 1,
                    json.loads(json.dumps(payload)), reason, rules,
                )  # fmt: skip
            self._save(folder / f"{write.id}.json", write)
        return write

    def writes(self, subsystem: str) -> list[PendingWrite]:
        """The trustworthy records that have not expired, oldest first; see `damaged` for the others."""
        return [write for write, _ in self._all(subsystem) if write is not None]

    def damaged(self, subsystem: str) -> dict[str, str]:
        """Records that cannot be applied, by file name, and why."""
        return {name: why for (write, why), name in self._named(subsystem) if write is None}

    def get(self, subsystem: str, pending_id: str) -> PendingWrite:
        """The record with this id.

        Raises:
            PendingError: the id is not eight hexadecimal digits, there is no such record, it has expired, or it was
                changed after it was staged.
        """
        path = self._path(subsystem, pending_id)
        write, why = self._read(path, subsystem)
        if write is None:
            raise PendingError(f"The pending write {pending_id} cannot be applied: {why}.")
        return write

    def holds(self, subsystem: str, pending_id: str) -> bool:
        """Whether there is a record with this id, trustworthy or not.

        Raises:
            PendingError: the id is not eight hexadecimal digits.
        """
        return os.path.lexists(self._path(subsystem, pending_id))

    def remove(self, subsystem: str, pending_id: str) -> None:
        """Drop a record, trustworthy or not.

        Raises:
            PendingError: there is none.
        """
        try:
            self._path(subsystem, pending_id).unlink()
        except FileNotFoundError:
            raise PendingError(f"There is no pending write {pending_id}.") from None
        except OSError as error:
            raise PendingError(f"The pending write {pending_id} cannot be dropped: {error.strerror}.") from error

    def expire(self, subsystem: str) -> list[str]:
        """Drop the records that are older than the limit; returns their ids."""
        gone = [name for (_, why), name in self._named(subsystem) if why == _EXPIRED]
        for name in gone:
            (self._folder / subsystem / name).unlink(missing_ok=True)
        return [name.removesuffix(".json") for name in gone]

    def sweep(self) -> None:
        """Remove what writers left that were killed while they staged; not where one is at work."""
        for left in self._folder.glob(f"*/.*{files.LEFT}"):
            with contextlib.suppress(StoreError, FileNotFoundError), files.lock(left.parent / ".lock", seconds=0):
                left.unlink()

    # --- files -------------------------------------------------------------------------------------------------------

    def _path(self, subsystem: str, pending_id: str) -> Path:
        if not _ID.fullmatch(pending_id):
            raise PendingError(
                "The id of a pending write is eight hexadecimal digits.", hint="`inkgate review list` shows them."
            )
        return self._folder / subsystem / f"{pending_id}.json"

    def _named(self, subsystem: str) -> list[tuple[tuple[PendingWrite | None, str], str]]:
        folder = self._folder / subsystem
        names = sorted(path.name for path in folder.glob("*.json")) if folder.is_dir() else []
        return [(self._read(folder / name, subsystem), name) for name in names]

    def _all(self, subsystem: str) -> list[tuple[PendingWrite | None, str]]:
        found = [item for item, _ in self._named(subsystem)]
        return sorted(found, key=lambda item: (item[0].created_at, item[0].id) if item[0] else (0.0, ""))

    def _read(self, path: Path, subsystem: str) -> tuple[PendingWrite | None, str]:
        try:
            data = files.read_bytes(path)
        except UnreadableError:
            return None, f"in its place is {kind}" if (kind := _kind(path)) else "the record cannot be read"
        if data is None:
            return None, "in its place is a link to nothing" if _kind(path) else "there is no such record"
        try:
            values = json.loads(data)
            seal = values.pop("seal")
            write = _from_dict(values)
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            return None, "the record is damaged"
        if not self._key.same(_canonical(values), seal) or write.id != path.stem or write.subsystem != subsystem:
            return None, "the record was changed after it was staged"
        if write.age > self._days * _DAY:
            return None, _EXPIRED
        return write, ""

    def _save(self, path: Path, write: PendingWrite) -> None:
        values = _to_dict(write)
        values["seal"] = self._key.digest(_canonical(values))
        files.prepare(path, json.dumps(values, indent=1, sort_keys=True).encode("ascii")).commit()

    @staticmethod
    def _free_id(folder: Path) -> str:
        while (folder / f"{(name := os.urandom(4).hex())}.json").exists():
            pass
        return name


def _canonical(values: Mapping[str, Any]) -> bytes:
    return json.dumps(values, sort_keys=True, separators=(",", ":")).encode("ascii")


def _full(most: int, subsystem: str) -> PendingFullError:
    return PendingFullError(
        f"{most:,} writes of this tier ({subsystem}) wait for a person already, so this one was not staged; nothing was"
        " changed.",
        hint="A person decides on some with `inkgate review`, or raises `most` under [pending] in the settings.",
    )


def _kind(path: Path) -> str:
    """What a path is that is no regular file, or empty."""
    try:
        mode = path.lstat().st_mode
    except OSError:
        return ""
    return next((name for test, name in _KINDS if test(mode)), "")


def _one_line(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SUMMARY else line[: _SUMMARY - 1] + "…"


def _again(write: PendingWrite, now: float) -> PendingWrite:
    from dataclasses import replace

    return replace(write, last_at=now, count=write.count + 1)


def _to_dict(write: PendingWrite) -> dict[str, Any]:
    return {
        "id": write.id,
        "subsystem": write.subsystem,
        "action": write.action,
        "summary": write.summary,
        "origin": write.origin.to_dict(),
        "created_at": write.created_at,
        "last_at": write.last_at,
        "count": write.count,
        "payload": dict(write.payload),
        "reason": write.reason,
        "rules": list(write.rules),
    }


def _from_dict(values: Mapping[str, Any]) -> PendingWrite:
    return PendingWrite(
        id=str(values["id"]),
        subsystem=str(values["subsystem"]),
        action=str(values["action"]),
        summary=str(values["summary"]),
        origin=Origin.from_dict(values["origin"]),
        created_at=float(values["created_at"]),
        last_at=float(values["last_at"]),
        count=int(values["count"]),
        payload=dict(values["payload"]),
        reason=str(values["reason"]),
        rules=tuple(map(str, values["rules"])),
    )
