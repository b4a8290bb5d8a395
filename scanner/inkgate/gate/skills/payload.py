"""A request for a skill as JSON values, for a staged write, and back."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any

from inkgate.store.errors import RefusalError
from inkgate.store.origin import Origin
from inkgate.store.skills import Content, SkillAction, SkillFile, SkillPlan, SkillRequest

__all__ = ["from_payload", "to_payload"]

_TEXTS = ("name", "path", "text", "old_text", "reason", "category", "version")


def to_payload(request: SkillRequest, made: SkillPlan) -> dict[str, Any]:
    """The request, pinned to every file that it changes as it was read."""
    values: dict[str, Any] = {"action": str(request.action)}
    values |= {name: text for name in _TEXTS if (text := getattr(request, name))}
    if request.data is not None:
        values["data"] = _encoded(request.data)
    if request.files:
        values["files"] = {path: _packed(content) for path, content in request.files.items()}
    if request.executable is not None:
        values["executable"] = request.executable
    if request.replace_all:
        values["replace_all"] = True
    values["pins"] = {change.path: change.before.sha256 if change.before else "" for change in made.changes}
    return values


def from_payload(payload: Mapping[str, Any], origin: Origin) -> SkillRequest:
    """The request of a staged payload.

    Raises:
        RefusalError: `unpinned`: it was not staged by this gate. `shape`: it is no such request.
    """
    pins = payload.get("pins")
    if not isinstance(pins, Mapping):
        raise RefusalError(
            "unpinned",
            "This staged write does not say which files it was shown with, so it cannot be applied.",
            hint="Reject it, and let it be proposed again.",
        )
    try:
        return SkillRequest(
            SkillAction(payload["action"]),
            **{name: _text(payload.get(name, "")) for name in _TEXTS},
            data=_decoded(payload["data"]) if "data" in payload else None,
            files={_text(path): _content(item) for path, item in payload.get("files", {}).items()},
            executable=payload.get("executable"),
            replace_all=payload.get("replace_all") is True,
            pins={_text(path): _text(sha256) for path, sha256 in pins.items()},
            origin=origin,
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RefusalError("shape", "This staged write is no write of a skill.") from error


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("no text")
    return value


def _packed(content: Content) -> str | dict[str, Any]:
    if isinstance(content, SkillFile):
        return {"base64": _encoded(content.data), "executable": content.executable}
    return {"base64": _encoded(content)} if isinstance(content, bytes) else content


def _content(value: object) -> Content:
    if not isinstance(value, Mapping):
        return _text(value)
    data = _decoded(value["base64"])
    return SkillFile(data, value["executable"] is True) if "executable" in value else data


def _encoded(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _decoded(value: object) -> bytes:
    try:
        return base64.b64decode(_text(value), validate=True)
    except binascii.Error as error:
        raise ValueError("no base64") from error
