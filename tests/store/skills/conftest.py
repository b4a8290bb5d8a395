"""A gate of skills without rules: what is tested here is the disk, the names and the history."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from inkgate.gate.skills import SkillGate
from inkgate.lint.skills.check import SkillCheck
from inkgate.model import Verdict
from inkgate.policy import Trust
from inkgate.store import Durability
from inkgate.store.skills import SkillRequest, Tree


def all_clear(name: str, tree: Tree) -> SkillCheck:
    """A scan that finds nothing."""
    return SkillCheck(Verdict.ALLOW, (), (), len(tree), Trust.COMMUNITY)


@pytest.fixture(name="gate")
def _gate(tmp_path: Path) -> SkillGate:
    return SkillGate(tmp_path, scan=all_clear, durability=Durability.NONE)


@pytest.fixture(name="manifest")
def _manifest() -> Callable[..., str]:
    def manifest(name: str = "tea", body: str = "Warm the pot.\n", description: str = "How to make tea.") -> str:
        return f"---\nname: {name}\ndescription: {description}\n---\n{body}"

    return manifest


@pytest.fixture(name="save")
def _save(gate: SkillGate) -> Callable[[SkillRequest], None]:
    """Submit a request that must be saved."""

    def save(request: SkillRequest) -> None:
        decision = gate.submit(request)
        assert decision.saved, (decision.code, decision.message)

    return save
