"""The records of the ledger, and what binds them together.

A record is one line of canonical JSON. Its hash covers everything but its body, and the hash of the record before it;
the body (texts and file digests) is bound by a salted commitment, `seal`. So a body can be purged, when a secret has to
go, without breaking the chain, and what stays behind cannot be used to test guesses: the salt goes with the body.
"""

from __future__ import annotations

import hashlib
import json
import os
import time
from collections.abc import Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType

from inkgate.lean import Any, dataclass, field

from .errors import LedgerError
from .origin import Origin

__all__ = ["GENESIS", "TORN", "Draft", "Record", "Walk", "bind", "decode", "now", "walk", "without_body"]

GENESIS = "0" * 64
TORN = b"~\n"  # closes a torn line, so that it can never be read as a record
_FIELDS = frozenset(
    {"seq", "at", "event", "key", "origin", "rules", "ruleset", "facts", "seal", "prev", "hash", "body"}
)


@dataclass(frozen=True, slots=True)
class Draft:
    """A record before it is bound into the chain.

    Attributes:
        event: what happened: `change`, `block`, `stage`, `outside`, `purge` and so on.
        key: which text it concerns, such as `memory` or the path of a note.
        origin: who did it.
        rules: ids of the rules that had a say.
        ruleset: digest of the rule set.
        facts: numbers, ids and reasons; never a text, it stays for ever.
        body: texts and digests; can be purged.
    """

    event: str
    key: str
    origin: Origin
    rules: tuple[str, ...] = ()
    ruleset: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Record:
    """A bound record. `body` is None once it was purged."""

    seq: int
    at: str
    event: str
    key: str
    origin: Origin
    rules: tuple[str, ...]
    ruleset: str
    facts: Mapping[str, Any]
    body: Mapping[str, Any] | None
    hash: str
    line: bytes


_ENCODE = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def _canonical(values: Mapping[str, Any]) -> bytes:
    return _ENCODE(values).encode("ascii")


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def bind(draft: Draft, *, seq: int, at: str, prev: str) -> Record:
    """Bind a draft to the record before it; the line of the result ends without LF."""
    body = {**draft.body, "salt": os.urandom(16).hex()}
    sealed = _canonical(body)
    facts = dict(draft.facts)
    head = _canonical(
        {
            "at": at,
            "event": draft.event,
            "facts": facts,
            "key": draft.key,
            "origin": draft.origin.to_dict(),
            "prev": prev,
            "rules": draft.rules,
            "ruleset": draft.ruleset,
            "seal": _digest(sealed),
            "seq": seq,
        }
    )
    digest = _digest(head)
    # Encoded once: sorted by name, the body stands behind `at`, the hash before the last `key`. A quote inside a text
    # is written with a backslash, so neither place can be found in one.
    first, second = head.index(b',"event":'), head.rindex(b',"key":')
    parts = (head[:first], b',"body":', sealed, head[first:second], b',"hash":"', digest.encode(), b'"', head[second:])
    line = b"".join(parts)
    return Record(
        seq, at, draft.event, draft.key, draft.origin, draft.rules, draft.ruleset,
        MappingProxyType(facts), MappingProxyType(body), digest, line,
    )  # fmt: skip


def _record(values: Mapping[str, Any], line: bytes) -> Record:
    body = values["body"]
    return Record(
        seq=values["seq"],
        at=values["at"],
        event=values["event"],
        key=values["key"],
        origin=Origin.from_dict(values["origin"]),
        rules=tuple(values["rules"]),
        ruleset=values["ruleset"],
        facts=MappingProxyType(values["facts"]),
        body=None if body is None else MappingProxyType(body),
        hash=values["hash"],
        line=line,
    )


def without_body(line: bytes) -> bytes:
    """The line of the same record with its body purged."""
    values = json.loads(line)
    values["body"] = None
    return _canonical(values)


def decode(line: bytes, *, seq: int, prev: str) -> Record:
    """Read one line and prove that it is record `seq`, after the one with hash `prev`, byte for byte as it was written.

    Raises:
        LedgerError: it is not.
    """
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        raise LedgerError(f"Record {seq} is not readable.") from None
    parts = _apart(values, line) if isinstance(values, dict) and values.keys() == _FIELDS else None
    if parts is None:
        raise LedgerError(f"Record {seq} does not have the form of a record.")
    head, sealed = parts
    if values["seq"] != seq:
        raise LedgerError(f"Record {seq} is missing or moved: {values['seq']} stands in its place.")
    if values["prev"] != prev:
        raise LedgerError(f"Record {seq} does not follow the record before it.")
    if values["hash"] != _digest(head):
        raise LedgerError(f"Record {seq} was edited.")
    body = values["body"]
    if body is not None and (not isinstance(body, dict) or _digest(sealed) != values["seal"]):
        raise LedgerError(f"The text of record {seq} was edited.")
    return _record(values, line)


def _apart(values: dict[str, Any], line: bytes) -> tuple[bytes, bytes] | None:
    """What `bind` put together to this line: the part that the hash covers, and the body; None when it did not.

    Only the small part is encoded again. The body is what is left of the line, and whether it is as it was written, the
    seal tells.
    """
    body = values.pop("body")
    rest = _canonical(values)
    values["body"] = body
    name = b',"body":'
    place = rest.find(b',"event":')
    start = place + len(name)
    end = start + len(line) - len(rest) - len(name)
    if line[:start] != rest[:place] + name or line[end:] != rest[place:]:
        return None
    sealed = line[start:end]
    if body is None and sealed != b"null":
        return None
    digest = f',"hash":{_ENCODE(values["hash"])}'.encode("ascii")
    second = rest.rindex(b',"key":')
    if rest[second - len(digest) : second] != digest:
        return None
    return rest[: second - len(digest)] + rest[second:], sealed


@dataclass(slots=True)
class Walk:
    """Where a reader of the chain stands.

    Attributes:
        seq: number of the last record read, 0 before the first.
        hash: its hash.
        size: bytes read, up to and including the LF of that record.
        torn: bytes of an unfinished line after it (a writer was killed), not yet explained.
    """

    seq: int = 0
    hash: str = GENESIS
    size: int = 0
    torn: int = 0


def walk(data: bytes, state: Walk) -> Iterator[Record]:
    """Read the records in `data`, which continues where `state` stands; `state` moves along.

    Lines that were torn by kills are accepted only when they are closed as such and the next record gives their length.

    Raises:
        LedgerError: the first thing that was edited, deleted or moved.
    """
    lines = data.split(b"\n")
    tail = lines.pop()
    doubt: LedgerError | None = None
    for line in lines:
        try:
            record = decode(line, seq=state.seq + 1, prev=state.hash)
        except LedgerError as problem:
            doubt = doubt or problem
            if not line.endswith(TORN[:-1]):
                raise doubt from None
            state.torn += len(line) + 1
            continue
        if state.torn and (record.event != "torn" or record.facts.get("bytes") != state.torn - len(TORN)):
            raise doubt or LedgerError(f"Record {record.seq} stands after bytes that are not a record.")
        state.size += state.torn + len(line) + 1
        state.seq, state.hash, state.torn, doubt = record.seq, record.hash, 0, None
        yield record
    state.torn += len(tail)


def now() -> str:
    """The time of a record: UTC, with microseconds."""
    seconds = time.time()
    return f"{_second(int(seconds // 1))}.{int(seconds % 1 * 1e6):06}Z"


@lru_cache(2)
def _second(seconds: int) -> str:
    year, month, day, hour, minute, second, *_ = time.gmtime(seconds)
    return f"{year}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}"
