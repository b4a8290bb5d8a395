"""What never moves, and what is worth keeping, in other languages than English, by family: from `phrases.toml`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

__all__ = ["ANCHORED", "families", "says"]

ANCHORED = frozenset({"doing", "next", "today", "at-hand", "version", "exists"})
"""Families that stand at the beginning of a statement."""

_LIMIT = (
    r"(?![ \w]{0,3}\b(?:pro|je|par|por|per|maximal|maximum|höchstens|au plus|au maximum|como máximo|no máximo|"
    r"al massimo|ten hoogste|maksymalnie|максимум|не более|в день)\b)"
)
_WORDS = r"(?<![^\W\u2e80-\uffef])"  # no word goes on from before; scripts without spaces have no such border


@cache
def families() -> Mapping[str, Mapping[str, str]]:
    """By family and language, an expression."""
    import tomllib
    from importlib.resources import files

    text = files(__package__).joinpath("phrases.toml").read_text(encoding="utf-8")
    table: Mapping[str, Mapping[str, str]] = tomllib.loads(text)
    return table


@cache
def _pattern(family: str) -> re.Pattern[str]:
    every = "|".join(f"(?:{pattern})" for pattern in families()[family].values())
    before = r"^[^\w\n]{0,8}" if family in ANCHORED else _WORDS
    return re.compile(f"{before}(?:{every})".replace("LIMIT", _LIMIT), re.IGNORECASE)


def says(family: str, text: str) -> bool:
    """Whether a text, of the form NFKC, says it in one of the languages."""
    return _pattern(family).search(text) is not None
