"""From a skill to durable storage: when a skill is patched for drift, the changed fact is written down in the vault.

The skill keeps the rule; what the world is like now, what it was like before and how that was noticed is a fact.
"""

from __future__ import annotations

from .desk import Desk
from .model import Done, Kind, Proposal, Source, Step, TierError

__all__ = ["FOLDER", "drifted"]

FOLDER = "Facts"


def drifted(
    desk: Desk, skill: str, old: str, new: str, fact: str, reason: str, source: Source, *, path: str = ""
) -> list[Done]:
    """Record a changed fact in the vault, and patch the skill.

    The fact comes first: it holds whatever becomes of the patch. A fact that is not kept leaves the skill as it is.

    Args:
        desk: the tiers.
        skill: its name.
        old: the piece of the skill that does not hold any more.
        new: what takes its place.
        fact: what has changed, a sentence.
        reason: how it was noticed.
        source: where: the session and its messages.
        path: the file of the skill; `SKILL.md` when empty.

    Raises:
        TierError: there is no such skill, the piece is not in it, or a text is missing.
    """
    text = desk.skills.read(skill)
    if text is None:
        raise TierError("There is no such skill.")
    if not (old.strip() and fact.strip() and reason.strip()):
        raise TierError("A drift needs the old piece, the fact that has changed, and how it was noticed.")
    if not path and old not in text:
        raise TierError("The old piece does not stand in the skill.", hint="Give it exactly as it stands there.")
    line = (
        f"- {' '.join(fact.split())} Noticed: {' '.join(reason.split()).rstrip('.')}. ({source.told}; skill {skill})\n"
    )
    note = Proposal(Step.DRIFT, Kind.NOTE, f"{FOLDER}/Skill {skill}", line, source, reason=reason)
    kept = desk.apply(note)
    if not kept.kept:
        return [kept]
    patch = Proposal(Step.DRIFT, Kind.PATCH_SKILL, skill, new, source, old_text=old, reason=reason, path=path)
    return [kept, desk.apply(patch)]
