"""A staged write is decided once: a record that is put back afterwards is no second question."""

from __future__ import annotations

from datetime import datetime

from inkgate.store.ledger import Ledger

from .pending import PendingError, PendingWrite

__all__ = ["refuse_decided"]

_EVENTS = frozenset({"approve", "reject"})


def refuse_decided(ledger: Ledger, write: PendingWrite) -> None:
    """Make sure that nobody has decided on this write yet, by the ledger.

    Raises:
        PendingError: somebody has.
        LedgerError: the ledger does not hold.
    """
    for record in ledger.records():
        if record.event not in _EVENTS or record.facts.get("pending") != write.id:
            continue
        if datetime.fromisoformat(record.at).timestamp() >= write.last_at:  # else another write had the same id
            raise PendingError(
                f"The pending write {write.id} was decided before (record {record.seq}: {record.event}).",
                hint="Reject it; if the change is still wanted, let it be proposed again.",
            )
