"""The workflow example and the script that checks a change."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml


@pytest.fixture(scope="session")
def workflow(root: Path) -> dict[Any, Any]:
    """The example, parsed."""
    parsed = yaml.safe_load((root / "docs" / "examples" / "inkgate.yml").read_text(encoding="utf-8"))
    assert isinstance(parsed, dict)
    return parsed


def test_the_example_asks_for_no_more_rights_than_it_needs(workflow: dict[Any, Any]) -> None:
    """Nothing at the top, reading and code scanning in the job, no credential left in the checkout."""
    assert workflow["permissions"] == {}
    (job,) = workflow["jobs"].values()
    assert job["permissions"] == {"actions": "read", "contents": "read", "security-events": "write"}
    checkout = next(step for step in job["steps"] if "checkout" in step.get("uses", ""))
    assert checkout["with"]["persist-credentials"] is False


def test_every_action_is_pinned_to_a_commit(workflow: dict[Any, Any]) -> None:
    """A tag can be moved; forty hexadecimal digits cannot."""
    (job,) = workflow["jobs"].values()
    used = [step["uses"] for step in job["steps"] if "uses" in step]
    assert used
    assert [name for name in used if not re.fullmatch(r"[\w.-]+/[\w./-]+@[0-9a-f]{40}", name)] == []


def test_the_command_in_the_example_is_valid(workflow: dict[Any, Any]) -> None:
    """The command line of this version takes it, and it writes the file that is uploaded."""
    from inkgate.cli.parser import build_parser

    (job,) = workflow["jobs"].values()
    (line,) = [step["run"] for step in job["steps"] if step.get("run", "").startswith("inkgate ")]
    arguments = build_parser().parse_args(shlex.split(line)[1:])
    upload = next(step for step in job["steps"] if "upload-sarif" in step.get("uses", ""))
    assert str(arguments.output) == upload["with"]["sarif_file"]
    assert "!cancelled()" in upload["if"]


def test_the_check_script_can_be_run(root: Path) -> None:
    """It is executable, and its shell reads it without an error."""
    script = root / ".ci" / "run"
    assert os.access(script, os.X_OK)
    bash = shutil.which("bash")
    if bash is None:
        pytest.skip("bash is missing")
    done = subprocess.run([bash, "-n", str(script)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_check_script_refuses_an_old_python(root: Path, tmp_path: Path) -> None:
    """An interpreter that is too old is named as the reason, before anything is installed."""
    if shutil.which("bash") is None:
        pytest.skip("bash is missing")
    old = tmp_path / "python"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    done = subprocess.run(
        [str(root / ".ci" / "run")], capture_output=True, text=True, env={**os.environ, "PYTHON": str(old)}
    )
    assert done.returncode == 2
    assert "3.11" in done.stderr
