"""What each change makes of the text of a note: pure, without a disk.

Every change stamps the note: who wrote it first, when and from what (`author`, `date`, `source`, which are never
replaced), and who changed it last (`updated`, `updated_by`, `updated_source`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from inkgate.store.entries import fold_line_ends
from inkgate.store.errors import NotUnderstoodError, RefusalError

from .markdown import Section, closed, sections
from .properties import Properties, dominant_line_end, plain, with_item, with_properties

__all__ = [
    "PROVENANCE",
    "RESERVED",
    "Changed",
    "Stamp",
    "append",
    "check_text",
    "create",
    "find_section",
    "replace",
    "replace_section",
    "same_content",
    "set_aside",
    "superseded",
    "supersedes",
]

PROVENANCE = ("author", "date", "source")
UPDATED = ("updated", "updated_by", "updated_source")
SUPERSEDED_BY, SUPERSEDES = "superseded_by", "supersedes"
CONFLICT = "conflict_with"
RESERVED = frozenset({*PROVENANCE, *UPDATED, SUPERSEDED_BY, SUPERSEDES})

_SURROGATE = re.compile("[\ud800-\udfff]")
_ITEM = re.compile(r"\s{0,8}(?:[-*+]|\d{1,9}[.)])[ \t]")


@dataclass(frozen=True, slots=True)
class Stamp:
    """Who, when and from what.

    Attributes:
        author: person, agent or model.
        date: UTC, such as 2026-03-01T12:00:00Z.
        source: what it was taken from.
    """

    author: str
    date: str
    source: str


@dataclass(frozen=True, slots=True)
class Changed:
    """The text of a note as it will stand.

    Attributes:
        text: all of it.
        fresh: the range of it that the writer brought, in characters.
        keeps: whether everything that stood in its body is still there word for word.
    """

    text: str
    fresh: tuple[int, int] = (0, 0)
    keeps: bool = True


def check_text(text: object, *, empty: bool = False) -> str:
    """The text, when it can be stored.

    Raises:
        NotUnderstoodError: no text, nothing but white space, or not encodable as UTF-8.
    """
    if not isinstance(text, str):
        raise NotUnderstoodError(f"The text must be text, not {type(text).__name__}.")
    if not text.strip("\ufeff \t\r\n") and not empty:
        raise NotUnderstoodError("The text cannot be empty.")
    surrogate = _SURROGATE.search(text)
    if surrogate:
        raise NotUnderstoodError(
            f"The text cannot be stored: U+{ord(surrogate.group()):04X} at character {surrogate.start()} is half of a"
            " surrogate pair and has no UTF-8 form.",
            hint="Send the whole character, or leave it out.",
        )
    return text


def create(text: str, stamp: Stamp) -> Changed:
    """A new note.

    Raises:
        RefusalError: `front-matter`, or `provenance`: the text claims an author, a date or a source itself.
    """
    given = Properties.of(text)
    claimed = [name for name in (*given.names, *_merged(given)) if name.casefold() in RESERVED]
    if claimed:
        raise RefusalError(
            "provenance",
            f"The property {claimed[0]} is set by the gate, not by the text. Nothing was saved.",
            hint="Leave it out, and give author and source with the request.",
        )
    stamped = with_properties(text, dict(zip(PROVENANCE, (stamp.author, stamp.date, stamp.source), strict=True)))
    return Changed(stamped, _range(stamped, text[given.body :]))


def _merged(properties: Properties) -> list[str]:
    """The names and values that other readers take into the properties from elsewhere (`<<`, YAML 1.1: merge keys)."""
    found: list[str] = []
    rest: list[Any] = [properties.tree()["<<"]] if "<<" in properties.names else []
    while rest:
        part = rest.pop()
        if isinstance(part, str):
            found.append(part)
        else:
            rest += part
    return found


def append(note: str, text: str, stamp: Stamp, first: Stamp) -> Changed:
    """The note with a text behind its end, on lines of its own.

    Raises:
        RefusalError: `front-matter`, or `structure`: the note ends in code that is not closed.
    """
    end = dominant_line_end(note)
    body = note[Properties.of(note).body :]
    piece = _lines(text, end)
    between = "" if not body or body.endswith(("\n", "\r")) else end
    if body.strip() and not body.endswith((end * 2, "\n\n")) and not _same_list(body, piece):
        between += end
    _same_properties(note, note + between + piece)
    grown = _stamped(note + between + piece, stamp, first)
    _same_headings(note, grown, piece, len(sections(note, Properties.of(note).body)), 0)
    return Changed(grown, (len(grown) - len(piece), len(grown)))


def _same_list(body: str, piece: str) -> bool:
    last = body.rstrip().splitlines()[-1] if body.strip() else ""
    return _ITEM.match(last) is not None and _ITEM.match(piece) is not None


def replace(note: str, text: str, stamp: Stamp, first: Stamp) -> Changed:
    """The note with another text. Front matter of the text takes the place of the note's, but provenance stays.

    Raises:
        RefusalError: `front-matter`, or `provenance`: the text changes what the gate has set.
    """
    old, new = Properties.of(note), Properties.of(text)
    piece = _lines(text[new.body :], dominant_line_end(note))
    if not new.there:
        whole = note[: old.body] + piece
        _same_properties(note, whole)
    else:
        end = dominant_line_end(note)
        if any(name.casefold() in RESERVED for name in _merged(new)) and _merged(new) != _merged(old):
            raise RefusalError("provenance", "The text takes what the gate sets from an anchor. Nothing was saved.")
        for name in new.names:
            if name in RESERVED and new.tree()[name] != old.tree().get(name):
                raise RefusalError(
                    "provenance",
                    f"The text changes the property {name}, which the gate has set. Nothing was saved.",
                    hint="Send it as it stands, or leave it out.",
                )
        kept = [old.written(name) for name in old.names if name in RESERVED and name not in new.names]
        yaml = text[new.start : new.end] + "".join(f"{line}\n" for line in kept)
        bom = "\ufeff" if note.startswith("\ufeff") else ""
        whole = f"{bom}---{end}{_lines(yaml, end) if yaml else ''}---{end}{piece}"
    changed = _stamped(whole, stamp, first)
    keeps = fold_line_ends(note[old.body :]).strip() in fold_line_ends(piece)
    return Changed(changed, _range(changed, piece), keeps)


def find_section(note: str, heading: str) -> Section:
    """The one section that a heading names: by its title, with its marks (`## Title`), or by its path (`A#B`).

    Raises:
        RefusalError: `no-heading`, or `ambiguous` (details: lines).
    """
    found = sections(note, Properties.of(note).body)
    bare = heading.strip()
    title = bare.lstrip("#").strip() if bare.startswith("#") else bare
    level = len(bare) - len(bare.lstrip("#")) if bare.startswith("#") else 0
    hits = [item for item in found if item.title == title and level in (0, item.level)]
    if not hits and "#" in title:
        path = tuple(part.strip() for part in title.split("#"))
        hits = [item for item in found if item.path[-len(path) :] == path]
    lines = tuple(note.count("\n", 0, item.start) + 1 for item in hits)
    if not hits:
        raise RefusalError("no-heading", "The note has no such heading.", hint="`inkgate vault show` lists them.")
    if len(hits) > 1:
        raise RefusalError(
            "ambiguous",
            f"Several headings read so, at the lines {', '.join(map(str, lines))}.",
            hint="Name it with those above it: Above#Heading.",
            details={"lines": lines},
        )
    return hits[0]


def replace_section(note: str, heading: str, text: str, stamp: Stamp, first: Stamp) -> Changed:
    """The note with another text under one heading; the heading itself stays, and so do the blank lines around.

    Raises:
        RefusalError: as `find_section`; `front-matter`; `structure`: the text would end the section, or swallow what
            follows it.
    """
    section = find_section(note, heading)
    end = dominant_line_end(note)
    piece = _lines(text, end).strip("\r\n")
    own = sections(piece)
    if own and own[0].start == 0 and (own[0].level, own[0].title) == (section.level, section.title):
        piece = piece[own[0].body :].strip("\r\n")
    old = note[section.body : section.end]
    inner = old.strip("\r\n")
    if inner.strip():
        start = section.body + len(old) - len(old.lstrip("\r\n"))
        stop = start + len(inner)
        written = piece
    else:
        start, stop = section.body, section.end
        lead = "" if note[: section.body].endswith(("\n", "\r")) else end
        tail = end if section.end < len(note) else ""
        written = f"{lead}{end}{piece}{end}{tail}" if piece else note[start:stop]
    whole = note[:start] + written + note[stop:]
    before = [item for item in sections(note, Properties.of(note).body) if item.start < section.body]
    _same_headings(note, whole, piece, len(before), section.level)
    changed = _stamped(whole, stamp, first)
    place = start + written.find(piece) + len(changed) - len(whole)
    return Changed(changed, (place, place + len(piece)), inner.strip() in piece)


def _same_headings(note: str, whole: str, piece: str, before: int, level: int) -> None:
    """Prove that a change has the effect on the headings that it says it has.

    Args:
        note: as it was.
        whole: as it will be.
        piece: what comes in.
        before: how many headings of the note stand before the piece.
        level: of the section that the piece is in; its own headings must be below. 0 for the end of the note.
    """
    old = [(item.level, item.title) for item in sections(note, Properties.of(note).body)]
    own = [(item.level, item.title) for item in sections(piece)]
    new = [(item.level, item.title) for item in sections(whole, Properties.of(whole).body)]
    if any(item[0] <= level for item in own):
        raise _structure("it holds a heading that would end the section")
    after = len(old) - before
    if level:
        inside = list(old[before:])
        while inside and inside[0][0] > level:
            inside.pop(0)
        after = len(inside)
    expected = [*old[:before], *own, *(old[len(old) - after :] if after else [])]
    if new != expected:
        raise _structure("with it, other headings would be lost or made")
    if level and closed(note) and not closed(piece):
        raise _structure("it opens code or a comment that it does not close")


def _same_properties(note: str, whole: str) -> None:
    """Prove that a text which is to stand in the body does not become front matter, as it would at the very start of a
    note that has none: then it would say itself who wrote the note.
    """
    if Properties.of(note).tree() != Properties.of(whole).tree():
        raise _structure("at the start of the note it would be front matter")


def _structure(why: str) -> RefusalError:
    return RefusalError("structure", f"The text does not fit in its place: {why}. Nothing was changed.")


def superseded(note: str, successor: str, first: Stamp) -> Changed:
    """The note, every byte of its text kept, with a pointer to its successor."""
    changed = with_properties(note, {**_missing(note, first), SUPERSEDED_BY: successor})
    return Changed(changed)


def supersedes(note: str, predecessor: str, stamp: Stamp, first: Stamp, *, made: bool) -> Changed:
    """The note, pointing back to the one that it takes the place of.

    Args:
        note: its text.
        predecessor: pointer to the other note.
        stamp: who does it.
        first: where the note comes from, should it not say so.
        made: whether it was made just now, and bears the stamp already.
    """
    stamped = note if made else _stamped(note, stamp, first)
    return Changed(with_item(stamped, SUPERSEDES, predecessor))


def set_aside(text: str, properties: Mapping[str, str]) -> Changed:
    """A note for the quarantine: the writer's text behind front matter that says all about the conflict. Front matter
    of the text itself stays in the text.
    """
    lines = "".join(f"{name}: {plain(value)}\n" for name, value in properties.items())
    front = f"---\n{lines}---\n"
    text = text.removeprefix("\ufeff")
    return Changed(front + text, (len(front), len(front) + len(text)))


def same_content(note: str, text: str) -> bool:
    """Whether a note holds just this text, whoever wrote it: the same body, and every property that the text gives."""
    old, new = Properties.of(note), Properties.of(text)
    if fold_line_ends(note[old.body :]).strip() != fold_line_ends(text[new.body :]).strip():
        return False
    given, standing = new.tree(), old.tree()
    return all(standing.get(name) == value for name, value in given.items())


def _stamped(note: str, stamp: Stamp, first: Stamp) -> str:
    last = dict(zip(UPDATED, (stamp.date, stamp.author, stamp.source), strict=True))
    return with_properties(note, {**_missing(note, first), **last})


def _missing(note: str, first: Stamp) -> dict[str, str]:
    """The provenance that the note does not have yet."""
    there = Properties.of(note)
    known = dict(zip(PROVENANCE, (first.author, first.date, first.source), strict=True))
    return {name: value for name, value in known.items() if not there.has(name)}


def _lines(text: str, end: str) -> str:
    """The text with this line end throughout, and at its end."""
    folded = fold_line_ends(text.removeprefix("\ufeff"))
    folded = folded if folded.endswith("\n") or not folded else f"{folded}\n"
    return folded.replace("\n", end) if end != "\n" else folded


def _range(whole: str, piece: str) -> tuple[int, int]:
    return len(whole) - len(piece), len(whole)
