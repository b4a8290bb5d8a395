"""Which language a piece of code is in: by the name of its file, its first line, or the label of its fence."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping
from types import MappingProxyType

__all__ = ["Language", "of_fence", "of_file", "of_text"]


class Language(enum.StrEnum):
    """Languages that have an analyser."""

    PYTHON = "python"
    SHELL = "shell"
    SCRIPT = "script"
    """JavaScript, PowerShell, Ruby, Perl, PHP, batch files, Go, Rust, Java, C#: whatever is read by patterns."""
    JSON = "json"
    MARKDOWN = "markdown"


def _table(names: dict[str, str]) -> Mapping[str, Language]:
    return MappingProxyType({word: Language(key) for key, words in names.items() for word in words.split()})


_SUFFIXES = _table(
    {
        "python": "py pyw pyi pyx",
        "shell": "sh bash zsh dash ksh fish command",
        "script": "js mjs cjs jsx ts mts cts tsx ps1 psm1 psd1 bat cmd rb pl pm php vbs applescript scpt "
        "go rs java kt kts scala groovy gradle cs swift lua dart ex exs nim",
        "json": "json jsonc json5",
        "markdown": "md markdown mdx mdc txt",
    }
)
_LABELS = _table(
    {
        "python": "python py python3 py3 ipython pycon",
        "shell": "bash sh shell zsh console shell-session shellsession terminal ksh fish dash command commandline",
        "script": "javascript js node typescript ts jsx tsx mjs powershell ps1 pwsh ps batch bat cmd ruby rb perl "
        "php go golang rust rs java kotlin kt csharp cs swift lua",
        "json": "json jsonc json5",
    }
)
_INTERPRETERS = _table(
    {
        "python": "python python2 python3 pypy pypy3 uv",
        "shell": "sh bash zsh dash ksh ash fish busybox",
        "script": "node nodejs deno bun ts-node tsx pwsh powershell ruby perl php",
    }
)
_SHEBANG = re.compile(
    r"\ufeff?#!\s{0,8}(?:\S{0,80}/)?env\s{1,8}(?:-S\s{1,8})?(?:\w+=\S{0,80}\s{1,8}){0,8}(\S{1,80})|\ufeff?#!\s{0,8}(\S{1,80})"
)
_VERSION = re.compile(r"[\d.]+$")
_PYTHON = re.compile(
    r"^[ \t]{0,8}(?:(?:from[ \t]+[\w.]{1,80}[ \t]+)?import[ \t]+\w|def[ \t]+\w{1,80}\(|exec\(|eval\()", re.MULTILINE
)
_SCRIPT = re.compile(
    r"^[ \t]{0,8}(?:const|let|var)[ \t]+[\w{]|\brequire\(|\bIEX\b|\bInvoke-|\bNew-Object\b", re.MULTILINE
)


def _interpreter(first: str) -> Language | None:
    found = _SHEBANG.match(first)
    if found is None:
        return None
    name = (found[1] or found[2]).rpartition("/")[2]
    return _INTERPRETERS.get(name) or _INTERPRETERS.get(_VERSION.sub("", name))


def of_file(name: str, head: str) -> Language | None:
    """The language of a file.

    A first line that names an interpreter goes before the file's ending, since that is how the system runs it.

    Args:
        name: path of the file, or empty.
        head: its first characters.
    """
    language = _interpreter(head[:400])
    if language is not None:
        return language
    base = name.rpartition("/")[2].rpartition("!")[2].lower()
    stem, dot, suffix = base.rpartition(".")
    if base == "package.json":
        return Language.JSON
    if dot and stem:
        return _SUFFIXES.get(suffix)
    if not base:
        return _nameless(head)
    return Language.SHELL if base in ("makefile", "dockerfile", "justfile", "procfile") else None


def _nameless(head: str) -> Language:
    """A text without a file: a document, unless it plainly is code as a whole."""
    start = head.lstrip("\ufeff \t\r\n")
    if start[:1] == "{":
        return Language.JSON
    if start.startswith(("---", "# ", "## ", "<!--")) and not start.startswith("# -*-"):
        return Language.MARKDOWN
    if "```" in head or "~~~" in head:
        return Language.MARKDOWN
    guess = of_text(start)
    return Language.MARKDOWN if guess is Language.SHELL else guess


def of_fence(info: str) -> Language | None:
    """The language that the label of a fence names; None for one that is not analysed."""
    word = re.split(r"[\s,{}:]", info.strip().lstrip("{.").lower(), maxsplit=1)[0]
    return _LABELS.get(word)


def of_text(text: str) -> Language:
    """A guess at the language of code without a label; shell where nothing speaks for another one."""
    first = _interpreter(text[:400])
    if first is not None:
        return first
    head = text[:4000]
    if head.lstrip()[:1] == "{":
        return Language.JSON
    if _PYTHON.search(head):
        return Language.PYTHON
    return Language.SCRIPT if _SCRIPT.search(head) else Language.SHELL
