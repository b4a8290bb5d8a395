"""The real Hermes Agent, for the tests that ask it; they are skipped where it is not installed."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(name="ask_host")
def _ask_host(tmp_path: Path) -> Callable[[str], dict[str, Any]]:
    """Run a script in a process of the host, whose home is `tmp_path`; it answers with a line `TOLD` and JSON."""
    python = os.environ.get("INKGATE_HERMES_PYTHON", "")
    if not python and importlib.util.find_spec("hermes_cli") is not None:
        python = sys.executable
    if not python:
        pytest.skip("hermes-agent is not installed; name a Python that has it and inkgate in INKGATE_HERMES_PYTHON")

    def ask(script: str) -> dict[str, Any]:
        run = subprocess.run(
            [python, "-c", script], capture_output=True, text=True, check=False, timeout=300, cwd=tmp_path,
            env={**os.environ, "HERMES_HOME": str(tmp_path), "PYTHONIOENCODING": "utf-8"},
        )  # fmt: skip
        lines = [line for line in run.stdout.splitlines() if line.startswith("TOLD ")]
        assert lines, run.stderr[-3000:]
        told: dict[str, Any] = json.loads(lines[0].removeprefix("TOLD "))
        return told

    return ask
