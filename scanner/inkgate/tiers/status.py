"""The tiers at a glance."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeVar

from inkgate.gate.gate import Gate
from inkgate.gate.skills.gate import SkillGate
from inkgate.gate.vault import VaultGate
from inkgate.model import InkgateError, Target
from inkgate.store.masking import masked_name
from inkgate.store.provenance import history
from inkgate.store.recall import RecallStore

from .desk import Desk
from .pointer import grown
from .ports import GatedNotes, GatedSkills
from .promote import candidates
from .tally import Tally

__all__ = ["Status", "look"]

_T = TypeVar("_T")
_SUBSYSTEMS = ("memory", "vault", "skills")


@dataclass(slots=True)
class Status:
    """What stands where, and what waits for whom. A part that could not be read is None, and `problems` says why.

    Attributes:
        memory: for memory and user profile: entries, characters used, the cap, superseded entries.
        vault: notes, superseded ones, conflicts in quarantine.
        skills: in use, archived, with problems.
        recall: sessions, messages.
        pending: staged writes that wait for a person, by tier; among them those of unwatched steps.
        damaged: staged writes that cannot be trusted, by tier.
        proposals: what the steps between tiers would propose now: skills, pointers, procedures that succeeded once.
        ledger: records, whether they hold, the head, when it was checked (now), and when the last write was.
        problems: one sentence each.
    """

    memory: dict[str, dict[str, int]] | None = None
    vault: dict[str, int] | None = None
    skills: dict[str, int] | None = None
    recall: dict[str, int] | None = None
    pending: dict[str, int] | None = None
    damaged: dict[str, int] | None = None
    proposals: dict[str, int] | None = None
    ledger: dict[str, Any] | None = None
    problems: list[str] = field(default_factory=list)

    @property
    def conflicts(self) -> int:
        """Texts that contradict others and wait for a person."""
        return (self.vault or {}).get("conflicts", 0)


def look(memory: Gate, vault: VaultGate, skills: SkillGate, recall: RecallStore) -> Status:
    """Look at every tier. What cannot be read is told, and does not hide the rest."""
    status = Status()

    def part(name: str, read: Callable[[], _T]) -> _T | None:
        try:
            return read()
        except InkgateError as problem:
            status.problems.append(f"{name}: {problem}")
            return None

    status.memory = part("memory", lambda: {str(target): _memory(memory, target) for target in _TARGETS})
    status.vault = part("vault", lambda: _vault(vault, status.problems))
    status.skills = part("skills", lambda: _skills(skills))
    status.recall = part("recall", lambda: _recall(recall))
    status.pending = part("pending", lambda: {name: len(memory.pending.writes(name)) for name in _SUBSYSTEMS})
    status.damaged = part("pending", lambda: {name: len(memory.pending.damaged(name)) for name in _SUBSYSTEMS})
    status.proposals = part("proposals", lambda: _proposals(memory, vault, skills, recall))
    status.ledger = part("ledger", lambda: _ledger(memory, status.problems))
    # A problem may name a file that nobody screened.
    status.problems = [masked_name(problem) for problem in status.problems]
    return status


_TARGETS = (Target.MEMORY, Target.USER)


def _memory(gate: Gate, target: Target) -> dict[str, int]:
    stored = gate.store.read(target)
    versions = history(gate.store.ledger.records(), target)
    return {
        "entries": len(stored.entries),
        "characters": stored.size,
        "cap": gate.settings.of(target).cap,
        "superseded": sum(version.superseded_by is not None for version in versions),
    }


def _vault(gate: VaultGate, problems: list[str]) -> dict[str, int]:
    found = gate.status()
    problems += [f"vault: {name}: {why}" for name, why in found.unreadable.items()]
    return {"notes": found.notes, "superseded": found.superseded, "conflicts": found.conflicts}


def _skills(gate: SkillGate) -> dict[str, int]:
    found = gate.status()
    return {"skills": found.skills, "archived": found.archived, "problems": found.problems}


def _recall(store: RecallStore) -> dict[str, int]:
    if not store.path.exists():
        return {"sessions": 0, "messages": 0}
    sessions, messages = store.counts()
    return {"sessions": sessions, "messages": messages}


def _proposals(memory: Gate, vault: VaultGate, skills: SkillGate, recall: RecallStore) -> dict[str, int]:
    desk = Desk(memory, GatedNotes(vault), GatedSkills(skills), recall)
    tally = Tally(memory.store.home / "inkgate" / "tiers.json")
    return {
        "skills": len(candidates(desk)),
        "pointers": len(grown(desk)),
        "procedures": sum(not count.raised for count in tally.all("procedure")),
    }


def _ledger(gate: Gate, problems: list[str]) -> dict[str, Any]:
    ledger = gate.store.ledger
    report = ledger.verify()
    if not report.intact:
        problems.append(f"ledger: {report.problem}")
    last = ""
    if report.intact:
        for record in ledger.records():
            last = record.at
    return {
        "records": report.records,
        "intact": report.intact,
        "head": report.head,
        "checked": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        "last_write": last,
    }
