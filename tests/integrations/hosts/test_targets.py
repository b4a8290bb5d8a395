"""What a path says about the text in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkgate.integrations.hosts.targets import is_durable, is_note, target_of, targets_of


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/home/u/.hermes/memories/MEMORY.md", "memory"),
        ("/home/u/.hermes/memories/USER.md", "user"),
        ("memory.MD", "memory"),
        ("/home/u/.hermes/logs/agent.log", "context"),
        ("/home/u/.claude/projects/p/memory/topic.md", "memory"),
        ("C:\\Users\\u\\.codex\\memories\\a.md", "memory"),
        ("/home/u/.claude/skills/x/scripts/run.py", "skill"),
        ("skill/SKILL.md", "skill"),
        ("repo/AGENTS.md", "context"),
        ("repo/.cursor/rules/a.mdc", "context"),
        ("repo/.claude/settings.json", "context"),
        ("repo/.github/copilot-instructions.md", "context"),
        ("notes/2026/day.md", "vault"),
        ("src/main.py", "vault"),
        ("x", "vault"),
    ],
)
def test_names_and_folders_tell(path: str, target: str) -> None:
    """The name comes first, then the folders; letter case and the kind of slash do not count."""
    assert target_of(path) == target


def test_a_link_is_judged_as_both(tmp_path: Path) -> None:
    """A note that leads to a memory is a memory as well."""
    (tmp_path / "memories").mkdir()
    (tmp_path / "memories" / "a.md").write_text("x")
    (tmp_path / "note.txt").symlink_to(tmp_path / "memories" / "a.md")
    assert targets_of(tmp_path / "note.txt") == ("memory", "vault")


def test_a_vault_is_durable(tmp_path: Path) -> None:
    """What lies below a folder with `.obsidian` is kept, whatever its kind."""
    (tmp_path / ".obsidian").mkdir()
    assert is_durable(tmp_path / "a" / "b.py")
    assert is_note(tmp_path / "c.md")
    assert not is_durable(Path("/nowhere/c.md"))
    assert is_durable(Path("/nowhere/.claude/settings.json"))
    assert not is_durable(Path("/nowhere/.hermes/logs/agent.log"))
