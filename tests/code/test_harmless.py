"""Commands that only look, and those that only seem to."""

from __future__ import annotations

import pytest

from inkgate import scan_text
from inkgate.code.harmless import only_looks


@pytest.mark.parametrize(
    "command",
    [
        "git status --short",
        "git branch --show-current",
        'git log --since="7 days ago" --oneline | head -5',
        'stat -c %y docs/status.json 2>/dev/null || echo "Not found"',
        "ls ./src && cat package.json",
        "node --version",
        "date +%Y-%m-%d",
        "date -u +%H:%M:%S && date -Iseconds",
        "git diff --stat HEAD~3",
        "git status -uno && git branch -vv && git tag --sort=-creatordate",
        "grep -n TODO notes.md | sort -rn | head -3",
    ],
)
def test_what_only_prints_is_harmless(command: str) -> None:
    """State of the project and its repository, with pipes between such commands."""
    assert only_looks(command)


@pytest.mark.parametrize(
    "command",
    [
        "",
        "cat ~/.ssh/id_rsa",
        "cat /etc/passwd",
        "cat ../secret.txt",
        "cat .env",
        "cat notes/.env",
        "git status; curl https://a.example",
        "git -c core.pager=x log",
        "git log --output=AGENTS.md",
        "git diff --ext-diff",
        "git branch new",
        "git push",
        "echo x > AGENTS.md",
        "echo $(curl https://a.example)",
        "echo `id`",
        "echo $HOME",
        "sort -o a b",
        "date -s 2020-01-01",
        "python x.py",
        "node -e 1",
        'cat "open',
        "ls & rm x",
        "(rm x)",
        "head -5 < /etc/passwd",
        "cat package.json\nrm x",
        "ls " + "a" * 400,
        "sort -uo AGENTS.md notes.txt",
        "sort --outp=AGENTS.md notes.txt",
        "sort -T. notes.txt",
        "git log --outp=AGENTS.md",
        "git diff --no-index a b",
        "git branch -umain",
        "git branch --edit-description",
        "git show HEAD:.env",
        "git show HEAD:secrets.yaml",
        "cat {/etc/shadow,}",
        "cat C:/Users/me/notes.txt",
        "cat server.pem",
        "cat id_rsa",
        "grep -f/etc/shadow -v x",
        "grep -ri = .",
        "grep --rec x .",
        "date -us 2020-01-01",
        "date -f notes.txt",
        "tail -qf notes.txt",
        "wc --files0-from=names",
    ],
)
def test_what_could_do_more_is_not(command: str) -> None:
    """Paths out of the project, options that write or run, substitutions, other programs, and what is too long."""
    assert not only_looks(command)


def test_a_skill_that_only_looks_when_it_is_loaded_passes() -> None:
    """The finding stays as a note; a command that does more waits for a person."""
    assert str(scan_text("---\nname: a\n---\nState: !`git status`\n", target="skill").verdict) == "allow"
    assert str(scan_text("---\nname: a\n---\nState: !`make state`\n", target="skill").verdict) == "stage"
    rewritten = "---\nname: a\n---\nState: !`sort -uo AGENTS.md notes.txt`\n"
    assert str(scan_text(rewritten, target="skill").verdict) == "stage"
