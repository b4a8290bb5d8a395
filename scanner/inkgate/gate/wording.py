"""The sentences of the gate's answers. They name rule, place and remedy, and never repeat a payload or a secret."""

from __future__ import annotations

from inkgate.model import Category, Finding, Target, Verdict
from inkgate.store.errors import RefusalError
from inkgate.store.memory import FILES

from .request import Request
from .screened import Screening

__all__ = ["blocked", "blocked_file", "denied", "disabled", "drifted", "over_cap", "overtaken", "remedy", "staged"]


def blocked(screening: Screening, request: Request) -> tuple[str, str]:
    """Message and hint for a text that the policy forbids."""
    where = f"Operation {screening.operation}: " if request.batch and screening.operation else ""
    if not screening.complete:
        return f"{where}Blocked: the text could not be read to its end, so nothing was saved.", "Send a shorter text."
    worst = worst_finding(screening.findings)
    joined = "" if screening.operation else " (seen in the entries read one after the other)"
    return (
        f"{where}Blocked: rule '{worst.rule}' ({worst.message.rstrip('.')}) at line {worst.line}, column {worst.column}"
        f"{joined}. Nothing was saved.",
        remedy(worst),
    )


def blocked_file(screening: Screening, piece: str, path: str, advice: str) -> tuple[str, str]:
    """Message and hint for a file that the policy forbids: for the text of an argument, or for the file as a whole."""
    if not screening.complete:
        return "Blocked: the text could not be read to its end, so nothing was saved.", "Send a shorter text."
    worst = worst_finding(screening.findings)
    where = f"of the {piece}" if piece else f"of {path} as it would stand"
    return (
        f"Blocked: rule '{worst.rule}' ({worst.message.rstrip('.')}) at line {worst.line}, column {worst.column}"
        f" {where}. Nothing was saved.",
        remedy(worst, advice),
    )


def worst_finding(findings: tuple[Finding, ...]) -> Finding:
    """The first finding that caused the most."""
    return max(findings, key=lambda item: (item.verdict.rank, item.severity, item.confidence, -item.start))


_MEMORY = "Memory holds facts: state the fact in your own words, without the instruction."


def remedy(finding: Finding, advice: str = _MEMORY) -> str:
    """What the writer can do about a finding; `advice` is for those that are neither secret nor hidden."""
    if finding.category is Category.SECRET:
        return "Leave the value out; note where it is kept (the name in the password store) instead."
    if finding.category is Category.HIDDEN:
        return "Send the text without the invisible characters."
    return f"{advice} A person who has read the text can accept it with `inkgate review accept`."


def disabled(target: Target) -> str:
    """A target that is switched off."""
    return f"Built-in {FILES.get(target, str(target))} writes are disabled in memory config."


def over_cap(request: Request, refusal: RefusalError) -> tuple[str, str]:
    """Message and hint for a result that does not fit: how much too long it is, and the one call to make next."""
    facts = refusal.details
    size, before, cap, overflow = facts["size"], facts["before"], facts["cap"], facts["overflow"]
    excess = f"{overflow:,} character{'s' if overflow != 1 else ''} too many"
    where = "memory" if request.target is Target.MEMORY else "the user profile"
    if request.batch:
        message = (
            f"After applying all {len(request.operations)} operations, {where} would be at {size:,}/{cap:,} chars --"
            f" over the limit, {excess}. No operations were applied (batch is all-or-nothing)."
        )
    elif request.action == "add":
        length = len(request.operations[0].content.strip())
        message = (
            f"{where[0].upper()}{where[1:]} at {before:,}/{cap:,} chars. Adding this entry ({length:,} chars) would"
            f" exceed the limit: {excess}. Nothing was saved."
        )
    else:
        message = f"Replacement would put {where} at {size:,}/{cap:,} chars: {excess}. Nothing was saved."
    longest = max((len(operation.content.strip()) for operation in request.operations), default=0)
    if longest > cap:  # whatever is removed, this text never fits
        room = longest - overflow
        says = f"in at most {room:,} characters" if room > 0 else "much shorter"
        hint = f"One text alone is longer than the {cap:,} that {where} holds. Next call: say it {says} and retry."
        return message, hint
    hint = (
        f"Next call: memory with target '{request.target}' and one `operations` list that frees at least {overflow:,}"
        " characters (remove what is stale, say the rest shorter) and retry this change in the same list."
    )
    return message, hint


def staged(pending_id: str, reason: str, target: Target, rules: tuple[str, ...]) -> str:
    """A write that waits for a person."""
    why = {
        "approval": f"{target}.write_approval is on",
        "restore": "what was put away comes back when a person agrees",
        "unattended": "an unattended writer may add, but not replace or remove",
        "rule": f"a person has to look at it: {', '.join(rules)}",
    }.get(reason, reason)
    return f"Staged for approval ({why}). Not yet saved; review with `inkgate review show {pending_id}`."


def denied(target: Target) -> str:
    """A person said no."""
    return f"{target.capitalize()} write denied by user. The change was not saved; do not try it again this turn."


def drifted(target: Target, backup: str) -> tuple[str, str]:
    """A change that would overwrite what somebody else wrote meanwhile."""
    return (
        f"{FILES[target]} was edited outside this tool, and the entry that you mean is not as it was: replacing or"
        f" removing it would lose that edit. Nothing was changed; a copy is in {backup}.",
        "To act on the entry as it is now, give its whole text as old_text; or let a person decide: `inkgate review`.",
    )


def overtaken(request: Request) -> tuple[str, str]:
    """A change of an entry that another session wrote after this one had read the memory."""
    return (
        f"The entry of {FILES[request.target]} that you mean was written by another session after this one had read the"
        " memory: replacing or removing it would lose that change. Nothing was changed.",
        "To act on the entry as it is now, give its whole text as old_text; or let a person decide: `inkgate review`.",
    )


def rule_ids(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    """Ids of the rules that matter for the decision, without repeats."""
    return tuple(dict.fromkeys(item.rule for item in findings if item.verdict is not Verdict.ALLOW))
