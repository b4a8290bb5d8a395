"""How rare a literal is in ordinary text: an estimate that decides what is looked for, and changes no finding."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from math import fsum

__all__ = ["rate"]

_JOINED = 0.02
_UNKNOWN = 30.0  # per million characters: a word of three letters that the table does not list
_FOREIGN = 200.0


def rate(literals: Iterable[str]) -> float:
    """How often any of some literals stands in a million characters of collapsed English text about software."""
    return fsum(map(_rate, literals))  # whatever the order


@cache
def _rate(literal: str) -> float:
    """A literal is as rare as the rarest word in it, and rarer when there are more."""
    runs = literal.split()
    if not runs:
        return 100_000.0
    last = len(runs) - 1
    rates = [
        _run_rate(run, index > 0 or literal[0] == " ", index < last or literal[-1] == " ")
        for index, run in enumerate(runs)
    ]
    return min(rates) * _JOINED**last


@cache
def _run_rate(run: str, left: bool, right: bool) -> float:
    """Words of the table that hold the run (where the word begins or ends if it is bounded), and a guess for others."""
    if not run.isascii():
        return _FOREIGN * 0.25 ** len(run)
    total = _UNKNOWN * 0.5 ** (len(run) - 3) * (1 if left and right else 2)
    text, rates = _table()
    literal = " " * left + run + " " * right
    at = text.find(literal)
    while at >= 0:
        at = text.rfind("\n", 0, at) + 1
        stop = text.index("\n", at)
        total += rates[at]
        at = text.find(literal, stop)
    return total


@cache
def _table() -> tuple[str, dict[int, float]]:
    """The words of the table, each a line between blanks, and the rate of each by the offset of its line."""
    from inkgate.match._rarity_table import RATES

    lines, rates, size = [], {}, 0
    for each, words in RATES.items():
        for word in words.split():
            rates[size] = float(each)
            lines.append(f" {word} \n")
            size += len(lines[-1])
    return "".join(lines), rates
