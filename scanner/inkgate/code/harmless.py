"""Commands that only look: what a skill may have run when it is loaded without a person being asked."""

from __future__ import annotations

import re
import shlex

__all__ = ["only_looks"]

_LONGEST = 400
"""Characters: a longer command is not looked into."""

_TELLS = frozenset(
    [
        "basename", "cat", "cut", "date", "dirname", "du", "echo", "false", "grep", "head", "ls", "nl", "printf",
        "pwd", "sort", "stat", "tail", "test", "tr", "true", "uname", "wc", "which",
    ]
)  # fmt: skip
"""Programs that only print, as long as no path among their arguments leads out of the project."""

_SHORT = {"sort": "oTS", "date": "sf", "tail": "fF", "grep": "rRdf"}
"""Letters of theirs with which they write, set, never end, or read what is not named; bundled ones count as well."""

_LONG = {
    "sort": ("--output", "--compress-program", "--temporary-directory", "--files0-from"),
    "date": ("--set", "--file"),
    "tail": ("--follow", "--retry"),
    "grep": ("--recursive", "--dereference-recursive", "--directories", "--file"),
    "du": ("--files0-from",),
    "wc": ("--files0-from",),
}
"""The same in full; an abbreviation that could stand for one of them counts as well."""

_GIT = frozenset(
    [
        "blame", "branch", "describe", "diff", "log", "ls-files", "ls-tree", "merge-base", "name-rev", "rev-list",
        "rev-parse", "shortlog", "show", "status", "tag",
    ]
)  # fmt: skip
"""Commands of git that change nothing with the options that are allowed here."""

_ASKED = frozenset(["--version", "-v", "-V", "version"])
"""The only argument that other programs may have."""

_PROGRAMS = frozenset(
    [
        "bun", "cargo", "deno", "docker", "gh", "git", "go", "java", "node", "npm", "pip", "pnpm", "python",
        "python3", "ruby", "rustc", "uv", "yarn",
    ]
)  # fmt: skip

_DANGEROUS = ("-d", "-D", "-m", "-f")
_DANGEROUS_LONG = ("--output", "--exec", "--ext-diff", "--textconv", "--force", "--delete", "--no-index", "--contents")
"""Options with which one of them would write, run something or read elsewhere; others that begin so are refused too."""

_LISTS = frozenset(
    [
        "-a", "-l", "-n", "-r", "-v", "-vv", "--all", "--contains", "--list", "--merged", "--no-merged", "--remotes",
        "--show-current", "--verbose",
    ]
)  # fmt: skip
"""All that `git branch` and `git tag` may be given, besides how to sort and to print."""

_KEYS = re.compile(
    r"secret|credential|passw|token|private|keystore|id_(?:rsa|dsa|ecdsa|ed25519)|\.(?:pem|key|p12|pfx|jks|kdbx|ppk)\b",
    re.IGNORECASE,
)
"""Names of files that hold keys, and words to look for them with."""

_HOME = re.compile(r"(?<![\w^])~")
"""A tilde that a shell would replace; the one in `HEAD~3` it leaves."""

_BETWEEN = frozenset(["|", "||", "&&", ";"])
_SILENT = ("2>/dev/null", "2>&1", ">/dev/null")


def only_looks(command: str) -> bool:
    """Whether a line of shell does nothing but print what the project or its repository is like.

    What is not understood counts as doing more: substitutions, redirections, variables, paths out of the project.

    Args:
        command: the line; what is longer than 400 characters is not looked into.
    """
    text = command.strip()
    if not 0 < len(text) <= _LONGEST or _HOME.search(text):
        return False
    if any(mark in text for mark in ("$", "`", "\n", "\\", "{")):
        return False
    for silent in _SILENT:
        text = text.replace(silent, " ").replace(silent.replace(">/", "> /"), " ")
    lexer = shlex.shlex(text, posix=True, punctuation_chars="|&;<>()")
    lexer.whitespace_split = True
    lexer.commenters = ""
    words: list[str] = []
    try:
        tokens = list(lexer)
    except ValueError:
        return False
    for token in [*tokens, ";"]:
        if token in _BETWEEN:
            if words and not _tells(words):
                return False
            words = []
        elif set(token) <= set("|&;<>()"):
            return False
        else:
            words.append(token)
    return True


def _tells(words: list[str]) -> bool:
    """Whether one command with its arguments only prints."""
    program, *rest = words
    if any(_leads_out(word) for word in rest):
        return False
    if program in _TELLS:
        return not any(_does_more(program, word) for word in rest)
    if program == "git" and rest and rest[0] in _GIT:
        if rest[0] in ("branch", "tag"):
            return all(word in _LISTS or word.startswith(("--sort=", "--format=")) for word in rest[1:])
        return not any(word.startswith(_DANGEROUS) or _means(word, _DANGEROUS_LONG) for word in rest[1:])
    return program in _PROGRAMS and len(rest) == 1 and rest[0] in _ASKED


def _does_more(program: str, word: str) -> bool:
    """Whether an argument is an option with which a program does more than print."""
    if word.startswith("--"):
        return _means(word, _LONG.get(program, ()))
    if not word.startswith("-"):
        return False
    letters = word.partition("I")[0] if program == "date" else word  # what follows -I is how exact the time is
    return any(letter in letters for letter in _SHORT.get(program, ""))


def _means(word: str, options: tuple[str, ...]) -> bool:
    """Whether a long option is one of these, begins with one, or is short for one."""
    name = word.partition("=")[0]
    return len(name) > 2 and any(name.startswith(option) or option.startswith(name) for option in options)


def _leads_out(word: str) -> bool:
    """Whether an argument could be a path out of the project, or to a hidden file or one of keys."""
    if _KEYS.search(word) or (word.startswith("-") and not word.startswith("--") and ("/" in word or "." in word)):
        return True
    return any(_is_out(part.removeprefix("./")) for part in re.split("[=:,]", word))


def _is_out(path: str) -> bool:
    return path.startswith("/") or ".." in path.split("/") or "/." in path or (path.startswith(".") and len(path) > 1)
