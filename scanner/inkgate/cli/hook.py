"""`inkgate hook`: one write in hook JSON on standard input, the answer that its host understands."""

from __future__ import annotations

import argparse
import os
import sys

from inkgate.cli.terminal import write

__all__ = ["run"]


def run(options: argparse.Namespace) -> int:
    """Answer one call; 0 or 2, never another code."""
    from inkgate.integrations.hosts import run as judge

    # Read below the buffer of `sys.stdin`: its lock would keep the interpreter from ending when the deadline is over.
    answer = judge(options.host, lambda size: os.read(0, size))
    write(answer.stdout)
    sys.stdout.flush()
    sys.stderr.write(answer.stderr)
    return 0 if answer.exit_code == 0 else 2
