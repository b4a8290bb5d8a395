"""Inline suppressions: a comment in the text that says that a rule is wrong here, and why.

    <!-- inkgate: ignore[RULE, RULE2] reason -->     Markdown, HTML
    %% inkgate: ignore[RULE] reason %%               Obsidian
    # inkgate: ignore[RULE] reason                   YAML, TOML, shell, Python
    // inkgate: ignore[RULE] reason                  JavaScript, JSONC

It covers findings that start on its own line; one that stands alone on its line covers the next line as well. Rule and
reason are compulsory, and the spelling is exact: a comment that comes close to this form is a finding, as is one that
suppresses nothing, since both hide a mistake.

The text under test is written by the suspect, so this belongs to linting alone, where a person reviews the change: the
gate never calls it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from inkgate.lean import TYPE_CHECKING, dataclass, replace
from inkgate.match.rules import Rule
from inkgate.model import Category, Finding, ScanResult
from inkgate.policy import DEFAULT, Policy
from inkgate.report.model import Suppressed

if TYPE_CHECKING:
    from typing import IO

__all__ = ["LINE", "Applied", "Finder", "Suppression", "apply", "find_in_file", "find_in_reader", "find_suppressions"]

LINE = 65_536
"""Characters: a comment on a longer line is not honoured, so that memory stays bounded."""

NEVER = frozenset({"findings-omitted"})
"""Rules that cannot be suppressed: they stand for findings that are not listed one by one."""

_MARK = "inkgate:"
_REASON = 500
_CLOSE = {"<!--": "-->", "%%": "%%"}


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """A comment; anything that its writer may have taken for one; what may stand before one that is alone.

    Compiled when the first comment turns up, since most files have none.
    """
    comment = re.compile(
        r"""
        (?P<open> <!-- | %% | (?<!\S)\# | (?<!\S)// ) [ ]
        inkgate:[ ]ignore
        \[ (?P<rules> [a-z0-9-]{1,80} (?: ,[ ]?[a-z0-9-]{1,80} ){0,19} ) \]
        (?P<rest> .{0,600} )
        """,
        re.VERBOSE,
    )
    near = r"(?:<!--|%%|(?<!\S)#+|(?<!\S)//+)[ \t]{0,8}inkgate:[ \t]{0,8}(?:ignore|disable|allow|noqa)"
    return comment, re.compile(near, re.IGNORECASE), re.compile(r"[\s>*+-]*")


@dataclass(frozen=True, slots=True)
class Suppression:
    """One comment.

    Attributes:
        line: from 1.
        column: of the comment, in characters from 1.
        start: offset of the comment in characters of the text.
        end: offset just past it.
        rules: the ids that it names; empty if it cannot be read.
        reason: the words after the ids; may be empty, which is a finding.
        alone: whether nothing else stands on its line.
        head: offset just past the list of ids.
    """

    line: int
    column: int
    start: int
    end: int
    rules: tuple[str, ...]
    reason: str
    alone: bool
    head: int = 0

    def holds(self, finding: Finding) -> bool:
        """Whether a finding lies in the comment's own syntax: the id of a rule can look like what the rule finds."""
        return self.start <= finding.start and finding.end <= self.head

    def covers(self, finding: Finding) -> bool:
        """Whether a finding is suppressed by this comment."""
        if finding.rule not in self.rules or not self.reason or finding.rule in NEVER:
            return False
        return finding.line == self.line or (self.alone and finding.line == self.line + 1)


@dataclass(frozen=True, slots=True)
class Applied:
    """A result after its suppressions.

    Attributes:
        findings: those that stand, with those about the suppressions themselves, sorted by place.
        suppressed: those that do not count.
    """

    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]


class Finder:
    """Finds the comments of a text that arrives in pieces of any size."""

    def __init__(self) -> None:
        self._held = ""  # the unfinished last line
        self._skip = False  # inside a line that is too long
        self._offset = 0
        self._line = 1

    def feed(self, block: str, *, final: bool = False) -> Iterator[Suppression]:
        """Comments on the lines that end in this block."""
        text = self._held + block
        if self._skip:
            cut = text.find("\n")
            if cut < 0:
                self._offset += len(text)
                self._held = ""
                return
            self._offset, text, self._skip = self._offset + cut, text[cut:], False
        whole = len(text) if final else text.rfind("\n") + 1
        yield from self._lines(text[:whole])
        self._offset += whole
        self._line += text.count("\n", 0, whole)
        self._held = text[whole:]
        if len(self._held) > LINE:
            self._offset += len(self._held)
            self._held, self._skip = "", True

    def _lines(self, text: str) -> Iterator[Suppression]:
        counted, line = 0, self._line
        at = text.find(_MARK)
        while at >= 0:
            start = text.rfind("\n", 0, at) + 1
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
            line += text.count("\n", counted, start)
            counted = start
            if end - start <= LINE:
                yield from _parse(text[start:end], line, self._offset + start)
            at = text.find(_MARK, end)


def _parse(text: str, line: int, offset: int) -> Iterator[Suppression]:
    """The comments of one line, read from left to right."""
    comment, near_miss, leads = _patterns()
    at = 0
    while (near := near_miss.search(text, at)) is not None:
        found = comment.match(text, near.start())
        if found is None:
            yield Suppression(line, near.start() + 1, offset + near.start(), offset + near.end(), (), "", False)
            at = near.end()
            continue
        close = _CLOSE.get(found["open"], "")
        body, end = found["rest"], found.end()
        if close:
            inside, mark, _ = body.partition(close)
            if not mark:  # never closed on its line, so it is no comment
                yield Suppression(line, near.start() + 1, offset + near.start(), offset + near.end(), (), "", False)
                at = near.end()
                continue
            body, end = inside, found.start("rest") + len(inside) + len(close)
        rules = tuple(part.strip() for part in found["rules"].split(","))
        reason = body.strip()[:_REASON] if body[:1].isspace() else ""
        alone = not leads.sub("", text[: near.start()], count=1) and not text[end:].strip()
        yield Suppression(
            line,
            near.start() + 1,
            offset + near.start(),
            offset + end,
            rules,
            reason,
            alone,
            offset + found.start("rest"),
        )
        at = end


def find_suppressions(blocks: Iterable[str]) -> list[Suppression]:
    """Every comment of a text that comes in blocks of any size, in order."""
    finder = Finder()
    found = [item for block in blocks for item in finder.feed(block)]
    found.extend(finder.feed("", final=True))
    return found


def find_in_file(path: str | Path) -> list[Suppression]:
    """Every comment of a text file; none for a file of another kind. Reads in constant memory.

    Raises:
        OSError: the file cannot be read.
    """
    with Path(path).open("rb") as file:
        return find_in_reader(file, str(path))


def find_in_reader(file: IO[bytes], name: str) -> list[Suppression]:
    """The same for an open file, which is read from where it stands, and its name."""
    from inkgate.text.sniff import HEAD, Kind, sniff

    head = file.read(HEAD)
    if sniff(head, name) is not Kind.TEXT:
        return []
    file.seek(0)
    tail, seen = b"", False
    while not seen and (block := file.read(1 << 20)):
        window = (tail + block).replace(b"\0", b"")  # UTF-16 and UTF-32 are ASCII with NUL bytes between
        seen = b"inkgate:" in window
        tail = block[-64:]
    if not seen:
        return []
    from inkgate.text.stream import Blocks

    file.seek(0)
    return find_suppressions(Blocks(file))


def apply(
    result: ScanResult,
    suppressions: Sequence[Suppression],
    rules: Mapping[str, Rule],
    *,
    policy: Policy | None = None,
    off: Collection[str] = (),
) -> Applied:
    """Take out the findings that a comment covers, and add one for each comment that is wrong or of no use.

    Args:
        result: the scan of the file in which the comments stand; members of an archive are never covered.
        suppressions: its comments.
        rules: every rule by id, those of `lint.toml` among them.
        policy: decides what a wrong comment causes; the default one when None.
        off: ids that the configuration switches off; a comment for one of them is not called unused.
    """
    kept: list[Finding] = []
    suppressed: list[Suppressed] = []
    known = [item for item in suppressions if item.reason and all(ident in rules for ident in item.rules)]
    secret_lines = {finding.line for finding in result.findings if finding.category is Category.SECRET}
    used: set[tuple[int, str]] = set()
    for finding in result.findings:
        own = finding.source == result.source
        covering = [item for item in suppressions if item.covers(finding)] if own else []
        if not covering:
            if own and any(item.holds(finding) for item in known):
                suppressed.append(Suppressed(finding, "inline", "the id of a rule in a suppression"))
            else:
                kept.append(finding)
            continue
        used.update((item.start, finding.rule) for item in covering)
        reason = "(not shown: its line holds a secret)" if covering[0].line in secret_lines else covering[0].reason
        suppressed.append(Suppressed(finding, "inline", reason))
    made = [finding for item in suppressions for finding in _faults(item, used, rules, result, off)]
    judge = policy or DEFAULT
    kept += (replace(finding, verdict=judge.verdict(finding, result.target)) for finding in made)
    kept.sort(key=lambda finding: (finding.source, finding.start, finding.end, finding.rule, finding.view))
    return Applied(tuple(kept), tuple(suppressed))


def _faults(
    item: Suppression,
    used: Collection[tuple[int, str]],
    rules: Mapping[str, Rule],
    result: ScanResult,
    off: Collection[str],
) -> Iterator[Finding]:
    if not item.rules:
        yield _fault(item, rules["suppression-malformed"], result, "")
        return
    if not item.reason:
        yield _fault(item, rules["suppression-without-reason"], result, ",".join(item.rules))
        return
    for ident in item.rules:
        if ident not in rules or ident in NEVER:
            yield _fault(item, rules["suppression-unknown-rule"], result, ident)
        elif (item.start, ident) not in used and ident not in off:
            yield _fault(item, rules["suppression-unused"], result, ident)


def _fault(item: Suppression, rule: Rule, result: ScanResult, excerpt: str) -> Finding:
    return Finding(
        rule.id,
        rule.category,
        rule.severity,
        rule.confidence,
        rule.title,
        item.start,
        item.end,
        item.line,
        item.column,
        "raw",
        excerpt[:120],
        sha256(f"{rule.id}\0{excerpt}".encode()).hexdigest()[:16],
        source=result.source,
        end_line=item.line,
        end_column=item.column + item.end - item.start,
    )
