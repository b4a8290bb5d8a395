"""`inkgate hook`: one write in hook JSON on standard input, the answer that its host understands."""

from __future__ import annotations

import os
import sys

from inkgate.cli.terminal import write
from inkgate.lean import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse

__all__ = ["answer", "run"]


def run(options: argparse.Namespace) -> int:
    """Answer one call; 0 or 2, never another code."""
    return answer(options.host)


def answer(host: str) -> int:
    """Answer one call of a host, by its name; 0 or 2, never another code."""
    from inkgate.integrations.hosts import run as judge

    # Read below the buffer of `sys.stdin`: its lock would keep the interpreter from ending when the deadline is over.
    said = judge(host, lambda size: os.read(0, size))
    write(said.stdout)
    sys.stdout.flush()
    sys.stderr.write(said.stderr)
    return 0 if said.exit_code == 0 else 2
