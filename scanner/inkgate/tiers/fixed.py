"""The fixed core: texts that shape every session. No step between tiers writes them, whatever it is asked.

Persona, context files, the memory as an index of pointers (its entries go through the memory's own gate only) and
curated hooks change when a person changes them. An attempt is a finding, and is recorded.
"""

from __future__ import annotations

import hashlib
import unicodedata
from pathlib import PurePosixPath

from inkgate.lint.targets import target_for
from inkgate.match.rules import load_rules
from inkgate.model import Finding, Target, Verdict

__all__ = ["RULE", "attempt"]

RULE = "fixed-core-write"

_HOOKS = frozenset(["hooks", ".githooks", ".husky", ".git"])
_HOOK_FILES = frozenset(["hooks.json", "hooks.yaml", "hooks.yml", "hooks.toml", ".pre-commit-config.yaml"])
_CORE = frozenset([Target.MEMORY, Target.USER, Target.CONTEXT])


def attempt(name: str) -> Finding | None:
    """The finding, when a name leads to the fixed core; None for any other name.

    Args:
        name: a note, or the path of a file in a skill, as it was asked for; with or without its ending.
    """
    shape = _shape(name)
    return _finding(name) if _is_core(shape) or _is_core(f"{shape}.md") else None


def _shape(name: str) -> str:
    """The name as a file system, or a reader, could take it: other slashes, look-alikes, blanks and dots at the end."""
    from inkgate.text.fold import fold

    plain = unicodedata.normalize("NFKC", name.replace("\\", "/"))
    parts = [part.strip().rstrip(". ") if part.strip(". ") else part.strip() for part in plain.split("/")]
    # Folded last: look-alikes of letters and invisible characters go, and with them the difference of case.
    return "/".join(fold(part).lower for part in parts if part)


def _is_core(name: str) -> bool:
    pure = PurePosixPath(name)
    folders = {part.casefold() for part in pure.parts[:-1]}
    return bool(target_for(name, skill=False) in _CORE or folders & _HOOKS or pure.name.casefold() in _HOOK_FILES)


def _finding(name: str) -> Finding:
    rule = load_rules().by_id[RULE]
    print_ = hashlib.sha256(f"{RULE}\0{name}".encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return Finding(
        rule.id, rule.category, rule.severity, rule.confidence, rule.title, 0, len(name), 1, 1, "raw", "", print_,
        verdict=Verdict.BLOCK,
    )  # fmt: skip
