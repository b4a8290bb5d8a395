"""What a shell command would leave in memory, notes, skills and instruction files.

A command line is a program, so this is a heuristic and says so: text that stands in the line (here-documents, `echo`,
`printf`, `tee`) is judged as part of the file it goes to; `cp`, `mv` and `ln` are judged by the file they take; any
other way to write to a durable place (`sed -i`, `curl -o`, inline Python, an unknown program that names a memory) is a
doubt, and a person must look. A script that is run by name, or a path put together at run time, is not seen: look at
the files after the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from inkgate.integrations.hosts.answer import RefusalError
from inkgate.integrations.hosts.files import label, locate
from inkgate.integrations.hosts.patch import apply_patch, is_patch, patch_in
from inkgate.integrations.hosts.shelltools import (
    Output,
    inline_code,
    inner_lines,
    may_write,
    name_and_words,
    named_outputs,
    printed,
)
from inkgate.integrations.hosts.shellwords import Command, commands
from inkgate.integrations.hosts.targets import is_durable, is_note, targets_of
from inkgate.integrations.hosts.writes import Desk, Doubt, Item, Write
from inkgate.model import Target

__all__ = ["code_items", "shell_items", "shell_paths"]

_DEPTH = 4
_LONGEST = 1024 * 1024
"""Characters of a command or of inline code that are looked at; systems take no longer command than this."""

_WRITES = re.compile(
    r"write|append|dump|rename|replace|copy|move|symlink|hardlink|unlink|truncate|content|file_put|out-file|"
    r"""open\s{0,4}\([^)]{0,400}['"][rbt]{0,2}[wax+]|>""",
    re.IGNORECASE,
)
_PATHS = re.compile(r"[^\s'\"`,;()\[\]{}=<>|]{0,200}[./\\][^\s'\"`,;()\[\]{}=<>|]{1,200}")
_UNQUOTED = str.maketrans("'\"`", "   ")
_UNKNOWN = "this command writes here, but its text cannot be told from the command"
_PERHAPS = "this command may write here, and its text cannot be told from the command"
_OWN = (Target.MEMORY, Target.USER, Target.CONTEXT)


def shell_items(line: str, cwd: Path) -> list[Item]:
    """Every write of a command line to a note, a memory, a skill or an instruction file.

    Raises:
        RefusalError: the line is nested too deeply or too long, or carries a patch that cannot be read.
    """
    desk = Desk(cwd)
    others = list(_walk(line, desk, 0))
    return [*desk.items(), *others]


def _walk(line: str, desk: Desk, depth: int) -> Iterator[Item]:
    if depth > _DEPTH:
        raise RefusalError("the command is nested too deeply")
    if len(line) > _LONGEST:
        raise RefusalError("the command is too long to be judged")
    doubts: list[Item] = []
    inside: list[Item] = []
    before: tuple[str | None, bool] = (None, False)
    for command in commands(line):
        outputs, before = _outputs(command, before if command.piped else (None, False))
        for output in outputs:
            doubts += _put(output, desk)
        doubts += _perhaps(command, desk)
        _patch(command, desk)
        for inner in inner_lines(command):
            inside += _walk(inner, desk, depth + 1)
        for code in inline_code(command):
            inside += code_items(code, desk.cwd, "inline code")
        _change_folder(command, desk)
    yield from doubts
    yield from inside
    if doubts:
        yield Write("the text of the command", _spoken(line, desk.cwd), (Target.MEMORY,))


def shell_paths(line: str, cwd: Path) -> list[Path]:
    """The files of that kind that a command line writes, for a look at them afterwards."""
    places: list[Path] = []
    desk = Desk(cwd)
    for command in commands(line):
        for output in _outputs(command, (None, False))[0]:
            place = _place(output.path, desk.cwd)
            if place is not None and is_note(place):
                places.append(place)
        places += _own_files(command, desk)
        _change_folder(command, desk)
    return places


def code_items(code: str, cwd: Path, name: str) -> Iterator[Item]:
    """Inline program text that names a durable place and writes: a doubt, and its own text is judged."""
    if len(code) > _LONGEST:
        raise RefusalError("the inline code is too long to be judged")
    if not _WRITES.search(code):
        return
    paths = [path for path in dict.fromkeys(_PATHS.findall(code)) if _names_place(path, cwd)]
    if not paths:
        return
    place = locate(paths[0], cwd)
    yield Doubt(label(place, cwd), f"{name} names this place and writes, but its result cannot be told")
    for path in paths:
        code = code.replace(path, "x")
    # Without the quotes: what a program writes from a literal is not quoted where it ends up.
    yield Write(f"the text of {name}", code.translate(_UNQUOTED), (targets_of(place)[0],))


def _outputs(command: Command, before: tuple[str | None, bool]) -> tuple[list[Output], tuple[str | None, bool]]:
    """The files that a command writes, and what it prints: the text, and whether it is loose."""
    name, words = name_and_words(command)
    text = printed(name, words, command, before[0])
    loose = command.loose or before[1]
    outputs = [Output(path, text, loose, append) for append, path in command.outputs]
    return [*outputs, *named_outputs(name, words, text, loose=loose)], (text, loose)


def _put(output: Output, desk: Desk) -> list[Item]:
    """Put one output on the desk; what cannot be told comes back as a doubt."""
    place = _place(output.path, desk.cwd)
    if place is not None and output.source and place.is_dir():
        place /= Path(output.source).name
    if place is None or not is_note(place):
        return []
    text = _copied(output.source, desk) if output.source else output.text
    if text is not None and output.append:
        desk.append(str(place), text)
    elif text is not None:
        desk.write(str(place), text)
    if (text is None or output.loose) and is_durable(place):
        return [Doubt(label(place, desk.cwd), _UNKNOWN)]
    return []


def _perhaps(command: Command, desk: Desk) -> list[Item]:
    """Doubts about a program that names a memory or an instruction file and is not known to read only."""
    name, words = name_and_words(command)
    if any(True for _ in named_outputs(name, words, None, loose=False)):
        return []
    return [Doubt(label(place, desk.cwd), _PERHAPS) for place in _own_files(command, desk)]


def _own_files(command: Command, desk: Desk) -> list[Path]:
    name, words = name_and_words(command)
    if not may_write(name, words):
        return []
    places = (_place(word, desk.cwd) for word in words[1:] if len(word) < 400 and "\n" not in word)
    return [place for place in places if place is not None and targets_of(place)[0] in _OWN and is_durable(place)]


def _patch(command: Command, desk: Desk) -> None:
    name, words = name_and_words(command)
    if name in ("apply_patch", "applypatch"):
        text = next((text for text in [*words[1:], *command.given] if is_patch(text)), None)
        if text is None:
            raise RefusalError("the patch of the command cannot be told from the command")
        apply_patch(patch_in(text), desk)


def _change_folder(command: Command, desk: Desk) -> None:
    name, words = name_and_words(command)
    if name in ("cd", "pushd") and len(words) > 1:
        desk.cwd = _place(words[-1], desk.cwd) or desk.cwd


def _copied(source: str, desk: Desk) -> str | None:
    try:
        return desk.read(source)
    except RefusalError:
        return None


def _place(path: str, cwd: Path) -> Path | None:
    try:
        return locate(path, cwd)
    except (RefusalError, RuntimeError, OSError):
        return None


def _spoken(line: str, cwd: Path) -> str:
    """What a line could be writing: its words without quotes, programs, options and the places themselves.

    Quotes are gone, so that a phrase cannot hide behind them; a command that names a memory is no order to change it.
    """
    rows: list[str] = []
    for command in commands(line):
        _, words = name_and_words(command)
        kept = [word for word in words[1:] if word[:1] != "-" and not _names_place(word, cwd)]
        rows.append(" ".join([*kept, *command.given]))
    return "\n".join(rows)


def _names_place(word: str, cwd: Path) -> bool:
    place = _place(word, cwd) if len(word) < 400 and not any(char.isspace() for char in word) else None
    return place is not None and is_durable(place)
