"""Committed changes, sent to at most one external memory service: in order, masked, never in the writer's way."""

from __future__ import annotations

import contextlib
import re
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from inkgate.lean import Any, dataclass, field
from inkgate.model import Category, InkgateError, Target
from inkgate.store.errors import LockTimeoutError
from inkgate.store.memory import MemoryStore
from inkgate.store.plan import Action

from .outbox import Outbox, Waiting
from .request import Decision, Request
from .screened import Screener

__all__ = ["Mirror", "MirroredChange", "mask_all"]

_RUN = re.compile(r"[A-Za-z0-9_-]{24,}")
DEPTH = 4_096
ATTEMPTS = 8  # over 25 seconds
LIMIT_SECONDS = 8.0
POLL_SECONDS = 5.0
_BUSY = 0.25  # seconds


@dataclass(frozen=True, slots=True)
class MirroredChange:
    """One committed change, as a provider sees it: secrets masked in every field.

    Attributes:
        action: add, replace or remove.
        target: memory or user.
        content: the new entry; empty for remove.
        metadata: old_text, previous_content, the origin and the context of the call; empty values are left out.
        id: the same when a change is sent twice.
    """

    action: str
    target: str
    content: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""


class Mirror:
    """Sends what was committed, whoever committed it, on one thread of its own.

    What waits stands in the ledger (see `inkgate.gate.outbox`), so it survives the process, and a write only wakes the
    thread. A change is tried `attempts` times; then it is given up, counted and logged. A call that overruns the time
    limit is left to itself, and nothing more is sent until it returns, so that the order holds. A service can be told
    the same change twice, after a kill between its call and the mark of it; the change's id is the same then.

    Args:
        send: the provider's call.
        depth: changes that may wait; of more than that the oldest are given up.
        attempts: calls per change.
        limit: seconds per call.
        pause: seconds between attempts, doubled each time.
        poll: seconds between looks at what other processes have written.
    """

    def __init__(
        self,
        send: Callable[[MirroredChange], object],
        *,
        depth: int = DEPTH,
        attempts: int = ATTEMPTS,
        limit: float = LIMIT_SECONDS,
        pause: float = 0.2,
        poll: float = POLL_SECONDS,
    ) -> None:
        self._send = send
        self._depth = depth
        self._attempts = attempts
        self._limit = limit
        self._pause = pause
        self._poll = poll
        self._homes: dict[Path, tuple[Outbox, Screener]] = {}
        self._named: dict[tuple[str, str | None, str | None], str] = {}
        self._wake = threading.Event()
        self._stop = threading.Event()
        self._worker: threading.Thread | None = None
        self._start = threading.Lock()
        self._closed = False
        self._told = ""
        self.sent = 0
        self.given_up = 0

    def attach(self, store: MemoryStore, screener: Screener) -> None:
        """Send what is committed in this home from now on, and what an earlier process left. Never raises, or waits."""
        outbox = Outbox(store, self._tell)
        try:
            outbox.open()
        except (InkgateError, OSError) as problem:
            self._tell(f"what is to be mirrored cannot be read: {problem}")
        self._homes[store.home] = outbox, screener
        self._look()

    def committed(self, request: Request, decision: Decision) -> None:
        """Say that a change was made; never raises, never waits. What to send is read from the ledger."""
        for operation, change in zip(request.operations, decision.changes, strict=True):
            if change.real and operation.action is not Action.ADD:
                if len(self._named) >= DEPTH:  # what was never sent; the whole entry then stands for the piece
                    self._named.clear()
                self._named[str(request.target), change.before, change.after] = operation.old_text
        self._look()

    def drain(self, seconds: float = 5.0) -> bool:
        """Wait until everything committed was sent or given up; False when the time was not enough."""
        deadline = time.monotonic() + seconds
        self._look()
        while self.waiting():
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.005)
        return True

    def waiting(self) -> int:
        """How many changes are still to be sent, as far as the ledgers can be read."""
        count = 0
        for outbox, _ in list(self._homes.values()):
            with contextlib.suppress(InkgateError, OSError):
                count += len(outbox.waiting())
        return count

    def close(self, seconds: float = 5.0) -> int:
        """Wait for what is to be sent, send nothing after that, and return how many are left for the next time."""
        self.drain(seconds)
        self._closed = True
        self._stop.set()
        self._wake.set()
        if self._worker is not None:
            self._worker.join(_BUSY)  # it is idle, or in a call that hangs
        return self.waiting()

    def _look(self) -> None:
        """Have the thread look for changes."""
        if self._closed:
            return
        with self._start:
            if self._worker is None or not self._worker.is_alive():  # none yet, or it stayed behind in a parent process
                self._worker = threading.Thread(target=self._run, name="inkgate-mirror", daemon=True)
                self._worker.start()
        self._wake.set()

    def _run(self) -> None:
        while not self._stop.is_set():
            self._wake.clear()
            pause = self._poll
            for outbox, screener in list(self._homes.values()):
                try:
                    self._empty(outbox, screener)
                except LockTimeoutError:
                    pause = min(pause, _BUSY)  # another process delivers
                except (InkgateError, OSError) as problem:
                    self._tell(f"what is to be mirrored cannot be read: {problem}")
            self._wake.wait(pause)

    def _empty(self, outbox: Outbox, screener: Screener) -> None:
        with outbox.turn():
            while items := outbox.waiting():
                excess = len(items) - self._depth
                if excess > 0:
                    self._give_up(f"{len(items)} changes are waiting", excess)
                    outbox.done(items[excess - 1])
                for item in items[max(excess, 0) :]:
                    if self._stop.is_set():
                        return
                    self._offer(item, screener)
                    outbox.done(item)

    def _offer(self, item: Waiting, screener: Screener) -> None:
        before, after = item.before or "", item.after or ""
        named = self._named.pop((str(item.target), item.before, item.after), before)
        try:
            fields = mask_all({"content": after, "old_text": named, "previous_content": before}, item.target, screener)
        except Exception as problem:  # noqa: BLE001 - what cannot be scanned cannot be masked, so it is not sent
            self._give_up(f"a change could not be masked ({type(problem).__name__})")
            return
        content, origin = fields.pop("content"), item.record.origin
        metadata = {"author": origin.author, "source": origin.source, "session_id": origin.session}
        metadata = {**item.record.facts.get("context", {}), **metadata, **fields}
        shown = {name: value for name, value in metadata.items() if value}
        action = Action.ADD if not before else Action.REPLACE if after else Action.REMOVE
        self._deliver(MirroredChange(str(action), str(item.target), content, shown, item.id))

    def _deliver(self, change: MirroredChange) -> None:
        why = ""
        for attempt in range(self._attempts):
            if attempt:
                time.sleep(self._pause * 2 ** (attempt - 1))
            why = self._call(change)
            if not why:
                self.sent += 1
                return
        self._give_up(why)

    def _call(self, change: MirroredChange) -> str:
        """One attempt; returns why it failed, or nothing."""
        failed: list[str] = []

        def call() -> None:
            try:
                self._send(change)
            except Exception as problem:  # noqa: BLE001 - a provider may raise anything; the commit stands
                failed.append(f"the provider raised {type(problem).__name__}")

        thread = threading.Thread(target=call, name="inkgate-mirror-call", daemon=True)
        thread.start()
        thread.join(self._limit)
        if thread.is_alive():
            _log(f"a provider call has taken more than {self._limit:g} s")
            thread.join()
        return failed[0] if failed else ""

    def _tell(self, message: str) -> None:
        """Log what somebody should know; what was said last is not said again at every look."""
        if message != self._told:
            self._told = message
            _log(message)

    def _give_up(self, why: str, count: int = 1) -> None:
        self.given_up += count
        _log(f"{'a memory change was' if count == 1 else f'{count} memory changes were'} not mirrored: {why}")


def _log(message: str) -> None:
    import logging

    logging.getLogger("inkgate.mirror").warning("%s", message)


def mask_all(fields: Mapping[str, str], target: Target, screener: Screener) -> dict[str, str]:
    """The fields with every secret masked that is found in any of them.

    What leaves the house is judged more strictly than what stays: a long run of mixed letters and digits is masked even
    where no rule calls it a secret (its checksum may be wrong, its issuer unknown).
    """
    secrets: dict[str, str] = {}
    for text in fields.values():
        for run in _RUN.findall(text):
            if any(map(str.islower, run)) and any(map(str.isupper, run)) and any(map(str.isdigit, run)):
                secrets[run] = "[opaque value]"
        for finding in screener.findings(text, target) if text else ():
            if finding.category is Category.SECRET and finding.end > finding.start:
                secrets[text[finding.start : finding.end]] = f"[secret: {finding.rule}]"
    masked = dict(fields)
    for secret in sorted(secrets, key=len, reverse=True):
        masked = {name: text.replace(secret, secrets[secret]) for name, text in masked.items()}
    return masked
