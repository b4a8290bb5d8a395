"""Committed changes, sent to at most one external memory service: in order, masked, never in the writer's way."""

from __future__ import annotations

import queue
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from inkgate.model import Category, Target
from inkgate.store.plan import Action

from .request import Decision, Request
from .screened import Screener

__all__ = ["Mirror", "MirroredChange", "mask_all"]

_RUN = re.compile(r"[A-Za-z0-9_-]{24,}")
DEPTH = 256
ATTEMPTS = 3
LIMIT_SECONDS = 8.0


@dataclass(frozen=True, slots=True)
class MirroredChange:
    """One committed change, as a provider sees it: secrets masked in every field.

    Attributes:
        action: add, replace or remove.
        target: memory or user.
        content: the new entry; empty for remove.
        metadata: old_text, previous_content and the origin; empty values are left out.
    """

    action: str
    target: str
    content: str
    metadata: Mapping[str, Any] = field(default_factory=dict)


class Mirror:
    """Sends changes from a bounded queue on one thread of its own.

    A change is tried `attempts` times; then it is given up, counted and logged. A call that overruns the time limit is
    left to itself, and nothing more is sent until it returns, so that the order holds.

    Args:
        send: the provider's call.
        depth: changes that may wait; further ones are given up.
        attempts: calls per change.
        limit: seconds per call.
        pause: seconds between attempts, doubled each time.
    """

    def __init__(
        self,
        send: Callable[[MirroredChange], object],
        *,
        depth: int = DEPTH,
        attempts: int = ATTEMPTS,
        limit: float = LIMIT_SECONDS,
        pause: float = 0.2,
    ) -> None:
        self._send = send
        self._attempts = attempts
        self._limit = limit
        self._pause = pause
        self._queue: queue.Queue[MirroredChange | None] = queue.Queue(depth)
        self._worker: threading.Thread | None = None
        self._start = threading.Lock()
        self._closed = False
        self.sent = 0
        self.given_up = 0

    def committed(self, request: Request, decision: Decision, screener: Screener) -> None:
        """Queue what a decision changed; operations that changed nothing are left out. Never raises, never waits."""
        for operation, change in zip(request.operations, decision.changes, strict=True):
            if not change.real:
                continue
            try:
                fields = mask_all(
                    {
                        "content": change.after or "",
                        "old_text": operation.old_text if operation.action is not Action.ADD else "",
                        "previous_content": change.before or "",
                    },
                    request.target,
                    screener,
                )
            except Exception as problem:  # noqa: BLE001 - what cannot be scanned cannot be masked, so it is not sent
                self._give_up(f"a change could not be masked ({type(problem).__name__})")
                continue
            content = fields.pop("content")
            origin = request.origin
            metadata = {**fields, "author": origin.author, "source": origin.source, "session_id": origin.session}
            shown = {name: value for name, value in metadata.items() if value}
            self.put(MirroredChange(str(change.action), str(request.target), content, shown))

    def put(self, change: MirroredChange) -> None:
        """Queue one change that is masked already."""
        if self._closed:
            self._give_up("the mirror is closed")
            return
        try:
            self._queue.put_nowait(change)
        except queue.Full:
            self._give_up("too many changes are waiting")
            return
        with self._start:
            if self._worker is None:
                self._worker = threading.Thread(target=self._run, name="inkgate-mirror", daemon=True)
                self._worker.start()

    def drain(self, seconds: float = 5.0) -> bool:
        """Wait until everything queued was sent or given up; False when the time was not enough."""
        deadline = time.monotonic() + seconds
        while self._queue.unfinished_tasks:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.002)
        return True

    def close(self, seconds: float = 5.0) -> int:
        """Take no more changes, wait for those that are queued, and return how many were abandoned."""
        self._closed = True
        self.drain(seconds)
        return self._queue.unfinished_tasks

    def _run(self) -> None:
        while (change := self._queue.get()) is not None:
            try:
                self._deliver(change)
            finally:
                self._queue.task_done()

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

    def _give_up(self, why: str) -> None:
        self.given_up += 1
        _log(f"a memory change was not mirrored: {why}")


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
