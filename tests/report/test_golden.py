"""Each format is compared with a file that a person has read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from inkgate.report import FORMATS, Report, Style, render
from inkgate.report.github import step_summary

Compare = Callable[[str, str], None]
SUFFIX = {"text": "txt", "concise": "concise.txt", "github": "github.txt", "junit": "junit.xml", "sarif": "sarif.json"}


@pytest.mark.parametrize("name", FORMATS)
def test_a_full_report_renders_as_agreed(name: str, full: Report, golden: Compare) -> None:
    """A report with something of everything looks exactly like its golden file."""
    golden(f"full.{SUFFIX.get(name, name)}", render(full, name))


def test_the_verbose_text_lists_what_does_not_count(full: Report, golden: Compare) -> None:
    """Suppressed findings and files without text are listed when asked for."""
    golden("verbose.txt", render(full, "text", Style(verbose=True)))


def test_the_coloured_text_differs_in_nothing_but_colour(full: Report) -> None:
    """Taking the colour codes away gives the plain text, and there are some."""
    import re

    colored = render(full, "text", Style(color=True))

    assert "\x1b[31;1mblock\x1b[0m" in colored
    assert re.sub(r"\x1b\[[0-9;]+m", "", colored) == render(full, "text")


def test_the_step_summary_is_a_table(full: Report, golden: Compare) -> None:
    """GitHub's step summary shows counts and findings without any live markup."""
    golden("summary.md", step_summary(full))


@pytest.mark.parametrize("name", FORMATS)
def test_equal_reports_render_equally(name: str, full: Report) -> None:
    """There is no time, order or address in any format that could change between runs."""
    assert render(full, name) == render(full, name)


@pytest.mark.parametrize("name", ["text", "concise", "jsonl", "github"])
def test_a_clean_run_says_little(name: str) -> None:
    """Formats of lines are empty when there is nothing to say, but for the summary record."""
    lines = render(Report(files=1), name).splitlines()

    assert len(lines) == (1 if name == "jsonl" else 0)
