"""What one host's way of speaking is made of, and what the hosts share."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping

from inkgate.integrations.hosts.answer import HookAnswer, Outcome, RefusalError
from inkgate.integrations.hosts.call import Call, read_call
from inkgate.integrations.hosts.files import locate
from inkgate.integrations.hosts.tools import PATH_NAMES, Handler, generic
from inkgate.integrations.hosts.writes import Desk, Item
from inkgate.lean import Any, dataclass

__all__ = ["Dialect", "blocked", "items_of", "to_json"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """One host.

    Attributes:
        tools: a handler for every tool that the host is known to write with.
        silent: tools of the host that keep no text; every other name is looked at by its arguments.
        mcp: how the names of tools of connected servers begin.
        answer: puts an outcome into the host's words; the call is None when it could not be read.
        read: takes the hook payload apart.
    """

    tools: Mapping[str, Handler]
    silent: frozenset[str]
    mcp: re.Pattern[str]
    answer: Callable[[Call | None, Outcome], HookAnswer]
    read: Callable[[Mapping[str, Any]], Call | None] = read_call


def items_of(dialect: Dialect, call: Call) -> Iterable[Item]:
    """What a call would leave behind, or what it has left when the tool has run."""
    if call.after:
        return _left_behind(call) if call.tool in dialect.tools or call.tool not in dialect.silent else []
    handler = dialect.tools.get(call.tool)
    return handler(call) if handler is not None else generic(call, dialect.silent, dialect.mcp)


def _left_behind(call: Call) -> Iterable[Item]:
    """The files that a call names, as they stand on disk now; one that is gone is nothing."""
    from inkgate.integrations.hosts.patch import is_patch, patch_in, patched_paths
    from inkgate.integrations.hosts.shell import shell_paths

    values = call.arguments.values
    places = [value for name in PATH_NAMES if isinstance(value := values.get(name), str)]
    for value in values.values():
        if isinstance(value, str) and is_patch(value):
            places += patched_paths(patch_in(value))
    for name in ("command", "cmd"):
        if isinstance(line := values.get(name), str):
            places += map(str, shell_paths(line, call.cwd))
    desk = Desk(call.cwd)
    for place in dict.fromkeys(places):
        if (path := locate(place, call.cwd)).is_file() and (text := desk.read(str(path))) is not None:
            desk.write(str(path), text)
    return desk.items()


def blocked(outcome: Outcome, body: Mapping[str, Any]) -> HookAnswer:
    """A refusal that every host understands: JSON on stdout, the reason on stderr, exit code 2."""
    if not outcome.reason.strip():
        raise RefusalError("a refusal needs a reason")
    return HookAnswer(to_json(body), f"{outcome.reason}\n", 2)


def to_json(body: Mapping[str, Any]) -> str:
    """One line of ASCII JSON."""
    return json.dumps(body, ensure_ascii=True, separators=(",", ":")) + "\n"
