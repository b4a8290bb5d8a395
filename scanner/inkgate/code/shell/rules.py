"""What is suspicious in a shell script, seen pipeline by pipeline."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from inkgate.code.model import Analysis, CodeFinding, Label, Trait, few
from inkgate.code.packages import installed, lookalike, private
from inkgate.code.sensitive import PERSISTS, is_bad_host, own_environment_file, persistence_path
from inkgate.code.shell.commands import Command
from inkgate.code.shell.flow import CARRIERS, DOWNLOADERS, INTERPRETERS, SHELLS, Variables, stage, word_labels
from inkgate.code.shell.harm import destroys, erases_traces
from inkgate.code.shell.lexer import Token
from inkgate.code.shell.messages import Message, message
from inkgate.model import Confidence, Severity

__all__ = ["Watch"]

_RIGHTS = re.compile(
    r"(?:^|\s)(?:-o\b|-u\s{0,2}0\b|-p\b|--password|(?:-G|-g|--groups?|--ingroup)\s{0,2}\S{0,40}(?:sudo|wheel|root|docker|admin)|sudo$)"
)
_FIRST = 20
"""Words of an interpreter among which the script is that it reads; those behind it are the script's own."""
_TCP = re.compile(r"/dev/(?:tcp|udp)/")
_OTHER_REGISTRY = re.compile(
    r"--(?:registry|index-url|extra-index-url|index|default-index|find-links)\b|(?:^|\s)-[if]\s"
)
_URL = re.compile(r"[a-z][a-z0-9+.-]{1,8}://[^\s\"'<>|]{1,500}", re.IGNORECASE)

Inner = Callable[[str, str, int], Analysis]
"""Analyses a script inside a script: language, text, depth."""


class Watch:
    """Looks at the pipelines of a script and collects findings and traits."""

    def __init__(self, script: str, depth: int, inner: Inner) -> None:
        self._script, self._depth, self._inner = script, depth, inner
        self._variables = Variables()
        self.found: list[CodeFinding] = []
        self.traits: set[Trait] = set()
        self._fifo = False

    def see(self, line: Sequence[Command]) -> None:
        """Look at one pipeline."""
        labels = Label.NONE
        for place, command in enumerate(line):
            self._variables.name(command)
            self._assign(command)
            self._runs(command, labels, line[place - 1] if place else None)
            self._network(command, labels)
            self._writes(command, labels)
            texts = self._texts(command)
            if destroys(command, texts, self._script):
                self._add("script-destroys", command)
            for number, name in installed(command.program, texts):
                if lookalike(name):
                    self._add("package-lookalike", command.arguments[number])
                elif private(name) and not _OTHER_REGISTRY.search(" ".join(texts)):
                    self._add("package-private-name", command.arguments[number])
            if erases_traces(command, texts):
                self._add("script-erases-traces", command)
            self._nested(command)
            labels = stage(command, labels, self._script, self._variables, 0)
        self._stored(line, labels)

    def _add(
        self,
        rule: str,
        at: Command | Token,
        text: str = "",
        severity: Severity | None = None,
        confidence: Confidence | None = None,
    ) -> None:
        self.found.append(CodeFinding(rule, at.start, max(at.end, at.start), text, severity, confidence))

    def _labels(self, word: Token) -> Label:
        labels = word_labels(word, self._script, self._variables, 0)
        text = self._variables.expand(word.text)
        for name in (text, text.rpartition("@")[2]):  # `@file` is how curl names one
            labels |= self._variables.files.get(name, Label.NONE)
        return labels

    def _texts(self, command: Command) -> list[str]:
        return [self._variables.expand(word.text) for word in command.arguments]

    def _assign(self, command: Command) -> None:
        words = command.assigned
        if command.program in ("export", "declare", "local", "readonly", "typeset"):
            for word in command.arguments:
                name, equals, value = word.text.partition("=")
                if equals:
                    words = [
                        *words,
                        (name, Token(value, word.start, word.end, inner=word.inner, variables=word.variables)),
                    ]
        for name, word in words:
            self._variables.assign(name, self._labels(word), word.text)
            if (
                name in ("HISTFILE", "HISTSIZE", "HISTFILESIZE")
                and word.text in ("", "0", "/dev/null")
                and not command.words[1:2]
            ):
                self._add("script-erases-traces", word, "The shell's history is switched off")

    def _runs(self, command: Command, piped: Label, before: Command | None) -> None:
        """Interpreters and what they are fed."""
        program = command.program
        labels, what = Label.NONE, command
        if program in INTERPRETERS and not _has_script(command):
            labels = piped
        for word in (*command.inputs, *command.given):
            if program in INTERPRETERS or program in ("source", "."):
                labels |= self._labels(word)
        if program in ("eval", "source", ".") or (program in INTERPRETERS and command.arguments):
            for word in command.arguments[: None if program == "eval" else _FIRST]:
                labels |= self._labels(word) if program != "python" or word.inner else Label.NONE
                labels |= self._variables.files.get(self._variables.expand(word.text), Label.NONE)
        elif command.words:
            path = self._variables.expand(command.words[0].text)
            labels |= self._variables.files.get(path, Label.NONE)
            if command.words[0].inner:
                labels |= self._labels(command.words[0])
            if _hides(command.words[0], program):
                message = "A program's name is spelled with escapes or pieces of variables"
                self._add("script-hides-names", command.words[0], message, Severity.MEDIUM)
        if labels & Label.DECODED:
            self._add("script-runs-decoded", what)
        elif labels & Label.DOWNLOADED:
            self._downloaded(what, before)
        if before is not None and before.program in ("nc", "ncat", "netcat", "socat") and program in SHELLS:
            self._add("script-reverse-shell", command)

    def _downloaded(self, command: Command, before: Command | None) -> None:
        """How grave it is that a download is run depends on where it comes from."""
        text = self._script[max(0, (before or command).start - 300) : command.end]
        addresses = [hit[0] for hit in _URL.finditer(text)]
        if any(is_bad_host(address) for address in addresses):
            self._add(
                "script-runs-downloaded",
                command,
                "A download from a bare number, a paste site or a tunnel is run",
                Severity.CRITICAL,
                Confidence.HIGH,
            )
        elif (
            addresses
            and all(address.lower().startswith("http://") for address in addresses)
            and "localhost" not in text
        ):
            self._add(
                "script-runs-downloaded",
                command,
                "A download over an unprotected connection is run",
                Severity.HIGH,
                Confidence.MEDIUM,
            )
        else:
            self._add("script-runs-downloaded", command)

    def _network(self, command: Command, piped: Label) -> None:
        """Programs that send."""
        program = command.program
        texts = self._texts(command)
        if program in ("dig", "nslookup", "host", "drill", "ping"):
            if any(
                self._labels(word) & (Label.SECRET | Label.SECRET_VARIABLE | Label.ENVIRONMENT)
                for word in command.arguments
            ):
                self._add("script-leaks-by-name", command)
            return
        if _TCP.search(" ".join([*(w.text for _, w in command.outputs), *(w.text for w in command.inputs)])):
            self.traits.add(Trait.NETWORK)
            if program in SHELLS or program == "exec" or "exec" in command.wrappers or not command.words:
                self._add("script-reverse-shell", command)
        if program in ("nc", "ncat", "netcat", "socat") and (self._fifo or _gives_shell(texts)):
            self._add("script-reverse-shell", command)
        self._fifo |= program == "mkfifo"
        sent = message(command, texts, piped, self._labels)
        if sent is None:
            return
        self.traits.add(Trait.NETWORK)
        if sent.labels or sent.sends:
            self.traits.add(Trait.SENDS)
        self._sent(command, sent)

    def _sent(self, command: Command, sent: Message) -> None:
        bad = any(is_bad_host(address) for address in sent.addresses)
        if sent.labels & Label.ENVIRONMENT:
            self._add("script-sends-environment", command)
        elif sent.labels & Label.SECRET:
            self._add("script-sends-credentials", command)
        elif (sent.labels | sent.path) & Label.SECRET_VARIABLE:
            plain = any(address.lower().startswith("http://") for address in sent.addresses) and not sent.local
            sure = Severity.HIGH if bad or (plain and sent.path) else None
            if sure or not sent.proper:
                self._add("script-sends-variable", command, "", sure, Confidence.HIGH if sure else None)
        elif sent.labels & Label.OBSERVED:
            self._add("script-spies", command)
        elif bad:
            self._add("script-bad-host", command)

    def _writes(self, command: Command, piped: Label) -> None:
        """Files that are written and what for."""
        texts = self._texts(command)
        files = [(word, self._variables.expand(word.text)) for _, word in command.outputs]
        if command.program in ("tee", "cp", "mv", "install", "ln"):
            chosen = [pair for pair in zip(command.arguments, texts, strict=True) if not pair[1].startswith("-")]
            files += chosen if command.program == "tee" else chosen[1:][-1:]
        if command.program == "sed" and any(text.startswith(("-i", "--in-place")) for text in texts):
            files += [(command.arguments[-1], texts[-1])]
        for word, text in files:
            kind = persistence_path(text)
            if kind:
                self.traits.add(Trait.PERSISTS)
                self._add(PERSISTS[kind][0], command, PERSISTS[kind][1])
            if piped & (Label.DOWNLOADED | Label.DECODED):
                self._variables.files[text] = piped & (Label.DOWNLOADED | Label.DECODED)
            elif piped.private:
                self._variables.files[text] = piped & (Label.SECRET | Label.ENVIRONMENT)
            del word
        self._persists(command, texts)
        if command.program in ("cat", "head", "tail", "less", "cp", "tar", "zip", "grep", "base64", "scp"):
            for text in texts:
                if stage(
                    command, Label.NONE, self._script, self._variables, 0
                ) & Label.SECRET and not own_environment_file(text):
                    self.traits.add(Trait.CREDENTIALS)
                    self._add("script-reads-credentials", command)
                    break

    def _persists(self, command: Command, texts: Sequence[str]) -> None:
        """Commands that set up what goes on after the call."""
        program = command.program
        if (
            (program == "crontab" and not any(text in ("-l", "-r", "-e") for text in texts))
            or (program == "launchctl" and texts[:1] and texts[0] in ("load", "bootstrap", "submit", "enable"))
            or (program == "systemctl" and "enable" in texts)
            or (program == "schtasks" and "/create" in map(str.lower, texts))
        ):
            self.traits.add(Trait.PERSISTS)
            quiet = program == "systemctl"
            self._add("script-persists", command, "", Severity.LOW if quiet else None)
        elif program in ("useradd", "adduser", "usermod", "visudo") or (program == "chmod" and _setuid(texts)):
            plain = program in ("useradd", "adduser") and not _RIGHTS.search(" ".join(texts))
            self._add(
                "script-opens-door",
                command,
                "An account is made" if plain else "An account or a program gets more rights",
                Severity.LOW if plain else Severity.MEDIUM,
                Confidence.MEDIUM,
            )

    def _nested(self, command: Command) -> None:
        """Scripts in arguments and here-documents of interpreters, and in substitutions."""
        program = command.program
        if program in INTERPRETERS:
            language = "shell" if program in SHELLS else "python" if program.startswith("python") else "script"
            for place, word in enumerate(command.arguments[:-1]):
                if word.text in ("-c", "-e", "-r", "-Command", "-ce", "-lc", "-ic"):
                    if not command.arguments[place + 1].inner:
                        self._inside(command.arguments[place + 1], language)
                    break
            for word in command.given:
                if not _has_script(command):
                    self._inside(word, language, shift=word.start)
        elif program == "eval" and len(command.words) == 2 and not command.words[1].inner:
            self._inside(command.words[1], "shell")
        else:
            self._carried(command)
        for word in command.words:
            for start, end in word.inner:
                self._merge(self._inner("shell", self._script[start:end], self._depth + 1), start)

    def _carried(self, command: Command) -> None:
        """Commands that a program is given to start."""
        if command.program in CARRIERS:
            for word in (*command.arguments, *command.given):
                if not word.inner and any(char.isspace() for char in word.text):
                    self._inside(word, "shell")
        elif command.program == "find":
            for started in _started(command):
                self.see([started])

    def _inside(self, word: Token, language: str, shift: int | None = None) -> None:
        found = self._inner(language, word.text, self._depth + 1)
        if word.single:
            shift = word.start + 1
        if shift is not None:
            self._merge(found, shift)
            return
        self.traits |= found.traits
        for item in few(found.findings, 1):
            self._add(item.rule, word, item.message, item.severity, item.confidence)

    def _merge(self, found: Analysis, shift: int) -> None:
        self.traits |= found.traits
        self.found += [
            CodeFinding(item.rule, item.start + shift, item.end + shift, item.message, item.severity, item.confidence)
            for item in found.findings
        ]

    def _stored(self, line: Sequence[Command], labels: Label) -> None:
        """Remember what files a pipeline leaves behind."""
        for command in line:
            texts = self._texts(command)
            if command.program in DOWNLOADERS:
                for name in _downloads(texts, command.program):
                    self._variables.files[name] = Label.DOWNLOADED
                    self._variables.files[f"./{name}"] = Label.DOWNLOADED
        keep = labels & (Label.DOWNLOADED | Label.DECODED | Label.SECRET | Label.ENVIRONMENT)
        if keep and line:
            for _, word in line[-1].outputs:
                self._variables.files[self._variables.expand(word.text)] = keep
        last = line[-1] if line else Command()
        if labels & Label.SECRET and last.program in ("tar", "zip", "cp"):
            names = [text for text in self._texts(last) if re.search(r"\.(?:tgz|zip|tar|gz|bak)$|^/tmp/", text)]
            for name in names:
                self._variables.files[name] = Label.SECRET


def _has_script(command: Command) -> bool:
    """Whether an interpreter is given a script by name or argument, so that it does not read its input as one."""
    for word in command.arguments:
        if word.text in ("-", "-s", "/dev/stdin"):
            return False
        if not word.text.startswith("-") or word.text in ("-c", "-e", "-m"):
            return True
    return False


def _started(command: Command) -> Iterator[Command]:
    """The commands that a `find` starts on what it finds."""
    words: list[Token] | None = None
    for word in (*command.arguments, Token(";", command.end, command.end)):
        if words is not None and word.text in (";", "+", "\\;"):
            if words:
                yield Command(words, start=words[0].start, end=words[-1].end)
            words = None
        elif words is not None:
            words.append(word)
        elif word.text in ("-exec", "-execdir", "-ok", "-okdir"):
            words = []


def _hides(word: Token, program: str) -> bool:
    """Whether a program's name is spelled so that it does not read as what it is."""
    if not word.spelled or len(word.text) > 80 or "\n" in word.text or "=" in word.text:
        return False
    return program in INTERPRETERS or program in DOWNLOADERS or ":" in word.text


def _gives_shell(texts: Sequence[str]) -> bool:
    """Whether `nc -e sh`, `nc -c cmd` or `socat exec:…` is told to connect a program."""
    for place, text in enumerate(texts):
        if text[:40].lower().startswith(("exec:", "system:")) or ",exec:" in text[:400].lower():
            return True
        if len(text) < 10 and text.startswith("-") and text[-1:] in "ec":
            program = (texts[place + 1] if place + 1 < len(texts) else "").partition(" ")[0].rpartition("/")[2].lower()
            if program in SHELLS or program in ("cmd", "cmd.exe", "powershell", "powershell.exe"):
                return True
    return False


def _setuid(texts: Sequence[str]) -> bool:
    return any(text in ("u+s", "+s") or re.fullmatch(r"[4-7]\d{3}", text) for text in texts)


def _downloads(texts: Sequence[str], program: str) -> list[str]:
    """Names of the files that a download leaves."""
    names: list[str] = []
    for place, text in enumerate(texts):
        if (
            text in ("-o", "--output", "-outfile")
            or (program == "wget" and text == "-O")
            or re.fullmatch(r"-[a-zA-Z]+o", text)
        ):
            names += texts[place + 1 : place + 2]
    if not names and (program == "wget" or any(re.fullmatch(r"-[a-zA-Z]*O|--remote-name", text) for text in texts)):
        for text in texts:
            leaf = text.split("?", 1)[0].rpartition("/")[2]
            if "://" in text and leaf:
                names.append(leaf)
    return [name for name in names if name not in ("-", "/dev/null")]
