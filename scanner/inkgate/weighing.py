"""From a match to a candidate: what stands around it, what it means there, and what is to be told of it."""

from __future__ import annotations

from inkgate.findings import Candidate
from inkgate.judge.context import AFTER, BEFORE, Context, Judgement
from inkgate.match.engine import Match
from inkgate.match.rules import Rule
from inkgate.model import Category, Target
from inkgate.text.fold import disguises
from inkgate.text.raw import Raw
from inkgate.text.structure import Structure
from inkgate.text.view import View

__all__ = ["NEAR", "SHOWN", "around", "candidate", "judge"]

SHOWN = 200
"""Characters of a match that a finding shows, at most."""

NEAR = 60
"""Characters around a match that are part of what tells it from others like it."""


def judge(rule: Rule, context: Context) -> Judgement | None:
    """What a match means. The judges are imported when there is one: to compile their expressions takes a while."""
    if rule.category is Category.SECRET:
        from inkgate.judge.secrets import judge_secret

        return judge_secret(rule, context)
    from inkgate.judge.stance import judge_stance

    return judge_stance(rule, context)


def around(
    target: Target,
    source: str,
    view: View,
    chain: tuple[str, ...],
    structure: Structure,
    match: Match,
    start: int,
    shown: str | None,
) -> Context:
    """A match with its surroundings.

    Args:
        target: what the text is written to.
        source: path of the file, or empty.
        view: where the match is.
        chain: the encodings that were undone to get the view.
        structure: of the original text.
        match: the match.
        start: its offset in the original text.
        shown: what the original text shows there; None for a fragment, or where it is forgotten.
    """
    cased, base = view.cased, view.base
    low, high = match.start - base, match.end - base
    surroundings = structure.at(start)
    return Context(
        target,
        source,
        chain,
        cased[max(0, low - BEFORE) : low],
        cased[low:high],
        cased[high : high + AFTER],
        cased[match.value_start - base : match.value_end - base],
        surroundings.fence,
        surroundings.headings,
        frozenset() if shown is None or shown.isascii() else disguises(shown),
        shown or "",
    )


def candidate(
    raw: Raw, rule: Rule, context: Context, judgement: Judgement, span: tuple[int, int], shown: str | None
) -> Candidate:
    """What is kept of a judged match.

    Args:
        raw: the original text, for lines and columns.
        rule: what matched.
        context: the match with its surroundings.
        judgement: what it means there.
        span: its range in the original text.
        shown: what the original text shows there; None for a fragment, or where it is forgotten.
    """
    secret = rule.category is Category.SECRET
    before, after = context.before[-NEAR:].rpartition("\n")[2], context.after[:NEAR].partition("\n")[0]
    return Candidate(
        rule,
        judgement,
        *span,
        *raw.line_column(span[0]),
        *raw.line_column(span[1]),
        view="/".join(context.views) or "folded",
        depth=len(context.views),
        shown=(context.matched if shown is None else shown)[:SHOWN],
        text="" if secret else context.matched.lower(),
        context=f"{before}\u2026{after}".lower(),
        secret=context.value if secret else "",
        prefix=_fixed_prefix(rule, context.value) if secret else "",
    )


def _fixed_prefix(rule: Rule, value: str) -> str:
    """The part of a token that every token of its kind starts with: the longest keyword at the value's start."""
    lower = value.lower()
    best = max((word for word in rule.keywords if lower.startswith(word)), key=len, default="")
    return value[: len(best)] if len(best) * 2 < len(value) else ""
