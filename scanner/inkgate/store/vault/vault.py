"""A folder of Markdown notes, such as an Obsidian vault. Reading is free; every write comes from the gate.

Notes are the `.md` files outside of hidden folders. A folder `quarantine` beside notes holds what contradicts them and
waits for a person; its files are no notes.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from inkgate.store import files
from inkgate.store.documents import STATE, Documents
from inkgate.store.edit import digest
from inkgate.store.errors import RefusalError, StoreError, UnreadableError
from inkgate.store.files import Durability
from inkgate.store.ledger import Ledger
from inkgate.store.memory import LEDGER
from inkgate.store.names import QUARANTINE, collision_key, existing, locate
from inkgate.store.origin import Origin
from inkgate.store.transaction import Transaction

from .markdown import Link
from .note import MARKDOWN, Note, bare

__all__ = ["Backlink", "NoteVersion", "Vault", "tier_of"]

TIER = "vault"


def tier_of(root: Path, home: Path) -> str:
    """How the ledger of a home calls the notes of a vault: its own are `vault`, those of another folder have its mark,
    so that two vaults with notes of the same names are told apart.
    """
    if root == home / TIER:
        return TIER
    return f"{TIER}@{digest(os.fsencode(os.path.realpath(root)))[:8]}"


@dataclass(frozen=True, slots=True)
class NoteVersion:
    """One text that a note has, or had.

    Attributes:
        seq: the record that brought it.
        name: how the note was called then.
        at: when that was, UTC.
        origin: who brought it, from which source.
        text: the whole note; None when it was purged.
        event: `change`, or `outside` for what was written without the gate.
        action: what the change was, such as `append`.
    """

    seq: int
    name: str
    at: str
    origin: Origin
    text: str | None
    event: str
    action: str = ""


@dataclass(frozen=True, slots=True)
class Backlink:
    """A link to a note.

    Attributes:
        name: the note that holds it.
        link: the link.
        certain: whether it can mean no other note.
    """

    name: str
    link: Link
    certain: bool


class Vault:
    """The notes of one folder.

    Args:
        root: the folder.
        home: holds the ledger.
        documents: the files, where a gate has them already.
        durability: how much is synced before a write returns.
        lock_seconds: how long to wait for another writer.
    """

    def __init__(
        self,
        root: Path,
        home: Path,
        *,
        documents: Documents | None = None,
        durability: Durability = Durability.FULL,
        lock_seconds: float = files.LOCK_SECONDS,
    ) -> None:
        self.root = root
        self.home = home
        if documents is None:
            ledger = Ledger(home / LEDGER, durability=durability, lock_seconds=lock_seconds)
            documents = Documents(
                root, ledger, tier=tier_of(root, home), durability=durability, lock_seconds=lock_seconds
            )
        self.documents = documents

    # --- reading -----------------------------------------------------------------------------------------------------

    def read(self, name: str) -> Note:
        """A note as it is now. A name that a writer may not choose can be read where a file has it.

        Raises:
            RefusalError: `no-note`, `outside`; the hint names a note that is called almost so.
            UnreadableError: it cannot be read, or is not UTF-8.
        """
        full = name if name.lower().endswith(MARKDOWN) else name + MARKDOWN
        data = files.read_bytes(self._readable(full)) if self._is_file(full) else None
        if data is None:
            near = list(existing(self.root, full))
            hint = f"There is {near[0]}." if near else "`inkgate vault list` shows the names."
            raise RefusalError("no-note", "There is no such note.", hint=hint)
        return _note(full, data)

    def _is_file(self, name: str) -> bool:
        return self._readable(name).is_file()

    def _readable(self, name: str) -> Path:
        if "\0" in name or any(part in ("", "..") or part.startswith(".") for part in name.split("/")):
            raise RefusalError("no-note", "There is no such note.", hint="Names are relative to the vault.")
        if os.name == "nt" and (":" in name or "\\" in name):
            raise RefusalError("no-note", "There is no such note.", hint="Use / between folders.")
        return locate(self.root, name)

    def names(self) -> list[str]:
        """The names of all notes, sorted."""
        return sorted(name for name in self._files() if QUARANTINE not in _folders(name))

    def _files(self) -> Iterator[str]:
        for folder, inner, found in os.walk(self.root):
            inner[:] = sorted(name for name in inner if not name.startswith("."))
            place = PurePosixPath(Path(folder).relative_to(self.root).as_posix())
            for name in found:
                if name.lower().endswith(MARKDOWN) and not name.startswith("."):
                    path = (place / name).as_posix()
                    with contextlib.suppress(RefusalError):
                        locate(self.root, path)
                        yield path

    def notes(self, problems: dict[str, str] | None = None) -> Iterator[Note]:
        """Every note that can be read, by name.

        Args:
            problems: receives, for each other one, why not.
        """
        yield from self._read_all(self.names(), problems)

    def _read_all(self, names: list[str], problems: dict[str, str] | None) -> Iterator[Note]:
        for name in names:
            try:
                data = files.read_bytes(self._readable(name))
                if data is not None:
                    note = _note(name, data)
                    note.properties  # noqa: B018 - read here, so that nobody stumbles over it later
                    yield note
            except (RefusalError, StoreError) as problem:
                if problems is not None:
                    problems[name] = str(problem)

    def conflicts(self, problems: dict[str, str] | None = None) -> list[Note]:
        """What is in quarantine and waits for a person, by name."""
        names = sorted(name for name in self._files() if QUARANTINE in _folders(name))
        return [note for note in self._read_all(names, problems) if note.conflict_with]

    def find_taken(self, name: str, *, but: str = "") -> str:
        """The file that some system would take for this name although it is spelled otherwise; empty when none is.

        Args:
            name: of a note.
            but: a file that does not count.
        """
        return next((found for found in existing(self.root, name) if found not in (name, but)), "")

    def backlinks(self, name: str) -> list[Backlink]:
        """The links of all notes to one, those of the note itself included."""
        same = [other for other in self.names() if _last(other) == _last(name)]
        found = []
        for note in self.notes():
            for link in note.links:
                certain = _leads_to(link, note.name, name, same)
                if certain is not None:
                    found.append(Backlink(note.name, link, certain))
        return found

    # --- what was ----------------------------------------------------------------------------------------------------

    def history(self, name: str) -> list[NoteVersion]:
        """Every text that the ledger knows of a note, oldest first, also from under earlier names.

        Raises:
            LedgerError: the ledger does not hold.
        """
        key = self.documents.key(name)
        found: list[NoteVersion] = []
        records = list(self.documents.ledger.records())
        aborted = {record.facts.get("record") for record in records if record.event == "aborted"}
        for record in reversed(records):
            if record.key != key or record.event not in ("change", "outside") or record.seq in aborted:
                continue
            gone = record.body is not None and "text" not in record.body
            if not gone:
                text = None if record.body is None else str(record.body["text"])
                called = key.removeprefix(self.documents.key(""))
                action = str(record.facts.get("action", ""))
                found.append(NoteVersion(record.seq, called, record.at, record.origin, text, record.event, action))
            if source := record.facts.get("moved_from"):
                key = self.documents.key(str(source))
        return found[::-1]

    def leftovers(self) -> list[str]:
        """Files that a killed writer left; the next write clears them away."""
        found = [self.documents.intent.path] if self.documents.intent.path.exists() else []
        for folder, inner, names in os.walk(self.root):
            inner[:] = [name for name in inner if not name.startswith(".") or name == STATE]
            found += [Path(folder, name) for name in names if name.endswith(files.LEFT)]
        return sorted(path.relative_to(self.root).as_posix() for path in found)

    def begin(self) -> contextlib.AbstractContextManager[Transaction]:
        """As `Documents.begin`."""
        return self.documents.begin()


def _note(name: str, data: bytes) -> Note:
    try:
        return Note(name, data, data.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise UnreadableError(
            f"{name} could not be read: byte {error.start} is not UTF-8. Its bytes are untouched.",
            hint="Repair the file by hand, or move it away.",
        ) from error


def _folders(name: str) -> tuple[str, ...]:
    return PurePosixPath(name).parts[:-1]


def _last(name: str) -> str:
    return collision_key(name.rsplit("/", 1)[-1])


def _leads_to(link: Link, holder: str, name: str, same: list[str]) -> bool | None:
    """Whether a link leads to a note: True, False for one that may mean another of the same last name, None for no.

    Obsidian takes a bare name for whichever note has it, and a path from the root; Markdown takes a path from the
    folder of the holder.
    """
    target = collision_key(bare(link.target.lstrip("/")) + MARKDOWN) if link.target else ""
    if not target:
        return None
    full = collision_key(name)
    if target == full:
        return True
    if not link.wiki:
        around = PurePosixPath(holder).parent
        joined = os.path.normpath((around / link.target).as_posix()).replace(os.sep, "/")
        if collision_key(bare(joined) + MARKDOWN) == full:
            return True
    if "/" not in target and target == _last(name):
        return len(same) <= 1
    return True if "/" in target and link.wiki and full.endswith("/" + target) and len(same) <= 1 else None
