"""A staged write is decided once: a record that is put back afterwards is no second question."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from inkgate.store import files
from inkgate.store.chain import TORN
from inkgate.store.errors import LedgerError
from inkgate.store.ledger import Ledger

from .pending import PendingError, PendingWrite

__all__ = ["refuse_decided"]

_EVENTS = frozenset({"approve", "reject"})


def refuse_decided(ledger: Ledger, write: PendingWrite) -> None:
    """Make sure that nobody has decided on this write yet, by the ledger.

    Raises:
        PendingError: somebody has.
        LedgerError: a record that names it cannot be read.
    """
    for record in _naming(ledger, write.id):
        event, facts = record["event"], record["facts"]
        if event not in _EVENTS or facts.get("pending") != write.id:
            continue
        if datetime.fromisoformat(record["at"]).timestamp() >= write.last_at:  # else another write had the same id
            raise PendingError(
                f"The pending write {write.id} was decided before (record {record['seq']}: {event}).",
                hint="Reject it; if the change is still wanted, let it be proposed again.",
            )


def _naming(ledger: Ledger, pending_id: str) -> Iterator[dict[str, Any]]:
    """The records that name a staged write, found without reading the others."""
    data, needle = files.read_bytes(ledger.path) or b"", f'"pending":"{pending_id}"'.encode()
    place = data.find(needle)
    while place >= 0:
        end = data.find(b"\n", place)
        line = data[data.rfind(b"\n", 0, place) + 1 : end]
        if end < 0:  # a kill stopped its writer
            return
        if not line.endswith(TORN[:-1]):
            try:
                record = json.loads(line)
                yield {name: record[name] for name in ("seq", "at", "event", "facts")}
            except (ValueError, KeyError, TypeError, RecursionError):
                raise LedgerError(f"The record that names {pending_id} cannot be read.") from None
        place = data.find(needle, end)
