"""The gate of skills."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inkgate.lint.config import SKILL_PROFILES

from ..settings import Settings
from .gate import SkillDecision, SkillGate, SkillStatus

__all__ = ["SkillDecision", "SkillGate", "SkillStatus", "open_for"]


def open_for(payload: Mapping[str, Any], home: Path, settings: Settings) -> SkillGate:
    """The gate that a staged write came from: of its root and its profile.

    Args:
        payload: of the staged write, whose seal was proved; what it does not say has the defaults.
        home: the home folder.
        settings: the operator's settings.
    """
    root, profile = payload.get("root"), payload.get("profile")
    return SkillGate(
        home,
        Path(root) if isinstance(root, str) else None,
        settings=settings,
        profile=profile if profile in SKILL_PROFILES else "spec",
    )
