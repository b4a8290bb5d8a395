"""Use or mention: is the phrase an order to the reader, or is it quoted, negated, described or shown as an example?

Judging moves a finding between block and review; it never hides one, since an attacker can imitate every sign of a
mention. What is disguised (look-alike letters, hidden characters, encodings) is always use: nobody quotes like that.
"""

from __future__ import annotations

import re

from inkgate.judge.context import Context, Judgement
from inkgate.match.rules import Rule
from inkgate.model import Severity, Stance

__all__ = ["judge_stance"]

_NEGATION = re.compile(
    r"(?:\b(?:never|not|don't|doesn't|won't|cannot|can't|avoid|refuse|reject|block|detect|prevent|without)\b)"
    r"[^.!?\n]{0,80}$",
    re.IGNORECASE,
)
_DESCRIBED = re.compile(
    r"\b(?:attack(?:er|ers|s)?|injection|malicious|adversar\w*|phrases?|patterns?|strings?|examples?|such as|like|"
    r"e\.g\.|says?|said|contain\w*|payloads?|jailbreak\w*|attempts?|may|might|could)\b[^\n]{0,80}$",
    re.IGNORECASE,
)
_QUOTES = "\"'`"


def judge_stance(rule: Rule, context: Context) -> Judgement:
    """Severity, confidence and stance of a threat match.

    Args:
        rule: the rule that matched.
        context: the match and its surroundings.
    """
    if context.disguises or context.views:
        raised = min(Severity.CRITICAL, Severity(rule.severity + 1)) if context.disguises else rule.severity
        return Judgement(raised, rule.confidence, Stance.USE, "written in disguise" if context.disguises else "")
    if not rule.stance:
        return Judgement(rule.severity, rule.confidence)
    reason = _mention(context)
    return Judgement(rule.severity, rule.confidence, Stance.MENTION if reason else Stance.USE, reason)


def _mention(context: Context) -> str:
    line_before = context.before.rpartition("\n")[2]
    if context.before[-1:] in _QUOTES and context.before[-1:] and context.before[-1] in context.after[:120]:
        return "quoted"
    if _NEGATION.search(line_before):
        return "negated"
    if _DESCRIBED.search(line_before):
        return "described"
    if context.fence is not None:
        return "in a fenced block"
    return ""
