"""From a session to durable storage: what a compaction summary carries, and what was asked to be kept, must land.

Both are read: the summary, since it is all that stays of the session in context; and the session itself, since a
summary leaves things out. Every statement names its messages. The few that may always be in context are proposed as
entries of the memory, as far as there is room; all others, and those without room, as lines of a note of the session.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from inkgate.gate.request import Outcome
from inkgate.model import Category, Target
from inkgate.store.entries import DELIMITER
from inkgate.store.recall import Passage, Session

from .desk import Desk
from .likeness import Known, normal
from .model import Done, Kind, Proposal, Source, Step, TierError
from .orders import is_order
from .units import Unit, from_session, from_summary, is_personal

__all__ = ["FOLDER", "NOTE_CHARACTERS", "Plan", "consolidate", "plan", "remember"]

FOLDER = "Sessions"
NOTE_CHARACTERS = 40_000  # a note of a session that would grow beyond this goes on in a next one

_UNSAFE = re.compile(r"[^\w -]+")


@dataclass(frozen=True, slots=True)
class Plan:
    """What a consolidation proposes.

    Attributes:
        proposals: the writes, in order.
        refused: what never moves, with the reason; it stays in the session.
        known: how many statements are there already.
        note: name of the note of the session.
    """

    proposals: tuple[Proposal, ...]
    refused: tuple[Done, ...] = ()
    known: int = 0
    note: str = ""


def plan(desk: Desk, session: str, summary: str = "") -> Plan:
    """The proposals for a session. Nothing is written.

    Args:
        desk: the tiers.
        session: id of a session in recall.
        summary: the compaction summary, Markdown; without one only the session itself is read.

    Raises:
        TierError: recall has no such session.
        StoreError: a store cannot be read.
    """
    about = desk.recall.session(session)
    if about is None:
        raise TierError("Recall has no such session.", hint="`inkgate recall sessions` shows those that there are.")
    messages = desk.recall.messages(session)
    units = _merged(from_session(session, messages), from_summary(summary, session, messages))
    return _Planner(desk, about, messages).plan(units)


def consolidate(desk: Desk, session: str, summary: str = "") -> tuple[Plan, list[Done]]:
    """Propose, and carry the proposals out through the gates. An entry that the memory will not take now, and that is
    not forbidden, goes into the note as well, so that nothing hangs on a person's time.

    Raises:
        TierError: recall has no such session.
        StoreError: a store cannot be read.
    """
    made = plan(desk, session, summary)
    return made, _carry_out(desk, made)


def remember(desk: Desk, text: str, source: Source) -> tuple[Plan, list[Done]]:
    """Keep one statement that somebody asked to be remembered, or that was decided, at once.

    Args:
        desk: the tiers.
        text: the statement, on its own.
        source: the session, and the messages in which it was asked for; recall need not have them yet.

    Raises:
        TierError: there is no word in the text.
        StoreError: a store cannot be read.
    """
    if not normal(text):
        raise TierError("There is nothing to remember in an empty text.")
    about = desk.recall.session(source.name)
    if about is None:
        now = time.time()
        about = Session(source.name, "", "", now, now, 0)
    made = _Planner(desk, about, ()).plan([Unit(text.strip(), source, explicit=True, personal=is_personal(text))])
    return made, _carry_out(desk, made)


_NO_ROOM = frozenset(["over-cap", "disabled", "approval", "unattended"])


def _carry_out(desk: Desk, made: Plan) -> list[Done]:
    done = [desk.refuse(item.proposal, item.code, item.message, item.hint) for item in made.refused]
    lines: list[Proposal] = []
    for proposal in made.proposals:
        if proposal.kind is Kind.NOTE:
            lines.append(proposal)
            continue
        result = desk.apply(proposal)
        done.append(result)
        if proposal.kind is Kind.ENTRY and result.code in _NO_ROOM:
            lines.append(_as_note(proposal, made.note))
    return [*done, *desk.apply_all(lines)]


def _merged(asked: list[Unit], summed: list[Unit]) -> list[Unit]:
    """What was asked for first; a statement of both is one, in the words of the session."""
    units = list(asked)
    seen = Known([unit.text for unit in asked])
    for unit in summed:
        if not seen.holds(unit.text):
            units.append(unit)
            seen.add(unit.text)
    return units


class _Planner:
    """Turns the statements of one session into proposals."""

    def __init__(self, desk: Desk, session: Session, messages: Sequence[Passage]) -> None:
        self._desk = desk
        self._messages = len(messages)
        self._whole = Source("session", session.id, ((1, len(messages)),) if messages else ())
        self._known = desk.known()
        self._room = {target: desk.room(target) for target in (Target.MEMORY, Target.USER)}
        self._note = _note_name(desk, session)

    def plan(self, units: list[Unit]) -> Plan:
        proposals: list[Proposal] = []
        refused: list[Done] = []
        known = 0
        for unit in units:
            if not normal(unit.text):
                continue
            if self._known.holds(unit.text):
                known += 1
                continue
            base = Proposal(Step.CONSOLIDATE, Kind.NOTE, self._note, unit.text, unit.source)
            if not unit.source.spans and self._messages:
                base = replace(base, source=self._whole, reason="No single message says so; the summary does.")
            objection = self._desk.objected(base, unit.heading)
            if objection is None and unit.retold:
                objection = self._ordered(unit, base) or self._tainted(base)
            if objection is not None:
                refused.append(objection)
                continue
            proposals += self._write(unit, base)
            self._known.add(unit.text)
        return Plan(tuple(proposals), tuple(refused), known, self._note)

    @staticmethod
    def _ordered(unit: Unit, base: Proposal) -> Done | None:
        """The refusal of an order that a tool gave, and nobody else."""
        if unit.trusted or not unit.source.spans or not is_order(unit.text):
            return None
        message = "It tells its reader what to do, and nobody but a tool says so: that is no fact."
        hint = "If it is a convention of yours, say so yourself: `inkgate tiers remember`."
        return Done(base, Outcome.REFUSED, "untrusted-order", message, hint)

    def _tainted(self, base: Proposal) -> Done | None:
        """The refusal of a statement that only poisoned messages support: a summary may have put an order into
        harmless words.
        """
        if base.source == self._whole:
            return None
        rules: dict[str, None] = {}
        for first, last in base.source.spans:
            for shown in self._desk.recall.show(base.source.name, first, last):
                poison = [rule for rule in shown.masked if not _is_secret_rule(rule)]
                if not poison:
                    return None
                rules |= dict.fromkeys(poison)
        message = f"The only messages that say so hold what the rules block ({', '.join(rules)})."
        hint = "Read the messages; if the statement is true, add it yourself."
        return Done(base, Outcome.REFUSED, "tainted-source", message, hint)

    def _write(self, unit: Unit, base: Proposal) -> list[Proposal]:
        note = _as_note(base, self._note)
        if unit.retold and not unit.source.spans and is_order(unit.text):
            reason = "It tells its reader what to do, and no single message says so."
            return [replace(base, kind=Kind.ENTRY, name="", target=unit.target, reason=reason, hold="unsupported")]
        if not unit.entry:
            return [note]
        entry = replace(base, kind=Kind.ENTRY, name="", target=unit.target, reason=base.reason or "It was asked for.")
        old = self._known.contradicted(unit.text)
        if old and old in self._desk.memory.store.read(unit.target).entries:
            reason = "It says the same as an entry, of another value. A person decides which one is true."
            return [replace(entry, kind=Kind.REPLACE_ENTRY, old_text=old, reason=reason), note]
        size = len(unit.text) + len(DELIMITER)
        if size <= self._room[unit.target]:
            self._room[unit.target] -= size
            return [entry]
        return [replace(entry, fits=False, reason="It does not fit below the cap.")]


def _is_secret_rule(name: str) -> bool:
    from inkgate.match.rules import load_rules

    rule = load_rules().by_id.get(name)
    return rule is not None and rule.category is Category.SECRET


def _as_note(proposal: Proposal, name: str) -> Proposal:
    """The statement as a line of a list that says where it comes from."""
    first, *rest = proposal.text.strip().splitlines()
    lines = [f"- {first}", *(f"  {line}" for line in rest)]
    told = f"({proposal.source.told})"
    text = f"{lines[0]} {told}" if not rest else "\n".join([*lines, f"  {told}"])
    return replace(proposal, kind=Kind.NOTE, name=name, text=text + "\n", fits=True)


def _note_name(desk: Desk, session: Session) -> str:
    """The note of a session: its day, what it is called, and a mark that no other session has."""
    from inkgate.store.recall.model import stamp

    called = " ".join(_UNSAFE.sub(" ", session.title or session.id).split())[:50].strip(" -_") or "session"
    mark = hashlib.sha256(session.id.encode()).hexdigest()[:6]
    name, part = f"{FOLDER}/{stamp(session.first)[:10]} {called} {mark}", 1
    while len(desk.notes.read(_part(name, part)) or "") > NOTE_CHARACTERS:
        part += 1
    return _part(name, part)


def _part(name: str, part: int) -> str:
    return name if part == 1 else f"{name} {part}"
