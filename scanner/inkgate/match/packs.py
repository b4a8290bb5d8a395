"""The shipped packs: their texts, and the same rules in a form that loads fast.

Reading patterns for their conditions takes a second; a hook has a tenth of that. `tools/build_packs.py` therefore
writes the loaded rules beside the packs. The file names the texts that it was made from; when they differ from the
ones that are there (an edited pack), it is not used and the packs are read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from inkgate.match.rules import Rule, RuleError, text_digest
from inkgate.model import Category, Confidence, Severity, Target

__all__ = ["COMPILED", "compiled", "dump", "texts"]

COMPILED = "compiled.json"
_FORMAT = 2
_NAMES = tuple(item.name for item in fields(Rule))


def _root() -> Path:
    import inkgate.patterns as package

    return Path(package.__file__ or "").parent


def texts() -> list[tuple[str, str]]:
    """Name and text of every pack of the package, in order of name; `common.toml` (word lists) first.

    Raises:
        RuleError: there are none.
    """
    root = _root()
    paths = sorted(
        (path.relative_to(root).as_posix() for path in (*root.glob("*.toml"), *root.glob("*/*.toml"))),
        key=lambda name: (name != "common.toml", name),
    )
    if not paths:
        raise RuleError(f"no rule packs in {root}", hint="the installation is damaged: install inkgate again")
    return [(name, (root / name).read_text(encoding="utf-8")) for name in paths]


def dump(packs: Sequence[tuple[str, str]], rules: Sequence[Rule]) -> str:
    """The text of the fast form."""
    rows = [[_plain(getattr(rule, name)) for name in _NAMES] for rule in rules]
    lines = ",\n".join(json.dumps(row, ensure_ascii=True) for row in rows)
    return f'{{"format": {_FORMAT}, "digest": "{text_digest(packs)}", "rules": [\n{lines}\n]}}\n'


def _plain(value: Any) -> Any:  # noqa: ANN401 - the fields of a rule
    if isinstance(value, Category | Severity | Confidence):
        return str(value) if isinstance(value, Category) else int(value)
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def compiled(packs: Sequence[tuple[str, str]]) -> tuple[Rule, ...] | None:
    """The rules of the shipped packs from the fast form; None when it is absent or was made from other texts."""
    try:
        data = json.loads((_root() / COMPILED).read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
    if not isinstance(data, dict) or data.get("format") != _FORMAT or data.get("digest") != text_digest(packs):
        return None
    return tuple(_rule(dict(zip(_NAMES, row, strict=True))) for row in data["rules"])


def _rule(row: dict[str, Any]) -> Rule:
    row["category"] = Category(row["category"])
    row["severity"] = Severity(row["severity"])
    row["confidence"] = Confidence(row["confidence"])
    row["targets"] = frozenset(map(Target, row["targets"]))
    row["starts"] = frozenset(row["starts"])
    row["requires"] = tuple(map(frozenset, row["requires"]))
    for name in ("keywords", "references", "examples", "counterexamples", "checks"):
        row[name] = tuple(row[name])
    return Rule(**row)
