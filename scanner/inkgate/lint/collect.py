"""From the results of single files to the report of a run: what counts, what does not, and why."""

from __future__ import annotations

from collections.abc import Mapping

from inkgate import __version__
from inkgate.lean import TYPE_CHECKING, dataclass, field
from inkgate.lint.examine import Examined
from inkgate.lint.suppress import NEVER, apply
from inkgate.match.rules import RuleSet
from inkgate.model import Finding, Unread
from inkgate.policy import Policy
from inkgate.report.model import FailOn, Report, Suppressed

if TYPE_CHECKING:
    from inkgate.lint.baseline import Baseline, Entry

__all__ = ["Collector"]


@dataclass(slots=True)
class Collector:
    """Gathers the files of one run.

    Attributes:
        rules: the rules of the run.
        policy: decides what a wrong suppression causes.
        off: rules that the configuration switches off, and why.
    """

    rules: RuleSet
    policy: Policy
    off: Mapping[str, str] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    suppressed: list[Suppressed] = field(default_factory=list)
    unread: list[Unread] = field(default_factory=list)
    notices: list[str] = field(default_factory=list)
    members: dict[str, str] = field(default_factory=dict)
    scanned: set[str] = field(default_factory=set)
    files: int = 0
    characters: int = 0

    def add(self, examined: Examined) -> None:
        """Take one file."""
        result = examined.result
        self.unread += result.unread
        self.characters += result.characters
        if not any(item.source == result.source for item in result.unread):
            self.files += 1
        if result.complete:
            self.scanned.add(result.source)
        sources = {finding.source for finding in result.findings} | {item.source for item in result.unread}
        self.members.update(dict.fromkeys(sources - {result.source}, result.source))
        applied = apply(result, examined.suppressions, self.rules.by_id, policy=self.policy, off=self.off)
        self.suppressed += applied.suppressed
        for finding in applied.findings:
            reason = self.off.get(finding.rule)
            if reason is None or finding.rule in NEVER:
                self.findings.append(finding)
            else:
                self.suppressed.append(Suppressed(finding, "config", reason))

    def ordered(self) -> list[Finding]:
        """The findings that stand, sorted by source and place."""
        self.findings.sort(key=_place)
        return self.findings

    def compare(self, baseline: Baseline, today: str) -> None:
        """Take out what the baseline accepts.

        Args:
            baseline: the accepted findings.
            today: ISO date.
        """
        compared = baseline.compare(self.ordered(), self.scanned, today)
        self.findings = list(compared.findings)
        self.suppressed += compared.suppressed
        self.notices += (_notice(entry, "matches nothing any more") for entry in compared.stale)
        self.notices += (_notice(entry, f"expired on {entry.expires}") for entry in compared.expired)

    def report(self, fail_on: FailOn, *, left_out: int = 0, root: str = "") -> Report:
        """The report of everything that was added."""
        self.suppressed.sort(key=lambda item: (_place(item.finding), item.kind))
        return Report(
            findings=tuple(self.ordered()),
            suppressed=tuple(self.suppressed),
            unread=tuple(sorted(self.unread, key=lambda item: (item.source, item.reason))),
            notices=tuple(self.notices),
            files=self.files,
            left_out=left_out,
            characters=self.characters,
            ruleset=self.rules.digest,
            version=__version__,
            rules=self.rules.by_id,
            fail_on=fail_on,
            members=dict(self.members),
            root=root,
        )


def _place(finding: Finding) -> tuple[str, int, int, str, str]:
    return (finding.source, finding.start, finding.end, finding.rule, finding.view)


def _notice(entry: Entry, what: str) -> str:
    return f"baseline: {entry.key.path}: {entry.key.rule} (line {entry.line}) {what}"
