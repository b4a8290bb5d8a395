"""The gate: the one way by which text reaches a store."""

from .gate import Approver, Gate, Question, Reviewer
from .mirror import Mirror
from .request import Decision, Outcome, Request
from .settings import Settings
from .tool import MemorySession, tool_schema

__all__ = [
    "Approver",
    "Decision",
    "Gate",
    "MemorySession",
    "Mirror",
    "Outcome",
    "Question",
    "Request",
    "Reviewer",
    "Settings",
    "tool_schema",
]
