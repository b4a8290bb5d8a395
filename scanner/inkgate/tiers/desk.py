"""Where every step between tiers is carried out: checked, written through a gate, and recorded in the ledger."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from inkgate.gate.gate import Gate
from inkgate.gate.request import Answer, Outcome, Request
from inkgate.model import Category, Finding, Target, Verdict
from inkgate.store.chain import Draft
from inkgate.store.errors import StoreError
from inkgate.store.origin import Origin
from inkgate.store.plan import Action, Operation
from inkgate.store.recall import RecallStore

from . import fixed
from .batch import append_all
from .likeness import Known
from .model import Done, Kind, Proposal, Step, TierError
from .never import objection
from .ports import Notes, Skills
from .tally import Tally

__all__ = ["Desk"]

_PROCEDURES = frozenset([Kind.SKILL, Kind.EDIT_SKILL, Kind.PATCH_SKILL])
_ENTRIES = frozenset([Kind.ENTRY, Kind.REPLACE_ENTRY])


class Desk:
    """The tiers of one home.

    Args:
        memory: the memory's gate; its home holds the ledger.
        notes: the vault.
        skills: the skills.
        recall: the sessions.
        author: who takes the steps; stands in the provenance of what is written.
        attended: a person has asked for the steps and sees what they do; else what replaces something waits for one.
    """

    def __init__(
        self,
        memory: Gate,
        notes: Notes,
        skills: Skills,
        recall: RecallStore,
        *,
        author: str = "agent",
        attended: bool = False,
    ) -> None:
        self.memory = memory
        self.notes = notes
        self.skills = skills
        self.recall = recall
        self.author = author
        self.attended = attended
        self.tally = Tally(memory.store.home / "inkgate" / "tiers.json")

    def known(self) -> Known:
        """What stands in the memory, the user profile and the vault."""
        entries = [entry for target in (Target.MEMORY, Target.USER) for entry in self.memory.store.read(target).entries]
        return Known(entries, (text for _, text in self.notes.texts()))

    def room(self, target: Target) -> int:
        """Characters that are left below the cap of a target."""
        return max(self.memory.settings.of(target).cap - self.memory.store.read(target).size, 0)

    def findings(self, text: str, target: Target = Target.MEMORY) -> tuple[Finding, ...]:
        """What the rules say about a text.

        Raises:
            StoreError: it could not be scanned.
        """
        return self.memory.screener.findings(text, target)

    def check_names(self, *names: str) -> None:
        """Names that are kept outside of every gate, in the counts.

        Raises:
            TierError: a secret stands in one of them.
            StoreError: they could not be scanned.
        """
        for name in names:
            if any(
                item.category is Category.SECRET and item.verdict is not Verdict.ALLOW for item in self.findings(name)
            ):
                raise TierError("A secret stands in a name or a source. Nothing was counted.", hint="Leave it out.")

    def apply(self, proposal: Proposal) -> Done:
        """Carry out one proposal: never into the fixed core, never what does not move, and only through a gate."""
        return self.record([self.refusal(proposal) or self.submit(proposal)])[0]

    def apply_all(self, proposals: Iterable[Proposal]) -> list[Done]:
        """Carry out proposals in order; none stands in the way of the next. Lines of one note are written together."""
        done: list[Done] = []
        for (kind, _), group in groupby(proposals, key=lambda item: (item.kind, item.name)):
            same = list(group)
            done += append_all(self, same) if kind is Kind.NOTE else [self.apply(item) for item in same]
        return done

    def refuse(self, proposal: Proposal, code: str, message: str, hint: str = "") -> Done:
        """Record that a step was not taken, and why."""
        return self.record([Done(proposal, Outcome.REFUSED, code, message, hint)])[0]

    # --- checks ------------------------------------------------------------------------------------------------------

    def refusal(self, proposal: Proposal) -> Done | None:
        """The refusal of a write into the fixed core, or of a text that never moves. Nothing is recorded yet."""
        for name in () if proposal.kind in _ENTRIES else (proposal.name, proposal.path):
            found = fixed.attempt(name) if name else None
            if found is not None:
                message = (
                    "This file belongs to the fixed core, which no step between tiers writes. Nothing was changed."
                )
                return Done(
                    proposal, Outcome.BLOCKED, "fixed-core", message,
                    "Choose another name, or let a person change the file.", findings=(found,),
                )  # fmt: skip
        return self.objected(proposal)

    def objected(self, proposal: Proposal, heading: str = "") -> Done | None:
        """The refusal of a text that never moves; None for one that may. Nothing is recorded yet."""
        try:
            findings = self.findings(proposal.text)
        except StoreError as problem:
            return Done(proposal, Outcome.FAILED, "failed", str(problem), problem.hint)
        found = objection(proposal.text, findings, heading=heading, procedure=proposal.kind in _PROCEDURES)
        if found is None:
            return None
        if found.code == "never-secret":  # nobody who reads the answer needs the value
            proposal = replace(proposal, text=self.memory.screener.masked(proposal.text, Target.MEMORY), old_text="")
        return Done(proposal, Outcome.REFUSED, found.code, found.reason, found.hint)

    # --- writes ------------------------------------------------------------------------------------------------------

    def origin(self, proposal: Proposal) -> Origin:
        """Who writes, from what. That one entry contradicts another is always for a person to decide."""
        source = proposal.source
        session = source.name if source.what == "session" else ""
        decides = proposal.step is Step.CONSOLIDATE and proposal.kind is Kind.REPLACE_ENTRY
        return Origin(self.author, source.told, session, background=True, attended=self.attended and not decides)

    def submit(self, proposal: Proposal) -> Done:
        """Hand a proposal that was not refused to its gate. The step itself is not recorded yet."""
        answer = self._submit(proposal)
        return Done(
            proposal, answer.outcome, answer.code, answer.message, answer.hint, answer.pending_id, answer.findings
        )

    def _submit(self, proposal: Proposal) -> Answer[Any]:
        origin, reason = self.origin(proposal), proposal.reason
        name, text = proposal.name, proposal.text
        writes: dict[Kind, Callable[[], Answer[Any]]] = {
            Kind.ENTRY: lambda: self._entry(proposal, origin),
            Kind.REPLACE_ENTRY: lambda: self._entry(proposal, origin),
            Kind.NOTE: lambda: self.notes.append(name, text, origin, reason),
            Kind.REPLACE_NOTE: lambda: self.notes.replace(name, text, origin, reason),
            Kind.SKILL: lambda: self.skills.create(name, text, origin, reason),
            Kind.EDIT_SKILL: lambda: self.skills.edit(name, text, origin, reason),
            Kind.PATCH_SKILL: lambda: self.skills.patch(name, proposal.path, proposal.old_text, text, origin, reason),
        }
        return writes[proposal.kind]()

    def _entry(self, proposal: Proposal, origin: Origin) -> Answer[Any]:
        adds = proposal.kind is Kind.ENTRY
        operation = Operation(Action.ADD if adds else Action.REPLACE, proposal.text, proposal.old_text)
        request = Request(proposal.target, (operation,), origin=origin)
        if (
            proposal.hold
            and self.memory.screener.text(proposal.text.strip(), proposal.target).verdict is not Verdict.BLOCK
        ):
            waiting: Answer[Any] = Answer(Outcome.REFUSED, request, proposal.hold, proposal.reason)
            return self._wait(request, waiting)
        answer = self.memory.submit(request)
        if answer.outcome is Outcome.REFUSED and answer.code == "over-cap" and adds:
            return self._wait(request, answer)
        return answer

    def _wait(self, request: Request, refused: Answer[Any]) -> Answer[Any]:
        """Keep an entry that was scanned for a person: who makes room, or who knows whether it is meant."""
        text = request.operations[0].content.strip()
        payload = {"target": str(request.target), "action": "add", "content": text}
        try:
            kept = self.memory.pending.stage(
                "memory", payload, action="add", summary=self.memory.summary(request), origin=request.origin,
                reason=refused.code,
            )  # fmt: skip
        except StoreError as problem:
            return replace(refused, outcome=Outcome.FAILED, code=problem.code, message=str(problem), hint=problem.hint)
        room = " when there is room" if refused.code == "over-cap" else ""
        message = f"{refused.message} Staged: approve it with `inkgate review approve {kept.id}`{room}."
        return replace(refused, outcome=Outcome.STAGED, message=message, pending_id=kept.id)

    def record(self, done: Sequence[Done]) -> list[Done]:
        """Tell the ledger of each step: which, from where, to where, with what result; never the text."""
        if not done:
            return []
        try:
            self.memory.store.ledger.append([self._draft(item) for item in done])
        except StoreError as problem:
            return [_unrecorded(item, problem) for item in done]
        return list(done)

    def _draft(self, done: Done) -> Draft:
        proposal = done.proposal
        facts = {
            "step": str(proposal.step), "kind": str(proposal.kind), "outcome": str(done.outcome), "code": done.code,
            **({"pending": done.pending_id} if done.pending_id else {}),
        }  # fmt: skip
        rules = tuple(dict.fromkeys(item.rule for item in done.findings))
        return Draft("tier", _key(proposal), self.origin(proposal), rules, facts=facts)


def _unrecorded(done: Done, problem: StoreError) -> Done:
    if done.outcome in (Outcome.SAVED, Outcome.STAGED):  # the gate's own record of the write is there
        return replace(done, message=f"{done.message} The step itself could not be recorded: {problem}".strip())
    return replace(done, outcome=Outcome.FAILED, code=problem.code, message=str(problem), hint=problem.hint)


def _key(proposal: Proposal) -> str:
    """The tier that is written to; names may hold anything, and the gate's own record has them."""
    if proposal.kind in _ENTRIES:
        return str(proposal.target)
    return "skills" if proposal.kind in _PROCEDURES else "vault"
