"""One file, or standard input, from its bytes to a result: opened with care, told apart, decoded, unpacked and scanned.

Nothing about a file raises: what cannot be read is `Unread` in the result, which is then not complete.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import PurePosixPath

from inkgate.lean import TYPE_CHECKING, replace
from inkgate.lint.bounds import Bounds, ByteReader, Guarded, Problem, Replay, exactly
from inkgate.lint.targets import target_for, words
from inkgate.lint.walk import Item, describe
from inkgate.match.rules import RuleSet, load_rules
from inkgate.model import Category, Finding, InkgateError, ScanResult, Target, Unread
from inkgate.policy import DEFAULT, Policy
from inkgate.scan import Scan
from inkgate.text.decode import Decoder
from inkgate.text.sniff import HEAD, Kind, detect, promises_text, sniff
from inkgate.text.stream import BLOCK, Blocks, Reader
from inkgate.text.strings import Strings

if TYPE_CHECKING:
    from typing import IO

__all__ = ["hold", "scan_file", "scan_held", "scan_item", "scan_reader"]

_NOISE = frozenset({Category.HIDDEN, Category.INTEGRITY})
"""Families that only say that binary data is no text."""

_CODE = words(
    "py pyi pyw js mjs cjs jsx ts mts cts tsx sh bash zsh fish ps1 psm1 bat cmd rb pl pm php lua go rs java kt swift "
    "c h cc cpp hpp cs sql json jsonl json5 yaml yml toml ini cfg conf env tf gradle"
)
_ENCRYPTED_OFFICE = (b"\xd0\xcf\x11\xe0", frozenset({"docx", "docm", "xlsx", "xlsm", "pptx", "pptm"}))
_OPAQUE = {
    Kind.OPAQUE: ("opaque-file", "compiled code or a binary document: only its readable strings were scanned"),
    Kind.BINARY: ("binary-file", "binary data of no known kind: only its readable strings were scanned"),
    Kind.ARCHIVE: ("archive-unread", "an archive of a kind that is not opened"),
    Kind.MEDIA: ("", "a picture, sound, film, font or PDF, which are not read"),
}


def scan_file(
    path: str | os.PathLike[str],
    *,
    target: Target | None = None,
    source: str | None = None,
    policy: Policy | None = None,
    rules: RuleSet | None = None,
    bounds: Bounds | None = None,
) -> ScanResult:
    """Scan a file and, if it is an archive or an office document, everything in it.

    Args:
        path: the file; a link is followed.
        target: what it is written for; taken from the path when None.
        source: how to call it in findings; the path when None.
        policy: verdict table; the default one when None.
        rules: rule set; the shipped one when None.
        bounds: how much of an archive to read.

    Raises:
        InkgateError: rules that cannot be used. A file that cannot be read raises nothing.
    """
    name = os.fspath(path)
    job = _Job(name if source is None else source, target or target_for(name), target is None, policy, rules)
    return _read(name, job, bounds or Bounds())


def scan_item(
    item: Item, *, target: Target | None = None, policy: Policy | None = None, rules: RuleSet | None = None
) -> ScanResult:
    """The result for an item of a walk, also for one that is not to be opened.

    Args:
        item: what the walk gave.
        target: as for `scan_file`, as are `policy` and `rules`; the item's own when None.

    Raises:
        InkgateError: rules that cannot be used.
    """
    job = _Job(item.source, target or item.target, target is None, policy, rules)
    if item.problem is None:
        return _read(item.path, job, Bounds())
    job.problem(item.problem)
    return job.result()


def hold(path: str, most: int) -> bytes | None:
    """All bytes of a file; None where there are more than `most`, or where it cannot be read."""
    try:
        with _open(path) as file:
            data = file.read(most + 1)
    except (_NotAFileError, OSError):
        return None  # whoever scans it tells why
    return data if len(data) <= most else None


def scan_held(
    data: bytes, item: Item, *, target: Target | None = None, policy: Policy | None = None, rules: RuleSet | None = None
) -> ScanResult:
    """As `scan_item`, of what `hold` gave for the item.

    Raises:
        InkgateError: rules that cannot be used.
    """
    job = _Job(item.source, target or item.target, target is None, policy, rules)
    job.whole(BytesIO(data), seekable=True, bounds=Bounds())
    return job.result()


def _read(path: str, job: _Job, bounds: Bounds) -> ScanResult:
    """Open the file and scan it."""
    try:
        with _open(path) as file:
            job.whole(file, seekable=True, bounds=bounds)
    except _NotAFileError as error:
        job.problem(Problem("", str(error), fatal=True))
    except OSError as error:
        job.problem(Problem("", f"cannot be read: {error.strerror or error}", fatal=True))
    return job.result()


def scan_reader(
    reader: ByteReader,
    source: str,
    *,
    target: Target | None = None,
    policy: Policy | None = None,
    rules: RuleSet | None = None,
) -> ScanResult:
    """Scan what a reader of bytes delivers, for instance standard input, as if it were a file of that name.

    Args:
        reader: has `read(n)` and gives bytes; an archive that must be read from its end is held in memory, within
            bounds.
        source: the name that decides on the target, and names the findings.
        target: as for `scan_file`, as are `policy` and `rules`.

    Raises:
        InkgateError: rules that cannot be used.
    """
    job = _Job(source, target or target_for(source), target is None, policy, rules)
    job.whole(reader, seekable=False, bounds=Bounds())
    return job.result()


class _NotAFileError(InkgateError):
    """A FIFO, a device, a socket or a folder where a file should be, or what is no path."""


@contextmanager
def _open(path: str) -> Iterator[IO[bytes]]:
    """Open a regular file; never wait for one that is none, also if it became so a moment ago."""
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - text, for every file
    except ValueError:  # a NUL in it
        raise _NotAFileError("not a path") from None
    if not stat.S_ISREG(mode):
        raise _NotAFileError(f"{describe(mode)}, not a file, and was not opened")
    flags = os.O_RDONLY
    for name in ("O_NONBLOCK", "O_CLOEXEC", "O_NOCTTY", "O_BINARY"):
        flags |= getattr(os, name, 0)
    handle = os.open(path, flags)
    try:
        mode = os.fstat(handle).st_mode
        if not stat.S_ISREG(mode):
            raise _NotAFileError(f"became {describe(mode)} while it was opened")
        file = open(handle, "rb", closefd=False)  # noqa: SIM115 - closed below, by its handle
        yield file
    finally:
        os.close(handle)


class _Job:
    """One file on its way: the results of its parts are collected and become one."""

    def __init__(
        self, source: str, target: Target, by_name: bool, policy: Policy | None, rules: RuleSet | None
    ) -> None:
        self._source, self._target, self._by_name = source, target, by_name
        self._policy = policy or DEFAULT
        self._rules = rules or load_rules()
        self._findings: list[Finding] = []
        self._unread: list[Unread] = []
        self._views = {"raw"}
        self._characters = 0

    def whole(self, file: ByteReader, *, seekable: bool, bounds: Bounds) -> None:
        """Scan the file itself."""
        guarded = Guarded(file, "")
        head = exactly(guarded, HEAD)
        kind = sniff(head, self._source)
        again = Replay(head, guarded)
        if not kind.opened:
            self._part("", kind, head, again)
        else:
            self._archive(file, again, kind, seekable=seekable, bounds=bounds)
        if guarded.problem is not None:
            self.problem(guarded.problem)

    def _archive(self, file: ByteReader, again: ByteReader, kind: Kind, *, seekable: bool, bounds: Bounds) -> None:
        """Every member; and the archive as text too if its name says so, because that is how it will be read."""
        from inkgate.lint.archives import Member, in_memory, members

        named_text = promises_text(self._source)
        packed: ByteReader = again
        if seekable:
            file.seek(0)  # type: ignore[attr-defined]
            packed = file
        elif kind is Kind.ZIP or named_text:
            held = in_memory(again, bounds)
            if isinstance(held, Problem):
                self.problem(held)
                return
            packed = held
        for item in members(packed, kind, self._source, bounds):  # type: ignore[arg-type]
            if isinstance(item, Member):
                self._part(item.name, item.kind, item.head, item.reader)
            else:
                self.problem(item)
        if named_text:
            packed.seek(0)  # type: ignore[attr-defined]
            self._part("", Kind.TEXT, b"", packed)

    def problem(self, problem: Problem) -> None:
        """Report something that cannot be read or should not be there."""
        source = self._name(problem.name)
        if problem.rule:
            scan = self._scan(source, problem.name)
            scan.feed("", final=True)
            scan.note(problem.rule, 0, 0, f"{self._rules.by_id[problem.rule].title}: {problem.reason}")
            self._collect(scan.result())
        if problem.unread:
            self._unread.append(Unread(source, problem.reason, problem.fatal))

    def _name(self, member: str) -> str:
        return f"{self._source}!{member}" if member else self._source

    def _scan(self, source: str, member: str) -> Scan:
        target = self._target
        if member and self._by_name:
            inner = target_for(member.replace("!", "/"), skill=target is Target.SKILL)
            target = target if inner is Target.VAULT else inner
        name = source.rpartition("/")[2].lstrip(".")
        suffix = name.rpartition(".")[2].lower() if "." in name else ""
        return Scan(target, source=source, policy=self._policy, rules=self._rules, code=suffix in _CODE)

    def _part(self, member: str, kind: Kind, head: bytes, reader: Reader) -> None:
        """Scan one file that is no archive: text, the strings of binary data, or nothing."""
        source = self._name(member)
        if kind is not Kind.TEXT:
            rule, reason = _OPAQUE[kind]
            magic, suffixes = _ENCRYPTED_OFFICE
            if head.startswith(magic) and PurePosixPath(source).suffix[1:].lower() in suffixes:
                rule, reason = "archive-encrypted", "an office document that is protected by a password"
            self.problem(Problem(member, reason, rule))
            if kind in (Kind.OPAQUE, Kind.BINARY) or (kind is Kind.MEDIA and self._target is Target.SKILL):
                self._strings(source, member, reader)
            if kind is not Kind.OPAQUE or not promises_text(source):
                return
        scan = self._scan(source, member)
        second = None
        if head and detect(head).encoding != "utf-8":
            second = _Second(self._scan(source, member), reader)
        scan.read(Blocks(second or reader))
        result = scan.result()
        self._collect(result)
        if second is not None:
            self._collect_second(result, second.result())

    def _strings(self, source: str, member: str, reader: Reader) -> None:
        scan = self._scan(source, member)
        scan.read(Blocks(Strings(reader)))
        self._collect(_without_noise(scan.result()))

    def _collect(self, result: ScanResult) -> None:
        self._findings += result.findings
        self._unread += result.unread
        self._views.update(result.views)
        self._characters += result.characters

    def _collect_second(self, first: ScanResult, second: ScanResult) -> None:
        """Add what the other reading shows and the first one does not; its places count in that reading."""
        known = {finding.rule for finding in first.findings}
        reason = "seen when the bytes are read as UTF-8; the place counts in that reading"
        self._findings += [
            replace(finding, view=f"utf-8/{finding.view}", reason=finding.reason or reason)
            for finding in _without_noise(second).findings
            if finding.rule not in known
        ]

    def result(self) -> ScanResult:
        """Everything about the file."""
        findings = sorted(self._findings, key=lambda f: (f.source, f.start, f.end, f.rule, f.view))
        complete = not any(item.fatal for item in self._unread)
        return ScanResult(
            self._policy.decide(findings, complete=complete),
            tuple(findings),
            self._target,
            self._characters,
            tuple(sorted(self._views)),
            tuple(self._unread),
            self._rules.digest,
            self._source,
        )


def _without_noise(result: ScanResult) -> ScanResult:
    return replace(result, findings=tuple(f for f in result.findings if f.category not in _NOISE))


class _Second:
    """Passes a text on and scans the same bytes as UTF-8 beside it.

    A byte order mark, or a few NULs, must not hide from the scan what a reader sees who takes every file for UTF-8.
    """

    def __init__(self, scan: Scan, reader: Reader) -> None:
        self._scan, self._reader = scan, reader
        self._decoder = Decoder("utf-8", lenient=True)
        self._held = ""

    def read(self, n: int, /) -> str | bytes:
        data = self._reader.read(n)
        if isinstance(data, bytes):
            self._held += self._decoder.feed(data, final=not data)
            while len(self._held) > BLOCK:
                self._scan.feed(self._held[:BLOCK])
                self._held = self._held[BLOCK:]
        return data

    def result(self) -> ScanResult:
        """What the other reading gave."""
        self._scan.feed(self._held, final=True)
        return self._scan.result()
