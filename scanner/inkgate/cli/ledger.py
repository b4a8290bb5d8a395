"""`inkgate ledger`: prove the record of every decision, erase a leaked text from it, begin a new one."""

from __future__ import annotations

import argparse
from typing import Any

from inkgate.cli.commands import add_command
from inkgate.cli.gated import add_home, open_gate, person, show
from inkgate.cli.terminal import say
from inkgate.model import InkgateError
from inkgate.text.counted import counted

__all__ = ["add_parser", "run"]


def add_parser(subparsers: Any) -> None:  # noqa: ANN401 - argparse keeps the type to itself
    """Register the command."""
    parser = add_command(subparsers, "ledger")
    parser.set_defaults(handler=run)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    verify = actions.add_parser("verify", help="find any edit, deletion or reordering")
    verify.add_argument("--expect", metavar="HASH", default="", help="a head that was printed earlier, kept elsewhere")
    show_parser = actions.add_parser("show", help="the records, without their texts")
    purge = actions.add_parser("purge", help="erase a leaked text; asks for it at the terminal")
    purge.add_argument("--reason", required=True, help="why; stays in the ledger, so do not repeat the text")
    restart = actions.add_parser("restart", help="set a broken ledger aside and begin a new one (needs a terminal)")
    restart.add_argument("--reason", required=True, help="why; stays in the ledger")
    for action in (verify, show_parser, purge, restart):
        add_home(action)


def run(options: argparse.Namespace) -> int:
    """Run one action; 0 intact or done, 1 the ledger does not hold, 2 could not do the work."""
    return {"verify": _verify, "show": _show, "purge": _purge, "restart": _restart}[options.action](options)


def _verify(options: argparse.Namespace) -> int:
    ledger = open_gate(options).store.ledger
    report = ledger.verify(expect=options.expect)
    if report.intact and not report.records and not ledger.path.exists():
        raise InkgateError(
            f"There is no ledger at {ledger.path}.",
            hint="Nothing was written through the gate of this home yet, or all of it was taken away.",
        )
    torn = f", then {counted(report.torn, 'byte')} of an interrupted write" if report.torn else ""
    records = f"{counted(report.records, 'record')} ({report.purged:,} purged){torn}; head {report.head}"
    if not report.intact:
        show(f"Up to where it is broken: {records}")
        say(f"BROKEN: {report.problem}")
        return 1
    show(f"The ledger is intact: {records}")
    return 0


def _show(options: argparse.Namespace) -> int:
    for record in open_gate(options).store.ledger.records():
        rules = f"  [{', '.join(record.rules)}]" if record.rules else ""
        facts = ", ".join(f"{name}={value}" for name, value in record.facts.items())
        who = f"{record.origin.author}, {record.origin.source}"
        show(f"{record.seq}  {record.at[:19]}  {record.event} {record.key}  ({who})  {facts}{rules}")
    return 0


def _purge(options: argparse.Namespace) -> int:
    import getpass

    from inkgate.gate import review

    gate = open_gate(options)
    reviewer = person("A text will be erased from the ledger for good.", "purge")
    text = getpass.getpass("The text to erase (not shown): ")
    if options.reason and text.strip() and text.strip() in options.reason:
        raise InkgateError("The reason repeats the text; it would stay in the ledger.")
    done = review.purge(gate, text, reviewer, options.reason)
    for kind in ("records", "copies", "pending"):
        show(f"{kind}: {', '.join(done[kind]) or 'none'}")
    if done["still_in"]:
        say(f"still in {', '.join(done['still_in'])}: remove or replace the entry, then purge again")
        return 1
    return 0


def _restart(options: argparse.Namespace) -> int:
    gate = open_gate(options)
    reviewer = person("The ledger will be set aside, and a new one begins.", "restart")
    from inkgate.store.origin import Origin

    aside = gate.store.ledger.restart(Origin(reviewer.name, reviewer.channel), options.reason)
    show(f"Set aside as {aside.name}." if aside else "There was no ledger any more; a new one has begun.")
    return 0
