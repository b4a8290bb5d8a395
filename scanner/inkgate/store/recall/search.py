"""How messages are found: by words, then by parts of words, then by some of the words."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from . import query as ask
from .model import Passage

__all__ = ["RANKED", "Filters", "Match", "search", "window"]

RANKED = 10_000
"""Matches that are ranked, the newest first taken. A word in more messages than that says little about any of them."""

_TIES = 100  # matches of equal rank, the last added first, whose times are compared
_COMMON = 0.1  # share of all messages above which a word counts as common

_ORDERS = {
    "rank": "score, at DESC, id DESC",
    "newest": "at DESC, id DESC",
    "oldest": "at, id",
}
_COLUMNS = "session, number, at, role, text"


@dataclass(frozen=True, slots=True)
class Filters:
    """Which messages count.

    Attributes:
        session: only this session, unless empty.
        exclude: not this session, unless empty: the running one knows what was said in it.
        role: only this role, unless empty.
        since: only from this time on, seconds since 1970.
        until: only before this time.
        order: `rank`, `newest` or `oldest`.
    """

    session: str = ""
    exclude: str = ""
    role: str = ""
    since: float | None = None
    until: float | None = None
    order: str = "rank"

    def clauses(self) -> tuple[list[str], list[object]]:
        """Conditions on `m`, and their values."""
        pairs: list[tuple[str, object]] = [
            ("m.session = ?", self.session or None),
            ("m.session <> ?", self.exclude or None),
            ("m.role = ?", self.role or None),
            ("m.at >= ?", self.since),
            ("m.at < ?", self.until),
        ]
        kept = [pair for pair in pairs if pair[1] is not None]
        return [clause for clause, _ in kept], [value for _, value in kept]


@dataclass(frozen=True, slots=True)
class Match:
    """One message that was found, before its text is read."""

    id: int
    how: str
    score: float


def search(
    database: sqlite3.Connection, terms: list[ask.Term], limit: int, filters: Filters
) -> tuple[list[Match], list[str]]:
    """The best messages, and what should be known about how they were found."""
    found, notes = _ranked(database, "words", ask.every(terms), [], limit, filters)
    matches = [Match(id_, "words", -score) for id_, score in found]
    if len(matches) < limit:
        matches += _by_parts(database, terms, limit, filters, {match.id for match in matches}, notes)
    if not matches and len(terms) > 1:
        rare = _rare(database, terms)
        if rare:
            found, more = _ranked(database, "words", ask.some(rare), [], limit, filters)
            matches = [Match(id_, "some", -score) for id_, score in found]
            notes += more
    return matches, notes


def _by_parts(
    database: sqlite3.Connection, terms: list[ask.Term], limit: int, filters: Filters, known: set[int], notes: list[str]
) -> list[Match]:
    """Messages that hold the terms as parts of words. Where several terms were found as words, those are what was
    meant; a single one may be cut short, so its longer forms fill up.
    """
    if known and len(terms) > 1:
        return []
    long = ask.trigrams(terms)
    short = [term.text for term in terms if len(term.text) < 3]
    if not long and known:
        return []  # a look at every text is for what nothing else finds
    found, more = _ranked(database, "parts" if long else "", long, short, limit + len(known), filters)
    notes += [note for note in more if note not in notes]
    return [Match(id_, "parts", -score) for id_, score in found if id_ not in known][: limit - len(known)]


def _ranked(
    database: sqlite3.Connection, index: str, question: str, parts: Sequence[str], limit: int, filters: Filters
) -> tuple[list[tuple[int, float]], list[str]]:
    """Ids and scores (less is better), best first.

    Args:
        database: the database.
        index: which index is asked; every text is looked at when empty.
        question: what it is asked.
        parts: pieces of text that must stand in a message as well.
        limit: how many.
        filters: which messages count.
    """
    clauses, values = filters.clauses()
    if index and not clauses and not parts and filters.order == "rank":
        return _plain(database, index, question, limit)
    if index:
        source, score = f"{index} JOIN messages AS m ON m.id = {index}.rowid", f"bm25({index})"
        clauses, values = [f"{index} MATCH ?", *clauses], [question, *values]
    else:
        source, score = "messages AS m", "0.0"
    clauses += ["coalesce(m.folded, m.text) LIKE ? ESCAPE '~'"] * len(parts)
    values += [f"%{_literal(part)}%" for part in parts]
    row = f"{index}.rowid" if index else "m.id"
    statement = f"""
        WITH ranked AS MATERIALIZED (
            SELECT m.id AS id, m.at AS at, {score} AS score FROM {source}
            WHERE {" AND ".join(clauses)} ORDER BY {row} {"ASC" if filters.order == "oldest" else "DESC"} LIMIT ?
        )
        SELECT id, score, (SELECT count(*) FROM ranked) FROM ranked ORDER BY {_ORDERS[filters.order]} LIMIT ?
    """  # noqa: S608 - names and clauses of this module; whatever was asked is a parameter
    return _answer(database.execute(statement, (*values, RANKED + 1, limit)).fetchall(), filters.order)


def _plain(
    database: sqlite3.Connection, index: str, question: str, limit: int
) -> tuple[list[tuple[int, float]], list[str]]:
    """As `_ranked`, for any message: the index alone is asked first, and times are read of the best only."""
    statement = f"""
        WITH ranked AS MATERIALIZED (
            SELECT rowid AS id, bm25({index}) AS score FROM {index} WHERE {index} MATCH ? ORDER BY rowid DESC LIMIT ?
        ), best AS MATERIALIZED (
            SELECT id, score FROM ranked ORDER BY score, id DESC LIMIT ?
        )
        SELECT best.id, best.score, (SELECT count(*) FROM ranked) FROM best JOIN messages AS m ON m.id = best.id
        ORDER BY {_ORDERS["rank"].replace("id", "best.id")} LIMIT ?
    """  # noqa: S608 - as above
    return _answer(database.execute(statement, (question, RANKED + 1, limit + _TIES, limit)).fetchall(), "rank")


def _answer(rows: list[tuple[int, float, int]], order: str) -> tuple[list[tuple[int, float]], list[str]]:
    which = "oldest" if order == "oldest" else "newest"
    notes = [f"More than {RANKED:,} messages match; the {which} {RANKED:,} were ranked."]
    return [(row[0], row[1]) for row in rows], notes if rows and rows[0][2] > RANKED else []


def _rare(database: sqlite3.Connection, terms: list[ask.Term]) -> list[ask.Term]:
    """The terms that occur, without the common ones if there are others."""
    total: int = database.execute("SELECT count(*) FROM messages").fetchone()[0]
    question = "SELECT count(*) FROM (SELECT 1 FROM words WHERE words MATCH ? LIMIT ?)"
    most = max(int(total * _COMMON), 20)
    counted = [(term, database.execute(question, (ask.every([term]), most + 1)).fetchone()[0]) for term in terms]
    present = [(term, count) for term, count in counted if count]
    return [term for term, count in present if count <= most] or [term for term, _ in present]


def _literal(part: str) -> str:
    return part.replace("~", "~~").replace("%", "~%").replace("_", "~_")


def window(database: sqlite3.Connection, match: Match, size: int) -> tuple[list[Passage], int]:
    """The message and up to `size` neighbours on each side, in order, and the place of the message among them."""
    session, number = database.execute("SELECT session, number FROM messages WHERE id = ?", (match.id,)).fetchone()
    question = f"SELECT {_COLUMNS} FROM messages WHERE session = ? AND number BETWEEN ? AND ? ORDER BY number"  # noqa: S608
    passages = [Passage(*row) for row in database.execute(question, (session, number - size, number + size))]
    return passages, next(index for index, passage in enumerate(passages) if passage.number == number)
