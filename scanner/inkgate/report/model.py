"""What every format renders: the findings that stand, those that do not count and why, and what was not read."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from inkgate.lean import TYPE_CHECKING, dataclass, field
from inkgate.model import Finding, InkgateError, Severity, Unread, Verdict

if TYPE_CHECKING:
    from typing import Literal

    from inkgate.match.rules import Rule

__all__ = ["FAIL_ON", "PLAIN", "FailOn", "Report", "Style", "Suppressed"]

FAIL_ON = ("block", "stage", "critical", "high", "medium", "low", "info", "never")
"""Words of `--fail-on`: a verdict, a severity, or never."""


@dataclass(frozen=True, slots=True)
class FailOn:
    """From where on a finding makes the run fail.

    Attributes:
        word: one of `FAIL_ON`. A verdict counts that verdict and worse, whatever the severity; a severity counts that
            severity and worse, whatever the verdict.
    """

    word: str = "stage"

    def __post_init__(self) -> None:
        if self.word not in FAIL_ON:
            raise InkgateError(f"cannot fail on {self.word!r}", hint=f"one of {', '.join(FAIL_ON)}")

    def counts(self, finding: Finding) -> bool:
        """Whether this finding is at or above the threshold."""
        if self.word == "never":
            return False
        if self.word in ("block", "stage"):
            return finding.verdict.rank >= Verdict(self.word).rank
        return finding.severity >= Severity[self.word.upper()]


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that does not count.

    Attributes:
        finding: the finding, complete.
        kind: where the decision stands: a comment in the text, the baseline file, or the configuration.
        reason: why, in the words of whoever decided.
    """

    finding: Finding
    kind: Literal["inline", "baseline", "config"]
    reason: str


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of one run over any number of files. Holds no times, so equal runs render equally.

    Attributes:
        findings: those that stand, sorted by source and place.
        suppressed: those that do not count, in the same order.
        unread: what was not read as text.
        notices: one sentence each about the run itself, such as a baseline entry that no longer matches anything.
        files: files that were read.
        left_out: files that were not looked at because git or the configuration ignores them.
        characters: characters of text read.
        ruleset: digest of the rules.
        version: of inkgate.
        rules: the rules by id, for their words.
        fail_on: the threshold of the run.
        members: the file of each source that is a member of an archive (`archive!member`).
        root: absolute path of the working directory; formats that need relative paths cut it off.
    """

    findings: tuple[Finding, ...] = ()
    suppressed: tuple[Suppressed, ...] = ()
    unread: tuple[Unread, ...] = ()
    notices: tuple[str, ...] = ()
    files: int = 0
    left_out: int = 0
    characters: int = 0
    ruleset: str = ""
    version: str = ""
    rules: Mapping[str, Rule] = field(default_factory=lambda: MappingProxyType({}))
    fail_on: FailOn = field(default_factory=FailOn)
    members: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    root: str = ""

    def file(self, source: str) -> str:
        """The file in which a source lies: itself, or the archive that it is a member of."""
        return self.members.get(source, source)

    @property
    def complete(self) -> bool:
        """Whether everything could be read; False is never a clean run."""
        return not any(item.fatal for item in self.unread)

    @property
    def verdict(self) -> Verdict:
        """The worst verdict of the findings that stand; never `allow` when something could not be read."""
        floor = Verdict.ALLOW if self.complete else Verdict.STAGE
        return max((floor, *(finding.verdict for finding in self.findings)), key=lambda verdict: verdict.rank)

    @property
    def failing(self) -> int:
        """How many findings are at or above the threshold."""
        return sum(map(self.fail_on.counts, self.findings))

    @property
    def exit_code(self) -> int:
        """0 clean, 1 findings at or above the threshold, 2 something could not be read."""
        if not self.complete:
            return 2
        return 1 if self.failing else 0


@dataclass(frozen=True, slots=True)
class Style:
    """How a format for people looks.

    Attributes:
        color: whether ANSI colours are used.
        verbose: whether suppressed findings and skipped files are listed one by one.
    """

    color: bool = False
    verbose: bool = False


PLAIN = Style()
