"""Numbers with what they count."""

from __future__ import annotations

__all__ = ["counted"]


def counted(number: int, one: str, many: str = "") -> str:
    """A number and its noun: `1 entry`, `1,200 entries`.

    Args:
        number: how many.
        one: the noun for one.
        many: the noun for any other number; `one` with an `s` where it is empty.
    """
    return f"{number:,} {one if number == 1 else many or one + 's'}"
