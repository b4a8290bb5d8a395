"""Right behaviour as data: texts that must be refused, and texts that must not."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

from inkgate import scan_text
from inkgate.model import Category, Verdict

_HIDDEN = frozenset("\u200b\u2063\u2066\u2067\u2068\u2069")


def _text(row: dict[str, Any]) -> str:
    if "text" in row:
        return str(row["text"])
    if "parts" in row:
        return "".join(row["parts"])
    if "gen" in row:
        made = row["gen"]
        return str(made["prefix"] + made["unit"] * made["times"] + made["suffix"])
    return base64.b64decode(row["b64"]).decode("utf-8", "surrogateescape")


def _rows(shared: Path) -> list[dict[str, Any]]:
    lines = (shared / "cases" / "threat_patterns.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    # Secrets come in parts, and hidden characters are judged before any pattern: both have tests of their own.
    return [row for row in rows if "parts" not in row and not _HIDDEN.intersection(row.get("text", ""))]


def test_attacks_are_refused_and_ordinary_text_is_not(shared: Path) -> None:
    """Every attack is blocked or staged, no ordinary text is blocked, and what is worth a question is found."""
    wrong = []
    for row in _rows(shared):
        result = scan_text(_text(row), target="memory")
        if row["right"] == "block":
            right = result.verdict is not Verdict.ALLOW
        elif row["right"] == "allow":
            right = result.verdict is not Verdict.BLOCK
        else:
            right = bool(result.findings)
        if not right:
            wrong.append((row["id"], row["right"], str(result.verdict)))
    assert wrong == []


def test_ordinary_prose_of_many_languages_is_left_alone(shared: Path) -> None:
    """No ordinary text in any of forty languages is blocked by a threat rule, as a memory or as a note."""
    wrong = []
    for line in (shared / "data" / "unicode" / "ordinary.jsonl").read_text(encoding="utf-8").splitlines():
        text = json.loads(line)["text"]
        for target in ("memory", "vault"):
            result = scan_text(text, target=target)
            threats = [
                f.rule for f in result.findings if f.category is not Category.SECRET and f.verdict is Verdict.BLOCK
            ]
            if threats:
                wrong.append((target, text[:60], threats))
    assert wrong == []
