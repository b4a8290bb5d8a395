"""`inkgate skill`: what it changes and prints, what needs a person; and its staged writes under `inkgate review`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from inkgate.cli import main
from inkgate.gate.skills import SkillGate

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(name="run")
def _run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*words: str) -> tuple[int, str, str]:
        code = main([*words, "--home", str(tmp_path / "home")])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


@pytest.fixture(name="source")
def _source(tmp_path: Path) -> Path:
    """A skill's folder that somebody has written."""
    folder = tmp_path / "source"
    (folder / "scripts").mkdir(parents=True)
    (folder / "assets").mkdir()
    (folder / "SKILL.md").write_text("---\nname: tea\ndescription: How to make tea.\n---\nWarm the pot.\n")
    (folder / "scripts" / "brew.sh").write_text("#!/bin/sh\necho brew\n")
    (folder / "assets" / "leaf.bin").write_bytes(b"\xff\x00\xfe")
    (folder / "forms.md").write_text("A form.\n")
    return folder


def test_a_folder_becomes_a_skill(run: Run, source: Path) -> None:
    """All its files come, and are listed and shown step by step."""
    code, out, _ = run("skill", "create", "tea", str(source), "--category", "kitchen")
    assert code == 0
    assert "Saved tea/scripts/brew.sh." in out
    code, out, _ = run("skill", "list")
    assert code == 0
    assert "kitchen/tea: How to make tea.\n" in out
    assert "1 skill, 0 archived; waiting for a person: 0\n" in out
    code, out, err = run("skill", "view", "tea")
    assert (code, out) == (0, (source / "SKILL.md").read_text())
    assert "beside it: assets/leaf.bin (3 bytes)" in err
    assert "beside it: forms.md (8 bytes)" in err
    assert run("skill", "view", "tea", "scripts/brew.sh")[1] == "#!/bin/sh\necho brew\n"
    assert "3 bytes that are no text" in run("skill", "view", "tea", "assets/leaf.bin")[1]


def test_changes_and_their_history(run: Run, source: Path, tmp_path: Path) -> None:
    """Edit, patch with its reason, write, remove, archive; every state is told and can be shown."""
    assert run("skill", "create", "tea", str(source / "SKILL.md"))[0] == 0
    assert run("skill", "patch", "tea", "Warm", "Heat", "--reason", "It was cold.")[0] == 0
    note = tmp_path / "note.py"
    note.write_text("print(1)\n")
    assert run("skill", "write", "tea", "scripts/note.py", str(note), "--executable")[0] == 0
    assert run("skill", "remove", "tea", "scripts/note.py")[0] == 0
    (source / "SKILL.md").write_text((source / "SKILL.md").read_text() + "Pour.\n")
    assert run("skill", "edit", "tea", str(source / "SKILL.md"))[0] == 0
    assert run("skill", "archive", "tea")[0] == 0
    code, out, _ = run("skill", "history", "tea")
    assert code == 0
    heads = [line.split()[2] for line in out.splitlines() if not line.startswith(" ")]
    assert heads == ["create", "patch", "write", "remove", "edit", "archive"]
    assert "because: It was cold." in out
    assert "command line" in out
    first = out.split()[0]
    assert "Warm the pot." in run("skill", "view", "tea", "--version", first)[1]
    assert run("skill", "view", "tea")[0] == 2


def test_a_patch_must_say_why(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a reason it is no command."""
    assert run("skill", "patch", "tea", "a", "b")[0] == 2


def test_refusals_and_errors_have_their_exit_codes(run: Run, source: Path) -> None:
    """Refused is 1, impossible is 2; both say why on the error stream."""
    code, out, err = run("skill", "archive", "none")
    assert (code, out) == (1, "")
    assert "There is no skill none." in err
    code, _, err = run("skill", "create", "Tea", str(source))
    assert code == 1
    assert "lower-case letters" in err
    for words in (("view", "none"), ("history", "none"), ("edit", "tea", str(source / "none"))):
        code, _, err = run("skill", *words)
        assert code == 2
        assert err


def test_standing_text_is_paged(run: Run, source: Path, tmp_path: Path) -> None:
    """A long file needs an offset, and the output says where the next page begins."""
    run("skill", "create", "tea", str(source))
    long = tmp_path / "long.md"
    long.write_text("line of text\n" * 10_000)
    assert run("skill", "write", "tea", "references/long.md", str(long))[0] == 0
    code, _, err = run("skill", "view", "tea", "references/long.md")
    assert code == 2
    assert "page by page" in err
    code, _, err = run("skill", "view", "tea", "references/long.md", "--start", "0")
    assert code == 0
    assert "--start 100000" in err


def test_restoring_needs_a_person(run: Run, source: Path, typed: Callable[[str], None]) -> None:
    """Without a terminal nothing comes back; with one, the archived skill or a version does."""
    run("skill", "create", "tea", str(source))
    run("skill", "patch", "tea", "Warm", "Heat", "--reason", "r")
    run("skill", "archive", "tea")
    code, _, err = run("skill", "restore", "tea")
    assert code == 2
    assert "needs a person" in err
    typed("restore")
    assert run("skill", "restore", "tea")[0] == 0
    assert "Heat the pot." in run("skill", "view", "tea")[1]
    typed("restore")
    assert run("skill", "restore", "tea", "--version", "1")[0] == 0
    assert "Warm the pot." in run("skill", "view", "tea")[1]


def test_a_staged_write_is_reviewed_where_it_was_staged(
    run: Run, source: Path, typed: Callable[[str], None], tmp_path: Path
) -> None:
    """Review lists it beside the others, shows the whole change, and applies it below the root that it is for."""
    settings = tmp_path / "gate.toml"
    settings.write_text("[skill]\napproval = true\n")
    root = tmp_path / "elsewhere"
    where = ("--settings", str(settings), "--root", str(root), "--skill-profile", "claude-code")
    code, _, err = run("skill", "create", "tea_2.0", str(source), *where)
    assert code == 1
    assert "Staged for approval" in err
    assert not (root / "tea_2.0").exists()
    code, out, _ = run("review", "list")
    assert "create skill tea_2.0/SKILL.md" in out
    pending = out.split()[0]
    code, out, _ = run("review", "show", pending)
    assert code == 0
    assert "+Warm the pot." in out
    assert "+echo brew" in out
    assert "3 bytes that are no text" in out
    typed(pending)
    assert run("review", "approve", pending)[0] == 0
    assert (root / "tea_2.0" / "assets" / "leaf.bin").read_bytes() == b"\xff\x00\xfe"
    assert "No pending writes." in run("review", "list")[1]
    version = SkillGate(tmp_path / "home", root).store.history("tea_2.0")[-1]
    assert version.origin.source == "command line"


def test_what_is_shown_is_safe_for_a_terminal(run: Run, tmp_path: Path) -> None:
    """Escape sequences of a file, and of a name that somebody else chose, are written out."""
    folder = tmp_path / "home" / "skills" / "odd\x1b[2J"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text('---\nname: odd\ndescription: "red \\e[31m"\n---\n\x1b[31m')
    for words in (("list",), ("view", "odd\x1b[2J")):
        code, out, err = run("skill", *words)
        assert code == 0
        assert "\x1b" not in out + err


def test_a_secret_in_a_description_is_not_listed(run: Run, tmp_path: Path) -> None:
    """A folder that was put there by hand may say anything."""
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"[:36]
    folder = tmp_path / "home" / "skills" / "tea"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(f"---\nname: tea\ndescription: Use {secret} to make tea.\n---\nWarm it.\n")
    code, out, err = run("skill", "list")
    assert code == 0
    assert "tea: Use [secret: " in out
    assert secret[4:] not in out + err
