"""Who wrote, from what, in which session."""

from __future__ import annotations

from collections.abc import Mapping

from inkgate.lean import Any, dataclass

__all__ = ["OUTSIDE", "Origin"]


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a write comes from.

    Attributes:
        author: the person, agent or model that wrote.
        source: what it was taken from: `tool`, a path, a URL, a message id.
        session: id of the session, or empty.
        background: written by an unattended process, such as a review after the turn.
        attended: a person asked for this background run and watches it.
    """

    author: str = "agent"
    source: str = "tool"
    session: str = ""
    background: bool = False
    attended: bool = False

    @property
    def unattended(self) -> bool:
        """Whether nobody watches this writer."""
        return self.background and not self.attended

    def to_dict(self) -> dict[str, Any]:
        """As JSON values; flags only when set."""
        values: dict[str, Any] = {"author": self.author, "source": self.source, "session": self.session}
        if self.background:
            values["background"] = True
        if self.attended:
            values["attended"] = True
        return values

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Origin:
        """Back from JSON values; what is missing or of the wrong type is empty."""

        def word(name: str) -> str:
            value = values.get(name, "")
            return value if isinstance(value, str) else ""

        return cls(
            word("author"), word("source"), word("session"),
            values.get("background") is True, values.get("attended") is True,
        )  # fmt: skip


OUTSIDE = Origin(author="unknown", source="outside")  # whoever edits the file without the gate
