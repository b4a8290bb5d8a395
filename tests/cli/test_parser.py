"""What the grammar says of commands whose modules it does not import."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from inkgate.cli.parser import COMMANDS


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_is_told_as_its_module_tells_it(name: str) -> None:
    """The overview and the command's own help say the same."""
    assert COMMANDS[name] == import_module(f"inkgate.cli.{name}").ABOUT


def test_a_scan_imports_no_other_command() -> None:
    """Each command pays for itself."""
    code = (
        "import sys\n"
        "from inkgate.cli.parser import build_parser\n"
        "build_parser('scan').parse_args(['scan', '-'])\n"
        "print(sorted(name for name in sys.modules if name.startswith('inkgate.cli.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['inkgate.cli.parser']"
