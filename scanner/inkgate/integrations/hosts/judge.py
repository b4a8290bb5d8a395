"""The verdict on what a call would leave behind.

An edit is judged on the resulting file. Findings count when they overlap what is new or its seam, or when they are new
compared with the file as it stands (an edit can turn a quoted phrase into an order without touching it). What was there
before does not block an unrelated edit, but it is mentioned.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence

from inkgate.integrations.hosts.answer import Outcome
from inkgate.integrations.hosts.writes import Doubt, Item, Write
from inkgate.model import Finding, ScanResult, Span, Target, Verdict
from inkgate.text.escape import escape

__all__ = ["judge"]

_LISTED = 8
_CODES = 8
# Blank or invisible, though their general category does not say so.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0") | {
    chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))
}


def judge(items: Iterable[Item]) -> Outcome:
    """Scan every text of a call and fold the verdicts into one; the strictest wins."""
    verdict = Verdict.ALLOW
    reasons: list[str] = []
    notes: list[str] = []
    rules: set[str] = set()
    for item in items:
        if isinstance(item, Doubt):
            verdict = max(verdict, Verdict.STAGE, key=lambda each: each.rank)
            reasons.append(f"{item.label}: {item.reason}")
            rules.add("unknown-result")
            continue
        for target in item.targets:
            own, reason, note, found = _judge_write(item, target)
            verdict = max(verdict, own, key=lambda each: each.rank)
            reasons += [reason] if reason else []
            notes += [note] if note else []
            rules |= found
    if verdict is Verdict.ALLOW:
        return Outcome(verdict, note="\n".join(dict.fromkeys(notes)))
    body = "\n".join(dict.fromkeys(reasons + notes))
    return Outcome(
        verdict, f"{_opening(verdict)}\n{body}\n{_closing(verdict)}", key="inkgate:" + "+".join(sorted(rules))
    )


def _opening(verdict: Verdict) -> str:
    if verdict is Verdict.BLOCK:
        return "inkgate refused this write. Nothing was written."
    return "inkgate held this write back: a person must confirm it."


def _closing(verdict: Verdict) -> str:
    if verdict is Verdict.BLOCK:
        return "Do not try the same text another way; change what is named above, or ask the person you work for."
    return "Ask the person you work for to look at it; do not try the same text another way."


def _judge_write(write: Write, target: Target) -> tuple[Verdict, str, str, set[str]]:
    """Verdict, reason, note and rule ids for one text under one target."""
    result = _scan(write.text, target)
    fatal = [item.reason for item in result.unread if item.fatal]
    if fatal:
        return Verdict.BLOCK, f"{write.label}: could not be read to its end ({escape(fatal[0])}).", "", {"unread"}
    counted, older = result.findings, 0
    if write.before is not None:
        counted, older = _new_ones(write, result.findings, target)
    counted = tuple(finding for finding in counted if finding.verdict is not Verdict.ALLOW)
    note = (
        f"{write.label}: {_count(older, 'older finding')} elsewhere in the file left out of this judgement."
        if older
        else ""
    )
    if not counted:
        return Verdict.ALLOW, "", note, set()
    verdict = max((finding.verdict for finding in counted), key=lambda each: each.rank)
    ranked = sorted(counted, key=lambda finding: (-finding.verdict.rank, -finding.severity, finding.start))
    lines = [f"{write.label} (as {target}): {_count(len(counted), 'finding')}."]
    lines += (_line(finding, write) for finding in ranked[:_LISTED])
    if len(ranked) > _LISTED:
        lines.append(f"- and {len(ranked) - _LISTED} more")
    return verdict, "\n".join(lines), note, {finding.rule for finding in counted}


def _scan(text: str, target: Target) -> ScanResult:
    from inkgate.scan import scan_text

    return scan_text(text, target=target)


def _new_ones(write: Write, findings: Sequence[Finding], target: Target) -> tuple[tuple[Finding, ...], int]:
    """The findings that the edit brings, and how many of the others would have counted by themselves."""
    counted = [finding for finding in findings if _touches(finding, write.fresh)]
    apart = [finding for finding in findings if not _touches(finding, write.fresh)]
    older = 0
    if apart:
        known: dict[tuple[str, str], list[int]] = {}
        for finding in _scan(write.before or "", target).findings:
            known.setdefault((finding.rule, finding.fingerprint), []).append(finding.verdict.rank)
        for ranks in known.values():
            ranks.sort()
        for finding in sorted(apart, key=lambda each: -each.verdict.rank):
            ranks = known.get((finding.rule, finding.fingerprint), [])
            if ranks and ranks[-1] >= finding.verdict.rank:
                ranks.pop()
                older += finding.verdict is not Verdict.ALLOW
            else:
                counted.append(finding)
    return tuple(counted), older


def _touches(finding: Finding, fresh: Sequence[Span]) -> bool:
    """Whether a finding overlaps a new span, or has a seam strictly inside."""
    index = bisect_left(fresh, finding.end, key=lambda span: span.start)  # the last span that starts before its end
    return index > 0 and fresh[index - 1].end > finding.start


def _line(finding: Finding, write: Write) -> str:
    where = f"line {finding.line}, column {finding.column}"
    if write.parts:
        at = bisect_right(write.parts, finding.start, key=lambda part: part[0]) - 1
        offset, name = write.parts[at]
        where = f"argument {name}, line {write.text.count(chr(10), offset, finding.start) + 1}"
    codes = _codes(write.text[finding.start : finding.end])
    seen = f" Code points: {', '.join(codes)}." if codes else ""
    hidden = f" Hidden as {finding.view}." if finding.view not in ("raw", "folded", "cased") else ""
    message = escape(finding.message, 200).rstrip(".")
    return f"- [{finding.rule}] {finding.severity}, {where}: {message}.{seen}{hidden} {_remedy(finding.rule)}".rstrip()


def _remedy(rule: str) -> str:
    from inkgate.match.rules import load_rules

    known = load_rules().by_id.get(rule)
    return f"Remedy: {escape(known.fix, 240)}" if known is not None and known.fix else "Remedy: take it out."


def _codes(text: str) -> list[str]:
    """The invisible characters of a slice by number, never a letter: at most eight, in order of appearance."""
    seen = dict.fromkeys(char for char in text[:4096] if _invisible(char))
    names = [f"U+{ord(char):04X}" for char in seen]
    return names[:_CODES] + (["…"] if len(names) > _CODES else [])


def _invisible(char: str) -> bool:
    if char.isascii():
        return not char.isprintable() and char not in "\t\n\r"
    return char in _BLANK or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
