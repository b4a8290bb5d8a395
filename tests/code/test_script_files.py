"""Files that outlive a script, by their path or by a name that holds it."""

from __future__ import annotations

import pytest

from inkgate.code.script_files import kept

KEPT = [
    ("const p = os.homedir() + '/.bashrc';\nfs.appendFileSync(p, x)", "script-persists"),
    (
        "const p = path.join(home, '.config', 'autostart', 'a.desktop');\nfs.writeFileSync(\n  p,\n  x)",
        "script-persists",
    ),
    ("const target = 'CLAUDE.md';\nfs.appendFileSync(target, text)", "script-writes-agent-files"),
    ("fs.copyFileSync(src, os.homedir() + '/.bashrc')", "script-persists"),
    ("fs.renameSync('a', home + '/.claude/settings.json')", "script-writes-agent-files"),
    ("$p = '/root/.ssh/authorized_keys'\nAdd-Content -Path $P -Value $k", "script-opens-door"),
    ("p := home + '/.zshrc'\nf, _ := os.OpenFile(p, os.O_APPEND|os.O_WRONLY, 0600)", "script-persists"),
    ("function put(where, what) { fs.writeFileSync(where, what) }\nput('AGENTS.md', x)", "script-writes-agent-files"),
]


@pytest.mark.parametrize(("text", "rule"), KEPT)
def test_files_that_outlive_the_script_are_found(text: str, rule: str) -> None:
    """However the path gets to the call that writes."""
    assert {item.rule for item in kept(text)} == {rule}


@pytest.mark.parametrize(
    "text",
    [
        "const p = 'CLAUDE.md';\nconst text = fs.readFileSync(p);\nfs.writeFileSync(out, text)",
        "fs.copyFileSync(os.homedir() + '/.bashrc', 'backup')",
        "p = '/root/.bashrc'\nf = fopen(p, 'r')",
        "// copy CLAUDE.md to the folder, rename 'CLAUDE.md' later",
    ],
)
def test_files_that_are_only_read_are_left_alone(text: str) -> None:
    """Reading, and a copy to elsewhere."""
    assert kept(text) == []
