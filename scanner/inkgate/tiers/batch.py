"""Many lines of one note in few writes. Each is judged by itself all the same; one that is refused stops no other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from inkgate.gate.request import Outcome

from .model import Done, Proposal, Source

if TYPE_CHECKING:
    from .desk import Desk

__all__ = ["append_all"]

_CHARACTERS = 20_000  # of one write
_RUNS = 12  # runs of messages that the source of one write names; each line names its own


def append_all(desk: Desk, proposals: Sequence[Proposal]) -> list[Done]:
    """Append the texts of proposals for one note, in order, and record what became of each.

    What the gate refuses as a whole is halved until the line is alone that is to blame: it is answered as if it had
    come alone, and the others are written.
    """
    done: list[Done] = []
    clean: list[Proposal] = []
    size = 0
    for proposal in proposals:
        refused = desk.refusal(proposal)
        if refused is not None or size + len(proposal.text) > _CHARACTERS:
            done += _append(desk, clean)
            clean, size = [], 0
        if refused is not None:
            done.append(refused)
        else:
            clean.append(proposal)
            size += len(proposal.text)
    return desk.record([*done, *_append(desk, clean)])


def _append(desk: Desk, proposals: Sequence[Proposal]) -> list[Done]:
    if len(proposals) <= 1:
        return [desk.submit(proposal) for proposal in proposals]
    text = "".join(proposal.text for proposal in proposals)
    joined = replace(proposals[0], text=text, source=_merged(proposals), reason=f"{len(proposals)} statements.")
    answer = desk.submit(joined)
    if answer.outcome in (Outcome.SAVED, Outcome.UNCHANGED) or answer.code == "approval":
        return [replace(answer, proposal=proposal) for proposal in proposals]
    half = len(proposals) // 2
    return [*_append(desk, proposals[:half]), *_append(desk, proposals[half:])]


def _merged(proposals: Sequence[Proposal]) -> Source:
    """One source for all: their runs of messages, or what spans them where they are many."""
    runs = sorted({span for proposal in proposals for span in proposal.source.spans})
    if len(runs) > _RUNS:
        runs = [(runs[0][0], max(last for _, last in runs))]
    roles = dict.fromkeys(role for proposal in proposals for role in proposal.source.roles)
    return replace(proposals[0].source, spans=tuple(runs), roles=tuple(roles))
