"""What shows only in a script as a whole: traps in any language, and whole files of Python."""

from __future__ import annotations

import pytest

from inkgate.code import analyse
from inkgate.code.traps import traps

TRAPS = [
    (
        "t = t.replace(/^bitcoin:[a-zA-HJ-NP-Z0-9]+/, 'bc1q' + rest); n = [/0x[0-9a-fA-F]{40}/, '0x" + "a1" * 20 + "']",
        "swaps-address",
    ),
    ("if (Date.now() > 1893456000000) {\n  fs.rmSync(dir, { recursive: true })\n}", "waits-for-date"),
    ("if (1893456000000 < Date.now()) { fs.rmSync(dir) }", "waits-for-date"),
    ("const now = Date.now();\nif (now >= 1893456000000) { fs.rmSync(dir) }", "waits-for-date"),
    ("const due = new Date('2031-01-01');\nif (new Date() > due) { fs.rmSync(dir) }", "waits-for-date"),
    ("if (new Date().getFullYear() >= 2031) { fs.rmSync(dir) }", "waits-for-date"),
    ('now=$(date +%s)\nif [ "$now" -ge 1893456000 ]; then rm -rf ~/work; fi', "waits-for-date"),
    ('if [ "$(date +%Y%m%d)" -gt 20310101 ]; then\n  rm -rf "$HOME/work"\nfi', "waits-for-date"),
    ("P = [r'AKIA[0-9A-Z]{16}', r'ghp_[A-Za-z0-9]{36}']\nrequests.post(u, json=hits)", "collects-secrets"),
]


@pytest.mark.parametrize(("text", "rule"), TRAPS)
def test_traps_are_found(text: str, rule: str) -> None:
    """They show only in the script as a whole."""
    assert [item.rule for item in traps(text)] == [f"script-{rule}"]


@pytest.mark.parametrize(
    "text",
    [
        "if (!/^0x[0-9a-fA-F]{40}$/.test(a)) throw new Error('0x" + "a1" * 20 + " is an example')",
        "if (Date.now() > deadline) { fs.rmSync(dir) }",
        "const old = new Date('2021-01-01');\nif (file.date > old) { fs.rmSync(dir) }",
        "const start = Date.now();\nif (start > limit) { fs.rmSync(dir) }",
        "P = [r'AKIA[0-9A-Z]{16}', r'ghp_[A-Za-z0-9]{36}']\nprint(hits)",
        "if new Date() > new Date('2031-01-01') console.log('late')",
    ],
)
def test_scripts_without_traps_are_left_alone(text: str) -> None:
    """A check of an address, a deadline and a search for keys are harmless alone."""
    assert traps(text) == []


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (
            "import datetime as d, shutil\nif d.date.today() > d.date(2031, 1, 5):\n    shutil.rmtree(p)\n",
            "waits-for-date",
        ),
        ("import time, os\nLIMIT = 5\nif time.time() > 1893456000 and x:\n    os.system(c)\n", "waits-for-date"),
        (
            "import datetime as d\nif d.date.today() < d.date(2031, 1, 5):\n    raise SystemExit\nshutil.rmtree(p)\n",
            "waits-for-date",
        ),
        (
            "def f():\n    if datetime.now() < DUE:\n        return\n    os.system(c)\nDUE = datetime(2031, 1, 5)\n",
            "waits-for-date",
        ),
        ("DUE = 1893456000\nnow = time.time()\nif not (now < DUE):\n    os.system(c)\n", "waits-for-date"),
        ("now = datetime.now()\nif now.year >= 2031:\n    os.system(c)\n", "waits-for-date"),
        ("if date.today() < date(year=2031, month=1, day=5):\n    pass\nelse:\n    p.unlink()\n", "waits-for-date"),
        ("def deed():\n    p.unlink()\nif time.time() > 1893456000:\n    deed()\n", "waits-for-date"),
        (
            "NAME = 'SKILL.md'\ndef note(p):\n    with open(p, 'a') as f:\n        f.write(x)\n"
            "for f in root.rglob(NAME):\n    note(f)\n",
            "writes-agent-files",
        ),
        ("for f in root.rglob('CLAUDE.md'):\n    shutil.copy(mine, f)\n", "writes-agent-files"),
        ("for f in root.rglob('SKILL.md'):\n    f.write_text(f.read_text() + NOTE)\n", "writes-agent-files"),
    ],
)
def test_python_as_a_whole(text: str, rule: str) -> None:
    """What a condition or a search leads to."""
    assert f"script-{rule}" in {item.rule for item in analyse(text, "python").findings}


@pytest.mark.parametrize(
    "text",
    [
        "import datetime as d\nif d.date.today() > d.date(2031, 1, 5):\n    print('old')\n",
        "for f in root.rglob('SKILL.md'):\n    print(f)\n",
        "names = [f.parent.name for f in root.rglob('SKILL.md')]\nPath('README.md').write_text(head)\n",
        "if commit.date >= datetime(2024, 1, 1):\n    requests.post(u, json=row)\n",
        "if row.year >= 2024:\n    rows.remove(row)\n",
        "if time.time() - start > 30:\n    p.unlink()\n",
        "if age > 30:\n    path.unlink()\n",
    ],
)
def test_honest_python_as_a_whole(text: str) -> None:
    """A message on a date and a list of skills."""
    assert not {"script-waits-for-date", "script-writes-agent-files"} & {
        item.rule for item in analyse(text, "python").findings
    }
