"""`inkgate recall`: put sessions in, search them, check and mend the database."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from inkgate.cli.commands import add_command
from inkgate.cli.gated import add_home, open_gate
from inkgate.cli.terminal import say, write
from inkgate.model import InkgateError
from inkgate.text.counted import counted
from inkgate.text.escape import escape

if TYPE_CHECKING:
    from inkgate.store.recall import Found, RecallStore, Shown

__all__ = ["add_parser", "open_recall", "run"]


EXAMPLES = """\
examples:
  inkgate recall add sessions.jsonl
  inkgate recall search 'the port of the build server'
  inkgate recall search '"release notes"' --since 2026-11-01 --format json
"""


_LONGEST = "most characters of one message (default: 4000)"


def add_parser(subparsers: Any) -> None:  # noqa: ANN401 - argparse keeps the type to itself
    """Register the command."""
    parser = add_command(subparsers, "recall", EXAMPLES)
    parser.set_defaults(handler=run)
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add = actions.add_parser("add", help="put messages in, from JSON Lines")
    add.add_argument("file", metavar="FILE", help="one JSON object a line; - for standard input")
    add.add_argument("--session", metavar="ID", default="", help="for lines that name none")
    search = actions.add_parser("search", help="find messages; what is printed is masked and fenced")
    search.add_argument("query", metavar="QUERY", help="words; double quotes make a phrase")
    search.add_argument("--limit", metavar="N", type=int, default=5, help="most hits, 1 to 50 (default: 5)")
    search.add_argument("--window", metavar="N", type=int, default=1, help="neighbours, 0 to 20 (default: 1)")
    search.add_argument("--session", metavar="ID", default="", help="only this session")
    search.add_argument("--exclude", metavar="ID", default="", help="not this session")
    search.add_argument("--role", metavar="ROLE", default="", help="only what this role said")
    search.add_argument("--since", metavar="TIME", type=_time, help="only from then on, as 2026-11-30")
    search.add_argument("--until", metavar="TIME", type=_time, help="only before then")
    search.add_argument("--sort", choices=("rank", "newest", "oldest"), default="rank", help="(default: rank)")
    search.add_argument("--longest", metavar="N", type=int, default=4_000, help=_LONGEST)
    show = actions.add_parser("show", help="messages of one session in a row, masked and fenced")
    show.add_argument("session", metavar="SESSION", help="id of the session")
    show.add_argument("--from", metavar="N", dest="first", type=int, default=1, help="first message (default: 1)")
    show.add_argument("--count", metavar="N", type=int, default=20, help="how many, at most 200 (default: 20)")
    show.add_argument("--longest", metavar="N", type=int, default=4_000, help=_LONGEST)
    sessions = actions.add_parser("sessions", help="the sessions, newest first")
    sessions.add_argument("--limit", metavar="N", type=int, default=50, help="(default: 50)")
    rebuild = actions.add_parser("rebuild", help="make the indexes anew from the texts")
    rebuild.add_argument("--mask", action="store_true", help="mask what the rules of today take for a secret first")
    verify = actions.add_parser("verify", help="check the database; mends nothing")
    for action in (search, show, sessions, verify):
        action.add_argument("-f", "--format", choices=("text", "json"), default="text", help="(default: text)")
    for action in (add, search, show, sessions, rebuild, verify):
        add_home(action)


def _time(word: str) -> float:
    from inkgate.store.recall.jsonl import moment

    try:
        return moment(word)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"{word!r} is not a time; write 2026-11-30 or 2026-11-30T17:00:00+01:00"
        ) from None


def run(options: argparse.Namespace) -> int:
    """Run one action; 0 done, 1 nothing found or not in order, 2 could not do the work."""
    handlers = {
        "add": _add, "search": _search, "show": _show, "sessions": _sessions, "rebuild": _rebuild, "verify": _verify,
    }  # fmt: skip
    with open_recall(options) as store:
        return handlers[options.action](options, store)


def open_recall(options: argparse.Namespace) -> RecallStore:
    """The sessions of the home that the options name."""
    from inkgate.store.recall import RecallStore

    gate = open_gate(options)
    return RecallStore(gate.store.home / "inkgate" / "recall.db", scan=gate.screener.scan)


def _add(options: argparse.Namespace, store: RecallStore) -> int:
    from inkgate.store.recall.jsonl import read

    try:
        data = sys.stdin.buffer.read() if options.file == "-" else Path(options.file).read_bytes()
    except OSError as error:
        raise InkgateError(f"{options.file}: cannot be read: {error.strerror or error}") from error
    messages, others = read(data.split(b"\n"), session=options.session)
    done = store.add(messages)
    added, masked = counted(done.added, "message"), counted(done.secrets, "secret")
    _say(f"{added} added, {done.known:,} known already, {masked} masked")
    if others:
        say(f"not taken over: {', '.join(others)}")
    return 0


def _search(options: argparse.Namespace, store: RecallStore) -> int:
    from inkgate.store.recall import fence
    from inkgate.store.recall.search import Filters

    if not (1 <= options.limit <= 50 and 0 <= options.window <= 20 and options.longest >= 1):
        raise InkgateError("--limit must be 1 to 50, --window 0 to 20, --longest 1 or more")
    filters = Filters(options.session, options.exclude, options.role, options.since, options.until, options.sort)
    found = store.search(options.query, limit=options.limit, window=options.window, filters=filters)
    if options.format == "json":
        _json(_found(found, options.longest))
    else:
        _say(*fence(found, longest=options.longest).split("\n"))
    return 0 if found.hits else 1


def _show(options: argparse.Namespace, store: RecallStore) -> int:
    from inkgate.store.recall import fence_messages
    from inkgate.store.recall.fence import NOTICE

    if not (options.first >= 1 and 1 <= options.count <= 200 and options.longest >= 1):
        raise InkgateError("--from and --longest must be 1 or more, --count 1 to 200")
    about = store.session(options.session)
    if about is None:
        raise InkgateError("There is no such session.", hint="`inkgate recall sessions` lists them.")
    messages = store.show(options.session, options.first, options.first + options.count - 1)
    left = about.messages - (options.first + options.count - 1)
    name = store.name(options.session)
    if options.format == "json":
        rows = [_message(item, item.text) for item in messages]
        _json({"notice": NOTICE, "session": name, "messages": rows, "left": max(left, 0)})
    else:
        _say(*fence_messages(name, messages, longest=options.longest).split("\n"))
        if left > 0:
            say(f"{left:,} more: --from {options.first + options.count}")
    return 0 if messages else 1


def _found(found: Found, longest: int) -> dict[str, Any]:
    from inkgate.store.recall.fence import NOTICE, excerpt
    from inkgate.store.recall.query import parse

    terms = [term.text.lower() for term in parse(found.query)]

    return {
        "notice": NOTICE,
        "notes": list(found.notes),
        "hits": [
            {
                "session": hit.session,
                "how": hit.how,
                "score": round(hit.score, 4),
                "messages": [
                    {**_message(item, excerpt(item.text, terms, longest)), "hit": item is hit.match}
                    for item in hit.shown
                ],
            }
            for hit in found.hits
        ],
    }


def _message(shown: Shown, text: str) -> dict[str, Any]:
    passage = shown.passage
    return {
        "number": passage.number,
        "at": passage.when,
        "role": passage.role,
        "text": text,
        "masked": list(shown.masked),
        "doubtful": list(shown.flagged),
    }


def _sessions(options: argparse.Namespace, store: RecallStore) -> int:
    from inkgate.store.recall.model import stamp

    found = store.sessions(limit=max(options.limit, 1))
    if options.format == "json":
        rows = [
            {
                "id": store.name(item.id), "source": store.name(item.source), "title": store.name(item.title),
                "first": stamp(item.first), "last": stamp(item.last), "messages": item.messages,
            }
            for item in found
        ]  # fmt: skip
        _json(rows)
        return 0
    for item in found:
        about = ", ".join(filter(None, map(store.name, (item.source, item.title))))
        span = f"{stamp(item.first)} to {stamp(item.last)}"
        _say(f"{store.name(item.id)}  {span}, {counted(item.messages, 'message')}  {about}".rstrip())
    return 0


def _rebuild(options: argparse.Namespace, store: RecallStore) -> int:
    if options.mask:
        _say(f"{counted(store.mask(), 'secret')} masked")
    _say(f"the indexes of {counted(store.rebuild(), 'message')} were made anew")
    return 0


def _verify(options: argparse.Namespace, store: RecallStore) -> int:
    health = store.verify()
    if options.format == "json":
        names = ("sessions", "messages", "problems", "aside")
        _json({name: getattr(health, name) for name in names})
    else:
        _say(f"{counted(health.sessions, 'session')}, {counted(health.messages, 'message')}")
        _say(*(f"a damaged database was set aside as {name}" for name in health.aside))
        for problem in health.problems:
            say(problem)
    return 1 if health.problems else 0


def _json(value: object) -> None:
    import json

    write(json.dumps(value, indent=2) + "\n")


def _say(*lines: str) -> None:
    """Lines of any length, each made safe for a terminal."""
    write("".join(f"{escape(line, 12 * len(line) + 1)}\n" for line in lines))
