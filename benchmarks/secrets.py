"""Score the secrets packs on labelled samples, beside detect-secrets 1.5 and CredSweeper where they are installed.

    python benchmarks/secrets.py FILE.jsonl ... [--peers VENV]

A row is `{"label": "secret" | "clean", "b64": ...}`. The peers need an environment of their own
(`python -m venv V && V/bin/pip install detect-secrets==1.5.0 credsweeper`). Every sample is a .txt file of its own, as
it is for them in use; a secret counts as caught, and a clean sample as flagged, when the tool reports anything in its
file. inkgate's rules for secrets stand alone here: a text is reported when it is blocked or held for review.
"""

from __future__ import annotations

import argparse
import base64
import json
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

Sample = tuple[str, bytes]
"""Label and text."""


def samples(path: Path) -> list[Sample]:
    """The labelled rows of a set.

    Raises:
        SystemExit: the file cannot be read, or a row is not a sample.
    """
    found = []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise SystemExit(f"{path}: {error}") from error
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            found.append((str(row["label"]), base64.b64decode(row["b64"])))
        except (ValueError, KeyError, TypeError) as error:
            raise SystemExit(f"{path}:{number}: not a sample: {error}") from error
    return [(label, text) for label, text in found if label in ("secret", "clean")]


def inkgate(texts: Iterable[bytes]) -> set[int]:
    """Numbers of the samples that inkgate blocks or holds."""
    from inkgate.match.rules import RuleSet, load_rules
    from inkgate.model import Category, Verdict
    from inkgate.scan import scan_text

    rules = load_rules()
    alone = RuleSet(tuple(rule for rule in rules.rules if rule.category is Category.SECRET), rules.by_id, rules.digest)
    return {
        number
        for number, text in enumerate(texts)
        if scan_text(text.decode("utf-8", "surrogateescape"), rules=alone).verdict is not Verdict.ALLOW
    }


def _files(texts: Iterable[bytes], folder: Path) -> None:
    for number, text in enumerate(texts):
        (folder / f"{number}.txt").write_bytes(text)


def detect_secrets(environment: Path, folder: Path) -> set[int]:
    """Numbers of the samples that detect-secrets reports, with its defaults and without asking providers."""
    command = [str(environment / "bin" / "detect-secrets"), "scan", "--all-files", "--no-verify", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=folder)
    return {int(Path(name).stem) for name in json.loads(done.stdout)["results"]}


def credsweeper(environment: Path, folder: Path) -> set[int]:
    """Numbers of the samples that CredSweeper reports, with its defaults."""
    with tempfile.TemporaryDirectory() as away:
        report = Path(away) / "report.json"
        command = [str(environment / "bin" / "credsweeper"), "--path", str(folder), "--save-json", str(report)]
        subprocess.run(command, capture_output=True, check=True)
        found = json.loads(report.read_text(encoding="utf-8"))
    return {int(Path(line["path"]).stem) for item in found for line in item["line_data_list"]}


def percentages(rows: list[Sample], reported: set[int]) -> str:
    """Share of secrets that are caught and of clean samples that are flagged, in percent."""
    seen = Counter(label for label, _ in rows)
    hit = Counter(rows[number][0] for number in reported)
    return " / ".join(f"{100 * hit[label] / max(seen[label], 1):.1f}" for label in ("secret", "clean"))


def main() -> None:
    """Print a table in Markdown: a row for each set, a column for each tool."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("sets", nargs="+", type=Path)
    parser.add_argument("--peers", type=Path, help="virtual environment with detect-secrets and credsweeper")
    options = parser.parse_args()
    peers: dict[str, Callable[[Path, Path], set[int]]] = {}
    if options.peers is not None:
        for name, run in (("detect-secrets", detect_secrets), ("credsweeper", credsweeper)):
            if (options.peers / "bin" / name).exists():
                peers[name] = run
            else:
                print(f"{name} is not in {options.peers}: left out", file=sys.stderr)
    print("| set | samples | " + " | ".join(("inkgate", *peers)) + " |")
    print("|---|--:|" + "--:|" * (1 + len(peers)))
    for path in options.sets:
        rows = samples(path)
        texts = [text for _, text in rows]
        cells = [percentages(rows, inkgate(texts))]
        with tempfile.TemporaryDirectory() as name:
            _files(texts, Path(name))
            cells += [percentages(rows, run(options.peers.resolve(), Path(name))) for run in peers.values()]
        print(f"| {path.stem} | {len(rows)} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
