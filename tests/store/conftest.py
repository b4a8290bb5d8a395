"""What the crash tests of every store need: writers that are killed, that race, and that find the disk full."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

Say = Callable[[object], None]

FULL = """
import resource, signal, sys
from pathlib import Path
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
home, limit = Path(sys.argv[1]), int(sys.argv[2])
"""
FROM_NOW = "resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))\n"


def _fork(run: Callable[[], object]) -> int:
    """A process that runs it, tells what went wrong, and ends."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        run()
        code = 0
    except BaseException:  # noqa: BLE001 - a child ends here
        traceback.print_exc()
    finally:
        os._exit(code)


@pytest.fixture(name="kill_writer")
def _kill_writer(tmp_path: Path) -> Callable[..., list[Any]]:
    """Let a process write, and say what it does, until it is killed; returns what it has said.

    It is killed `delay` seconds after it has said `said` things, however slow the disk is.
    """
    log = tmp_path / "said"

    def kill(write: Callable[[Say], object], *, said: int, delay: float) -> list[Any]:
        out = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)

        def say(what: object) -> None:
            data = json.dumps(what).encode() + b"\n"
            while data:
                data = data[os.write(out, data) :]

        child = _fork(lambda: write(say))
        deadline = time.monotonic() + 60
        while log.read_bytes().count(b"\n") < said and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(delay)
        os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        os.close(out)
        assert os.WIFSIGNALED(status), "the writer ended by itself"
        return [json.loads(line) for line in log.read_bytes().split(b"\n")[:-1]]

    return kill


@pytest.fixture(name="at_once")
def _at_once() -> Callable[[Sequence[Callable[[], object]]], None]:
    """Run jobs at once, each in a process of its own; every one has to end well."""

    def run(jobs: Sequence[Callable[[], object]]) -> None:
        children = [_fork(job) for job in jobs]
        assert [os.waitpid(child, 0)[1] for child in children] == [0] * len(jobs)

    return run


@pytest.fixture(name="full_disk")
def _full_disk(tmp_path: Path) -> Callable[[str, str, int], list[str]]:
    """Run a script, and from its second part on let no file grow beyond a limit; returns the lines that it prints.

    The script has `home` (which is `tmp_path`), `limit`, `sys` and `Path`.
    """

    def run(before: str, script: str, limit: int) -> list[str]:
        whole = FULL + before + FROM_NOW + script
        ran = subprocess.run(
            [sys.executable, "-c", whole, str(tmp_path), str(limit)], capture_output=True, text=True, check=True,
            timeout=120,
        )  # fmt: skip
        return ran.stdout.splitlines()

    return run
