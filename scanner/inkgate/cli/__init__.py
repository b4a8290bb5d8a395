"""Thin commands: parse, call, print. Every error ends here, in one place, as an exit code and a message.

Exit codes: 0 clean, 1 findings at or above the threshold, 2 the work could not be done (wrong usage, a wrong file, an
unreadable input, a fault of inkgate), 3 the baseline was rewritten and nothing is wrong, 130 interrupted. `inkgate
hook` ends with 0 or 2 only, since hosts take any other code for a broken hook and let the write pass.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Sequence

from inkgate.lean import TYPE_CHECKING
from inkgate.model import InkgateError

if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["main", "process"]

FAILED = 2
INTERRUPTED = 130


_BRIEF = ("hook", "scan")
"""Commands of which many are started for one file each."""


def process() -> NoReturn:
    """Run the command line of this process and end it with the exit code."""
    import gc

    # What is loaded stays, so to look through it again and again finds nothing.
    gc.set_threshold(50_000, 20, 50)
    code = main()
    if sys.argv[1:2] and sys.argv[1] in _BRIEF and "multiprocessing" not in sys.modules:
        # Nothing is left to be done at the end, and to take everything apart would take a fifth of the time.
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError):  # whoever reads it has gone, and the code says the rest
                stream.flush()
        os._exit(code)
    sys.exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        argv: arguments without the program's name; those of the process when None.

    Returns:
        The exit code; nothing is raised.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        try:
            code = _run(arguments)
        finally:
            sys.stdout.flush()
    except SystemExit as end:  # argparse: help, version, or wrong usage
        return end.code if isinstance(end.code, int) else FAILED if end.code else 0
    except KeyboardInterrupt:
        _say("interrupted")
        return FAILED if arguments[:1] == ["hook"] else INTERRUPTED
    except BrokenPipeError:
        # Whoever reads the output has gone; the interpreter's own flush at exit must not fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    except InkgateError as error:
        from inkgate.cli.shown import masked

        _say(masked(f"error: {error}"))
        if error.hint:
            _say(masked(f"hint: {error.hint}"))
        return FAILED
    except Exception as error:  # noqa: BLE001 - the last resort; never reported as clean
        if os.environ.get("INKGATE_DEBUG"):
            import traceback

            traceback.print_exc()
        # The message could hold what is being scanned, so only its kind is told.
        _say(f"internal error ({type(error).__name__}); nothing can be said about the input")
        _say("hint: set INKGATE_DEBUG=1 for the traceback, which may show parts of the input")
        return FAILED
    return code


def _run(arguments: list[str]) -> int:
    if len(arguments) == 2 and arguments[0] == "hook" and not arguments[1].startswith("-"):
        from inkgate.cli.hook import answer

        return answer(arguments[1])  # as its parser has it, which takes as long as half of the judging
    from inkgate.cli.parser import build_parser

    parser = build_parser(arguments[0] if arguments else "")
    options = parser.parse_args(arguments)
    code: int = options.handler(options)
    return code


def _say(text: str) -> None:
    from inkgate.text.escape import escape

    print(escape(f"inkgate: {text}", 2000), file=sys.stderr)
