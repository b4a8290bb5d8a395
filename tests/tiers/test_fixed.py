"""The fixed core stays still: no step writes it under any spelling, and an attempt is a finding in the ledger."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from inkgate.model import Verdict
from inkgate.tiers import Desk, Kind, Proposal, Source, Step, Tiers
from inkgate.tiers.fixed import RULE, attempt

CORE = [
    "SOUL", "SOUL.md", "soul.MD", "AGENTS.md", "CLAUDE", "MEMORY.md", "USER", "notes/../AGENTS.md", ".hermes.md",
    "memory.md.", "MEMORY.md ", "Notes\\CLAUDE.md", "ＭＥＭＯＲＹ.md", "М\u0415MORY.md", "MEM\u200bORY.md",
    ".cursorrules",
    ".claude/settings.json", "hooks/pre-write.sh", ".git/config", ".husky/pre-commit", "hooks.json", "a/.hermes/x.md",
    "GEMINI.md",
]  # fmt: skip
FREE = [
    "Projects/Harbor",
    "Notes on memory",
    "My soul music",
    "user guide",
    "Sessions/2026-11-30 agents 0a1b2c",
    "Hook",
]


@pytest.mark.parametrize("name", CORE)
def test_a_name_of_the_core_is_a_finding(name: str) -> None:
    """Whatever a file system or a reader would take it for."""
    found = attempt(name)
    assert found is not None
    assert (found.rule, found.verdict) == (RULE, Verdict.BLOCK)


@pytest.mark.parametrize("name", FREE)
def test_other_names_are_free(name: str) -> None:
    """Notes may speak of the core."""
    assert attempt(name) is None


@pytest.mark.parametrize("kind", [Kind.NOTE, Kind.REPLACE_NOTE, Kind.SKILL, Kind.EDIT_SKILL, Kind.PATCH_SKILL])
@pytest.mark.parametrize("name", ["AGENTS", "SOUL.md", "../.claude/CLAUDE.md"])
def test_no_step_writes_there(kind: Kind, name: str, desk: Desk, tiers: Tiers) -> None:
    """Blocked before any gate is asked, recorded with the rule, and nothing is on the disk."""
    done = desk.apply(Proposal(Step.DRIFT, kind, name, "a fact", Source("session", "s"), old_text="x"))
    assert (done.outcome, done.code, done.findings[0].rule) == ("blocked", "fixed-core", RULE)
    (record,) = tiers.memory.store.ledger.records()
    assert (record.event, record.rules, record.facts["code"]) == ("tier", (RULE,), "fixed-core")
    assert not any(path.suffix == ".md" for path in tiers.memory.store.home.rglob("*"))


def test_a_file_of_a_skill_is_no_way_round(desk: Desk) -> None:
    """The path counts as much as the name."""
    source = Source("session", "s")
    done = desk.apply(
        Proposal(Step.DRIFT, Kind.PATCH_SKILL, "tidy", "new", source, old_text="old", path="../AGENTS.md")
    )
    assert done.code == "fixed-core"


@pytest.mark.parametrize(
    "write",
    [
        lambda desk: desk.notes.append("AGENTS", "a fact\n", desk.origin(_some()), ""),
        lambda desk: desk.notes.append("../SOUL", "a fact\n", desk.origin(_some()), ""),
        lambda desk: desk.notes.append("MEMORY", "a fact\n", desk.origin(_some()), ""),
    ],
)
def test_the_gates_behind_refuse_as_well(write: Callable[[Desk], object], desk: Desk) -> None:
    """The steps are not the only guard of these names."""
    assert write(desk).outcome == "refused"


def _some() -> Proposal:
    return Proposal(Step.CONSOLIDATE, Kind.NOTE, "n", "t", Source("session", "s"))
