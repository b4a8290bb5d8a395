"""Time the pipeline per stage, and beside Hermes Agent 0.19.0's `scan_for_threats`, on the same text in one run.

    python benchmarks/pipeline.py [--text FILE] [--hermes-python VENV/bin/python] [--gigabyte] [--rounds N]

Without --text the repository's own Markdown is the corpus. Hermes needs an environment of its own
(`python -m venv V && V/bin/pip install hermes-agent==0.19.0`); it reads 64 KiB only, so both get 64 KiB. Ratios are
what counts: the two are timed in turns, and the median of the rounds is taken.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
KIB64 = 65_536

PEER = r"""
import json, sys, time
from tools.threat_patterns import scan_for_threats
text = sys.stdin.read()
scan_for_threats(text, "strict")
times = []
for _ in range(int(sys.argv[1])):
    start = time.process_time()
    scan_for_threats(text, "strict")
    times.append(time.process_time() - start)
print(json.dumps(times))
"""


def corpus(path: str | None) -> str:
    """64 KiB of text: from a file, or the project's own documents, repeated as often as needed."""
    if path:
        text = Path(path).read_text(encoding="utf-8")
    else:
        text = "\n\n".join(file.read_text(encoding="utf-8") for file in sorted(ROOT.glob("*.md")))
    if not text:
        raise SystemExit("the corpus is empty")
    while len(text) < KIB64:
        text += text
    return text[:KIB64]


def median(function: Callable[[], object], rounds: int) -> float:
    """Median CPU seconds of one call."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
    return statistics.median(times)


def stages(text: str, rounds: int) -> dict[str, float]:
    """Seconds per stage over the whole text."""
    from inkgate.match.collapse import Collapsed
    from inkgate.match.engine import Matcher
    from inkgate.match.keywords import Keywords
    from inkgate.match.rules import load_rules
    from inkgate.model import Target
    from inkgate.scan import scan_text
    from inkgate.text.fold import fold
    from inkgate.text.hidden import HiddenScanner
    from inkgate.text.structure import Structure
    from inkgate.text.unwrap import Unwrapper
    from inkgate.text.view import View

    rules = load_rules()
    view = View()
    view.append(fold(text), 0)

    anywhere, _ = rules.once("keywords", Keywords).passes(Target.VAULT)

    def anchors() -> None:
        for _ in anywhere.hits(Collapsed(view.lower).text):
            pass

    def match() -> None:
        for _ in Matcher(rules, Target.VAULT).matches(view, view.end + 1):
            pass

    return {
        "hidden": median(lambda: HiddenScanner().feed(text, final=True), rounds),
        "structure": median(lambda: Structure().feed(text, final=True), rounds),
        "fold": median(lambda: fold(text), rounds),
        "anchors": median(anchors, rounds),
        "anchors + patterns": median(match, rounds),
        "unwrap triggers": median(lambda: list(Unwrapper().feed(view.cased, 0, view.end, final=True)), rounds),
        "whole pipeline": median(lambda: scan_text(text, target="vault"), rounds),
    }


def peer(python: str, text: str, rounds: int) -> float:
    """Median CPU seconds of Hermes' scan of the same text."""
    done = subprocess.run(
        [python, "-c", PEER, str(rounds)], input=text, capture_output=True, text=True, check=True, encoding="utf-8"
    )
    return statistics.median(json.loads(done.stdout.strip().splitlines()[-1]))


def small(rounds: int) -> float:
    """Median seconds for a memory entry of 300 characters, warm."""
    from inkgate.scan import scan_text

    text = ("The user prefers short answers with the command first, then the reason. " * 5)[:300]
    scan_text(text)
    return median(lambda: [scan_text(text) for _ in range(100)], rounds) / 100


def start(rounds: int) -> tuple[float, float]:
    """Median wall seconds of a hook process on one ASCII note, and of a bare interpreter."""
    event = json.dumps(
        {
            "hook_event_name": "PreToolUse",
            "tool_name": "Write",
            "tool_input": {"file_path": "/nowhere/note.md", "content": "A short note about the garden.\n" * 60},
            "cwd": "/",
        }
    )
    hook, bare = [], []
    for _ in range(rounds):
        for times, command in (
            (hook, [sys.executable, "-m", "inkgate", "hook", "claude-code"]),
            (bare, [sys.executable, "-c", "pass"]),
        ):
            begin = time.perf_counter()
            subprocess.run(command, input=event, text=True, check=True, capture_output=True)
            times.append(time.perf_counter() - begin)
    return statistics.median(hook), statistics.median(bare)


def gigabyte(text: str) -> tuple[float, float]:
    """Seconds and peak resident MB for a stream of 10^9 characters, in this process."""
    from inkgate.scan import scan_stream

    class Endless:
        left = 10**9

        def read(self, size: int) -> str:
            size = min(size, self.left)
            self.left -= size
            return (text * (size // len(text) + 1))[:size]

    begin = time.process_time()
    scan_stream(Endless(), target="vault")
    return time.process_time() - begin, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> int:
    """Print a table of medians and ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--text", help="the corpus, a UTF-8 file")
    parser.add_argument("--hermes-python", help="an interpreter that has hermes-agent 0.19.0")
    parser.add_argument("--gigabyte", action="store_true", help="also stream 10^9 characters")
    parser.add_argument("--rounds", type=int, default=15)
    args = parser.parse_args()
    text = corpus(args.text)
    size = len(text.encode()) / 1e6
    table = stages(text, args.rounds)
    for name, seconds in table.items():
        print(f"{name:24s} {seconds * 1e3:9.2f} ms {size / seconds:9.1f} MB/s")
    if args.hermes_python:
        ratios = []
        for _ in range(3):
            theirs, ours = peer(args.hermes_python, text, 5), stages(text, 5)["whole pipeline"]
            ratios.append(theirs / ours)
        print(f"{'Hermes 0.19.0 strict':24s} {theirs * 1e3:9.2f} ms {size / theirs:9.1f} MB/s")
        print(
            f"ratio Hermes : inkgate   {statistics.median(ratios):9.1f}  (of {', '.join(f'{r:.1f}' for r in ratios)})"
        )
    print(f"300 characters, warm     {small(args.rounds) * 1e6:9.1f} us")
    hook, bare = start(args.rounds)
    print(f"hook on one ASCII note   {hook * 1e3:9.1f} ms wall (bare interpreter {bare * 1e3:.1f} ms)")
    if args.gigabyte:
        seconds, memory = gigabyte(text)
        print(f"10^9 characters          {seconds:9.1f} s, {memory:.0f} MB resident at most")
    return 0


if __name__ == "__main__":
    sys.exit(main())
