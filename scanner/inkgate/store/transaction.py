"""One change of the files of a folder, from reading to writing."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from . import files
from .chain import Draft, Record
from .edit import GONE, Edit, digest
from .errors import RefusalError, StoreError, UnreadableError
from .origin import OUTSIDE, Origin
from .screened import Screened

if TYPE_CHECKING:
    from .documents import Documents

__all__ = ["Transaction"]


class Transaction:
    """One look at the files under the lock, good for one commit.

    Attributes:
        outside: names of the files read so far that somebody has changed since the gate last wrote them.
        foreign: those, and the ones that the gate has never seen before.
    """

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._seen: dict[str, bytes | None] = {}
        self._dated: dict[str, int] = {}
        self._preface: dict[str, Draft] = {}
        self.outside: set[str] = set()
        self.foreign: set[str] = set()

    def read(self, name: str) -> bytes | None:
        """The bytes of a file, the same for the whole transaction; what others did to it will be recorded.

        Raises:
            RefusalError: `bad-name`, or `outside`.
            UnreadableError: it cannot be read, or is not UTF-8.
        """
        if name not in self._seen:
            data = self._documents.read(name)
            self._explain(name, data)
            self._seen[name] = data
        return self._seen[name]

    def _explain(self, name: str, data: bytes | None) -> None:
        key = self._documents.key(name)
        recorded, now = self._documents.known.get(name), digest(data)
        if now == (recorded or GONE):
            return
        try:
            text = (data or b"").decode("utf-8")
        except UnicodeDecodeError as error:
            raise UnreadableError(
                f"{name} could not be read: byte {error.start} is not UTF-8. Its bytes are untouched.",
                hint="Repair the file by hand, or move it away.",
            ) from error
        body: dict[str, Any] = {"before": recorded or GONE, "after": now}
        if data is not None:
            body["text"] = text
        facts = {"first": recorded is None, "gone": data is None}
        self._preface[name] = Draft("outside", key, OUTSIDE, facts=facts, body=body)
        if data is not None:
            self.foreign.add(name)
        if recorded is not None:
            self.outside.add(name)

    def _found(self) -> dict[str, str]:
        """Digests of the files that will be recorded as they were found."""
        return {name: digest(self._seen.get(name)) for name in self._preface}

    def record(self, *drafts: Draft) -> None:
        """Record decisions that change nothing, with what was found about the files."""
        self._documents.ledger.append([*self._preface.values(), *drafts])
        self._documents.known.put(self._found())
        self._preface = {}

    def commit(
        self,
        edits: Sequence[tuple[Edit, Screened]],
        origin: Origin,
        *,
        rules: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> list[Record]:
        """Write the files and record the change; on return all of it is in place, or nothing is.

        Args:
            edits: each with its Screened text; files that are read in this transaction.
            origin: who writes.
            rules: ids of rules that had something to say about it.
            facts: what else to record, never a text.

        Raises:
            RefusalError: `changed`: somebody wrote to a file since it was read. Nothing was changed.
            StoreError: it could not be written; the old files stand, unless the message says otherwise.
        """
        for edit, screened in edits:
            if screened.text != edit.after or self.read(edit.path) != edit.before:
                raise ValueError("the edit, the screened text and the file do not belong together")
        group = os.urandom(8).hex()
        drafts, digests = self._drafts(edits, origin, group, rules, facts or {})
        names = [edit.path for edit, _ in edits]
        with contextlib.ExitStack() as cleanup:
            self._documents.intent.write(group, names, sync=len(drafts) > 1)
            cleanup.callback(self._documents.intent.clear)
            prepared = {}
            for edit, _ in edits:
                if not edit.source:
                    prepared[edit.path] = self._documents.prepare(edit.path, edit.after.encode("utf-8"))
                    cleanup.callback(prepared[edit.path].discard)
            self._check_unchanged(edits)
            records = self._documents.ledger.append(drafts)
            cleanup.pop_all()  # from here on the change stands in the ledger
        self._documents.known.put({**self._found(), **digests})
        self._preface = {}
        changes = records[-sum(draft.event == "change" for draft in drafts) :]
        self._carry_out([edit for edit, _ in edits], prepared, changes)
        self._documents.intent.clear()
        return changes

    def _check_unchanged(self, edits: Sequence[tuple[Edit, Screened]]) -> None:
        for edit, _ in edits:
            for name in filter(None, (edit.path, edit.source)):
                found = self._documents.read_dated(name)
                if (found and found[0]) != self.read(name):
                    message = f"{name} was changed by somebody else at this moment. Nothing was changed here."
                    raise RefusalError("changed", message, hint="Read it again, and write on what is there now.")
                if found:
                    self._dated[name] = found[1]

    def _drafts(
        self,
        edits: Sequence[tuple[Edit, Screened]],
        origin: Origin,
        group: str,
        rules: tuple[str, ...],
        facts: Mapping[str, Any],
    ) -> tuple[list[Draft], dict[str, str]]:
        drafts, digests = list(self._preface.values()), {}
        count = sum(2 if edit.source else 1 for edit, _ in edits)
        for edit, screened in edits:
            after = digest(edit.after.encode("utf-8"))
            shared = {**facts, "group": group, "of": count}
            more: dict[str, Any] = {}
            if edit.source:
                key = self._documents.key(edit.source)
                moved = digest(self.read(edit.source))
                body: dict[str, Any] = {"before": moved, "after": GONE}
                drafts.append(
                    Draft("change", key, origin, rules, screened.ruleset, {**shared, "moved_to": edit.path}, body)
                )
                digests[edit.source] = GONE
                more = {"moved_from": edit.source, "moved": moved}
            key = self._documents.key(edit.path)
            body = {"before": digest(edit.before), "after": after, "text": edit.after}
            drafts.append(Draft("change", key, origin, rules, screened.ruleset, {**shared, **more}, body))
            digests[edit.path] = after
        return drafts, digests

    def _carry_out(
        self, edits: Sequence[Edit], prepared: Mapping[str, files.Prepared], changes: Sequence[Record]
    ) -> None:
        done: list[Edit] = []
        try:
            for edit in edits:
                done.append(edit)
                self._documents.late.keep(
                    edit.path, self._documents.path(edit.path), edit.before or b"", self._dated.get(edit.path, 0)
                )
                if edit.source:
                    self._documents.put(edit.path, edit.after.encode("utf-8"), edit.source)
                else:
                    prepared[edit.path].commit()
        except StoreError:
            for item in prepared.values():
                item.discard()
            self._undo(done, changes)
            raise

    def _undo(self, done: Sequence[Edit], changes: Sequence[Record]) -> None:
        """Take back what was done of a change, and tell the ledger. If that fails too, the intent stays, and the next
        writer brings the change to its end.
        """
        for edit in reversed(done):
            if edit.source:
                if not self._documents.is_file(edit.source):
                    self._documents.put(edit.source, self.read(edit.source) or b"", edit.path)
            elif self._documents.read(edit.path) != edit.after.encode("utf-8"):
                continue  # it was not replaced, or somebody has written to it since
            elif edit.before is None:
                self._documents.path(edit.path).unlink(missing_ok=True)
            else:
                self._documents.prepare(edit.path, edit.before).commit()
        self._documents.abort(changes, "the file could not be replaced")
        self._documents.intent.clear()
