"""What attackers use has honest uses: an ordinary note under any of them stays ordinary."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evasion.ordinary import NOTES, THINGS, USES
from inkgate import ScanResult, Target, Verdict, scan_text


def seen(result: ScanResult) -> list[str]:
    """The rules that keep a text from passing."""
    return [found.rule for found in result.findings if found.verdict is not Verdict.ALLOW]


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_notes(use: Callable[[str], str]) -> None:
    """No ordinary note is judged worse for the way it is written than as it stands, and none is blocked."""
    judged = [(note, scan_text(note).verdict, scan_text(use(note))) for note in NOTES]

    assert [(note, seen(new)) for note, old, new in judged if new.verdict.rank > old.rank] == []
    assert [(note, seen(new)) for note, _, new in judged if new.verdict is Verdict.BLOCK] == []
    assert sum(old is Verdict.STAGE for _, old, _ in judged) <= 1


@pytest.mark.parametrize("target", [Target.MEMORY, Target.VAULT, Target.SKILL])
@pytest.mark.parametrize("thing", THINGS.values(), ids=THINGS)
def test_things(thing: str, target: Target) -> None:
    """Codes, tables, names and formulas are left alone."""
    result = scan_text(thing, target=target)

    assert (result.verdict, seen(result)) == (Verdict.ALLOW, [])
