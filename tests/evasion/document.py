"""The table as a document."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby

from evasion.markup import TYPOS
from evasion.table import LANGUAGES, Trick, caught, misses, pairs, payloads, sampled, tricks

__all__ = ["PAIRS_CAUGHT", "Counts", "build", "documented", "documented_pairs", "measured", "tried"]

HEAD = """# Tricks of evasion

{payloads} orders, written for this table ({prose} in natural language, {commands} commands), each among two ordinary
sentences in a memory, under {tricks} tricks. An order counts as caught when the write is blocked or staged. The orders
are in `tests/evasion/payloads.toml`, the tricks beside it; `python tools/build_evasion_table.py` makes this file, and
the tests fail when an order escapes that is not named here.

A trick is tried on the orders that still work under it: a command with every word on its own line is no command.

**{hit} of {total} are caught under one trick, {pair_hit} of {pair_total} under two** (a fixed sample of {pair_count}
out of {all_pairs} pairs that can be laid over one another). Under all of these pairs at least {least:.0%} are caught,
which `pytest -m slow tests/evasion` tries in about an hour.

"""

TAIL = """
## Not read

These leave an order as it is for who knows the way, and pass unless the text tells how to read it: base45, base62,
base64 that was shifted, changed in case or cut by signs (other than blanks), keyed ciphers, transposition, the
Polybius square and Bacon's cipher, shifted keys, Braille, bits as emoji, XOR, words without their vowels, games of
syllables, and pieces that a program puts together with `format`, `printf` or `replace`. Many lines with numbers,
times or words of their own between the words of an order hide some orders.

## Slips of the pen

One slip in every telling word, or in every letter that allows it. A model reads over them; the scanner knows one
missing, doubled or swapped letter of its cue words, and does not promise more: words whose inner letters are shuffled,
and letters that are drawn out, are out of scope.

"""


@dataclass(slots=True)
class Counts:
    """How many were tried, and which escaped.

    Attributes:
        tricks: by trick, the payloads that escaped.
        pairs: by pair of kinds, tried and caught.
        escaped: by pair, the payloads that escaped under it and under neither of its tricks alone.
        languages: by language, tried and caught.
        slips: by slip, tried and caught.
    """

    tricks: dict[str, list[str]] = field(default_factory=dict)
    pairs: dict[tuple[str, str], tuple[int, int]] = field(default_factory=dict)
    escaped: dict[str, list[str]] = field(default_factory=dict)
    languages: dict[str, tuple[int, int]] = field(default_factory=dict)
    slips: dict[str, tuple[int, int]] = field(default_factory=dict)


def tried(*used: Trick) -> int:
    """How many payloads the tricks are tried on."""
    return sum(all(trick.fits(payload) for trick in used) for payload in payloads())


def measured() -> Counts:
    """Scan everything."""
    counts = Counts({trick.name: misses(trick.write, [trick]) for trick in tricks()})
    total: Counter[tuple[str, str]] = Counter()
    hit: Counter[tuple[str, str]] = Counter()
    for inner, outer in sampled():
        kinds = inner.kind, outer.kind
        left = misses(lambda text, a=inner, b=outer: b.write(a.write(text)), [inner, outer])
        total[kinds] += tried(inner, outer)
        hit[kinds] += tried(inner, outer) - len(left)
        alone = {*counts.tricks[inner.name], *counts.tricks[outer.name]}
        if new := [name for name in left if name not in alone]:
            counts.escaped[f"{inner.name} + {outer.name}"] = new
    counts.pairs = {kinds: (total[kinds], hit[kinds]) for kinds in sorted(total)}
    for code in ("en", *LANGUAGES):
        texts = [
            text for payload in payloads() if not payload.command for name, text in payload.versions() if name == code
        ]
        counts.languages[code] = len(texts), sum(map(caught, texts))
    prose = [payload.text for payload in payloads() if not payload.command]
    counts.slips = {name: (len(prose), sum(caught(write(text)) for text in prose)) for name, write in TYPOS.items()}
    return counts


PAIRS_CAUGHT = 0.99
"""Share of the orders that are caught at least under all pairs."""

_PAIR = re.compile(r"^\| (?P<pair>[^|]+ \+ [^|]+) \| (?P<left>[^|]*) \|$", re.MULTILINE)
_ROW = re.compile(r"^\| (?P<trick>[^|]+) \| (?P<hit>\d+)/(?P<total>\d+) \| (?P<left>[^|]*) \|$", re.MULTILINE)


def documented(text: str) -> dict[str, tuple[int, frozenset[str]]]:
    """What the document says of each trick: how many orders are tried, and which escape."""
    return {row["trick"]: (int(row["total"]), frozenset(row["left"].split(", ")) - {""}) for row in _ROW.finditer(text)}


def documented_pairs(text: str) -> dict[str, frozenset[str]]:
    """The orders that the document says escape under pairs of the sample."""
    return {row["pair"]: frozenset(row["left"].split(", ")) for row in _PAIR.finditer(text)}


def build(counts: Counts) -> str:
    """The document.

    Args:
        counts: what was measured.
    """
    total, left = sum(map(tried, tricks())), sum(map(len, counts.tricks.values()))
    text = HEAD.format(
        payloads=len(payloads()),
        prose=sum(not payload.command for payload in payloads()),
        commands=sum(payload.command for payload in payloads()),
        tricks=len(tricks()),
        hit=total - left,
        total=total,
        pair_hit=sum(hit for _, hit in counts.pairs.values()),
        pair_total=sum(tried for tried, _ in counts.pairs.values()),
        pair_count=len(sampled()),
        all_pairs=f"{sum(1 for _ in pairs()):,}",
        least=PAIRS_CAUGHT,
    )
    text += "## One trick\n"
    for kind, group in groupby(tricks(), key=lambda trick: trick.kind):
        text += f"\n### {kind.capitalize()}\n\n| trick | caught | escaped |\n| --- | --: | --- |\n"
        text += "".join(_row(trick, counts.tricks[trick.name]) for trick in group)
    text += "\n## Two tricks\n\n| first | then | caught |\n| --- | --- | --: |\n"
    text += "".join(f"| {inner} | {outer} | {hit}/{all_} |\n" for (inner, outer), (all_, hit) in counts.pairs.items())
    text += "\nPairs of the sample under which an order escapes:\n\n| pair | escaped |\n| --- | --- |\n"
    text += "".join(f"| {pair} | {', '.join(left)} |\n" for pair, left in counts.escaped.items())
    text += "\n## Other languages\n\n| language | caught |\n| --- | --: |\n"
    names = {"en": "English", **LANGUAGES}
    text += "".join(f"| {names[code]} | {hit}/{all_} |\n" for code, (all_, hit) in counts.languages.items())
    text += TAIL + "| slip | caught |\n| --- | --: |\n"
    return text + "".join(f"| {name} | {hit}/{all_} |\n" for name, (all_, hit) in counts.slips.items())


def _row(trick: Trick, left: list[str]) -> str:
    return f"| {trick.name} | {tried(trick) - len(left)}/{tried(trick)} | {', '.join(left)} |\n"
