"""From durable storage to a skill: what is referred to over and over, or always holds, is loaded when it is needed.

A note becomes a skill when it has been referred to often, or its convention keeps blocking; an entry, when it says what
to do every time and has stood unchanged. Both then point at the skill instead of repeating it, and keep their history.
"""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from dataclasses import dataclass

from inkgate.model import Target
from inkgate.store.provenance import current

from .desk import Desk
from .model import Done, Kind, Proposal, Source, Step, TierError
from .skilltext import described, name_of
from .tally import Count

__all__ = ["BLOCKS", "QUIET_DAYS", "REFERENCES", "Candidate", "blocked", "candidates", "promote", "referred"]

REFERENCES = 3  # sessions that refer to a note before it is proposed
BLOCKS = 3  # times that a convention blocks
QUIET_DAYS = 30  # an order that has stood so long without a change does not drift

_ORDER = re.compile(
    r"^\W{0,6}(?:(?:always|never|must|do not|don['’]t|every time|before (?:every|each|any)|after (?:every|each|any)|"
    r"immer|niemals|toujours|jamais|siempre|nunca|sempre|mai)\b|总是|一律|必须|常に|必ず)",
    re.IGNORECASE,
)
_FRONT = re.compile(r"\A\ufeff?---[ \t]*\r?\n.*?^---[ \t]*\r?\n", re.DOTALL | re.MULTILINE)
_POINTER = re.compile(r"\bskill `[a-z0-9-]{1,64}`")


@dataclass(frozen=True, slots=True)
class Candidate:
    """What could become a skill.

    Attributes:
        source: the note, or the memory.
        text: the note's body, or the entry.
        why: the reason, in words.
    """

    source: Source
    text: str
    why: str


def referred(desk: Desk, note: str, where: Source) -> tuple[Count, bool]:
    """Count a reference to a note; says whether it is the one that makes it a candidate. A session counts once.

    Raises:
        TierError: there is no such note.
        StoreError: the counts could not be read or written.
    """
    return _count(desk, "reference", note, where, REFERENCES)


def blocked(desk: Desk, note: str, where: Source) -> tuple[Count, bool]:
    """Count that the convention of a note was broken, and stopped the work.

    Raises:
        TierError: there is no such note.
        StoreError: the counts could not be read or written.
    """
    return _count(desk, "block", note, where, BLOCKS)


def _count(desk: Desk, kind: str, note: str, where: Source, most: int) -> tuple[Count, bool]:
    desk.check_names(note, where.told)
    if desk.notes.read(note) is None:
        raise TierError("There is no such note.", hint="`inkgate vault list` shows the names.")
    what = f"{where.what} {where.name}" if kind == "reference" else where.told
    return desk.tally.add(kind, note, what, raise_at=most)


def candidates(desk: Desk, *, now: float | None = None) -> list[Candidate]:
    """Everything that could become a skill, notes first.

    Raises:
        StoreError: a store cannot be read.
    """
    found: list[Candidate] = []
    for kind, what in (("reference", "It was referred to in"), ("block", "It kept blocking:")):
        for count in desk.tally.all(kind):
            body = _body(desk.notes.read(count.name) or "")
            if count.raised and body and not _POINTER.search(body):
                why = (
                    f"{what} {len(count.seen)} sessions." if kind == "reference" else f"{what} {len(count.seen)} times."
                )
                found.append(Candidate(Source("note", count.name), body, why))
    return found + _orders(desk, time.time() if now is None else now)


def _orders(desk: Desk, now: float) -> list[Candidate]:
    records = list(desk.memory.store.ledger.records())
    found = []
    for target in (Target.MEMORY, Target.USER):
        versions = current(records, target)
        for entry in desk.memory.store.read(target).entries:
            version = versions.get(entry)
            if not _ORDER.match(entry) or _POINTER.search(entry) or version is None or not version.at:
                continue
            days = (now - _seconds(version.at)) / 86_400
            if days >= QUIET_DAYS:
                why = f"It says what to do every time, and has stood unchanged for {int(days)} days."
                found.append(Candidate(Source(str(target)), entry, why))
    return found


def promote(desk: Desk, candidate: Candidate, *, name: str = "", when: str = "") -> list[Done]:
    """Make a skill of a candidate; once the skill stands, the note or the entry points at it.

    A skill that waits for a person leaves the note as it is: ask again when it was approved.

    Args:
        desk: the tiers.
        candidate: what to promote.
        name: the skill's name; made of the note's name or of the entry's first words when empty.
        when: when to use it; the first sentence when empty.

    Raises:
        TierError: no name can be made.
        StoreError: a store cannot be read.
    """
    source, text = candidate.source, candidate.text.strip()
    if source.what == "note" and _body(desk.notes.read(source.name) or "") != text:
        raise TierError(
            "The note does not say that any more. Nothing was changed.", hint="Look at the candidates anew."
        )
    skill = name_of(name or source.name.rsplit("/", 1)[-1] or " ".join(text.split()[:6]))
    there = desk.skills.read(skill)
    body = text if source.what == "note" else f"# {skill.replace('-', ' ').capitalize()}\n\n{text}"
    made = described(skill, when or _first(text), body)
    if there is None:
        proposal = Proposal(Step.PROMOTE, Kind.SKILL, skill, made, source, reason=candidate.why)
        done = [desk.apply(proposal)]
        if done[0].outcome not in ("saved", "unchanged"):
            return done
    elif text not in there:
        raise TierError(f"There is a skill {skill} with another text.", hint="Give another name, or patch that skill.")
    else:
        done = []
    return [*done, desk.apply(_pointer(source, skill, candidate))]


def _pointer(source: Source, skill: str, candidate: Candidate) -> Proposal:
    first = _first(candidate.text)
    line = f"{first.rstrip('.')}: see the skill `{skill}`."
    origin = Source("skill", skill)
    reason = "The text is the skill's now."
    if source.what == "note":
        return Proposal(Step.PROMOTE, Kind.REPLACE_NOTE, source.name, line + "\n", origin, reason=reason)
    return Proposal(
        Step.PROMOTE, Kind.REPLACE_ENTRY, "", line, origin, Target(source.what), candidate.text, reason=reason
    )


def _body(note: str) -> str:
    return _FRONT.sub("", note, count=1).strip()


def _first(text: str) -> str:
    """The first sentence that is no heading, at most 200 characters."""
    lines = [line.strip(" -*>") for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]
    heads = [line.strip("# ") for line in text.splitlines() if line.strip("# ")]
    told = (lines or heads or [""])[0]
    sentence = re.split(r"(?<=[.!?。])\s", told, maxsplit=1)[0]
    return sentence if len(sentence) <= 200 else sentence[:199] + "…"


def _seconds(at: str) -> float:
    from inkgate.store.recall.jsonl import moment

    return moment(at)


def find(found: Sequence[Candidate], name: str) -> Candidate:
    """The candidate of a note's name, or the entry that begins with these words.

    Raises:
        TierError: none has, or several have.
    """
    hits = [item for item in found if item.source.name == name and name] or [
        item for item in found if name and item.text.startswith(name)
    ]
    if len(hits) != 1:
        message = "No candidate is called so." if not hits else "Several candidates begin so."
        raise TierError(message, hint="`inkgate tiers promote` without a name lists the candidates.")
    return hits[0]
