"""What a tier's gate is asked, what that means for the files, and what the gate answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Protocol, TypeVar

from inkgate.lean import dataclass, field
from inkgate.store.edit import Edit
from inkgate.store.errors import RefusalError
from inkgate.store.origin import Origin

from .request import Answer

__all__ = ["Planned", "TierDecision", "TierRequest", "edit_diff"]


class TierRequest(Protocol):
    """What a request for a tier has at least."""

    @property
    def action(self) -> str:
        """What to do, such as `create`."""

    @property
    def name(self) -> str:
        """The note or skill that it concerns."""

    @property
    def origin(self) -> Origin:
        """Who asks, from which source."""

    @property
    def adds(self) -> bool:
        """Whether it only adds: an unattended writer may do it without a person."""

    @property
    def pieces(self) -> Mapping[str, str]:
        """The texts that the writer brings, by the names of the arguments: the text, and also names and reasons."""


Q = TypeVar("Q", bound=TierRequest)


@dataclass(frozen=True, slots=True)
class Planned:
    """What a request means for the files.

    Attributes:
        edits: the files as they will stand, in the order of writing.
        keeps: whether all that stands is still there word for word (see the setting `unattended.preserve`).
        facts: for the ledger; never a text.
        details: for the answer.
        refusal: set when the request cannot be carried out, and the edits only set aside what would else be lost: they
            are screened and written, and the answer is this refusal.
    """

    edits: tuple[Edit, ...]
    keeps: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)
    refusal: RefusalError | None = None


@dataclass(frozen=True, slots=True)
class TierDecision(Answer[Q]):
    """The answer of a tier's gate.

    Attributes:
        piece: name of the argument that the findings are about; empty for a resulting file.
        path: name of the resulting file that the findings are about; empty for an argument.
        paths: names of the files that were written.
        records: numbers of the ledger's records of the change.
        digests: of those files as they were written; what a writer has `seen` when it goes on with one of them.
    """

    piece: str = ""
    path: str = ""
    paths: tuple[str, ...] = ()
    records: tuple[int, ...] = ()
    digests: tuple[str, ...] = ()


def edit_diff(edits: Iterable[Edit], masked: Callable[[str], str]) -> str:
    """The edits as unified diffs, with the secrets of every text masked."""
    import difflib

    pieces: list[str] = []
    for edit in edits:
        after = masked(edit.after)
        before = after if edit.source else masked((edit.before or b"").decode("utf-8"))
        titles = (f"{edit.source or edit.path} (as it stands)", f"{edit.path} (proposed)")
        lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), *titles, lineterm=""))
        pieces += lines or [f"--- {titles[0]}", f"+++ {titles[1]}"]
    return "\n".join(pieces)
