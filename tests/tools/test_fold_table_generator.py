"""The shipped fold table is what its generator makes of the public data."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

GENERATOR = "tools/build_fold_table.py"


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the generator as a person would."""
    return subprocess.run(
        [sys.executable, str(root / GENERATOR), *arguments], capture_output=True, text=True, check=False, cwd=root
    )


def test_the_shipped_table_is_reproducible(root: Path, shared: Path) -> None:
    """Generating from the public files gives the shipped module byte for byte."""
    unicodedata2 = pytest.importorskip("unicodedata2", reason="the characters of Unicode 18 come from it")
    if unicodedata2.unidata_version != "18.0.0":
        pytest.skip("the table is made with unicodedata2 18.0.0")

    done = run(root, "--ucd", str(shared / "data" / "unicode" / "ucd"), "--check")

    assert (done.returncode, done.stdout) == (0, "up to date\n"), done.stderr


def test_a_changed_table_is_noticed(root: Path, shared: Path, tmp_path: Path) -> None:
    """--check fails on a module with one character changed."""
    pytest.importorskip("unicodedata2")
    shipped = (root / "scanner" / "inkgate" / "text" / "_fold_table.py").read_text("ascii")
    other = tmp_path / "table.py"
    other.write_text(shipped.replace('SINGLE = (\n    "', 'SINGLE = (\n    "x', 1), "ascii")

    done = run(root, "--ucd", str(shared / "data" / "unicode" / "ucd"), "--check", "--output", str(other))

    assert done.returncode == 1
    assert "differs" in done.stdout


def test_a_missing_source_is_an_error(root: Path, tmp_path: Path) -> None:
    """A folder without the Unicode files is refused, and nothing is written."""
    target = tmp_path / "table.py"

    done = run(root, "--ucd", str(tmp_path), "--output", str(target))

    assert done.returncode == 2
    assert "a source is missing" in done.stderr
    assert "UnicodeData.txt" in done.stderr
    assert "Traceback" not in done.stderr
    assert not target.exists()


def test_the_shipped_table_is_plain_ascii(root: Path) -> None:
    """The module holds no invisible or right-to-left character itself: everything outside of ASCII is escaped."""
    data = (root / "scanner" / "inkgate" / "text" / "_fold_table.py").read_bytes()

    assert data.isascii()
    assert max(map(len, data.splitlines())) <= 120
