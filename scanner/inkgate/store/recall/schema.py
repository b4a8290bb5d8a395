"""The database: how it is opened, what stands in it, how an older one is brought up to date.

Texts are kept once, in `messages`. Two indexes are built over them by triggers: `words`, over whole words (characters
of unspaced scripts one by one), and `parts`, over every three characters in a row. Where the form that is looked up
differs from the text (`folded`, `spaced`), it is kept beside it; most texts need neither.
"""

from __future__ import annotations

import os
import sqlite3
import time
from pathlib import Path

from inkgate.store import files
from inkgate.store.errors import StoreError, UnreadableError
from inkgate.store.files import Durability

__all__ = ["INDEXES", "VERSION", "connect", "drop_indexes", "make_indexes", "migrate", "missing_features", "objects"]

INDEXES = ("words", "parts")

_AGAIN = 0.01  # seconds

_TABLES = (
    """CREATE TABLE sessions (
    id TEXT PRIMARY KEY NOT NULL,
    source TEXT NOT NULL DEFAULT '',
    title TEXT NOT NULL DEFAULT '',
    first REAL NOT NULL,
    last REAL NOT NULL,
    messages INTEGER NOT NULL DEFAULT 0
)""",
    """CREATE TABLE messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    session TEXT NOT NULL REFERENCES sessions (id),
    number INTEGER NOT NULL,
    at REAL NOT NULL,
    role TEXT NOT NULL,
    text TEXT NOT NULL,
    folded TEXT,
    spaced TEXT,
    key TEXT,
    UNIQUE (session, number)
)""",
    "CREATE UNIQUE INDEX messages_key ON messages (session, key) WHERE key IS NOT NULL",
    """CREATE TRIGGER messages_counted AFTER INSERT ON messages BEGIN
    UPDATE sessions SET messages = messages + 1, first = min(first, new.at), last = max(last, new.at)
    WHERE id = new.session;
END""",
)

_INDEXED = (
    "CREATE VIEW message_words (id, text) AS SELECT id, coalesce(spaced, folded, text) FROM messages",
    "CREATE VIEW message_parts (id, text) AS SELECT id, coalesce(folded, text) FROM messages",
    """CREATE VIRTUAL TABLE words USING fts5 (
    text, content='message_words', content_rowid='id', tokenize='unicode61 remove_diacritics 2'
)""",
    "CREATE VIRTUAL TABLE parts USING fts5 (text, content='message_parts', content_rowid='id', tokenize='trigram')",
    """CREATE TRIGGER messages_indexed AFTER INSERT ON messages BEGIN
    INSERT INTO words (rowid, text) VALUES (new.id, coalesce(new.spaced, new.folded, new.text));
    INSERT INTO parts (rowid, text) VALUES (new.id, coalesce(new.folded, new.text));
END""",
    """CREATE TRIGGER messages_unindexed AFTER DELETE ON messages BEGIN
    INSERT INTO words (words, rowid, text) VALUES ('delete', old.id, coalesce(old.spaced, old.folded, old.text));
    INSERT INTO parts (parts, rowid, text) VALUES ('delete', old.id, coalesce(old.folded, old.text));
END""",
    """CREATE TRIGGER messages_reindexed AFTER UPDATE OF text, folded, spaced ON messages BEGIN
    INSERT INTO words (words, rowid, text) VALUES ('delete', old.id, coalesce(old.spaced, old.folded, old.text));
    INSERT INTO parts (parts, rowid, text) VALUES ('delete', old.id, coalesce(old.folded, old.text));
    INSERT INTO words (rowid, text) VALUES (new.id, coalesce(new.spaced, new.folded, new.text));
    INSERT INTO parts (rowid, text) VALUES (new.id, coalesce(new.folded, new.text));
END""",
)

_SYNC = {Durability.FULL: "FULL", Durability.FILE: "NORMAL", Durability.NONE: "OFF"}


def missing_features() -> str:
    """What the SQLite of this Python lacks for recall, as a phrase, or nothing."""
    database = sqlite3.connect(":memory:")
    try:
        for name, options in (("FTS5", ""), ("the trigram tokenizer of FTS5", ", tokenize='trigram'")):
            try:
                database.execute(f"CREATE VIRTUAL TABLE tried_{len(options)} USING fts5 (text{options})")
            except sqlite3.Error:
                return name
        return ""
    finally:
        database.close()


def connect(path: Path, *, durability: Durability, seconds: float) -> sqlite3.Connection:
    """Open (and create, owner-only) the database, with nothing read yet.

    Raises:
        StoreError: this SQLite cannot do it, or the file cannot be opened.
    """
    missing = missing_features()
    if missing:
        raise StoreError(
            f"Recall needs {missing}, which the SQLite of this Python ({sqlite3.sqlite_version}) lacks.",
            hint="Use a Python whose sqlite3 is linked with SQLite 3.34 or newer, built with FTS5.",
        )
    files.make_folder(path.parent)
    try:
        os.close(os.open(path, files.OVERWRITE, 0o600))
    except OSError as error:
        why = "it is a symbolic link" if path.is_symlink() else error.strerror
        raise UnreadableError(f"The recall database {path} could not be opened: {why}.") from error
    database = sqlite3.connect(path, timeout=seconds, isolation_level=None)
    try:
        _use_wal(database, seconds)
        database.execute(f"PRAGMA synchronous = {_SYNC[durability]}")
        database.execute("PRAGMA foreign_keys = ON")
    except sqlite3.Error:
        database.close()
        raise
    return database


def _use_wal(database: sqlite3.Connection, seconds: float) -> None:
    """Switch to a write-ahead log; where the file system cannot have one, SQLite keeps the mode that it has.

    SQLite does not wait for the lock of the switch itself when others switch a new database at the same time.

    Raises:
        sqlite3.Error: still locked when the time is over, or whatever else is wrong.
    """
    deadline = time.monotonic() + seconds
    while True:
        try:
            database.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= deadline:
                raise
            time.sleep(_AGAIN)
        else:
            return


def _tables(database: sqlite3.Connection) -> None:
    for statement in _TABLES:
        database.execute(statement)


def make_indexes(database: sqlite3.Connection) -> None:
    """Make both indexes, with their triggers, and fill them from the texts. The caller holds a transaction."""
    for statement in _INDEXED:
        database.execute(statement)
    for name in INDEXES:
        database.execute(f"INSERT INTO {name} ({name}) VALUES ('rebuild')")  # noqa: S608 - our own names


def drop_indexes(database: sqlite3.Connection) -> None:
    """Take both indexes and what fills them away; the texts stay. The caller holds a transaction."""
    for name in ("messages_indexed", "messages_unindexed", "messages_reindexed"):
        database.execute(f"DROP TRIGGER IF EXISTS {name}")
    for name in INDEXES:
        try:
            database.execute(f"DROP TABLE IF EXISTS {name}")
        except sqlite3.DatabaseError:
            _tear_out(database, name)
    for name in ("message_words", "message_parts"):
        database.execute(f"DROP VIEW IF EXISTS {name}")


def _tear_out(database: sqlite3.Connection, name: str) -> None:
    """Take away an index that is too damaged to be opened, and so to be dropped: its entry first, then its tables."""
    database.execute("PRAGMA writable_schema = ON")
    try:
        database.execute("DELETE FROM sqlite_master WHERE type = 'table' AND name = ?", (name,))
    finally:
        database.execute("PRAGMA writable_schema = RESET")  # off, and the schema is read anew
    for part in ("data", "idx", "content", "docsize", "config"):
        database.execute(f"DROP TABLE IF EXISTS {name}_{part}")


_STEPS = (_tables, make_indexes)  # from each version to the next; what was released is never edited, only followed
VERSION = len(_STEPS)


def migrate(database: sqlite3.Connection) -> None:
    """Bring the database to the version of this program, each step whole or not at all.

    Raises:
        StoreError: it was written by a newer program; it is untouched.
    """
    found = _version(database)
    if found > VERSION:
        raise StoreError(
            f"The recall database has version {found}; this inkgate knows versions up to {VERSION}. It is untouched.",
            hint="Use the newer inkgate that wrote it.",
        )
    while found < VERSION:
        database.execute("BEGIN IMMEDIATE")
        try:
            found = _version(database)  # another process may have done the step while this one waited
            if found < VERSION:
                _STEPS[found](database)
                found += 1
                database.execute(f"PRAGMA user_version = {found}")
            database.execute("COMMIT")
        except BaseException:
            database.execute("ROLLBACK")
            raise


def _version(database: sqlite3.Connection) -> int:
    version: int = database.execute("PRAGMA user_version").fetchone()[0]
    return version


def objects(database: sqlite3.Connection) -> list[str]:
    """Names of tables, views and triggers that are missing, changed or none of ours: nothing else may run in here."""
    expected = sqlite3.connect(":memory:")
    try:
        migrate(expected)
        known, found = (
            dict(source.execute("SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite~_%' ESCAPE '~'"))
            for source in (expected, database)
        )
    finally:
        expected.close()
    return sorted(name for name in known.keys() | found.keys() if known.get(name) != found.get(name))
