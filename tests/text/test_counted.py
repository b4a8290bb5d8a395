"""Numbers with what they count."""

from __future__ import annotations

import pytest

from inkgate.text.counted import counted


@pytest.mark.parametrize(
    ("number", "words", "told"),
    [
        (0, ("note",), "0 notes"),
        (1, ("note",), "1 note"),
        (1, ("entry", "entries"), "1 entry"),
        (2, ("entry", "entries"), "2 entries"),
        (12_345, ("older finding",), "12,345 older findings"),
    ],
)
def test_one_is_one(number: int, words: tuple[str, ...], told: str) -> None:
    """One thing has the singular, none and several the plural."""
    assert counted(number, *words) == told
