"""Time add, replace and remove of the gated store beside Hermes Agent 0.19.0's memory store, on the same disk.

    python benchmarks/store.py --hermes-python VENV/bin/python [--folder DIR] [--rounds N]

Hermes needs an environment of its own (`python -m venv V && V/bin/pip install hermes-agent==0.19.0`). Both scan each
text with their own rules. Hermes syncs the file alone; the gated store is timed with the same (`file`), with the ledger
and the folder synced too (`full`, the default), and without any sync (`none`). The contenders run in turns, a process
each, and the median over the rounds of the operations per second is shown, with the processor time of one operation in
microseconds (which no disk hides) and the syncs per operation as counted.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

WORKER = r"""
import json, os, sys, time
kind, turns = sys.argv[1], int(sys.argv[2])
syncs = 0
real = os.fsync

def fsync(descriptor):
    global syncs
    syncs += 1
    real(descriptor)

os.fsync = fsync
if kind == "hermes":
    from tools.memory_tool import MemoryStore
    store = MemoryStore()
else:
    from inkgate.integrations.hermes import MemoryStore
    from inkgate.store import Durability
    store = MemoryStore(durability=Durability(kind))
store.load_from_disk()
serial = 0

def timed(call, items):
    before, busy, start = syncs, time.process_time(), time.perf_counter()
    for item in items:
        reply = call(*item)
        assert reply["success"] is True, reply
    count = len(items)
    return count / (time.perf_counter() - start), (syncs - before) / count, (time.process_time() - busy) / count * 1e6

def turn():
    global serial  # no text comes twice, so that nothing that was scanned once is known
    serial += 1
    texts = [f"Fact {n}: the build of project {serial}.{n} runs on port {8000 + n} and its owner prefers short commits."
             for n in range(12)]
    swaps = [text.replace("prefers", "now likes") for text in texts]
    return {
        "add": timed(lambda text: store.add("memory", text), [(text,) for text in texts]),
        "replace": timed(lambda old, new: store.replace("memory", old, new),
                         [(f"Fact {n}:", text) for n, text in enumerate(swaps)]),
        "remove": timed(lambda old: store.remove("memory", old), [(f"Fact {n}:",) for n in range(len(texts))]),
    }

turn()
print(json.dumps([turn() for _ in range(turns)]))
"""

CONTENDERS = ("hermes", "file", "full", "none")
OPERATIONS = ("add", "replace", "remove")


def run(kind: str, python: str, folder: Path, turns: int) -> list[dict[str, list[float]]]:
    """One process of one contender, on a fresh home."""
    home = Path(tempfile.mkdtemp(prefix=f"bench-{kind}-", dir=folder))
    (home / "memories").mkdir()
    try:
        done = subprocess.run(
            [python, "-c", WORKER, kind, str(turns)], capture_output=True, text=True, check=False,
            env={**os.environ, "HERMES_HOME": str(home)},
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"{kind} failed:\n{done.stderr[-2000:]}")
        rows: list[dict[str, list[float]]] = json.loads(done.stdout.splitlines()[-1])
        return rows
    finally:
        shutil.rmtree(home)


def main() -> None:
    """Run the contenders in turns and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--hermes-python", metavar="PYTHON", help="Python with hermes-agent==0.19.0")
    parser.add_argument("--folder", metavar="DIR", type=Path, default=Path(tempfile.gettempdir()), help="disk to use")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    pythons = {kind: options.hermes_python if kind == "hermes" else sys.executable for kind in CONTENDERS}
    found: dict[str, list[dict[str, list[float]]]] = {kind: [] for kind, python in pythons.items() if python}
    for _ in range(options.rounds):
        for kind, rows in found.items():
            rows += run(kind, pythons[kind], options.folder, 2)
    print(f"{'':8}" + "".join(f"{name:>20}" for name in OPERATIONS) + f"{'syncs/op':>10}")
    for kind, rows in found.items():
        speeds = [statistics.median(row[name][0] for row in rows) for name in OPERATIONS]
        syncs = statistics.mean(row[name][1] for row in rows for name in OPERATIONS)
        busy = [statistics.median(row[name][2] for row in rows) for name in OPERATIONS]
        cells = [f"{speed:>9.0f} /s{spent:>6.0f} us" for speed, spent in zip(speeds, busy, strict=True)]
        print(f"{kind:8}" + "".join(cells) + f"{syncs:>9.1f}")


if __name__ == "__main__":
    main()
