"""The ledger: an append-only, hash-chained file of everything that the gate decided and the stores changed.

Beside it stands a small head file with the last record's number and hash. It makes appending independent of the length
of the ledger, and it makes a cut-off end visible. Neither is a defence against someone who may write every file here
and rebuilds the whole chain; keep the printed head elsewhere for that (`verify(expect=...)`).
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from inkgate.lean import dataclass, replace

from . import files
from .chain import GENESIS, TORN, Draft, Record, Walk, bind, now, walk, without_body
from .errors import LedgerError, LockTimeoutError, StoreError
from .files import Durability
from .head import Head
from .masking import clean_origin
from .origin import Origin

__all__ = ["Ledger", "Report"]

_LOOK = "Look at it with `inkgate ledger verify`; then begin a new one with `inkgate ledger restart`."
_LOOK_BACK = 1 << 18  # bytes before a place in which its record is looked for; a longer one costs reading all
_HEAD_BYTES = 1024  # the head is padded to a multiple, so that a shorter one covers a longer one


@dataclass(frozen=True, slots=True)
class Report:
    """What a verification found.

    Attributes:
        records: how many records are intact, from the first.
        head: hash of the last intact record.
        purged: how many bodies were purged, each with its tombstone.
        problem: the first thing that is wrong, or empty.
        torn: bytes of an unfinished last line, left by a kill; the next append explains them.
    """

    records: int
    head: str
    purged: int
    problem: str = ""
    torn: int = 0

    @property
    def intact(self) -> bool:
        """Whether nothing is wrong."""
        return not self.problem


_Stamp = tuple[int, int, int]  # inode, size in bytes, modification time in nanoseconds


def _stamp_of(status: os.stat_result) -> _Stamp:
    return status.st_ino, status.st_size, status.st_mtime_ns


class Ledger:
    """One ledger file, its head and its lock, all owner-only, in one folder.

    Args:
        path: the ledger file; its folder is made when it is missing.
        durability: FULL syncs each append.
        lock_seconds: how long to wait for another writer.
    """

    def __init__(
        self, path: Path, *, durability: Durability = Durability.FULL, lock_seconds: float = files.LOCK_SECONDS
    ) -> None:
        self.path = path
        self._head_path = path.with_name(path.name + ".head")
        self._lock_path = path.with_name(path.name + ".lock")
        self._durability = durability
        self._lock_seconds = lock_seconds
        self._known: tuple[_Stamp, Head] | None = None  # the head, and the ledger file that it was true of

    # --- writing -----------------------------------------------------------------------------------------------------

    def append(self, drafts: Sequence[Draft], *, digests: Mapping[str, str] | None = None) -> list[Record]:
        """Add records in order, with one write and one sync.

        Args:
            drafts: what to record.
            digests: for a key, the digest of the file as it will be once the recorded change is in place.

        Raises:
            LedgerError: the file does not continue where it was left.
            StoreError: it could not be written; the ledger is as it was.
        """
        with self._locked():
            head = self._read_head()
            records = self._bind(drafts, head)
            self._write(records, head, digests or {})
        return records

    def digest_of(self, key: str) -> str | None:
        """Digest of the file of `key` as the last recorded change left it; None when there was none."""
        stamp = self._stamp()
        if stamp is None:
            return None
        known = self._known
        if known is not None and known[0] == stamp:
            return known[1].files.get(key)
        head = self._stored_head()
        if head is not None and head.walk.size == stamp[1]:
            self._known = stamp, head
            return head.files.get(key)  # whoever is appending now writes the head after the record
        with self._locked():
            return self._read_head().files.get(key)

    def is_foreign(self, key: str, entry: str) -> bool:
        """Whether a standing entry of `key` was last brought by somebody else than the gate, after the gate had begun.

        Raises:
            LedgerError: the file does not continue where it was left.
        """
        with self._locked():
            head = self._read_head()
            known = head.foreign
            found = head.is_foreign(key, entry, self.records)
            if head.foreign is not known:
                self._write_head(head)
        return found

    def _bind(self, drafts: Sequence[Draft], head: Head) -> list[Record]:
        state, at = head.walk, now()
        if state.torn:
            torn = Draft("torn", "", Origin("inkgate", "recovery"), facts={"bytes": state.torn})
            drafts = [torn, *drafts]
        records: list[Record] = []
        seq, prev = state.seq, state.hash
        for draft in drafts:
            origin = clean_origin(draft.origin)
            named = draft if origin is draft.origin else replace(draft, origin=origin)
            records.append(bind(named, seq=seq + 1, at=at, prev=prev))
            seq, prev = records[-1].seq, records[-1].hash
        return records

    def _write(self, records: Sequence[Record], head: Head, digests: Mapping[str, str]) -> None:
        self._known, state = None, head.walk
        data = b"".join([record.line + b"\n" for record in records])
        if state.torn:
            data = TORN + data
            state.size += state.torn
            state.torn = 0
        try:
            descriptor = os.open(self.path, files.APPEND, 0o600)
        except OSError as error:
            raise StoreError(f"The ledger could not be opened: {error.strerror}. Nothing was changed.") from error
        try:
            files.write_all(descriptor, data)
            if self._durability is Durability.FULL:
                os.fsync(descriptor)
            stamp = _stamp_of(os.fstat(descriptor))
        except OSError as error:
            with contextlib.suppress(OSError):  # if even this fails, the torn line is explained by the next append
                os.ftruncate(descriptor, state.size)
            raise StoreError(f"The ledger could not be written: {error.strerror}. Nothing was changed.") from error
        finally:
            os.close(descriptor)
        state.seq, state.hash, state.size = records[-1].seq, records[-1].hash, state.size + len(data)
        head.wrote(records, digests)
        self._write_head(head)
        if stamp[1] == state.size:
            self._known = stamp, head

    def _locked(self) -> files.lock:
        return files.lock(self._lock_path, seconds=self._lock_seconds)

    # --- the head ----------------------------------------------------------------------------------------------------

    def _read_head(self) -> Head:
        """Where the chain ends: from the head file, and from what was appended after it was last written."""
        stamp, known = self._stamp(), self._known
        if known is not None and known[0] == stamp:
            return known[1]
        head = self._stored_head()
        if head is None:
            return self._read_all(known[1].walk if known is not None else Walk())
        size = stamp[1] if stamp else 0
        if size < head.walk.size:
            raise LedgerError(
                f"The ledger is shorter than it was: {size:,} of {head.walk.size:,} bytes. No write is possible.",
                hint=_LOOK,
            )
        if size > head.walk.size:
            data = (files.read_bytes(self.path) or b"")[head.walk.size :]
            head.read(walk(data, head.walk))
        return head

    def _read_all(self, known: Walk) -> Head:
        """Where the chain ends, without a head file; what was seen before tells a cut-off ledger from a new one."""
        head, seen, anew = Head(), {GENESIS}, False
        for record in walk(files.read_bytes(self.path) or b"", head.walk):
            seen.add(record.hash)
            anew = anew or record.event == "restart"
            head.read([record])
        if known.hash not in seen and not anew:
            raise LedgerError(
                f"Record {known.seq} and those before it are gone from the ledger. No write is possible.", hint=_LOOK
            )
        return head

    def _stored_head(self) -> Head | None:
        return Head.load(files.read_bytes(self._head_path) or b"")

    def _write_head(self, head: Head) -> None:
        text = head.dump()
        padded = text.ljust(-(-len(text) // _HEAD_BYTES) * _HEAD_BYTES).encode("ascii")
        with contextlib.suppress(OSError):  # a stale head is read on from: it costs time, not truth
            descriptor = os.open(self._head_path, files.OVERWRITE, 0o600)
            try:
                os.write(descriptor, padded)
                if os.fstat(descriptor).st_size != len(padded):
                    os.ftruncate(descriptor, len(padded))
            finally:
                os.close(descriptor)

    def _stamp(self) -> _Stamp | None:
        """What tells that the ledger file is the one that it was: an append moves its size, a purge its inode."""
        try:
            return _stamp_of(os.stat(self.path))
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"The ledger could not be read: {error.strerror}. Nothing was changed.") from error

    # --- reading -----------------------------------------------------------------------------------------------------

    def records(self) -> Iterator[Record]:
        """Every record from the first, each proved against the one before.

        Raises:
            LedgerError: at the first record that does not hold.
        """
        yield from walk(files.read_bytes(self.path) or b"", Walk())

    def end(self) -> Walk:
        """Where the chain ends now.

        Raises:
            LedgerError: the file does not continue where it was left.
        """
        with self._locked():
            state = self._read_head().walk
        return Walk(state.seq, state.hash, state.size)

    def after(self, state: Walk) -> list[tuple[Record, Walk]] | None:
        """The records behind a place in the chain, each with the place behind it; None when there is no such place.

        Args:
            state: the place; its size is where reading begins, as long as no purge has moved what stands before.

        Raises:
            LedgerError: at the first record that does not hold.
        """
        stamp = self._stamp()
        if stamp is not None and stamp[1] == state.size:
            return []
        tail = self._tail(state) if stamp is not None and state.seq else None
        if tail is not None:
            return _steps(tail, Walk(state.seq, state.hash, state.size))
        steps = _steps(files.read_bytes(self.path) or b"", Walk())
        if state.seq == 0:
            return steps
        places = [place for place, (record, _) in enumerate(steps, 1) if record.hash == state.hash]
        return steps[places[0] :] if places else None

    def _tail(self, state: Walk) -> bytes | None:
        """The bytes behind a place, when the record of that place ends there."""
        start = max(0, state.size - _LOOK_BACK)
        with self.path.open("rb") as file:
            file.seek(start)
            data = file.read()
        before, behind = data[: state.size - start], data[state.size - start :]
        line = before.removesuffix(b"\n").rpartition(b"\n")[2]
        ends = start + len(before) == state.size and before.endswith(b"\n")
        return behind if ends and f'"hash":"{state.hash}"'.encode() in line else None

    def verify(self, *, expect: str = "") -> Report:
        """Prove the whole chain, its head file and its tombstones.

        Args:
            expect: hash of a record that must be in the chain, as printed by an earlier verification.
        """
        state, seen, empty, excused = Walk(), {""}, set(), set()
        problem = ""
        stored, data = self._at_rest()
        try:
            for record in walk(data, state):
                seen.add(record.hash)
                if record.body is None:
                    empty.add(record.seq)
                if record.event == "purge":
                    excused.update(record.facts.get("records", ()))
            problem = _missing_bodies(empty, excused) or _doubts(state, stored, seen, expect)
        except LedgerError as error:
            problem = str(error)
        return Report(state.seq, state.hash, len(empty), problem, state.torn)

    def _at_rest(self) -> tuple[Head | None, bytes]:
        """Head and ledger of one moment. Where no lock can be made, as on a disk that is read-only, the head is read
        first: what it names stands in a ledger that is read later.
        """
        try:
            with self._locked() if self.path.parent.is_dir() else contextlib.nullcontext():
                return self._stored_head(), files.read_bytes(self.path) or b""
        except LockTimeoutError:
            raise
        except StoreError:
            return self._stored_head(), files.read_bytes(self.path) or b""

    # --- by a person -------------------------------------------------------------------------------------------------

    def purge(self, text: str, origin: Origin, reason: str) -> list[int]:
        """Erase every body that holds `text`, and record that it was done; the chain stays whole.

        Returns the numbers of the records whose bodies went; an empty list means that nothing held the text, and then
        nothing is recorded.
        """
        with self._locked():
            head = self._read_head()
            lines, gone = [], []
            for record in self.records():
                held = record.body is not None and _holds({**record.body, "salt": None}, text)
                lines.append(without_body(record.line) if held else record.line)
                gone += [record.seq] if held else []
            if not gone:
                return []
            draft = Draft("purge", "", origin, facts={"records": gone, "reason": reason})
            head.walk.torn = 0
            stone = self._bind([draft], head)[0]
            data = b"".join(line + b"\n" for line in [*lines, stone.line])
            replacement = files.prepare(self.path, data, self._durability)
            self._known = None
            self._head_path.unlink(missing_ok=True)  # it names a size that will not be reached again
            replacement.commit()
            head.walk = Walk(stone.seq, stone.hash, len(data))
            head.wrote([stone], {})
            self._write_head(head)
        return gone

    def restart(self, origin: Origin, reason: str) -> Path | None:
        """Set a broken ledger aside, unchanged, and begin one whose first record says so.

        Returns where it went; None when there was none any more.
        """
        with self._locked():
            stored = self._stored_head() or Head()
            aside = None
            with contextlib.suppress(FileNotFoundError):
                aside = self.path.rename(self.path.with_name(f"{self.path.name}.broken.{time.time_ns()}"))
            self._head_path.unlink(missing_ok=True)
            facts = {"aside": aside.name if aside else "", "reason": reason, "head": stored.walk.hash}
            head = Head(files=stored.files)
            self._write(self._bind([Draft("restart", "", origin, facts=facts)], head), head, {})
        return aside


def _steps(data: bytes, state: Walk) -> list[tuple[Record, Walk]]:
    return [(record, Walk(state.seq, state.hash, state.size)) for record in walk(data, state)]


def _doubts(state: Walk, stored: Head | None, seen: set[str], expect: str) -> str:
    if stored is None and state.seq:
        return "The head file is missing or unreadable: records may be missing at the end."
    if stored is not None and stored.walk.size > state.size:
        return f"The end is missing: {state.size:,} of {stored.walk.size:,} bytes are there."
    if stored is not None and stored.walk.seq and stored.walk.hash not in seen:
        return "The head file names a record that is not in the chain."
    if expect not in seen:
        return f"The expected record {expect} is not in the chain."
    return ""


def _missing_bodies(empty: set[int], excused: set[int]) -> str:
    bare = sorted(empty - excused)
    return f"The text of record {bare[0]} is gone, and no purge accounts for it." if bare else ""


def _holds(value: object, text: str) -> bool:
    if isinstance(value, str):
        return text in value
    if isinstance(value, Mapping):
        return any(_holds(item, text) for item in value.values())
    return isinstance(value, (list, tuple)) and any(_holds(item, text) for item in value)
