"""The gate of the vault: what a request makes of the notes, what lands in quarantine, and why something is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inkgate.model import Target
from inkgate.store.edit import GONE, Edit, digest
from inkgate.store.errors import NotUnderstoodError, RefusalError
from inkgate.store.files import LOCK_SECONDS, Durability
from inkgate.store.names import aside_name
from inkgate.store.origin import OUTSIDE, Origin
from inkgate.store.transaction import Transaction
from inkgate.store.vault import changes
from inkgate.store.vault.changes import Changed, Stamp
from inkgate.store.vault.note import Note, pointer
from inkgate.store.vault.properties import with_properties
from inkgate.store.vault.vault import Vault, tier_of

from . import vaultlinks
from .gate import Approver
from .request import Outcome
from .screened import Scanner
from .settings import Settings
from .tier import TierGate
from .tierplan import Planned, TierDecision
from .vaultrequest import RESOLVE, VaultRequest
from .vaultwork import Work

__all__ = ["VaultGate", "VaultStatus"]


@dataclass(frozen=True, slots=True)
class VaultStatus:
    """The vault at a glance.

    Attributes:
        root: its folder.
        notes: how many notes there are, superseded ones included.
        superseded: how many of them have a successor.
        conflicts: how many texts wait in quarantine.
        pending: how many writes are staged.
        unreadable: names of the files that cannot be read, and why.
    """

    root: Path
    notes: int
    superseded: int
    conflicts: int
    pending: int
    unreadable: Mapping[str, str]


class VaultGate(TierGate[VaultRequest]):
    """Guards the notes of one vault.

    Args:
        home: the home folder: ledger, staged writes, key.
        root: the vault; the one of the settings when None, which is `vault` in the home by default.
        settings: the operator's settings.
        scan: the scanner; the built-in one under the settings' policy when None.
        approver: asks a person who is present; None where there is none.
        durability: how much is synced before a write is acknowledged.
        lock_seconds: how long to wait for another writer.
    """

    subsystem = "vault"
    target = Target.VAULT

    def __init__(
        self,
        home: Path,
        root: Path | None = None,
        *,
        settings: Settings | None = None,
        scan: Scanner | None = None,
        approver: Approver | None = None,
        durability: Durability = Durability.FULL,
        lock_seconds: float = LOCK_SECONDS,
    ) -> None:
        settings = settings or Settings()
        super().__init__(
            home, root or settings.root(Target.VAULT, home), settings=settings, scan=scan, approver=approver,
            durability=durability, lock_seconds=lock_seconds,
        )  # fmt: skip
        self.vault = Vault(self.documents.root, home, documents=self.documents)

    def status(self) -> VaultStatus:
        """Counts for a glance; reads the front matter of every note."""
        unreadable: dict[str, str] = {}
        notes = list(self.vault.notes(unreadable))
        return VaultStatus(
            self.vault.root,
            len(notes) + len(unreadable),
            sum(bool(note.superseded_by) for note in notes),
            len(self.vault.conflicts(unreadable)),
            len(self.pending.writes(self.subsystem)),
            unreadable,
        )

    # --- what the gate asks ------------------------------------------------------------------------------------------

    def submit(self, request: VaultRequest) -> TierDecision[VaultRequest]:
        """Decide on a write; a conflict is resolved by a person only (`replay`)."""
        if request.action == RESOLVE:
            return self._recorded(request, Outcome.REFUSED, "needs-person", "A conflict is resolved by a person.")
        return super().submit(request)

    def checked(self, request: VaultRequest) -> VaultRequest:
        """The request with whole names."""
        return request.checked()

    def payload(self, request: VaultRequest, planned: Planned) -> dict[str, Any]:
        """The request, pinned to the notes as they were read."""
        shown = request.payload(str(planned.facts["base"]), str(planned.facts.get("to_base", GONE)))
        return {**shown, "root": str(self.vault.root)}

    def restore(self, payload: Mapping[str, Any], origin: Origin) -> VaultRequest:
        """The request of a staged payload."""
        if payload.get("root") != str(self.vault.root):
            raise RefusalError("shape", "The staged write is for another vault.")
        return VaultRequest.restored({name: value for name, value in payload.items() if name != "root"}, origin)

    def tier(self, root: Path) -> str:
        """As the vault says."""
        return tier_of(root, self.home)

    def summary(self, request: VaultRequest) -> str:
        """One line about a request, with secrets masked."""
        where = " ".join(filter(None, (request.name, request.heading, request.to and f"-> {request.to}")))
        return self.screener.masked(f"{request.action} {where}: {request.text}".removesuffix(": "), self.target)

    def plan(self, transaction: Transaction, request: VaultRequest) -> Planned:
        """The notes as the request makes them."""
        steps: dict[str, Callable[[Work], Planned]] = {
            "create": _create, "append": _append, "replace": _replace, "section": _section,
            "rename": _rename, "supersede": _supersede, RESOLVE: _resolve,
        }  # fmt: skip
        other = {"to_base": digest(transaction.read(request.to))} if request.to else {}
        if request.to_seen is not None and request.to_seen != other.get("to_base", GONE):
            hint = "Look at both notes, and ask for it again."
            raise RefusalError("changed", f"The note {request.to} is not as it was shown.", hint=hint)
        work = Work(self.vault, transaction, request)
        planned = steps[request.action](work)
        cap = self.settings.of(self.target).cap
        for edit in planned.edits:
            if cap and len(edit.after) > max(cap, len((edit.before or b"").decode("utf-8"))):
                raise RefusalError("over-cap", f"{len(edit.after):,} characters do not fit into {cap:,}.")
        facts = {**planned.facts, **other, "base": digest(transaction.read(request.name))}
        return replace(planned, facts=facts | ({"reason": request.reason} if request.reason else {}))


def _create(work: Work) -> Planned:
    request = work.request
    text = changes.check_text(request.text)
    note = work.note(request.name)
    if note is not None:
        return Planned(()) if changes.same_content(note.text, text) else _set_aside(work, note)
    if work.stale(note):
        raise RefusalError("changed", "The note that was read is gone.", hint="Create it without `seen`.")
    work.free(request.name)
    return Planned((work.edit(request.name, changes.create(text, work.stamp)),))


def _changed(work: Work, make: Callable[[Note, Stamp], Changed]) -> Planned:
    """A change of one note that stands."""
    note = work.note(work.request.name)
    if note is not None and work.stale(note):
        return _set_aside(work, note)
    note = work.standing(work.request.name)
    changed = make(note, work.first(note.name))
    return Planned((work.edit(note.name, changed),), keeps=changed.keeps)


def _append(work: Work) -> Planned:
    text = changes.check_text(work.request.text)
    return _changed(work, lambda note, first: changes.append(note.text, text, work.stamp, first))


def _replace(work: Work) -> Planned:
    text = changes.check_text(work.request.text)
    note = work.note(work.request.name)
    if note is not None and not note.superseded_by and changes.same_content(note.text, text):
        return Planned(())
    return _changed(work, lambda note, first: changes.replace(note.text, text, work.stamp, first))


def _section(work: Work) -> Planned:
    heading, text = work.request.heading, changes.check_text(work.request.text, empty=True)
    if not heading.strip():
        raise RefusalError("no-heading", "The heading of the section is missing.")
    return _changed(work, lambda note, first: changes.replace_section(note.text, heading, text, work.stamp, first))


def _supersede(work: Work) -> Planned:
    request = work.request
    if not request.to or request.to == request.name:
        raise RefusalError("no-successor", "Say which other note takes its place.")
    old = work.note(request.name)
    if work.stale(old):
        raise RefusalError("changed", "The note is not as it was read.", hint="Read it again.")
    old = work.standing(request.name)
    new = work.note(request.to)
    if request.text and new is not None and not changes.same_content(new.text, request.text):
        return _set_aside(work.also(replace(request, name=request.to, action="replace")), new)
    if new is None:
        work.free(request.to)
        if not request.text:
            hint = "There is no note of the successor's name: give its text too, to have it written."
            raise NotUnderstoodError("The text cannot be empty.", hint=hint)
        made = changes.create(changes.check_text(request.text), work.stamp)
        base, fresh = made.text, made.fresh
    else:
        base, fresh = work.standing(request.to).text, (0, 0)
    changed = changes.supersedes(base, pointer(old.name), work.stamp, work.first(request.to), made=new is None)
    grown = len(changed.text) - len(base)
    successor = Changed(changed.text, (fresh[0] + grown, fresh[1] + grown) if fresh[1] else (0, 0))
    return Planned(
        (
            work.edit(request.to, successor),
            work.edit(old.name, changes.superseded(old.text, pointer(request.to), work.first(old.name))),
        ),
        facts={"successor": request.to},
    )


def _rename(work: Work) -> Planned:
    request = work.request
    old = work.note(request.name)
    if old is None:
        work.standing(request.name)
    assert old is not None
    if work.stale(old):
        raise RefusalError("changed", "The note is not as it was read.", hint="Read it again.")
    if not request.to or request.to == request.name:
        raise RefusalError("no-name", "Say what the new name is.")
    if work.note(request.to) is not None:
        raise RefusalError("exists", "A note has that name already.", hint="Use supersede, or another name.")
    work.free(request.to, but=request.name)
    texts, told = vaultlinks.renamed(work.vault, work.transaction, old, request.to, everywhere=request.links)
    edits = [Edit(request.to, None, texts.pop(old.name, old.text), source=old.name)]
    edits += [Edit(name, work.transaction.read(name), text) for name, text in texts.items()]
    return Planned(tuple(edits), facts={"to": request.to}, details=told)


# --- quarantine ------------------------------------------------------------------------------------------------------


def _set_aside(work: Work, note: Note) -> Planned:
    """Keep the writer's text beside the note that it contradicts, with both origins, and refuse."""
    request, text = work.request, changes.check_text(work.request.text)
    identity = "\0".join((request.name, request.action, request.heading, text, request.origin.author, note.digest))
    name = aside_name(note.name, digest(identity.encode("utf-8"))[:12])
    there = work.note(name)
    changed = Changed(there.text) if there else changes.set_aside(text, _about(work, note))
    return Planned(
        (work.edit(name, changed),),
        facts={"conflict_with": note.name},
        details={"quarantine": name, "digest": note.digest},
        refusal=RefusalError(
            "conflict",
            f"The note is not as the writer knew it, or says something else. It stays so; the text is in {name}.",
            hint="Read the note and write on what is there now; or let a person decide: `inkgate vault conflicts`.",
        ),
    )


def _about(work: Work, note: Note) -> dict[str, str]:
    request = work.request
    if note.name in work.transaction.foreign:
        other = work.first(note.name)
    else:
        last = work.vault.history(note.name)[-1]
        other = Stamp(last.origin.author, f"{last.at[:19]}Z", last.origin.source)
    about = {
        "author": work.stamp.author, "date": work.stamp.date, "source": work.stamp.source,
        changes.CONFLICT: pointer(note.name), "conflict_action": request.action,
        "conflict_heading": request.heading, "conflict_seen": request.seen or "", "conflict_base": note.digest,
        "original_author": other.author, "original_date": other.date, "original_source": other.source,
    }  # fmt: skip
    return {name: value for name, value in about.items() if value}


def _resolve(work: Work) -> Planned:
    """What a person decides about a text in quarantine; it stays there, marked."""
    request = work.request
    aside = work.note(request.name)
    if aside is None or not aside.conflict_with:
        raise RefusalError("no-conflict", "No conflict of this name waits.", hint="See `inkgate vault conflicts`.")
    inner = _inner(work, aside)
    planned = Planned(()) if inner is None else inner
    if planned.refusal is not None:
        raise RefusalError("conflict", str(planned.refusal))
    marks = {"resolved": work.stamp.date, "resolved_by": work.stamp.author, "resolution": request.keep}
    edit = work.edit(aside.name, Changed(with_properties(aside.text, marks)))
    return Planned((*planned.edits, edit), facts={"keep": request.keep, "conflict_with": aside.conflict_with})


def _inner(work: Work, aside: Note) -> Planned | None:
    """The write that a decision means; None when the original is kept."""
    request, known = work.request, aside.properties
    if request.keep == "original":
        return None
    origin = Origin(known.get("author") or OUTSIDE.author, known.get("source") or OUTSIDE.source)
    text = request.text if request.keep == "text" else aside.body
    name, seen = aside.conflict_with, digest(work.transaction.read(aside.conflict_with))
    if request.keep == "both":
        if not request.to:
            raise RefusalError("no-name", "Say under which name the other text is kept.")
        return _create(work.also(VaultRequest("create", request.to, text, origin=origin)))
    if request.keep == "text":
        return _replace(work.also(VaultRequest("replace", name, text, origin=request.origin, seen=seen)))
    if request.keep == "quarantined":
        action = known.get("conflict_action")
        if action == "section":
            heading = known.get("conflict_heading")
            return _section(work.also(VaultRequest("section", name, text, heading, origin=origin, seen=seen)))
        step = _append if action == "append" else _replace
        return step(work.also(VaultRequest("replace", name, text, origin=origin, seen=seen)))
    raise RefusalError("keep", "Keep original, quarantined, both or text.")
