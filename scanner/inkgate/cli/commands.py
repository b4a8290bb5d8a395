"""What each command with a module of its own name does; the module is imported when the command is run."""

from __future__ import annotations

import argparse
import os

from inkgate.lean import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["ABOUT", "Parser", "add_command", "described"]

ABOUT = {
    "redact": "write a clean copy of a file, with a marker where each secret stood",
    "memory": "show and change the gated memory",
    "vault": "show and change the notes of the vault",
    "skill": "list, read and change skills, with every earlier state",
    "recall": "search what was said in earlier sessions",
    "tiers": "move what lasts from sessions to memory, vault and skills, and back",
    "status": "the tiers at a glance: usage, what waits for a person, whether the ledger holds",
    "review": "list, show, approve and reject staged writes",
    "ledger": "prove the record of every decision",
}


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal. argparse would import shutil for that, with every compressor, on each start."""

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, **{"width": _columns() - 2, **options})


def _columns() -> int:
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given) > 0:
        return int(given)
    try:
        return os.get_terminal_size(1).columns or 80
    except OSError:
        return 80


class Parser(argparse.ArgumentParser):
    """A parser whose help, and that of its commands, keeps the lines of its examples."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": _Help, **options})

    def error(self, message: str) -> NoReturn:
        """End with the message, which quotes an argument, and the usage."""
        from inkgate.cli.shown import masked

        super().error(masked(message))


def add_command(subparsers: Any, name: str, examples: str = "") -> argparse.ArgumentParser:
    """Add the parser of a command.

    Args:
        subparsers: argparse's list of commands.
        name: of the command.
        examples: shown below its help, line by line as they are written.
    """
    return described(subparsers, name, ABOUT[name], epilog=examples)


def described(subparsers: Any, name: str, about: str, **more: Any) -> argparse.ArgumentParser:
    """Add the parser of a command that says what it does, in the list of commands and in its own help."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name, help=about, description=f"{about[0].upper()}{about[1:]}.", **more
    )
    return parser
