"""Which durable text a file is."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkgate.lint.targets import is_skill, target_for
from inkgate.model import Target


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("MEMORY.md", Target.MEMORY),
        ("memories/memory.md", Target.MEMORY),
        ("a/USER.md", Target.USER),
        ("skills/x/SKILL.md", Target.SKILL),
        ("AGENTS.md", Target.CONTEXT),
        ("deep/Claude.md", Target.CONTEXT),
        ("GEMINI.md", Target.CONTEXT),
        ("SOUL.md", Target.CONTEXT),
        (".hermes.md", Target.CONTEXT),
        (".cursorrules", Target.CONTEXT),
        (".windsurfrules", Target.CONTEXT),
        (".cursor/rules/style.mdc", Target.CONTEXT),
        (".github/copilot-instructions.md", Target.CONTEXT),
        (".github/instructions/py.instructions.md", Target.CONTEXT),
        (".claude/commands/deploy.md", Target.CONTEXT),
        ("notes/today.md", Target.VAULT),
        ("notes/agents.md.txt", Target.VAULT),
        ("board.canvas", Target.VAULT),
        ("", Target.VAULT),
    ],
)
def test_names_say_what_a_file_is(path: str, target: Target) -> None:
    """The name decides, in any case of letters, and everything else is a note."""
    assert target_for(path, skill=False) is target


def test_everything_below_a_skill_file_is_skill(tmp_path: Path) -> None:
    """Scripts, references and agent files in a skill's folder belong to the skill; memory stays memory."""
    (tmp_path / "s" / "scripts").mkdir(parents=True)
    (tmp_path / "s" / "SKILL.md").write_text("x")

    assert target_for(tmp_path / "s" / "scripts" / "run.sh") is Target.SKILL
    assert target_for(tmp_path / "s" / "AGENTS.md") is Target.SKILL
    assert target_for(tmp_path / "s" / "MEMORY.md") is Target.MEMORY
    assert target_for(tmp_path / "notes.md") is Target.VAULT


def test_the_search_for_a_skill_ends_at_the_top_of_a_repository(tmp_path: Path) -> None:
    """A `SKILL.md` above a repository says nothing about the repository."""
    (tmp_path / "SKILL.md").write_text("x")
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / "sub").mkdir()

    assert not is_skill(tmp_path / "repo" / "sub")
    assert is_skill(tmp_path / "other")
