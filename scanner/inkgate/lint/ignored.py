"""What git leaves out of a folder. Git is asked, because its rules are exact by definition; where there is no
repository, or git will not answer, nothing is left out.

A repository is data of somebody else: its configuration must not start programs (`core.fsmonitor`), nor move the work
tree elsewhere (`core.worktree`), and a cache in its index (`core.untrackedCache`) must not decide what is seen.
"""

from __future__ import annotations

import os
from pathlib import Path

from inkgate.lean import dataclass

__all__ = ["Ignored", "ask_git", "work_tree"]

_TIMEOUT = 120
_SAFE = (
    "--no-pager",
    "-c",
    "core.fsmonitor=",
    "-c",
    "core.hooksPath=/dev/null",
    "-c",
    "core.untrackedCache=false",
    "-c",
    "safe.bareRepository=explicit",
)


@dataclass(frozen=True, slots=True)
class Ignored:
    """What is left out below one folder.

    Attributes:
        paths: absolute paths of ignored files and folders, as text.
        failure: why git did not answer, or empty.
    """

    paths: frozenset[str] = frozenset()
    failure: str = ""


def work_tree(folder: Path) -> Path | None:
    """The top of the repository that a folder (absolute, without links) lies in, or None."""
    for level in (folder, *folder.parents):
        if os.path.lexists(level / ".git"):
            return level
    return None


def ask_git(folder: Path) -> Ignored:
    """The untracked files and folders below a folder (absolute, without links) that git ignores."""
    top = work_tree(folder)
    if top is None:
        return Ignored()
    import shutil
    import subprocess

    git = shutil.which("git")
    if git is None:
        return Ignored(failure="git is not installed")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}

    def run(*arguments: str) -> bytes:
        return subprocess.run(  # noqa: S603 - a fixed program, without a shell
            [git, *_SAFE, "-C", os.fspath(folder), *arguments],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=True,
            timeout=_TIMEOUT,
            env=environment,
        ).stdout

    prefix = "" if folder == top else f"{folder.relative_to(top).as_posix()}/"
    try:
        if run("rev-parse", "--show-toplevel", "--show-prefix") != os.fsencode(f"{top.as_posix()}\n{prefix}\n"):
            return Ignored(failure="the repository says that its files lie elsewhere")
        listed = run("ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z")
    except subprocess.CalledProcessError as error:
        reason = os.fsdecode(error.stderr).strip().splitlines()
        return Ignored(failure=f"git failed: {reason[0] if reason else error.returncode}")
    except (OSError, subprocess.TimeoutExpired) as error:
        return Ignored(failure=f"git failed: {type(error).__name__}")
    names = (os.fsdecode(name).rstrip("/") for name in listed.split(b"\0") if name)
    return Ignored(frozenset(os.fspath(folder / name) for name in names if name != "."))
