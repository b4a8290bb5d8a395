"""Packages that a script installs, and whether a name is nearly that of a well-known one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

__all__ = ["installed", "lookalike", "private"]

_SHORTEST = 5
_KNOWN = frozenset(
    # Much used packages of PyPI and npm, and real names that differ from them by one letter.
    """
    requests urllib3 numpy pandas scipy matplotlib django flask fastapi pydantic pytest setuptools boto3
    botocore cryptography pillow selenium sqlalchemy tensorflow pytorch torchvision transformers scikit-learn
    beautifulsoup4 aiohttp httpx uvicorn gunicorn celery redis psycopg2 pymongo openai anthropic langchain
    paramiko pyyaml jinja2 click colorama python-dateutil certifi chardet packaging virtualenv opencv-python
    huggingface-hub tokenizers datasets accelerate playwright streamlit gradio jsonschema protobuf grpcio
    websockets simplejson tabulate termcolor openpyxl react react-dom preact express lodash axios chalk
    commander webpack typescript eslint prettier moment jquery angular dotenv mongoose socket.io nodemon
    puppeteer electron discord.js cross-env rimraf minimist request underscore inquirer next-auth vite-node
    esbuild rollup tailwindcss postcss autoprefixer styled-components @modelcontextprotocol @anthropic-ai
    @openai @google-cloud @aws-sdk @babel @types @angular @nestjs @playwright
    """.split()  # noqa: SIM905 - stays readable
)
_PRIVATE = re.compile(
    r"^@(?:[\w.]{1,30}-)?(?:internal|private|corp|intranet|mycorp|mycompany|inhouse|in-house)(?:-[\w.-]{1,30})?/"
    r"|(?:^|[-_])(?:mycorp|mycompany|corp|internal|private|intranet)[-_](?:auth|utils?|lib|sdk|config|core|common|tools?|helpers?|client"
    r"|logger|secrets?|registry)\b"
)
_INSTALLERS = {
    "pip": ("install",),
    "pip3": ("install",),
    "uv": ("add", "install"),
    "uvx": (),
    "pipx": ("install", "run"),
    "poetry": ("add",),
    "npm": ("install", "i", "add", "exec"),
    "pnpm": ("add", "install", "dlx"),
    "yarn": ("add", "dlx"),
    "npx": (),
    "bunx": (),
    "bun": ("add", "x"),
}
_NAME = re.compile(
    r"(@?[A-Za-z0-9][\w.-]{0,80}(?:/[A-Za-z0-9][\w.-]{0,80})?)(?:\[[\w,-]{0,80}\])?(?:[=<>~!@^].{0,80})?"
)


def installed(program: str, arguments: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Which arguments of a command name packages that it installs, and the names.

    Args:
        program: name of the command.
        arguments: its words.
    """
    if program.startswith("python") and list(arguments[:2]) == ["-m", "pip"]:
        yield from ((place + 2, name) for place, name in installed("pip", arguments[2:]))
        return
    verbs = _INSTALLERS.get(program)
    if verbs is None:
        return
    started = not verbs
    for place, word in enumerate(arguments):
        if word.startswith("-"):
            continue
        if not started:
            started = word in verbs
            if not started and word != "pip":
                return
            continue
        found = _NAME.fullmatch(word)
        if found is not None and "://" not in word:
            yield place, found[1].lower()
        if not verbs:
            return  # what follows are arguments of the package


def private(name: str) -> bool:
    """Whether a name is one that companies give to packages of their own."""
    return _PRIVATE.search(name.lower()) is not None


def lookalike(name: str) -> bool:
    """Whether a name is one slip of the keys from a well-known one: a letter dropped, doubled, changed or swapped."""
    name = name.lower().replace("_", "-")
    scope, slash, _rest = name.partition("/")
    plain = scope if name.startswith("@") and slash else name
    if len(plain) < _SHORTEST or plain in _KNOWN:
        return False
    candidates: set[str] = set()
    for variant in _shorter(plain):
        candidates |= _neighbours().get(variant, frozenset())
    return any(_one_slip(plain, other) for other in candidates)


def _shorter(name: str) -> set[str]:
    return {name, *(name[:at] + name[at + 1 :] for at in range(len(name)))}


@lru_cache(maxsize=1)
def _neighbours() -> dict[str, frozenset[str]]:
    """Well-known names by every text that is left when a letter is taken out."""
    table: dict[str, set[str]] = {}
    for name in _KNOWN:
        if len(name) >= _SHORTEST:
            for variant in _shorter(name):
                table.setdefault(variant, set()).add(name)
    return {variant: frozenset(names) for variant, names in table.items()}


def _one_slip(name: str, other: str) -> bool:
    """Whether two different names are one edit apart, a swap of neighbours counting as one."""
    if len(name) == len(other):
        places = [at for at, (one, two) in enumerate(zip(name, other, strict=True)) if one != two]
        if len(places) == 1:
            return name[places[0]].isalpha() and other[places[0]].isalpha()
        return (
            len(places) == 2
            and places[1] == places[0] + 1
            and name[places[0]] == other[places[1]]
            and (name[places[1]] == other[places[0]])
        )
    longer, shorter = (name, other) if len(name) > len(other) else (other, name)
    taken = {longer[:at] + longer[at + 1 :] for at in range(len(longer)) if longer[at].isalpha()}
    return len(longer) == len(shorter) + 1 and shorter in taken
