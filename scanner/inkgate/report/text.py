"""For people at a terminal: one block per finding, the place first so that editors can jump to it."""

from __future__ import annotations

from collections.abc import Iterator

from inkgate.model import Finding, Severity, Stance, Unread, Verdict
from inkgate.report.model import Report, Style, Suppressed
from inkgate.text.counted import counted
from inkgate.text.escape import escape

__all__ = ["place", "render", "render_concise", "safe_line", "seen_in", "summary"]

_LINE = 2000
"""Most characters of one line of output."""

_BOLD, _DIM, _RED, _YELLOW, _CYAN = "1", "2", "31;1", "33;1", "36"
_VERDICT_COLOR = {Verdict.BLOCK: _RED, Verdict.STAGE: _YELLOW, Verdict.ALLOW: _CYAN}

Piece = tuple[str, str]
"""Some text and the ANSI parameters of its colour, or an empty string."""


def safe_line(text: str) -> str:
    """One line of output from text of any origin."""
    return escape(text, _LINE)


def place(finding: Finding) -> str:
    """`path:line:column`, the path escaped; `<text>` where there is none."""
    return f"{escape(finding.source, 1000) or '<text>'}:{finding.line}:{finding.column}"


def seen_in(finding: Finding) -> str:
    """The encodings that hid it, or empty when it stands in the text as it is read."""
    return "" if finding.view in ("raw", "folded", "cased") else escape(finding.view, 100)


def render(report: Report, style: Style) -> str:
    """Every finding with its excerpt, reason and remedy; then what was not read."""
    lines: list[str] = []
    told: set[str] = set()
    for finding in report.findings:
        lines += (_paint(pieces, style) for pieces in _block(report, finding, told))
        lines.append("")
    for unread in report.unread:
        if unread.fatal or style.verbose:
            lines.append(_paint(_unread(unread), style))
    if style.verbose:
        lines += (_paint(_suppressed(item), style) for item in report.suppressed)
    return "".join(f"{line}\n" for line in lines)


def render_concise(report: Report, style: Style) -> str:
    """One line per finding and per thing that was not read."""
    rows = [_headline(finding) for finding in report.findings]
    rows += [_unread(unread) for unread in report.unread if unread.fatal or style.verbose]
    if style.verbose:
        rows += [_suppressed(item) for item in report.suppressed]
    return "".join(f"{_paint(row, style)}\n" for row in rows)


def summary(report: Report) -> str:
    """One sentence about the run, for the error stream."""
    count = len(report.findings)
    blocked = sum(finding.verdict is Verdict.BLOCK for finding in report.findings)
    staged = sum(finding.verdict is Verdict.STAGE for finding in report.findings)
    found = f"{counted(count, 'finding')} ({blocked} block, {staged} stage)" if count else "nothing found"
    parts = [f"{counted(report.files, 'file')} scanned", found]
    kinds: dict[str, int] = {}
    for item in report.suppressed:
        kinds[item.kind] = kinds.get(item.kind, 0) + 1
    words = {"inline": "suppressed in the text", "baseline": "in the baseline", "config": "switched off"}
    parts += [f"{kinds[kind]} {word}" for kind, word in words.items() if kind in kinds]
    if report.left_out:
        parts.append(f"{report.left_out} left out")
    failed = sum(item.fatal for item in report.unread)
    if skipped := len(report.unread) - failed:
        parts.append(f"{skipped} without text")
    if failed:
        parts.append(f"{failed} COULD NOT BE READ")
    return "inkgate: " + ", ".join(parts)


def _headline(finding: Finding) -> list[Piece]:
    grade = f"{finding.severity}, {finding.confidence} confidence"
    if view := seen_in(finding):
        grade += f", seen in {view}"
    return [
        (place(finding), _BOLD),
        (": ", ""),
        (str(finding.verdict), _VERDICT_COLOR[finding.verdict]),
        (f" [{finding.rule}] ", ""),
        (escape(finding.message, 400), ""),
        (f" ({grade})", _DIM),
    ]


def _block(report: Report, finding: Finding, told: set[str]) -> Iterator[list[Piece]]:
    yield _headline(finding)
    if finding.excerpt:
        yield [("    > ", _DIM), (escape(finding.excerpt, 200), "")]
    if finding.reason or finding.stance is Stance.MENTION:
        word = "mentioned, not ordered" if finding.stance is Stance.MENTION else "judged"
        yield [("    = ", _DIM), (f"{word}: {escape(finding.reason, 300)}" if finding.reason else word, "")]
    rule = report.rules.get(finding.rule)
    if rule is not None and finding.severity > Severity.INFO and rule.id not in told:
        told.add(rule.id)  # the remedy is told once per rule, not once per finding
        yield [("    = ", _DIM), ("fix: ", _BOLD), (escape(rule.fix, 400), "")]


def _unread(unread: Unread) -> list[Piece]:
    word, color = ("not read", _RED) if unread.fatal else ("no text", _DIM)
    source = escape(unread.source, 1000) or "<text>"
    return [(source, _BOLD), (": ", ""), (word, color), (": ", ""), (escape(unread.reason, 400), "")]


def _suppressed(item: Suppressed) -> list[Piece]:
    finding = item.finding
    why = f" ({item.kind}: {escape(item.reason, 300)})"
    return [(place(finding), _BOLD), (": suppressed ", _DIM), (f"[{finding.rule}]", ""), (why, _DIM)]


def _paint(pieces: list[Piece], style: Style) -> str:
    """One line. Where the pieces together say more than each alone (`:` and `:`), the whole is escaped, uncoloured."""
    line = "".join(text for text, _ in pieces)
    safe = safe_line(line)
    if not style.color or safe != line:
        return safe
    return "".join(f"\x1b[{color}m{text}\x1b[0m" if color else text for text, color in pieces)
