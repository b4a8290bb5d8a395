"""An entry of the memory that has grown into content becomes a note, and the entry a pointer to it."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from inkgate.model import Target

from .desk import Desk
from .likeness import normal
from .model import Done, Kind, Proposal, Source, Step, TierError

__all__ = ["FOLDER", "GROWN", "Grown", "grown", "point"]

FOLDER = "Memory"
GROWN = 280  # characters above which an entry is content
_LINES = 4
_UNSAFE = re.compile(r"[^\w -]+")
_POINTER = re.compile(r"\[\[[^\[\]]+\]\]\s*$")


@dataclass(frozen=True, slots=True)
class Grown:
    """An entry that has grown, with the two writes that make a note of it.

    Attributes:
        target: memory or user profile.
        entry: the entry.
        note: the write of its text as a note.
        pointer: the write of the entry that points there.
    """

    target: Target
    entry: str
    note: Proposal
    pointer: Proposal


def grown(desk: Desk) -> list[Grown]:
    """The entries that have grown into content, longest first. Nothing is written.

    Raises:
        StoreError: the memory cannot be read.
    """
    found = []
    for target in (Target.MEMORY, Target.USER):
        for entry in desk.memory.store.read(target).entries:
            if (len(entry) > GROWN or entry.count("\n") >= _LINES) and not _POINTER.search(entry):
                found.append(_grown(target, entry))
    return sorted(found, key=lambda item: -len(item.entry))


def _grown(target: Target, entry: str) -> Grown:
    title = _title(entry)
    mark = hashlib.sha256(entry.encode()).hexdigest()[:6]
    called = " ".join(_UNSAFE.sub(" ", title).split())[:50].strip(" -_") or "entry"
    name = f"{FOLDER}/{called} {mark}"
    source = Source(str(target))
    note = Proposal(
        Step.POINTER, Kind.NOTE, name, entry.rstrip() + "\n", source, reason="The entry has grown into content."
    )
    pointer = Proposal(
        Step.POINTER, Kind.REPLACE_ENTRY, "", f"{title} [[{name}]]", Source("note", name), target, entry,
        reason="The text is in the note now.",
    )  # fmt: skip
    return Grown(target, entry, note, pointer)


def point(desk: Desk, item: Grown) -> list[Done]:
    """Write the note, and once it stands, propose the pointer. A note that waits for a person leaves the entry.

    Raises:
        TierError: the entry is not there any more.
        StoreError: a store cannot be read.
    """
    if item.entry not in desk.memory.store.read(item.target).entries:
        raise TierError("The entry is not as it was.", hint="Ask for the proposals again.")
    if normal(item.entry) in normal(desk.notes.read(item.note.name) or ""):
        return [desk.apply(item.pointer)]  # the note was written earlier, and the pointer was not
    kept = desk.apply(item.note)
    return [kept, desk.apply(item.pointer)] if kept.outcome in ("saved", "unchanged") else [kept]


def _title(entry: str) -> str:
    """The first sentence, at most 100 characters, cut at a word."""
    first = re.split(r"(?<=[.!?。:])\s|\n", entry.strip(), maxsplit=1)[0].strip()
    if len(first) <= 100:
        return first.rstrip(":")
    return first[:99].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
