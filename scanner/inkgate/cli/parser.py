"""The command line's grammar. Handlers are imported when their command runs, so that each command pays for itself."""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from inkgate import __version__
from inkgate.cli.commands import ABOUT, Parser, described
from inkgate.lean import Any
from inkgate.model import Target
from inkgate.policy import Trust
from inkgate.report import FORMATS
from inkgate.report.model import FAIL_ON

__all__ = ["build_parser"]

TRUST = tuple(str(item) for item in Trust)

EPILOG = """\
exit codes:
  0    nothing at or above the threshold (--fail-on)
  1    findings at or above the threshold
  2    the work could not be done: usage, configuration, unreadable input, fault
  3    --update-baseline rewrote the baseline, and nothing else is wrong
  130  interrupted

environment:
  INKGATE_CONFIG   configuration file, as --config
  INKGATE_CACHE_DIR  folder of --cache (default: of the user's caches)
  INKGATE_ENGINE   auto (default), ahocorasick or hyperscan: how rules are found
  NO_COLOR         no colours; FORCE_COLOR: colours; --color goes before both
  INKGATE_DEBUG    show the traceback of an internal error
"""

SCAN_EPILOG = """\
examples:
  inkgate scan notes/                       a folder
  inkgate scan --format sarif -o out.sarif .
  cat draft.md | inkgate scan --stdin-filename MEMORY.md -
"""


def build_parser(command: str | None = None) -> argparse.ArgumentParser:
    """The parser of every command; `handler` of its result takes the result and gives the exit code.

    Args:
        command: the command that will be parsed: when there is one of that name, only its parser is made, as each
            takes as long to make as a note to scan. None, or another word: all of them.
    """
    parser = Parser(
        prog="inkgate",
        description="Scans what an AI agent writes to its long-term memory, notes and skills.",
        epilog=EPILOG,
    )
    parser.add_argument("--version", action="version", version=f"inkgate {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    own = {"scan": _scan, "rules": _rules, "explain": _explain, "hook": _hook, "config": _config}
    for name in [command] if command in own or command in ABOUT else [*own, *ABOUT]:
        if name in own:
            own[name](commands)
        elif command in (None, name):
            import_module(f"inkgate.cli.{name}").add_parser(commands)
        else:
            commands.add_parser(name, help=ABOUT[str(name)])
    return parser


def _configuration(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("configuration")
    either = group.add_mutually_exclusive_group()
    either.add_argument("--config", metavar="FILE", type=Path, help="use this configuration file")
    either.add_argument("--no-config", action="store_true", help="use no configuration file")


def _scan(commands: Any) -> None:
    parser = described(commands, "scan", "scan files, folders or standard input", epilog=SCAN_EPILOG)
    parser.set_defaults(handler=_run_scan, parser=parser)
    group = parser.add_argument_group("input")
    group.add_argument("paths", metavar="PATH", nargs="*", help="file or folder; - for standard input")
    group.add_argument(
        "--target", choices=[str(item) for item in Target], help="what the text is (default: by its path)"
    )
    group.add_argument("--stdin-filename", metavar="PATH", help="path that standard input is reported as")
    group.add_argument("--exclude", metavar="GLOB", action="append", help="leave out these paths too (repeatable)")
    group.add_argument("--force-exclude", action="store_true", help="leave out excluded paths even when named")
    group.add_argument("--no-gitignore", action="store_true", help="scan what git ignores as well")
    group.add_argument("--jobs", metavar="N", type=_jobs, help="processes (default: auto, by size and processors)")
    group.add_argument(
        "--cache", action=argparse.BooleanOptionalAction, help="do not scan again what was clean before (default: no)"
    )
    _configuration(parser)
    group = parser.add_argument_group("what counts")
    group.add_argument("--fail-on", metavar="LEVEL", choices=FAIL_ON, help=f"{', '.join(FAIL_ON)} (default: stage)")
    group.add_argument("--baseline", metavar="FILE", type=Path, help="file of accepted findings")
    group.add_argument("--update-baseline", action="store_true", help="accept all findings into the baseline")
    group.add_argument("--no-suppressions", action="store_true", help="honour no comments in the text")
    group.add_argument("--skill-trust", metavar="WHO", choices=TRUST, help=f"{', '.join(TRUST)} (default: community)")
    group.add_argument(
        "--skill-profile", metavar="NAME", choices=("spec", "claude-code"), help="spec, claude-code (default: spec)"
    )
    group = parser.add_argument_group("output")
    group.add_argument("-f", "--format", metavar="NAME", choices=FORMATS, help=f"{', '.join(FORMATS)} (default: text)")
    group.add_argument("-o", "--output", metavar="FILE", type=Path, help="write the report there (- for stdout)")
    group.add_argument("-q", "--quiet", action="store_true", help="no summary and no progress")
    group.add_argument("-v", "--verbose", action="store_true", help="list suppressed findings and skipped files")
    group.add_argument("--color", choices=("auto", "always", "never"), default="auto", help="(default: auto)")


def _rules(commands: Any) -> None:
    parser = described(commands, "rules", "list the rules, or check that each keeps its word")
    parser.set_defaults(handler=_run_rules)
    what = "check: run every example and counterexample through the scanner"
    parser.add_argument("action", nargs="?", choices=("list", "check"), default="list", help=what)
    parser.add_argument("-f", "--format", choices=("text", "json"), default="text", help="(default: text)")
    _configuration(parser)


def _explain(commands: Any) -> None:
    parser = described(commands, "explain", "say what a rule finds, why it matters and what to do")
    parser.set_defaults(handler=_run_explain)
    parser.add_argument("rule", metavar="RULE", help="id of a rule")
    _configuration(parser)


def _hook(commands: Any) -> None:
    parser = described(commands, "hook", "judge one write of an agent host, as hook JSON on standard input")
    parser.set_defaults(handler=_run_hook)
    parser.add_argument("host", metavar="HOST", help="claude-code, codex, gemini, hermes or plain")


def _config(commands: Any) -> None:
    parser = described(commands, "config", "show the configuration that counts here, and where each value comes from")
    parser.set_defaults(handler=_run_config)
    parser.add_argument("action", nargs="?", choices=("show",), default="show", help="(default: show)")
    _configuration(parser)


def _jobs(word: str) -> int:
    number = 0 if word == "auto" else int(word)
    if not 0 <= number <= 512:
        raise argparse.ArgumentTypeError("must be a number from 0 to 512")
    return number


def _run_scan(options: argparse.Namespace) -> int:
    from inkgate.cli import scan

    return scan.run(options)


def _run_rules(options: argparse.Namespace) -> int:
    from inkgate.cli import rules

    return rules.run(options)


def _run_explain(options: argparse.Namespace) -> int:
    from inkgate.cli import explain

    return explain.run(options)


def _run_hook(options: argparse.Namespace) -> int:
    from inkgate.cli import hook

    return hook.run(options)


def _run_config(options: argparse.Namespace) -> int:
    from inkgate.cli import config

    return config.run(options)
