"""From the arguments of a tool call to a request, and back for a staged write: the shape of a call is checked here."""

from __future__ import annotations

from collections.abc import Mapping
from collections.abc import Set as AbstractSet

from inkgate.lean import Any
from inkgate.model import InkgateError, Target
from inkgate.store.memory import FILES
from inkgate.store.origin import Origin
from inkgate.store.plan import Action, Change, Operation

from .request import Request

__all__ = ["ArgumentError", "from_arguments", "to_payload"]

_ACTIONS = frozenset(map(str, Action))
_ABORT = " No operations were applied (batch is all-or-nothing)."


class ArgumentError(InkgateError):
    """The call does not have the shape of a write.

    Attributes:
        code: a stable word for programs; `needs-old-text` is the one that the caller can mend with the inventory.
        counted: whether it counts as a failed attempt of the turn.
    """

    def __init__(self, code: str, message: str, *, hint: str = "", counted: bool = False) -> None:
        super().__init__(message, hint=hint)
        self.code = code
        self.counted = counted


def target_of(value: object) -> Target:
    """The target named by a call; none means memory.

    Raises:
        ArgumentError: it is neither `memory` nor `user`.
    """
    if value is None:
        return Target.MEMORY
    if isinstance(value, str) and value in FILES:
        return Target(value)
    raise ArgumentError("target", f"Invalid memory target {_shown(value)}. Use 'memory' or 'user'.")


def from_arguments(
    arguments: Mapping[str, Any], origin: Origin, *, seen: AbstractSet[str] | None = None, pinned: bool = False
) -> Request:
    """A request from the arguments of a call.

    Args:
        arguments: action, target, content (alias new_text), old_text, operations.
        origin: who calls.
        seen: the entries that the caller has been shown.
        pinned: whether to believe `matched_entry`, which only a staged record may carry.

    Raises:
        ArgumentError: something is missing, or of the wrong type.
    """
    target = target_of(arguments.get("target"))
    operations = arguments.get("operations")
    if operations:
        if not isinstance(operations, (list, tuple)):
            raise ArgumentError("shape", "operations must be a list of objects with an action.")
        steps = tuple(_step(number, item, pinned) for number, item in enumerate(operations, 1))
        return Request(target, steps, True, origin, seen)
    return Request(target, (_single(arguments, pinned),), False, origin, seen)


def _single(arguments: Mapping[str, Any], pinned: bool) -> Operation:
    action = arguments.get("action")
    if not isinstance(action, str) or action not in _ACTIONS:
        message = f"Unknown action {_shown(action)}. Use: add, replace, remove."
        raise ArgumentError(
            "action", message, hint='For example: {"action": "add", "target": "memory", "content": "…"}'
        )
    content, old_text = _content(arguments), _text(arguments, "old_text")
    if action == Action.ADD and content is None:
        raise ArgumentError("needs-content", "Content is required for 'add' action.")
    if action != Action.ADD and not (old_text or "").strip():
        message = f"'{action}' needs old_text: a piece of text that stands in exactly one entry."
        raise ArgumentError("needs-old-text", message, hint="Choose it from current_entries and call again.")
    if action == Action.REPLACE and content is None:
        message = "content is required for 'replace' action."
        raise ArgumentError("needs-content", message, hint="To delete an entry use action 'remove'.")
    return Operation(Action(action), content or "", old_text or "", _pin(arguments, pinned))


def _step(number: int, item: object, pinned: bool) -> Operation:
    values: Mapping[str, Any] = item if isinstance(item, Mapping) else {}
    action = values.get("action")
    where = f"Operation {number} ({_shown(action)[1:-1] if isinstance(action, str) else 'unknown'}):"
    if not isinstance(action, str) or action not in _ACTIONS:
        raise _bad_step(f"{where} unknown action. Use add, replace, remove.")
    content, old_text = _content(values), _text(values, "old_text")
    if action != Action.ADD and not (old_text or "").strip():
        raise _bad_step(f"{where} old_text is required.")
    if action != Action.REMOVE and not (content or "").strip():
        use_remove = " (use action='remove' to delete)" if action == Action.REPLACE else ""
        raise _bad_step(f"{where} content is required{use_remove}.")
    return Operation(Action(action), content or "", old_text or "", _pin(values, pinned))


def _bad_step(message: str) -> ArgumentError:
    return ArgumentError("step", message + _ABORT, counted=True)


def _content(values: Mapping[str, Any]) -> str | None:
    content = _text(values, "content")
    return _text(values, "new_text") if content is None else content


def _text(values: Mapping[str, Any], name: str) -> str | None:
    value = values.get(name)
    if value is not None and not isinstance(value, str):
        raise ArgumentError("shape", f"{name} must be text, not {type(value).__name__}.")
    return value


def _pin(values: Mapping[str, Any], pinned: bool) -> str | None:
    return _text(values, "matched_entry") if pinned else None


def _shown(value: object) -> str:
    text = str(value).encode("utf-8", "replace").decode()
    return f"'{text if len(text) <= 40 else text[:40] + '...'}'"


def to_payload(request: Request, changes: tuple[Change, ...]) -> dict[str, Any]:
    """The arguments that replay a request, each destructive step pinned to the whole entry that it touches."""
    steps = [_payload(*pair) for pair in zip(request.operations, changes, strict=True)]
    if request.batch:
        return {"target": str(request.target), "operations": steps}
    return {"target": str(request.target), **steps[0]}


def _payload(operation: Operation, change: Change) -> dict[str, Any]:
    if operation.action is Action.ADD:
        return {"action": "add", "content": operation.content}
    step = {"action": str(operation.action), "old_text": operation.old_text, "matched_entry": change.before}
    return {**step, "content": operation.content} if operation.action is Action.REPLACE else step
