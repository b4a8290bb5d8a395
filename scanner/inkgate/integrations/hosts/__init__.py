"""Hooks of agent hosts: one tool call in hook JSON, the answer that its host understands."""

from __future__ import annotations

from inkgate.integrations.hosts.answer import HookAnswer
from inkgate.integrations.hosts.run import DEADLINE, HOSTS, MAX_INPUT, run

__all__ = ["DEADLINE", "HOSTS", "MAX_INPUT", "HookAnswer", "run"]
