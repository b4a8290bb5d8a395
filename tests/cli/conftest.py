"""The command line under test: run in this process, with a home of its own, and a person who types."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from inkgate.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(name="run")
def _run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command on the home; gives its exit code, its output and its messages."""

    def run(*words: str) -> tuple[int, str, str]:
        code = main([*words, "--home", str(tmp_path)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture(name="typed")
def _typed(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Pretend that a person at a terminal types a word."""

    def typed(word: str) -> None:
        class Terminal(io.StringIO):
            def isatty(self) -> bool:
                return True

        monkeypatch.setattr("sys.stdin", Terminal(word + "\n"))
        monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)

    return typed
