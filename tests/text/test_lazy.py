"""Expressions that are compiled at their first use, and how they must not be written."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from inkgate.text.lazy import lazy

GROUP_KEPT = re.compile(r"(?<!\()\)(?:[*+?]|\{[^{}\s]*\}|\{\{[^{}\s]*\}\}|\{\{\{.{1,30}?\}\}\})\+")
"""A group that is repeated without going back, which Python before 3.11.5 misreads: `inkgate.text.lazy` has more."""


def test_a_wrong_expression_is_told_at_the_first_use() -> None:
    """Not before, and not as something else."""
    wrong = lazy("(")
    with pytest.raises(re.error):
        wrong.search("a")


@pytest.mark.parametrize(
    "kept", [r"(?:ab?c)*+", r"(?:ab?c){5,}+", r"(?:ab?c){{3,400}}+", r"(?:ab?c){{{least - 1},{_MAX}}}+"]
)
def test_a_group_that_is_misread_is_seen(kept: str) -> None:
    """The expressions that the next test looks for, and the same within `(?>...)`."""
    assert GROUP_KEPT.search(kept)
    assert not GROUP_KEPT.search(f"(?>{kept[:-1]})")


def test_no_expression_is_misread_by_an_older_python(root: Path) -> None:
    """Groups are repeated within `(?>...)`, which every Python reads alike."""
    sources = [path for path in sorted((root / "scanner").rglob("*.py")) if path.name != "lazy.py"]
    assert len(sources) > 100
    found = [f"{path.name}: {hit[0]}" for path in sources for hit in GROUP_KEPT.finditer(path.read_text("utf-8"))]
    assert found == []
