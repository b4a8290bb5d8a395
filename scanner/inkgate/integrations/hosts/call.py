"""The hook's JSON as values with known types.

Whatever is odd about it (a field of the wrong type, a key given twice, bytes that are not UTF-8) refuses the call: the
host may read such JSON differently from us, and then we would judge another text than the one that is written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

from inkgate.integrations.hosts.answer import RefusalError
from inkgate.lean import Any, dataclass
from inkgate.text.escape import escape

__all__ = ["Arguments", "Call", "parse_json", "read_call"]

_AFTER = frozenset({"PostToolUse", "PostToolUseFailure", "AfterTool", "post_tool_call"})
_SAFE_NAME = re.compile(r"[\w.:/-]{1,64}", re.ASCII)


def parse_json(data: bytes) -> Mapping[str, Any]:
    """Decode the hook input: UTF-8 JSON, an object at the top, no key twice.

    Raises:
        RefusalError: anything else.
    """
    try:
        value = json.loads(data.decode("utf-8-sig"), object_pairs_hook=_unique)
    except UnicodeDecodeError as error:
        raise RefusalError(f"the hook input is not valid UTF-8 (byte {error.start})") from None
    except json.JSONDecodeError as error:
        raise RefusalError(f"the hook input is not valid JSON (line {error.lineno}, column {error.colno})") from None
    except RecursionError:
        raise RefusalError("the hook input is nested too deeply") from None
    except ValueError:  # an integer of thousands of digits
        raise RefusalError("the hook input holds a number that cannot be read") from None
    if not isinstance(value, dict):
        raise RefusalError("the hook input is not a JSON object")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) != len(pairs):
        raise RefusalError("the hook input gives one key twice, so hosts may read it in different ways")
    return table


class Arguments:
    """A tool's arguments, read with the types that the tool declares."""

    def __init__(self, values: Mapping[str, Any], where: str = "") -> None:
        self.values = values
        self._where = where

    def __contains__(self, name: str) -> bool:
        return self.values.get(name) is not None

    def text(self, name: str, default: str | None = None) -> str:
        """The text under `name`; an absent or null one is `default`, or refused where there is none."""
        value = self.values.get(name)
        if value is None and default is not None:
            return default
        if not isinstance(value, str):
            raise RefusalError(f"the argument {self._where}{name} is {'missing' if value is None else 'not text'}")
        return value

    def first(self, *names: str) -> str | None:
        """The text under the first of `names` that is there; None when none is."""
        present = next((name for name in names if name in self), None)
        return None if present is None else self.text(present)

    def rows(self, name: str) -> list[Arguments]:
        """The list of objects under `name`; an absent one is empty."""
        value = self.values.get(name)
        if value is None:
            return []
        if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
            raise RefusalError(f"the argument {self._where}{name} is not a list of objects")
        return [Arguments(row, f"{name}[{index}].") for index, row in enumerate(value)]


@dataclass(frozen=True, slots=True)
class Call:
    """One tool call as a host announces it.

    Attributes:
        event: the host's name of the event; empty where the host gives none.
        tool: the host's name of the tool.
        arguments: what the tool is called with.
        cwd: the folder that relative paths start from.
        mode: the host's permission mode, or empty.
        foreign: whether the host says that a connected server (MCP) runs the tool.
    """

    event: str
    tool: str
    arguments: Arguments
    cwd: Path
    mode: str = ""
    foreign: bool = False

    @property
    def after(self) -> bool:
        """Whether the tool has already run, so that the files on disk are what must be judged."""
        return self.event in _AFTER

    @property
    def tool_name(self) -> str:
        """The tool's name, fit to be printed."""
        return self.tool if _SAFE_NAME.fullmatch(self.tool) else escape(self.tool, 64)


def read_call(payload: Mapping[str, Any]) -> Call | None:
    """The tool call in a hook payload, or None when its event is not about a tool.

    Raises:
        RefusalError: a tool event whose name or arguments are missing or of the wrong type.
    """
    fields = Arguments(payload)
    event = fields.text("hook_event_name", "")
    if "tool_name" not in fields and "tool_input" not in fields and event and not _is_tool_event(event):
        return None
    tool = fields.text("tool_name")
    values = payload.get("tool_input")
    if isinstance(values, str):  # free-form tools hand over bare text
        values = {"input": values}
    if values is None:
        values = {}
    if not isinstance(values, dict):
        raise RefusalError("the argument tool_input is not an object")
    cwd = fields.text("cwd", "")
    mode = fields.text("permission_mode", "")
    return Call(event, tool, Arguments(values), Path(cwd or "."), mode, bool(payload.get("mcp_context")))


def _is_tool_event(event: str) -> bool:
    return event in _AFTER or event in {"PreToolUse", "BeforeTool", "pre_tool_call", "PermissionRequest"}
