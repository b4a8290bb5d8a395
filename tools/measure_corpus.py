"""Measure the scanner on the labelled samples, and keep the floors that the test suite holds it to.

python tools/measure_corpus.py            a line for each file: share blocked, staged and allowed
python tools/measure_corpus.py --wrong    with every sample that is judged wrongly, and the rules that fired
python tools/measure_corpus.py --raise    lift corpus/floors.json to what is reached now; a floor is never lowered
"""

from __future__ import annotations

import argparse
import io
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inkgate import scan_text

CORPUS = Path(__file__).resolve().parents[1] / "corpus"
FLOORS = CORPUS / "floors.json"
TOTALS = ("malicious", "ordinary")
APART = ("/reworded/", "/taught/")
"""Samples that stand for themselves, in no total: those that measure wording that no rule was made for, and those that
the learned judge is taught with, so that they measure nothing new."""

Floors = dict[str, dict[str, float]]


@dataclass
class Group:
    """What became of the samples of one file."""

    verdicts: Counter[str] = field(default_factory=Counter)
    wrong: list[tuple[str, str, str, list[str]]] = field(default_factory=list)  # id, verdict, start of the text, rules

    def share(self, *verdicts: str) -> float:
        """Percentage of the samples with one of these verdicts."""
        return 100 * sum(self.verdicts[name] for name in verdicts) / self.verdicts.total()


def rows(path: Path) -> Iterator[dict[str, Any]]:
    """The samples of a file; every line is one."""
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def text_of(row: Mapping[str, Any]) -> str:
    """The text of a sample, put together from `parts` or `gen` where it has no `text`."""
    if "parts" in row:
        return "".join(row["parts"])
    if "gen" in row:
        gen = row["gen"]
        return str(gen["prefix"] + gen["unit"] * gen["times"] + gen["suffix"])
    return str(row["text"])


def group_of(path: Path) -> str:
    """What a file is measured with: itself, or all ordinary text in other languages together."""
    name = path.relative_to(CORPUS).with_suffix("").as_posix()
    return "ordinary/multilingual" if name.startswith("ordinary/multilingual/") else name


def files() -> list[Path]:
    """Every file of samples, in order of name."""
    return sorted(path for side in TOTALS for path in (CORPUS / side).rglob("*.jsonl"))


def measure() -> dict[str, Group]:
    """Every sample through the scanner: the groups, and the totals `malicious` and `ordinary`."""
    groups: dict[str, Group] = {}
    for path in files():
        name = group_of(path)
        for row in rows(path):
            result = scan_text(text_of(row), target=row["target"])
            verdict = str(result.verdict)
            wrong = (verdict == "allow") == (row["label"] == "malicious")
            for key in (name,) if any(part in name for part in APART) else (name, name.split("/")[0]):
                group = groups.setdefault(key, Group())
                group.verdicts[verdict] += 1
                if wrong and key == name:
                    rules = sorted({finding.rule for finding in result.findings})
                    group.wrong.append((row["id"], verdict, repr(text_of(row)[:100]), rules))
    return dict(sorted(groups.items()))


def figures(name: str, group: Group) -> dict[str, float]:
    """The shares that have a floor or a ceiling, in per cent: caught, or not blocked and passed."""
    if name.startswith("malicious"):
        return {"caught": group.share("block", "stage")}
    return {"not_blocked": group.share("allow", "stage"), "passed": group.share("allow")}


def slack(name: str, group: Group) -> float:
    """Room between what is reached and the floor, in points: one on a total; two or one sample on a file."""
    return 1.0 if name in TOTALS else max(2.0, 100 / group.verdicts.total())


def raised(floors: Floors, groups: Mapping[str, Group]) -> Floors:
    """The floors, each lifted to what is reached now less the slack; none is lowered, and none is dropped."""
    new = {name: dict(values) for name, values in floors.items()}
    for name, group in groups.items():
        for key, value in figures(name, group).items():
            reached = math.floor(10 * max(value - slack(name, group), 0.0)) / 10
            mine = new.setdefault(name, {})
            mine[key] = max(reached, mine.get(key, 0.0))
    return dict(sorted(new.items()))


def fallen(floors: Floors, groups: Mapping[str, Group]) -> list[str]:
    """A sentence for each figure that is below its floor, and for each group without one."""
    found = [f"{name} has no floor" for name in groups if name not in floors]
    for name, values in floors.items():
        if name not in groups:
            found.append(f"{name} has a floor and no samples")
            continue
        now = figures(name, groups[name])
        found += [
            f"{name}: {key.replace('_', ' ')} {now[key]:.1f} %, the floor is {floor:.1f} %"
            for key, floor in values.items()
            if now[key] < floor
        ]
    return found


def read_floors() -> Floors:
    """The floors of the repository."""
    floors: Floors = json.loads(FLOORS.read_text(encoding="utf-8"))
    return floors


def table(groups: Mapping[str, Group], *, wrong: bool) -> str:
    """The figures as text, one line a group."""
    lines = [f"{'':34}{'samples':>8}{'block':>8}{'stage':>8}{'allow':>8}"]
    for name, group in groups.items():
        shares = "".join(f"{group.share(verdict):8.1f}" for verdict in ("block", "stage", "allow"))
        lines.append(f"{name:34}{group.verdicts.total():8}{shares}")
        if wrong:
            lines += [f"    {ident} {verdict} {text} {rules}" for ident, verdict, text, rules in group.wrong]
    return "\n".join(lines)


def main() -> int:
    """Command line; 0, or 1 when something is below its floor."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--wrong", action="store_true", help="list the samples that are judged wrongly")
    parser.add_argument("--raise", dest="lift", action="store_true", help="lift the floors to what is reached now")
    args = parser.parse_args()
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")
    groups = measure()
    print(table(groups, wrong=args.wrong))
    if args.lift:
        new = raised(read_floors() if FLOORS.exists() else {}, groups)
        FLOORS.write_text(json.dumps(new, indent=1) + "\n", encoding="utf-8")
    low = fallen(read_floors(), groups)
    print(*low, sep="\n", end="\n" if low else "")
    return 1 if low else 0


if __name__ == "__main__":
    sys.exit(main())
