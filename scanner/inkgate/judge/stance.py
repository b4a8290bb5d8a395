"""Use or mention: is the phrase an order to the reader, or is it quoted, negated, described or shown as an example?

Signs of a mention come in four independent groups: *structure* (quotes, fences, table cells, lists of bad phrases),
*headings* about attacks, *grammar* (negation, reported speech, "attackers may ..."), and *subject* (the text around
it speaks about attacks). One sign makes a mention, which the policy caps at a review. Several groups that agree lower
the confidence, so that a document about attacks can pass; but never in a memory, where a single sentence is all there
is. Fences and quotes prove nothing where something points the agent at them. What is disguised by look-alike letters
or hidden characters is always use: nobody quotes like that.
"""

from __future__ import annotations

from inkgate.judge.agreed import agreed
from inkgate.judge.complete import complete
from inkgate.judge.context import SHORT, Context, Judgement
from inkgate.judge.signs import (
    addressed,
    commented,
    described,
    forbidden,
    heading,
    logged,
    negated,
    pointed,
    quoted,
    subject,
    tabular,
)
from inkgate.judge.told import everyday, settled, told
from inkgate.match.rules import Rule
from inkgate.model import Category, Confidence, Severity, Stance, Target

__all__ = ["judge_stance", "weigh_stance"]

_FIELDS = "fields"
"""The view in which the fields of a document are read on; they may have been meant each by itself."""

_PUT_TOGETHER = "put together from several fields"

ORDINARY_VIEWS = frozenset(
    {
        *("emphasis", "link", "html-entity", "html-tag", "hyphen", "concatenation", "escape", "percent"),
        *("dressed", "glued", "layout", "typo", _FIELDS),
    }
)
"""Ways of writing that ordinary documents use too; what is seen through them is judged like plain text."""

_COMMANDS = frozenset(
    {
        Category.EXFILTRATION,
        Category.CREDENTIAL_ACCESS,
        Category.PERSISTENCE,
        Category.CONFIGURATION,
        Category.ANTI_FORENSICS,
        Category.DESTRUCTIVE,
        Category.PRIVILEGE,
        Category.OBFUSCATION,
        Category.SUPPLY_CHAIN,
    }
)
"""Families whose matches are mostly code. In a skill, fences and quotation marks are where code belongs and headings
such as "Scan" or "Example" name its parts, so that they prove nothing there."""

_ADMINISTRATION = frozenset({Category.PERSISTENCE, Category.ANTI_FORENSICS, Category.DESTRUCTIVE, Category.PRIVILEGE})
"""What whoever looks after a machine does every day, and writes down. A note runs nothing, so that such a command is
shown to a person there and not refused, unless the rule is sure of it."""

_ORDERS = frozenset({Target.SKILL, Target.CONTEXT})
"""What is written to be obeyed: headings such as "Rules" or "Tests" name its parts."""

_TELLABLE = frozenset({Category.INJECTION, Category.HIJACK, Category.MEMORY_POISON, Category.DECEPTION})
"""Families whose matches are sentences, so that person and tense tell whether they are orders or stories."""

_SCRIPTS = (".sh", ".bash", ".zsh", ".py", ".js", ".mjs", ".cjs", ".ts", ".ps1", ".rb", ".pl", ".bat", ".cmd")
_LANGUAGES = frozenset({"sh", "bash", "shell", "zsh", "python", "py", "js", "javascript", "powershell", "ps1", "ruby"})


def judge_stance(rule: Rule, context: Context) -> Judgement:
    """Severity, confidence and stance of a threat match.

    Args:
        rule: the rule that matched.
        context: the match and its surroundings.
    """
    if context.disguises:
        raised = Severity(min(Severity.CRITICAL, rule.severity + 1))
        return Judgement(raised, rule.confidence, Stance.USE, "written in disguise")
    if not rule.stance:
        return Judgement(rule.severity, rule.confidence)
    hidden = [part for view in context.views for part in view.split("+") if part not in ORDINARY_VIEWS]
    # What stands around an encoded passage is not seen here; only a chapter on attacks may show one. The other signs
    # are not even looked for without it: a payload can unpack to thousands of orders.
    if hidden and (context.target in SHORT or not _chapter(context)):
        return Judgement(rule.severity, rule.confidence, Stance.USE, f"written in {hidden[0]}")
    signs = _signs(rule, context)
    if not signs and not hidden and (reason := _agreed(rule, context)):
        return Judgement(rule.severity, Confidence.LOW, Stance.MENTION, reason)
    if hidden:
        if "heading" not in signs:
            return Judgement(rule.severity, rule.confidence, Stance.USE, f"written in {hidden[0]}")
        return Judgement(rule.severity, rule.confidence, Stance.MENTION, ", ".join(signs.values()))
    if _FIELDS in context.views:
        if not signs:
            return Judgement(rule.severity, Confidence.LOW, Stance.USE, _PUT_TOGETHER)
        signs["fields"] = _PUT_TOGETHER
    if not signs:
        if _written_down(rule, context):
            return Judgement(min(rule.severity, Severity.MEDIUM), rule.confidence)
        return Judgement(rule.severity, rule.confidence)
    severity, confidence = _weaken(rule, context, signs)
    return Judgement(severity, confidence, Stance.MENTION, ", ".join(signs.values()))


def weigh_stance(rule: Rule, context: Context, read: str) -> Judgement:
    """Severity, confidence and stance of a passage that the learned judge holds for an order.

    The model cannot tell an order from a quoted one, so a single sign of a mention makes it a note. That a sentence
    negates is none here: "do not tell" is what such orders say.

    Args:
        rule: the learned judge's rule.
        context: the word that led to the passage, and its surroundings.
        read: the text up to the end of the passage.

    Returns:
        With the sign as the reason; whoever shows it says what weighed most before.
    """
    before, after = context.before, context.after
    sign = described(before, after)
    if not sign and (said := described(read.rstrip(" \n.!?\"'"), "")) != "described":
        sign = said  # an attacker; words of reporting inside the passage are often part of the order
    if not sign and not pointed(before, after):
        sign = quoted(before, after) or tabular(before) or ("in a fenced block" if context.fence is not None else "")
    if not sign and _chapter(context):
        sign = "under a heading about attacks"
    if not sign:
        return Judgement(rule.severity, rule.confidence, Stance.USE)
    return Judgement(rule.severity, Confidence.LOW, Stance.MENTION, sign)


def _signs(rule: Rule, context: Context) -> dict[str, str]:
    """The groups that say "mention", each with its reason, in order of weight."""
    before, after = context.before, context.after
    signs: dict[str, str] = {}
    if rule.category in _COMMANDS and _code(context) and not commented(before):
        return signs
    if reason := negated(before, context.matched) or described(before, after) or _told(rule, context):
        signs["grammar"] = reason
    elif rule.category is Category.INJECTION and everyday(before, context.matched, context.after):
        signs["subject"] = "about orders of daily life"
    script = context.target is Target.SKILL and rule.category in _COMMANDS
    aimed = pointed(before, after)
    if not script and not aimed:
        if reason := quoted(before, _closing(rule, context.matched) + after) or tabular(before):
            signs["structure"] = reason
        elif context.fence is not None:
            signs["structure"] = "in a fenced block"
        elif logged(before, context.matched, after):
            signs["structure"] = "in a log"
    if not script and _chapter(context):
        signs["heading"] = "under a heading about attacks"
    # Talk about attacks near the match is a sign beside others, never by itself.
    if signs and not aimed and (reason := subject(before, after)):
        signs["subject"] = reason
    if set(signs) == {"heading"} and addressed(context.matched):
        return {}
    return signs


def _chapter(context: Context) -> bool:
    """Whether the match stands under a heading about attacks."""
    return heading(context.headings, orders=context.target in _ORDERS)


def _told(rule: Rule, context: Context) -> str:
    """Whether a sentence tells of somebody who does what the match says."""
    if rule.category not in _TELLABLE:
        return ""
    return told(context.before, context.matched, context.after, context.written)


def _closing(rule: Rule, matched: str) -> str:
    """The end of a quotation, where it belongs to the match. In a command it may be the end of a word."""
    return matched[len(matched.rstrip(" \n.,;:!?\"'`)]\u00bb\u201d\u300d")) :] if rule.category in _TELLABLE else ""


def _agreed(rule: Rule, context: Context) -> str:
    """Whether a command of a skill is done with its person's knowledge."""
    if context.target is not Target.SKILL or rule.severity < Severity.HIGH:
        return ""
    return agreed(rule.category, context.before, context.matched, context.after)


def _written_down(rule: Rule, context: Context) -> bool:
    """Whether a command of administration stands in a note, where it is a how-to until somebody follows it."""
    return (
        context.target is Target.VAULT
        and rule.category in _ADMINISTRATION
        and rule.confidence < Confidence.HIGH
        and not context.source.lower().endswith(_SCRIPTS)
    )


def _code(context: Context) -> bool:
    """Whether the match stands in a script, where quotation marks and words before it quote and describe nothing."""
    if context.source.lower().endswith(_SCRIPTS):
        return True
    language = (context.fence or "").strip().lower().partition(" ")[0]
    return context.target is Target.SKILL and language in _LANGUAGES


def _weaken(rule: Rule, context: Context, signs: dict[str, str]) -> tuple[Severity, Confidence]:
    """Severity and confidence of a mention."""
    short = context.target in SHORT
    groups = len(signs)
    if "grammar" in signs and _told(rule, context) and settled(context.before, context.matched, context.after):
        return min(rule.severity, Severity.MEDIUM), Confidence.LOW
    asked = signs.get("grammar") == "part of a question" and rule.category in _COMMANDS
    if asked or (signs.get("grammar") == "negated" and forbidden(context.before)):
        return min(rule.severity, Severity.MEDIUM), Confidence.LOW
    if rule.severity >= Severity.HIGH:
        if not short and groups >= 3 and not complete(context.before, context.matched, context.after):
            return Severity.MEDIUM, Confidence.LOW
        return rule.severity, Confidence.LOW
    script = context.target is Target.SKILL and rule.category in _COMMANDS
    if groups >= (3 if short else 2 if script else 1):
        whole = not short and set(signs) != {"grammar"} and complete(context.before, context.matched, context.after)
        return rule.severity, rule.confidence if whole else Confidence.LOW
    return rule.severity, rule.confidence
