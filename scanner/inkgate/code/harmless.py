"""Commands that only look: what a skill may have run when it is loaded without a person being asked."""

from __future__ import annotations

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

_WRITES = {"sort": ("-o", "--output", "--compress"), "date": ("-s", "--set"), "tail": ("-f", "-F", "--follow")}
"""Options of theirs with which they do more, or never end."""

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

_DANGEROUS = (
    "--output",
    "--exec",
    "--ext-diff",
    "--textconv",
    "-delete",
    "-d",
    "-D",
    "-m",
    "-f",
    "--force",
    "--delete",
)
"""Options with which one of them would write or run something; others that begin so are refused too."""

_BETWEEN = frozenset(["|", "||", "&&", ";"])
_SILENT = ("2>/dev/null", "2>&1", ">/dev/null")


def only_looks(command: str) -> bool:
    """Whether a line of shell does nothing but print what the project or its repository is like.

    What is not understood counts as doing more: substitutions, redirections, variables, paths out of the project.

    Args:
        command: the line; what is longer than 400 characters is not looked into.
    """
    text = command.strip()
    if not 0 < len(text) <= _LONGEST or any(mark in text for mark in ("$", "`", "\n", "\\", "~")):
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
        return not any(word.startswith(_WRITES.get(program, "\n")) for word in rest)
    if program == "git" and rest and rest[0] in _GIT:
        return not any(word.startswith(_DANGEROUS) for word in rest[1:]) and _names_nothing(rest)
    return program in _PROGRAMS and len(rest) == 1 and rest[0] in _ASKED


def _names_nothing(rest: list[str]) -> bool:
    """Whether `git branch` and `git tag` have no name as an argument, which would make a branch or a tag."""
    return rest[0] not in ("branch", "tag") or all(word.startswith("-") for word in rest[1:])


def _leads_out(word: str) -> bool:
    """Whether an argument could be a path out of the project, or to a file of credentials."""
    bare = (word.partition("=")[2] or word).removeprefix("./")
    return bare.startswith("/") or ".." in bare.split("/") or "/." in bare or (bare.startswith(".") and len(bare) > 1)
