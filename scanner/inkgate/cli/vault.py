"""`inkgate vault`: read and change the notes of the vault, and decide about what contradicts them."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkgate.cli.commands import add_command
from inkgate.cli.gated import add_home, answer_tier, open_gate, person, show, text_file, user
from inkgate.cli.terminal import say
from inkgate.model import InkgateError
from inkgate.text.counted import counted

if TYPE_CHECKING:
    from inkgate.gate.vault import VaultGate
    from inkgate.store.vault import Note

__all__ = ["add_parser", "run"]


EXAMPLES = """\
examples:
  inkgate vault create "Projects/Harbor" "# Harbor" --source https://example.org/harbor
  cat draft.md | inkgate vault section "Projects/Harbor" "Open questions" -
  inkgate vault supersede "Projects/Harbor" "Projects/Harbor 2" --text "# Harbor, after the move"
"""

_WORDS: dict[str, tuple[str, tuple[str, ...]]] = {
    "list": ("the notes, with author, date and source", ()),
    "show": ("a note, with the digest that a later write can name", ("name",)),
    "history": ("every text of a note that the ledger knows, oldest first", ("name",)),
    "create": ("write a new note; - reads the text from standard input", ("name", "text")),
    "append": ("add to the end of a note", ("name", "text")),
    "replace": ("put another text in the place of a note's", ("name", "text")),
    "section": ("put another text under one heading", ("name", "heading", "text")),
    "rename": ("give a note another name", ("name", "to")),
    "supersede": ("let another note take its place; with --text, write that note", ("name", "to")),
    "conflicts": ("what waits in quarantine", ()),
    "resolve": ("decide about a text in quarantine (needs a terminal)", ("name",)),
    "verify": ("look for notes without provenance, broken pointers and unreadable files", ()),
}


def add_parser(subparsers: Any) -> None:  # noqa: ANN401 - argparse keeps the type to itself
    """Register the command."""
    parser = add_command(subparsers, "vault", EXAMPLES)
    parser.set_defaults(handler=run)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    for name, (what, arguments) in _WORDS.items():
        action = actions.add_parser(name, help=what, description=f"{what[0].upper()}{what[1:]}.")
        for argument in arguments:
            action.add_argument(argument, metavar=argument.upper())
        _options(name, action)
        action.add_argument("--root", metavar="DIR", type=Path, help="the vault (default: settings, else HOME/vault)")
        add_home(action)


def _options(name: str, action: argparse.ArgumentParser) -> None:
    if name in ("create", "append", "replace", "section", "rename", "supersede"):
        action.add_argument("--author", help="who wrote the text (default: you)")
        action.add_argument("--source", default="command line", help="what it is taken from (default: command line)")
        action.add_argument("--reason", default="", help="why, for the ledger")
        action.add_argument(
            "--seen", metavar="DIGEST", help="digest of the note that you have read (default: as it is)"
        )
    if name == "rename":
        action.add_argument("--links", action="store_true", help="change the links to the old name in the other notes")
    if name == "supersede":
        action.add_argument("--text", default="", help="text of the successor, when it is not there yet")
    if name == "show":
        action.add_argument("--version", metavar="RECORD", type=int, help="the text that this record brought")
        action.add_argument("--raw", action="store_true", help="nothing but the text, byte for byte")
    if name == "resolve":
        choices = ("original", "quarantined", "both", "text")
        action.add_argument("--keep", choices=choices, required=True, help="which text stands")
        action.add_argument("--to", default="", help="for both: name of the note that the other text becomes")
        action.add_argument("--text", type=Path, metavar="FILE", help="for text: file with the whole new text")


def run(options: argparse.Namespace) -> int:
    """Run one action; 0 done, 1 refused, staged or problems found, 2 could not do the work."""
    from inkgate.gate.vault import VaultGate

    memory = open_gate(options)
    gate = VaultGate(memory.store.home, options.root and options.root.expanduser().absolute(), settings=memory.settings)
    handlers = {
        "list": _list, "show": _show, "history": _history, "conflicts": _conflicts, "resolve": _resolve,
        "verify": _verify,
    }  # fmt: skip
    return handlers.get(options.action, _change)(gate, options)


def _list(gate: VaultGate, options: argparse.Namespace) -> int:
    del options
    problems: dict[str, str] = {}
    lines = []
    for note in gate.vault.notes(problems):
        known = note.provenance
        origin = ", ".join(filter(None, (known.author, known.date, known.source))) or "not recorded"
        after = f"  superseded by {note.superseded_by}" if note.superseded_by else ""
        lines.append(f"{note.name}  ({origin}){after}")
    if lines:
        show(_masked(gate, lines))
    show(counted(len(lines), "note"))
    return _told(gate, problems)


def _masked(gate: VaultGate, lines: list[str]) -> str:
    """Lines with the names of files in them, into which anybody may have put a secret; scanned all at once."""
    return gate.screener.masked("\n".join(lines), gate.target)


def _told(gate: VaultGate, problems: dict[str, str]) -> int:
    for line in _masked(gate, [f"{name}: {why}" for name, why in problems.items()]).splitlines():
        say(line)
    return 2 if problems else 0


def _show(gate: VaultGate, options: argparse.Namespace) -> int:
    if options.version is not None:
        versions = gate.vault.history(_full(options.name))
        version = next((item for item in versions if item.seq == options.version), None)
        if version is None or version.text is None:
            raise InkgateError("There is no such version.", hint="See `inkgate vault history`.")
        return _print(version.text, options)
    note = gate.vault.read(options.name)
    code = _print(note.text, options)
    if not options.raw:
        say(f"digest {note.digest}")
    return code


def _print(text: str, options: argparse.Namespace) -> int:
    if options.raw:
        sys.stdout.flush()
        sys.stdout.buffer.write(text.encode("utf-8"))
    else:
        show(text)
    return 0


def _full(name: str) -> str:
    from inkgate.store.vault import note_name

    return note_name(name)


def _history(gate: VaultGate, options: argparse.Namespace) -> int:
    versions = gate.vault.history(_full(options.name))
    for item in versions:
        size = "purged" if item.text is None else f"{len(item.text):,} characters"
        what = item.action or item.event
        show(f"{item.seq}  {item.at[:19]}  {what}  {item.name}  ({item.origin.author}, {item.origin.source})  {size}")
    if not versions:
        show("The ledger knows no text of this note.")
    return 0


def _change(gate: VaultGate, options: argparse.Namespace) -> int:
    from inkgate.gate.vaultrequest import VaultRequest
    from inkgate.store.origin import Origin

    text = getattr(options, "text", "")
    request = VaultRequest(
        options.action,
        options.name,
        _standard_input() if text == "-" else text,
        getattr(options, "heading", ""),
        getattr(options, "to", ""),
        options.reason,
        Origin(options.author or user(), options.source),
        _seen(gate, options),
        getattr(options, "links", False),
    )
    decision = gate.submit(request)
    for name in decision.details.get("links_updated", ()):
        show(f"Links changed in {name}.")
    for name in decision.details.get("links_left", ()):
        say(f"{name} still links to the old name")
    return answer_tier(decision)


def _standard_input() -> str:
    try:
        return sys.stdin.buffer.read().decode("utf-8")
    except UnicodeDecodeError as error:
        raise InkgateError(f"Standard input is not UTF-8: byte {error.start}. Nothing was saved.") from error


def _seen(gate: VaultGate, options: argparse.Namespace) -> str | None:
    """Whoever types has the note before them, unless they say what they have read; what is not there was not read."""
    if options.seen is not None or options.action == "create":
        return None if options.seen is None else str(options.seen)
    try:
        return gate.vault.read(options.name).digest
    except InkgateError:
        return None


def _conflicts(gate: VaultGate, options: argparse.Namespace) -> int:
    del options
    problems: dict[str, str] = {}
    found = gate.vault.conflicts(problems)
    for note in found:
        show(f"{note.name}  contradicts {note.conflict_with}")
        show(f"({_origin(note, '')}; the original is from {_origin(note, 'original_')})", "    ")
        show(note.body, "    ")
    if not found:
        show("No conflicts.")
    return _told(gate, problems)


def _origin(note: Note, prefix: str) -> str:
    names = ("author", "date", "source")
    return ", ".join(filter(None, (note.properties.get(prefix + name) for name in names)))


def _resolve(gate: VaultGate, options: argparse.Namespace) -> int:
    from inkgate.gate.vaultrequest import RESOLVE, VaultRequest
    from inkgate.store.errors import RefusalError
    from inkgate.store.origin import Origin

    try:
        note = gate.vault.read(options.name)
    except RefusalError as error:
        raise InkgateError(str(error), hint="`inkgate vault conflicts` shows the names of what waits.") from error
    show(f"{note.name}  contradicts {note.conflict_with}")
    show(note.body, "    ")
    text = ""
    if options.keep == "text":
        if options.text is None:
            raise InkgateError("--keep text needs --text FILE.")
        text = text_file(options.text)
    reviewer = person(f"Of the two texts, this will stand: {options.keep}.", options.keep)
    origin = Origin(reviewer.name, reviewer.channel)
    request = VaultRequest(RESOLVE, note.name, text, to=options.to, origin=origin, keep=options.keep)
    return answer_tier(gate.replay(request, reviewer))


def _verify(gate: VaultGate, options: argparse.Namespace) -> int:
    del options
    from inkgate.store.vault.verify import verify

    problems = verify(gate.vault)
    if problems:
        show(_masked(gate, [f"{problem.name}: {problem.what}" for problem in problems]))
    show(
        counted(len(problems), "problem") if problems else "Every note can be read, and every pointer leads to a note."
    )
    return 1 if problems else 0
