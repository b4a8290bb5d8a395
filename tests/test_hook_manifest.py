"""The manifest that pre-commit reads: which files each hook gets, and what it runs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

VAULT = ("a.md", "deep/er/b.MD", "board.canvas", "x.base", "data.jsonl", "page.html", ".env", "notes/list.txt")
SKILLS = ("skills/a/SKILL.md", ".claude/skills/a/scripts/run.py", "SKILL.md", "x/skills/logo.png")
MEMORY = (
    "MEMORY.md",
    "home/memories/USER.md",
    "AGENTS.md",
    "sub/CLAUDE.local.md",
    ".cursorrules",
    ".cursor/rules/style.mdc",
    "memory/2026-01-01.md",
    ".github/copilot-instructions.md",
)
INTENDED = {"inkgate-vault": VAULT, "inkgate-skills": SKILLS, "inkgate-memory": MEMORY}
OTHERS = {
    "inkgate-vault": (
        "photo.png",
        "run.py",
        "md",
        "a.md.bak",
        ".obsidian/plugins/x/data.json",
        "node_modules/a/README.md",
    ),
    "inkgate-skills": ("skills.md", "notes/my-skills/a.md", "SKILL.md.orig", "skills"),
    "inkgate-memory": ("notes/memory-of-rome.md", "MEMORY.md.bak", "user.mdx", "memory/photo.png", "my-agents.md"),
}


@pytest.fixture(scope="session")
def manifest(root: Path) -> dict[str, dict[str, Any]]:
    """The hooks by id."""
    return {hook["id"]: hook for hook in yaml.safe_load((root / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))}


def test_both_manifests_are_one(root: Path) -> None:
    """The visible copy is the hidden file that pre-commit reads, byte for byte."""
    assert (root / "pre-commit-hooks.yaml").read_bytes() == (root / ".pre-commit-hooks.yaml").read_bytes()


def test_the_hooks_are_the_promised_ones(manifest: dict[str, dict[str, Any]]) -> None:
    """Three hooks, by the ids that users pin."""
    assert set(manifest) == set(INTENDED)


@pytest.mark.parametrize("hook", sorted(INTENDED))
def test_a_hook_gets_its_files_and_no_others(hook: str, manifest: dict[str, dict[str, Any]]) -> None:
    """`files` takes every intended path and leaves the others, as pre-commit applies it."""

    assert [path for path in INTENDED[hook] if not given(manifest[hook], path)] == []
    assert [path for path in OTHERS[hook] if given(manifest[hook], path)] == []


def given(entry: dict[str, Any], path: str) -> bool:
    """Whether a hook gets a file."""
    return bool(re.search(entry["files"], path)) and not re.search(entry.get("exclude", "^$"), path)


MORE = (
    "skills/a/memory/b.md",
    "skills/USER.md",
    "skills/a/notes/c.md",
    "memory/d/e.json",
    "a/skills.md",
    "skill.md.txt",
)


@pytest.mark.parametrize("path", [*VAULT, *SKILLS, *MEMORY, *MORE])
def test_each_file_goes_to_one_hook(path: str, manifest: dict[str, dict[str, Any]]) -> None:
    """Nothing is reported twice, and nothing that one of them is for falls between them."""
    assert len([hook for hook, entry in manifest.items() if given(entry, path)]) == 1


@pytest.mark.parametrize("hook", sorted(INTENDED))
def test_no_hook_can_be_blinded_by_a_tag(hook: str, manifest: dict[str, dict[str, Any]]) -> None:
    """Files are chosen by name; a tag such as `text` would drop a note with a NUL in it."""
    entry = manifest[hook]
    assert entry["types"] == ["file"]
    assert not {"types_or", "exclude_types"} & set(entry)
    assert entry["language"] == "python"
    assert entry.get("pass_filenames", True)


@pytest.mark.parametrize("hook", sorted(INTENDED))
def test_what_a_hook_runs_is_a_valid_command(hook: str, manifest: dict[str, dict[str, Any]]) -> None:
    """The entry and its options are taken by the command line of this version."""
    from inkgate.cli.parser import build_parser

    words = manifest[hook]["entry"].split() + manifest[hook]["args"] + ["a.md"]
    assert words[0] == "inkgate"
    arguments = build_parser().parse_args(words[1:])
    assert vars(arguments)
