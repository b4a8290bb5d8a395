"""What single shell commands print and write, as far as their words tell."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from dataclasses import dataclass

from inkgate.integrations.hosts.shellwords import Command, unescape
from inkgate.lint.targets import words as names

__all__ = ["Output", "inline_code", "inner_lines", "may_write", "name_and_words", "named_outputs", "printed"]

_PREFIXES = re.compile(
    r"sudo|doas|env|command|nohup|time|nice|builtin|then|do|else|elif|if|while|until|!|\{|\w+=.*", re.DOTALL
)
_SHELLS = names("sh bash zsh dash ksh fish busybox")
_SAME = names("cat tee sponge")
_COPIES = names("cp mv install ln rsync")
_IN_PLACE = names("sed gsed perl ruby awk gawk sd")
_EDITORS = names(
    "ed ex vi vim nvim emacs nano patch truncate set-content add-content out-file tee-object new-item copy-item "
    "move-item"
)
_FETCHERS = names("curl wget aria2c")
_READERS = names(
    "[ [[ test cat tac bat head tail less more grep egrep fgrep rg ag ack ls ll tree stat file wc cksum md5sum "
    "sha1sum sha256sum shasum diff cmp comm sort uniq cut nl od xxd strings sed gsed awk gawk cd pushd pwd mkdir rmdir "
    "touch rm chmod chown du df echo printf true false : realpath readlink basename dirname which type export unset "
    "source . jq yq inkgate code open xdg-open return exit for case read"
)
_GIT_WRITES = names("checkout restore apply am stash reset merge pull rebase revert cherry-pick switch mv")
_ACTIONS = names("-exec -execdir -ok -okdir -delete -fprint -fprintf -fls")
_CODE = re.compile(r"(?:python|pypy|node|deno|bun|ruby|perl|php|lua|osascript|pwsh|powershell)[\d.]*", re.ASCII)
_SCRIPT = re.compile(r"--?(?:\w*[cep]|eval|command)", re.IGNORECASE)
_SUBSTITUTION = re.compile(r"\$\(([^()]{1,10000})\)|`([^`]{1,10000})`")


@dataclass(frozen=True, slots=True)
class Output:
    """A file that a command writes.

    Attributes:
        path: as it is written.
        text: what goes there; None when it cannot be told.
        loose: whether the text holds an expansion whose value is not known.
        append: whether it is put behind what is there.
        source: the file that is copied there, instead of a text.
    """

    path: str
    text: str | None = None
    loose: bool = False
    append: bool = False
    source: str = ""


def name_and_words(command: Command) -> tuple[str, list[str]]:
    """The program's name without its folder, and its words, without what stands before it (`sudo`, `A=b`, `then`)."""
    words, at = command.words, 0
    while at < len(words) and (_PREFIXES.fullmatch(words[at]) or (at and words[at][:1] == "-")):
        at += 1
    words = words[at:]
    return (words[0].rsplit("/", 1)[-1].lower() if words else ""), words


def printed(name: str, words: list[str], command: Command, before: str | None) -> str | None:
    """What a command prints, when that stands in the line; None when it cannot be told.

    Args:
        name: the program.
        words: its words.
        command: the command.
        before: what the command before it prints, when that is its input.
    """
    arguments = words[1:]
    if name == "echo":
        flags = arguments[0] if arguments and re.fullmatch(r"-[neE]{1,3}", arguments[0]) else ""
        text = " ".join(arguments[bool(flags) :])
        return (unescape(text) if "\\" in text else text) + ("" if "n" in flags else "\n")
    if name == "printf" and arguments:
        shape = arguments[arguments[0] == "--" :]
        return unescape(" ".join(shape)).replace("%s", "").replace("%b", "")
    if name in _SAME and (name != "cat" or not [word for word in arguments if word[:1] != "-" or word == "-"]):
        return "".join(command.given) if command.given else before
    if not command.words or (name in (":", "true") and not arguments):
        return ""
    return None


def named_outputs(name: str, words: list[str], text: str | None, *, loose: bool) -> Iterator[Output]:
    """Files that a command writes because its arguments say so."""
    plain = [word for word in words[1:] if word[:1] != "-"]
    flags = [word for word in words[1:] if word[:1] == "-"]
    if name in ("tee", "sponge"):
        append = "-a" in flags or "--append" in flags
        yield from (Output(word, text, loose, append) for word in plain)
    elif name in _COPIES and len(plain) > 1:
        yield from (Output(plain[-1], source=word) for word in plain[:-1])
    elif name in _EDITORS or (name in _IN_PLACE and any(flag == "--in-place" or "i" in flag[1:3] for flag in flags)):
        yield from map(Output, plain)
    elif name == "dd":
        yield from (Output(word[3:]) for word in plain if word.startswith("of="))
    elif name in _FETCHERS:
        following = itertools.pairwise(words)
        yield from (Output(path) for word, path in following if word in ("-o", "-O", "--output", "--output-document"))
        yield from (Output(word.partition("=")[2]) for word in flags if re.match(r"--output(-document)?=", word))


def may_write(name: str, words: list[str]) -> bool:
    """Whether a command could write to a file that it names, though nobody can say what."""
    if name == "git":
        return bool(_GIT_WRITES.intersection(words))
    if name in ("find", "fd"):
        return bool(_ACTIONS.intersection(words))
    return bool(name) and name not in _READERS


def inner_lines(command: Command) -> Iterator[str]:
    """Command lines inside a command: `bash -c '…'`, `eval …`, `$(…)`, backquotes."""
    name, words = name_and_words(command)
    if name == "eval":
        yield " ".join(words[1:])
    elif name in _SHELLS:
        yield from command.given
    shell = False
    for word, following in itertools.pairwise(words):
        shell = shell or word.rsplit("/", 1)[-1] in _SHELLS
        if shell and re.fullmatch(r"-\w*c", word):
            yield following
    if command.loose:
        for word in command.words + command.given:
            yield from (hit[1] or hit[2] for hit in _SUBSTITUTION.finditer(word))


def inline_code(command: Command) -> Iterator[str]:
    """Program text inside a command: `python -c '…'`, a here-document for an interpreter."""
    name, words = name_and_words(command)
    if _CODE.fullmatch(name):
        yield from (following for word, following in itertools.pairwise(words) if _SCRIPT.fullmatch(word))
        yield from command.given
