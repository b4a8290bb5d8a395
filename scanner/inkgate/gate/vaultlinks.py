"""What the renaming of a note means for the links to it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any
from urllib.parse import quote

from inkgate.store.names import collision_key
from inkgate.store.transaction import Transaction
from inkgate.store.vault.changes import CONFLICT, SUPERSEDED_BY, SUPERSEDES
from inkgate.store.vault.markdown import Link
from inkgate.store.vault.note import MARKDOWN, Note, bare, pointed_at, pointer
from inkgate.store.vault.properties import Properties, with_item_changed, with_properties
from inkgate.store.vault.vault import Vault

__all__ = ["renamed"]


def renamed(
    vault: Vault, transaction: Transaction, old: Note, new: str, *, everywhere: bool
) -> tuple[dict[str, str], Mapping[str, Any]]:
    """The texts of the notes whose links change, and what to tell about it.

    The pointers that the gate itself has set (`superseded_by` and so on) always follow; other links only when that is
    asked for, and only where they can mean no other note.

    Args:
        vault: the notes.
        transaction: reads those that change.
        old: the note under its old name.
        new: its new name.
        everywhere: whether all links follow.

    Returns:
        Texts by (old) name, and `links_updated` and `links_left`: names of notes.
    """
    texts: dict[str, str] = {}
    left: dict[str, None] = {}
    unique = sum(_last(name) == _last(new) for name in vault.names() if name != old.name) == 0
    holders: dict[str, list[tuple[Link, bool]]] = {}
    for backlink in vault.backlinks(old.name):
        holders.setdefault(backlink.name, []).append((backlink.link, backlink.certain))
    for name, found in holders.items():
        note = _read(transaction, name)
        pointers, edits = _pointers(note), []
        for link, certain in found:
            if any(start <= link.start < end for start, end in pointers):
                continue
            if everywhere and certain:
                edits.append((*link.place, _written(link, note.text, name, new, unique=unique)))
            else:
                left[name] = None
        if edits:
            texts[name] = _spliced(note.text, edits)
    for note in (*vault.notes(), *vault.conflicts()):
        if old.name in (note.superseded_by, *note.supersedes, note.conflict_with):
            text = texts.get(note.name) or _read(transaction, note.name).text
            text = _repointed(text, old.name, new)
            if note.conflict_with == old.name:
                text = with_properties(text, {CONFLICT: pointer(new)})  # its own name may have said so
            texts[note.name] = text
    return texts, {"links_updated": sorted(texts), "links_left": sorted(left)}


def _repointed(text: str, old: str, new: str) -> str:
    """The text of a note whose pointers to one name lead to another."""
    known = Properties.of(text)
    for name in (SUPERSEDED_BY, SUPERSEDES):
        for value in known.items(name):
            if pointed_at(value) == old:
                text = with_item_changed(text, name, value, pointer(new))
    return text


def _read(transaction: Transaction, name: str) -> Note:
    data = transaction.read(name) or b""
    return Note(name, data, data.decode("utf-8"))


def _pointers(note: Note) -> list[tuple[int, int]]:
    """Where the pointers that the gate has set are written."""
    front = note.properties.front
    places = []
    for name in (SUPERSEDED_BY, SUPERSEDES, CONFLICT):
        if front is not None and note.properties.has(name):
            places.append(front.place(note.properties.node(name)))
    return places


def _written(link: Link, text: str, holder: str, new: str, *, unique: bool) -> str:
    """The new target, in the way in which the old one was written: with or without folder and ending."""
    written = text[slice(*link.place)]
    ended = written.lower().endswith(MARKDOWN)
    if link.wiki:
        target = bare(new)
        if "/" not in written and unique:
            target = target.rsplit("/", 1)[-1]
        return target + (MARKDOWN if ended else "")
    around = PurePosixPath(holder).parent.as_posix()
    path = os.path.relpath(new, around).replace(os.sep, "/")
    return quote(path if ended else bare(path))


def _spliced(text: str, edits: list[tuple[int, int, str]]) -> str:
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    return text


def _last(name: str) -> str:
    return collision_key(name.rsplit("/", 1)[-1])
