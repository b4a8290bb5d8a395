"""What the plugin takes from the host's modules, and what it puts into them.

The host looks its memory functions up by name at each call, so putting ours in their place closes the ways that lead
around the tool: the replay of approved writes, the editor of its journal, and the agent's own store object, which also
renders the prompt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkgate.gate.gate import Gate, Reviewer
from inkgate.gate.request import Request
from inkgate.model import Target
from inkgate.store.entries import parse
from inkgate.store.memory import CAPS, FILES
from inkgate.store.origin import Origin
from inkgate.store.plan import Action, Operation

from .store import MemoryStore

if TYPE_CHECKING:
    from .plugin import Plugin

__all__ = ["config", "dialogue", "host_store", "origin", "put_in_place", "stands_in"]


def config() -> Mapping[str, Any]:
    """The agent's configuration as it is now."""
    from hermes_cli.config import load_config  # type: ignore[import-not-found,unused-ignore]

    values = load_config()
    return values if isinstance(values, Mapping) else {}


def origin() -> str | None:
    """Who writes, by the agent's own mark; None (nobody watches) when this version of it has none."""
    try:
        from tools.write_approval import current_origin  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return None
    return str(current_origin())


def dialogue() -> Callable[..., object] | None:
    """What shows the agent's approval dialogue on this thread; None where nobody is present to be asked."""
    try:
        from tools.terminal_tool import _get_approval_callback  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return None
    found: Callable[..., object] | None = _get_approval_callback()
    return found


def stands_in(function: object) -> bool:
    """Whether the host's `memory_tool` is a bound form of this function."""
    import sys

    module = sys.modules.get("tools.memory_tool")
    return getattr(getattr(module, "memory_tool", None), "__func__", None) is function


def put_in_place(plugin: Plugin) -> None:
    """Put our functions and store where the host looks for its own; what a version of it does not have is left out."""
    try:
        import tools.memory_tool as module  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return
    ours = {
        "memory_tool": plugin.stand_in,
        "apply_memory_pending": plugin.apply_pending,
        "MemoryStore": host_store(plugin),
    }
    for name, value in ours.items():
        if hasattr(module, name):
            setattr(module, name, value)
    try:
        from agent.memory_manager import MemoryManager  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return
    plugin.managers.put_in_place(MemoryManager)


def host_store(plugin: Plugin) -> type[MemoryStore]:
    """The class that the host makes its store from, under the plugin's settings."""

    class HostStore(MemoryStore):
        """The agent's store: gated, with the two helpers that other parts of the host call."""

        def __init__(
            self, memory_char_limit: int = CAPS[Target.MEMORY], user_char_limit: int = CAPS[Target.USER], **_: object
        ) -> None:
            super().__init__(memory_char_limit, user_char_limit, settings=plugin.settings(), approver=plugin.approver)

        @staticmethod
        def _read_file(path: Path) -> list[str]:
            """The entries of a file, empty when there is none."""
            return parse(path.read_text(encoding="utf-8")) if path.exists() else []

        @staticmethod
        def _write_file(path: Path, entries: Sequence[str]) -> None:
            """Make a file hold these entries, as a person edited them: a gated change like any other."""
            target = next((target for target, name in FILES.items() if name == path.name), None)
            if target is None:
                raise ValueError(f"{path.name} is not a memory file")
            overwrite(Gate(path.parent.parent, settings=plugin.settings()), target, list(entries))

    return HostStore


def overwrite(gate: Gate, target: Target, entries: Sequence[str]) -> None:
    """Bring a target to these entries in one gated change.

    Raises:
        ValueError: it was refused; the message says why.
    """
    stored = gate.store.read(target).entries
    gone = [entry for entry in stored if entry not in entries]
    come = [entry for entry in entries if entry not in stored]
    steps = [Operation(Action.REPLACE, new, old, old) for old, new in zip(gone, come, strict=False)]
    steps += [Operation(Action.REMOVE, old_text=old, pinned=old) for old in gone[len(come) :]]
    steps += [Operation(Action.ADD, new) for new in come[len(gone) :]]
    if not steps:
        return
    request = Request(target, tuple(steps), len(steps) > 1, Origin("user", "journal"))
    decision = gate.replay(request, Reviewer("user", "host"))
    if not decision.saved:
        raise ValueError(f"{decision.message} {decision.hint}".strip())
