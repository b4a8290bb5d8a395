"""Names and messages as they may be shown: without the secrets that somebody put into a file's name or an argument."""

from __future__ import annotations

import re

from inkgate.lean import TYPE_CHECKING, replace
from inkgate.model import Category, Confidence, Target, Verdict

if TYPE_CHECKING:
    from inkgate.report import Report

__all__ = ["masked", "named"]

_LONG = re.compile(r"[A-Za-z0-9_+-]{16}")  # what is shorter is no token that its form tells


def masked(text: str) -> str:
    """The text with each token that its form tells replaced by `[secret: rule]`; a text that cannot be read, by a mark.

    What only stands beside a word for a secret, and has no fixed start of its own, stays: a path must still be found.
    """
    if not _LONG.search(text):
        return text
    from inkgate.scan import scan_text

    result = scan_text(text, target=Target.MEMORY)
    if not result.complete:
        return "[not shown]"
    pieces, position = [], 0
    for item in result.findings:
        told = item.category is Category.SECRET and (item.confidence is Confidence.HIGH or item.excerpt[:1].isalnum())
        if told and item.verdict is not Verdict.ALLOW and item.end > position:
            pieces += [text[position : max(item.start, position)], f"[secret: {item.rule}]"]
            position = item.end
    return "".join([*pieces, text[position:]])


def named(report: Report) -> Report:
    """The report with the names of its files as they may be shown; the same one when none holds a secret."""
    found = [*report.findings, *(item.finding for item in report.suppressed)]
    names = {item.source for item in found} | {item.source for item in report.unread}
    names |= {*report.members, *report.members.values()}
    changed = {name: shown for name in names if (shown := masked(name)) != name}
    if not changed:
        return report

    def told(name: str) -> str:
        return changed.get(name, name)

    return replace(
        report,
        findings=tuple(replace(item, source=told(item.source)) for item in report.findings),
        suppressed=tuple(
            replace(item, finding=replace(item.finding, source=told(item.finding.source))) for item in report.suppressed
        ),
        unread=tuple(replace(item, source=told(item.source)) for item in report.unread),
        members={told(source): told(file) for source, file in report.members.items()},
    )
