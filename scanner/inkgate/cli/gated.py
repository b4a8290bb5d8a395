"""What the commands on a home share: where it is, the gate, and the person at the terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from inkgate.cli.terminal import say, write
from inkgate.lean import TYPE_CHECKING, Any
from inkgate.model import InkgateError
from inkgate.text.escape import escape

if TYPE_CHECKING:
    from inkgate.gate.gate import Gate, Reviewer
    from inkgate.gate.request import Answer, Decision
    from inkgate.gate.tier import TierDecision
    from inkgate.store.plan import Change

__all__ = ["add_home", "answer", "answer_tier", "home_of", "open_gate", "person", "show", "text_file", "user"]

LONGEST_LINE = 4000  # characters of one printed line


def add_home(parser: argparse.ArgumentParser) -> None:
    """The options that say which home, and under which settings."""
    group = parser.add_argument_group("home")
    group.add_argument("--home", metavar="DIR", type=Path, help="home folder (default: $HERMES_HOME, else ~/.hermes)")
    group.add_argument("--settings", metavar="FILE", type=Path, help="the gate's settings, TOML (default: built-in)")


def open_gate(options: argparse.Namespace) -> Gate:
    """The gate of the home that the options name."""
    from inkgate.gate.gate import Gate
    from inkgate.gate.settings import Settings

    settings = Settings.read(options.settings) if options.settings else Settings()
    return Gate(home_of(options), settings=settings)


def home_of(options: argparse.Namespace) -> Path:
    """The home that the options name, which need not be there yet.

    Raises:
        InkgateError: something else than a folder is there.
    """
    from inkgate.integrations.hermes.home import home

    where: Path = (options.home or home()).expanduser().absolute()
    if where.exists() and not where.is_dir():
        raise InkgateError(f"The home {where} is not a folder.")
    return where


def user() -> str:
    """The name of whoever runs this process."""
    import getpass

    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return "unknown"


def person(question: str, word: str) -> Reviewer:
    """A person at a terminal who has read the question and typed the word.

    A tool call, a pipe and a script have no terminal on standard input, and are refused.

    Raises:
        InkgateError: there is no terminal, or another word was typed.
    """
    from inkgate.gate.gate import Reviewer

    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise InkgateError("This needs a person at a terminal.", hint="Run it yourself, without a pipe.")
    say(question)
    print(f"Type {word} to go on: ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip() != word:
        raise InkgateError("Not confirmed; nothing was changed.")
    return Reviewer(user(), "terminal")


def show(text: str, indent: str = "") -> None:
    """Print a text of several lines, each made safe for a terminal."""
    for line in text.splitlines() or [""]:
        write(f"{indent}{escape(line, LONGEST_LINE)}\n")


def text_file(path: Path) -> str:
    """The text of a file, byte for byte: line ends stay as they are.

    Raises:
        InkgateError: it cannot be read, or is not UTF-8.
    """
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise InkgateError(f"{path} could not be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise InkgateError(f"{path} could not be read: byte {error.start} is not UTF-8.") from error


def answer(decision: Decision) -> int:
    """Tell a decision and turn it into an exit code: 0 saved, 1 not saved, 2 could not do the work."""
    from inkgate.gate.request import Outcome
    from inkgate.store.plan import preview

    if decision.saved:
        done = (
            _changed(decision.changes)
            if decision.outcome is Outcome.SAVED
            else "It reads so already; nothing was changed."
        )
        show(f"{done} {decision.request.target}: {decision.size:,}/{decision.cap:,} characters.")
        return 0
    code = _not_saved(decision)
    for entry in decision.details.get("matches", ()):
        say(f"  {preview(entry)}")
    if decision.code == "no-match" and not decision.hint:
        say(f"hint: `inkgate memory list --target {decision.request.target}` shows the entries.")
    return code


def answer_tier(decision: TierDecision[Any]) -> int:
    """As `answer`, for a tier of files."""
    from inkgate.gate.request import Outcome

    if decision.outcome is Outcome.SAVED:
        done = _DONE.get(decision.request.action, "Saved")
        for path in decision.paths:
            show(f"{done} {path}.")
        return 0
    if decision.saved:
        show("It reads so already; nothing was changed.")
        return 0
    return _not_saved(decision)


_DONE = {"remove": "Removed", "archive": "Archived", "restore": "Brought back"}
"""What is said of each file, by the action; `Saved` of all others."""


def _changed(changes: Iterable[Change]) -> str:
    """What is said of changes of entries."""
    real = [change for change in changes if change.real]
    return "Removed." if real and all(change.after is None for change in real) else "Saved."


def _not_saved(decision: Answer[Any]) -> int:
    from inkgate.gate.request import Outcome

    say(decision.message)
    if decision.hint:
        say(f"hint: {decision.hint}")
    return 2 if decision.outcome is Outcome.FAILED else 1
