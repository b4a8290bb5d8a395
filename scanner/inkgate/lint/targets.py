"""Which durable text a file is, by its path."""

from __future__ import annotations

import os
from pathlib import Path

from inkgate.model import Target

__all__ = ["LEVELS", "is_skill", "target_for"]


def words(text: str) -> frozenset[str]:
    """A set of words, written as a text so that it stays readable."""
    return frozenset(text.split())


_CONTEXT_NAMES = words(
    "agents.md agents.override.md claude.md claude.local.md gemini.md codex.md qwen.md warp.md crush.md hermes.md "
    ".hermes.md soul.md replit.md copilot-instructions.md .cursorrules .windsurfrules .clinerules .roorules "
    ".goosehints .mcp.json"
)
_CONTEXT_ENDS = (".mdc", ".instructions.md", ".prompt.md", ".chatmode.md", ".agent.md")
_CONTEXT_FOLDERS = words(
    ".claude .cursor .windsurf .clinerules .roo .kilocode .continue .kiro .junie .gemini .codex .agents .amazonq "
    ".augment .trae .opencode .openclaw .hermes"
)
LEVELS = 8
"""Folders above a file that are asked whether they are a skill, at most."""


def target_for(path: str | os.PathLike[str], *, skill: bool | None = None) -> Target:
    """What a file is written for.

    `MEMORY.md` and `USER.md` are memory and user profile wherever they lie. Everything at or below a folder with a
    `SKILL.md` is part of a skill. Files that agents load by name, or from the folders of their hosts, are context.
    All else is a vault.

    Args:
        path: the file; it need not exist.
        skill: whether it belongs to a skill, if that is known; else the folders above it are looked at.
    """
    text = os.fspath(path)
    parts = [part for part in (text if os.sep == "/" else text.replace(os.sep, "/")).lower().split("/") if part != "."]
    while parts and not parts[-1]:
        parts.pop()
    name = parts.pop() if parts else ""
    if name == "memory.md":
        return Target.MEMORY
    if name == "user.md":
        return Target.USER
    if name == "skill.md" or (is_skill(Path(path).parent) if skill is None else skill):
        return Target.SKILL
    if name in _CONTEXT_NAMES or name.endswith(_CONTEXT_ENDS) or not _CONTEXT_FOLDERS.isdisjoint(parts):
        return Target.CONTEXT
    return Target.VAULT


def is_skill(folder: Path) -> bool:
    """Whether a folder or one above it has a `SKILL.md`; the search ends at the top of a repository and at the home."""
    try:
        folder = folder.absolute()
        home = Path(os.path.expanduser("~"))  # noqa: PTH111 - Path.home() raises where there is none
    except OSError:  # the current folder was removed
        return False
    for level in [folder, *folder.parents][:LEVELS]:
        if has_skill_file(level):
            return True
        if level == home or os.path.lexists(level / ".git"):
            break
    return False


def has_skill_file(folder: Path) -> bool:
    """Whether the folder itself holds a `SKILL.md`, in any case."""
    return any(os.path.lexists(folder / name) for name in ("SKILL.md", "skill.md", "Skill.md"))
