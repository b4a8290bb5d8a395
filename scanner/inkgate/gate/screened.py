"""Scanning what will be written, and the only place where Screened text is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

from inkgate.lean import Protocol, dataclass
from inkgate.model import Category, Finding, ScanResult, Target, Verdict
from inkgate.store.entries import DELIMITER, fold_line_ends, join, starts
from inkgate.store.errors import StoreError
from inkgate.store.plan import Plan
from inkgate.store.screened import _SEAL, Screened

from .accepted import Accepted

__all__ = ["NamedScanner", "Screener", "Screening", "mask_secrets"]

Scanner = Callable[[str, Target], ScanResult]


class NamedScanner(Protocol):
    """A scanner that can be told the path of the file that a text is to be."""

    def __call__(self, text: str, target: Target, /) -> ScanResult:
        """Scan a text."""

    def named(self, text: str, target: Target, source: str, /) -> ScanResult:
        """Scan the text of the file `source`."""


_SHORT, _KEPT = 2_000, 128  # characters of a text whose result is kept, and how many

_MARK = "[BLOCKED:"  # how the prompt shows an entry that was left out
_GAP = "\n \n"  # the delimiter as white space: an order that is split over two entries reads on
assert len(_GAP) == len(DELIMITER)


@dataclass(frozen=True, slots=True)
class Screening:
    """What a scan says about a write.

    Attributes:
        verdict: of everything that the write brings.
        findings: those that cause it, or that are worth recording; positions are in the text that was scanned.
        ruleset: digest of the rules.
        complete: whether everything was read.
        operation: number of the operation whose text it is, from 1; 0 for the joined text.
    """

    verdict: Verdict
    findings: tuple[Finding, ...]
    ruleset: str
    complete: bool = True
    operation: int = 0


class Screener:
    """Scans texts for one gate.

    Args:
        scan: the scanner, under the gate's policy.
        accepted: texts that a person has accepted.
        policy: digest of the policy.
    """

    def __init__(self, scan: Scanner, accepted: Accepted, policy: str) -> None:
        self._scanner = scan
        self._kept = lru_cache(_KEPT)(lambda text, target, ruleset: scan(text, target))
        self._accepted = accepted
        self._policy = policy

    def _scan(self, text: str, target: Target, source: str = "") -> ScanResult:
        """The result of a scan. Those of the last short texts are kept, as a reply looks at what was just written.

        They are kept where the scanner tells by which rules it reads: what other rules said does not count.

        Raises:
            StoreError: the scanner broke. That is never a clean text.
        """
        try:
            if source and hasattr(self._scanner, "named"):
                named: NamedScanner = self._scanner
                return named.named(text, target, source)
            ruleset = getattr(self._scanner, "ruleset", None) if len(text) <= _SHORT else None
            return self._scanner(text, target) if ruleset is None else self._kept(text, target, ruleset)
        except Exception as problem:
            message = f"The text could not be scanned ({type(problem).__name__}), so nothing was saved."
            raise StoreError(message, hint=getattr(problem, "hint", "")) from problem

    def text(self, text: str, target: Target, *, operation: int = 0, source: str = "") -> Screening:
        """Scan one new text by itself.

        Args:
            text: what is to be written.
            target: what it is written to.
            operation: number of the operation that brings it.
            source: path of the file that it is to be, which tells a script from a note; for a scanner that takes one.
        """
        result = self._scan(text, target, source)
        verdict = result.verdict if result.complete else Verdict.BLOCK
        if (
            verdict is not Verdict.ALLOW
            and result.complete
            and self._accepted.holds(target, text.strip(), result.ruleset)
        ):
            verdict = Verdict.ALLOW
        return Screening(verdict, result.findings, result.ruleset, result.complete, operation)

    def whole(self, plan: Plan, target: Target) -> tuple[Screening, Screened | None]:
        """Scan the joined result of a plan, with the delimiters as white space.

        The whole and no part of it around the new entry: decoders reach further than a memory is long, and how sure the
        learned judge has to be depends on the length of what it reads.

        What the write did not bring (a finding inside an entry that stood there, or across entries that were already
        neighbours) is left to the owner of that text. Returns Screened text only when nothing blocks.
        """
        brought = _Brought(plan)
        if not brought.anything:  # nothing new, and no two entries that were not neighbours before
            ruleset = self._scan("", target).ruleset
            return Screening(Verdict.ALLOW, (), ruleset), Screened(_SEAL, join(plan.new), ruleset, self._policy)
        result = self._scan(_GAP.join(plan.new), target)
        excused: set[str] = set()
        if result.findings:
            excused = {entry for entry in brought.fresh if self._accepted.holds(target, entry, result.ruleset)}
        findings = brought.by(result.findings, excused)
        verdict = max((finding.verdict for finding in findings), key=lambda item: item.rank, default=Verdict.ALLOW)
        if not result.complete:
            verdict = Verdict.BLOCK
        screening = Screening(verdict, findings, result.ruleset, result.complete)
        if verdict is Verdict.BLOCK:
            return screening, None
        return screening, Screened(_SEAL, join(plan.new), result.ruleset, self._policy)

    def document(
        self, after: str, target: Target, *, before: str = "", fresh: tuple[int, int] = (0, 0), inherit: bool = True
    ) -> tuple[Screening, Screened | None]:
        """Scan a whole file as it will stand. Returns Screened text only when nothing blocks.

        Args:
            after: the text of the file.
            target: what it is.
            before: its text as it stands; what is found there just so is left to its owner.
            fresh: the range of `after` that the write brings, in characters; a person may have accepted it.
            inherit: whether anything is left to its owner.

        Raises:
            StoreError: the scanner broke.
        """
        result = self._scan(after, target)
        standing = (
            _standing(self._scan(before, target), before) if inherit and before and result.findings else Counter()
        )
        excused = fresh[0] < fresh[1] and self._accepts(target, after[slice(*fresh)], result.ruleset)
        findings = []
        for finding in result.findings:
            identity = _identity(finding, after)
            if standing[identity]:
                standing[identity] -= 1
            elif not (excused and fresh[0] <= finding.start and finding.end <= fresh[1]):
                findings.append(finding)
        verdict = max((finding.verdict for finding in findings), key=lambda item: item.rank, default=Verdict.ALLOW)
        if not result.complete:
            verdict = Verdict.BLOCK
        screening = Screening(verdict, tuple(findings), result.ruleset, result.complete)
        if verdict is Verdict.BLOCK:
            return screening, None
        return screening, Screened(_SEAL, after, result.ruleset, self._policy)

    def sealed(self, screening: Screening, text: str) -> Screened | None:
        """Screened text that stands for something which was screened as a whole, such as a folder by its digests.

        Args:
            screening: of everything that the text stands for.
            text: names what was screened, so that nothing else has the same text.
        """
        if screening.verdict is Verdict.BLOCK or not screening.complete:
            return None
        return Screened(_SEAL, text, screening.ruleset, self._policy)

    def _accepts(self, target: Target, text: str, ruleset: str) -> bool:
        text = text.strip()
        return any(self._accepted.holds(target, form, ruleset) for form in {text, fold_line_ends(text)})

    def poisoned(self, entries: Sequence[str], target: Target) -> dict[str, tuple[str, ...]]:
        """Stored entries that must not reach a model, with the ids of the rules that say so.

        Each entry is scanned alone, and all of them joined: every entry that a blocking finding touches is named.
        """
        named: dict[str, dict[str, None]] = {}
        for entry in entries:
            result = self._scan_or_none(entry, target)
            rules = _blocking(result)
            if _MARK in entry:  # a mark that somebody wrote must not speak for what stands after it
                rules |= _blocking(self._scan_or_none(entry.replace(_MARK, ""), target))
            if rules and not (result is not None and self._accepted.holds(target, entry, result.ruleset)):
                named.setdefault(entry, {}).update(rules)
        if len(entries) > 1:
            joined = self._scan_or_none(_GAP.join(entries), target)
            if joined is None or not joined.complete:
                return {entry: tuple(named.get(entry, {}) or {"unread": None}) for entry in entries}
            for finding in joined.findings:
                touched = _touched(finding, starts(entries), entries)
                if finding.verdict is Verdict.BLOCK and len(touched) > 1:
                    for place in touched:
                        named.setdefault(entries[place], {})[finding.rule] = None
        return {entry: tuple(rules) for entry, rules in named.items()}

    def _scan_or_none(self, text: str, target: Target) -> ScanResult | None:
        try:
            return self._scan(text, target)
        except StoreError:
            return None

    def findings(self, text: str, target: Target) -> tuple[Finding, ...]:
        """What the rules say about a text."""
        return self._scan(text, target).findings

    def scan(self, text: str, target: Target) -> ScanResult:
        """The whole result of a scan, accepted texts not excused."""
        return self._scan(text, target)

    def masked(self, text: str, target: Target) -> str:
        """The text with every secret in it replaced by a mark; a mark alone when it cannot be scanned."""
        result = self._scan_or_none(text, target)
        return "[not shown: it could not be scanned]" if result is None else mask_secrets(text, result.findings)


def _blocking(result: ScanResult | None) -> dict[str, None]:
    """Ids of the rules that keep a text from a model; `unread` when not all of it could be read."""
    if result is None or not result.complete:
        return {"unread": None}
    return {finding.rule: None for finding in result.findings if finding.verdict is Verdict.BLOCK}


class _Brought:
    """Tells what a plan brings into a text from what stood there."""

    def __init__(self, plan: Plan) -> None:
        self.old = set(plan.old)
        self.fresh = [entry for entry in plan.new if entry not in self.old]
        self._plan = plan

    @property
    def anything(self) -> bool:
        """Whether there is a new entry, or a new pair of neighbours."""
        return bool(self.fresh) or not self._neighbours().issuperset(pairwise(self._plan.new))

    def _neighbours(self) -> set[tuple[str, str]]:
        return set(pairwise(self._plan.old))

    def by(self, findings: Sequence[Finding], excused: set[str]) -> tuple[Finding, ...]:
        """The findings about something that the write brought."""
        if not findings:
            return ()
        places, neighbours, new = starts(self._plan.new), self._neighbours(), self._plan.new

        def brought(finding: Finding) -> bool:
            touched = [new[place] for place in _touched(finding, places, new)]
            if all(entry in self.old for entry in touched):
                return any(pair not in neighbours for pair in pairwise(touched))
            return not (len(touched) == 1 and touched[0] in excused)

        return tuple([finding for finding in findings if brought(finding)])


def _touched(finding: Finding, places: Sequence[int], entries: Sequence[str]) -> list[int]:
    """Indexes of the entries that a finding in the joined text overlaps."""
    end = max(finding.end, finding.start + 1)
    return [
        index
        for index, (place, entry) in enumerate(zip(places, entries, strict=True))
        if place < end and finding.start < place + len(entry)
    ]


def _identity(finding: Finding, text: str) -> tuple[str, str, str, str]:
    return finding.rule, finding.view, finding.verdict, text[finding.start : finding.end]


def _standing(result: ScanResult, text: str) -> Counter[tuple[str, str, str, str]]:
    """What was found in a text, how often; nothing when not all of it could be read."""
    return Counter(_identity(finding, text) for finding in result.findings) if result.complete else Counter()


def mask_secrets(text: str, findings: Sequence[Finding]) -> str:
    """The text with the span of every secret finding replaced by a mark that names the rule."""
    spans = sorted(
        (finding.start, finding.end, finding.rule) for finding in findings if finding.category is Category.SECRET
    )
    pieces, position = [], 0
    for start, end, rule in spans:
        if end > position:
            pieces += [text[position : max(start, position)], f"[secret: {rule}]" if start >= position else ""]
            position = end
    return "".join([*pieces, text[position:]])
