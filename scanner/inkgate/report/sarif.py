"""For code scanning: SARIF 2.1.0 (OASIS), with what GitHub asks for beyond the schema.

The line hash that GitHub uses to follow an alert, `primaryLocationLineHash`, is left to its uploader, which warns when
a value differs from its own; ours stands beside it as `inkgate/v1`. The excerpt is a property, not part of the
message: viewers turn square brackets in a message into links.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from inkgate.model import Confidence, Finding, Severity, Unread, Verdict
from inkgate.report.json import dump
from inkgate.report.model import Report, Suppressed
from inkgate.report.text import seen_in
from inkgate.text.escape import escape

if TYPE_CHECKING:
    from inkgate.match.rules import Rule

__all__ = ["render"]

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

_LEVEL = {Verdict.BLOCK: "error", Verdict.STAGE: "warning", Verdict.ALLOW: "note"}
_RULE_LEVEL = {
    Severity.CRITICAL: "error",
    Severity.HIGH: "error",
    Severity.MEDIUM: "warning",
    Severity.LOW: "note",
    Severity.INFO: "note",
}
# GitHub's bands: over 9.0 critical, 7.0-8.9 high, 4.0-6.9 medium, 0.1-3.9 low.
_SCORE = {
    Severity.CRITICAL: "9.5",
    Severity.HIGH: "8.0",
    Severity.MEDIUM: "5.5",
    Severity.LOW: "2.0",
    Severity.INFO: "0.1",
}
_PRECISION = {Confidence.HIGH: "high", Confidence.MEDIUM: "medium", Confidence.LOW: "low"}
_LONE = re.compile("[\ud800-\udc7f\udd00-\udfff]")
_LIMIT = 1024
"""Most characters of a rule's description."""


def render(report: Report) -> str:
    """The log, with one run."""
    found = [*report.findings, *(item.finding for item in report.suppressed)]
    ids = sorted({finding.rule for finding in found})
    index = {rule: number for number, rule in enumerate(ids)}
    results = [_result(report, finding, index) for finding in report.findings]
    results += [_suppressed(report, item, index) for item in report.suppressed]
    driver = {
        "name": "inkgate",
        "version": report.version,
        "semanticVersion": report.version,
        "rules": [_rule(rule, report.rules.get(rule)) for rule in ids],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "invocations": [_invocation(report)],
        "results": results,
        "properties": {"ruleset": report.ruleset, "files": report.files, "leftOut": report.left_out},
    }
    return dump({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


def _invocation(report: Report) -> dict[str, Any]:
    notes = [_notification(report, item) for item in report.unread]
    notes += [{"level": "note", "message": {"text": _message(notice)}} for notice in report.notices]
    invocation: dict[str, Any] = {"executionSuccessful": report.complete, "exitCode": report.exit_code}
    if notes:
        invocation["toolExecutionNotifications"] = notes
    return invocation


def _notification(report: Report, item: Unread) -> dict[str, Any]:
    note: dict[str, Any] = {
        "level": "error" if item.fatal else "note",
        "message": {"text": _message(f"Not read: {item.reason}")},
    }
    if item.source:
        note["locations"] = [
            {"physicalLocation": {"artifactLocation": {"uri": _uri(report.file(item.source), report.root)}}}
        ]
    return note


def _rule(ident: str, rule: Rule | None) -> dict[str, Any]:
    entry: dict[str, Any] = {"id": ident, "name": "".join(part.capitalize() for part in ident.split("-"))}
    if rule is None:  # a rule of another run's pack, known by its finding alone
        return entry
    entry["shortDescription"] = {"text": escape(rule.title, _LIMIT)}
    entry["fullDescription"] = {"text": escape(rule.why, _LIMIT)}
    references = [f"- {escape(link, _LIMIT)}" for link in rule.references]
    paragraphs = [escape(rule.why, 4000), f"Fix: {escape(rule.fix, 4000)}"]
    text = "\n\n".join([*paragraphs, *(["See:\n" + "\n".join(references)] if references else [])])
    entry["help"] = {"text": text, "markdown": text}
    links = [link for link in rule.references if link.startswith("https://")]
    if links:
        entry["helpUri"] = links[0]
    entry["defaultConfiguration"] = {"level": _RULE_LEVEL[rule.severity]}
    entry["properties"] = {
        "tags": ["security", str(rule.category)],
        "precision": _PRECISION[rule.confidence],
        "security-severity": _SCORE[rule.severity],
    }
    return entry


def _result(report: Report, finding: Finding, index: dict[str, int]) -> dict[str, Any]:
    text = finding.message.rstrip(".") + "."
    if view := seen_in(finding):
        text += f" Seen in the {view} view of the text."
    if finding.reason:
        text += f" Judged: {finding.reason.rstrip('.')}."
    return {
        "ruleId": finding.rule,
        "ruleIndex": index[finding.rule],
        "level": _LEVEL[finding.verdict],
        "message": {"text": _message(text)},
        "locations": [_location(report, finding)],
        "partialFingerprints": {"inkgate/v1": finding.fingerprint},
        "properties": {
            "verdict": str(finding.verdict),
            "severity": str(finding.severity),
            "confidence": str(finding.confidence),
            "stance": str(finding.stance),
            "view": finding.view,
            "excerpt": escape(finding.excerpt, 200),
        },
    }


def _suppressed(report: Report, item: Suppressed, index: dict[str, int]) -> dict[str, Any]:
    kind = "inSource" if item.kind == "inline" else "external"
    note = {"kind": kind, "justification": escape(item.reason, _LIMIT) or "no reason is given"}
    return {**_result(report, item.finding, index), "suppressions": [note]}


def _location(report: Report, finding: Finding) -> dict[str, Any]:
    region = {"startLine": finding.line, "startColumn": finding.column}
    if finding.end_line:
        region |= {"endLine": finding.end_line, "endColumn": finding.end_column}
    region |= {"charOffset": finding.start, "charLength": finding.end - finding.start}
    file = report.file(finding.source)
    place: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": {"uri": _uri(file, report.root)}, "region": region}
    }
    if file != finding.source:
        place["logicalLocations"] = [{"fullyQualifiedName": escape(finding.source, _LIMIT), "kind": "resource"}]
    return place


def _message(text: str) -> str:
    """Plain text: square brackets would be links and braces placeholders (SARIF 2.1.0, 3.11.5 and 3.11.6)."""
    shown = escape(text, _LIMIT).replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")
    return shown.replace("{", "{{").replace("}", "}}")


def _uri(path: str, root: str) -> str:
    """A path as a reference relative to `root`, or a `file:` address when it lies elsewhere."""
    if not path:
        return "text"
    pure = PurePath(path)
    if root and pure.is_absolute() and pure.is_relative_to(root):
        pure = pure.relative_to(root)
    # The file system's undecodable bytes come as surrogates (PEP 383) and go back to the bytes that they were.
    errors = "replace" if _LONE.search(path) else "surrogateescape"
    quoted = quote(pure.as_posix().encode("utf-8", errors), safe="/")
    if not pure.is_absolute():
        return quoted
    return f"file://{quoted}" if quoted.startswith("/") else f"file:///{quoted}"
