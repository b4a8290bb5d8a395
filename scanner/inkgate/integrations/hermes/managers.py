"""The agent's own managers of external providers: what they are told is masked, and approved writes reach them too.

The agent tells its provider of a tool call, word for word, and of nothing else. Here every text on its way out loses
its secrets, and a staged write that a person approves is told like any other.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from typing import Any

from inkgate.gate.mirror import mask_all
from inkgate.gate.screened import Screener
from inkgate.model import InkgateError, Target
from inkgate.store.plan import Action, Change

__all__ = ["Managers"]

_CONTENT = "\0content"


class Managers:
    """The managers of one agent process, by session.

    Args:
        screener: returns what finds the secrets.
    """

    def __init__(self, screener: Callable[[], Screener]) -> None:
        self._screener = screener
        self._known: dict[str, weakref.ref[Any]] = {}

    def put_in_place(self, manager: type[Any]) -> None:
        """Wrap the two methods of the host's class, once; who comes later shares what is known."""
        earlier = getattr(manager.on_memory_write, "inkgate", None)
        if isinstance(earlier, Managers):
            self._known = earlier._known
            return
        write, begin = manager.on_memory_write, manager.initialize_all

        def on_memory_write(
            this: Any,  # noqa: ANN401
            action: str,
            target: str,
            content: str,
            metadata: Mapping[str, Any] | None = None,
        ) -> None:
            """Tell the external provider of a change, without the secrets in it."""
            texts = self._masked(content, metadata or {}, target)
            if texts is not None:
                masked = texts.pop(_CONTENT)
                write(this, action, target, masked, metadata={**(metadata or {}), **texts})

        def initialize_all(this: Any, session_id: str, **more: Any) -> None:  # noqa: ANN401
            """Begin a session."""
            self._known.pop(session_id, None)
            self._known[session_id] = weakref.ref(this)
            begin(this, session_id, **more)

        on_memory_write.inkgate = self  # type: ignore[attr-defined]
        manager.on_memory_write, manager.initialize_all = on_memory_write, initialize_all

    def tell(self, session: str, target: str, changes: tuple[Change, ...]) -> None:
        """Tell the provider of the session, or of the newest one, what an approved write has changed."""
        manager = self._of(session)
        for change in changes if manager is not None else ():
            if not change.real:
                continue
            before = change.before or ""
            metadata = {"write_origin": "approval", "session_id": session, "tool_name": "memory"}
            metadata |= {"old_text": before, "previous_content": before}
            action = change.action if change.before is not None else Action.ADD
            shown = {name: value for name, value in metadata.items() if value}
            try:
                manager.on_memory_write(str(action), target, change.after or "", metadata=shown)
            except Exception as problem:  # noqa: BLE001 - a provider may raise anything; the write stands
                _log(f"an approved change was not mirrored ({type(problem).__name__})")

    def _of(self, session: str) -> Any:  # noqa: ANN401
        alive = {name: found for name, known in list(self._known.items()) if (found := known()) is not None}
        for name in self._known.keys() - alive.keys():
            del self._known[name]
        return alive.get(session) or next(reversed(alive.values()), None)

    def _masked(self, content: str, metadata: Mapping[str, Any], target: str) -> dict[str, str] | None:
        words = {name: value for name, value in metadata.items() if isinstance(value, str)}
        try:
            found = Target(target)
            return mask_all({_CONTENT: content, **words}, found, self._screener())
        except (InkgateError, ValueError) as problem:
            _log(f"nothing was sent to a provider: masking failed with {type(problem).__name__}")
            return None


def _log(message: str) -> None:
    import logging

    logging.getLogger("inkgate.hermes").warning("%s", message)
