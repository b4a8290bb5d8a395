"""For GitHub Actions: workflow commands that annotate the changed lines, and a step summary.

The runner shows ten errors and ten warnings of a step. The worst findings are therefore annotated first, and what
does not fit is printed as plain lines. Escaping follows `actions/toolkit`, `packages/core/src/command.ts`.
"""

from __future__ import annotations

import string

from inkgate.model import Finding, Unread, Verdict
from inkgate.report.model import Report
from inkgate.report.text import place, safe_line, seen_in, summary
from inkgate.text.escape import escape

__all__ = ["render", "step_summary"]

SHOWN = 10
"""Annotations of one level that the runner shows per step."""

SUMMARY_ROWS = 100
"""Rows of the step summary's table; the summary as a whole is limited to one MiB."""

_ENTITIES = {ord(mark): f"&#{ord(mark)};" for mark in string.punctuation if mark not in "-/,;"}

_LEVEL = {Verdict.BLOCK: "error", Verdict.STAGE: "warning", Verdict.ALLOW: "notice"}


def render(report: Report) -> str:
    """One line per finding and per thing that was not read."""
    lines: list[str] = []
    used = dict.fromkeys(_LEVEL.values(), 0)
    for unread in report.unread:
        if unread.fatal:
            used["error"] += 1
            lines.append(_unread(report, unread))
    ranked = sorted(report.findings, key=lambda item: (-item.verdict.rank, -item.severity, -item.confidence))
    for finding in ranked:  # the sort is stable: within a grade the order of the report stays
        level = _LEVEL[finding.verdict]
        used[level] += 1
        if used[level] <= SHOWN:
            lines.append(_annotation(report, level, finding))
        else:
            lines.append(safe_line(f"{place(finding)}: {level} [{finding.rule}] {escape(finding.message, 400)}"))
    return "".join(f"{line}\n" for line in lines)


def step_summary(report: Report) -> str:
    """Markdown for `$GITHUB_STEP_SUMMARY`: the counts and a table of the worst findings."""
    lines = ["### inkgate", "", _cell(summary(report).removeprefix("inkgate: ")), ""]
    ranked = sorted(report.findings, key=lambda item: (-item.verdict.rank, -item.severity, -item.confidence))
    if ranked:
        lines += ["| verdict | rule | where | what |", "|---|---|---|---|"]
        for finding in ranked[:SUMMARY_ROWS]:
            cells = (str(finding.verdict), finding.rule, place(finding), finding.message)
            lines.append(f"| {' | '.join(map(_cell, cells))} |")
        if len(ranked) > SUMMARY_ROWS:
            lines += ["", f"and {len(ranked) - SUMMARY_ROWS} more"]
    return "\n".join(lines) + "\n"


def _annotation(report: Report, level: str, finding: Finding) -> str:
    file = report.file(finding.source)
    message = escape(finding.message, 400)
    if file == finding.source:
        properties = _region(finding)
    else:  # a member's lines are not lines of its archive
        properties, message = {}, f"{place(finding)}: {message}"
    properties["title"] = f"inkgate {finding.verdict}: {finding.rule}"
    if view := seen_in(finding):
        message += f" (seen in {view})"
    if finding.reason:
        message += f"; {escape(finding.reason, 300)}"
    if finding.excerpt:
        message += f" > {escape(finding.excerpt, 200)}"
    return _command(level, file, properties, message)


def _region(finding: Finding) -> dict[str, str]:
    properties = {"line": str(finding.line)}
    if finding.end_line:
        properties["endLine"] = str(finding.end_line)
    if finding.end_line in (0, finding.line):  # columns are not valid over several lines
        properties["col"] = str(finding.column)
        if finding.end_column:
            properties["endColumn"] = str(finding.end_column)
    return properties


def _unread(report: Report, unread: Unread) -> str:
    return _command("error", report.file(unread.source), {"title": "inkgate: not read"}, escape(unread.reason, 400))


def _command(level: str, path: str, properties: dict[str, str], message: str) -> str:
    named = {"file": escape(path, 1000), **properties} if path else properties
    listed = ",".join(f"{name}={_property(value)}" for name, value in named.items())
    # The command itself has to start the line; `escape` is for its parts, and for `##[` across two of them.
    return f"::{level} " + escape(f"{listed}::{_data(message)}", 4000)


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _cell(text: str) -> str:
    """Text in a Markdown table: nothing of it is markup, a link, a mention or a reference."""
    return escape(text, 400).translate(_ENTITIES)
