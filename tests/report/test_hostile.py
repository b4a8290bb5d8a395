"""No format lets the text under test speak to the terminal, the CI runner, the page or the parser that reads it."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkgate.model import Severity, Unread, Verdict
from inkgate.report import FORMATS, Report, Suppressed, render
from inkgate.report.github import step_summary
from inkgate.report.text import summary
from inkgate.text.escape import is_safe_line

from .conftest import make

TEXT = st.text(
    alphabet=st.one_of(
        st.characters(),
        st.sampled_from(
            "#:[]<>&\"'%,!|`*_\\/\x1b\x07\x7f\r\n\t\x85\u2028\u202e\u200b\ud800\udcff\ufeff\U000e0041\u0301 a."
        ),
    ),
    max_size=60,
)
COMMANDS = st.sampled_from(
    ["::error::x", " ::add-mask::x", "##[group]", "##vso[task.x]", ":", "##", "[", "\n::x::", "-->", "]]>", "</script>"]
)
HOSTILE = st.lists(st.one_of(TEXT, COMMANDS), max_size=4).map("".join)


@st.composite
def reports(draw: st.DrawFn) -> Report:
    """Reports in which every string that a suspect could choose is hostile."""

    def finding() -> object:
        return make(
            source=draw(HOSTILE),
            message=draw(HOSTILE),
            excerpt=draw(HOSTILE),
            reason=draw(HOSTILE),
            view=draw(st.sampled_from(["raw", "folded", "base64/hex"])),
            verdict=draw(st.sampled_from(Verdict)),
            severity=draw(st.sampled_from(Severity)),
            end_line=draw(st.sampled_from([0, 3, 4])),
        )

    findings = tuple(finding() for _ in range(draw(st.integers(0, 3))))
    suppressed = (Suppressed(finding(), "inline", draw(HOSTILE)),) if draw(st.booleans()) else ()  # type: ignore[arg-type]
    unread = tuple(Unread(draw(HOSTILE), draw(HOSTILE), draw(st.booleans())) for _ in range(draw(st.integers(0, 2))))
    return Report(findings=findings, suppressed=suppressed, unread=unread, notices=(draw(HOSTILE),), version="0.1.0")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", FORMATS)
@settings(max_examples=150, deadline=None)
@given(report=reports())
def test_no_line_is_a_command_or_holds_a_control(name: str, report: Report) -> None:
    """Every line of every format is safe; GitHub's own commands are safe behind their first two colons."""
    output = render(report, name)
    for line in output.split("\n"):
        body = line
        if name == "github" and (own := re.match("::(?:error|warning|notice) (?=(?:file|line|title)=)", line)):
            body = line[own.end() :]
        assert is_safe_line(body), line
    output.encode("utf-8")


@settings(max_examples=150, deadline=None)
@given(report=reports())
def test_summaries_are_safe(report: Report) -> None:
    """The sentence on the error stream and the step summary are safe as well, and the table has no markup in it."""
    for text in (summary(report), step_summary(report)):
        assert all(map(is_safe_line, text.split("\n")))
    for line in step_summary(report).splitlines():
        if line.startswith("| ") and "| verdict |" not in line:
            assert line.count("|") == 5
            assert not re.search(r"[<>\[\]`*_]|://|@", line)


@settings(max_examples=150, deadline=None)
@given(report=reports())
def test_machine_formats_parse_and_lose_nothing(report: Report) -> None:
    """JSON gives back the very path and excerpt; the XML is well formed and counts what it holds."""
    document = json.loads(render(report, "json"))

    assert [item["path"] for item in document["findings"]] == [finding.source for finding in report.findings]
    assert [item["excerpt"] for item in document["findings"]] == [finding.excerpt for finding in report.findings]
    records = [json.loads(line) for line in render(report, "jsonl").splitlines()]
    assert [record["type"] for record in records].count("finding") == len(report.findings)
    json.loads(render(report, "sarif"))

    suites = ElementTree.fromstring(render(report, "junit"))
    assert int(suites.get("tests", "0")) == len(suites.findall(".//testcase"))
    assert int(suites.get("failures", "0")) == len(suites.findall(".//failure")) == report.failing
    assert int(suites.get("errors", "0")) == len(suites.findall(".//error"))


class _Page(HTMLParser):
    """Collects the elements and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note one element."""
        self.tags.add(tag)
        self.attributes.update(name for name, _ in attrs)


@settings(max_examples=150, deadline=None)
@given(report=reports())
def test_the_page_has_only_its_own_elements(report: Report) -> None:
    """Nothing in a path, message or excerpt becomes an element or an attribute, and there is no script or link."""
    page = _Page()
    page.feed(render(report, "html"))

    own = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "span", "table", "tr", "th", "td"}
    assert page.tags <= own | {"code", "strong", "br", "ul", "li"}
    assert page.attributes <= {"lang", "charset", "http-equiv", "content", "name", "class"}
