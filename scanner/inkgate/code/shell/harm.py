"""Commands that destroy what is not theirs, and commands that erase traces."""

from __future__ import annotations

import re
from collections.abc import Sequence

from inkgate.code.sensitive import credential_path
from inkgate.code.shell.commands import Command

__all__ = ["destroys", "erases_traces"]

_ROOTS = re.compile(
    r"^(?:/|/\*|~/?\*?|~/\.\*|/(?:home|Users|etc|usr|var|boot|lib|bin)/?\*?|\.\./\.\./\.\./?\*?|[A-Z]:\\?\*?)$"
)
_DISK = re.compile(r"^(?:of=)?/dev/(?:sd[a-z]|nvme\d|hd[a-z]|vd[a-z]|disk\d|mmcblk\d)")
_LOGS = re.compile(
    r"(?:\.(?:bash|zsh|python|mysql|psql|node_repl|sqlite)_history|\.history|\.local/share/fish/fish_history|/var/log(?:/|$))"
)
_EMPTY = frozenset({"", ":", "echo", "cat", "true"})


def destroys(command: Command, texts: Sequence[str], script: str) -> bool:
    """Whether a command deletes the home, the system or a disk, or stops the machine.

    Args:
        command: the command.
        texts: its arguments, variables expanded.
        script: the whole script.
    """
    program = command.program
    flags = "".join(text.lstrip("-") for text in texts if text.startswith("-")).lower()
    paths = [text for text in texts if not text.startswith("-")]
    deep = "r" in flags or "recursive" in flags
    if program in ("rm", "rmdir", "srm", "shred"):
        return deep and any(_ROOTS.match(path) or credential_path(path) for path in paths)
    if program == "chmod":
        return deep and "777" in paths and any(_ROOTS.match(path) for path in paths)
    if program == "dd":
        return any(_DISK.match(text) for text in texts if text.startswith("of="))
    if program == "find":
        return "-delete" in texts and paths[:1] in (["/"], ["~"])
    if program == ":":
        behind = script[command.end : command.end + 4].replace(" ", "")
        return command.end - command.start < 3 and behind.startswith("|:")
    return program.startswith("mkfs") or any(_DISK.match(word.text) for _, word in command.outputs)


def erases_traces(command: Command, texts: Sequence[str]) -> bool:
    """Whether a command clears logs or the shell's history."""
    program, joined = command.program, " ".join(texts)
    if program == "history":
        return any(re.fullmatch(r"-\w*c\w*", text) for text in texts)
    if program in ("rm", "shred", "truncate", "srm"):
        return _LOGS.search(joined) is not None
    if program in _EMPTY:
        return any(_LOGS.search(word.text) and operator in (">", ">|") for operator, word in command.outputs)
    return (
        (program == "unset" and "HISTFILE" in texts)
        or (program == "journalctl" and "--vacuum" in joined)
        or (program == "wevtutil" and texts[:1] == ["cl"])
    )
