"""`inkgate memory`: read and change the gated memory, and bring earlier versions back."""

from __future__ import annotations

import argparse
import sys

from inkgate.cli.commands import add_command
from inkgate.cli.gated import add_home, answer, open_gate, person, show, user
from inkgate.cli.terminal import say
from inkgate.lean import Any
from inkgate.model import InkgateError, Target
from inkgate.text.counted import counted

__all__ = ["add_parser", "run"]


EXAMPLES = """\
examples:
  inkgate memory list
  inkgate memory add --target user "Prefers short answers"
  inkgate memory history
"""


def add_parser(subparsers: Any) -> None:
    """Register the command."""
    parser = add_command(subparsers, "memory", EXAMPLES)
    parser.set_defaults(handler=run)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    words: dict[str, tuple[str, tuple[str, ...]]] = {
        "list": ("the entries, with author, date and source", ()),
        "snapshot": ("what reaches the prompt", ()),
        "add": ("add an entry; - reads it from standard input", ("text",)),
        "replace": ("replace the entry that OLD_TEXT names", ("old_text", "text")),
        "remove": ("remove the entry that OLD_TEXT names", ("old_text",)),
        "history": ("every version of every entry, oldest first", ()),
        "restore": ("bring back a version of the history (needs a terminal)", ("version",)),
    }
    for name, (what, arguments) in words.items():
        action = actions.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
        for argument in arguments:
            action.add_argument(argument, metavar=argument.upper())
        action.add_argument("--target", choices=("memory", "user"), default="memory", help="(default: memory)")
        add_home(action)


def run(options: argparse.Namespace) -> int:
    """Run one action; 0 done, 1 refused or staged, 2 could not do the work."""
    handlers = {"list": _list, "snapshot": _snapshot, "history": _history, "restore": _restore}
    return handlers.get(options.action, _change)(options, Target(options.target))


def _list(options: argparse.Namespace, target: Target) -> int:
    from inkgate.store.provenance import current

    gate = open_gate(options)
    stored = gate.store.read(target)
    known = current(gate.store.ledger.records(), target)
    poisoned = gate.screener.poisoned(stored.entries, target)
    for entry in stored.entries:
        version = known.get(entry)
        origin = f"{version.origin.author}, {version.at[:19]}, {version.origin.source}" if version else "not recorded"
        masked = f"  [left out of the prompt: {', '.join(poisoned[entry])}]" if entry in poisoned else ""
        show(f"- ({origin}){masked}")
        show(entry, "  ")
    count = counted(len(stored.entries), "entry", "entries")
    show(f"{count}, {stored.size:,}/{gate.settings.of(target).cap:,} characters")
    return 0


def _snapshot(options: argparse.Namespace, target: Target) -> int:
    snapshot = open_gate(options).snapshot(target)
    show(snapshot.text)
    for warning in snapshot.warnings:
        say(f"warning: {warning}")
    return 0


def _change(options: argparse.Namespace, target: Target) -> int:
    from inkgate.gate.request import Request
    from inkgate.store.origin import Origin
    from inkgate.store.plan import Action, Operation

    gate = open_gate(options)
    text = getattr(options, "text", "")
    operation = Operation(Action(options.action), sys.stdin.read() if text == "-" else text, _old_text(options))
    origin = Origin(user(), "command line")
    return answer(gate.submit(Request(target, (operation,), origin=origin, seen=frozenset(_seen(options, target)))))


def _old_text(options: argparse.Namespace) -> str:
    return str(getattr(options, "old_text", ""))


def _seen(options: argparse.Namespace, target: Target) -> tuple[str, ...]:
    """Whoever types has the file before them; an unreadable one is reported by the change itself."""
    try:
        return open_gate(options).store.read(target).entries
    except InkgateError:
        return ()


def _history(options: argparse.Namespace, target: Target) -> int:
    from inkgate.store.provenance import history

    gate = open_gate(options)
    versions = history(gate.store.ledger.records(), target)
    if not versions:
        say(f"Nothing was ever written to {target} through the gate.")
    for version in versions:
        state = "stands" if version.superseded_by is None else f"superseded by record {version.superseded_by}"
        show(f"{version.id}  {version.at[:19]}  {version.origin.author}, {version.origin.source}: {state}")
        show("(purged)" if version.text is None else version.text, "    ")
    return 0


def _restore(options: argparse.Namespace, target: Target) -> int:
    from inkgate.gate import review

    gate = open_gate(options)
    reviewer = person(f"Version {options.version} of {target} will be brought back.", "restore")
    return answer(review.restore(gate, target, options.version, reviewer))
