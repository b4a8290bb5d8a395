"""How messages are put in: masked first, then all or none, each one once."""

from __future__ import annotations

import contextlib
import hashlib
import sqlite3
import time
from collections import Counter
from collections.abc import Iterable, Iterator

from inkgate.store.errors import NotUnderstoodError

from . import query
from .model import Added, Message, check

__all__ = ["NAMED", "PURGED", "Ready", "insert", "mask_again", "masked", "purge", "transaction"]

PURGED = "[purged]"

Ready = tuple[Message, str, int]
"""A message, its text with secrets masked, and how many there were."""

_INSERT = "INSERT INTO messages (session, number, at, role, text, folded, spaced, key) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
NAMED = (
    "INSERT INTO sessions (id, source, title, first, last) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET"
    " source = coalesce(nullif(excluded.source, ''), source), title = coalesce(nullif(excluded.title, ''), title)"
)


def masked(messages: Iterable[Message]) -> list[Ready]:
    """The messages, checked, with the secrets of their texts masked.

    Raises:
        NotUnderstoodError: one of them cannot be kept.
        RedactionError: a secret could not be masked.
    """
    from inkgate.redact import redact

    ready: list[Ready] = []
    clean = {""}
    for number, message in enumerate(messages, 1):
        check(message, number)
        ready.append((message, *_masked(message.text, number)))
        for name in ("session", "id", "source", "title"):
            if (value := getattr(message, name)) not in clean:
                if redact(value)[1]:
                    raise NotUnderstoodError(f"Message {number}: a secret stands in its {name}. Nothing was added.")
                clean.add(value)
    return ready


def _masked(text: str, number: int) -> tuple[str, int]:
    from inkgate.redact import RedactionError, redact

    try:
        return redact(text)
    except RedactionError as error:
        raise RedactionError(f"Message {number}: {error}. Nothing was changed.", hint=error.hint) from error


@contextlib.contextmanager
def transaction(database: sqlite3.Connection) -> Iterator[None]:
    """Whatever is done in it is done whole, or not at all."""
    database.execute("BEGIN IMMEDIATE")
    try:
        yield
        database.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):  # a failed COMMIT may have rolled back already
            database.execute("ROLLBACK")
        raise


def insert(database: sqlite3.Connection, ready: list[Ready]) -> Added:
    """Put masked messages in, in one transaction."""
    added = known = secrets = 0
    numbers: dict[str, int] = {}
    repeats: Counter[tuple[str, str]] = Counter()
    now = time.time()
    with transaction(database):
        for message, text, masked in ready:
            at = now if message.at is None else float(message.at)
            if message.session not in numbers:
                database.execute(NAMED, (message.session, message.source, message.title, at, at))
                last = "SELECT coalesce(max(number), 0) FROM messages WHERE session = ?"
                numbers[message.session] = database.execute(last, (message.session,)).fetchone()[0]
            key = _key(message, text)
            if key is not None and not message.id:
                repeats[message.session, key] += 1  # said twice in the same moment: both count
                key = f"{key}.{repeats[message.session, key]}"
            there = "SELECT 1 FROM messages WHERE session = ? AND key = ?"
            if key is not None and database.execute(there, (message.session, key)).fetchone():
                known += 1
                continue
            numbers[message.session] += 1
            folded = query.fold(text)
            spaced = query.space(folded)
            database.execute(
                _INSERT,
                (
                    message.session, numbers[message.session], at, message.role, text,
                    None if folded == text else folded, None if spaced == folded else spaced, key,
                ),
            )  # fmt: skip
            added, secrets = added + 1, secrets + masked
    return Added(added, known, secrets)


def mask_again(database: sqlite3.Connection) -> int:
    """Mask, in every message that is kept, what the rules of today take for a secret; returns how many there were.

    Raises:
        RedactionError: a secret could not be masked; nothing was changed.
    """
    found = 0
    with transaction(database):
        for number, text in database.execute("SELECT id, text FROM messages ORDER BY id").fetchall():
            clean, secrets = _masked(text, number)
            if secrets:
                _change(database, number, clean)
                found += secrets
    return found


def purge(database: sqlite3.Connection, leaked: str) -> int:
    """Put a mark in the place of a leaked text, in messages, titles and sources; returns how many messages held it."""
    with transaction(database):
        rows = database.execute("SELECT id, text FROM messages WHERE instr(text, ?) ORDER BY id", (leaked,)).fetchall()
        for number, text in rows:
            _change(database, number, text.replace(leaked, PURGED))
        values = (leaked, PURGED, leaked, PURGED)
        database.execute("UPDATE sessions SET title = replace(title, ?, ?), source = replace(source, ?, ?)", values)
    return len(rows)


def _change(database: sqlite3.Connection, number: int, text: str) -> None:
    folded = query.fold(text)
    spaced = query.space(folded)
    values = (text, None if folded == text else folded, None if spaced == folded else spaced, number)
    database.execute("UPDATE messages SET text = ?, folded = ?, spaced = ? WHERE id = ?", values)


def _key(message: Message, text: str) -> str | None:
    """What names a message, so that it is kept once; None when nothing does."""
    if not message.id and message.at is None:
        return None
    told = message.id or f"{message.at!r}"
    return hashlib.sha256(f"{told}\0{message.role}\0{text}".encode()).hexdigest()[:32]
