"""Time the search of many recalled messages, on this disk.

    python benchmarks/recall.py [--messages N] [--queries N] [--folder DIR]

The messages are made of words whose frequencies fall off as those of a language do, in sessions of two hundred; one in
ten is Chinese. The queries are one to three words of a message that exists, a part of a word, a phrase, or two Chinese
characters. Two times are shown for each kind: of the index alone, with the messages and their neighbours read, and of
the whole search, where everything that is returned has been scanned as well.
"""

from __future__ import annotations

import argparse
import itertools
import random
import statistics
import tempfile
import time
from pathlib import Path

from inkgate.store import Durability
from inkgate.store.recall import Message, RecallStore
from inkgate.store.recall import store as internals
from inkgate.store.recall.insert import insert
from inkgate.store.recall.query import parse
from inkgate.store.recall.search import Filters

WORDS = 30_000
SESSION = 200


def messages(count: int, choose: random.Random) -> list[str]:
    """Texts of 5 to 60 words."""
    syllables = [a + b for a in "bcdfghjklmnprstvwz" for b in ("a", "e", "i", "o", "u", "an", "er", "in", "os")]
    words = list(dict.fromkeys("".join(choose.choices(syllables, k=choose.randint(1, 4))) for _ in range(WORDS)))
    weights = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(words))))
    han = [chr(choose.randint(0x4E00, 0x6FFF)) for _ in range(2_500)]
    han_weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(len(han))))

    def text(number: int) -> str:
        if number % 10 == 0:
            return "".join(choose.choices(han, cum_weights=han_weights, k=choose.randint(8, 80)))
        return " ".join(choose.choices(words, cum_weights=weights, k=choose.randint(5, 60)))

    return [text(number) for number in range(count)]


def queries(texts: list[str], count: int, choose: random.Random) -> dict[str, list[str]]:
    """Queries of each kind, all of which have an answer."""
    latin = [text.split() for text in texts if text.isascii()]
    han = [text for text in texts if not text.isascii()]

    def part(words: list[str]) -> str:
        word = max(words, key=len)
        return word[1:-1]

    def phrase(words: list[str]) -> str:
        start = choose.randrange(len(words) - 2)
        return f'"{" ".join(words[start : start + 2])}"'

    def two(text: str) -> str:
        start = choose.randrange(len(text) - 2)
        return text[start : start + 2]

    return {
        "one word": [choose.choice(choose.choice(latin)) for _ in range(count)],
        "three words": [" ".join(choose.sample(choose.choice(latin), 3)) for _ in range(count)],
        "phrase": [phrase(choose.choice(latin)) for _ in range(count)],
        "part of a word": [part(choose.choice(latin)) for _ in range(count)],
        "two Han characters": [two(choose.choice(han)) for _ in range(count)],
    }


def show(name: str, index: list[float], whole: list[float]) -> None:
    """One line of the table, in milliseconds."""
    cells = [statistics.median(index), _high(index), statistics.median(whole), _high(whole)]
    print(f"{name:<20}" + "".join(f"{1000 * cell:>11.2f}" for cell in cells))


def _high(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.95)]


def main() -> None:
    """Fill a database and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=100, help="of each kind")
    parser.add_argument("--folder", metavar="DIR", type=Path, default=Path(tempfile.gettempdir()), help="disk to use")
    options = parser.parse_args()
    choose = random.Random(7)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        store = RecallStore(Path(folder, "recall.db"), durability=Durability.NONE)
        texts = messages(options.messages, choose)
        ready = [
            (Message(f"session-{number // SESSION}", "user", text, float(number)), text, 0)
            for number, text in enumerate(texts)
        ]
        start = time.perf_counter()
        store._run(lambda database: insert(database, ready))  # masking is left out: it is timed elsewhere
        took = time.perf_counter() - start
        size = store.path.stat().st_size / 1e6
        print(f"{options.messages:,} messages indexed in {took:.1f} s, {size:.0f} MB")
        print(f"{'milliseconds':<20}" + "".join(f"{head:>11}" for head in ("index p50", "p95", "whole p50", "p95")))
        everything: tuple[list[float], list[float]] = ([], [])
        for name, asked in queries(texts, options.queries, choose).items():
            index, whole = [], []
            for text in asked:
                start = time.perf_counter()
                found = store._run(lambda database, text=text: internals._find(database, parse(text), 5, 1, Filters()))
                index.append(time.perf_counter() - start)
                assert found[0], text
                start = time.perf_counter()
                hits = store.search(text).hits
                whole.append(time.perf_counter() - start)
                assert len(hits) == len(found[0])
            show(name, index, whole)
            everything[0].extend(index)
            everything[1].extend(whole)
        show("all", *everything)


if __name__ == "__main__":
    main()
