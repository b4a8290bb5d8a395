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
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from inkgate.gate import review
from inkgate.gate.gate import Gate, Reviewer
from inkgate.gate.reply import to_reply
from inkgate.gate.settings import Settings, TargetSettings
from inkgate.gate.skills import SkillGate
from inkgate.model import InkgateError, Target
from inkgate.store.origin import Origin

from . import compaction, host, skillhost
from .approval import handle_command, is_on, write_approval_enabled
from .home import home
from .inline import inline_approver
from .managers import Managers
from .skills import intercept, serve
from .store import MemoryStore, memory_tool

__all__ = ["Plugin", "register"]

_PATH_ARGUMENTS = ("path", "file_path", "filename", "target_file")
_CALL: ContextVar[Any] = ContextVar("inkgate_call", default=None)
_ARGUMENTS = ("action", "target", "content", "old_text", "operations", "new_text")
_CONTEXT = ("turn_id", "task_id", "tool_call_id")
_MOST_STORES = 64
_WRITERS = frozenset({"write_file", "patch", "edit_file", "append_file", "delete_file"})


@dataclass(slots=True)
class _Call:
    """One memory call that is under way through the host."""

    session: str
    turn: str
    context: Mapping[str, str]
    reply: str | None = None


class _UnchangedError(Exception):
    """Leaves the host's code early: there is nothing that an external provider should hear of."""


class Plugin:
    """The callbacks of one agent process.

    Args:
        config: returns the agent's configuration as it is now.
        origin: returns the agent's word for who writes: `foreground`, `background_review`, or None when it cannot say.
        dialogue: returns what asks the person at the terminal of this thread, or None when nobody is there.
    """

    def __init__(
        self,
        config: Callable[[], Mapping[str, Any]],
        origin: Callable[[], str | None],
        dialogue: Callable[[], Callable[..., object] | None] = host.dialogue,
    ) -> None:
        self._config = config
        self._origin = origin
        self.approver = inline_approver(dialogue, config)
        self.managers = Managers(lambda: self._store("command").gate.screener)
        self._stores: dict[str, MemoryStore] = {}

    @property
    def foreground(self) -> bool:
        """Whether a person is there, by the agent's own word."""
        return self._origin() == "foreground"

    def execute(self, **call: Any) -> object:  # noqa: ANN401 - the host decides what it passes
        """Middleware `tool_execution`: answer `memory` and `skill_manage`, pass the rest on.

        Never raises for a gated tool: the host would fall through to the built-in store.
        """
        name, next_call = call.get("tool_name"), call["next_call"]
        arguments = call.get("args")
        arguments = arguments if isinstance(arguments, dict) else {}
        if name not in ("memory", "skill_manage"):
            return next_call(call.get("args"))
        try:
            if name == "memory":
                return self._memory(arguments, call, next_call)
            answer = self._skill(arguments, str(call.get("session_id") or ""))
        except Exception as problem:  # noqa: BLE001 - fail closed: an error is a refusal
            error = f"The memory gate failed ({type(problem).__name__}); nothing was saved."
            return json.dumps({"success": False, "error": error})
        return next_call(arguments) if answer is None else answer

    def _memory(
        self, arguments: dict[str, Any], call: Mapping[str, Any], next_call: Callable[[object], object]
    ) -> object:
        """Through the host, which then tells its external provider; directly, where its function is not ours."""
        context = {name: str(call[name]) for name in _CONTEXT if call.get(name)}
        under_way = _Call(str(call.get("session_id") or ""), str(call.get("turn_id") or ""), context)
        token = _CALL.set(under_way)
        try:
            if not host.stands_in(Plugin.stand_in):
                return self.stand_in(**arguments)
            result = next_call(arguments)
        except Exception as problem:
            if under_way.reply is None:
                raise
            if not isinstance(getattr(problem, "original", problem), _UnchangedError):
                _log(f"the host failed after a memory call: {type(problem).__name__}")
            return under_way.reply
        finally:
            _CALL.reset(token)
        if under_way.reply is None:
            raise RuntimeError("the host did not ask the gate")
        return result

    def stand_in(self, **arguments: Any) -> str:  # noqa: ANN401 - as the host's function
        """In the place of the host's `memory_tool`, for whoever calls it by name."""
        call = _CALL.get() or _Call("", "", {})
        store = arguments.get("store")
        if not isinstance(store, MemoryStore):
            store = self._store(call.session)
        store.origin = Origin("agent", "tool", call.session, background=not self.foreground)
        store.session.context = call.context
        if call.turn and call.turn != store.turn:
            store.turn = call.turn
            store.reset_consolidation_failures()
        call.reply = memory_tool(**{name: arguments.get(name) for name in _ARGUMENTS}, store=store)
        if (
            _CALL.get() is not None
            and host.stands_in(Plugin.stand_in)
            and json.loads(call.reply).get("changed") is False
        ):
            raise _UnchangedError
        return call.reply

    def apply_pending(self, payload: Mapping[str, Any], store: object = None) -> dict[str, Any]:
        """In the place of the host's replay of an approved write: only what this gate staged, as it was shown."""
        gate = store.gate if isinstance(store, MemoryStore) else self._store("command").gate
        write = next((item for item in gate.pending.writes("memory") if dict(item.payload) == dict(payload)), None)
        if write is None:
            error = "This record was changed after it was staged, or was not staged by the gate; nothing was applied."
            return {"success": False, "error": error}
        try:
            decision = review.apply_write(gate, write, Reviewer("user", "host command"))
        except InkgateError as problem:
            return {"success": False, "error": f"{problem} {problem.hint}".strip()}
        if decision.saved:
            self.managers.tell(write.origin.session, str(decision.request.target), decision.changes)
        return to_reply(decision, gate)

    def veto(self, **call: Any) -> dict[str, str] | None:  # noqa: ANN401
        """Hook `pre_tool_call`: a file tool may not write the memory, its ledger or its staged writes."""
        try:
            return self._veto(str(call.get("tool_name")), call.get("args"))
        except Exception as problem:  # noqa: BLE001 - the host lets a call pass whose hook raised
            return {"action": "block", "message": f"The memory gate failed ({type(problem).__name__})."}

    def command(self, subsystem: str, words: list[str], set_approval: Callable[[bool], None]) -> str | None:
        """Answer `/memory …` and `/skills …`, which only a person can type."""
        return handle_command(self.command_gate(), subsystem, words, Reviewer("user", "command"), set_approval)

    def command_gate(self) -> Gate:
        """The gate that answers what a person types, under the settings as they are now."""
        return self._store("command").gate

    def _skill(self, arguments: dict[str, Any], session: str) -> str | None:
        store = self._store(session)
        approval = write_approval_enabled(self._config(), "skills")
        origin = Origin("agent", "tool", session, background=not self.foreground)
        reply = serve(arguments, self._skills(store.gate.settings, approval), origin=origin)
        if reply is None:
            reply = intercept(arguments, store.gate, approval=approval, origin=origin)
        return None if reply is None else json.dumps(reply, ensure_ascii=False)

    def _skills(self, settings: Settings, approval: bool) -> SkillGate:
        """The gate of the agent's skills; approval counts when the agent's configuration or the settings ask for it."""
        own = settings.of(Target.SKILL)
        targets = {**settings.targets, Target.SKILL: replace(own, approval=own.approval or approval)}
        return SkillGate(home(), settings=replace(settings, targets=targets), profile="claude-code")

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
        """A store of our own for a session, under the configuration as it is now."""
        settings = self.settings()
        key = f"{session}\0{home()}\0{settings.targets}\0{settings.preserve}"
        if key not in self._stores:
            while len(self._stores) >= _MOST_STORES:
                del self._stores[next(iter(self._stores))]
            self._stores[key] = MemoryStore(
                settings.of(Target.MEMORY).cap, settings.of(Target.USER).cap, settings=settings, approver=self.approver
            )
        return self._stores[key]

    def settings(self) -> Settings:
        """The named settings file, else what the agent's own configuration says."""
        named = os.environ.get("INKGATE_SETTINGS")
        if named:
            return Settings.read(Path(named))
        memory = self._config().get("memory")
        memory = memory if isinstance(memory, Mapping) else {}
        approval = is_on(memory.get("write_approval"))
        switches = {
            Target.MEMORY: ("memory_enabled", "memory_char_limit"),
            Target.USER: ("user_profile_enabled", "user_char_limit"),
        }
        targets = {
            target: TargetSettings(memory.get(enabled, True) is True, _cap(memory, limit), approval)
            for target, (enabled, limit) in switches.items()
        }
        preserve = memory.get("auto_apply_literal_preserving_reviews") is True
        return replace(Settings(), targets=targets, preserve=preserve)


def _cap(memory: Mapping[str, Any], name: str) -> int:
    value = memory.get(name)
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def _log(message: str) -> None:
    import logging

    logging.getLogger("inkgate.hermes").warning("%s", message)


def register(ctx: Any) -> None:  # noqa: ANN401 - the host's context object
    """Entry point of the plugin."""
    plugin = Plugin(host.config, host.origin)
    host.put_in_place(plugin)
    skillhost.put_in_place(plugin)
    compaction.put_in_place(plugin)
    ctx.register_hook("pre_tool_call", plugin.veto)
    ctx.register_hook("on_session_finalize", compaction.at_end(plugin))
    ctx.register_middleware("tool_execution", plugin.execute)
