"""The memory store: two short files of entries, changed only under a lock, only as a whole, only with Screened text."""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from inkgate.lean import Any, dataclass
from inkgate.model import Target

from . import files
from .chain import Draft, Record
from .entries import fold_repeats, join, joined_length, parse
from .errors import StoreError, UnreadableError
from .files import Durability
from .generations import Generations
from .ledger import Ledger
from .origin import OUTSIDE, Origin
from .plan import Plan
from .provenance import current, history, outside_changes
from .screened import Screened

__all__ = ["CAPS", "FILES", "MemoryStore", "Stored", "Transaction"]

FILES: Mapping[Target, str] = MappingProxyType({Target.MEMORY: "MEMORY.md", Target.USER: "USER.md"})
CAPS: Mapping[Target, int] = MappingProxyType({Target.MEMORY: 2200, Target.USER: 1375})  # characters of the joined text
LEDGER = "inkgate/ledger.jsonl"

_EVERY, _LOOK_SECONDS = 6, 0.2  # writes, and time, between two looks at the replaced files


@dataclass(frozen=True, slots=True)
class Stored:
    """What a file holds.

    Attributes:
        entries: without repeats, in order.
        raw: the bytes as they are; empty when there is no file.
        digest: SHA-256 of the bytes.
        seen: the file as it was read; None when there is none.
    """

    entries: tuple[str, ...]
    raw: bytes
    digest: str
    seen: files.Seen | None

    @property
    def size(self) -> int:
        """Characters of the joined entries."""
        return joined_length(self.entries)


@dataclass(frozen=True, slots=True)
class Drift:
    """What somebody changed without the gate since its last write."""

    added: tuple[str, ...]
    removed: tuple[str, ...]


class MemoryStore:
    """`memories/MEMORY.md` and `memories/USER.md` under a home, with their ledger in `inkgate/`.

    Args:
        home: the home folder; made when it is missing.
        caps: most characters for each target; what is missing has its default.
        durability: how much is synced before a write returns.
        lock_seconds: how long to wait for another writer.
    """

    def __init__(
        self,
        home: Path,
        *,
        caps: Mapping[Target, int] | None = None,
        durability: Durability = Durability.FULL,
        lock_seconds: float = files.LOCK_SECONDS,
    ) -> None:
        self.home = home
        self.folder = home / "memories"
        self.caps: Mapping[Target, int] = MappingProxyType({**CAPS, **(caps or {})})
        self.durability = durability
        self.ledger = Ledger(home / LEDGER, durability=durability, lock_seconds=lock_seconds)
        self._lock_seconds = lock_seconds
        self._replaced: Path | None = None
        self._looked: dict[Target, tuple[float, int]] = {}  # when replaced files were looked at, and the writes since
        self._generations: dict[Target, Generations] = {}
        self._paths = {target: self.folder / name for target, name in FILES.items()}
        self._locks = {target: self.folder / f"{name}.lock" for target, name in FILES.items()}

    def path(self, target: Target) -> Path:
        """The file of a target."""
        return self._paths[target]

    def read(self, target: Target) -> Stored:
        """What the file holds now. Takes no lock: a replaced file is whole at every moment.

        Raises:
            UnreadableError: it exists, but is not a readable file of UTF-8.
        """
        seen = files.look(self.path(target))
        raw = seen.data if seen is not None else b""
        try:
            text = raw.decode("utf-8")
        except UnicodeDecodeError as error:
            raise UnreadableError(
                f"{FILES[target]} could not be read: byte {error.start} is not UTF-8. Its bytes are untouched.",
                hint="Repair the file by hand, or move it away.",
            ) from error
        return Stored(tuple(fold_repeats(parse(text))), raw, hashlib.sha256(raw).hexdigest(), seen)

    def sweep(self) -> set[Target]:
        """Remove what killed writers left, where no living one holds the lock.

        Returns the targets of which a replaced file was written to: the next transaction brings that text over.
        """
        late: set[Target] = set()
        for target in FILES:
            generations = self.generations(target)
            if files.has_leftover(self.path(target)) or generations.any():
                with contextlib.suppress(StoreError), files.lock(self.lock_path(target), seconds=0):
                    files.sweep(self.path(target))
                    late.update([target] if generations.strays() else [])
        return late

    @contextlib.contextmanager
    def begin(self, target: Target) -> Iterator[Transaction]:
        """Hold the target's lock and see its file fresh; `commit` on the result, or leave to change nothing.

        Raises:
            LockTimeoutError: another writer was busy all the time.
            UnreadableError: the file cannot be understood; it is untouched.
            StoreError: the folder or the lock cannot be used.
        """
        with files.lock(self.lock_path(target), seconds=self._lock_seconds):
            yield Transaction(self, target)

    def lock_path(self, target: Target) -> Path:
        """The lock file of a target, which every writer holds."""
        return self._locks[target]

    def generations(self, target: Target, place: str = "") -> Generations:
        """The replaced files of a target that are kept for a moment.

        Args:
            target: the target.
            place: where its file itself lies, when that is known.
        """
        path, folder = self.path(target), self._attic()
        place = place or files.resolved(path)
        known = self._generations.get(target)
        if known is None or not known.lie_at(place, folder):
            known = self._generations[target] = Generations(path, place, folder)
        return known

    def strays(self, target: Target, generations: Generations) -> list[Path]:
        """The replaced files that somebody has written to; in a burst of writes only the last one is asked each time.

        What is found later is what would have been written later, and a kept file goes only when it was looked at.
        """
        now = time.monotonic()
        looked, writes = self._looked.get(target, (0.0, _EVERY))
        if writes < _EVERY and now - looked < _LOOK_SECONDS and not generations.late():
            self._looked[target] = looked, writes + 1
            return []
        found = generations.strays()
        self._looked[target] = now, _EVERY if found else 1  # who has written may go on
        return found

    def _attic(self) -> Path:
        """Where replaced files are kept for a moment: out of the way, unless the memory lies on a device of its own."""
        if self._replaced is None:
            try:
                own = self.folder.stat().st_dev != (self.home / "inkgate").stat().st_dev
            except OSError:
                return self.home / "inkgate" / "replaced"  # nothing is kept yet
            self._replaced = self.folder if own else self.home / "inkgate" / "replaced"
        return self._replaced

    def set_aside(self, target: Target, raw: bytes) -> Path:
        """Save a copy of `raw` beside the file, owner-only, named by its digest: the same bytes are saved once."""
        path = self.folder / f"{FILES[target]}.bak.{hashlib.sha256(raw).hexdigest()[:12]}"
        if files.read_bytes(path) != raw:
            files.prepare(path, raw, self.durability).commit()
        return path


class Transaction:
    """One look at a target under its lock, good for one commit.

    Attributes:
        stored: what the file holds.
        drift: what was changed without the gate since its last write, or None.
        recovered: entries that somebody wrote into a file that was just being replaced; the next commit keeps them.
    """

    def __init__(self, store: MemoryStore, target: Target) -> None:
        self._store = store
        self._target = target
        self.stored = store.read(target)
        self.drift: Drift | None = None
        self._preface: list[Draft] = []
        self._generations = store.generations(target, self.stored.seen.place if self.stored.seen else "")
        self._strays = store.strays(target, self._generations)
        self._read: list[tuple[Path, int, int]] = []  # generations with their size and modification time as read
        self.recovered = self._recover() if self._strays else ()
        recorded = store.ledger.digest_of(target)
        if recorded != self.stored.digest and not (recorded is None and not self.stored.raw):
            self._explain(recorded)

    def _explain(self, recorded: str | None) -> None:
        """Why the file is not as the ledger says: a write that a kill stopped, or another writer."""
        records = [record for record in self._store.ledger.records() if record.key == self._target]
        last = next((record for record in reversed(records) if record.event in ("change", "outside")), None)
        if last is not None and last.event == "change" and (last.body or {}).get("before") == self.stored.digest:
            facts = {"record": last.seq, "reason": "the write was interrupted before it took effect"}
            self._preface.append(
                Draft(
                    "aborted",
                    self._target,
                    Origin("inkgate", "recovery"),
                    facts=facts,
                    body={"after": self.stored.digest},
                )
            )
            return
        added, removed = outside_changes(list(current(records, self._target)), self.stored.entries)
        body: dict[str, Any] = {"before": recorded, "after": self.stored.digest, "added": added, "removed": removed}
        facts = {"first": recorded is None, "added": len(added), "removed": len(removed)}
        self._preface.append(Draft("outside", self._target, OUTSIDE, facts=facts, body=body))
        if recorded is not None and (added or removed):
            self.drift = Drift(tuple(added), tuple(removed))

    @property
    def entries(self) -> tuple[str, ...]:
        """The entries that a plan begins with."""
        return (*self.stored.entries, *self.recovered)

    def late(self) -> bool:
        """Whether somebody wrote into the file that was replaced meanwhile; the next transaction brings it over."""
        return self._generations.late()

    def _recover(self) -> tuple[str, ...]:
        """The entries of written-to generations that are nowhere else: neither in the file nor in the history.

        What somebody outside took away comes back when it stands there: who empties a file and then fills it again
        seems to have removed everything, when a write falls in between.
        """
        records = list(self._store.ledger.records())
        taken = {record.seq for record in records if record.event == "outside"}
        known = set(self.stored.entries)
        known.update(
            item.text
            for item in history(records, self._target)
            if item.text is not None and item.superseded_by not in taken
        )
        found: dict[str, None] = {}
        for path in self._strays:
            try:
                raw, modified = files.read_dated(path) or (b"", 0)
                text = raw.decode("utf-8")
            except (UnreadableError, UnicodeDecodeError):
                self._set_stray_aside(path)
                continue
            self._read.append((path, len(raw), modified))
            found.update(dict.fromkeys(entry for entry in parse(text) if entry not in known))
        return tuple(found)

    def _set_stray_aside(self, path: Path) -> None:
        """Give a generation that is not text a name under which it stays."""
        with contextlib.suppress(OSError):
            path.rename(path.with_name(f"{FILES[self._target]}.bak.stray.{time.time_ns()}"))

    def is_foreign(self, entry: str) -> bool:
        """Whether the entry was last written by somebody other than the gate, after the gate had begun to write."""
        if entry in self.recovered or (self.drift is not None and entry in self.drift.added):
            return True
        return self._store.ledger.is_foreign(self._target, entry)

    def writer_of(self, entry: str) -> Origin | None:
        """Who brought an entry that stands, by the ledger; None when it does not say.

        Raises:
            LedgerError: the ledger does not hold.
        """
        version = current(self._store.ledger.records(), self._target).get(entry)
        return None if version is None else version.origin

    def set_aside(self) -> Path:
        """Save a copy of the file as it is."""
        return self._store.set_aside(self._target, self.stored.raw)

    def record(self, *drafts: Draft) -> None:
        """Record decisions that change nothing, with what was found about the file."""
        self._store.ledger.append([*self._preface, *drafts], digests={self._target: self.stored.digest})
        self._preface = []
        if not self.recovered:
            self._watch()

    def _watch(self) -> None:
        """Note how far the replaced files were read, now that their text is safe."""
        for path, size, modified in self._read:
            self._generations.watch(path, size, modified)

    def commit(
        self,
        screened: Screened,
        plan: Plan,
        origin: Origin,
        *,
        rules: tuple[str, ...] = (),
        facts: Mapping[str, Any] | None = None,
    ) -> Record:
        """Write the planned entries and record the change; on return it is in place.

        Args:
            screened: the whole text as it will stand in the file.
            plan: what makes it out of the entries as they stand.
            origin: who writes.
            rules: ids of rules that had something to say about it.
            facts: what else to record, never a text.

        Raises:
            StoreError: it could not be written; the old text stands, unless the message says otherwise.
        """
        if plan.old != self.entries or screened.text != join(plan.new):
            raise ValueError("the plan, the screened text and the file do not belong together")
        data = screened.text.encode("utf-8")
        after = hashlib.sha256(data).hexdigest()
        self._tell_recovered()
        draft = self._change(plan, origin, after, screened.ruleset, rules, facts or {})
        seen = self.stored.seen
        prepared = files.prepare(self._store.path(self._target), data, self._store.durability, seen=seen)
        try:
            record = self._store.ledger.append([*self._preface, draft], digests={self._target: after})[-1]
        except BaseException:
            prepared.discard()
            raise
        self._preface = []
        if seen is not None:
            self._generations.keep(len(seen.data), seen.modified)
        try:
            prepared.commit()
        except StoreError:
            self._undo(record, after)
            raise
        self._watch()
        return record

    def _change(
        self, plan: Plan, origin: Origin, after: str, ruleset: str, rules: tuple[str, ...], facts: Mapping[str, Any]
    ) -> Draft:
        real = [change for change in plan.changes if change.real]
        return Draft(
            "change",
            self._target,
            origin,
            rules=rules,
            ruleset=ruleset,
            facts={"actions": [str(change.action) for change in real], **facts},
            body={
                "before": self.stored.digest,
                "after": after,
                "changes": [{"before": change.before, "after": change.after} for change in real],
            },
        )

    def _tell_recovered(self) -> None:
        if self.recovered:
            facts = {"added": len(self.recovered), "removed": 0, "late": True}
            body = {"added": list(self.recovered), "removed": []}
            self._preface.append(Draft("outside", self._target, OUTSIDE, facts=facts, body=body))

    def _undo(self, record: Record, after: str) -> None:
        """Tell the ledger that a recorded change did not take effect, when that is so."""
        path = self._store.path(self._target)
        with contextlib.suppress(StoreError):
            if hashlib.sha256(files.read_bytes(path) or b"").hexdigest() == after:
                return
            facts = {"record": record.seq, "reason": "the file could not be replaced"}
            body = {"after": self.stored.digest}
            draft = Draft("aborted", self._target, Origin("inkgate", "recovery"), facts=facts, body=body)
            self._store.ledger.append([draft], digests={self._target: self.stored.digest})


def resolve_home(home: str | os.PathLike[str]) -> Path:
    """The home as an absolute path, with `~` expanded."""
    return Path(home).expanduser().absolute()
