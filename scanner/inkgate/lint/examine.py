"""One file of a run: scan it, read the suppressions in it. Runs in worker processes, so everything can be pickled."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from inkgate.lean import TYPE_CHECKING, Any, dataclass, field, replace
from inkgate.lint.globs import compile_glob
from inkgate.lint.suppress import Finder, Suppression, find_in_file, find_in_reader
from inkgate.model import InkgateError, ScanResult, Target, Unread, Verdict
from inkgate.policy import DEFAULT, Policy
from inkgate.text.decode import Decoder
from inkgate.text.sniff import HEAD, Kind, sniff

if TYPE_CHECKING:
    from inkgate.lint.bounds import ByteReader
    from inkgate.lint.clean import Clean, CleanFiles
    from inkgate.lint.skills import FolderChecks
    from inkgate.lint.walk import Item
    from inkgate.match.rules import RuleSet

__all__ = ["Examined", "Examiner", "Options", "within"]


_SMALL = 1 << 20
"""Bytes of a file up to which it is read as a whole, and once."""


@dataclass(frozen=True, slots=True)
class Options:
    """How files are examined.

    Attributes:
        target: what every file is taken for; None: by its path.
        targets: pattern and target, the first that matches; goes before the path's own.
        folder: absolute, what patterns are relative to.
        packs: further rule packs.
        policy: changes of the verdict table.
        suppressions: whether comments in the text are honoured.
        skill_profile: which fields the front matter of a skill may have.
        skill_trust: who the skills come from.
        cache: absolute, the folder in which files that are clean are remembered; empty: all are scanned, and what is
            compiled for an engine is not kept either.
    """

    target: Target | None = None
    targets: tuple[tuple[str, Target], ...] = ()
    folder: str = ""
    packs: tuple[str, ...] = ()
    policy: Mapping[str, Any] = field(default_factory=dict)
    suppressions: bool = True
    skill_profile: str = "spec"
    skill_trust: str = "community"
    cache: str = ""


@dataclass(frozen=True, slots=True)
class Examined:
    """What one file gave.

    Attributes:
        result: of the scan.
        suppressions: the comments in it.
        clean: under which name it may be remembered as clean, and what of it; None where it may not.
    """

    result: ScanResult
    suppressions: tuple[Suppression, ...] = ()
    clean: tuple[str, Clean] | None = None


class Examiner:
    """Examines files with the same options.

    Attributes:
        cache: the files that are known to be clean; None where none are remembered.

    Raises:
        InkgateError: the rules or the policy cannot be used.
    """

    def __init__(self, options: Options) -> None:
        from inkgate.match.rules import load_rules

        self.options = options
        self.rules: RuleSet = load_rules(options.packs, keep=bool(options.cache))
        policy = Policy.from_mapping(options.policy) if options.policy else DEFAULT
        self.policy = policy.for_trust(options.skill_trust)
        self.cache: CleanFiles | None = None
        if options.cache:
            from inkgate.lint.clean import CleanFiles

            self.cache = CleanFiles(Path(options.cache), options, self.rules.digest)
        self._folders: FolderChecks | None = None
        self._targets = tuple((compile_glob(pattern), target) for pattern, target in options.targets)

    def target(self, path: str) -> Target | None:
        """What a path is taken for, by the command line or the configuration; None: by its name and folder."""
        if self.options.target is not None or not self._targets:
            return self.options.target
        relative = within(path, self.options.folder)
        return next((target for glob, target in self._targets if glob.fullmatch(relative)), None)

    def examine(self, item: Item) -> Examined:
        """Scan one file. Whatever goes wrong with it makes the result incomplete and raises nothing.

        Raises:
            InkgateError: the rules cannot be used.
        """
        try:
            target = self.target(item.path)
            examined = self._known(item, target) or self._scanned(item, target)
            if (target or item.target) is Target.SKILL:
                examined = replace(examined, result=self._of_folder(examined.result, item.path))
        except InkgateError:
            raise
        except Exception as error:  # noqa: BLE001 - one file must not hide the findings of the others
            return self._failed(item.source, error)
        return examined

    def _scanned(self, item: Item, target: Target | None) -> Examined:
        """What a scan of the file gives. A small one is read once; a large one for the scan, and for the comments."""
        from inkgate.lint.files import hold, scan_held, scan_item

        data = hold(item.path, _SMALL) if item.problem is None else None
        if data is not None:
            result = scan_held(data, item, target=target, policy=self.policy, rules=self.rules)
            return Examined(result, self._comments(data, item, result))
        result = scan_item(item, target=target, policy=self.policy, rules=self.rules)
        readable = self.options.suppressions and item.problem is None and result.complete
        return Examined(result, tuple(find_in_file(item.path)) if readable else ())

    def _comments(self, data: bytes, item: Item, result: ScanResult) -> tuple[Suppression, ...]:
        """The suppressions in the bytes of a file."""
        from io import BytesIO

        readable = self.options.suppressions and result.complete
        possible = b"inkgate:" in data or b"\0" in data  # UTF-16 has NUL bytes between
        return tuple(find_in_reader(BytesIO(data), item.path)) if readable and possible else ()

    def _known(self, item: Item, target: Target | None) -> Examined | None:
        """The same from what is remembered, or from the very bytes that may be; None where nothing may."""
        if self.cache is None or item.problem is not None:
            return None
        from inkgate.lint.clean import LARGEST, Clean
        from inkgate.lint.files import hold, scan_held

        data = hold(item.path, LARGEST)
        if data is None:
            return None
        key = self.cache.key(data, item.source, str(target or ""), str(item.target))
        known = self.cache.find(key)
        if known is not None:
            kind, digest = target or item.target, self.rules.digest
            result = ScanResult(Verdict.ALLOW, (), kind, known.characters, known.views, (), digest, item.source)
            return Examined(result, clean=(key, known))
        result = scan_held(data, item, target=target, policy=self.policy, rules=self.rules)
        comments = self._comments(data, item, result)
        clean = result.verdict is Verdict.ALLOW and not (result.findings or result.unread or comments)
        return Examined(result, comments, (key, Clean(result.characters, result.views)) if clean else None)

    def _of_folder(self, result: ScanResult, path: str) -> ScanResult:
        """The result with what the skill's folder adds to it."""
        if self._folders is None:
            from inkgate.lint.skills import FolderChecks

            self._folders = FolderChecks(self.rules, self.policy, self.options.skill_profile)
        return self._folders.extend(result, path)

    def examine_stream(self, stream: ByteReader, name: str) -> Examined:
        """Scan bytes that arrive once, such as standard input, as if they were a file of that name.

        Raises:
            InkgateError: the rules cannot be used.
        """
        from inkgate.lint.files import scan_reader

        copy = Copied(stream, name)
        try:
            result = scan_reader(copy, name, target=self.target(name), policy=self.policy, rules=self.rules)
        except InkgateError:
            raise
        except Exception as error:  # noqa: BLE001 - as for a file
            return self._failed(name, error)
        return Examined(result, copy.suppressions() if self.options.suppressions else ())

    def _failed(self, source: str, error: Exception) -> Examined:
        if os.environ.get("INKGATE_DEBUG"):
            raise error
        # The error's own words could hold the text.
        what = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
        unread = Unread(source, f"inkgate failed on it ({what})")
        return Examined(ScanResult(Verdict.STAGE, unread=(unread,), ruleset=self.rules.digest, source=source))


class Copied:
    """Passes bytes on and looks for suppressions in them on the way."""

    def __init__(self, stream: ByteReader, name: str) -> None:
        self._stream, self._name = stream, name
        self._head = b""
        self._decoder = Decoder()
        self._finder = Finder()
        self._found: list[Suppression] = []

    def read(self, n: int, /) -> bytes:
        """At most `n` bytes; empty at the end."""
        data = self._stream.read(n)
        self._head += data[: HEAD - len(self._head)]
        self._found.extend(self._finder.feed(self._decoder.feed(data)))
        return data

    def suppressions(self) -> tuple[Suppression, ...]:
        """The comments in what was read, if it is text."""
        if sniff(self._head, self._name) is not Kind.TEXT:
            return ()
        rest = self._finder.feed(self._decoder.feed(b"", final=True), final=True)
        return (*self._found, *rest)


def within(path: str, folder: str) -> str:
    """A path relative to a folder, with slashes; as it is, made absolute, where it lies elsewhere."""
    full = os.path.normpath(os.path.join(os.getcwd(), path))  # noqa: PTH109, PTH118 - text, for every file
    if folder and full.startswith(folder.rstrip(os.sep) + os.sep):
        full = full[len(folder.rstrip(os.sep)) + 1 :]
    return Path(full).as_posix()
