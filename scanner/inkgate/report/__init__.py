"""One module per output format, each a pure function of the report. A format is imported when it is asked for.

Rules that every format keeps: what comes from the text under test passes `inkgate.text.escape.escape` (or is written
as JSON escapes, which loses nothing); no line of output starts a CI command; the same report gives the same output.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from inkgate.report.model import PLAIN, FailOn, Report, Style, Suppressed

__all__ = ["FORMATS", "PLAIN", "FailOn", "Report", "Style", "Suppressed", "render"]

Renderer = Callable[[Report, Style], str]


def _text(report: Report, style: Style) -> str:
    from inkgate.report import text

    return text.render(report, style)


def _concise(report: Report, style: Style) -> str:
    from inkgate.report import text

    return text.render_concise(report, style)


def _json(report: Report, _style: Style) -> str:
    from inkgate.report import json

    return json.render(report)


def _jsonl(report: Report, _style: Style) -> str:
    from inkgate.report import json

    return json.render_lines(report)


def _sarif(report: Report, _style: Style) -> str:
    from inkgate.report import sarif

    return sarif.render(report)


def _github(report: Report, _style: Style) -> str:
    from inkgate.report import github

    return github.render(report)


def _junit(report: Report, _style: Style) -> str:
    from inkgate.report import junit

    return junit.render(report)


def _html(report: Report, _style: Style) -> str:
    from inkgate.report import html

    return html.render(report)


FORMATS: Mapping[str, Renderer] = MappingProxyType(
    {
        "text": _text,
        "concise": _concise,
        "json": _json,
        "jsonl": _jsonl,
        "sarif": _sarif,
        "github": _github,
        "junit": _junit,
        "html": _html,
    }
)
"""Every format by the name that `--format` takes."""


def render(report: Report, name: str, style: Style = PLAIN) -> str:
    """The report in the named format, ending in a line end, or empty when the format has nothing to say.

    Raises:
        KeyError: there is no such format.
    """
    return FORMATS[name](report, style)
