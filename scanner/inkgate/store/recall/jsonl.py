"""Messages from JSON Lines: one object each, with the names that agent hosts use."""

from __future__ import annotations

import datetime
import json
from collections.abc import Iterable
from typing import Any

from inkgate.store.errors import NotUnderstoodError

from .model import Message

__all__ = ["moment", "read"]

_ANSWERS = frozenset(["tool_result", "function_call_output", "web_search_tool_result", "mcp_tool_result"])
_MEDIA = frozenset(["data", "source", "image_url", "input_audio", "file", "file_id"])  # what a picture or file comes in
_KNOWN = frozenset(["session", "role", "text", "content", "at", "id", "source", "title"])


def read(lines: Iterable[bytes], *, session: str = "") -> tuple[list[Message], list[str]]:
    """The messages, and the names of the values that were not taken over, sorted.

    Args:
        lines: UTF-8, one JSON object a line; blank lines count for nothing. `text` (or `content`) is the message: a
            string, or a list of parts as the interfaces of models have them. `at` is the time as seconds since 1970 or
            as ISO 8601 (UTC unless it says otherwise). What a tool answered is the tool's, whoever passes it on.
        session: for lines that name none.

    Raises:
        NotUnderstoodError: a line cannot be read as a message; the error names it.
    """
    messages: list[Message] = []
    others: set[str] = set()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            values = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        except (ValueError, RecursionError) as error:
            raise _bad(number, "it is not JSON in UTF-8") from error
        if not isinstance(values, dict):
            raise _bad(number, "it is not a JSON object")
        messages += _messages(number, values, session)
        others |= values.keys() - _KNOWN
    return messages, sorted(others)


def _messages(number: int, values: dict[str, Any], session: str) -> list[Message]:
    """The message of a line; before it, as a message of its own, what a tool answered in it."""
    parts = values.get("text", values.get("content"))
    if not isinstance(parts, list):
        return [_message(number, values, session)]
    answers = [part for part in parts if isinstance(part, dict) and part.get("type") in _ANSWERS]
    others = [part for part in parts if part not in answers]
    found = []
    if answers:
        found.append(_message(number, {**values, "role": "tool", _name(values): answers}, session))
    if others or not answers:
        found.append(_message(number, {**values, _name(values): others}, session))
    return found


def _name(values: dict[str, Any]) -> str:
    return "text" if "text" in values else "content"


def _message(number: int, values: dict[str, Any], session: str) -> Message:
    if "text" in values and "content" in values:
        raise _bad(number, "it has both text and content")
    text = values.get("text", values.get("content"))
    if isinstance(text, list):
        text = _parts(number, text)
    if not isinstance(text, str):
        raise _bad(number, "its text must be a string, or a list of parts")
    words = {name: values.get(name, "") for name in ("role", "id", "source", "title")}
    words["session"] = values.get("session", session)
    for name, value in words.items():
        if not isinstance(value, str):
            raise _bad(number, f"its {name} must be a string")
    try:
        at = moment(values["at"]) if values.get("at") is not None else None
    except ValueError as error:
        raise _bad(number, "its time is neither a number nor ISO 8601") from error
    return Message(text=text, at=at, **words)


def _parts(number: int, parts: list[Any]) -> str:
    """A message of parts as text: texts as they are, pictures and files by their kind, all else (calls) as JSON."""
    told = []
    for part in parts:
        if isinstance(part, str):
            told.append(part)
            continue
        if not isinstance(part, dict):
            raise _bad(number, "a part of its text is neither text nor an object")
        kind = part.get("type", "part")
        inner = part.get("content")
        if isinstance(part.get("text"), str):
            told.append(part["text"])
        elif kind in _ANSWERS and isinstance(inner, (str, list)):
            told.append(inner if isinstance(inner, str) else _parts(number, inner))
        elif _MEDIA & part.keys():
            told.append(f"[{kind}]")
        else:
            told.append(json.dumps(part, ensure_ascii=False))
    return "\n".join(told)


def moment(value: object) -> float:
    """A time as seconds since 1970.

    Args:
        value: seconds, or ISO 8601 such as `2026-11-30` or `2026-11-30T17:00:00+01:00`; UTC where no zone is given.

    Raises:
        ValueError: it is neither.
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if not isinstance(value, str):
        raise ValueError("not a time")  # noqa: TRY004 - one error for all that is no time
    time = datetime.datetime.fromisoformat(value.strip())
    return (time if time.tzinfo else time.replace(tzinfo=datetime.UTC)).timestamp()


def _bad(number: int, why: str) -> NotUnderstoodError:
    return NotUnderstoodError(f"Line {number}: {why}. Nothing was added.")
