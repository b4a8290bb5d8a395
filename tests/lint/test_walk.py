"""Which files a run is about: all of them, each once, in a fixed order, and nothing left out in silence."""

from __future__ import annotations

import inspect
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from inkgate.lint import ignored
from inkgate.lint.walk import Item, Tally, walk
from inkgate.model import Target

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def make(root: Path, *names: str) -> None:
    """Files with a line of text, and the folders that they lie in."""
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("text\n")


def git(root: Path, *arguments: str) -> None:
    """Run git in a folder, without anybody's configuration."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(root), "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "-C", str(root), *arguments], check=True, capture_output=True, env=environment)


def names(items: list[Item], root: Path) -> list[str]:
    """Sources relative to the root, those with a problem marked by an exclamation mark."""
    prefix = root.as_posix() + "/"
    return [item.source.removeprefix(prefix) + "!" * (item.problem is not None) for item in items]


def test_a_folder_is_walked_in_the_order_of_names(tmp_path: Path) -> None:
    """Order depends on the names alone; each file has its target and can be opened by its path."""
    make(tmp_path, "b.md", "a/z.md", "a/B.md", "MEMORY.md", "c/SKILL.md", "c/run.sh", "Z/AGENTS.md")
    items = list(walk([tmp_path]))

    assert names(items, tmp_path) == ["MEMORY.md", "Z/AGENTS.md", "a/B.md", "a/z.md", "b.md", "c/SKILL.md", "c/run.sh"]
    assert [item.target.value for item in items] == ["memory", "context", "vault", "vault", "vault", "skill", "skill"]
    assert all(Path(item.path).is_file() for item in items)


def test_the_current_folder_has_plain_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sources are as short as the user would write them."""
    make(tmp_path, "a/x.md", "y.md")
    monkeypatch.chdir(tmp_path)

    assert [item.source for item in walk(["."])] == ["a/x.md", "y.md"]
    assert [item.source for item in walk(["a/"])] == ["a/x.md"]


def test_each_file_comes_once(tmp_path: Path) -> None:
    """Paths that overlap give no file twice."""
    make(tmp_path, "a/x.md", "y.md")

    assert names(list(walk([tmp_path / "y.md", tmp_path / "a", tmp_path])), tmp_path) == ["y.md", "a/x.md"]


@pytest.mark.parametrize("name", ["missing.md", "missing/x.md", "a\0b", "x" * 5000])
def test_a_path_that_is_none_is_a_fatal_problem(tmp_path: Path, name: str) -> None:
    """A file that was named and is not there cannot be clean."""
    (item,) = walk([f"{tmp_path}/{name}"])

    assert item.problem is not None
    assert item.problem.fatal


def test_a_file_without_a_repository_is_never_left_out(tmp_path: Path) -> None:
    """An ignore file counts only where git says so."""
    make(tmp_path, "x.log")
    (tmp_path / ".gitignore").write_text("*\n")

    assert names(list(walk([tmp_path])), tmp_path) == [".gitignore", "x.log"]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with ignored files and folders."""
    root = tmp_path / "repo"
    make(root, "a.md", "debug.log", "logs/kept.md", "node_modules/x/index.js", "sub/b.md", "sub/c.log", "forced.log")
    (root / ".gitignore").write_text("*.log\nnode_modules/\n")
    git(root, "init", "-q")
    git(root, "add", "-f", "forced.log")
    return root


@needs_git
def test_what_git_ignores_is_left_out_and_counted(repository: Path) -> None:
    """Ignored files are left out unless they are tracked; a folder counts once."""
    tally = Tally()

    assert names(list(walk([repository], tally=tally)), repository) == [
        ".gitignore",
        "a.md",
        "forced.log",
        "logs/kept.md",
        "sub/b.md",
    ]
    assert (tally.ignored, tally.repositories, tally.remarks) == (3, 1, [])


@needs_git
def test_named_paths_are_given_out_though_ignored(repository: Path) -> None:
    """A file or folder that is named is meant, and `gitignore=False` means everything."""
    assert names(list(walk([repository / "debug.log"])), repository) == ["debug.log"]
    assert names(list(walk([repository / "node_modules"])), repository) == ["node_modules/x/index.js"]
    assert len(list(walk([repository], gitignore=False))) == 8


@needs_git
def test_rules_of_the_top_hold_in_a_folder_below(repository: Path) -> None:
    """Walking a part of a repository leaves out the same files."""
    tally = Tally()

    assert names(list(walk([repository / "sub"], tally=tally)), repository) == ["sub/b.md"]
    assert tally.ignored == 1


@needs_git
def test_a_repository_in_a_repository_has_its_own_rules(repository: Path) -> None:
    """Git does not look into inner repositories, so they are asked one by one."""
    inner = repository / "inner"
    make(inner, "x.tmp", "y.md", "z.log")
    (inner / ".gitignore").write_text("*.tmp\n")
    git(inner, "init", "-q")

    assert "inner/y.md" in names(list(walk([repository])), repository)
    assert "inner/z.log" in names(list(walk([repository])), repository)
    assert "inner/x.tmp" not in names(list(walk([repository])), repository)


@needs_git
def test_an_ignore_file_of_a_skill_hides_nothing(repository: Path) -> None:
    """Who wrote the skill does not decide which of its files are scanned."""
    make(repository, "skills/s/SKILL.md", "skills/s/hidden/payload.md", "skills/s/out.log")
    before = names(list(walk([repository])), repository)
    (repository / "skills" / "s" / ".gitignore").write_text("hidden/\n")
    after = names(list(walk([repository])), repository)

    assert "skills/s/out.log" not in before
    assert {"skills/s/hidden/payload.md", "skills/s/out.log"} <= set(after)


@needs_git
def test_configuration_of_a_repository_runs_and_moves_nothing(repository: Path, tmp_path: Path) -> None:
    """A hostile repository cannot start a program, nor point git at another tree."""
    ran = tmp_path / "ran"
    script = tmp_path / "run.sh"
    script.write_text(f"#!/bin/sh\ntouch '{ran}'\n")
    script.chmod(0o755)
    git(repository, "config", "core.fsmonitor", str(script))
    assert "debug.log" not in names(list(walk([repository])), repository)
    assert not ran.exists()

    make(tmp_path / "elsewhere", "a.md")
    (tmp_path / "elsewhere" / ".gitignore").write_text("a.md\n")
    git(repository, "config", "core.worktree", str(tmp_path / "elsewhere"))
    tally = Tally()
    assert "a.md" in names(list(walk([repository], tally=tally)), repository)
    assert len(tally.remarks) == 1


@needs_git
@pytest.mark.parametrize("how", ["missing", "failing", "slow"])
def test_when_git_does_not_answer_nothing_is_left_out(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """Without git's word every file is scanned, and a remark says so."""
    tools = tmp_path / "bin"
    tools.mkdir()
    if how != "missing":
        (tools / "git").write_text(
            "#!/bin/sh\n" + ("echo no >&2; exit 128\n" if how == "failing" else "exec /bin/sleep 9\n")
        )
        (tools / "git").chmod(0o755)
    monkeypatch.setenv("PATH", str(tools))
    monkeypatch.setattr(ignored, "_TIMEOUT", 0.3)
    tally = Tally()

    assert len(list(walk([repository], tally=tally))) == 8
    assert [remark.startswith(repository.as_posix()) for remark in tally.remarks] == [True]
    assert tally.ignored == 0


@needs_git
def test_the_environment_of_a_hook_does_not_mislead(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`GIT_DIR` and its like, as a commit hook sees them, are not passed on."""
    monkeypatch.setenv("GIT_DIR", "/nonexistent")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nonexistent")

    assert "debug.log" not in names(list(walk([repository])), repository)


def test_a_folder_only_called_git_is_walked(tmp_path: Path) -> None:
    """Text under `.git` is scanned unless it is a real repository's data, which is reported in a skill."""
    make(tmp_path, ".git/notes.md", "a.md")
    assert names(list(walk([tmp_path])), tmp_path) == [".git/notes.md", "a.md"]

    make(tmp_path, ".git/HEAD", ".git/objects/x", ".git/refs/x")
    assert names(list(walk([tmp_path], gitignore=False)), tmp_path) == ["a.md"]

    make(tmp_path, "SKILL.md")
    assert names(list(walk([tmp_path], gitignore=False)), tmp_path) == [".git!", "SKILL.md", "a.md"]


def test_plugin_code_of_a_vault_is_listed_not_read(tmp_path: Path) -> None:
    """Obsidian plugins are code; they are named as skipped, but not where they could hide a skill's files."""
    make(tmp_path, ".obsidian/app.json", ".obsidian/plugins/p/main.js", "note.md")
    items = list(walk([tmp_path]))

    assert names(items, tmp_path) == [".obsidian/app.json", ".obsidian/plugins!", "note.md"]
    assert [item.problem.fatal for item in items if item.problem] == [False]
    make(tmp_path, "SKILL.md")
    assert ".obsidian/plugins/p/main.js" in names(list(walk([tmp_path])), tmp_path)


def test_links_within_the_folder_are_followed_to_files(tmp_path: Path) -> None:
    """A link to a file is a file of its own name; a link to a folder is walked where the folder is."""
    make(tmp_path, "a/x.md")
    (tmp_path / "MEMORY.md").symlink_to("a/x.md")
    (tmp_path / "b").symlink_to("a")
    items = list(walk([tmp_path]))

    assert names(items, tmp_path) == ["MEMORY.md", "a/x.md"]
    assert items[0].target is Target.MEMORY


def test_links_that_leave_the_folder_are_reported(tmp_path: Path) -> None:
    """Neither files nor folders outside are read; each such link is a finding."""
    make(tmp_path, "secret.md", "other/x.md", "root/a.md")
    root = tmp_path / "root"
    (root / "l1").symlink_to("../secret.md")
    (root / "l2").symlink_to(tmp_path / "other")
    (root / "l3").symlink_to("/nonexistent/file")
    (root / "l4").symlink_to("nowhere")
    items = list(walk([root]))

    assert names(items, root) == ["a.md", "l1!", "l2!", "l3!", "l4!"]
    assert [item.problem.rule for item in items if item.problem] == ["symlink-escape"] * 3 + [""]
    assert not any(item.problem.fatal for item in items if item.problem)


def test_a_link_to_another_part_of_the_repository_is_not_read(tmp_path: Path) -> None:
    """A link that stays in the repository but leaves the folder is listed, without a finding."""
    make(tmp_path, "x.md", "root/a.md")
    (tmp_path / ".git").mkdir()
    (tmp_path / "root" / "l").symlink_to("../x.md")
    (item,) = [item for item in walk([tmp_path / "root"], gitignore=False) if item.problem]

    assert item.problem is not None
    assert (item.problem.rule, item.problem.fatal) == ("", False)


def test_link_loops_are_fatal_and_end(tmp_path: Path) -> None:
    """A link that leads back to itself is reported; a link to the folder above is no endless walk."""
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    make(tmp_path, "sub/x.md")
    (tmp_path / "sub" / "up").symlink_to("..")
    items = list(walk([tmp_path]))

    assert names(items, tmp_path) == ["a!", "b!", "sub/x.md"]
    assert all(item.problem.fatal for item in items if item.problem)
    (named,) = walk([tmp_path / "a"])
    assert named.problem is not None
    assert named.problem.fatal


def test_special_files_are_fatal_and_never_opened(tmp_path: Path) -> None:
    """A FIFO and a socket are reported without waiting for anybody, named or found."""
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "sock"))
        items = [*walk([tmp_path]), *walk([tmp_path / "pipe"]), *walk(["/dev/zero"])]

    assert [item.problem.reason.split(",")[0] for item in items if item.problem] == [
        "a FIFO",
        "a socket",
        "a FIFO",
        "a character device",
    ]
    assert all(item.problem and item.problem.fatal for item in items)


def test_a_folder_without_permission_is_fatal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What cannot be listed is a problem of its own, and the rest is walked."""
    make(tmp_path, "a/x.md", "b.md")
    real = os.scandir

    def refuse(path: Path) -> object:
        if str(path).endswith("/a"):
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)
    items = list(walk([tmp_path]))

    assert names(items, tmp_path) == ["a/!", "b.md"]
    assert items[0].problem is not None
    assert "Permission denied" in items[0].problem.reason


def test_names_that_are_no_text_are_walked(tmp_path: Path) -> None:
    """Names with bytes that are not valid UTF-8 are files like others."""
    path = os.fsencode(tmp_path) + b"/caf\xe9.md"
    Path(os.fsdecode(path)).write_bytes(b"x")
    (item,) = walk([tmp_path])

    assert os.fsencode(item.path) == path


def test_deep_folders_need_no_recursion(tmp_path: Path) -> None:
    """A walk goes down further than Python's stack would."""
    depth = 300
    make(tmp_path, "d/" * depth + "x.md")
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(len(inspect.stack(0)) + 100)
    try:
        items = list(walk([tmp_path]))
    finally:
        sys.setrecursionlimit(limit)

    assert names(items, tmp_path) == ["d/" * depth + "x.md"]


def test_files_of_one_folder_that_are_named_ask_it_once(tmp_path: Path) -> None:
    """Whether a folder is a skill is found out once, and holds for all that is named in it."""
    skill, vault = tmp_path / "a", tmp_path / "b"
    for folder in (skill, vault):
        folder.mkdir()
        for name in ("x.md", "y.md", "USER.md"):
            (folder / name).write_text("tea")
    (skill / "SKILL.md").write_text("tea")
    named = [folder / name for name in ("x.md", "y.md", "USER.md") for folder in (skill, vault)]

    assert [item.target for item in walk(named)] == [
        Target.SKILL, Target.VAULT, Target.SKILL, Target.VAULT, Target.USER, Target.USER,
    ]  # fmt: skip
