"""What a shell command would leave in memory, notes, skills and instruction files.

A command line is a program, so this is a heuristic and says so: text that stands in the line (here-documents, `echo`,
`printf`, `tee`) is judged as part of the file it goes to; `cp`, `mv` and `ln` are judged by the file they take; any
other way to write to a durable place (`sed -i`, `curl -o`, inline Python, an unknown filter) is a doubt, and a person
must look. A script that is run by name, or a path put together at run time, is not seen: re-scan after the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from inkgate.integrations.hosts.answer import RefusalError
from inkgate.integrations.hosts.files import label, locate
from inkgate.integrations.hosts.patch import apply_patch, is_patch, patch_in
from inkgate.integrations.hosts.shellwords import Command, commands, unescape
from inkgate.integrations.hosts.targets import is_durable, is_note, targets_of
from inkgate.integrations.hosts.writes import Desk, Doubt, Item, Write
from inkgate.model import Target

__all__ = ["code_items", "shell_items", "shell_paths"]

_DEPTH = 4
_LONGEST = 1024 * 1024
"""Characters of a command or of inline code that are looked at; systems take no longer command than this."""

_PREFIXES = re.compile(
    r"sudo|doas|env|command|nohup|exec|time|nice|builtin|then|do|else|elif|if|while|until|!|\{|\w+=.*", re.S
)
_SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "fish", "busybox"})
_SAME = frozenset({"cat", "tee", "sponge"})
_COPIES = frozenset({"cp", "mv", "install", "ln", "rsync"})
_IN_PLACE = frozenset({"sed", "gsed", "perl", "ruby", "awk", "gawk", "sd"})
_EDITORS = frozenset(
    {"ed", "ex", "vi", "vim", "nvim", "emacs", "patch", "truncate", "set-content", "add-content", "out-file"}
    | {"tee-object", "new-item", "copy-item", "move-item"}
)
_FETCHERS = frozenset({"curl", "wget", "aria2c"})
_CODE = re.compile(r"(?:python|pypy|node|deno|bun|ruby|perl|php|lua|osascript|pwsh|powershell)[\d.]*", re.ASCII)
_WRITES = re.compile(
    r"write|append|dump|rename|replace|copy|move|symlink|hardlink|unlink|truncate|content|file_put|out-file|"
    r"""open\s{0,4}\([^)]{0,400}['"][rbt]{0,2}[wax+]|>""",
    re.IGNORECASE,
)
_PATHS = re.compile(r"[^\s'\"`,;()\[\]{}=<>|]{0,200}[./\\][^\s'\"`,;()\[\]{}=<>|]{1,200}")
_UNKNOWN = "this command writes here, but its text cannot be told from the command"


@dataclass(frozen=True, slots=True)
class _Output:
    """A file that a command writes; `text` is None when it cannot be told."""

    path: str
    text: str | None = None
    append: bool = False
    source: str = ""


def shell_items(line: str, cwd: Path) -> list[Item]:
    """Every write of a command line to a note, a memory, a skill or an instruction file.

    Raises:
        RefusalError: the line is nested too deeply, or carries a patch that cannot be read.
    """
    desk = Desk(cwd)
    others = list(_walk(line, desk, 0))
    return [*desk.items(), *others]


def _walk(line: str, desk: Desk, depth: int) -> Iterator[Item]:
    if depth > _DEPTH:
        raise RefusalError("the command is nested too deeply")
    if len(line) > _LONGEST:
        raise RefusalError("the command is too long to be judged")
    if is_patch(line) and re.search(r"\bapply_?patch\b", line):
        apply_patch(patch_in(line), desk)
    doubts: list[Item] = []
    for output, folder in _outputs(line, desk.cwd):
        desk.cwd = folder
        doubts += _put(output, desk)
    yield from doubts
    for inner in _inner(line):
        yield from _walk(inner, desk, depth + 1)
    code = [item for text in _code(line) for item in code_items(text, desk.cwd, "inline code")]
    yield from code
    if doubts and not code:
        yield Write("the text of the command", _spoken(line), (Target.MEMORY,))


def shell_paths(line: str, cwd: Path) -> list[Path]:
    """The files of that kind that a command line writes, for a look at them afterwards."""
    places: list[Path] = []
    for output, folder in _outputs(line, cwd):
        place = _place(output.path, folder)
        if place is not None and is_note(place):
            places.append(place)
    return places


def code_items(code: str, cwd: Path, name: str) -> Iterator[Item]:
    """Inline program text that names a durable place and writes: a doubt, and its own text is judged."""
    if len(code) > _LONGEST:
        raise RefusalError("the inline code is too long to be judged")
    if not _WRITES.search(code):
        return
    for path in dict.fromkeys(_PATHS.findall(code)):
        place = _place(path, cwd)
        if place is not None and is_durable(place):
            yield Doubt(label(place, cwd), f"{name} names this place and writes, but its result cannot be told")
            yield Write(f"the text of {name}", code, (targets_of(place)[0],))
            return


def _put(output: _Output, desk: Desk) -> list[Item]:
    """Put one output on the desk; what cannot be told comes back as a doubt."""
    place = _place(output.path, desk.cwd)
    if place is not None and output.source and place.is_dir():
        place /= Path(output.source).name
    if place is None or not is_note(place):
        return []
    text = _copied(output.source, desk) if output.source else output.text
    if text is None:
        return [Doubt(label(place, desk.cwd), _UNKNOWN)] if is_durable(place) else []
    if output.append:
        desk.append(str(place), text)
    else:
        desk.write(str(place), text)
    return []


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


def _outputs(line: str, cwd: Path) -> Iterator[tuple[_Output, Path]]:
    """Each file that the line writes, with the folder that relative paths start from at that point."""
    before: str | None = None
    for command in commands(line):
        words = _without_prefix(command.words)
        name = words[0].rsplit("/", 1)[-1].lower() if words else ""
        if name in ("cd", "pushd") and len(words) > 1:
            cwd = _place(words[-1], cwd) or cwd
        text = _text(name, words, command, before if command.piped else None)
        for append, path in command.outputs:
            yield _Output(path, text, append), cwd
        for output in _named(name, words, text):
            yield output, cwd
        before = text


def _without_prefix(words: list[str]) -> list[str]:
    at = 0
    while at < len(words) and (_PREFIXES.fullmatch(words[at]) or (at and words[at][:1] == "-")):
        at += 1
    return words[at:]


def _text(name: str, words: list[str], command: Command, before: str | None) -> str | None:
    """What the command prints, when that stands in the line; None when it cannot be told."""
    arguments = words[1:]
    if name == "echo":
        plain = [word for index, word in enumerate(arguments) if index or word not in ("-n", "-e", "-ne", "-en", "-E")]
        text = " ".join(plain)
        return _told(
            unescape(text) if "\\" in text else text, "" if arguments[:1] in (["-n"], ["-ne"], ["-en"]) else "\n"
        )
    if name == "printf" and arguments:
        shape = arguments[arguments[0] == "--" :]
        return _told(unescape(" ".join(shape)).replace("%s", "").replace("%b", ""), "")
    if name in _SAME and (name != "cat" or not [word for word in arguments if word[:1] != "-" or word == "-"]):
        return "".join(command.given) if command.given else before
    if name in ("", ":", "true") and not arguments:
        return ""
    return None


def _told(text: str, end: str) -> str | None:
    return None if "$(" in text or "`" in text else text + end


def _named(name: str, words: list[str], text: str | None) -> Iterator[_Output]:
    """Files that a command writes because it is told to by its arguments."""
    plain = [word for word in words[1:] if word[:1] != "-"]
    flags = [word for word in words[1:] if word[:1] == "-"]
    if name in ("tee", "sponge"):
        yield from (_Output(word, text, "-a" in flags or "--append" in flags) for word in plain)
    elif name in _COPIES and len(plain) > 1:
        yield from (_Output(plain[-1], source=word) for word in plain[:-1])
    elif name in _EDITORS or (name in _IN_PLACE and any(flag == "--in-place" or "i" in flag[1:3] for flag in flags)):
        yield from (_Output(word) for word in plain)
    elif name == "dd":
        yield from (_Output(word[3:]) for word in plain if word.startswith("of="))
    elif name in _FETCHERS:
        for index, word in enumerate(words[:-1]):
            if word in ("-o", "-O", "--output", "--output-document"):
                yield _Output(words[index + 1])
        yield from (
            _Output(word.split("=", 1)[1]) for word in flags if word.startswith(("--output=", "--output-document="))
        )


def _inner(line: str) -> Iterator[str]:
    """Command lines inside the command line: `bash -c '…'`, `eval …`, `$(…)`, backquotes."""
    for command in commands(line):
        words = _without_prefix(command.words)
        name = words[0].rsplit("/", 1)[-1] if words else ""
        if name == "eval":
            yield " ".join(words[1:])
        elif name in _SHELLS:
            yield from (words[index + 1] for index, word in enumerate(words[:-1]) if re.fullmatch(r"-\w*c", word))
            yield from command.given
        for word in command.words:
            yield from (hit[1] or hit[2] for hit in re.finditer(r"\$\(([^()]{1,10000})\)|`([^`]{1,10000})`", word))


def _code(line: str) -> Iterator[str]:
    """Program text inside the command line: `python -c '…'`, a here-document for an interpreter."""
    for command in commands(line):
        words = _without_prefix(command.words)
        if words and _CODE.fullmatch(words[0].rsplit("/", 1)[-1]):
            yield from (
                words[index + 1]
                for index, word in enumerate(words[:-1])
                if re.fullmatch(r"--?(?:\w*[cep]|eval|command)", word, re.I)
            )
            yield from command.given


def _spoken(line: str) -> str:
    """The words of the line without their quotes, so that a phrase cannot hide behind them."""
    return "\n".join(" ".join([*command.words, *command.given]) for command in commands(line))
