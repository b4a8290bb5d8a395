"""What the grammar says of commands whose modules it does not import."""

from __future__ import annotations

import subprocess
import sys

import pytest

from inkgate.cli.commands import ABOUT
from inkgate.cli.parser import build_parser


@pytest.mark.parametrize("name", ABOUT)
def test_each_command_is_told_as_its_module_tells_it(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The overview and the command's own help say the same."""
    for arguments in (["--help"], [name, "--help"]):
        with pytest.raises(SystemExit):
            build_parser(arguments[0]).parse_args(arguments)
        told = " ".join(capsys.readouterr().out.split())
        assert ABOUT[name][1:] in told


def test_a_scan_imports_no_other_command() -> None:
    """Each command pays for itself."""
    code = (
        "import sys\n"
        "from inkgate.cli.parser import build_parser\n"
        "build_parser('scan').parse_args(['scan', '-'])\n"
        "print(sorted(name for name in sys.modules if name.startswith('inkgate.cli.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['inkgate.cli.commands', 'inkgate.cli.parser']"
