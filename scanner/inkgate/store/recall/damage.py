"""What is done about a damaged database: it is set aside, unchanged, and what can be read of it is brought over."""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import UnionType

from inkgate.store.errors import StoreError

__all__ = ["COLUMNS", "aside", "move_aside", "rows", "sessions"]

_SUFFIXES = ("", "-wal", "-shm")
_CHUNK = 500
_SMALLEST = 16  # bytes that a row takes at least
_PATIENCE = 4  # chunks in a row without a readable row, beyond the last known one, after which the end is assumed

_ROW = (int, str, int, float, str, str, str | None, str | None, str | None)
_HEAD = (str, str, str, float, float)
COLUMNS = "id, session, number, at, role, text, folded, spaced, key"


def aside(path: Path) -> list[Path]:
    """Damaged databases that were set aside, oldest first."""
    found = path.parent.glob(f"{path.name}.damaged.*") if path.parent.is_dir() else ()
    return sorted(item for item in found if not item.name.endswith(_SUFFIXES[1:]))


def move_aside(path: Path) -> Path:
    """Rename a database with its journal; returns where it went.

    Raises:
        StoreError: it could not be renamed; it stands where it stood.
    """
    target = path.with_name(f"{path.name}.damaged.{time.time_ns()}")
    try:
        for suffix in _SUFFIXES:
            part = path.with_name(path.name + suffix)
            if part.exists():
                part.rename(target.with_name(target.name + suffix))
    except OSError as error:
        raise StoreError(f"The damaged {path.name} could not be set aside: {error.strerror}.") from error
    return target


def rows(damaged: Path) -> Iterator[tuple[object, ...]]:
    """Every message that can still be read, in order, from a copy: the damaged file itself is left as it is."""
    most = damaged.stat().st_size // _SMALLEST
    for row in _read(damaged, lambda database: _messages(database, most)):
        if _fits(row, _ROW):
            yield row


def sessions(damaged: Path) -> Iterator[tuple[object, ...]]:
    """Every session that can still be read: id, source, title, first, last."""
    for row in _read(damaged, _sessions):
        if _fits(row, _HEAD):
            yield row


def _fits(row: tuple[object, ...], types: tuple[type | UnionType, ...]) -> bool:
    """Whether every value is of a type that was written; what was read out of a damaged page need not be."""
    return len(row) == len(types) and all(map(isinstance, row, types))


def _read(
    damaged: Path, what: Callable[[sqlite3.Connection], Iterator[tuple[object, ...]]]
) -> Iterator[tuple[object, ...]]:
    with tempfile.TemporaryDirectory(prefix=".salvage-", dir=damaged.parent) as folder:
        copy = Path(folder, "copy")
        for suffix in _SUFFIXES[:2]:
            part = damaged.with_name(damaged.name + suffix)
            if part.exists():
                shutil.copy(part, copy.with_name(copy.name + suffix))
        _whole_pages(copy)
        database = sqlite3.connect(copy, isolation_level=None)
        try:
            database.execute("PRAGMA writable_schema = ON")  # else a file that was cut short is not opened at all
            yield from what(database)
        finally:
            database.close()


def _whole_pages(copy: Path) -> None:
    """Drop a last page that was cut through: SQLite would read zeros where its end was."""
    with copy.open("r+b") as file:
        size = int.from_bytes(file.read(18)[16:18], "big")  # of a page; the file format, offset 16
        size = 65_536 if size == 1 else size
        if size >= 512:
            file.truncate(copy.stat().st_size // size * size)


def _messages(database: sqlite3.Connection, most: int) -> Iterator[tuple[object, ...]]:
    start, barren = 0, 0
    last = min(_last(database), most)  # a damaged counter can say anything
    while start < last or barren < _PATIENCE:
        found = _chunk(database, start)
        yield from found
        barren = 0 if found else barren + 1
        start += _CHUNK


def _chunk(database: sqlite3.Connection, start: int) -> list[tuple[object, ...]]:
    select = f"SELECT {COLUMNS} FROM messages NOT INDEXED WHERE id > ? AND id <= ?"  # noqa: S608 - our own names
    try:
        return database.execute(select, (start, start + _CHUNK)).fetchall()
    except sqlite3.DatabaseError:
        found: list[tuple[object, ...]] = []
        for number in range(start, start + _CHUNK):
            try:
                found += database.execute(select, (number, number + 1)).fetchall()
            except sqlite3.DatabaseError:
                continue  # this row is in the damaged part; how many came over is told
        return found


def _last(database: sqlite3.Connection) -> int:
    for question in ("SELECT seq FROM sqlite_sequence WHERE name = 'messages'", "SELECT max(id) FROM messages"):
        try:
            row = database.execute(question).fetchone()
        except sqlite3.DatabaseError:
            continue
        if row and isinstance(row[0], int):
            return row[0]
    return 0


def _sessions(database: sqlite3.Connection) -> Iterator[tuple[object, ...]]:
    try:
        yield from database.execute("SELECT id, source, title, first, last FROM sessions")
    except sqlite3.DatabaseError:
        return  # they are made again from their messages, without a title
