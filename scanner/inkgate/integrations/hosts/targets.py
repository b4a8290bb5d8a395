"""Which durable text a path is, as seen by an agent host."""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path, PurePosixPath

from inkgate.model import Target

__all__ = ["in_order", "is_durable", "is_note", "target_of", "targets_of"]

_NAMES = {
    "memory.md": Target.MEMORY,
    "user.md": Target.USER,
    "skill.md": Target.SKILL,
    **dict.fromkeys(
        (
            *(
                "agents.md",
                "agent.md",
                "claude.md",
                "claude.local.md",
                "gemini.md",
                "soul.md",
                "copilot-instructions.md",
            ),
            *(".cursorrules", ".windsurfrules", ".clinerules", ".hermes.md", "identity.md", "tools.md", "heartbeat.md"),
        ),
        Target.CONTEXT,
    ),
}
_NOTES = frozenset({".md", ".markdown", ".mdx", ".mdc", ".canvas", ".base", ".txt"})
_HOSTS = frozenset({".claude", ".codex", ".gemini", ".hermes", ".cursor", ".agents", ".openclaw", ".windsurf"})
_STRICT = (Target.MEMORY, Target.USER, Target.CONTEXT, Target.SKILL, Target.VAULT)


def target_of(path: str) -> Target:
    """What the name of a path says it is; `vault` when it says nothing.

    Nothing is read from disk. Letter case does not count, since on many disks `Memory.md` is `MEMORY.md`; both kinds
    of slash separate.
    """
    parts = PurePosixPath(path.replace("\\", "/")).parts
    folded = [part.casefold() for part in parts]
    name = folded[-1] if folded else ""
    if name in _NAMES:
        return _NAMES[name]
    folders = folded[:-1]
    if any(folder in ("memories", "memory", "agent-memory") for folder in folders) and _suffix(name) in _NOTES:
        return Target.MEMORY
    if "skills" in folders:
        return Target.SKILL
    if any(folder in _HOSTS for folder in folders) and _suffix(name) in _NOTES | {".json", ".toml", ".yaml", ".yml"}:
        return Target.CONTEXT
    return Target.VAULT


def targets_of(path: Path) -> tuple[Target, ...]:
    """What a path is, and what the file is that its links lead to, the strictest first."""
    return in_order({target_of(str(path)), target_of(os.path.realpath(path))})


def in_order(targets: Collection[Target]) -> tuple[Target, ...]:
    """Targets from the strictest to the most lenient."""
    return tuple(target for target in _STRICT if target in targets)


def is_note(path: Path) -> bool:
    """Whether a file is a kind of text that people and agents keep and read again."""
    return _suffix(path.name.casefold()) in _NOTES or is_durable(path)


def is_durable(path: Path) -> bool:
    """Whether a path belongs to an agent's memory, skills or instructions, or lies in an Obsidian vault."""
    if targets_of(path) != (Target.VAULT,):
        return True
    return any((parent / ".obsidian").is_dir() for parent in path.parents)


def _suffix(name: str) -> str:
    return os.path.splitext(name)[1]  # noqa: PTH122 - a name, not a path
