"""`inkgate tiers`: the steps by which text moves between sessions, memory, vault and skills."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkgate.cli.commands import add_command
from inkgate.cli.gated import add_home, home_of, person, user
from inkgate.cli.terminal import write
from inkgate.model import InkgateError
from inkgate.text.counted import counted
from inkgate.text.escape import escape

if TYPE_CHECKING:
    from inkgate.tiers import Desk, Done, Proposal, Source, Tiers

__all__ = ["add_parser", "open_tiers", "run"]


EXAMPLES = """\
examples:
  inkgate tiers consolidate SESSION --summary summary.md --dry-run
  inkgate tiers procedure deploy-docs --when "Publishing the docs" --step "make docs" --step "make push" --in S#12-19
  inkgate tiers promote "Conventions/Commits"
  inkgate tiers drift deploy-docs --old "port 80" --new "port 8080" --fact "The proxy moved to 8080." --why "404" --in S
  inkgate tiers pointer --apply
"""

_SPAN = re.compile(r"(?P<session>.+?)(?:#(?P<spans>\d+(?:-\d+)?(?:,\d+(?:-\d+)?)*))?")
_SHOWN = 300  # characters of a proposed text that a list shows


def add_parser(subparsers: Any) -> None:  # noqa: ANN401 - argparse keeps the type to itself
    """Register the command."""
    parser = add_command(subparsers, "tiers", EXAMPLES)
    parser.set_defaults(handler=run)
    actions = parser.add_subparsers(dest="action", metavar="STEP", required=True)
    one = actions.add_parser("consolidate", help="session to durable: keep what a summary carries and what was asked")
    one.add_argument("session", metavar="SESSION", help="id of a session in recall")
    one.add_argument("--summary", metavar="FILE", default="", help="the compaction summary; - for standard input")
    one.add_argument("--dry-run", action="store_true", help="show the proposals, write nothing")
    keep = actions.add_parser("remember", help="session to durable: keep one statement at once")
    keep.add_argument("text", metavar="TEXT", help="the statement, on its own")
    two = actions.add_parser("procedure", help="session to skill: count a success; the second one writes the skill")
    two.add_argument("name", metavar="NAME", help="what the procedure is called")
    two.add_argument("--when", metavar="TEXT", required=True, help="when it is used")
    two.add_argument("--step", metavar="TEXT", action="append", required=True, help="what was done (repeatable)")
    three = actions.add_parser("promote", help="durable to skill: list what could become one, or make one of it")
    three.add_argument("name", metavar="NAME", nargs="?", default="", help="a note, or the first words of an entry")
    three.add_argument("--skill", metavar="NAME", default="", help="name of the skill (default: the note's)")
    three.add_argument("--when", metavar="TEXT", default="", help="when it is used (default: the first sentence)")
    refer = actions.add_parser("refer", help="count that a session referred to a note, or that its convention blocked")
    refer.add_argument("name", metavar="NOTE", help="the note")
    refer.add_argument("--blocked", action="store_true", help="its convention was broken and stopped the work")
    four = actions.add_parser("drift", help="skill to durable: record a changed fact in the vault, patch the skill")
    four.add_argument("name", metavar="SKILL", help="the skill")
    for option, what in (
        ("--old", "what stands in the skill"), ("--new", "what takes its place"),
        ("--fact", "what has changed"), ("--why", "how it was noticed"),
    ):  # fmt: skip
        four.add_argument(option, metavar="TEXT", required=True, help=what)
    four.add_argument("--file", metavar="PATH", default="", help="file of the skill (default: SKILL.md)")
    five = actions.add_parser("pointer", help="memory to note: list entries that have grown, or make notes of them")
    five.add_argument("--apply", action="store_true", help="write the notes, and put pointers in the entries' places")
    for action in (keep, two, refer, four):
        action.add_argument(
            "--in", metavar="SESSION[#N-M]", dest="where", required=True, help="the session and its messages"
        )
    for action in (one, keep, two, three, refer, four, five):
        action.add_argument("-f", "--format", choices=("text", "json"), default="text", help="(default: text)")
        action.add_argument("--vault", metavar="DIR", type=Path, help="the vault (default: settings, else HOME/vault)")
        action.add_argument("--author", metavar="NAME", default="", help="who takes the step (default: you)")
        action.add_argument("--watched", action="store_true", help="replace at once; asks for it at the terminal")
        add_home(action)


def open_tiers(options: argparse.Namespace) -> Tiers:
    """The tiers of the home that the options name."""
    from inkgate.gate.settings import Settings
    from inkgate.tiers import Tiers

    settings = Settings.read(options.settings) if options.settings else Settings()
    return Tiers.of(home_of(options), settings, vault=options.vault)


def run(options: argparse.Namespace) -> int:
    """Take one step; 0 all is saved, 1 something was refused, blocked or staged, 2 could not do the work."""
    if options.watched:
        person("Entries and notes may be replaced without a further question.", "replace")
    tiers = open_tiers(options)
    steps = {
        "consolidate": _consolidate, "remember": _remember, "procedure": _procedure, "promote": _promote,
        "refer": _refer, "drift": _drift, "pointer": _pointer,
    }  # fmt: skip
    try:
        return steps[options.action](options, tiers.desk(author=options.author or user(), attended=options.watched))
    finally:
        tiers.recall.close()


def _where(text: str) -> Source:
    from inkgate.tiers import Source

    found = _SPAN.fullmatch(text)
    if found is None:
        raise InkgateError("Give the session as ID, or as ID#3-9,12 with the numbers of its messages.")
    spans = []
    for run_ in filter(None, (found["spans"] or "").split(",")):
        first, _, last = run_.partition("-")
        spans.append((int(first), int(last or first)))
        if not 1 <= spans[-1][0] <= spans[-1][1]:
            raise InkgateError(f"{run_} is no run of messages; their numbers begin with 1.")
    return Source("session", found["session"], tuple(spans))


def _known(source: Source, desk: Desk) -> Source:
    """A session and messages that recall has: a slip of the pen would be the source of a fact for ever.

    Raises:
        TierError: it has no such session, or not so many messages of it.
    """
    from inkgate.tiers import TierError

    about = desk.recall.session(source.name)
    if about is None:
        hint = "`inkgate recall sessions` shows those that there are, `inkgate recall add` puts one in."
        raise TierError("Recall has no such session. Nothing was changed.", hint=hint)
    last = max((last for _, last in source.spans), default=0)
    if last > about.messages:
        message = f"The session has {about.messages:,} messages; there is no message {last:,}. Nothing was changed."
        raise TierError(message, hint="`inkgate recall show` shows them with their numbers.")
    return source


def _consolidate(options: argparse.Namespace, desk: Desk) -> int:
    from inkgate.tiers.consolidate import consolidate, plan

    summary = _read(options.summary) if options.summary else ""
    if options.dry_run:
        made = plan(desk, options.session, summary)
        _show(options, desk, made.proposals, made.refused, f"{counted(made.known, 'statement')} known already")
        return 0
    made, done = consolidate(desk, options.session, summary)
    return _tell(options, done, f"{counted(made.known, 'statement')} known already")


def _remember(options: argparse.Namespace, desk: Desk) -> int:
    from inkgate.tiers import remember

    made, done = remember(desk, options.text, _known(_where(options.where), desk))
    return _tell(options, done, "it was there already" if made.known else "")


def _procedure(options: argparse.Namespace, desk: Desk) -> int:
    from inkgate.tiers import succeeded

    found = succeeded(desk, options.name, options.when, options.step, _where(options.where))
    told = f"{counted(len(found.count.seen), 'success', 'successes')} of {found.count.skill}"
    return _tell(options, [found.done] if found.done else [], told)


def _refer(options: argparse.Namespace, desk: Desk) -> int:
    from inkgate.tiers.promote import blocked, referred

    count, now = (blocked if options.blocked else referred)(desk, options.name, _where(options.where))
    more = "; it can be promoted now" if now else ""
    return _tell(options, [], f"counted {counted(len(count.seen), 'time')}{more}")


def _promote(options: argparse.Namespace, desk: Desk) -> int:
    from inkgate.tiers import candidates, promote
    from inkgate.tiers.promote import find

    found = candidates(desk)
    if options.name:
        done = promote(desk, find(found, options.name), name=options.skill, when=options.when)
        return _tell(options, done, "")
    if options.format == "json":
        _json([{"source": item.source.told, "text": _masked(desk, item.text), "why": item.why} for item in found])
    else:
        for item in found:
            _say(f"{item.source.told}: {item.why} {_masked(desk, item.text)[:_SHOWN]}")
        _say(f"{len(found)} could become skills")
    return 0


def _drift(options: argparse.Namespace, desk: Desk) -> int:
    from inkgate.tiers import drifted

    done = drifted(
        desk, options.name, options.old, options.new, options.fact, options.why, _where(options.where),
        path=options.file,
    )  # fmt: skip
    return _tell(options, done, "")


def _pointer(options: argparse.Namespace, desk: Desk) -> int:
    from inkgate.tiers import grown, point

    found = grown(desk)
    if options.apply:
        return _tell(
            options,
            [done for item in found for done in point(desk, item)],
            f"{counted(len(found), 'entry', 'entries')} had grown",
        )
    _show(
        options,
        desk,
        [item for one in found for item in (one.note, one.pointer)],
        (),
        f"{counted(len(found), 'overgrown entry', 'overgrown entries')}",
    )
    return 0


# --- output ----------------------------------------------------------------------------------------------------------


def _tell(options: argparse.Namespace, done: Sequence[Done], told: str) -> int:
    """What became of each proposal, and the exit code. The text of what was not kept is never repeated."""
    if options.format == "json":
        _json({"done": [_done(item) for item in done], "note": told})
    else:
        for item in done:
            about = f" ({item.code})" if item.code else ""
            rest = " ".join(filter(None, (item.message, item.hint)))
            place = item.proposal.name or item.proposal.target
            _say(f"{item.outcome}{about}: {item.proposal.kind} {place}, from {item.proposal.source.told}. {rest}")
        if told:
            _say(told)
    if any(item.outcome == "failed" for item in done):
        return 2
    return 0 if all(item.outcome in ("saved", "unchanged") for item in done) else 1


def _done(item: Done) -> dict[str, Any]:
    proposal = item.proposal
    return {
        "step": proposal.step, "kind": proposal.kind, "name": proposal.name, "source": proposal.source.told,
        "outcome": item.outcome, "code": item.code, "message": item.message, "hint": item.hint,
        "pending": item.pending_id,
    }  # fmt: skip


def _show(
    options: argparse.Namespace, desk: Desk, proposals: Sequence[Proposal], refused: Sequence[Done], told: str
) -> None:
    """What would be written. Nothing was scanned for orders yet, but secrets are masked."""
    if options.format == "json":
        rows = [
            {
                "step": item.step, "kind": item.kind, "name": item.name, "target": item.target, "fits": item.fits,
                "source": item.source.told, "reason": item.reason, "text": _masked(desk, item.text),
            }
            for item in proposals
        ]  # fmt: skip
        _json({"proposals": rows, "refused": [_done(item) for item in refused], "note": told})
        return
    for item in proposals:
        place = item.name or item.target
        waits = "" if item.fits else " (does not fit, would wait for a person)"
        _say(f"{item.kind} {place}, from {item.source.told}{waits}: {_masked(desk, item.text)[:_SHOWN]}")
    for one in refused:
        _say(f"stays ({one.code}), from {one.proposal.source.told}. {one.message}")
    _say(told)


def _masked(desk: Desk, text: str) -> str:
    from inkgate.model import Target

    return desk.memory.screener.masked(text, Target.MEMORY).strip()


def _read(name: str) -> str:
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        return data.decode("utf-8-sig")
    except OSError as error:
        raise InkgateError(f"{name}: cannot be read: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InkgateError(f"{name}: not text: byte {error.start} is not UTF-8") from error


def _json(value: object) -> None:
    import json

    write(json.dumps(value, indent=2) + "\n")


def _say(text: str) -> None:
    write(f"{escape(text.rstrip(), 4_000)}\n")
