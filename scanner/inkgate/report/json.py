"""For programs: JSON, schema version 1, and the same records as JSON lines.

The document has, in this order: `schema_version` (1), `tool` (`name`, `version`, `ruleset`), `verdict`, `complete`,
`exit_code`, `counts` (`files`, `left_out`, `characters`, `findings`, `failing`, `suppressed`, `unread`), `findings`,
`suppressed`, `unread`, `notices`. A finding has the fields of `inkgate.model.Finding` with `path` for its source; a
suppressed one has `suppression` (`kind`, `reason`) besides. Fields may be added within a version, never changed or
removed. Positions are characters (code points). Output is ASCII: whatever a path or excerpt holds is written as a
JSON escape, which loses nothing, and a `##[` cannot reach a CI runner.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from inkgate.model import Finding, Unread
from inkgate.report.model import Report, Suppressed

__all__ = ["SCHEMA_VERSION", "dump", "render", "render_lines"]

SCHEMA_VERSION = 1

# The hash can only stand inside a string, where an escape means the same.
_HASH_COMMAND = re.compile(r"#(?=#[A-Za-z.]{0,32}\[)")


def dump(data: object, *, indent: int | None = 2) -> str:
    """JSON in ASCII that no CI runner reads as a command; without an end of line."""
    text = json.dumps(data, indent=indent, ensure_ascii=True).replace("\x7f", r"\u007f")
    return _HASH_COMMAND.sub(r"\\u0023", text)


def render(report: Report) -> str:
    """One document."""
    document = {
        **_head(report),
        "findings": [_finding(finding) for finding in report.findings],
        "suppressed": [_suppressed(item) for item in report.suppressed],
        "unread": [_unread(item) for item in report.unread],
        "notices": list(report.notices),
    }
    return dump(document) + "\n"


def render_lines(report: Report) -> str:
    """One record per line, each with a `type`: `finding`, `suppressed`, `unread`, `notice`, and last `summary`."""
    return "".join(f"{dump(record, indent=None)}\n" for record in _records(report))


def _records(report: Report) -> Iterator[dict[str, Any]]:
    for finding in report.findings:
        yield {"type": "finding", **_finding(finding)}
    for suppressed in report.suppressed:
        yield {"type": "suppressed", **_suppressed(suppressed)}
    for unread in report.unread:
        yield {"type": "unread", **_unread(unread)}
    for notice in report.notices:
        yield {"type": "notice", "message": notice}
    yield {"type": "summary", **_head(report)}


def _head(report: Report) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": {"name": "inkgate", "version": report.version, "ruleset": report.ruleset},
        "verdict": str(report.verdict),
        "complete": report.complete,
        "exit_code": report.exit_code,
        "counts": {
            "files": report.files,
            "left_out": report.left_out,
            "characters": report.characters,
            "findings": len(report.findings),
            "failing": report.failing,
            "suppressed": len(report.suppressed),
            "unread": len(report.unread),
        },
    }


def _finding(finding: Finding) -> dict[str, Any]:
    return {
        "path": finding.source,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line or None,
        "end_column": finding.end_column or None,
        "start": finding.start,
        "end": finding.end,
        "rule": finding.rule,
        "category": str(finding.category),
        "severity": str(finding.severity),
        "confidence": str(finding.confidence),
        "verdict": str(finding.verdict),
        "stance": str(finding.stance),
        "message": finding.message,
        "reason": finding.reason,
        "view": finding.view,
        "excerpt": finding.excerpt,
        "fingerprint": finding.fingerprint,
    }


def _suppressed(item: Suppressed) -> dict[str, Any]:
    return {**_finding(item.finding), "suppression": {"kind": item.kind, "reason": item.reason}}


def _unread(item: Unread) -> dict[str, Any]:
    return {"path": item.source, "reason": item.reason, "fatal": item.fatal}
