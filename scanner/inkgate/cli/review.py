"""`inkgate review`: what waits for a person. Deciding needs a terminal, which a model's tool call does not have."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkgate.cli.commands import add_command
from inkgate.cli.gated import add_home, answer, answer_tier, open_gate, person, show, text_file
from inkgate.cli.terminal import say
from inkgate.model import Target

if TYPE_CHECKING:
    from inkgate.gate.filegate import FileGate
    from inkgate.gate.gate import Gate
    from inkgate.gate.pending import PendingWrite

__all__ = ["add_parser", "run"]

SUBSYSTEMS = ("memory", "vault", "skills")  # as in inkgate.gate.registry, which costs more to import


def add_parser(subparsers: Any) -> None:  # noqa: ANN401 - argparse keeps the type to itself
    """Register the command."""
    parser = add_command(subparsers, "review")
    parser.set_defaults(handler=run)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    words = {
        "list": "what waits, oldest first",
        "show": "the full change of one staged write",
        "approve": "apply a staged write as it is shown (needs a terminal)",
        "reject": "drop a staged write (needs a terminal)",
        "expire": "drop what has waited too long",
        "accept": "accept a text that the rules refuse, from a file (needs a terminal)",
    }
    for name, what in words.items():
        action = actions.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
        if name in ("show", "approve", "reject"):
            action.add_argument("id", metavar="ID", help="eight hexadecimal digits")
        if name == "accept":
            action.add_argument("file", metavar="FILE", type=Path, help="holds exactly the text of the entry")
            action.add_argument(
                "--target", choices=("memory", "user", "vault", "skill"), default="memory", help="(default: memory)"
            )
        else:
            action.add_argument("--tier", choices=SUBSYSTEMS, help="writes of this tier only (default: of every one)")
            action.add_argument("--skills", dest="tier", action="store_const", const="skills", help="as --tier skills")
        add_home(action)


def run(options: argparse.Namespace) -> int:
    """Run one action; 0 done, 1 refused, 2 could not do the work."""
    handlers = {
        "list": _list, "show": _show, "approve": _approve, "reject": _reject, "expire": _expire, "accept": _accept,
    }  # fmt: skip
    return handlers[options.action](open_gate(options), options)


def _subsystem(gate: Gate, options: argparse.Namespace) -> str:
    """The tier whose write is meant: the one that was named, else the one that has it."""
    from inkgate.gate.registry import find

    return str(options.tier or find(gate.pending, options.id))


def _tiers(options: argparse.Namespace) -> tuple[str, ...]:
    return (options.tier,) if options.tier else SUBSYSTEMS


def _list(gate: Gate, options: argparse.Namespace) -> int:
    some = False
    for subsystem in _tiers(options):
        for write in gate.pending.writes(subsystem):
            some = True
            show(_line(write))
        for name, why in gate.pending.damaged(subsystem).items():
            some = True
            show(f"{name}  cannot be applied: {why}")
    if not some:
        show(f"No pending {options.tier} writes." if options.tier else "No pending writes.")
    return 0


def _line(write: PendingWrite) -> str:
    from inkgate.integrations.hermes.approval import age

    times = f", {write.count:,} times" if write.count > 1 else ""
    rules = f", {', '.join(write.rules)}" if write.rules else ""
    who = f"{write.origin.author}, {write.origin.source}"
    return f"{write.id}  {age(write.age):>6}  {write.summary}  ({write.reason}{rules}; {who}{times})"


def _show(gate: Gate, options: argparse.Namespace) -> int:
    from inkgate.gate import review

    subsystem = _subsystem(gate, options)
    write = gate.pending.get(subsystem, options.id)
    show(_line(write))
    show(review.diff(gate, write) if subsystem == "memory" else _tier(gate, write).diff(write))
    return 0


def _tier(gate: Gate, write: PendingWrite) -> FileGate[Any]:
    from inkgate.gate.registry import open_tier

    return open_tier(write.subsystem, gate.store.home, gate.settings, write.payload)


def _approve(gate: Gate, options: argparse.Namespace) -> int:
    from inkgate.gate import review

    subsystem = _subsystem(gate, options)
    tier = None if subsystem == "memory" else _tier(gate, gate.pending.get(subsystem, options.id))
    _show(gate, options)
    reviewer = person("The change above will be made.", options.id)
    if tier is not None:
        return answer_tier(tier.approve(options.id, reviewer))
    return answer(review.approve(gate, options.id, reviewer))


def _reject(gate: Gate, options: argparse.Namespace) -> int:
    from inkgate.gate import review

    subsystem = _subsystem(gate, options)
    reviewer = person(f"The staged write {options.id} will be dropped.", options.id)
    review.reject(gate, options.id, reviewer, subsystem=subsystem)
    show(f"Rejected {options.id}.")
    return 0


def _expire(gate: Gate, options: argparse.Namespace) -> int:
    gone = [name for subsystem in _tiers(options) for name in gate.pending.expire(subsystem)]
    show(f"{len(gone)} expired: {', '.join(gone)}" if gone else "Nothing has expired.")
    return 0


def _accept(gate: Gate, options: argparse.Namespace) -> int:
    from inkgate.gate import review

    text = text_file(options.file).replace("\r\n", "\n").replace("\r", "\n")
    target = Target(options.target)
    for finding in gate.screener.scan(text.strip(), target).findings:
        say(f"{finding.severity} {finding.rule} at line {finding.line}, column {finding.column}: {finding.message}")
    reviewer = person("This text will not be refused again, until the rules change.", "accept")
    review.accept(gate, target, text, reviewer)
    show("Accepted. Submit it again to save it.")
    return 0
