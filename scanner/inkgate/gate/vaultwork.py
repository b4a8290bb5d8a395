"""One request for the vault on its way: what it reads, and whether the writer knows it."""

from __future__ import annotations

import time

from inkgate.store.edit import GONE, Edit
from inkgate.store.errors import RefusalError
from inkgate.store.origin import OUTSIDE
from inkgate.store.transaction import Transaction
from inkgate.store.vault.changes import Changed, Stamp
from inkgate.store.vault.note import Note, check_new_name
from inkgate.store.vault.vault import Vault

from .vaultrequest import VaultRequest

__all__ = ["Work"]


class Work:
    """One request on its way: what it reads, and when."""

    def __init__(self, vault: Vault, transaction: Transaction, request: VaultRequest) -> None:
        self.vault = vault
        self.transaction = transaction
        self.request = request
        self.stamp = Stamp(request.origin.author, _date(time.time()), request.origin.source)

    def also(self, request: VaultRequest) -> Work:
        """Another request, under the same lock."""
        return Work(self.vault, self.transaction, request)

    def note(self, name: str) -> Note | None:
        """A note as it stands; None when there is none."""
        data = self.transaction.read(name)
        if data is None:
            return None
        return Note(name, data, data.decode("utf-8"))

    def standing(self, name: str) -> Note:
        """A note that must be there and must not have a successor."""
        note = self.note(name)
        if note is None:
            near = self.vault.find_taken(name)
            raise RefusalError("no-note", "There is no such note.", hint=f"There is {near}." if near else "")
        if note.superseded_by:
            raise RefusalError(
                "superseded", f"The note has a successor and keeps its text: {note.superseded_by}.",
                hint=f"Write to {note.superseded_by}.", details={"superseded_by": note.superseded_by},
            )  # fmt: skip
        return note

    def free(self, name: str, *, but: str = "") -> None:
        """A name that no file has, in whatever spelling, but for one, and that a link can hold."""
        check_new_name(name)
        taken = self.vault.find_taken(name, but=but)
        if taken:
            raise RefusalError(
                "collision", f"Some systems take the name for that of another file: {taken}.",
                hint=f"Choose another name, or write to {taken}.", details={"taken": taken},
            )  # fmt: skip

    def first(self, name: str) -> Stamp:
        """Where a note comes from that does not say so itself."""
        try:
            modified = self.vault.documents.path(name).stat().st_mtime
        except OSError:
            modified = time.time()
        return Stamp(OUTSIDE.author, _date(modified), OUTSIDE.source)

    def stale(self, note: Note | None) -> bool:
        """Whether the writer means a note that is not as it is: it has read another, or never this one."""
        seen = self.request.seen
        if seen is not None:
            return seen != (note.digest if note else GONE)
        return note is not None and not self.request.adds and self._foreign(note.name)

    def _foreign(self, name: str) -> bool:
        """Whether a note holds what somebody else than the gate wrote."""
        if name in self.transaction.foreign:
            return True
        for version in reversed(self.vault.history(name)):
            if version.event == "outside":
                return True
            if version.action in ("create", "replace"):
                return False
        return False

    def edit(self, name: str, changed: Changed) -> Edit:
        """What a change makes of a note."""
        return Edit(name, self.transaction.read(name), changed.text, changed.fresh)


def _date(seconds: float) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(seconds))
