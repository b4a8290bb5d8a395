"""What a writer asks the vault's gate for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from inkgate.store.errors import RefusalError
from inkgate.store.origin import Origin
from inkgate.store.vault.note import note_name

__all__ = ["ACTIONS", "RESOLVE", "VaultRequest"]

ACTIONS = ("create", "append", "replace", "section", "rename", "supersede")
RESOLVE = "resolve"  # a person's action, never a writer's

_FIELDS: Mapping[str, type] = {
    "action": str, "name": str, "text": str, "heading": str, "to": str, "reason": str, "links": bool, "seen": str,
    "keep": str, "to_seen": str,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class VaultRequest:
    """One write.

    Attributes:
        action: create, append, replace, section, rename or supersede.
        name: the note, from the root of the vault; its ending `.md` may be left out.
        text: what is written; for supersede the successor's text, or nothing when the successor is there.
        heading: for section: the title of its heading, with its marks or its path (`Above#Title`) where titles repeat.
        to: for rename the new name, for supersede the successor's.
        reason: why, for the ledger.
        origin: who asks, from which source.
        seen: digest of the note as the writer has read it, empty when there was none; None when it was not read. A
            note that is not so any more is not changed: the text is set aside.
        links: for rename: whether links to the old name are changed in the other notes.
        keep: for resolve: original, quarantined, both or text.
        to_seen: digest of the note `to` as it was shown to whoever decided, empty when there was none; None when nobody
            was asked.
    """

    action: str
    name: str
    text: str = ""
    heading: str = ""
    to: str = ""
    reason: str = ""
    origin: Origin = field(default_factory=Origin)
    seen: str | None = None
    links: bool = False
    keep: str = ""
    to_seen: str | None = None

    @property
    def adds(self) -> bool:
        """Whether it only adds: what stands in the vault is as before."""
        return self.action in ("create", "append")

    @property
    def pieces(self) -> Mapping[str, str]:
        """The texts that the writer brings."""
        brought = {
            "text": self.text, "reason": self.reason, "to": self.to, "heading": self.heading, "keep": self.keep,
            "author": self.origin.author, "source": self.origin.source,
        }  # fmt: skip
        if self.action == "create":
            brought["name"] = self.name
        return brought

    def checked(self) -> VaultRequest:
        """The request with whole names.

        Raises:
            RefusalError: `action`, `bad-name`, `reserved`, or `no-provenance`: author or source is missing.
        """
        from dataclasses import replace

        if self.action not in (*ACTIONS, RESOLVE):
            raise RefusalError("action", "There is no such action.", hint=f"Use {', '.join(ACTIONS)}.")
        if not (self.origin.author.strip() and self.origin.source.strip()):
            raise RefusalError("no-provenance", "A note needs an author and a source. Nothing was saved.")
        name = self.name if self.action == RESOLVE else note_name(self.name)
        return replace(self, name=name, to=note_name(self.to) if self.to else "")

    def payload(self, seen: str, to_seen: str) -> dict[str, Any]:
        """As JSON values, without the origin.

        Args:
            seen: digest of the note as it is shown to whoever decides.
            to_seen: that of the note `to`.
        """
        return {**{name: getattr(self, name) for name in _FIELDS}, "seen": seen, "to_seen": to_seen}

    @classmethod
    def restored(cls, payload: Mapping[str, Any], origin: Origin) -> VaultRequest:
        """Back from JSON values.

        Raises:
            RefusalError: `shape`: something is missing, too much, or of the wrong type.
        """
        if payload.keys() != _FIELDS.keys() or any(
            not isinstance(payload[name], kind) for name, kind in _FIELDS.items()
        ):
            raise RefusalError("shape", "The staged write does not have the form of a change of a note.")
        return cls(origin=origin, **payload)
