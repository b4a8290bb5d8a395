"""A folder of text files that is changed only under one lock, several files at once or none, only with Screened text.

The ledger is written first and holds every text in full, so it can bring a change to its end that a kill stopped half
way: before the ledger, an intent file names the change and its files; after the files, it goes. Whoever finds an intent
looks whether the ledger has the whole change. If so, it is carried out from there; if not, nothing had happened.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import stat
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import files
from .chain import Draft, Record
from .errors import RefusalError, StoreError, UnreadableError
from .files import Durability
from .intent import Intent
from .ledger import Ledger
from .names import check_name, locate
from .origin import OUTSIDE, Origin
from .screened import Screened

__all__ = ["GONE", "STATE", "Documents", "Edit", "Transaction", "digest"]

STATE = ".inkgate"  # hidden folder in the root: the lock and the intent
GONE = ""  # digest of a file that is not there


@dataclass(frozen=True, slots=True)
class Edit:
    """What becomes of one file.

    Attributes:
        path: its name, from the root.
        before: its bytes as they were read; None when it is not there.
        after: its whole text as it will stand, a byte order mark included.
        fresh: the range of `after` that the writer brings, in characters.
        source: for a move, the name that the file has now; `before` is then None, as nothing has the new name.
    """

    path: str
    before: bytes | None
    after: str
    fresh: tuple[int, int] = (0, 0)
    source: str = ""

    @property
    def real(self) -> bool:
        """Whether anything changes."""
        return bool(self.source) or self.before != self.after.encode("utf-8")


def digest(data: bytes | None) -> str:
    """SHA-256 of the bytes of a file; empty for none."""
    return GONE if data is None else hashlib.sha256(data).hexdigest()


class Documents:
    """The files of one tier.

    Args:
        root: the folder; made with the first write.
        ledger: records every change.
        tier: first part of the ledger's keys, such as `vault`.
        durability: how much is synced before a write returns.
        lock_seconds: how long to wait for another writer.
    """

    def __init__(
        self,
        root: Path,
        ledger: Ledger,
        *,
        tier: str,
        durability: Durability = Durability.FULL,
        lock_seconds: float = files.LOCK_SECONDS,
    ) -> None:
        self.root = root
        self.ledger = ledger
        self.tier = tier
        self.durability = durability
        self._lock_seconds = lock_seconds
        self.intent = Intent(root / STATE / "intent.json", durability)

    def key(self, name: str) -> str:
        """How the ledger calls a file."""
        return f"{self.tier}/{name}"

    def path(self, name: str) -> Path:
        """Where a name leads.

        Raises:
            RefusalError: `bad-name`, or `outside`.
        """
        return locate(self.root, check_name(name))

    def read(self, name: str) -> bytes | None:
        """The bytes of a file as they are now; None when there is none.

        Raises:
            RefusalError: `bad-name`, or `outside`.
            UnreadableError: it exists, but is no regular file, or cannot be read.
        """
        try:
            return files.read_bytes(self.path(name))
        except UnreadableError as error:
            if isinstance(error.__cause__, NotADirectoryError):
                return None
            raise

    @contextlib.contextmanager
    def begin(self) -> Iterator[Transaction]:
        """Hold the lock, with every earlier change brought to its end; `commit` on the result, or change nothing.

        Raises:
            LockTimeoutError: another writer was busy all the time.
            StoreError: the folder or the lock cannot be used.
        """
        state = self.root / STATE
        files.make_folder(state)
        with files.lock(state / "lock", seconds=self._lock_seconds):
            self._recover()
            yield Transaction(self)

    def recover(self) -> bool:
        """Bring a change to its end that a kill stopped; True when there was one."""
        if not self.intent.exists():
            return False
        with self.begin():
            return True

    # --- a change that was stopped -----------------------------------------------------------------------------------

    def _recover(self) -> None:
        found = self.intent.read()
        if found is None:
            return
        records = [record for record in self.ledger.records() if record.facts.get("group") == found.group]
        for name in found.names:
            with contextlib.suppress(RefusalError):
                files.sweep(self.path(name))
        undone = {record.facts.get("record") for record in records if record.event == "aborted"}
        changes = [record for record in records if record.event == "change" and record.seq not in undone]
        if changes and len(changes) == changes[0].facts.get("of"):
            for record in changes:
                self._redo(record)
        elif changes:
            self.abort(changes, "the write was interrupted before it took effect")
        self.intent.clear()

    def _redo(self, record: Record) -> None:
        """Carry out one recorded change, unless it was; leave a file alone that somebody has changed since."""
        body = record.body
        name = record.key.removeprefix(f"{self.tier}/")
        now = digest(self.read(name))
        if body is None or now == body["after"] or body["after"] == GONE:
            return
        if now not in (body["before"], record.facts.get("moved", body["before"])):
            self.abort([record], "somebody changed the file before the write took effect")
        else:
            source = str(record.facts.get("moved_from", ""))
            self.put(name, str(body["text"]).encode("utf-8"), source if self.is_file(source) else "")

    def is_file(self, name: str) -> bool:
        """Whether a name leads to a file."""
        return bool(name) and self.path(name).is_file()

    def put(self, name: str, data: bytes, source: str = "") -> None:
        """Give a file its bytes; with `source`, give that file this name first. The caller holds the lock."""
        if source:
            self.move(source, name)
        if self.read(name) != data:
            self.prepare(name, data).commit()

    def abort(self, records: Sequence[Record], reason: str) -> None:
        """Record that these changes did not take effect; the caller holds the lock."""
        drafts, digests = [], {}
        for record in records:
            now = digest(self.read(record.key.removeprefix(f"{self.tier}/")))
            facts = {"record": record.seq, "reason": reason, "group": record.facts.get("group")}
            drafts.append(Draft("aborted", record.key, Origin("inkgate", "recovery"), facts=facts, body={"after": now}))
            digests[record.key] = now
        self.ledger.append(drafts, digests=digests)

    # --- files -------------------------------------------------------------------------------------------------------

    def prepare(self, name: str, data: bytes) -> files.Prepared:
        """New bytes for a file, which keeps its permissions; the caller holds the lock."""
        path = self.path(name)
        self._make_folders(path.parent)
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
        except OSError:
            mode = 0o600
        return files.prepare(path, data, self.durability, mode=mode)

    def _make_folders(self, folder: Path) -> None:
        missing = [folder, *folder.parents]
        missing = missing[: next(index for index, path in enumerate(missing) if path.exists())]
        files.make_folder(folder)
        if self.durability is Durability.FULL:
            for path in missing:
                files.sync_folder(path.parent)

    def move(self, source: str, name: str) -> None:
        """Give a file another name that nothing has; the caller holds the lock.

        Raises:
            StoreError: the system refused; the file has its old name.
        """
        old, new = self.path(source), self.path(name)
        self._make_folders(new.parent)
        try:
            if new.exists() and not new.samefile(old):
                raise StoreError(f"{name} is there already. Nothing was changed.")
            old.rename(new)
        except OSError as error:
            raise StoreError(f"{source} could not be renamed: {error.strerror}. Nothing was changed.") from error
        if self.durability is Durability.FULL:
            for folder in {old.parent, new.parent}:
                files.sync_folder(folder)


class Transaction:
    """One look at the files under the lock, good for one commit.

    Attributes:
        outside: names of the files read so far that somebody has changed since the gate last wrote them.
        foreign: those, and the ones that the gate has never seen before.
    """

    def __init__(self, documents: Documents) -> None:
        self._documents = documents
        self._seen: dict[str, bytes | None] = {}
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
        recorded, now = self._documents.ledger.digest_of(key), digest(data)
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

    def _take_preface(self) -> tuple[list[Draft], dict[str, str]]:
        digests = {self._documents.key(name): digest(self._seen.get(name)) for name in self._preface}
        return list(self._preface.values()), digests

    def record(self, *drafts: Draft) -> None:
        """Record decisions that change nothing, with what was found about the files."""
        preface, digests = self._take_preface()
        self._documents.ledger.append([*preface, *drafts], digests=digests)
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
            records = self._documents.ledger.append(drafts, digests=digests)
            self._preface = {}
            cleanup.pop_all()  # from here on the change stands in the ledger
        changes = records[-sum(draft.event == "change" for draft in drafts) :]
        self._carry_out([edit for edit, _ in edits], prepared, changes)
        self._documents.intent.clear()
        return changes

    def _check_unchanged(self, edits: Sequence[tuple[Edit, Screened]]) -> None:
        for edit, _ in edits:
            for name in filter(None, (edit.path, edit.source)):
                if self._documents.read(name) != self.read(name):
                    message = f"{name} was changed by somebody else at this moment. Nothing was changed here."
                    raise RefusalError("changed", message, hint="Read it again, and write on what is there now.")

    def _drafts(
        self,
        edits: Sequence[tuple[Edit, Screened]],
        origin: Origin,
        group: str,
        rules: tuple[str, ...],
        facts: Mapping[str, Any],
    ) -> tuple[list[Draft], dict[str, str]]:
        drafts, digests = self._take_preface()
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
                digests[key] = GONE
                more = {"moved_from": edit.source, "moved": moved}
            key = self._documents.key(edit.path)
            body = {"before": digest(edit.before), "after": after, "text": edit.after}
            drafts.append(Draft("change", key, origin, rules, screened.ruleset, {**shared, **more}, body))
            digests[key] = after
        return drafts, digests

    def _carry_out(
        self, edits: Sequence[Edit], prepared: Mapping[str, files.Prepared], changes: Sequence[Record]
    ) -> None:
        done: list[Edit] = []
        try:
            for edit in edits:
                done.append(edit)
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
            elif edit.before is None:
                self._documents.path(edit.path).unlink(missing_ok=True)
            elif self._documents.read(edit.path) != edit.before:
                self._documents.prepare(edit.path, edit.before).commit()
        self._documents.abort(changes, "the file could not be replaced")
        self._documents.intent.clear()
