"""No order escapes under a trick, or in a language, beyond those that the document names."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from evasion.document import PAIRS_CAUGHT, documented, documented_pairs, tried
from evasion.markup import TYPOS
from evasion.table import LANGUAGES, Payload, Trick, caught, misses, pairs, payloads, sampled, tricks

QUICK = {"after 1,000,000 characters": ("injection",), "before 100,000 characters": ("injection", "pipe-to-shell")}
"""Tricks that cost time are tried on these orders only, except under `-m slow`."""

UNKNOWN_ABROAD = {("forgetting", "tr")}
"""Orders that are not known in a language yet."""


@cache
def known() -> dict[str, frozenset[str]]:
    """The orders that the document says escape, by trick."""
    text = (Path(__file__).resolve().parents[2] / "docs" / "evasion.md").read_text(encoding="utf-8")
    return {name: left for name, (_, left) in documented(text).items()}


def test_document(root: Path) -> None:
    """The document names every trick once, with the number of orders that it is tried on."""
    text = (root / "docs" / "evasion.md").read_text(encoding="utf-8")

    assert {name: total for name, (total, _) in documented(text).items()} == {t.name: tried(t) for t in tricks()}
    assert f"{len(tricks())} tricks" in text
    assert f"{sum(1 for _ in pairs()):,} pairs" in text


@pytest.mark.parametrize("payload", payloads(), ids=lambda payload: payload.name)
def test_plain(payload: Payload) -> None:
    """An order is caught as it stands, in each of its languages."""
    left = {(payload.name, name) for name, text in payload.versions() if not caught(text)}

    assert left <= UNKNOWN_ABROAD


@pytest.mark.parametrize("trick", tricks(), ids=lambda trick: trick.name)
def test_trick(trick: Trick) -> None:
    """No order escapes under a single trick but those that the document names."""
    assert set(misses(trick.write, [trick], QUICK.get(trick.name))) <= known()[trick.name]


def escaped(inner: Trick, outer: Trick, names: list[str] | None = None) -> set[str]:
    """The orders that escape under two tricks and under neither of them alone."""
    left = misses(lambda text: outer.write(inner.write(text)), [inner, outer], names)
    return set(left) - known()[inner.name] - known()[outer.name]


@pytest.mark.parametrize("part", range(10))
def test_pairs(part: int) -> None:
    """No order escapes under two tricks of a sample that does not under one, but those that the document names."""
    text = (Path(__file__).resolve().parents[2] / "docs" / "evasion.md").read_text(encoding="utf-8")
    told = documented_pairs(text)
    names = [payload.name for payload in payloads()]
    left = {
        pair: new
        for at, (inner, outer) in list(enumerate(sampled()))[part::10]
        for pair in [f"{inner.name} + {outer.name}"]
        if (new := escaped(inner, outer, names[at % 4 :: 4]) - told.get(pair, frozenset()))
    }

    assert left == {}


@pytest.mark.slow
def test_all_pairs() -> None:
    """Hardly an order escapes under any two tricks that can be laid over one another."""
    total = left = 0
    for inner, outer in pairs():
        total += tried(inner, outer)
        left += len(escaped(inner, outer))

    assert left <= (1 - PAIRS_CAUGHT) * total


@pytest.mark.slow
@pytest.mark.parametrize("name", QUICK)
def test_far(name: str) -> None:
    """Every order is caught behind and before a long text."""
    trick = next(trick for trick in tricks() if trick.name == name)

    assert misses(trick.write, [trick]) == []


@pytest.mark.parametrize(("slip", "least"), [("letters swapped", 15), ("letter missing", 15), ("letter doubled", 15)])
def test_slips(slip: str, least: int) -> None:
    """One slip in each telling word hides no order."""
    prose = [payload.text for payload in payloads() if not payload.command]

    assert sum(caught(TYPOS[slip](text)) for text in prose) >= least


def test_languages() -> None:
    """Every language of the table has orders."""
    assert set(LANGUAGES) == {code for payload in payloads() for code in payload.translations}
