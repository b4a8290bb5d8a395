"""What is suspicious in a Python file, seen call by call."""

from __future__ import annotations

import ast

from inkgate.code.model import Analysis, CodeFinding, Label, Trait, few
from inkgate.code.python import fold, names, observing
from inkgate.code.python.arguments import argument, handed, quoted, words
from inkgate.code.python.flow import Flow
from inkgate.code.python.parse import Source
from inkgate.code.python.values import Value
from inkgate.code.sensitive import PERSISTS, is_bad_host, own_environment_file, persistence_path
from inkgate.model import Confidence, Severity

__all__ = ["Watch"]

_DEPTH = 3
"""Texts inside texts that are looked into."""
_INNER = 5000
"""Texts of one tree that are looked into."""
_TO_WRITE = ("KEY_SET_VALUE", "KEY_WRITE", "KEY_ALL_ACCESS")
"""Rights to write to a key of the registry."""
_PRIVATE = Label.ENVIRONMENT | Label.SECRET | Label.HARVEST


class Watch:
    """Looks at the nodes of one tree and collects findings and traits.

    Args:
        flow: the values of the tree, complete as far as the node that is shown.
        source: the text.
        shift: lines of the text before the tree.
        name: the file's name.
        depth: how many texts inside texts this is.
    """

    def __init__(self, flow: Flow, source: Source, shift: int, name: str, depth: int) -> None:
        self._flow, self._source, self._shift, self._depth = flow, source, shift, depth
        self._file = name.rpartition("/")[2]
        self.reset()

    def reset(self) -> None:
        """Forget everything, before a pass."""
        self._found: list[CodeFinding] = []
        self._traits: set[Trait] = set()
        self._duplicated: ast.AST | None = None
        self._shell = False
        self._looked = 0
        self._observed: ast.AST | None = None
        self._listening: ast.AST | None = None

    def result(self) -> Analysis:
        """What was seen."""
        if self._duplicated is not None and self._shell and "socket" in self._flow.modules:
            self.add("script-reverse-shell", self._duplicated)
        if self._listening is not None and Trait.NETWORK in self._traits:
            self.add(
                "script-spies", self._listening, "Every key is listened to, and the network is used", Severity.HIGH
            )
        elif self._observed is not None and Trait.SENDS in self._traits:
            self.add("script-spies", self._observed)
        return Analysis(tuple(few(self._found)), frozenset(self._traits))

    def see(self, node: ast.AST) -> None:
        """Look at one node."""
        if isinstance(node, ast.Call):
            self._call(node)
            for inner in handed(self._flow, node):
                self._call(inner)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for item in node.decorator_list:
                name = self._flow.value(item).name
                if names.executes(name) or names.runs_program(name):
                    self.add("script-hides-names", item, "A decorator runs what it is put on as code or as a command")

    def _call(self, node: ast.Call) -> None:
        callee = self._flow.value(node.func)
        name = callee.name.replace("()", "")
        given = argument(node, name)
        first = self._flow.value(given)
        if not name and isinstance(node.func, ast.Attribute):
            name = f"?.{node.func.attr}"
        self._hidden_name(node, callee)
        self._executes(node, name, first)
        self._programs(node, name, first)
        self._sends(node, name, first)
        self._files(node, name, first)
        self._tells(node, name, first)
        self._setup(node, name)
        if observing.listens(name):
            self._listening = node
        elif observing.observes(name):
            self._observed = node

    def add(
        self,
        rule: str,
        node: ast.AST,
        message: str = "",
        severity: Severity | None = None,
        confidence: Confidence | None = None,
    ) -> None:
        """Note a finding at a node."""
        line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        end_line, end_column = (
            getattr(node, "end_lineno", line) or line,
            getattr(node, "end_col_offset", column) or column,
        )
        start = self._source.offset(line + self._shift, column)
        end = max(start, self._source.offset(end_line + self._shift, end_column))
        self._found.append(CodeFinding(rule, start, end, message, severity, confidence))

    def _hidden_name(self, node: ast.Call, callee: Value) -> None:
        """A function or module whose name the code puts together."""
        if callee.labels & (Label.BUILT | Label.DECODED) and callee.name and "()" not in callee.name:
            leaf = callee.name.rpartition(".")[2]
            if (
                names.executes(leaf)
                or names.runs_program(callee.name)
                or names.sends(callee.name)
                or names.decodes(callee.name)
            ):
                self.add("script-hides-names", node)
            elif callee.labels & Label.DECODED:
                self.add("script-hides-names", node, "", Severity.MEDIUM)
        elif callee.name.startswith("os.") and names.runs_program(callee.name) and _imports_inline(node.func):
            self.add(
                "script-hides-names",
                node,
                "A module is imported in the middle of an expression to run a command",
                Severity.MEDIUM,
                Confidence.MEDIUM,
            )

    def _executes(self, node: ast.Call, name: str, first: Value) -> None:
        """Python that runs a text."""
        labels = Label(first.labels)
        if names.opens_pickle(name) and node.args:
            if name.startswith("marshal") and (labels & (Label.DECODED | Label.DOWNLOADED)):
                self.add("script-loads-code", node)
            elif labels & (Label.DOWNLOADED | Label.DECODED):
                self.add("script-loads-code", node, "", Severity.HIGH, Confidence.MEDIUM)
            return
        if not names.executes(name) or name.endswith("compile"):
            return
        if labels & Label.DECODED:
            self.add("script-runs-decoded", node)
        elif labels & (Label.DOWNLOADED | Label.DOWNLOADED_PART):
            sure = Confidence.HIGH if labels & Label.DOWNLOADED else Confidence.LOW
            self.add("script-runs-downloaded", node, "Text from the network is run as Python", Severity.HIGH, sure)
        elif labels & Label.HIDDEN_FILE:
            self.add("script-runs-hidden-file", node)
        elif labels & Label.BUILT and first.text and fold.UNKNOWN not in first.text and len(first.text) > 20:
            self.add(
                "script-runs-decoded",
                node,
                "Code that is put together from pieces is run",
                Severity.MEDIUM,
                Confidence.MEDIUM,
            )
        if first.text and fold.UNKNOWN not in first.text:
            self._inside(node, first.text)

    def _inside(self, node: ast.AST, text: str, language: str = "python") -> None:
        """Look into a text that is run; what it does happens at the place where it is run."""
        from inkgate.code import python, shell

        self._looked += 1
        if self._depth >= _DEPTH or self._looked > _INNER:
            self.add("script-not-analysed", node, "Code in texts, more of it or more deeply than is looked at")
            return
        inner = shell.analyse if language == "shell" else python.analyse
        found = inner(text, depth=self._depth + 1, example=True)
        self._traits |= found.traits
        for item in few(found.findings, 1):
            self.add(item.rule, node, item.message, item.severity, item.confidence)

    def _programs(self, node: ast.Call, name: str, first: Value) -> None:
        """Python that runs a command."""
        kind = names.runs_program(name)
        if name in ("os.dup2", "pty.spawn"):
            self._duplicated = node
        if not kind:
            return
        self._traits.add(Trait.RUNS)
        command, shell = self._command(node, name, kind, first)
        if command is not None and (command.text or "").strip().rpartition("/")[2].partition(" ")[0] in (
            "sh",
            "bash",
            "cmd.exe",
            "zsh",
            "powershell",
        ):
            self._shell = True
        labels = Label(command.labels if command is not None else 0)
        if labels & Label.DECODED:
            self.add("script-runs-decoded", node, "A decoded text is run as a command")
        elif labels & Label.DOWNLOADED and shell:
            self.add(
                "script-runs-downloaded",
                node,
                "Text from the network is run as a command",
                Severity.HIGH,
                Confidence.MEDIUM,
            )
        line = self._line(node, name, first, shell)
        if line:
            self._inside(node, line, "shell")

    def _command(self, node: ast.Call, name: str, kind: str, first: Value) -> tuple[Value | None, bool]:
        """The program or command line that a call runs, and whether a shell reads it."""
        shell = kind == "shell" or any(
            item.arg == "shell" and isinstance(item.value, ast.Constant) and item.value.value is True
            for item in node.keywords
        )
        listed = words(node, name)
        if listed is not None:
            values = [self._flow.value(item) for item in listed]
            dashed = next(
                (place for place, value in enumerate(values) if value.text in ("-c", "-e", "/c", "-Command", "-enc")),
                None,
            )
            if (
                dashed is not None
                and dashed + 1 < len(values)
                and values[dashed + 1].labels & (Label.DECODED | Label.DOWNLOADED)
            ):
                return values[dashed + 1], True
            return (values[0] if values else None), shell
        return (None if argument(node, name) is None else first), shell

    def _line(self, node: ast.Call, name: str, first: Value, shell: bool) -> str:
        """The command line, as a shell would read it; unknown pieces are left out of it."""
        listed = words(node, name)
        if listed is not None:
            texts = [self._flow.value(item).text for item in listed]
            if not texts or texts[0] is None:
                return ""
            return " ".join(quoted(fold.UNKNOWN if text is None else text) for text in texts).replace(fold.UNKNOWN, "_")
        return (first.text or "").replace(fold.UNKNOWN, "_") if shell else ""

    def _sends(self, node: ast.Call, name: str, first: Value) -> None:
        """Python that talks to the network."""
        if names.resolves_host(name):
            if Label(first.labels) & (_PRIVATE | Label.SECRET_VARIABLE):
                self.add("script-leaks-by-name", node)
            return
        method = name.rpartition(".")[2]
        keywords = {item.arg for item in node.keywords}
        named = names.sends(name)
        if not named and not (
            method in ("post", "put")
            and keywords & names.BODY
            and self._flow.modules & {"requests", "httpx", "aiohttp"}
        ):
            return
        self._traits.add(Trait.NETWORK)
        if (
            method in ("post", "put", "patch", "sendall", "send", "sendto", "sendmail", "send_message")
            or keywords & names.BODY
        ):
            self._traits.add(Trait.SENDS)
        address, body = self._message(node, first)
        bad = bool(address.text and is_bad_host(address.text))
        if (
            address.labels & Label.DECODED
            and address.text
            and address.text.lower().startswith(("http://", "https://", "ftp://", "ws"))
        ):
            self.add("script-hides-address", node)
        self._sent(node, Label(body), Label(body | address.labels), bad)

    def _sent(self, node: ast.Call, body: Label, labels: Label, bad: bool) -> None:
        """What a call to the network carries, by the gravest of it."""
        if labels & (Label.ENVIRONMENT | Label.HARVEST):
            self.add("script-sends-environment", node)
        elif labels & Label.SECRET:
            self.add("script-sends-credentials", node)
        elif body & Label.SECRET_VARIABLE and bad:
            self.add("script-sends-variable", node, "", Severity.HIGH, Confidence.HIGH)
        elif body & Label.SECRET_VARIABLE:
            self.add("script-sends-variable", node)
        elif labels & Label.OBSERVED:
            self.add("script-spies", node)
        elif labels & Label.SWEPT:
            self.add("script-sends-files", node)
        elif bad:
            self.add("script-bad-host", node)

    def _message(self, node: ast.Call, first: Value) -> tuple[Value, int]:
        """The address of a network call, and the labels of what it sends."""
        address, rest = first, node.args[1:]
        if address.text is None and len(node.args) > 1:
            second = self._flow.value(node.args[1])
            if second.text and "://" in second.text:
                address = second
        labels = 0
        for item in rest:
            labels |= self._flow.value(item).labels
        for keyword in node.keywords:
            value = self._flow.value(keyword.value)
            if keyword.arg == "url":
                address = value
            labels |= (
                value.labels
                if keyword.arg in names.BODY or keyword.arg is None
                else value.labels & ~Label.SECRET_VARIABLE
            )
        if "://" not in (first.text or "") and not first.text:
            labels |= first.labels & ~Label.SECRET_VARIABLE
        return address, labels

    def _files(self, node: ast.Call, name: str, first: Value) -> None:
        """Python that reads credentials or writes where it will be run or read again."""
        path, writes = self._target(node, name, first)
        if path is None or path.text is None:
            return
        if not writes:
            if path.labels & Label.SECRET and fold.UNKNOWN not in path.text:
                self._traits.add(Trait.CREDENTIALS)
                if not own_environment_file(path.text):
                    self.add("script-reads-credentials", node)
            return
        kind = persistence_path(path.text)
        if kind:
            self._traits.add(Trait.PERSISTS)
            rule, message = PERSISTS[kind]
            self.add(rule, node, message)

    def _target(self, node: ast.Call, name: str, first: Value) -> tuple[Value | None, bool]:
        """The file that a call opens, and whether to write."""
        if names.writes_file(name) and len(node.args) > 1:
            return self._flow.value(node.args[1]), True
        method = name.rpartition(".")[2]
        if name.startswith("winreg.") and method.startswith(("OpenKey", "CreateKey")) and len(node.args) > 1:
            asked = [self._flow.value(item).name for item in (*node.args[2:], *(item.value for item in node.keywords))]
            writes = method.startswith("Create") or any(item.endswith(_TO_WRITE) for item in asked)
            return self._flow.value(node.args[1]), writes
        owner = self._flow.value(node.func.value) if isinstance(node.func, ast.Attribute) else Value()
        if method in ("write_text", "write_bytes", "symlink_to"):
            return owner, True
        if method in ("read_text", "read_bytes"):
            return owner, False
        if method == "open" and node.args and not (owner.text and isinstance(node.func, ast.Attribute)):
            mode = self._flow.value(node.args[1]) if len(node.args) > 1 else _keyword(self._flow, node, "mode")
            return first, any(char in (mode.text or "r") for char in "wax+")
        if method == "open" and owner.text:
            mode = first if node.args else _keyword(self._flow, node, "mode")
            return owner, any(char in (mode.text or "r") for char in "wax+")
        if name in ("shutil.copy", "shutil.copyfile", "shutil.copytree", "shutil.make_archive") and node.args:
            return first, False
        return None, False

    def _tells(self, node: ast.Call, name: str, first: Value) -> None:
        """Python that shows or packs what should stay where it is, or deletes what is not its own."""
        labels = 0
        for item in node.args:
            labels |= self._flow.value(item).labels
        if names.tells(name) and labels & (Label.SECRET_VARIABLE | Label.SECRET | Label.HARVEST | Label.ENVIRONMENT):
            self.add("script-shows-secret", node)
        elif name in ("json.dumps", "pickle.dumps") and labels & Label.HARVEST:
            self.add("script-collects-secrets", node)
        elif name in ("dict", "json.dumps", "os.environ.copy") and labels & Label.ENVIRONMENT:
            self.add("script-reads-environment", node)
        elif (
            name == "shutil.rmtree"
            and first.text
            and (
                first.text.rstrip("/*") in ("", "~", "/home", "/Users", "/etc", "/usr")
                or observing.home_itself(first.text)
            )
        ):
            self.add("script-destroys", node)

    def _setup(self, node: ast.Call, name: str) -> None:
        """A package that runs code of its own while it is installed."""
        if self._file == "setup.py" and name.rpartition(".")[2] == "setup":
            for keyword in node.keywords:
                if keyword.arg == "cmdclass":
                    self.add("script-install-hook", keyword.value)


def _keyword(flow: Flow, node: ast.Call, name: str) -> Value:
    return next((flow.value(item.value) for item in node.keywords if item.arg == name), Value())


def _imports_inline(node: ast.AST) -> bool:
    inner = node.value if isinstance(node, ast.Attribute) else None
    return isinstance(inner, ast.Call) and isinstance(inner.func, ast.Name) and inner.func.id == "__import__"
