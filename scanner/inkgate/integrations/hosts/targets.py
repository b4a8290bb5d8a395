"""Which durable text a path is, as seen by an agent host."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path, PurePosixPath

from inkgate.lint.targets import target_for
from inkgate.model import Target

__all__ = ["in_order", "is_durable", "is_note", "target_of", "targets_of"]

_NOTES = frozenset({".md", ".markdown", ".mdx", ".mdc", ".canvas", ".base", ".txt"})
_SETTINGS = frozenset({".json", ".toml", ".yaml", ".yml", ""})
_MEMORIES = frozenset({"memory", "memories", "agent-memory"})
_STRICT = (Target.MEMORY, Target.USER, Target.CONTEXT, Target.SKILL, Target.VAULT)


def target_of(path: str) -> Target:
    """What a path says it is; `vault` when it says nothing.

    As for linting, and two kinds of folder besides, since a hook sees files before they exist: a memory folder holds
    memory, and a folder called `skills` holds skills. Both kinds of slash separate.
    """
    path = path.replace("\\", "/")
    target = target_for(path)
    if target not in (Target.VAULT, Target.CONTEXT):
        return target
    folders = {part.casefold() for part in PurePosixPath(path).parts[:-1]}
    if folders & _MEMORIES and _suffix(path) in _NOTES:
        return Target.MEMORY
    return Target.SKILL if "skills" in folders else target


def targets_of(path: Path) -> tuple[Target, ...]:
    """What a path is, and what the file is that its links lead to, the strictest first."""
    return in_order({target_of(str(path)), target_of(os.path.realpath(path))})


def in_order(targets: Collection[Target]) -> tuple[Target, ...]:
    """Targets from the strictest to the most lenient."""
    return tuple(target for target in _STRICT if target in targets)


def is_note(path: Path) -> bool:
    """Whether a file is a kind of text that people and agents keep and read again."""
    return _suffix(path.name) in _NOTES or is_durable(path)


def is_durable(path: Path) -> bool:
    """Whether a path belongs to an agent's memory, skills, instructions or settings, or lies in an Obsidian vault."""
    targets = targets_of(path)
    if targets[0] is Target.CONTEXT:  # a host's folder also holds logs and caches
        return _suffix(path.name) in _NOTES | _SETTINGS
    return targets != (Target.VAULT,) or any((parent / ".obsidian").is_dir() for parent in path.parents)


def _suffix(name: str) -> str:
    return os.path.splitext(name)[1].casefold()  # noqa: PTH122 - a name, not a path
