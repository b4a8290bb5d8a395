"""Expressions with cues: no match of theirs goes without one."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from itertools import product
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

import pytest

from inkgate.code.script_search import Cued

MODULES = ("script", "script_calls", "script_flow", "script_sends")
UNKNOWN = "\x00"
TOLD = "\x01"
MOST = 200_000


def held(value: object) -> Iterator[Cued]:
    """The expressions with cues in a value."""
    if isinstance(value, Cued):
        yield value
    elif isinstance(value, tuple):
        for item in value:
            yield from held(item)


CUED = [
    pytest.param(item, id=f"{module}.{name}")
    for module in MODULES
    for name, value in vars(importlib.import_module(f"inkgate.code.{module}")).items()
    for item in held(value)
]


def shapes(parsed: Any, cues: Cued) -> set[str]:
    """What the matches of an expression without a cue look like, with a sign for what may be anything."""
    out = {""}
    for code, value in parsed:
        joined = {f"{one}{other}".replace(UNKNOWN * 2, UNKNOWN) for one, other in product(out, part(code, value, cues))}
        out = {TOLD if TOLD in shape or cues.told(shape) else shape for shape in joined}
        assert len(out) < MOST
    return out


def part(code: Any, value: Any, cues: Cued) -> set[str]:
    """The shapes of one part of an expression; what stands ahead of it stands in the script as well."""
    if code is sre.LITERAL:
        return {chr(value)}
    if code is sre.SUBPATTERN:
        return shapes(value[3], cues)
    if code is sre.ATOMIC_GROUP:
        return shapes(value, cues)
    if code is sre.BRANCH:
        return set().union(*(shapes(branch, cues) for branch in value[1]))
    if code is sre.IN:
        plain = {chr(item) for kind, item in value if kind is sre.LITERAL}
        return plain if len(plain) == len(value) <= 4 else {UNKNOWN}
    if code in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
        least, most, inner = value
        end = "" if most == 1 else UNKNOWN
        return {f"{shape}{end}" for shape in shapes(inner, cues)} | ({""} if not least else set())
    if code is sre.ASSERT:
        return {f"{shape}{UNKNOWN}" for shape in shapes(value[1], cues)}
    return {""} if code in (sre.AT, sre.ASSERT_NOT) else {UNKNOWN}


@pytest.mark.parametrize("item", CUED)
def test_every_match_holds_a_cue(item: Cued) -> None:
    """By the shapes of all matches, and not by samples."""
    parsed = parser.parse(item.pattern.pattern, item.pattern.flags & ~re.UNICODE)
    assert sorted(shapes(parsed, item) - {TOLD}) == []


def test_a_missing_cue_is_seen() -> None:
    """The check can fail."""
    parsed = parser.parse(r"\b(?:alpha|be(?:ta|st)|gam{1,3}a)\s{0,2}\((?=x)")
    assert shapes(parsed, Cued("", ("alpha", "(x"))) == {TOLD}
    assert shapes(parsed, Cued("", ("alpha",))) - {TOLD} == {
        f"{head}{tail}"
        for head in ("beta", "best", f"gam{UNKNOWN}a")
        for tail in (f"(x{UNKNOWN}", f"{UNKNOWN}(x{UNKNOWN}")
    }


def test_cues_have_small_letters() -> None:
    """They are looked for in the script in small letters."""
    assert len(CUED) > 20
    assert [cue for item in CUED for cue in item.values[0].cues if cue != cue.lower()] == []  # type: ignore[attr-defined]


def test_without_a_cue_nothing_is_looked_for() -> None:
    """And with one, in whatever case, everything is."""
    item = Cued(r"\bab{1,2}\b", ("ab",), re.IGNORECASE)
    assert item.search("x") is None
    assert list(item.finditer("x")) == []
    assert [hit[0] for hit in item.finditer("AB abb")] == ["AB", "abb"]
    assert Cued("x", ("a",)).search("x") is None
    found = Cued("A", (), exact=("A",)).search("xA")
    assert found is not None
    assert found.start() == 1
