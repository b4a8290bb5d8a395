"""The types of recall: what is put in, what is kept, what comes out."""

from __future__ import annotations

import math
import re
import time
from dataclasses import dataclass

from inkgate.store.errors import NotUnderstoodError, StoreError

__all__ = [
    "Added",
    "DamagedError",
    "Found",
    "Health",
    "Hit",
    "Message",
    "Passage",
    "Session",
    "Shown",
    "check",
    "stamp",
]

_ROLE = re.compile(r"[a-z][a-z0-9_-]{0,31}")
_NAME = 200
_LATEST = 253_402_300_799.0  # the end of the year 9999, the last that a date can show


class DamagedError(StoreError):
    """The database was damaged. It was set aside unchanged, and what could be read of it was brought over."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message on its way in.

    Attributes:
        session: id of its session, 1 to 200 characters without controls.
        role: who speaks: `user`, `assistant`, `tool`, `system` or another lower-case word.
        text: what was said, of any length.
        at: when, seconds since 1970; None means now.
        id: the host's id of the message, if it has one. The same id with the same text is kept once.
        source: where the session took place, such as `cli` or a chat.
        title: what the session is called.
    """

    session: str
    role: str
    text: str
    at: float | None = None
    id: str = ""
    source: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Passage:
    """One message as it is kept: word for word, but for the secrets that were masked.

    Attributes:
        session: id of its session.
        number: its place in the session, from 1.
        at: when it was said, seconds since 1970.
        role: who spoke.
        text: what was said.
    """

    session: str
    number: int
    at: float
    role: str
    text: str

    @property
    def when(self) -> str:
        """The time as ISO 8601, UTC, to the second."""
        return stamp(self.at)


@dataclass(frozen=True, slots=True)
class Shown:
    """One message on its way out, scanned.

    Attributes:
        passage: where it comes from; its text is word for word and must not reach a model unless `safe`.
        text: what may be shown: the same text, with every poisoned part replaced by a mark that names the rule.
        masked: ids of the rules whose finds were masked.
        flagged: ids of the rules that had a doubt; that text stands as it is.
    """

    passage: Passage
    text: str
    masked: tuple[str, ...] = ()
    flagged: tuple[str, ...] = ()

    @property
    def safe(self) -> bool:
        """Whether nothing had to be masked."""
        return not self.masked


@dataclass(frozen=True, slots=True)
class Hit:
    """One message that a search found, with its neighbours in order.

    Attributes:
        session: the name of its session as it may be shown; `match.passage.session` is the name itself.
        match: the message.
        before: what was said before it, oldest first.
        after: what was said after it, oldest first.
        how: `words` (every word of the query), `parts` (every one, at least as a part of a word) or `some` (some of the
            rarer words).
        score: how well it matches; more is better.
    """

    session: str
    match: Shown
    before: tuple[Shown, ...]
    after: tuple[Shown, ...]
    how: str
    score: float

    @property
    def shown(self) -> tuple[Shown, ...]:
        """The whole window, oldest first."""
        return (*self.before, self.match, *self.after)


@dataclass(frozen=True, slots=True)
class Found:
    """What a search found.

    Attributes:
        query: the query, as it was asked.
        hits: best first.
        notes: what the reader should know: that only the newest of very many were ranked, that an index was rebuilt.
    """

    query: str
    hits: tuple[Hit, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Session:
    """One session.

    Attributes:
        id: its id.
        source: where it took place.
        title: what it is called.
        first: when its first message was said, seconds since 1970.
        last: when its last one was.
        messages: how many there are.
    """

    id: str
    source: str
    title: str
    first: float
    last: float
    messages: int


@dataclass(frozen=True, slots=True)
class Added:
    """What became of messages that were put in.

    Attributes:
        added: how many are new.
        known: how many were there already.
        secrets: how many secrets were masked in the new ones.
    """

    added: int
    known: int
    secrets: int


@dataclass(frozen=True, slots=True)
class Health:
    """What a check of the database found.

    Attributes:
        sessions: how many there are.
        messages: how many there are.
        problems: one sentence each; empty when all is well.
        aside: names of damaged databases that were set aside and still lie there.
    """

    sessions: int
    messages: int
    problems: tuple[str, ...] = ()
    aside: tuple[str, ...] = ()


def stamp(at: float) -> str:
    """A time as ISO 8601, UTC, to the second."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))


def check(message: Message, number: int) -> None:
    """Make sure that a message can be kept.

    Args:
        message: the message.
        number: its place among those that are put in, from 1, for the error.

    Raises:
        NotUnderstoodError: it cannot.
    """
    problem = _problem(message)
    if problem:
        raise NotUnderstoodError(f"Message {number}: {problem}. Nothing was added.")


def _problem(message: Message) -> str:
    if not (message.session.strip() and len(message.session) <= _NAME and message.session.isprintable()):
        return f"the id of its session must have 1 to {_NAME} printable characters"
    if not _ROLE.fullmatch(message.role):
        return "its role must be a lower-case word of at most 32 characters"
    if message.at is not None and not (math.isfinite(message.at) and 0 <= message.at <= _LATEST):
        return "its time must be seconds since 1970, before the year 10000"
    for name in ("id", "source", "title"):
        value = getattr(message, name)
        if len(value) > _NAME or not value.isprintable():
            return f"its {name} must have at most {_NAME} printable characters"
    try:
        message.text.encode("utf-8")
    except UnicodeEncodeError as error:
        return f"character {error.start} of its text is half of a pair (a lone surrogate), which is no text"
    return ""
