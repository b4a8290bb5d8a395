"""What moves between the tiers: a proposal, where its text comes from, and what became of it."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from inkgate.gate.request import Outcome
from inkgate.model import Finding, InkgateError, Target

__all__ = ["Done", "Kind", "Proposal", "Source", "Step", "TierError"]


class TierError(InkgateError):
    """A step between tiers cannot be taken as it was asked for. Nothing was changed."""


class Step(enum.StrEnum):
    """Which way a text goes."""

    CONSOLIDATE = "consolidate"  # session to durable
    PROCEDURE = "procedure"  # session to skill
    PROMOTE = "promote"  # durable to skill
    DRIFT = "drift"  # skill to durable
    POINTER = "pointer"  # memory to note, with a pointer left behind


class Kind(enum.StrEnum):
    """What is to be written."""

    ENTRY = "entry"  # a new entry of the memory or the user profile
    REPLACE_ENTRY = "replace-entry"
    NOTE = "note"  # a text at the end of a note, which is made when it is missing
    REPLACE_NOTE = "replace-note"
    SKILL = "skill"  # a new skill
    EDIT_SKILL = "edit-skill"
    PATCH_SKILL = "patch-skill"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a text comes from.

    Attributes:
        what: `session`, `note`, `skill`, `memory` or `user`.
        name: id of the session, name of the note or skill; empty for the memory.
        spans: for a session, the first and the last number of each run of messages; empty for all of it.
        roles: who said it there, without repeats.
    """

    what: str
    name: str = ""
    spans: tuple[tuple[int, int], ...] = ()
    roles: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """The source in words, as it stands in provenance."""
        where = f"{self.what} {self.name}".strip()
        if not self.spans:
            return where
        runs = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in self.spans)
        many = len(self.spans) > 1 or self.spans[0][0] != self.spans[0][1]
        return f"{where}, message{'s' if many else ''} {runs}"


@dataclass(frozen=True, slots=True)
class Proposal:
    """One write that a step between tiers proposes.

    Attributes:
        step: which way the text goes.
        kind: what is to be written.
        name: the note or the skill; empty for the memory.
        text: the new text.
        source: where it comes from.
        target: for entries, memory or user profile.
        old_text: for replacing and patching, what stands there.
        reason: why, in words of this program or of the caller.
        fits: whether it fits its cap; one that does not is staged for a person.
        path: for a skill, the file in it; `SKILL.md` when empty.
        hold: for an entry, why it waits for a person in any case; empty when it need not.
    """

    step: Step
    kind: Kind
    name: str
    text: str
    source: Source
    target: Target = Target.MEMORY
    old_text: str = ""
    reason: str = ""
    fits: bool = True
    path: str = ""
    hold: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    """What became of a proposal.

    Attributes:
        proposal: the proposal.
        outcome: what the gate, or the tier before it, made of it.
        code: a stable word for programs, such as `never-secret`, `fixed-core`, `over-cap`, `rule`.
        message: what to tell the caller; holds neither the text nor a secret.
        hint: what to do about it.
        pending_id: id of the staged write.
        findings: what the rules said.
    """

    proposal: Proposal
    outcome: Outcome
    code: str = ""
    message: str = ""
    hint: str = ""
    pending_id: str = ""
    findings: tuple[Finding, ...] = field(default=())

    @property
    def kept(self) -> bool:
        """Whether the text is in durable storage, or waits for a person."""
        return self.outcome in (Outcome.SAVED, Outcome.UNCHANGED, Outcome.STAGED)
