"""A folder of text files that is changed only under one lock, several files at once or none, only with Screened text.

The ledger is written first and holds every text in full, so it can bring a change to its end that a kill stopped half
way: before the ledger, an intent file names the change and its files; after the files, it goes. Whoever finds an intent
looks whether the ledger has the whole change. If so, it is carried out from there; if not, nothing had happened.
"""

from __future__ import annotations

import contextlib
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from . import files
from .chain import Draft, Record
from .edit import GONE, digest
from .errors import RefusalError, StoreError, UnreadableError
from .files import Durability
from .intent import Intent
from .known import Known
from .late import Late
from .ledger import Ledger
from .names import aside_name, check_name, locate
from .origin import OUTSIDE, Origin
from .transaction import Transaction

__all__ = ["STATE", "Documents"]

STATE = ".inkgate"  # hidden folder in the root: the lock and the intent


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
        self.late = Late(root / STATE / "late")
        self.known = Known(ledger.path.parent / "known" / tier)

    def key(self, name: str) -> str:
        """How the ledger calls a file."""
        return f"{self.tier}/{name}"

    def name(self, record: Record) -> str:
        """The file that a record is about."""
        return record.key.removeprefix(self.key(""))

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
        found = self.read_dated(name)
        return None if found is None else found[0]

    def read_dated(self, name: str) -> tuple[bytes, int] | None:
        """As `read`, with the time of the last change before that, in nanoseconds."""
        try:
            return files.read_dated(self.path(name))
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
        with files.lock(state / "lock", seconds=self._lock_seconds):
            self._recover()
            self._bring_over()
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
                try:
                    self._redo(record)
                except (RefusalError, UnreadableError):
                    self.abort([record], "the file cannot be reached any more")
            self.known.put({name: self._now(name) for name in map(self.name, changes)})
        elif changes:
            self.abort(changes, "the write was interrupted before it took effect")
        self.intent.clear()

    def _redo(self, record: Record) -> None:
        """Carry out one recorded change, unless it was; leave a file alone that somebody has changed since."""
        body = record.body
        name = self.name(record)
        now = digest(self.read(name))
        if body is None or now == body["after"] or body["after"] == GONE:
            return
        if now not in (body["before"], record.facts.get("moved", body["before"])):
            self.abort([record], "somebody changed the file before the write took effect")
        else:
            source = str(record.facts.get("moved_from", ""))
            self.put(name, str(body["text"]).encode("utf-8"), source if self.is_file(source) else "")

    def _now(self, name: str) -> str:
        """Digest of a file; that of none for one that cannot be reached."""
        try:
            return digest(self.read(name))
        except (RefusalError, UnreadableError):
            return GONE

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
        now = {record.seq: self._now(self.name(record)) for record in records}
        self.ledger.append(
            [
                Draft(
                    "aborted", record.key, Origin("inkgate", "recovery"),
                    facts={"record": record.seq, "reason": reason, "group": record.facts.get("group")},
                    body={"after": now[record.seq]},
                )
                for record in records
            ]
        )  # fmt: skip
        self.known.put({self.name(record): now[record.seq] for record in records})

    # --- a writer without the lock -----------------------------------------------------------------------------------

    def _bring_over(self) -> None:
        """Set aside what somebody wrote into a file that was just being replaced: it is in no file any more."""
        for name, link in self.late.written_to():
            if self.is_file(name) and self.path(name).samefile(link):
                link.unlink()  # a kill came before it was replaced
                continue
            data = files.read_bytes(link) or b""
            aside = aside_name(name, f"late.{digest(data)[:12]}")
            path = self.path(aside)
            self._make_folders(path.parent)
            text = data.decode("utf-8", "replace")
            body = {"before": GONE, "after": digest(data), "text": text}
            facts = {"late": name, "added": len(text)}
            self.ledger.append([Draft("outside", self.key(aside), OUTSIDE, facts=facts, body=body)])
            self.known.put({aside: digest(data)})
            link.replace(path)

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
