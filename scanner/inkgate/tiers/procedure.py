"""From a session to a skill: the second time the same procedure succeeds, it is written down, in that turn."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from .desk import Desk
from .model import Done, Kind, Proposal, Source, Step, TierError
from .skilltext import name_of, procedure, with_variant
from .tally import Count

__all__ = ["SUCCESSES", "Success", "signature", "succeeded"]

SUCCESSES = 2  # the success that raises the proposal

# What differs from one run to the next of the same procedure.
_VARYING = (
    (re.compile(r"https?://\S+"), "<url>"),
    (re.compile(r"\b[0-9a-f]{7,64}\b"), "<hash>"),
    (re.compile(r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?\S*)?"), "<date>"),
    (re.compile(r"(['\"`]).*?\1"), "<text>"),
    (re.compile(r"(?<![\w<])(?:~|\.{1,2})?/[\w./@+~-]+"), "<path>"),
    (re.compile(r"\bv?\d+(?:[.:,]\d+)*\b"), "<number>"),
)


@dataclass(frozen=True, slots=True)
class Success:
    """What the report of a success led to.

    Attributes:
        count: how often the procedure has succeeded, and where.
        done: what became of the proposal that this success raised; None when it raised none.
    """

    count: Count
    done: Done | None = None


def signature(steps: Sequence[str]) -> str:
    """What names a procedure: its steps in order, without the numbers, dates, paths, hashes and quoted texts that vary.

    Raises:
        TierError: there is no step.
    """
    lines = []
    for step in steps:
        line = unicodedata.normalize("NFKC", step).strip()
        for pattern, name in _VARYING:
            line = pattern.sub(name, line)
        lines.append(" ".join(line.casefold().split()))
    if not any(lines):
        raise TierError("A procedure needs at least one step.")
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def succeeded(desk: Desk, name: str, when: str, steps: Sequence[str], source: Source) -> Success:
    """Count a success; the second one writes the skill, or adds this way to the skill of that name.

    The same run of messages counts once, and the proposal is raised once; when its write is refused for a reason that
    can pass (a disk, a lock), the next success raises it again.

    Args:
        desk: the tiers.
        name: what the procedure is called; becomes the name of the skill.
        when: when to use it, a sentence or two.
        steps: what was done, in order.
        source: the run of messages in which it succeeded.

    Raises:
        TierError: there is no name, no step or no word on when to use it.
        StoreError: the counts could not be read or written.
    """
    skill = name_of(name)
    if not when.strip():
        raise TierError("A skill has to say when it is used.")
    desk.check_names(name, when, source.told)
    mark = signature(steps)
    count, now = desk.tally.add("procedure", mark, source.told, raise_at=SUCCESSES, skill=skill)
    if not now:
        return Success(count)
    try:
        done = desk.apply(_proposal(desk, count, when, steps, source))
    except BaseException:
        desk.tally.settle("procedure", mark, raised=False)
        raise
    if done.outcome == "failed":
        desk.tally.settle("procedure", mark, raised=False)
    return Success(count, done)


def _proposal(desk: Desk, count: Count, when: str, steps: Sequence[str], source: Source) -> Proposal:
    there = desk.skills.read(count.skill)
    reason = f"It succeeded {len(count.seen)} times: {'; '.join(count.seen)}."
    if there is None:
        text = procedure(count.skill, when, steps, count.seen)
        return Proposal(Step.PROCEDURE, Kind.SKILL, count.skill, text, source, reason=reason)
    text = with_variant(there, steps, count.seen)
    return Proposal(Step.PROCEDURE, Kind.EDIT_SKILL, count.skill, text, source, old_text=there, reason=reason)
