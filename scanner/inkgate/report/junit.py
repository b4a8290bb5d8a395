"""For CI servers that read JUnit XML: one suite per file, one test case per finding.

A finding at or above the threshold is a failure, one below it a passing case with its text; a file that could not be
read is an error, one without text is skipped. A clean run has one passing case, not none.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape as xml_text  # the standard library's XML one imports urllib.request and ssl
from itertools import groupby

from inkgate.model import Finding, Unread
from inkgate.report.model import FailOn, Report
from inkgate.report.text import place, safe_line
from inkgate.text.escape import escape

__all__ = ["render"]


def render(report: Report) -> str:
    """The XML document."""
    suites = [_suite(name, list(items), report.fail_on) for name, items in groupby(report.findings, _source)]
    if report.unread:
        suites.append(_unread_suite(report.unread))
    if not suites:
        suites.append('  <testsuite name="inkgate" tests="1" failures="0" errors="0" skipped="0">')
        suites.append('    <testcase classname="inkgate" name="scan"/>\n  </testsuite>')
    cases = len(report.findings) + len(report.unread) or 1
    errors = sum(item.fatal for item in report.unread)
    head = f'<testsuites name="inkgate" tests="{cases}" failures="{report.failing}" errors="{errors}">'
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', head, *suites, "</testsuites>"]) + "\n"


def _source(finding: Finding) -> str:
    return finding.source


def _attribute(text: str, limit: int = 1000) -> str:
    return f'"{xml_text(escape(text, limit))}"'


def _suite(name: str, findings: list[Finding], fail_on: FailOn) -> str:
    path = _attribute(name or "<text>")
    failures = sum(map(fail_on.counts, findings))
    lines = [f'  <testsuite name={path} tests="{len(findings)}" failures="{failures}" errors="0" skipped="0">']
    for finding in findings:
        kind = f"{finding.severity}, {finding.verdict}"
        words = f"{place(finding)}: {escape(finding.message, 400)}"
        shown = [xml_text(safe_line(words))]
        if finding.excerpt:
            shown.append(xml_text(safe_line(f"> {escape(finding.excerpt, 200)}")))
        text = "\n".join(shown)
        where = f'line="{finding.line}" column="{finding.column}"'
        lines.append(f"    <testcase classname={path} name={_attribute(finding.rule)} {where}>")
        if fail_on.counts(finding):
            message = _attribute(finding.message, 400)
            lines.append(f"      <failure message={message} type={_attribute(kind)}>{text}</failure>")
        else:
            lines.append(f"      <system-out>{text}</system-out>")
        lines.append("    </testcase>")
    lines.append("  </testsuite>")
    return "\n".join(lines)


def _unread_suite(unread: Iterable[Unread]) -> str:
    items = list(unread)
    errors = sum(item.fatal for item in items)
    lines = [
        f'  <testsuite name="not read" tests="{len(items)}" failures="0" errors="{errors}"'
        f' skipped="{len(items) - errors}">'
    ]
    for item in items:
        tag = "error" if item.fatal else "skipped"
        lines.append(f'    <testcase classname={_attribute(item.source or "<text>")} name="read">')
        lines.append(f"      <{tag} message={_attribute(item.reason, 400)}/>")
        lines.append("    </testcase>")
    lines.append("  </testsuite>")
    return "\n".join(lines)
