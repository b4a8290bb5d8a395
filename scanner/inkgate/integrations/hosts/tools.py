"""What the hosts' tools do to text: one handler for each shape of arguments, shared by all dialects.

A hook starts a process for every call, so what only some tools need is imported when one of them is called.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping

from inkgate.integrations.hosts.answer import RefusalError
from inkgate.integrations.hosts.call import Arguments, Call
from inkgate.integrations.hosts.draft import Draft
from inkgate.integrations.hosts.writes import Desk, Item, arguments
from inkgate.model import Target

__all__ = [
    "PATH_NAMES",
    "Handler",
    "code_tool",
    "edit_file",
    "generic",
    "notebook",
    "patch_tool",
    "replace",
    "shell_tool",
    "spoken",
    "write_file",
]

Handler = Callable[[Call], Iterable[Item]]
"""From a call to what it would leave behind."""

PATH_NAMES = (
    "file_path",
    "path",
    "notebook_path",
    "filepath",
    "filename",
    "file",
    "absolute_path",
    "target_file",
    "uri",
)
_CONTENT = ("content", "file_text", "contents", "text", "new_source", "file_content", "body", "markdown")
_OLD = ("old_string", "old_str", "old_text", "old_content", "search")
_NEW = ("new_string", "new_str", "new_text", "new_content", "replace", "replacement", "insert_text")
_COMMANDS = ("command", "cmd", "script", "commands")

# Words in the name of an unknown tool that say it keeps text.
_KEEPS = re.compile(
    r"memor|remember|retain|conclude|fact|note|save|store|write|edit|creat|append|insert|updat|upsert|skill|add"
)


def write_file(call: Call, path: tuple[str, ...] = PATH_NAMES, content: tuple[str, ...] = _CONTENT) -> Iterable[Item]:
    """A whole file: a path and its content, under the names that the tool gives them."""
    desk = Desk(call.cwd)
    desk.write(_required(call.arguments, path), _required(call.arguments, content))
    return desk.items()


def edit_file(call: Call, path: tuple[str, ...] = PATH_NAMES) -> Iterable[Item]:
    """One replacement, a list of `edits`, or an insertion after a line; an empty old text makes the file."""
    desk = Desk(call.cwd)
    place = _required(call.arguments, path)
    for row in call.arguments.rows("edits") or [call.arguments]:
        line = row.values.get("insert_line")
        if isinstance(line, int) and not isinstance(line, bool):
            _insert(desk.edit(place), line, _required(row, _NEW))
        else:
            replace(desk, place, row.first(*_OLD) or "", _required(row, _NEW))
    return desk.items()


def _insert(draft: Draft, line: int, text: str) -> None:
    lines = draft.text.split("\n")
    if not 0 <= line <= len(lines):
        raise RefusalError("the line to insert after is not in the file, so the result of the edit is unknown")
    at = min(sum(len(each) + 1 for each in lines[:line]), len(draft.text))
    draft.splice([(at, at, text)])


def replace(desk: Desk, path: str, old: str, new: str, *, target: Target | None = None) -> None:
    """Replace a text in a file on the desk.

    Raises:
        RefusalError: the file or the text is not there, so the result is unknown.
    """
    if not old:
        if desk.read(path):
            raise RefusalError("the text to be replaced is empty though the file is not, so the result is unknown")
        desk.write(path, new, target=target)
    elif not desk.edit(path, target=target).replace(old, new):
        raise RefusalError(
            "the text to be replaced is not in the file, so the result of the edit is unknown; "
            "read the file again and repeat the edit with its exact text"
        )


def notebook(call: Call) -> Iterable[Item]:
    """One cell of a notebook."""
    from inkgate.integrations.hosts.notebook import edit_notebook

    return edit_notebook(call)


def shell_tool(call: Call) -> Iterable[Item]:
    """A command line, as text or as a list of words."""
    from inkgate.integrations.hosts.shell import shell_items

    values = call.arguments.values
    command = next((values[name] for name in _COMMANDS if values.get(name) is not None), None)
    if isinstance(command, list) and all(isinstance(word, str) for word in command):
        from shlex import join

        command = join(command)
    if not isinstance(command, str):
        raise RefusalError("the command is missing or not text")
    folder = call.arguments.first("workdir", "dir_path", "directory", "cwd")
    return shell_items(command, call.cwd / folder if folder else call.cwd)


def code_tool(call: Call) -> Iterable[Item]:
    """A program that the tool runs."""
    from inkgate.integrations.hosts.shell import code_items

    return code_items(call.arguments.text("code", ""), call.cwd, f"the code of {call.tool_name}")


def patch_tool(
    call: Call, names: tuple[str, ...] = ("command", "patch", "input"), *, at_hint: bool = False
) -> Iterable[Item]:
    """A patch in the patch language, as text or as the last of a list of words."""
    from inkgate.integrations.hosts.patch import apply_patch, is_patch, patch_in

    values = call.arguments.values
    text = next((values[name] for name in names if values.get(name) is not None), None)
    if isinstance(text, list) and text and isinstance(text[-1], str):
        text = text[-1]
    if not isinstance(text, str):
        raise RefusalError("the patch is missing or not text")
    desk = Desk(call.cwd)
    apply_patch(patch_in(text) if is_patch(text) else text, desk, at_hint=at_hint)
    return desk.items()


def spoken(call: Call, target: Target = Target.MEMORY) -> Iterable[Item]:
    """Every text in the arguments."""
    return arguments(call.arguments.values, call.tool_name, target)


def generic(call: Call, silent: frozenset[str], mcp: re.Pattern[str]) -> Iterable[Item]:
    """A tool that no table names: judged when its name or its arguments say that it keeps text, else passed.

    The arguments are judged as text. Where they name a file as well, the whole file is judged with them, so that a
    phrase cannot be put together over two calls.
    """
    values = call.arguments
    if call.tool in silent:
        return []
    path = _first_text(values.values, PATH_NAMES)
    content = _first_text(values.values, _CONTENT)
    new = _first_text(values.values, _NEW)
    if not (call.foreign or mcp.match(call.tool)):
        if path is not None and new is not None:
            return edit_file(call)
        if path is not None and content is not None:
            return write_file(call)
        if (
            path is None
            and not set(values.values).intersection(_CONTENT, _NEW)
            and not _KEEPS.search(call.tool.lower())
        ):
            return []
    return _with_file(call, path, _first_text(values.values, _OLD), new)


def _with_file(call: Call, path: str | None, old: str | None, new: str | None) -> list[Item]:
    from inkgate.integrations.hosts.targets import target_of

    target = target_of(path) if path else Target.MEMORY
    items: list[Item] = list(arguments(call.arguments.values, call.tool_name, target))
    if path and old and new is not None:
        desk = Desk(call.cwd)
        try:
            if desk.read(path) is not None and desk.edit(path).replace(old, new):
                items += desk.items()
        except RefusalError:  # another machine's path, or a name inside the server's own store
            return items
    return items


def _first_text(values: Mapping[str, object], names: Iterable[str]) -> str | None:
    return next((value for name in names if isinstance(value := values.get(name), str)), None)


def _required(values: Arguments, names: tuple[str, ...]) -> str:
    found = values.first(*names)
    if found is None:
        raise RefusalError(f"the argument {names[0]} is missing")
    return found
