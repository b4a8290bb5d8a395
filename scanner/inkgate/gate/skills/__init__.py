"""The gate of skills."""

from .gate import SkillDecision, SkillGate, SkillStatus

__all__ = ["SkillDecision", "SkillGate", "SkillStatus"]
