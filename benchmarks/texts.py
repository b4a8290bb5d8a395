"""The texts that are scanned: ordinary ones, which every checkout has."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ORDINARY = ROOT / "corpus" / "ordinary"


@cache
def documentation() -> str:
    """Half a megabyte of English documentation in ASCII: the language reference that comes with Python."""
    from pydoc_data.topics import topics

    return "\n\n".join(topics[name] for name in sorted(topics)).encode("ascii", "ignore").decode()


@cache
def prose(language: str) -> str:
    """The ordinary samples of a language (two letters)."""
    file = ORDINARY / "multilingual" / f"{language}.jsonl"
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return "\n\n".join(row["text"] for row in rows)


def sized(text: str, size: int) -> str:
    """The text again and again, up to a number of characters."""
    return (text * (size // len(text) + 1))[:size]
