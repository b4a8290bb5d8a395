"""What the steps between tiers need of the vault and of the skills, and how the gates of both give it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

from inkgate.gate.request import Answer
from inkgate.gate.skills.gate import SkillGate
from inkgate.gate.vault import VaultGate
from inkgate.gate.vaultrequest import VaultRequest
from inkgate.store.errors import RefusalError
from inkgate.store.origin import Origin
from inkgate.store.skills import SkillAction, SkillRequest
from inkgate.store.vault.note import Note, bare

__all__ = ["GatedNotes", "GatedSkills", "Notes", "Skills"]

_SUCCESSORS = 16  # of a note whose place was taken, and of that one, and so on


class Notes(Protocol):
    """The vault, as the steps see it. Names come without their ending."""

    def texts(self) -> Iterable[tuple[str, str]]:
        """Name and text of every note that can be read."""

    def read(self, name: str) -> str | None:
        """The text of a note, front matter included; None when there is none."""

    def append(self, name: str, text: str, origin: Origin, reason: str) -> Answer[Any]:
        """Put a text at the end of a note, which is made when it is missing."""

    def replace(self, name: str, text: str, origin: Origin, reason: str) -> Answer[Any]:
        """Give a note another body; the earlier one stays reachable."""


class Skills(Protocol):
    """The skills, as the steps see them."""

    def read(self, name: str) -> str | None:
        """The `SKILL.md` of a skill; None when there is none."""

    def create(self, name: str, text: str, origin: Origin, reason: str) -> Answer[Any]:
        """Make a skill."""

    def edit(self, name: str, text: str, origin: Origin, reason: str) -> Answer[Any]:
        """Give a skill another `SKILL.md`; the earlier one stays reachable."""

    def patch(self, name: str, path: str, old: str, new: str, origin: Origin, reason: str) -> Answer[Any]:
        """Replace one piece of one file of a skill."""


class GatedNotes:
    """The vault behind its gate.

    Args:
        gate: the gate.
    """

    def __init__(self, gate: VaultGate) -> None:
        self.gate = gate

    def texts(self) -> Iterator[tuple[str, str]]:
        """Name and text of every note that stands; one that cannot be read is left to `inkgate vault verify`."""
        for note in self.gate.vault.notes({}):
            if not note.superseded_by:
                yield bare(note.name), note.text

    def read(self, name: str) -> str | None:
        """The text of a note; None when there is none, or can be none of that name."""
        note = self._note(name)
        return None if note is None else note.text

    def append(self, name: str, text: str, origin: Origin, reason: str) -> Answer[Any]:
        """Put a text at the end of a note, or of the one that has taken its place; it is made when it is missing."""
        note = self._note(name)
        for _ in range(_SUCCESSORS):
            if note is None or not note.superseded_by:
                break
            name = bare(note.superseded_by)
            note = self._note(name)
        action = "create" if note is None else "append"
        return self.gate.submit(VaultRequest(action, name, text, reason=reason, origin=origin))

    def replace(self, name: str, text: str, origin: Origin, reason: str) -> Answer[Any]:
        """Give a note another body. It is read first, so that what others write meanwhile is not overwritten."""
        note = self._note(name)
        seen = note.digest if note else None
        return self.gate.submit(VaultRequest("replace", name, text, reason=reason, origin=origin, seen=seen))

    def _note(self, name: str) -> Note | None:
        try:
            return self.gate.vault.read(name)
        except RefusalError:
            return None


class GatedSkills:
    """The skills behind their gate.

    Args:
        gate: the gate.
    """

    def __init__(self, gate: SkillGate) -> None:
        self.gate = gate

    def read(self, name: str) -> str | None:
        """The `SKILL.md` of a skill; None when there is none."""
        found = self._manifest(name)
        return found[0] if found else None

    def create(self, name: str, text: str, origin: Origin, reason: str) -> Answer[Any]:
        """Make a skill."""
        return self.gate.submit(SkillRequest(SkillAction.CREATE, name, text=text, reason=reason, origin=origin))

    def edit(self, name: str, text: str, origin: Origin, reason: str) -> Answer[Any]:
        """Give a skill another `SKILL.md`. It is read first, so that what others write meanwhile is not overwritten."""
        found = self._manifest(name)
        expected = found[1] if found else ""
        request = SkillRequest(SkillAction.EDIT, name, text=text, reason=reason, origin=origin, expected=expected)
        return self.gate.submit(request)

    def patch(self, name: str, path: str, old: str, new: str, origin: Origin, reason: str) -> Answer[Any]:
        """Replace one piece of one file of a skill."""
        request = SkillRequest(SkillAction.PATCH, name, path, new, old_text=old, reason=reason, origin=origin)
        return self.gate.submit(request)

    def _manifest(self, name: str) -> tuple[str, str] | None:
        try:
            view = self.gate.store.view(name)
        except RefusalError as problem:
            if problem.code == "no-skill":
                return None
            raise
        return (view.text or "", view.sha256)
