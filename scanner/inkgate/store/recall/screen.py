"""What recalled text goes through on its way out: scanned, and every poisoned part replaced by a mark.

A message was not checked for orders when it was kept (a session holds whatever was typed or fetched), and the rules may
have learned since. Nothing is dropped: where a part is left out, a mark says so and names the rule.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from inkgate.model import Category, Finding, ScanResult, Target, Verdict

from .model import Passage, Shown

__all__ = ["Outgoing", "Scanner"]

Scanner = Callable[[str, Target], ScanResult]

_UNREAD = "unread"
_GAP = "\n \n"  # what stands between messages when they are read one after the other
_ROUNDS = 8
_SHORT, _KEPT = 4_000, 4_096  # characters of a text whose result is kept, and how many


class Outgoing:
    """Scans what is recalled.

    Args:
        scan: the scanner; the built-in one when None.
    """

    def __init__(self, scan: Scanner | None = None) -> None:
        self._scanner = scan or _built_in
        self._kept = lru_cache(_KEPT)(self._scanner)

    def show(self, passages: Sequence[Passage]) -> list[Shown]:
        """Each message with its poisoned parts masked: those that it holds alone, and those that only show when the
        messages are read one after the other.
        """
        shown = [self._one(passage) for passage in passages]
        return self._together(shown) if len(shown) > 1 else shown

    def name(self, text: str) -> str:
        """The name of a session, its title or its source, as it may be shown; a mark where the rules would block."""
        result = self._scan(text)
        if result is None or not result.complete:
            return _mark([_UNREAD])
        bad = dict.fromkeys(item.rule for item in result.findings if item.verdict is Verdict.BLOCK)
        return _mark(bad) if bad else text

    def _one(self, passage: Passage) -> Shown:
        text, rules = passage.text, dict[str, None]()
        for _ in range(_ROUNDS):
            result = self._scan(text)
            if result is None or not result.complete:
                return _whole(passage, [*rules, _UNREAD])
            bad = [item for item in result.findings if item.verdict is Verdict.BLOCK]
            if not bad:
                return Shown(passage, text, tuple(rules), _doubts(result.findings))
            rules |= dict.fromkeys(item.rule for item in bad)
            text = _masked(text, bad)
        return _whole(passage, rules)  # something is still seen: then none of it is shown

    def _together(self, shown: list[Shown]) -> list[Shown]:
        """Mask what is poison only across messages; each message that has a part in it is left out whole."""
        result = self._scan(_GAP.join(item.text for item in shown))
        if result is None or not result.complete:
            return [_whole(item.passage, [*item.masked, _UNREAD]) for item in shown]
        found: dict[int, dict[str, None]] = {}
        start = 0
        for index, item in enumerate(shown):
            end = start + len(item.text)
            for finding in result.findings:
                if finding.verdict is Verdict.BLOCK and finding.start < end and start < finding.end:
                    found.setdefault(index, {})[finding.rule] = None
            start = end + len(_GAP)
        return [
            _whole(item.passage, [*item.masked, *found[index]]) if index in found else item
            for index, item in enumerate(shown)
        ]

    def _scan(self, text: str) -> ScanResult | None:
        """The result of a scan; None when the scanner broke, which is never a clean text."""
        try:
            return self._kept(text, Target.MEMORY) if len(text) <= _SHORT else self._scanner(text, Target.MEMORY)
        except Exception:  # noqa: BLE001 - whatever went wrong, the caller leaves the text out and says so
            return None


def _doubts(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item.rule for item in findings if item.verdict is Verdict.STAGE))


def _whole(passage: Passage, rules: Iterable[str]) -> Shown:
    names = tuple(dict.fromkeys(rules))
    return Shown(passage, _mark(names), names)


def _mark(rules: Iterable[str]) -> str:
    return f"[left out: {', '.join(rules)}]"


def _masked(text: str, findings: Sequence[Finding]) -> str:
    """The text with the lines of every finding, or the span of a secret, replaced by marks."""
    spans: list[tuple[int, int, list[str]]] = []
    for start, end, rule in sorted(_span(text, item) for item in findings):
        if spans and start <= spans[-1][1]:
            before, last, rules = spans[-1]
            spans[-1] = (before, max(last, end), rules if rule in rules else [*rules, rule])
        else:
            spans.append((start, end, [rule]))
    pieces, position = [], 0
    for start, end, rules in spans:
        pieces += [text[position:start], _mark(rules)]
        position = end
    return "".join([*pieces, text[position:]])


def _span(text: str, finding: Finding) -> tuple[int, int, str]:
    if finding.category is Category.SECRET and finding.end > finding.start:
        return finding.start, finding.end, finding.rule
    start = text.rfind("\n", 0, finding.start) + 1
    end = text.find("\n", max(finding.end - 1, finding.start))
    return start, len(text) if end < 0 else end, finding.rule


def _built_in(text: str, target: Target) -> ScanResult:
    from inkgate.scan import scan_text

    return scan_text(text, target=target)
