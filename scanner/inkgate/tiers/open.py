"""The tiers of a home, opened for steps and for a look."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from inkgate.gate.gate import Gate
from inkgate.gate.settings import Settings
from inkgate.gate.skills.gate import SkillGate
from inkgate.gate.vault import VaultGate
from inkgate.store.recall import RecallStore

from .desk import Desk
from .ports import GatedNotes, GatedSkills
from .status import Status, look

__all__ = ["RECALL", "Tiers"]

RECALL = "inkgate/recall.db"


@dataclass(frozen=True, slots=True)
class Tiers:
    """Every tier of one home, each behind its gate.

    Attributes:
        memory: the memory's gate.
        vault: the vault's gate.
        skills: the gate of the skills.
        recall: the sessions.
    """

    memory: Gate
    vault: VaultGate
    skills: SkillGate
    recall: RecallStore

    @classmethod
    def of(cls, home: Path, settings: Settings | None = None, *, vault: Path | None = None, **more: Any) -> Tiers:  # noqa: ANN401 - keyword arguments of the gates
        """The tiers of a home.

        Args:
            home: the home folder.
            settings: the operator's settings.
            vault: the folder of the vault; that of the settings when None.
            more: `durability` and `lock_seconds` for every tier.
        """
        settings = settings or Settings()
        memory = Gate(home, settings=settings, **more)
        return cls(
            memory,
            VaultGate(home, vault, settings=settings, **more),
            SkillGate(home, settings=settings, **more),
            RecallStore(home / RECALL, scan=memory.screener.scan, **more),
        )

    def desk(self, *, author: str = "agent", attended: bool = False) -> Desk:
        """Where steps between the tiers are carried out."""
        notes, skills = GatedNotes(self.vault), GatedSkills(self.skills)
        return Desk(self.memory, notes, skills, self.recall, author=author, attended=attended)

    def status(self) -> Status:
        """The tiers at a glance."""
        return look(self.memory, self.vault, self.skills, self.recall)
