"""What each command with a module of its own name does; the module is imported when the command is run."""

from __future__ import annotations

import argparse
from typing import Any

__all__ = ["ABOUT", "add_command"]

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


def add_command(subparsers: Any, name: str, examples: str = "") -> argparse.ArgumentParser:  # noqa: ANN401 - argparse
    """Add the parser of a command.

    Args:
        subparsers: argparse's list of commands.
        name: of the command.
        examples: shown below its help, line by line as they are written.
    """
    about = ABOUT[name]
    more = {"epilog": examples, "formatter_class": argparse.RawDescriptionHelpFormatter} if examples else {}
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name, help=about, description=f"{about[0].upper()}{about[1:]}.", **more
    )
    return parser
