"""`inkgate status`: the tiers of a home at a glance."""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkgate.cli.commands import add_command
from inkgate.cli.gated import add_home
from inkgate.cli.terminal import say, write
from inkgate.text.counted import counted
from inkgate.text.escape import escape

if TYPE_CHECKING:
    from inkgate.tiers.status import Status

__all__ = ["add_parser", "run"]


def add_parser(subparsers: Any) -> None:  # noqa: ANN401 - argparse keeps the type to itself
    """Register the command."""
    parser = add_command(subparsers, "status")
    parser.set_defaults(handler=run)
    parser.add_argument("-f", "--format", choices=("text", "json"), default="text", help="(default: text)")
    parser.add_argument("--vault", metavar="DIR", type=Path, help="the vault (default: settings, else HOME/vault)")
    add_home(parser)


def run(options: argparse.Namespace) -> int:
    """Print the status; 0 all is in order, 1 something could not be read or does not hold."""
    from inkgate.cli.tiers import open_tiers

    tiers = open_tiers(options)
    try:
        status = tiers.status()
    finally:
        tiers.recall.close()
    if options.format == "json":
        import json

        write(json.dumps({**asdict(status), "conflicts": status.conflicts}, indent=2) + "\n")
    else:
        write("".join(f"{escape(line, 2_000)}\n" for line in _lines(status)))
        for problem in status.problems:
            say(problem)
    return 1 if status.problems else 0


def _lines(status: Status) -> list[str]:
    lines = []
    for target, values in (status.memory or {}).items():
        cap = values["cap"]
        share = f" ({values['characters'] * 100 // cap} %)" if cap else ""
        entries = counted(values["entries"], "entry", "entries")
        lines.append(
            f"{target:<9} {entries}, {values['characters']:,}/{cap:,} characters{share},"
            f" {values['superseded']} superseded"
        )
    lines += [f"{name:<9} {_told(values)}" for name, values in _parts(status) if values is not None]
    ledger = status.ledger
    if ledger is not None:
        holds = "intact" if ledger["intact"] else "BROKEN"
        last = f", last write {ledger['last_write'][:19]}" if ledger["last_write"] else ""
        lines.append(f"ledger    {holds}, {counted(ledger['records'], 'record')}, checked {ledger['checked']}{last}")
        lines.append(f"          head {ledger['head']}")
    return lines


def _parts(status: Status) -> list[tuple[str, dict[str, int] | None]]:
    damaged = {name: count for name, count in (status.damaged or {}).items() if count}
    return [
        ("vault", status.vault), ("skills", status.skills), ("recall", status.recall), ("pending", status.pending),
        ("damaged", damaged or None), ("proposals", status.proposals),
    ]  # fmt: skip


_ONE = {
    "notes": "note", "conflicts": "conflict", "skills": "skill", "problems": "problem", "sessions": "session",
    "messages": "message", "pointers": "pointer", "procedures": "procedure",
}  # fmt: skip
"""What one of them is called; other words are the same."""


def _told(values: dict[str, int]) -> str:
    return ", ".join(counted(count, _ONE.get(name, name), name) for name, count in values.items())
