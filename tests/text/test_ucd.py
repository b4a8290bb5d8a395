"""The generated table says what Unicode says."""

from __future__ import annotations

import importlib.util
import unicodedata
from pathlib import Path

import pytest

from inkgate.text import _ucd_table as table
from inkgate.text.ucd import PROPERTIES, is_listed_variation, regions, subdivisions


@pytest.mark.parametrize(
    ("char", "having", "lacking"),
    [
        ("a", table.LETTER | table.ALPHABET, table.MARK | table.JOINER_SCRIPT),
        ("7", table.NUMBER | table.ALPHABET | table.EMOJI, table.LETTER),
        ("\u0301", table.MARK | table.NONSPACING | table.REORDERED | table.COUNTED, table.LETTER),
        ("\u034f", table.MARK, table.COUNTED),
        ("\u094d", table.VIRAMA | table.JOINER_SCRIPT, table.REORDERED),
        ("\u0628", table.JOINS_NEXT | table.JOINS_PREVIOUS | table.UNSPACED, table.ALPHABET),
        ("\u0627", table.JOINS_PREVIOUS, table.JOINS_NEXT),
        ("\u6f22", table.HAN | table.UNSPACED, table.JOINER_SCRIPT),
        ("\U0001f469", table.PICTOGRAPH | table.EMOJI, table.SKIN),
        ("\U0001f3fd", table.SKIN, table.LETTER),
        ("\u1100", table.HANGUL, table.HAN),
        ("\u1780", table.KHMER | table.JOINER_SCRIPT, table.MONGOLIAN),
        ("\U0010ffff", 0, -1),
        ("", 0, -1),
    ],
)
def test_properties(char: str, having: int, lacking: int) -> None:
    """A character has the properties that its standard gives it."""
    assert having == PROPERTIES[char] & having
    assert not PROPERTIES[char] & lacking


def test_categories_agree_with_the_interpreter() -> None:
    """Letters, numbers and marks that an older Unicode knows are the same in the table."""
    wrong = []
    for point in range(0x110000):
        char = chr(point)
        category = unicodedata.category(char)
        if category in ("Cn", "Cs", "Co"):
            continue
        mask = PROPERTIES[char]
        expected = (category[0] == "L", category[0] == "N", category in ("Mn", "Me"))
        if expected != (bool(mask & table.LETTER), bool(mask & table.NUMBER), bool(mask & table.MARK)):
            wrong.append(f"{point:04X}")

    assert len(wrong) <= 8, wrong  # a few categories were corrected between versions


def test_variations() -> None:
    """Listed sequences are known and others are not."""
    assert is_listed_variation("#", "\ufe0f")
    assert is_listed_variation("\u2600", "\ufe0e")
    assert not is_listed_variation("a", "\ufe0f")
    assert not is_listed_variation("", "\ufe0f")
    assert not is_listed_variation("\u2600", "\U000e0100")


def test_flags() -> None:
    """Regions and recommended subdivisions are those of UTS #51."""
    assert {"de", "us", "gb"} <= regions()
    assert frozenset({"gbeng", "gbsct", "gbwls"}) == subdivisions()


def test_table_is_generated(root: Path, shared: Path, tmp_path: Path) -> None:
    """The committed table is what the generator makes of the Unicode files."""
    spec = importlib.util.spec_from_file_location("build_hidden_tables", root / "tools/build_hidden_tables.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    output = tmp_path / "table.py"

    assert module.main(["--ucd", str(shared / "data/unicode/ucd"), "--output", str(output)]) == 0
    assert (root / "scanner/inkgate/text/_ucd_table.py").read_text(encoding="utf-8") == output.read_text(
        encoding="utf-8"
    )
    assert module.main(["--ucd", str(tmp_path / "nowhere"), "--output", str(output)]) == 2
