"""Time the scanner side by side with others, and write docs/benchmarks.md and docs/benchmarks.svg.

    python -m benchmarks [--peers DIR] [--install] [--rounds N] [--growth] [--gigabyte] [--write]

The others are looked for in DIR, one virtual environment each, named after its package; `--install` makes them. Each
pair scans the same text in turns in one run, in processes of their own; CPU seconds are compared, and the median of the
rounds counts, so that a busy machine disturbs both alike.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import NamedTuple

from benchmarks.chart import Bar, bars, document, line
from benchmarks.measure import PEERS, Pair, compare, has_fast, installed, run
from benchmarks.texts import ROOT, documentation, prose, sized

LANGUAGES = {"ru": "Russian", "zh": "Chinese", "hi": "Hindi"}
SIZES = (1_000, 10_000, 100_000, 1_000_000, 10_000_000, 64_000_000)
NOTE = "A short note about the garden: the beans want water on Monday, and the ladder is at the neighbour's.\n"


class Own(NamedTuple):
    """What this scanner takes by itself.

    Attributes:
        speeds: MB (of UTF-8) per CPU second, by the kind of text.
        write: microseconds for a write of 2 KB, warm, in process.
        hook: CPU seconds of a hook process on one note, and of an interpreter that does nothing.
        memory: MB resident of such a process at most.
    """

    speeds: dict[str, float]
    write: float
    hook: tuple[float, float]
    memory: float


def median(function: Callable[[], object], rounds: int) -> float:
    """CPU seconds of one call, after one to warm up."""
    function()
    spent = []
    for _ in range(rounds):
        start = time.process_time()
        function()
        spent.append(time.process_time() - start)
    return statistics.median(spent)


def own(rounds: int, engine: str) -> Own:
    """Measure this scanner with an engine; hooks always have the automaton."""
    from inkgate import scan_text
    from inkgate.match.rules import load_rules

    rules = load_rules(engine=engine)
    texts = {"English documentation, ASCII": documentation()[:262_144]}
    texts |= {f"{name} notes": sized(prose(language), 65_536) for language, name in LANGUAGES.items()}
    speeds = {}
    for name, text in texts.items():
        spent = median(lambda text=text: scan_text(text, target="vault", rules=rules), rounds)
        speeds[name] = len(text.encode()) / 1e6 / spent
    write = documentation()[10_000:12_048]
    small = median(lambda: [scan_text(write, rules=rules) for _ in range(50)], rounds) / 50
    event = {"hook_event_name": "PreToolUse", "tool_name": "Write", "cwd": "/"}
    event["tool_input"] = {"file_path": "/nowhere/note.md", "content": NOTE * 20}
    hooks, bare = [], []
    command, said = [sys.executable, "-m", "inkgate", "hook", "claude-code"], json.dumps(event).encode()
    run(command, said)  # its modules are compiled by then
    for _ in range(max(5, rounds)):
        hooks.append(run(command, said))
        bare.append(run([sys.executable, "-c", "pass"]).cpu)
    cpu = statistics.median(used.cpu for used in hooks), statistics.median(bare)
    return Own(speeds, small * 1e6, cpu, max(used.memory for used in hooks))


def grown(sizes: tuple[int, ...]) -> Iterator[tuple[int, float, float]]:
    """Characters, CPU seconds and MB resident of streams."""
    for size in sizes:
        spent, memory = json.loads(run([sys.executable, "-m", "benchmarks.growth", str(size)]).out)
        yield size, spent, memory


@contextmanager
def files() -> Iterator[Callable[[int], Path]]:
    """Files of documentation, by their size."""
    with tempfile.TemporaryDirectory() as folder:

        def make(size: int) -> Path:
            path = Path(folder) / f"{size}.txt"
            path.write_text(sized(documentation(), size) if size else NOTE, encoding="utf-8")
            return path

        yield make


def machine() -> str:
    """What it runs on."""
    name = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        models = [
            row.partition(":")[2].strip() for row in cpuinfo.read_text().splitlines() if row.startswith("model name")
        ]
        name = models[0] if models else name
    load = f", load average {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"{name}, {os.cpu_count()} processors{load}; {platform.system()}, Python {platform.python_version()}"


_GIGABYTE = """\
A stream of 10^9 characters takes ten minutes, so it is measured apart (`python -m benchmarks --gigabyte`), last on
2026-12-01: 527 s of CPU (1.90 MB/s), 85 MB resident. Time per character is that of ten million within six percent."""
"""Written by hand, since a run without `--gigabyte` does not measure it."""

HEAD = """\
# Measured beside others

Written by `python -m benchmarks --write`; do not edit.

{day}, on {where}.

CPU seconds of all threads. The machine may be busy with other work, so the ratios count, not the seconds: each pair
scans the same text in turns, in one run, and the median over the rounds is shown with its range.

![Speeds](benchmarks.svg)

## Others

All of it, every rule and every view that the text asks for, against what each of the others looks for. The text is
English documentation in ASCII, where there is little to find. *Start*: CPU of a process that loads the scanner and
reads one line. *MB*: resident at most.

| scanner | looks for | characters | MB/s | inkgate, MB/s | inkgate is ... times as fast | `[fast]` | start, ms | MB |
| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
"""


def spread(ratios: Sequence[float]) -> str:
    """The middle one, and the range."""
    return f"{statistics.median(ratios):.2g} ({min(ratios):.2g} to {max(ratios):.2g})" if ratios else "not installed"


def tables(mine: Own, fast: Own | None, pairs: list[Pair], growth: list[tuple[int, float, float]], where: str) -> str:
    """The document."""
    out = [HEAD.format(day=date.today().isoformat(), where=where).rstrip("\n")]
    for pair in pairs:
        size = pair.peer.size / 1e6
        ratios = f"{spread(pair.ratios)} | {spread(pair.fast_ratios)}"
        speeds = f"{size / pair.theirs:.3g} | {size / pair.ours:.3g}"
        name = f"{pair.peer.name} ({pair.version}) | {pair.peer.looks_for} | {pair.peer.size}"
        out.append(f"| {name} | {speeds} | {ratios} | {pair.start * 1e3:.0f} | {pair.memory:.0f} |")
    out += ["", "## inkgate alone", "", "| what | measured | with `inkgate[fast]` |", "| --- | ---: | ---: |"]
    for name, speed in mine.speeds.items():
        out.append(f"| {name} | {speed:.2f} MB/s | {f'{fast.speeds[name]:.2f} MB/s' if fast else 'not installed'} |")
    quick = f"{fast.write:.0f} \u00b5s" if fast else "not installed"
    out.append(f"| a write of 2 KB, warm, in process | {mine.write:.0f} \u00b5s | {quick} |")
    hook = f"{mine.hook[0] * 1e3:.0f} ms CPU, {mine.memory:.0f} MB"
    out.append(f"| `inkgate hook` on one note, a process | {hook} | the same engine |")
    out.append(f"| an interpreter that does nothing | {mine.hook[1] * 1e3:.0f} ms CPU | |")
    if growth:
        out += ["", "## Growth", "", "One stream of documentation, each in a process of its own.", ""]
        out += ["| characters | CPU seconds | MB/s | MB resident |", "| ---: | ---: | ---: | ---: |"]
        out += [
            f"| {size:,} | {spent:.3g} | {size / 1e6 / spent:.2f} | {memory:.0f} |" for size, spent, memory in growth
        ]
        if max(size for size, *_ in growth) < 10**9:
            out += ["", _GIGABYTE]
    return "\n".join(out) + "\n"


def picture(mine: Own, pairs: list[Pair], growth: list[tuple[int, float, float]]) -> str:
    """The plot."""
    ours = mine.speeds["English documentation, ASCII"]
    items = [Bar("inkgate", ours, own=True)]
    items += [Bar(pair.peer.kind, ours / statistics.median(pair.ratios), own=False) for pair in pairs]
    body, bottom = bars("MB of documentation per CPU second (logarithmic)", items, 0)
    if len(growth) > 1:
        more, bottom = line(
            "CPU seconds by characters of a stream", [(size, spent) for size, spent, _ in growth], bottom + 10, unit="s"
        )
        body += more
    return document(bottom, body)


def main() -> int:
    """Measure and print; with `--write`, into docs/."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__.splitlines()[0])
    parser.add_argument("--peers", type=Path, default=ROOT / "build" / "peers", help="folder of their environments")
    parser.add_argument("--install", action="store_true", help="install the others that are missing")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--growth", action="store_true", help="streams from 1 KB to 64 MB")
    parser.add_argument("--gigabyte", action="store_true", help="a stream of 10^9 characters too")
    parser.add_argument("--write", action="store_true", help="write docs/benchmarks.md and docs/benchmarks.svg")
    options = parser.parse_args()
    where, pairs = machine(), []
    with files() as make:
        for peer in PEERS:
            python = installed(peer, options.peers, install=options.install)
            if python is None:
                print(f"{peer.name}: not installed (--install)", file=sys.stderr)
                continue
            pairs.append(compare(peer, python, make(peer.size), make(0), options.rounds))
            print(f"{peer.name}: {statistics.median(pairs[-1].ratios):.3g}", file=sys.stderr)
    mine = own(options.rounds, "ahocorasick")
    fast = own(options.rounds, "hyperscan") if has_fast() else None
    sizes = SIZES if options.growth or options.gigabyte else ()
    growth = list(grown((*sizes, 10**9) if options.gigabyte else sizes))
    text = tables(mine, fast, pairs, growth, where)
    print(text)
    if options.write:
        (ROOT / "docs" / "benchmarks.md").write_text(text, encoding="utf-8")
        (ROOT / "docs" / "benchmarks.svg").write_text(picture(mine, pairs, growth), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
