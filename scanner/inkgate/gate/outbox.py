"""What the external memory service has not heard of yet: the tail of the ledger, behind a mark that survives a restart.

The ledger is the queue. Each committed change is in it before it takes effect, whoever made it; the mark names the last
record that was delivered (or given up). So nothing is queued on the way of a write, and a change that was committed
just before a kill is delivered by whoever opens the home next, in order, at least once.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Iterator

from inkgate.lean import Any, dataclass
from inkgate.model import Target
from inkgate.store import files
from inkgate.store.chain import Record, Walk
from inkgate.store.errors import LockTimeoutError, StoreError
from inkgate.store.files import Durability
from inkgate.store.memory import FILES, MemoryStore

__all__ = ["Outbox", "Waiting"]

_MARK = "inkgate/mirror.json"
_MOVES = frozenset({"change", "outside", "aborted"})  # what is only recorded by who holds the lock of the file
_BUSY = 0.5  # seconds to wait for a write that may be under way


@dataclass(frozen=True, slots=True)
class Waiting:
    """One change that was not delivered yet.

    Attributes:
        record: the record that holds it.
        part: its place in the record, from 0.
        before: the entry that went, or None.
        after: the entry that came, or None.
        mark: what the mark says once it is delivered: the record that is done, and how many parts of the next one are.
    """

    record: Record
    part: int
    before: str | None
    after: str | None
    mark: tuple[Walk, int]

    @property
    def id(self) -> str:
        """Names the change for ever: a service that keeps these sees when it is told twice."""
        return f"{self.record.hash[:20]}.{self.part}"

    @property
    def target(self) -> Target:
        """Memory or user."""
        return Target(self.record.key)


class Outbox:
    """The undelivered changes of one home.

    Args:
        store: the memory of the home.
        tell: hears what somebody should know.
    """

    def __init__(self, store: MemoryStore, tell: Callable[[str], None]) -> None:
        self.home = store.home
        self._tell = tell
        self._done: tuple[Walk, int] | None = None  # where this process is; the mark may lie behind it
        self._store = store
        self._path = store.home / _MARK

    def open(self) -> None:
        """Begin here, when the home has never had a mirror: what was written before is not sent.

        Raises:
            StoreError: the mark can be neither read nor made.
        """
        with self._locked():
            self._mark()

    @contextlib.contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the right to deliver: one process at a time does, so that the order holds.

        Raises:
            LockTimeoutError: another one delivers.
        """
        with files.lock(self._path.with_name("mirror.turn.lock"), seconds=0):
            yield

    def waiting(self) -> list[Waiting]:
        """The changes that took effect and were not delivered, in order.

        A change whose write may still be under way ends the list until that is known.

        Raises:
            StoreError: the ledger or the mark cannot be read.
        """
        with self._locked():
            mark, skip = self._mark()
            told = self._after(mark)
        aborted = {record.facts.get("record") for record, _ in told if record.event == "aborted"}
        newest = {record.key: record.seq for record, _ in told if record.event in _MOVES}
        found: list[Waiting] = []
        for record, behind in told:
            if record.event == "change" and record.key in FILES and record.body and record.seq not in aborted:
                took = newest[record.key] != record.seq or self._took_effect(record, behind)
                if took is None:
                    break
                if took:
                    found += _parts(record, mark, behind)
            mark = behind
        else:
            if told and not found:  # refusals, edits from outside: nobody needs to read them at every look
                self._done = mark, 0
        return [item for item in found if item.part >= skip or item.record.seq != found[0].record.seq]

    def done(self, item: Waiting) -> None:
        """Move the mark behind a change.

        Raises:
            StoreError: it cannot be written; the change will be delivered again.
        """
        self._done = item.mark
        with self._locked():
            self._save(*item.mark)

    def _took_effect(self, record: Record, behind: Walk) -> bool | None:
        """Whether the newest change of a file is in place; None when that cannot be told now.

        Where the file does not hold it, only the lock tells whether the write is under way, was interrupted, or was
        followed by an edit from outside.
        """
        target, body = Target(record.key), record.body or {}
        if self._digest(target) == body.get("after"):
            return True
        try:
            with files.lock(self._store.lock_path(target), seconds=_BUSY):
                if any(item.key == record.key and item.event in _MOVES for item, _ in self._after(behind)):
                    return None  # somebody wrote meanwhile: the next look tells
                found = self._digest(target)
                return None if found is None else found != body.get("before")
        except LockTimeoutError:
            return None

    def _digest(self, target: Target) -> str | None:
        try:
            return hashlib.sha256(files.read_bytes(self._store.path(target)) or b"").hexdigest()
        except StoreError:
            return None

    # --- the mark ----------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        with files.lock(self._path.with_name("mirror.lock")):
            yield

    def _mark(self) -> tuple[Walk, int]:
        """Where the last delivery ended. A mark that cannot be used is set aside and told."""
        data = files.read_bytes(self._path)
        if data is None:
            return self._save(self._store.ledger.end(), 0)
        try:
            values: dict[str, Any] = json.loads(data)
            state, part = Walk(int(values["seq"]), str(values["hash"]), int(values["size"])), int(values["part"])
        except (ValueError, TypeError, KeyError, OverflowError, RecursionError):
            return self._anew("it is damaged")
        if self._done is not None and (self._done[0].seq, self._done[1]) > (state.seq, part):
            return self._done
        return state, part

    def _after(self, state: Walk) -> list[tuple[Record, Walk]]:
        """The records behind a place in the chain, each with the place behind it."""
        found = self._store.ledger.after(state)
        return (
            self._store.ledger.after(self._anew("its record is not in the ledger")[0]) or [] if found is None else found
        )

    def _anew(self, why: str) -> tuple[Walk, int]:
        """Set the mark aside and begin where the ledger ends, or where it begins when it was begun anew since."""
        self._done = None
        aside = self._path.with_name(f"{self._path.name}.broken.{time.time_ns()}")
        with contextlib.suppress(FileNotFoundError):
            self._path.rename(aside)
        first = next(self._store.ledger.records(), None)
        state = Walk() if first is not None and first.event == "restart" else self._store.ledger.end()
        self._tell(
            f"the mark of what was mirrored cannot be used: {why}. It was set aside as {aside.name}; changes before"
            f" record {state.seq + 1} may not have been mirrored"
        )
        return self._save(state, 0)

    def _save(self, state: Walk, part: int) -> tuple[Walk, int]:
        text = json.dumps({"seq": state.seq, "hash": state.hash, "size": state.size, "part": part})
        synced = Durability.NONE if self._store.durability is Durability.NONE else Durability.FILE
        files.prepare(self._path, text.encode("ascii"), synced).commit()
        return state, part


def _parts(record: Record, before: Walk, behind: Walk) -> list[Waiting]:
    changes = (record.body or {}).get("changes", ())
    return [
        Waiting(
            record, part, change.get("before"), change.get("after"),
            (behind, 0) if part + 1 == len(changes) else (before, part + 1),
        )
        for part, change in enumerate(changes)
    ]  # fmt: skip
