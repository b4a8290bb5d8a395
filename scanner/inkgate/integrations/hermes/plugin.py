"""The Hermes Agent plugin: this store in the place of the built-in one, and a veto on writes that go around it.

Loaded through the entry point `hermes_agent.plugins` (name `inkgate`), when `plugins.enabled` of the agent's
configuration names it. The operator's settings file is named by the environment variable `INKGATE_SETTINGS`; without it
the agent's own `memory` configuration gives caps, switches and approval, and the default policy holds.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from dataclasses import replace
from pathlib import Path
from typing import Any

from inkgate.gate.settings import Settings, TargetSettings
from inkgate.model import Target
from inkgate.store.origin import Origin

from .approval import handle_command, is_on, write_approval_enabled
from .home import home
from .skills import intercept
from .store import MemoryStore, memory_tool

__all__ = ["Plugin", "register"]

_PATH_ARGUMENTS = ("path", "file_path", "filename", "target_file")
_ANSWER: ContextVar[str | None] = ContextVar("inkgate_answer", default=None)
_WRITERS = frozenset({"write_file", "patch", "edit_file", "append_file", "delete_file"})


class Plugin:
    """The callbacks of one agent process.

    Args:
        config: returns the agent's configuration as it is now.
        origin: returns the agent's word for who writes: `foreground`, `background_review`, or None when it cannot say.
    """

    def __init__(self, config: Callable[[], Mapping[str, Any]], origin: Callable[[], str | None]) -> None:
        self._config = config
        self._origin = origin
        self._stores: dict[str, MemoryStore] = {}

    def execute(self, **call: Any) -> object:  # noqa: ANN401 - the host decides what it passes
        """Middleware `tool_execution`: answer `memory`, look at `skill_manage`, pass the rest on.

        Never raises for a gated tool: the host would fall through to the built-in store.
        """
        name, next_call = call.get("tool_name"), call["next_call"]
        arguments = call.get("args")
        arguments = arguments if isinstance(arguments, dict) else {}
        if name not in ("memory", "skill_manage"):
            return next_call(call.get("args"))
        try:
            answer = self._memory(arguments, call) if name == "memory" else self._skill(arguments, call)
        except Exception as problem:  # noqa: BLE001 - fail closed: an error is a refusal
            error = f"The memory gate failed ({type(problem).__name__}); nothing was saved."
            return json.dumps({"success": False, "error": error})
        if answer is None:
            return next_call(arguments)
        return self._through_host(answer, arguments, next_call) if name == "memory" else answer

    def stand_in(self, **arguments: Any) -> str:  # noqa: ANN401 - as the host's function
        """In the place of the host's `memory_tool`: the answer that was just given, or a gated one to other callers."""
        answer = _ANSWER.get()
        if answer is not None:
            return answer
        arguments.pop("store", None)
        return self._memory(arguments, {})

    @staticmethod
    def _through_host(answer: str, arguments: dict[str, Any], next_call: Callable[[object], object]) -> object:
        """Let the host do what it does after a memory call (it tells its external provider), with our answer.

        Only for a real change, and only where the host's function is ours; else the answer is returned at once.
        """
        reply = json.loads(answer)
        changed = reply.get("success") is True and not reply.get("staged")
        if not changed or str(reply.get("message", "")).startswith("Entry already") or not _stands_in():
            return answer
        token = _ANSWER.set(answer)
        try:
            return next_call(arguments)
        except Exception as problem:  # noqa: BLE001 - the change is made; a provider that fails does not undo it
            import logging

            logging.getLogger("inkgate.mirror").warning("the host failed after a write: %s", type(problem).__name__)
            return answer
        finally:
            _ANSWER.reset(token)

    def veto(self, **call: Any) -> dict[str, str] | None:  # noqa: ANN401
        """Hook `pre_tool_call`: a file tool may not write the memory, its ledger or its staged writes."""
        try:
            return self._veto(str(call.get("tool_name")), call.get("args"))
        except Exception as problem:  # noqa: BLE001 - the host lets a call pass whose hook raised
            return {"action": "block", "message": f"The memory gate failed ({type(problem).__name__})."}

    def command(self, subsystem: str, words: list[str], set_approval: Callable[[bool], None]) -> str | None:
        """Answer `/memory …` and `/skills …`, which only a person can type."""
        from inkgate.gate.gate import Reviewer

        store = self._store("command")
        return handle_command(store.gate, subsystem, words, Reviewer("user", "command"), set_approval)

    def _memory(self, arguments: dict[str, Any], call: Mapping[str, Any]) -> str:
        store = self._store(str(call.get("session_id") or ""))
        names = ("action", "target", "content", "old_text", "operations", "new_text")
        return memory_tool(**{name: arguments.get(name) for name in names}, store=store)

    def _skill(self, arguments: dict[str, Any], call: Mapping[str, Any]) -> str | None:
        store = self._store(str(call.get("session_id") or ""))
        approval = write_approval_enabled(self._config(), "skills")
        reply = intercept(arguments, store.gate, approval=approval, origin=store.origin)
        return None if reply is None else json.dumps(reply, ensure_ascii=False)

    def _veto(self, tool: str, arguments: object) -> dict[str, str] | None:
        if tool not in _WRITERS or not isinstance(arguments, Mapping):
            return None
        guarded = [Path(os.path.realpath(home() / name)) for name in ("memories", "inkgate", "pending")]
        for name in _PATH_ARGUMENTS:
            value = arguments.get(name)
            if not isinstance(value, str):
                continue
            path = Path(os.path.realpath(Path(value).expanduser()))
            if any(path.is_relative_to(folder) for folder in guarded):
                message = f"{path.name} is written through the memory tool only: use `memory`, which checks the text."
                return {"action": "block", "message": message}
        return None

    def _store(self, session: str) -> MemoryStore:
        """The store of a session, under the configuration as it is now; made anew when a switch was turned."""
        settings = self._settings()
        key = f"{session}\0{home()}\0{settings.targets}\0{settings.preserve}"
        store = self._stores.get(key)
        if store is None:
            limits = {target: settings.of(target) for target in (Target.MEMORY, Target.USER)}
            store = self._stores[key] = MemoryStore(
                limits[Target.MEMORY].cap,
                limits[Target.USER].cap,
                limits[Target.MEMORY].enabled,
                limits[Target.USER].enabled,
                settings=settings,
            )
        origin = self._origin()
        store.origin = Origin("agent", "tool", session, background=origin != "foreground")
        return store

    def _settings(self) -> Settings:
        named = os.environ.get("INKGATE_SETTINGS")
        if named:
            return Settings.read(Path(named))
        memory = self._config().get("memory")
        memory = memory if isinstance(memory, Mapping) else {}
        approval = is_on(memory.get("write_approval"))
        targets = {
            Target.MEMORY: TargetSettings(
                memory.get("memory_enabled", True) is True, _cap(memory, "memory_char_limit"), approval
            ),
            Target.USER: TargetSettings(
                memory.get("user_profile_enabled", True) is True, _cap(memory, "user_char_limit"), approval
            ),
        }
        preserve = memory.get("auto_apply_literal_preserving_reviews") is True
        return replace(Settings(), targets=targets, preserve=preserve)


def _cap(memory: Mapping[str, Any], name: str) -> int:
    value = memory.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _host_config() -> Mapping[str, Any]:
    from hermes_cli.config import load_config  # type: ignore[import-not-found,unused-ignore]

    config = load_config()
    return config if isinstance(config, Mapping) else {}


def _host_origin() -> str | None:
    """Who writes, by the agent's own mark; None (nobody watches) when this version of it has none."""
    try:
        from tools.write_approval import current_origin  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return None
    return str(current_origin())


def _stands_in() -> bool:
    import sys

    module = sys.modules.get("tools.memory_tool")
    return getattr(getattr(module, "memory_tool", None), "__func__", None) is Plugin.stand_in


def _put_in_place(plugin: Plugin) -> None:
    """Put our function where the host looks for its own. Without it memory is gated all the same, but not mirrored."""
    try:
        import tools.memory_tool as host  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        return
    if callable(getattr(host, "memory_tool", None)):
        host.memory_tool = plugin.stand_in


def register(ctx: Any) -> None:  # noqa: ANN401 - the host's context object
    """Entry point of the plugin."""
    plugin = Plugin(_host_config, _host_origin)
    _put_in_place(plugin)
    ctx.register_hook("pre_tool_call", plugin.veto)
    ctx.register_middleware("tool_execution", plugin.execute)
