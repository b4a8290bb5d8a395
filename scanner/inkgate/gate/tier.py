"""The gate of a tier that is made of text files, such as vault notes: for files what `gate` is for the memory.

A tier says what a request means (`plan`: the files as they will stand) and how it is kept for a person (`payload`,
`restore`); what it has in common with other tiers is in `filegate`.
"""

from __future__ import annotations

import contextlib
import time
from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, TypeVar

from inkgate.model import Finding, Verdict
from inkgate.store import files
from inkgate.store.documents import Documents
from inkgate.store.edit import Edit, digest
from inkgate.store.errors import RefusalError
from inkgate.store.files import Durability
from inkgate.store.screened import Screened
from inkgate.store.transaction import Transaction

from . import wording
from .filegate import BlockedError, FileGate, Waiting
from .gate import Approver, Reviewer
from .pending import PendingWrite
from .request import Outcome
from .screened import Scanner, Screening
from .settings import Settings
from .tierplan import Planned, TierDecision, TierRequest, edit_diff

__all__ = ["Planned", "TierDecision", "TierGate", "TierRequest"]


Q = TypeVar("Q", bound=TierRequest)


class TierGate(FileGate[Q]):
    """Guards one tier of one home.

    Args:
        home: the home folder: ledger, staged writes, key.
        root: the tier's folder.
        settings: the operator's settings.
        scan: the scanner, as `(text, target) -> ScanResult`; the built-in one under the settings' policy when None.
        approver: asks a person who is present; None where there is none.
        durability: how much is synced before a write is acknowledged.
        lock_seconds: how long to wait for another writer.
    """

    inherit: ClassVar[bool] = True  # whether a finding that stood in a file before the write is left to its owner

    def __init__(
        self,
        home: Path,
        root: Path,
        *,
        settings: Settings | None = None,
        scan: Scanner | None = None,
        approver: Approver | None = None,
        durability: Durability = Durability.FULL,
        lock_seconds: float = files.LOCK_SECONDS,
    ) -> None:
        super().__init__(
            home, settings=settings, scan=scan, approver=approver, durability=durability, lock_seconds=lock_seconds
        )
        self.documents = Documents(
            root, self.ledger, tier=self.tier(root), durability=durability, lock_seconds=lock_seconds
        )

    def tier(self, root: Path) -> str:
        """First part of the ledger's keys of the files in a folder."""
        del root
        return self.subsystem

    # --- what a tier says --------------------------------------------------------------------------------------------

    @abstractmethod
    def plan(self, transaction: Transaction, request: Q) -> Planned:
        """What the request makes of the files, as they are read in the transaction.

        Raises:
            RefusalError: the tier cannot do that.
            NotUnderstoodError: the text cannot be stored.
            StoreError: a file cannot be read.
        """

    def check(self, request: Q, planned: Planned) -> Sequence[Screening]:
        """Further screenings of the result as a whole, such as of a folder; one that blocks, blocks the write."""
        del request, planned
        return ()

    # --- under the lock ----------------------------------------------------------------------------------------------

    def attempt(self, request: Q, found: list[Finding], reviewer: Reviewer | None) -> TierDecision[Q] | Waiting:
        """Plan, screen and write under the lock of the documents."""
        for pause in (0.0, 0.002, 0.01, 0.05, None):
            try:
                with self.documents.begin() as transaction:
                    return self._under_lock(transaction, request, found, reviewer)
            except RefusalError as problem:  # somebody without the lock wrote while the result was scanned: look again
                if problem.code != "changed" or pause is None:
                    raise
                time.sleep(pause)
        raise AssertionError("the last attempt returns or raises")

    def key(self, name: str) -> str:
        """The ledger's key of a note; that of the tier for a name that no store would take."""
        with contextlib.suppress(RefusalError):
            self.documents.path(name)
            return self.documents.key(name)
        return self.subsystem

    def _under_lock(
        self, transaction: Transaction, request: Q, found: list[Finding], reviewer: Reviewer | None
    ) -> TierDecision[Q] | Waiting:
        planned = self.plan(transaction, request)
        if planned.refusal is None and not any(edit.real for edit in planned.edits):
            transaction.record(self._draft("unchanged", request))
            return TierDecision(Outcome.UNCHANGED, request, details=planned.details)
        edits, findings = self._whole(request, planned, transaction)
        findings = (*found, *findings)
        reason = "" if reviewer else self._needs_person(request, planned, findings)
        if reason:
            return Waiting(planned, reason, findings)
        if planned.refusal is not None:
            return self._set_aside(transaction, request, planned, edits, findings)
        facts = {**planned.facts, "action": request.action}
        if reviewer:
            facts |= {"approved_by": reviewer.name, "channel": reviewer.channel}
        records = transaction.commit(edits, request.origin, rules=wording.rule_ids(findings), facts=facts)
        return TierDecision(
            Outcome.SAVED, request, findings=findings, details=planned.details,
            paths=tuple(edit.path for edit, _ in edits), records=tuple(record.seq for record in records),
            digests=tuple(digest(edit.after.encode("utf-8")) for edit, _ in edits),
        )  # fmt: skip

    def _set_aside(
        self,
        transaction: Transaction,
        request: Q,
        planned: Planned,
        edits: list[tuple[Edit, Screened]],
        findings: tuple[Finding, ...],
    ) -> TierDecision[Q]:
        """Keep what a refusal would lose."""
        refusal = planned.refusal
        assert refusal is not None
        if edits:
            facts = {**planned.facts, "action": request.action, "code": refusal.code}
            transaction.commit(edits, request.origin, rules=wording.rule_ids(findings), facts=facts)
        transaction.record(self._draft("refuse", request, facts={"code": refusal.code}))
        details = {**refusal.details, **planned.details}
        return TierDecision(
            Outcome.REFUSED, request, refusal.code, str(refusal), refusal.hint, findings, details=details,
            paths=tuple(edit.path for edit, _ in edits),
        )  # fmt: skip

    def _whole(
        self, request: Q, planned: Planned, transaction: Transaction
    ) -> tuple[list[tuple[Edit, Screened]], tuple[Finding, ...]]:
        """Scan every file as it will stand."""
        edits: list[tuple[Edit, Screened]] = []
        findings: list[Finding] = []
        for edit in planned.edits:
            if not edit.real:
                continue
            before = transaction.read(edit.source) if edit.source else edit.before
            screening, screened = self.screener.document(
                edit.after, self.target, before=(before or b"").decode("utf-8"), fresh=edit.fresh, inherit=self.inherit
            )
            if screened is None:
                raise BlockedError(screening, path=edit.path)
            edits.append((edit, screened))
            findings += screening.findings
        for screening in self.check(request, planned):
            if screening.verdict is Verdict.BLOCK:
                raise BlockedError(screening, path=request.name)
            findings += screening.findings
        return edits, tuple(findings)

    def diff(self, write: PendingWrite) -> str:
        """The full change of a staged write, as a unified diff against the files as they are now, secrets masked.

        Raises:
            RefusalError: it cannot be applied to them any more.
            StoreError: a file cannot be read.
        """
        with self.documents.begin() as transaction:
            planned = self.plan(transaction, self.checked(self.restore(write.payload, write.origin)))
        return edit_diff(planned.edits, lambda text: self.screener.masked(text, self.target))
