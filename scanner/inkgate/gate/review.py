"""What a person does with staged writes, refused texts and earlier versions. Every function needs a `Reviewer`.

A reviewer is made by a channel that a model's tool call does not have: a terminal, or a host's own command handler.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace

from inkgate.model import Category, InkgateError, ScanResult, Target
from inkgate.store.chain import Draft
from inkgate.store.errors import StoreError
from inkgate.store.origin import Origin
from inkgate.store.plan import Action, Operation
from inkgate.store.provenance import Version, history

from .arguments import from_arguments, target_of
from .decided import refuse_decided
from .gate import SUBSYSTEM, Gate, Reviewer
from .pending import PendingWrite
from .request import Decision, Outcome, Request

__all__ = ["accept", "apply_write", "approve", "diff", "edit_of", "purge", "reject", "restore"]


def approve(gate: Gate, pending_id: str, reviewer: Reviewer) -> Decision:
    """Apply a staged memory write as it was shown, scanned again under today's rules; it stays staged when it fails.

    Raises:
        PendingError: there is no such write, it has expired, its record was changed, or it was decided before.
    """
    write = gate.pending.get(SUBSYSTEM, pending_id)
    decision = apply_write(gate, write, reviewer)
    if decision.saved:
        gate.pending.remove(SUBSYSTEM, pending_id)
    return decision


def apply_write(gate: Gate, write: PendingWrite, reviewer: Reviewer) -> Decision:
    """Apply a staged write that was read from the store just now, and leave its record to the caller.

    Raises:
        PendingError: it was decided before.
    """
    refuse_decided(gate.store.ledger, write)
    request = from_arguments(write.payload, write.origin, pinned=True)
    unpinned = any(step.action is not Action.ADD and step.pinned is None for step in request.operations)
    if unpinned:
        message = (
            "This destructive pending write predates entry pinning and cannot be verified; nothing was applied. Reject"
            " it and let it be proposed again."
        )
        return Decision(Outcome.REFUSED, request, "unpinned", message)
    decision = gate.replay(request, reviewer)
    if decision.saved:
        _record(gate, "approve", str(request.target), reviewer, {"pending": write.id})
    return decision


def reject(gate: Gate, pending_id: str, reviewer: Reviewer, *, subsystem: str = SUBSYSTEM) -> None:
    """Drop a staged write, trustworthy or not.

    Raises:
        PendingError: there is none with this id.
    """
    gate.pending.remove(subsystem, pending_id)
    _record(gate, "reject", subsystem, reviewer, {"pending": pending_id})


def diff(gate: Gate, write: PendingWrite) -> str:
    """The full change of a staged write as a unified diff, with secrets masked, and whether its entries still stand."""
    import difflib

    standing = _standing(gate, write)
    steps = write.payload.get("operations") or [write.payload]
    pieces = []
    for number, step in enumerate(steps, 1):
        before, after = edit_of(step)
        name = f"{step.get('action', write.action)} {write.payload.get('target', '')} {number}".rstrip()
        state = "as it stands" if not before or before in standing else "as it was staged; it stands no more"
        standing.add(after.strip())  # a later step may be about it
        lines = difflib.unified_diff(
            _masked(gate, before),
            _masked(gate, after),
            f"{name} ({state})",
            f"{name} (proposed)",
            lineterm="",
            n=99,
        )
        pieces.append("\n".join(lines))
    return "\n".join(pieces)


def _standing(gate: Gate, write: PendingWrite) -> set[str]:
    try:
        return set(gate.store.read(target_of(write.payload.get("target"))).entries)
    except StoreError:
        return set()


def edit_of(step: Mapping[str, object]) -> tuple[str, str]:
    """The text before and after one step of a payload."""
    before = step.get("matched_entry")
    after = step.get("content")
    return (before if isinstance(before, str) else "", after if isinstance(after, str) else "")


def _masked(gate: Gate, text: str) -> list[str]:
    return gate.screener.masked(text, Target.MEMORY).splitlines()


def accept(gate: Gate, target: Target, text: str, reviewer: Reviewer) -> ScanResult:
    """Remember that a person has read a refused text and accepts it, until the rules change. Saves nothing.

    Raises:
        InkgateError: nothing refuses this text, or it could not be read to its end.
    """
    entry = text.strip()
    result = gate.screener.scan(entry, target)
    if not result.complete:
        raise InkgateError("The text could not be read to its end; it cannot be accepted.")
    if not result.findings:
        raise InkgateError("No rule refuses this text; it can be saved as it is.")
    if target is Target.SKILL and any(item.category is Category.SECRET for item in result.findings):
        raise InkgateError("A skill never holds a credential; this text cannot be accepted.")
    digest = gate.accepted.add(target, entry, result.ruleset, by=reviewer.name, at=time.time())
    rules = tuple(dict.fromkeys(item.rule for item in result.findings))
    draft = Draft("accept", target, _origin(reviewer), rules=rules, ruleset=result.ruleset, facts={"digest": digest})
    gate.store.ledger.append([draft])
    return result


def restore(gate: Gate, target: Target, version_id: str, reviewer: Reviewer) -> Decision:
    """Bring an earlier version back: in the place of its last successor when that still stands, else as a new entry.

    Raises:
        InkgateError: there is no such version, it stands already, or it was purged.
    """
    versions = history(gate.store.ledger.records(), target)
    version = next((item for item in versions if item.id == version_id), None)
    if version is None:
        raise InkgateError(f"There is no version {version_id} of {target}.", hint="See `inkgate memory history`.")
    if version.text is None:
        raise InkgateError(f"Version {version_id} was purged.")
    entries = gate.store.read(target).entries
    if version.text in entries:
        raise InkgateError(f"Version {version_id} stands already.")
    successor = _last_successor(versions, version)
    operation = Operation(Action.ADD, version.text)
    if successor in entries:
        operation = Operation(Action.REPLACE, version.text, successor or "", successor)
    origin = replace(_origin(reviewer), source=f"history:{version_id}")
    return gate.replay(Request(target, (operation,), origin=origin), reviewer)


def _last_successor(versions: list[Version], version: Version) -> str | None:
    seen: set[str] = set()
    text = version.successor
    while text is not None and text not in seen:
        seen.add(text)
        later = next((item for item in reversed(versions) if item.text == text), None)
        if later is None or later.successor is None:
            return text
        text = later.successor
    return text


def purge(gate: Gate, text: str, reviewer: Reviewer, reason: str) -> dict[str, list[str]]:
    """Erase a leaked text from the ledger's bodies, from copies, versions of skills, staged writes and recall.

    Memory files, notes and skills themselves are left to their tools, and what was set aside damaged to a person: the
    answer names those that still hold the text.

    Returns what was erased and what still holds the text, by kind.

    Raises:
        InkgateError: the text is shorter than four characters, which would erase too much.
    """
    if len(text.strip()) < 4:
        raise InkgateError("The text to purge must have at least four characters.")
    done: dict[str, list[str]] = {"records": [], "copies": [], "pending": [], "still_in": []}
    done["records"] = [str(seq) for seq in gate.store.ledger.purge(text, _origin(reviewer), reason)]
    gate.store.sweep()
    gate.pending.sweep()
    for write in gate.pending.writes(SUBSYSTEM):
        if any(text in part for step in write.payload.get("operations") or [write.payload] for part in edit_of(step)):
            gate.pending.remove(SUBSYSTEM, write.id)
            done["pending"].append(write.id)
    done["still_in"] = [
        gate.store.path(target).name
        for target in gate.settings.caps
        if text in "\n".join(gate.store.read(target).entries)
    ]
    from .purgerest import purge_copies, purge_rest
    from .skills.purge import purge_skills
    from .vaultpurge import purge_vault

    done["copies"] = purge_copies(gate, text)
    for found in (purge_skills(gate.store.home, text, gate.pending), purge_vault(gate, text), purge_rest(gate, text)):
        for kind, names in found.items():
            done[kind] += names
    return done


def _origin(reviewer: Reviewer) -> Origin:
    return Origin(reviewer.name, reviewer.channel)


def _record(gate: Gate, event: str, key: str, reviewer: Reviewer, facts: dict[str, object]) -> None:
    gate.store.ledger.append([Draft(event, key, _origin(reviewer), facts=facts)])
