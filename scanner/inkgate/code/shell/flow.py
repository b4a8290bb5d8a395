"""What flows through a shell script: labels of words, variables, pipes and files."""

from __future__ import annotations

import re
from collections.abc import Sequence

from inkgate.code.model import Label
from inkgate.code.sensitive import credential_path, secret_name
from inkgate.code.shell.commands import Command, pipelines, unwrapped
from inkgate.code.shell.lexer import Token

__all__ = ["CARRIERS", "DOWNLOADERS", "INTERPRETERS", "SHELLS", "Variables", "output", "word_labels"]

SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish"})
INTERPRETERS = SHELLS | {
    "python",
    "python2",
    "python3",
    "perl",
    "ruby",
    "node",
    "php",
    "pwsh",
    "powershell",
    "osascript",
    "lua",
    "deno",
    "bun",
}
CARRIERS = frozenset(
    {"su", "runuser", "script", "ssh", "at", "batch", "flock", "parallel", "tmux", "screen", "chroot", "trap"}
)
"""Programs that hand a text to a shell, here or elsewhere, now or later."""
DOWNLOADERS = frozenset(
    {
        "curl",
        "wget",
        "fetch",
        "aria2c",
        "http",
        "https",
        "lwp-request",
        "lynx",
        "axel",
        "iwr",
        "irm",
        "invoke-webrequest",
        "invoke-restmethod",
    }
)
_READERS = frozenset(
    {
        "cat",
        "head",
        "tail",
        "tar",
        "zip",
        "gzip",
        "cp",
        "dd",
        "less",
        "more",
        "grep",
        "egrep",
        "rg",
        "awk",
        "sed",
        "strings",
        "xxd",
        "base64",
        "openssl",
        "jq",
        "sort",
        "find",
        "tee",
        "scp",
        "rsync",
        "7z",
        "gpg",
    }
)
_DEPTH = 4
_HEX_PRINT = re.compile(r"(?:\\x[0-9a-fA-F]{2}|\\[0-7]{3}){4}")
_ROT13 = re.compile(r"[b-y]-z?\[?a-[b-y]|[b-y]-za-[b-y]", re.IGNORECASE)
"""A range that begins within the alphabet and goes on at its start, as ROT13 has it."""


class Variables:
    """Labels of the variables of a script, and of the files that it writes."""

    def __init__(self) -> None:
        self.labels: dict[str, Label] = {}
        self.texts: dict[str, str] = {}
        self.files: dict[str, Label] = {}

    def of(self, name: str) -> Label:
        """The labels of a variable; one that the script does not set comes from the environment."""
        known = self.labels.get(name)
        if known is not None:
            return known
        return Label.SECRET_VARIABLE if secret_name(name) else Label.NONE

    def assign(self, name: str, labels: Label, text: str) -> None:
        """A variable gets a value."""
        if name in self.labels:
            labels |= self.labels[name]
        elif secret_name(name) and not labels and (not text or "$" in text):
            labels = Label.SECRET_VARIABLE
        self.labels[name] = labels
        self.texts[name] = text[:400]

    def name(self, command: Command) -> None:
        """Put the value of a variable in the place of a program that is named by it."""
        first = command.words[0] if command.words else None
        if first is None or "$" not in first.text or first.inner or first.single:
            return
        parts = self.expand(first.text).split()
        if parts and "$" not in parts[0] and len(parts) < 20:
            named = [Token(part, first.start, first.end, spelled=first.spelled) for part in parts]
            command.words = unwrapped([*named, *command.words[1:]], command.wrappers)

    def expand(self, text: str) -> str:
        """A word with the variables that the script sets to plain text, and the home, in their place."""
        if "$" not in text:
            return text
        return re.sub(r"\$\{?(\w{1,200})\}?", self._value, text[:2000]) + text[2000:]

    def _value(self, hit: re.Match[str]) -> str:
        if hit[1] in ("HOME", "USERPROFILE"):
            return "~"
        text = self.texts.get(hit[1], "")
        return text if text and "$" not in text else hit[0]


def word_labels(word: Token, script: str, variables: Variables, depth: int) -> Label:
    """Where a word's value comes from."""
    labels = Label.NONE
    for name in word.variables:
        labels |= variables.of(name)
    if depth < _DEPTH:
        for start, end in word.inner:
            inner = script[start:end]
            for line in pipelines(inner):
                for command in line:
                    variables.name(command)
                labels |= output(line, inner, variables, depth + 1)
    return labels


def output(line: Sequence[Command], script: str, variables: Variables, depth: int) -> Label:
    """What a pipeline writes to its standard output."""
    labels = Label.NONE
    for command in line:
        labels = stage(command, labels, script, variables, depth)
    return labels


def stage(command: Command, labels: Label, script: str, variables: Variables, depth: int) -> Label:
    """What one command of a pipeline writes, given what it reads."""
    program, words = command.program, command.arguments
    texts = [variables.expand(word.text) for word in words]
    for item in (*command.given, *command.inputs):
        labels |= word_labels(item, script, variables, depth)
        text = variables.expand(item.text)
        labels |= variables.files.get(text, Label.NONE)
        if "\n" not in text and credential_path(text):
            labels |= Label.SECRET
    if program in DOWNLOADERS:
        return Label.NONE if _saves(texts, program) else Label.DOWNLOADED
    if program in ("env", "printenv", "set", "export", "declare") and not any(
        not text.startswith("-") for text in texts
    ):
        return labels | Label.ENVIRONMENT
    if program == "printenv":
        return labels | (Label.SECRET_VARIABLE if any(map(secret_name, texts)) else Label.NONE)
    if stored := _store(program, texts):
        return labels | stored
    for word in words:
        labels |= word_labels(word, script, variables, depth)
    if program in _READERS:
        for text in texts:
            labels |= variables.files.get(text, Label.NONE)
            if credential_path(text) and not text.startswith("-"):
                labels |= Label.SECRET
    if _decodes(program, texts):
        labels |= Label.DECODED
    return (
        labels & ~Label.DOWNLOADED | Label.DOWNLOADED_PART
        if program in ("jq", "grep", "awk", "cut") and labels & Label.DOWNLOADED
        else labels
    )


def _saves(texts: Sequence[str], program: str) -> bool:
    """Whether a download goes to a file and not on."""
    if program == "wget":
        return not any(text in ("-O-", "-qO-", "-O") and (text != "-O" or "-" in texts) for text in texts) and not any(
            re.fullmatch(r"-\w*O-", text) for text in texts
        )
    return any(
        text in ("-o", "-O", "--output", "--remote-name", "-outfile") or re.fullmatch(r"-[a-zA-Z]*[oO]", text)
        for text in texts
    )


def _decodes(program: str, texts: Sequence[str]) -> bool:
    if program in ("base64", "base32", "gbase64", "basenc"):
        return any(
            text in ("-d", "-D", "--decode", "-di") or re.fullmatch(r"-[a-zA-Z]*[dD][a-zA-Z]*", text) for text in texts
        )
    if program == "openssl":
        return "-d" in texts
    if program == "xxd":
        return any(re.fullmatch(r"-\w*r\w*", text) for text in texts)
    if program == "tr":
        return any(_ROT13.search(text) for text in texts)
    if program in ("printf", "echo"):
        return any(_HEX_PRINT.search(text) for text in texts)
    return program in ("uudecode", "rev", "zcat", "gunzip", "xzcat", "bzcat") or (program == "gzip" and "-d" in texts)


def _store(program: str, texts: Sequence[str]) -> Label:
    """What commands give that show something of the user's: a stored credential, the clipboard, the screen."""
    if _secret_store(program, texts):
        return Label.SECRET
    return Label.OBSERVED if _watches(program, texts) else Label.NONE


def _watches(program: str, texts: Sequence[str]) -> bool:
    """Commands that give what the user copies, sees or says."""
    pasted = program in ("xclip", "xsel") and any(re.fullmatch(r"-\w{0,4}o\w{0,3}|--output", text) for text in texts)
    return pasted or program in ("pbpaste", "wl-paste", "screencapture", "scrot", "arecord", "get-clipboard")


def _secret_store(program: str, texts: Sequence[str]) -> bool:
    """Commands that print a stored credential."""
    head = " ".join(texts[:3])
    return (
        (
            program == "security"
            and head.startswith(("find-generic-password", "find-internet-password", "dump-keychain"))
        )
        or (program == "gh" and head.startswith("auth token"))
        or (program == "gcloud" and "print-access-token" in texts)
        or (program == "pass" and head.startswith("show"))
        or (program == "secret-tool" and head.startswith("lookup"))
        or (program == "op" and head.startswith("read"))
    )
