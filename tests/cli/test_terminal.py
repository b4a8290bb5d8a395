"""Colour and progress: when, and when not."""

from __future__ import annotations

import io
import sys

import pytest

from inkgate.cli import terminal
from inkgate.cli.terminal import Progress, use_color, write


class Terminal(io.StringIO):
    """A stream that says whether it is a terminal."""

    def __init__(self, *, tty: bool = True) -> None:
        super().__init__()
        self.tty = tty

    def isatty(self) -> bool:
        """As told."""
        return self.tty


@pytest.mark.parametrize(
    ("choice", "environment", "tty", "color"),
    [
        ("auto", {}, True, True),
        ("auto", {}, False, False),
        ("auto", {"TERM": "dumb"}, True, False),
        ("auto", {"NO_COLOR": "1"}, True, False),
        ("auto", {"NO_COLOR": ""}, True, True),
        ("auto", {"FORCE_COLOR": "1"}, False, True),
        ("auto", {"FORCE_COLOR": ""}, False, False),
        ("auto", {"FORCE_COLOR": "1", "TERM": "dumb"}, False, True),
        ("auto", {"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ("always", {"NO_COLOR": "1"}, False, True),
        ("never", {"FORCE_COLOR": "1"}, True, False),
    ],
)
def test_when_there_is_colour(choice: str, environment: dict[str, str], tty: bool, color: bool) -> None:
    """The option, then NO_COLOR, then FORCE_COLOR (each only if not empty), then the terminal."""
    assert use_color(choice, Terminal(tty=tty), environment) is color


@pytest.mark.parametrize(
    ("environment", "tty", "quiet", "shown"),
    [
        ({}, True, False, True),
        ({}, False, False, False),
        ({}, True, True, False),
        ({"PRE_COMMIT": "1"}, True, False, False),
        ({"CI": "true"}, True, False, False),
        ({"NO_COLOR": "1"}, True, False, False),
        ({"TERM": "dumb"}, True, False, False),
    ],
)
def test_when_there_is_progress(
    environment: dict[str, str], tty: bool, quiet: bool, shown: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only for a person who watches, and pre-commit's pseudo-terminal is none."""
    stream = Terminal(tty=tty)
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(terminal, "PATIENCE", -1.0)
    progress = Progress(2, quiet=quiet, environment=environment)
    progress.step("a\x1b]0;title\x07.md")
    progress.close()

    assert bool(stream.getvalue()) is shown
    assert "\x1b]" not in stream.getvalue()
    assert "\x07" not in stream.getvalue()


def test_short_work_shows_no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """For the first seconds there is nothing to see."""
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    progress = Progress(1, environment={})
    progress.step("a.md")
    progress.close()

    assert stream.getvalue() == ""


def test_what_the_encoding_lacks_is_escaped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report does not fail on a stream that cannot write it."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    monkeypatch.setattr(sys, "stdout", stream)
    write("caf\u00e9 \u2026\n")
    stream.flush()

    assert raw.getvalue() == b"caf\\xe9 \\u2026\n"
