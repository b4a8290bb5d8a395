"""Hermes Agent: its memory store and tool behind a gate, and the plugin that puts them in place."""

from .home import home
from .store import MemoryStore, memory_tool

__all__ = ["MemoryStore", "home", "memory_tool", "register"]


def register(ctx: object) -> None:
    """Entry point `hermes_agent.plugins`: put the gate in the place of the built-in memory tool."""
    from .plugin import register as plugin

    plugin(ctx)
