"""External memory providers beside the built-in store: at most one, fitted to its signatures, never in the way."""

from __future__ import annotations

import inspect
import json
import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from inkgate.gate.mirror import mask_all
from inkgate.gate.screened import Screener
from inkgate.model import InkgateError, Target

__all__ = ["CORE_TOOLS", "ProviderManager", "memory_toolset_on"]

BUILTIN = "builtin"
CORE_TOOLS = frozenset({"clarify", "delegate_task", "memory", "session_search", "skill_manage", "todo"})
_ACTIONS = ("add", "replace", "remove")
_PREFETCH_SECONDS = 8.0


def memory_toolset_on(
    enabled: Collection[str] | None,
    disabled: Collection[str] | None,
    present: Collection[str],
    composites: Callable[[str], bool] = lambda name: name.startswith("hermes-"),
) -> bool:
    """Whether a provider's tools belong into this conversation.

    Args:
        enabled: toolsets that were asked for; None for all.
        disabled: toolsets that were switched off; `memory` among them always wins.
        present: names of the tools that are there already.
        composites: tells whether a toolset is one that contains the memory toolset.
    """
    if disabled and "memory" in disabled:
        return False
    if enabled is None or "memory" in present:
        return True
    return any(name == "memory" or composites(name) for name in enabled)


class ProviderManager:
    """The providers of one agent.

    Args:
        screener: masks secrets in every text on its way out; without one nothing is sent.
        prefetch_seconds: how long an external provider may take to recall.
    """

    def __init__(self, screener: Screener | None = None, *, prefetch_seconds: float = _PREFETCH_SECONDS) -> None:
        self._screener = screener
        self._limit = prefetch_seconds
        self._providers: dict[str, Any] = {}
        self._schemas: dict[str, tuple[str, dict[str, Any]]] = {}
        self._stuck: dict[str, threading.Thread] = {}

    # --- registration ------------------------------------------------------------------------------------------------

    def add(self, provider: Any) -> bool:  # noqa: ANN401 - whatever a provider's author made
        """Take a provider in; False (and a log line) when it cannot be: a second external one, or no tool schemas."""
        name = str(provider.name)
        if name != BUILTIN and any(other != BUILTIN for other in self._providers):
            _log(f"provider {name} refused: there is one already")
            return False
        try:
            schemas = list(provider.get_tool_schemas())
        except Exception as problem:  # noqa: BLE001 - the slot stays free for the next provider
            _log(f"provider {name} refused: its tool schemas failed with {type(problem).__name__}")
            return False
        self._providers[name] = provider
        for schema in schemas:
            tool = _tool_of(schema)
            if tool and tool["name"] not in CORE_TOOLS and tool["name"] not in self._schemas:
                self._schemas[tool["name"]] = (name, tool)
        return True

    @property
    def names(self) -> list[str]:
        """Names of the providers, in the order of registration."""
        return list(self._providers)

    @property
    def schemas(self) -> list[dict[str, Any]]:
        """Schemas of the tools that the providers offer; the first one with a name wins."""
        return [schema for _, schema in self._schemas.values()]

    def inject(
        self, tools: Sequence[str], enabled: Collection[str] | None, disabled: Collection[str] | None = None
    ) -> list[str]:
        """The names of the tools of a conversation, with the providers' added where the toolset switches allow it."""
        if not memory_toolset_on(enabled, disabled, tools):
            return list(tools)
        return [*tools, *(name for name in self._schemas if name not in tools)]

    # --- calls -------------------------------------------------------------------------------------------------------

    def call(self, tool: str, arguments: Mapping[str, Any]) -> str:
        """The result of a provider's tool; a failure is a result too."""
        if tool not in self._schemas:
            return json.dumps({"error": f"No provider offers the tool '{tool}'."})
        name = self._schemas[tool][0]
        try:
            return str(self._providers[name].handle_tool_call(tool, dict(arguments)))
        except Exception as problem:  # noqa: BLE001 - the model gets an answer
            return json.dumps({"error": f"Memory tool '{tool}' failed: {type(problem).__name__}."})

    def system_prompt(self, *, disabled: Collection[str] | None = None) -> str:
        """The providers' prompt blocks; nothing when the memory toolset is off."""
        if disabled and "memory" in disabled:
            return ""
        blocks = self._each("system_prompt_block", lambda call: call())
        return "\n\n".join(block for block in blocks if isinstance(block, str) and block.strip())

    def prefetch(self, query: str) -> str:
        """What the providers recall. An external one that overruns is left alone and skipped until it returns."""
        parts = []
        for name, provider in self._providers.items():
            call = getattr(provider, "prefetch", None)
            if call is None:
                continue
            text = self._guarded(name, call, query) if name == BUILTIN else self._bounded(name, call, query)
            if isinstance(text, str) and text.strip():
                parts.append(text)
        return "\n\n".join(parts)

    def sync(self, user: str, assistant: str) -> None:
        """Hand a finished turn to every provider, secrets masked."""
        texts = self._masked({"user": user, "assistant": assistant})
        if texts is not None:
            self._each("sync_turn", lambda call: call(texts["user"], texts["assistant"]))

    def session_end(self, messages: list[Any]) -> None:
        """Tell every provider that the session is over."""
        self._each("on_session_end", lambda call: call(messages))

    # --- the mirror --------------------------------------------------------------------------------------------------

    def notify(self, result: object, arguments: Mapping[str, Any], metadata: Mapping[str, Any] | None = None) -> None:
        """Mirror what a memory call changed; anything but a plain success changes nothing."""
        outcome = _decoded(result)
        if outcome.get("success") is not True or outcome.get("staged") is True:
            return
        if outcome.get("changed") is False or str(outcome.get("message", "")).startswith("Entry already"):
            return
        target = arguments.get("target") or "memory"
        steps = arguments.get("operations") or [arguments]
        for number, step in enumerate(steps, 1):
            if not isinstance(step, Mapping) or step.get("action") not in _ACTIONS:
                continue
            action = step["action"]
            known = {
                **(metadata or {}),
                "old_text": step.get("old_text"),
                "previous_content": _previous(outcome, action, number, batch="operations" in arguments),
            }
            content = step.get("content") or step.get("new_text") or ""
            shown = {name: value for name, value in known.items() if value}
            self.write(action, target, content if action != "remove" else "", shown)

    def write(self, action: str, target: str, content: str, metadata: Mapping[str, Any] | None = None) -> None:
        """Tell every external provider of one committed change, secrets masked."""
        extra = dict(metadata or {})
        words = {name: value for name, value in extra.items() if isinstance(value, str)}
        texts = self._masked({"\0content": content, **words})
        if texts is None:
            return
        content = texts.pop("\0content")
        extra |= texts
        self._each("on_memory_write", lambda call: _fitted(call, (action, target, content), extra), builtin=False)

    def _masked(self, texts: dict[str, str]) -> dict[str, str] | None:
        if self._screener is None:
            _log("nothing was sent to a provider: there is no scanner to mask secrets")
            return None
        try:
            return mask_all(texts, Target.MEMORY, self._screener)
        except (InkgateError, ValueError) as problem:
            _log(f"nothing was sent to a provider: masking failed with {type(problem).__name__}")
            return None

    # --- guards ------------------------------------------------------------------------------------------------------

    def _each(self, method: str, call: Callable[[Any], object], *, builtin: bool = True) -> list[object]:
        found: Iterable[tuple[str, Any]] = [
            (name, getattr(provider, method))
            for name, provider in self._providers.items()
            if hasattr(provider, method) and (builtin or name != BUILTIN)
        ]
        return [self._guarded(name, call, bound) for name, bound in found]

    @staticmethod
    def _guarded(name: str, call: Callable[[Any], object], argument: object) -> object:
        try:
            return call(argument)
        except Exception as problem:  # noqa: BLE001 - one provider does not stop another
            _log(f"provider {name} failed with {type(problem).__name__}")
            return None

    def _bounded(self, name: str, call: Callable[[str], object], query: str) -> object:
        stuck = self._stuck.get(name)
        if stuck is not None and stuck.is_alive():
            return None
        found: list[object] = []
        thread = threading.Thread(
            target=lambda: found.append(self._guarded(name, call, query)), name=f"prefetch-{name}", daemon=True
        )
        thread.start()
        thread.join(self._limit)
        if thread.is_alive():
            self._stuck[name] = thread
            _log(f"provider {name} took more than {self._limit:g} s to recall")
            return None
        return found[0] if found else None


def _tool_of(schema: object) -> dict[str, Any] | None:
    """The bare form of a tool schema, from either form; None when it has no usable name."""
    if isinstance(schema, Mapping) and isinstance(schema.get("function"), Mapping):
        schema = schema["function"]
    if not isinstance(schema, Mapping) or not isinstance(schema.get("name"), str) or not schema["name"]:
        return None
    return dict(schema)


def _decoded(result: object) -> Mapping[str, Any]:
    if isinstance(result, str):
        try:
            result = json.loads(result)
        except ValueError:
            return {}
    return result if isinstance(result, Mapping) else {}


def _previous(outcome: Mapping[str, Any], action: str, number: int, *, batch: bool) -> object:
    word = {"replace": "replaced", "remove": "removed"}.get(action)
    if word is None:
        return None
    if not batch:
        return outcome.get(f"{word}_entry")
    many = outcome.get(f"{word}_entries")
    return (many.get(str(number)) or many.get(number)) if isinstance(many, Mapping) else None


def _fitted(call: Callable[..., object], arguments: tuple[str, ...], metadata: Mapping[str, Any]) -> object:
    """Call with the metadata where the signature has room for it: by keyword, by position, or not at all."""
    parameters = list(inspect.signature(call).parameters.values())
    by_name = {item.name: item.kind for item in parameters}
    if by_name.get("metadata") in (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD):
        return call(*arguments, metadata=dict(metadata))
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    room = sum(item.kind in positional for item in parameters) > len(arguments)
    if room or any(item.kind is inspect.Parameter.VAR_POSITIONAL for item in parameters):
        return call(*arguments, dict(metadata))
    if any(item.kind is inspect.Parameter.VAR_KEYWORD for item in parameters):
        return call(*arguments, metadata=dict(metadata))
    return call(*arguments)


def _log(message: str) -> None:
    import logging

    logging.getLogger("inkgate.providers").warning("%s", message)
