"""The store of sessions: put messages in, search them, read them back, check and mend the database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NoReturn, TypeVar

from inkgate.store import files
from inkgate.store.errors import LockTimeoutError, StoreError
from inkgate.store.files import Durability

from . import damage, query, schema
from .insert import NAMED, insert, mask_again, masked, purge, transaction
from .model import Added, DamagedError, Found, Health, Hit, Message, Passage, Session, Shown
from .screen import Outgoing, Scanner
from .search import Filters, Match, search, window

__all__ = ["LIMIT", "WINDOW", "RecallStore"]

LIMIT, WINDOW = 5, 1
MOST, WIDEST = 50, 20

_T = TypeVar("_T")
_BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_BACK = f"INSERT OR IGNORE INTO messages ({damage.COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"  # noqa: S608
_LAST = 2**63 - 1  # the largest integer of SQLite


class RecallStore:
    """The sessions of one home, in one SQLite database. Use it from one thread; other processes may use the same file.

    Args:
        path: the database; it and its folder are made when missing, for the owner alone.
        scan: scans what is recalled; the built-in scanner when None.
        durability: how much is synced before an addition is acknowledged.
        lock_seconds: how long to wait for another writer.
    """

    def __init__(
        self,
        path: Path,
        *,
        scan: Scanner | None = None,
        durability: Durability = Durability.FULL,
        lock_seconds: float = files.LOCK_SECONDS,
    ) -> None:
        self.path = path
        self._outgoing = Outgoing(scan)
        self._durability = durability
        self._seconds = lock_seconds
        self._database: sqlite3.Connection | None = None
        self._notes: list[str] = []
        self._inode = 0

    def __enter__(self) -> RecallStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the database; the next call opens it again."""
        if self._database is not None:
            self._database.close()
            self._database = None

    # --- in ----------------------------------------------------------------------------------------------------------

    def add(self, messages: Iterable[Message]) -> Added:
        """Put messages in, all or none, in their order. Secrets are masked first: what is stored never held one.

        A message that is there already (the same id and text in the same session; without an id, the same time, role
        and text) is not put in again. Another text under a known id is kept beside the first.

        Raises:
            NotUnderstoodError: one of them cannot be kept; nothing was added.
            RedactionError: a secret could not be masked; nothing was added.
            StoreError: the database could not be used; nothing was added.
        """
        ready = masked(messages)
        return self._run(lambda database: insert(database, ready))

    # --- out ---------------------------------------------------------------------------------------------------------

    def search(self, text: str, *, limit: int = LIMIT, window: int = WINDOW, filters: Filters | None = None) -> Found:
        """Find messages, best first, each with its neighbours; everything is scanned before it is returned.

        Args:
            text: what somebody typed; double quotes make a phrase, nothing else has a meaning of its own.
            limit: most hits, 1 to 50.
            window: messages before and after each hit, 0 to 20.
            filters: which messages count, and their order.

        Raises:
            RefusalError: there is no word in the query, or it is too long.
            DamagedError: the database was damaged; it was set aside, and the next call works.
            StoreError: the database could not be used.
        """
        if not (1 <= limit <= MOST and 0 <= window <= WIDEST):
            raise ValueError(f"limit must be 1 to {MOST}, window 0 to {WIDEST}")
        terms = query.parse(text)
        chosen = filters or Filters()
        self._notes = []
        found, notes = self._run(lambda database: _find(database, terms, limit, window, chosen))
        return Found(text, tuple(self._hit(*item) for item in found), (*self._notes, *notes))

    def _hit(self, match: Match, passages: list[Passage], place: int) -> Hit:
        shown = self._outgoing.show(passages)
        session = self.name(passages[place].session)
        return Hit(session, shown[place], tuple(shown[:place]), tuple(shown[place + 1 :]), match.how, match.score)

    def name(self, text: str) -> str:
        """The id, title or source of a session as it may be shown to a model or a person."""
        return self._outgoing.name(text) if text else ""

    def show(self, session: str, first: int = 1, last: int | None = None) -> list[Shown]:
        """The messages of a session from number `first` to number `last`, scanned one by one and as a whole."""
        return self._outgoing.show(self.messages(session, first, last))

    def sessions(self, *, limit: int = 50) -> list[Session]:
        """The sessions, newest first. Their ids, titles and sources are as they were given: see `name`."""
        order = "SELECT id, source, title, first, last, messages FROM sessions ORDER BY last DESC, id LIMIT ?"
        return self._run(lambda database: [Session(*row) for row in database.execute(order, (limit,))])

    def session(self, name: str) -> Session | None:
        """One session, or None."""
        one = "SELECT id, source, title, first, last, messages FROM sessions WHERE id = ?"
        row = self._run(lambda database: database.execute(one, (name,)).fetchone())
        return Session(*row) if row else None

    def messages(self, session: str, first: int = 1, last: int | None = None) -> list[Passage]:
        """The messages of a session from number `first` to number `last`, as they are kept: not scanned.

        For programs that scan what they make of it; what a model or a person sees comes from `search` and `show`.
        """
        span = (
            "SELECT session, number, at, role, text FROM messages"
            " WHERE session = ? AND number >= ? AND number <= ? ORDER BY number"
        )
        bounds = (session, first, _LAST if last is None else last)
        return self._run(lambda database: [Passage(*row) for row in database.execute(span, bounds)])

    # --- care --------------------------------------------------------------------------------------------------------

    def rebuild(self) -> int:
        """Make all indexes anew from the texts; returns how many messages there are.

        Raises:
            DamagedError: the texts are damaged; the database was set aside, and what can be read was brought over.
            StoreError: the database could not be used.
        """
        self._run(_rebuild)
        fault = self._run(_fault)
        if fault:
            self._set_aside(sqlite3.DatabaseError(fault))
        return self.counts()[1]

    def mask(self) -> int:
        """Mask what the rules of today take for a secret in what is kept, and leave no trace of it in the file.

        The rules learn; what they missed when a message was put in is found now. Returns how many secrets there were.

        Raises:
            RedactionError: a secret could not be masked; nothing was changed.
            StoreError: the database could not be used.
        """
        found = self._run(mask_again)
        if found:
            self._run(_rebuild)
            self._run(_compact)
        return found

    def purge(self, text: str) -> int:
        """Put a mark in the place of a leaked text that no rule knows for a secret, and leave no trace of it.

        Returns how many messages held it. Databases that were set aside keep it.

        Raises:
            StoreError: the database could not be used.
        """
        found = self._run(lambda database: purge(database, text))
        self._run(_rebuild)
        self._run(_compact)
        return found

    def counts(self) -> tuple[int, int]:
        """How many sessions and messages there are."""
        question = "SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM messages)"
        counted: tuple[int, int] = self._run(lambda database: database.execute(question).fetchone())
        return counted

    def verify(self) -> Health:
        """Check the file, the schema, the counts, and that both indexes agree with the texts. Mends nothing."""
        aside = tuple(path.name for path in damage.aside(self.path))
        if not self.path.exists():
            return Health(0, 0, (), aside)
        try:
            return _health(self._open(), aside)
        except sqlite3.DatabaseError as error:
            self.close()
            if not self._is_damage(error):
                raise self._refusal(error) from error
            return Health(0, 0, (f"The database cannot be read: {error}.",), aside)

    def _open(self) -> sqlite3.Connection:
        if self._database is None:
            self._inode = _inode(self.path)
            database = schema.connect(self.path, durability=self._durability, seconds=self._seconds)
            try:
                schema.migrate(database)
            except BaseException:
                database.close()
                raise
            self._database, self._inode = database, _inode(self.path)
        return self._database

    def _run(self, work: Callable[[sqlite3.Connection], _T]) -> _T:
        """Do some work on the database; an index that turns out damaged is rebuilt, and the work done again."""
        try:
            return work(self._open())
        except sqlite3.DatabaseError as error:
            if not self._is_damage(error):
                raise self._refusal(error) from error
            if not self._mended():
                self._set_aside(error)
        try:
            return work(self._open())
        except sqlite3.DatabaseError as error:
            if _kind(error) in _BROKEN:
                self._set_aside(error)
            raise self._refusal(error) from error

    def _refusal(self, error: sqlite3.DatabaseError) -> StoreError:
        if _kind(error) in _BUSY:
            waited = f"gave up after {self._seconds:g} s"
            return LockTimeoutError(f"{self.path.name} is held by another writer; {waited}. Nothing was changed.")
        return StoreError(f"The recall database could not be used: {error}. Nothing was changed.")

    @staticmethod
    def _is_damage(error: sqlite3.DatabaseError) -> bool:
        """Whether the file may be to blame: damaged pages, text that is no UTF-8 (no code), a table that is missing, an
        index that holds what is not there.
        """
        return _kind(error) in (None, *_BROKEN, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT)

    def _mended(self) -> bool:
        """Rebuild the indexes, if it is they that are damaged and the texts can be read to the last."""
        try:
            database = self._open()
            if not _texts_are_whole(database):
                return False
            _rebuild(database)
        except sqlite3.DatabaseError as error:
            if not self._is_damage(error):
                raise self._refusal(error) from error
            return False
        self._notes.append("The index was damaged and was rebuilt from the texts.")
        return True

    def _set_aside(self, error: sqlite3.DatabaseError) -> NoReturn:
        """Set the database aside, begin a new one with what can be read of the old, and say so."""
        self.close()
        with files.lock(self.path.with_name(self.path.name + ".lock"), seconds=self._seconds):
            if _inode(self.path) != self._inode:
                message = "The recall database was damaged, and another process has set it aside already."
                raise DamagedError(message, hint="Ask again.") from error
            where = damage.move_aside(self.path)
            restored = self._run(lambda database: _restore(database, where))
        raise DamagedError(
            f"The recall database was damaged ({error}). It was set aside as {where.name}, unchanged;"
            f" {restored:,} messages could be read and were brought over.",
            hint="Ask again. Compare with a backup if messages are missing.",
        ) from error


def _kind(error: sqlite3.DatabaseError) -> int | None:
    """The primary code of SQLite; None when Python found the fault itself."""
    code: int | None = getattr(error, "sqlite_errorcode", None)
    return None if code is None else code & 0xFF


def _inode(path: Path) -> int:
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return 0


def _find(
    database: sqlite3.Connection, terms: list[query.Term], limit: int, size: int, filters: Filters
) -> tuple[list[tuple[Match, list[Passage], int]], list[str]]:
    matches, notes = search(database, terms, limit, filters)
    return [(match, *window(database, match, size)) for match in matches], notes


def _fault(database: sqlite3.Connection) -> str:
    """The first thing that is wrong with the file itself; empty when nothing is."""
    (found,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    return "" if found == "ok" else " ".join(str(found).split())


def _rebuild(database: sqlite3.Connection) -> None:
    with transaction(database):
        database.execute("REINDEX")
        schema.drop_indexes(database)
        schema.make_indexes(database)


def _compact(database: sqlite3.Connection) -> None:
    """Write the file anew and empty the journal, so that nothing of a text that was replaced is left in either."""
    database.execute("VACUUM")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _texts_are_whole(database: sqlite3.Connection) -> bool:
    for name in ("sessions", "messages"):
        if (
            database.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", (name,)).fetchone()
            is None
        ):
            return False
    counted = database.execute("SELECT count(*), coalesce(sum(length(text)), 0) FROM messages NOT INDEXED").fetchone()
    return counted is not None


def _restore(database: sqlite3.Connection, damaged: Path) -> int:
    count = 0
    with transaction(database):
        for row in damage.sessions(damaged):
            database.execute(NAMED, row)
        for row in damage.rows(damaged):
            database.execute(NAMED, (row[1], "", "", row[3], row[3]))
            count += database.execute(_BACK, row).rowcount
    return count


def _health(database: sqlite3.Connection, aside: tuple[str, ...]) -> Health:
    problems = [
        f"The file is damaged: {' '.join(str(row[0]).split())}."
        for row in database.execute("PRAGMA integrity_check")
        if row[0] != "ok"
    ]
    problems += [f"{name} is missing, changed, or none of ours." for name in schema.objects(database)]
    sessions, counted = database.execute("SELECT count(*), coalesce(sum(messages), 0) FROM sessions").fetchone()
    (messages,) = database.execute("SELECT count(*) FROM messages").fetchone()
    if counted != messages:
        problems.append(f"The sessions count {counted:,} messages; there are {messages:,}.")
    for name in schema.INDEXES:
        try:
            database.execute(f"INSERT INTO {name} ({name}, rank) VALUES ('integrity-check', 1)")  # noqa: S608
        except sqlite3.DatabaseError:
            problems.append(f"The index {name} does not agree with the texts; `inkgate recall rebuild` makes it anew.")
    return Health(sessions, messages, tuple(problems), aside)
