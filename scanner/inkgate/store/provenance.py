"""Where each entry comes from, and what became of the earlier ones: read back from the ledger."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inkgate.lean import dataclass, replace

from .chain import Record
from .origin import OUTSIDE, Origin

__all__ = ["Version", "current", "history"]


@dataclass(frozen=True, slots=True)
class Version:
    """One text that stands, or stood, as an entry.

    Attributes:
        id: names it for ever: the record that brought it, and its place in that record.
        key: the text that it is an entry of, such as `memory`.
        text: the entry; None when it was purged.
        seq: the record that brought it; 0 when it was there before the ledger began to tell.
        at: when that was, UTC.
        origin: who brought it, from which source, in which session.
        superseded_by: the record that ended it, or None while it stands.
        successor: the text that took its place, when there is one and it was not purged.
    """

    id: str
    key: str
    text: str | None
    seq: int
    at: str
    origin: Origin
    superseded_by: int | None = None
    successor: str | None = None


def history(records: Iterable[Record], key: str) -> list[Version]:
    """Every version of every entry of `key`, oldest first; superseded ones point at the record that ended them."""
    own = [record for record in records if record.key == key]
    aborted = {record.facts.get("record") for record in own if record.event == "aborted"}
    told = _Told(key)
    for record in own:
        if record.seq in aborted or record.event not in ("change", "outside"):
            continue
        if record.body is None:
            told.versions.append(
                Version(f"{record.seq}.0", key, None, record.seq, record.at, record.origin, record.seq)
            )
        elif record.event == "change":
            for part, change in enumerate(record.body.get("changes", ()), 1):
                told.change(record, part, change.get("before"), change.get("after"))
        else:
            for text in record.body.get("removed", ()):
                told.change(record, 0, text, None)
            for part, text in enumerate(record.body.get("added", ()), 1):
                told.change(record, part, None, text)
    return told.versions


def current(records: Iterable[Record], key: str) -> dict[str, Version]:
    """The versions that stand, by text, oldest first."""
    return {
        version.text: version
        for version in history(records, key)
        if version.superseded_by is None and version.text is not None
    }


class _Told:
    """The tale of one key so far."""

    def __init__(self, key: str) -> None:
        self.key = key
        self.versions: list[Version] = []
        self._standing: dict[str, int] = {}

    def change(self, record: Record, part: int, before: str | None, after: str | None) -> None:
        if before == after:
            return
        if before is not None:
            place = self._standing.pop(before, None)
            if place is None:  # it came before the ledger, or in a record that was purged
                self.versions.append(Version(f"0.{len(self.versions)}", self.key, before, 0, "", OUTSIDE))
                place = len(self.versions) - 1
            self.versions[place] = replace(self.versions[place], superseded_by=record.seq, successor=after)
        if after is not None:
            again = self._standing.get(after)
            if again is not None:  # it is brought once more: by a merge of two entries, or its going was purged
                self.versions[again] = replace(self.versions[again], superseded_by=record.seq, successor=after)
            self.versions.append(Version(f"{record.seq}.{part}", self.key, after, record.seq, record.at, record.origin))
            self._standing[after] = len(self.versions) - 1


def outside_changes(known: Sequence[str], found: Sequence[str]) -> tuple[list[str], list[str]]:
    """What somebody else did to the entries: those added, and those removed, each in order."""
    before, after = set(known), set(found)
    return [text for text in found if text not in before], [text for text in known if text not in after]
