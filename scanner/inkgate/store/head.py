"""The head of a ledger: where its chain ends, and what its records say of the files as they stand.

It is kept beside the ledger, so that no append and no write has to read what was told before.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from inkgate.lean import dataclass, field

from .chain import Record, Walk
from .origin import OUTSIDE
from .provenance import current

__all__ = ["Head"]

_MOST = 128  # marks of entries; with more of them the ledger is read
_ENCODE = json.JSONEncoder().encode


def mark_of(key: str, entry: str) -> str:
    """What names an entry of a text in the head."""
    return hashlib.sha256(f"{key}\0{entry}".encode()).hexdigest()[:24]


@dataclass(slots=True)
class Head:
    """Where the chain ends.

    Attributes:
        walk: the last record.
        files: by key, the digest of the file as the last recorded change left it.
        foreign: marks of the entries that somebody else than the gate has put into a file, after the gate had begun to
            write it, and that stand there; None when only the ledger itself can tell.
    """

    walk: Walk = field(default_factory=Walk)
    files: dict[str, str] = field(default_factory=dict)
    foreign: set[str] | None = field(default_factory=set)

    def read(self, records: Iterable[Record]) -> None:
        """Take in records that were appended after the head was written; whoever reads them moves the end."""
        for record in records:
            if record.body is not None and isinstance(record.body.get("after"), str):
                self.files[record.key] = record.body["after"]
            self._mark(record)

    def wrote(self, records: Iterable[Record], digests: Mapping[str, str]) -> None:
        """Take in records that were just appended, with the digests of the files that they are about."""
        self.files.update(digests)
        for record in records:
            self._mark(record)

    def _mark(self, record: Record) -> None:
        if record.event in ("aborted", "purge"):  # what was told before does not hold, or is not there any more
            self.foreign = None
        if self.foreign is None or record.event not in ("change", "outside"):
            return
        gone, come = _entries(record)
        if self.foreign:
            self.foreign.difference_update(mark_of(record.key, entry) for entry in [*gone, *come])
        if _is_foreign(record):
            self.foreign.update(mark_of(record.key, entry) for entry in come)
        if len(self.foreign) > _MOST:
            self.foreign = None

    def is_foreign(self, key: str, entry: str, records: Callable[[], Iterable[Record]]) -> bool:
        """Whether a standing entry of `key` is one of the foreign ones.

        Args:
            key: the text.
            entry: the entry.
            records: reads the whole ledger, where it has to tell.
        """
        marks = self.foreign
        if marks is None:
            marks = foreign_in(list(records()))
            self.foreign = marks if len(marks) <= _MOST else None
        return mark_of(key, entry) in marks

    def dump(self) -> str:
        """As text, for the file."""
        state, foreign = self.walk, None if self.foreign is None else sorted(self.foreign)
        return _ENCODE(
            {"seq": state.seq, "hash": state.hash, "size": state.size, "files": self.files, "foreign": foreign}
        )

    @classmethod
    def load(cls, data: bytes) -> Head | None:
        """Back from a file; None when it is missing, or torn by a loss of power: the ledger itself is read instead."""
        try:
            values = json.loads(data)
            state = Walk(int(values["seq"]), str(values["hash"]), int(values["size"]))
            files = {str(key): str(value) for key, value in values["files"].items()}
            foreign = values.get("foreign")
            return cls(state, files, None if foreign is None else set(map(str, foreign)))
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            return None


def foreign_in(records: Sequence[Record]) -> set[str]:
    """The marks of the foreign entries that stand, by the whole ledger."""
    first = {record.seq for record in records if record.facts.get("first") is True}
    keys = {record.key for record in records if record.event == "outside"}
    return {
        mark_of(key, text)
        for key in keys
        for text, version in current(records, key).items()
        if version.origin == OUTSIDE and version.seq not in first
    }


def _is_foreign(record: Record) -> bool:
    return record.origin == OUTSIDE and record.facts.get("first") is not True


def _entries(record: Record) -> tuple[list[str], list[str]]:
    """The entries that a record takes away, and those that it brings."""
    body = record.body or {}
    if record.event == "outside":
        return _texts(body.get("removed")), _texts(body.get("added"))
    real = [change for change in body.get("changes", ()) if change.get("before") != change.get("after")]
    return _texts(change.get("before") for change in real), _texts(change.get("after") for change in real)


def _texts(values: Iterable[object] | None) -> list[str]:
    return [value for value in values or () if isinstance(value, str)]
