"""`inkgate redact`: a clean copy of a file, with a marker where each secret stood."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from inkgate.cli.commands import add_command
from inkgate.cli.terminal import say, write
from inkgate.lean import Any
from inkgate.model import InkgateError

__all__ = ["add_parser", "run"]


EXAMPLES = """\
examples:
  inkgate redact notes.md > clean.md
  inkgate redact session.log --output clean.log
  pbpaste | inkgate redact -
"""


def add_parser(subparsers: Any) -> None:
    """Register the command."""
    parser = add_command(subparsers, "redact", EXAMPLES)
    parser.set_defaults(handler=run)
    parser.add_argument("file", metavar="FILE", help="file to read; - for standard input")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="write the copy there (default: stdout)")
    parser.add_argument("-q", "--quiet", action="store_true", help="do not tell how many secrets there were")


def run(options: argparse.Namespace) -> int:
    """Write the copy.

    Raises:
        InkgateError: the file cannot be read or written, is no text, or still shows secrets; nothing is written then.
    """
    from inkgate.redact import redact

    clean, count = redact(_read(options.file))
    if options.output is None:
        write(clean)
        sys.stdout.flush()
    else:
        from inkgate.lint.output import replace_file

        try:
            replace_file(options.output, clean)
        except OSError as error:
            raise InkgateError(f"{options.output}: cannot be written: {error.strerror or error}") from error
    if not options.quiet:
        say(f"{count} {'secret' if count == 1 else 'secrets'} replaced")
    return 0


def _read(name: str) -> str:
    """The text of a file, exactly as it is, so that nothing but the secrets differs in the copy."""
    try:
        data = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise InkgateError(f"{name}: cannot be read: {error.strerror or error}") from error
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise InkgateError(f"{name}: not text: byte {error.start} is not {encoding.upper()}") from error
