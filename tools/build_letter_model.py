"""Make `scanner/inkgate/judge/_letter_table.py`: how usual each letter is after two others, in words and identifiers.

    python tools/build_letter_model.py TEXT [TEXT ...] > scanner/inkgate/judge/_letter_table.py

Any ordinary prose and documentation will do, the more languages with Latin letters the better: plain text, Markdown, or
JSON lines with a `text` field. Only counts of three letters in a row leave the texts. Each distinct word counts by the
logarithm of how often it stands there, so that rare words and names have their say; then each count becomes a cost in
bits after its two letters, written as one character.
"""

from __future__ import annotations

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
LETTERS = "abcdefghijklmnopqrstuvwxyz"
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"
EDGE = 26
STEPS = 4
"""Costs are kept in quarters of a bit."""

MOST = 63
SMOOTHING = 0.25
LONGEST = 24


def texts(path: Path) -> Iterator[str]:
    """The texts of a file."""
    if path.suffix != ".jsonl":
        yield path.read_text(encoding="utf-8", errors="ignore")
        return
    for line in path.open(encoding="utf-8"):
        yield str(json.loads(line).get("text", ""))


def words(paths: list[Path]) -> Counter[str]:
    """How often each word stands in the files, in lower case."""
    counts: Counter[str] = Counter()
    for path in paths:
        for text in texts(path):
            counts.update(word.lower() for word in WORD.findall(text) if 2 <= len(word) <= LONGEST)
    return counts


def costs(counts: Counter[str]) -> list[int]:
    """Cost in quarters of a bit of each letter after each two; index 729 a + 27 b + c, 26 is a word's edge."""
    weights = [SMOOTHING] * 27**3
    for word, count in counts.items():
        if count < 2:
            continue  # typing errors and pieces of keys
        codes = [EDGE, EDGE, *map(LETTERS.index, word), EDGE]
        for first, second, third in zip(codes, codes[1:], codes[2:], strict=False):
            weights[729 * first + 27 * second + third] += math.log2(1 + count)
    made = []
    for row in range(0, 27**3, 27):
        total = sum(weights[row : row + 27])
        made += [min(MOST, round(-STEPS * math.log2(weight / total))) for weight in weights[row : row + 27]]
    return made


def main(arguments: list[str]) -> None:
    """Write the table to standard output."""
    if not arguments:
        raise SystemExit(__doc__)
    table = "".join(DIGITS[cost] for cost in costs(words([Path(name) for name in arguments])))
    print(f'"""Made by tools/{Path(__file__).name}: cost of each letter after two others, in quarters of a bit."""')
    print(f'\nfrom __future__ import annotations\n\nDIGITS = b"{DIGITS}"\n\nCOSTS = (')
    for start in range(0, len(table), 112):
        print(f'    b"{table[start : start + 112]}"')
    print(")")


if __name__ == "__main__":
    main(sys.argv[1:])
