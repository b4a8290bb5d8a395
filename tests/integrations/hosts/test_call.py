"""Hook JSON as values with known types."""

from __future__ import annotations

import pytest

from inkgate.integrations.hosts.answer import RefusalError
from inkgate.integrations.hosts.call import parse_json, read_call


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff{}",
        b"[]",
        b"{",
        b'"text"',
        b'{"a": 1, "a": 2}',
        b'{"a": {"content": "x", "content": "y"}}',
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"a": ' + b"9" * 10_000 + b"}",
    ],
    ids=["empty", "bytes", "list", "open", "text", "twice", "twice-inside", "deep-list", "deep", "number"],
)
def test_odd_json_is_refused(data: bytes) -> None:
    """What two readers could take differently, or not at all, is an error without a word of the input."""
    with pytest.raises(RefusalError):
        parse_json(data)


def test_a_byte_order_mark_is_no_error() -> None:
    """A shell on Windows may put one in front."""
    assert parse_json(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


@pytest.mark.parametrize(
    "payload",
    [
        {},
        {"tool_name": 3, "tool_input": {}},
        {"tool_name": None, "hook_event_name": "PreToolUse"},
        {"tool_name": "Write", "tool_input": []},
        {"tool_name": "Write", "tool_input": {}, "cwd": 1},
        {"tool_input": {"content": "x"}, "hook_event_name": "PreToolUse"},
        {"tool_input": {"content": "x"}, "hook_event_name": "SessionStart"},
    ],
)
def test_a_tool_event_without_its_parts_is_refused(payload: dict[str, object]) -> None:
    """A call whose tool or arguments are missing or of another type cannot be judged."""
    with pytest.raises(RefusalError):
        read_call(payload)


def test_other_events_are_no_calls() -> None:
    """An event that is not about a tool has nothing to judge."""
    assert read_call({"hook_event_name": "SessionStart", "source": "startup"}) is None


def test_names_are_safe_to_print() -> None:
    """The name of a tool comes from a server that nobody vouches for."""
    call = read_call({"tool_name": "mcp__x\x1b[31m\n::error::", "tool_input": {}})
    assert call is not None
    assert "\x1b" not in call.tool_name
    assert "\n" not in call.tool_name
