"""For sharing: one page that holds everything, loads nothing and runs nothing."""

from __future__ import annotations

from html import escape as html_text

from inkgate.model import Finding, Unread
from inkgate.report.model import Report, Suppressed
from inkgate.report.text import place, seen_in, summary
from inkgate.text.escape import escape

__all__ = ["render"]

_STYLE = """
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; }
body { max-width: 75rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
th, td { border-bottom: 1px solid #8884; padding: .4rem .6rem; text-align: left; vertical-align: top; }
code { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; unicode-bidi: isolate; }
.block { color: #c62828; font-weight: 600; } .stage { color: #b26a00; font-weight: 600; } .allow { color: #5a7a8a; }
.small { opacity: .75; font-size: 13px; }
"""


def render(report: Report) -> str:
    """The page. Its policy forbids scripts, and there are none."""
    parts = [
        "<!doctype html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="referrer" content="no-referrer">',
        "<title>inkgate report</title>",
        f"<style>{_STYLE}</style>",
        "</head>",
        "<body>",
        f'<h1>inkgate: <span class="{report.verdict}">{report.verdict}</span></h1>',
        f"<p>{_text(summary(report).removeprefix('inkgate: '))}</p>",
    ]
    if report.findings:
        parts += _table("Findings", ("Verdict", "Where", "What"), [_finding(report, item) for item in report.findings])
    if report.unread:
        parts += _table("Not read", ("Where", "Why"), [_unread(item) for item in report.unread])
    if report.suppressed:
        rows = [_suppressed(item) for item in report.suppressed]
        parts += _table("Suppressed", ("Where", "Rule", "Reason"), rows)
    if report.notices:
        parts += ["<h2>Notices</h2>", "<ul>", *(f"<li>{_text(notice)}</li>" for notice in report.notices), "</ul>"]
    version = f"inkgate {_text(report.version)}, rules {_text(report.ruleset)}"
    parts += [f'<p class="small">{version}</p>', "</body>", "</html>"]
    return "\n".join(parts) + "\n"


def _text(text: str, limit: int = 1000) -> str:
    return html_text(escape(text, limit))


def _code(text: str, limit: int = 1000) -> str:
    return f"<code>{_text(text, limit)}</code>"


def _table(title: str, head: tuple[str, ...], rows: list[str]) -> list[str]:
    cells = "".join(f"<th>{name}</th>" for name in head)
    return [f"<h2>{title}</h2>", "<table>", f"<tr>{cells}</tr>", *rows, "</table>"]


def _finding(report: Report, finding: Finding) -> str:
    grade = f"{finding.severity}, {finding.confidence} confidence"
    if view := seen_in(finding):
        grade += f", seen in {view}"
    what = [f"<strong>{_text(finding.message, 400)}</strong> {_code(finding.rule)}"]
    what.append(f'<span class="small">{_text(grade)}</span>')
    if finding.excerpt:
        what.append(_code(finding.excerpt, 200))
    if finding.reason:
        what.append(f'<span class="small">{_text(finding.reason, 300)}</span>')
    rule = report.rules.get(finding.rule)
    if rule is not None:
        what.append(f'<span class="small">{_text(rule.why)} <strong>Fix:</strong> {_text(rule.fix)}</span>')
    verdict = f'<span class="{finding.verdict}">{finding.verdict}</span>'
    return f"<tr><td>{verdict}</td><td>{_code(place(finding))}</td><td>{'<br>'.join(what)}</td></tr>"


def _unread(item: Unread) -> str:
    word = _text(item.reason) if item.fatal else f'<span class="small">{_text(item.reason)}</span>'
    return f"<tr><td>{_code(item.source or '<text>')}</td><td>{word}</td></tr>"


def _suppressed(item: Suppressed) -> str:
    reason = f"{item.kind}: {item.reason}"
    return f"<tr><td>{_code(place(item.finding))}</td><td>{_code(item.finding.rule)}</td><td>{_text(reason)}</td></tr>"
