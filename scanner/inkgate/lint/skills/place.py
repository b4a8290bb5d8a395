"""Findings at places of a file, made like those of a scan."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from inkgate.code.model import CodeFinding
from inkgate.findings import Candidate, Candidates
from inkgate.judge.context import Judgement
from inkgate.match.rules import Rule
from inkgate.model import Finding, Target
from inkgate.policy import Policy

__all__ = ["located"]

_SHOWN = 200


def located(
    items: Iterable[CodeFinding],
    text: str,
    source: str,
    rules: Mapping[str, Rule],
    active: frozenset[str],
    policy: Policy,
) -> tuple[Finding, ...]:
    """Findings of code rules in one file, sorted by place.

    Args:
        items: what was found; offsets count characters of `text`.
        text: the file's text, or empty where a place in it means nothing.
        source: the file's path.
        rules: every rule by id.
        active: ids of the rules that are in use.
        policy: decides the verdicts.
    """
    candidates = Candidates()
    for item in items:
        rule = rules[item.rule]
        if rule.id not in active:
            continue
        shown = text[item.start : min(item.end, item.start + _SHOWN)]
        judgement = Judgement(
            rule.severity if item.severity is None else item.severity,
            rule.confidence if item.confidence is None else item.confidence,
        )
        candidates.add(
            Candidate(
                rule,
                judgement,
                item.start,
                item.end,
                *_line_column(text, item.start),
                *_line_column(text, item.end),
                view="raw",
                depth=0,
                shown=shown,
                text=shown or item.message,
                context="",
                message=item.message,
            )
        )
    return candidates.findings(Target.SKILL, source, policy, None)


def _line_column(text: str, offset: int) -> tuple[int, int]:
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)
