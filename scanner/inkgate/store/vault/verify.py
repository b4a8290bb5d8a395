"""Whether a vault keeps its promises: provenance, pointers that lead somewhere and back, nothing half done."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .changes import PROVENANCE, SUPERSEDED_BY
from .note import Note
from .vault import Vault

__all__ = ["Problem", "verify"]


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one note.

    Attributes:
        name: of the note; or of another file in the vault.
        what: one sentence, without the text of the note.
    """

    name: str
    what: str


def verify(vault: Vault) -> list[Problem]:
    """Everything that is wrong, by name.

    A note that the gate has not written yet needs no provenance; one that somebody changed since is no problem either.
    """
    unreadable: dict[str, str] = {}
    notes = {note.name: note for note in vault.notes(unreadable)}
    asides = vault.conflicts(unreadable)
    found = [Problem(name, why) for name, why in unreadable.items()]
    bare = [note for note in (*notes.values(), *asides) if not all(map(note.properties.has, PROVENANCE))]
    written = _written(vault) if bare else set()
    for note in bare:
        if (note.name, note.digest) in written:
            found.append(Problem(note.name, "its text came through the gate, but author, date or source is missing"))
    for note in notes.values():
        found += [Problem(note.name, what) for what in _wrong(note, notes)]
    for note in asides:
        if note.conflict_with not in notes:
            found.append(Problem(note.name, f"it contradicts {note.conflict_with}, which is not there"))
    found += [Problem(name, "left by a writer that was killed; the next write ends it") for name in vault.leftovers()]
    return sorted(found, key=lambda problem: (problem.name, problem.what))


def _written(vault: Vault) -> set[tuple[str, str]]:
    """Names and digests of the notes whose text came through the gate: not those that were only renamed or relinked."""
    found = set()
    for record in vault.documents.ledger.records():
        if record.event == "change" and record.body is not None and record.facts.get("action") not in (None, "rename"):
            found.add((record.key.removeprefix(vault.documents.key("")), str(record.body.get("after"))))
    return found


def _wrong(note: Note, notes: dict[str, Note]) -> Iterator[str]:
    if note.properties.has(SUPERSEDED_BY):
        yield from _broken(note, notes)
    for name in note.supersedes:
        if name not in notes:
            yield f"it supersedes {name}, which is not there"
        elif notes[name].superseded_by != note.name:
            yield f"it supersedes {name}, which does not point to it"


def _broken(note: Note, notes: dict[str, Note]) -> Iterator[str]:
    successor = note.superseded_by
    if successor not in notes:
        yield f"its successor {successor or '(unreadable)'} is not there"
        return
    if note.name not in notes[successor].supersedes:
        yield f"its successor {successor} does not point back"
    seen = {note.name}
    while successor:
        if successor in seen:
            yield "its successors lead back to itself"
            return
        seen.add(successor)
        successor = notes[successor].superseded_by if successor in notes else ""
