"""Write `scanner/inkgate/match/_rarity_table.py`: how often words stand in ordinary English text about software.

    python tools/build_rarity_table.py FOLDER...

The Markdown, text and Python files of each folder are counted. The table was made from six: documentation of Node.js,
of Rust and of an agent, notes, skills for agents, and CPython's standard library. It decides which of a rule's
conditions is looked for first and changes no finding, so it need not follow new versions.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path

TARGET = Path(__file__).resolve().parents[1] / "scanner" / "inkgate" / "match" / "_rarity_table.py"
LEAST = 30  # per million characters
SUFFIXES = (".md", ".txt", ".py")
HEADER = '''\
"""Words of ordinary English text about software, by how often they come. Written by tools/build_rarity_table.py."""

from __future__ import annotations

RATES = {
'''


def rates(folders: list[str]) -> Counter[str]:
    """Occurrences of every word per million characters, in the folder where it is commonest."""
    highest: Counter[str] = Counter()
    for folder in folders:
        files = [file for file in sorted(Path(folder).rglob("*")) if file.suffix in SUFFIXES]
        text = "\n".join(file.read_text(encoding="utf-8", errors="ignore") for file in files).lower()
        for word, count in Counter(re.findall(r"[a-z0-9]{2,}", text)).items():
            highest[word] = max(highest[word], count * 1_000_000 // len(text))
    return highest


def main() -> None:
    """Count, and write the words by rate in powers of two."""
    classes: dict[int, list[str]] = {}
    for word, rate in rates(sys.argv[1:]).items():
        if rate >= LEAST:
            classes.setdefault(1 << rate.bit_length() - 1, []).append(word)
    with TARGET.open("w", encoding="ascii") as out:
        out.write(HEADER)
        for rate in sorted(classes, reverse=True):
            out.write(f"    {rate}: (\n")
            line = ""
            for word in sorted(classes[rate]):
                if len(line) + len(word) > 104:
                    out.write(f'        "{line}"\n')
                    line = ""
                line += word + " "
            out.write(f'        "{line.rstrip()}"\n    ),\n')
        out.write("}\n")
        out.write('"""Occurrences per million characters, rounded down to a power of two, and the words."""\n')


if __name__ == "__main__":
    main()
