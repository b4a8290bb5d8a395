"""Directional controls: ordinary beside right-to-left text, reported where they can disguise what is written."""

from __future__ import annotations

import pytest

from inkgate.model import Severity
from inkgate.text.bidi import REACH
from inkgate.text.hidden import HiddenScanner

LOW, MEDIUM, HIGH = Severity.LOW, Severity.MEDIUM, Severity.HIGH
HEBREW = "\u05e9\u05dc\u05d5\u05dd"
LRE, RLE, PDF, LRO, RLO = "\u202a", "\u202b", "\u202c", "\u202d", "\u202e"
LRI, RLI, FSI, PDI = "\u2066", "\u2067", "\u2068", "\u2069"
LRM, RLM = "\u200e", "\u200f"


def scan(text: str, *, code: bool = False) -> list[tuple[str, Severity, int, int]]:
    """Rule, severity and span of every finding."""
    found = HiddenScanner(code=code).feed(text, final=True)
    return [(item.rule, item.severity, item.start, item.end) for item in found]


@pytest.mark.parametrize(
    "text",
    [
        f"{HEBREW}{RLM}!",
        f"{HEBREW} {LRE}abc{PDF}",
        f"{HEBREW} {LRE}abc",  # the end of the paragraph closes an embedding
        f"{HEBREW} {LRI}abc{PDI}",
        f"{RLI}{HEBREW}{PDI} world",
        f"{FSI}Anna{PDI} sent {LRI}3{PDI} files",  # message formatters isolate every value
        f"{LRE}abc{PDF}",
        f"{HEBREW} {RLO}{HEBREW}{PDF}",
        f"{PDF}{PDI}",
    ],
)
def test_ordinary(text: str) -> None:
    """Controls that order right-to-left text, or isolate a value, are not reported in prose."""
    assert scan(text) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"pass{LRM}{RLM}word", ("bidi-mark-without-rtl", LOW, 4, 6)),
        (f"{HEBREW}\npass{LRM}word", ("bidi-mark-without-rtl", LOW, 9, 10)),
        (f"file{RLO}fdp.exe", ("bidi-override", MEDIUM, 4, 12)),
        (f"file{LRO}fdp{PDF}.exe", ("bidi-override", MEDIUM, 4, 9)),
        (f"{HEBREW} {RLO}abc{PDF}", ("bidi-override", MEDIUM, 5, 10)),
        (f"{HEBREW} {RLO}{HEBREW}", ("bidi-override", LOW, 5, 10)),
        (f"({RLO}\u2026{PDF})", ("bidi-override", LOW, 1, 4)),
        (f"{LRI}{RLO}abc{PDI}", ("bidi-override", MEDIUM, 1, 6)),
        (f"a{LRI}b", ("bidi-isolate-unclosed", MEDIUM, 1, 2)),
        (f"{HEBREW}{FSI}b", ("bidi-isolate-unclosed", LOW, 4, 5)),
        (f"a{LRI}b\n{PDI}", ("bidi-isolate-unclosed", MEDIUM, 1, 2)),
        (f"a{RLE}b", ("bidi-embedding-unclosed", LOW, 1, 2)),
        (f"a{RLI}b{PDI}", ("bidi-control-without-rtl", LOW, 1, 4)),
    ],
)
def test_disguise(text: str, expected: tuple[str, Severity, int, int]) -> None:
    """Controls that have nothing to order, or order Latin text, are reported with their span."""
    assert [expected] == scan(text)


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        (f'if level != "user{RLO} {LRI}// admin{PDI} {LRI}":', [(17, 18), (19, 29), (30, 31)]),
        (f"x = 1 {PDF}", [(6, 7)]),
        (f"# {RLI}plain{PDI}", [(2, 9)]),
        (f'"{RLI}{HEBREW}" + "{PDI}"', [(1, 12)]),
        (f"# {RLO}{HEBREW}{PDF}", [(2, 8)]),
        (f"{LRE}abc{PDF}", [(0, 5)]),
    ],
)
def test_code(text: str, spans: list[tuple[int, int]]) -> None:
    """In code every control counts that is not closed inside one string or comment with right-to-left text."""
    assert [("bidi-in-code", HIGH, *span) for span in spans] == scan(text, code=True)


@pytest.mark.parametrize("text", [f'"{RLI}{HEBREW}{PDI}"', f"# {HEBREW}{RLM}", f"# {LRE}{HEBREW} abc{PDF}"])
def test_code_in_order(text: str) -> None:
    """Right-to-left strings and comments stay possible."""
    assert scan(text, code=True) == []


def test_context_reaches_over_windows() -> None:
    """Right-to-left text and the end of an isolate are seen in the windows beside that of the control."""
    text = HEBREW + "a" * (REACH - 10) + LRI + "b" * 100 + PDI + "c" * REACH

    assert scan(text) == []
    assert scan("a" * (REACH - 2) + LRI + "bbbb" + PDI) == []


def test_paragraphs_are_judged_apart() -> None:
    """Right-to-left text of another paragraph is no context."""
    assert [rule for rule, *_ in scan(f"a{LRM}b\n{HEBREW}{LRM}\nc{LRM}d")] == ["bidi-mark-without-rtl"] * 2
