"""The fast form of the shipped packs says what the packs say."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkgate.match import packs
from inkgate.match.rules import parse_packs


def test_the_fast_form_is_in_step(root: Path) -> None:
    """The file that is shipped is what the packs give today."""
    texts = packs.texts()

    shipped = (root / "patterns" / packs.COMPILED).read_text(encoding="ascii")
    assert shipped == packs.dump(texts, parse_packs(texts)), "run python tools/build_packs.py"


def test_the_fast_form_gives_the_same_rules() -> None:
    """Rules that are loaded fast equal rules that are read from the packs."""
    texts = packs.texts()

    assert packs.compiled(texts) == tuple(parse_packs(texts))


def test_an_edited_pack_is_read_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """When a text has changed, the fast form is not used."""
    texts = packs.texts()
    edited = [(name, text + "\n# edited\n") for name, text in texts]

    assert packs.compiled(edited) is None


@pytest.mark.parametrize("content", ["", "{", '{"format": 0}', "[]"])
def test_a_damaged_file_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    """A file that is cut off or of another format is passed over, and the packs are read."""
    texts = packs.texts()
    (tmp_path / packs.COMPILED).write_text(content)
    monkeypatch.setattr(packs, "_root", lambda: tmp_path)

    assert packs.compiled(texts) is None
