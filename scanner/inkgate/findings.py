"""From candidates to findings: duplicates over views are merged, secrets masked everywhere, fingerprints made."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable

from inkgate.judge.context import Judgement
from inkgate.lean import dataclass, replace
from inkgate.masks import Masks
from inkgate.match.rules import Rule
from inkgate.model import Category, Finding, Stance, Target
from inkgate.policy import Policy
from inkgate.text.escape import escape

__all__ = ["MAX_PER_RULE", "Candidate", "Candidates"]

MAX_PER_RULE = 1000
"""Findings of one rule and stance in one text; further ones are counted and reported as one."""

_Key = tuple[str, Stance]

_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A judged match, before the whole text is known.

    Attributes:
        rule: what matched.
        judgement: what the judge made of it.
        start: offset in the original text, as are `end`.
        line: from 1, as are the other line and column numbers.
        view: `raw`, `folded`, or the chain of encodings.
        depth: encodings taken off.
        shown: what to show of it, not escaped yet; at most a few hundred characters.
        text: the match in the lower-cased view, for the fingerprint; empty for secrets.
        context: the rest of its line in the lower-cased view, as far as it is near.
        secret: the value, for masking; empty unless this is a secret.
        prefix: the fixed start of the secret that may be shown.
        message: overrides the rule's title.
    """

    rule: Rule
    judgement: Judgement
    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int
    view: str
    depth: int
    shown: str
    text: str
    context: str
    secret: str = ""
    prefix: str = ""
    message: str = ""


class Candidates:
    """Collects candidates of one text and turns them into findings."""

    __slots__ = ("_counts", "_items", "_omitted", "_places", "_secrets")

    def __init__(self) -> None:
        self._items: list[Candidate] = []
        self._counts: defaultdict[_Key, int] = defaultdict(int)
        self._omitted: dict[_Key, dict[Judgement, Candidate]] = {}  # one for each way in which some were judged
        self._secrets: set[str] = set()
        self._places: set[tuple[int, int]] = set()

    def add(self, item: Candidate) -> None:
        """Take a candidate; from the thousandth of one rule and stance on it is counted only.

        Mentions do not use up the places of uses: a flood of quoted attacks hides no order.
        """
        key = item.rule.id, item.judgement.stance
        self._counts[key] += 1
        if item.secret:
            self._secrets.add(item.secret)
            self._places.add((item.start, item.end))
        if self._counts[key] <= MAX_PER_RULE:
            self._items.append(item)
        else:
            self._omitted.setdefault(key, {})[replace(item.judgement, reason="")] = item

    def findings(self, target: Target, source: str, policy: Policy, omitted: Rule | None) -> tuple[Finding, ...]:
        """All findings, sorted by place, rule and view.

        Args:
            target: decides the verdict, with `policy`.
            source: path, copied into each finding.
            policy: the verdict's table.
            omitted: the rule that says that findings were only counted.
        """
        if not self._items:
            return ()  # what is only counted comes after what is kept
        kept = _merge(self._items)
        masks = Masks(self._secrets, self._places)
        made = [_finding(item, source, masks) for item in kept]
        if omitted is not None:
            for key, judged in sorted(self._omitted.items()):
                each = [self._counted(omitted, key, last, source) for last in judged.values()]
                # As grave as the gravest of what was left out, so that the verdict does not depend on the cut.
                made.append(max(each, key=lambda item: _gravity(item, policy, target)))
        made = [replace(item, verdict=policy.verdict(item, target)) for item in made]
        made.sort(key=lambda f: (f.start, f.end, f.rule, f.view))
        return tuple(made)

    def _counted(self, rule: Rule, key: _Key, last: Candidate, source: str) -> Finding:
        more = self._counts[key] - MAX_PER_RULE
        severity, confidence = last.judgement.severity, last.judgement.confidence
        return Finding(
            rule.id,
            rule.category,
            severity,
            confidence,
            f"{more} further matches of {key[0]} are only counted",
            last.start,
            last.end,
            last.line,
            last.column,
            last.view,
            "",
            _digest(rule.id, *key),
            stance=last.judgement.stance,
            source=source,
        )


def _gravity(item: Finding, policy: Policy, target: Target) -> tuple[int, int, int]:
    return policy.verdict(item, target).rank, item.severity, item.confidence


def _merge(items: Iterable[Candidate]) -> list[Candidate]:
    """Drop what another candidate says better: the same rule under fewer encodings, a weaker secret on a better one."""
    ordered = sorted(items, key=_strength)
    kept: list[Candidate] = []
    places: dict[tuple[str, int], list[Candidate]] = {}
    for item in ordered:
        secret = item.rule.category is Category.SECRET
        family = "secret" if secret else item.rule.id
        near = (other for page in _pages(item) for other in places.get((family, page), ()))
        if any(_same(item, other, secret=secret) and (secret or not _graver(item, other)) for other in near):
            continue
        kept.append(item)
        for page in _pages(item):
            places.setdefault((family, page), []).append(item)
    return kept


def _strength(item: Candidate) -> tuple[int, int, int, int, int, str]:
    judgement = item.judgement
    generic = 1 if item.rule.pack == "secrets-generic" else 0
    return (item.depth, generic, -judgement.severity, -judgement.confidence, item.start, item.rule.id)


def _graver(one: Candidate, other: Candidate) -> bool:
    """Whether the first was judged worse, so that the other one does not say all of it."""
    here, there = one.judgement, other.judgement
    if here.stance is not there.stance:
        return here.stance is Stance.USE
    return (here.severity, here.confidence) > (there.severity, there.confidence)


def _pages(item: Candidate) -> range:
    return range(item.start >> 8, (max(item.end - 1, item.start) >> 8) + 1)


def _same(item: Candidate, other: Candidate, *, secret: bool) -> bool:
    overlap = item.start < other.end and other.start < item.end
    if not overlap:
        return item.start == other.start and item.end == other.end and item.view == other.view
    # Two different matches inside one encoded run share its place without being the same.
    return secret or item.depth != other.depth or item.text == other.text or item.view != other.view


def _finding(item: Candidate, source: str, masks: Masks) -> Finding:
    rule, judgement = item.rule, item.judgement
    if item.secret:
        excerpt = escape(f"{item.prefix}\u2026 ({len(item.secret)} characters)")
        key = f"{len(item.secret)}/{_sha256(item.secret)[:2]}"
    else:
        excerpt = escape(masks.slice(item.shown, item.start) if item.depth == 0 else masks.shown(item.shown))
        key = masks.text(item.text)
    context = masks.text(item.context)
    return Finding(
        rule.id,
        rule.category,
        judgement.severity,
        judgement.confidence,
        item.message or rule.title,
        item.start,
        item.end,
        item.line,
        item.column,
        item.view,
        excerpt,
        _digest(rule.id, key, context),
        stance=judgement.stance,
        reason=judgement.reason,
        source=source,
        end_line=item.end_line,
        end_column=item.end_column,
    )


def _digest(*parts: str) -> str:
    joined = "\0".join(_BLANKS.sub(" ", part).strip() for part in parts)
    return _sha256(joined)[:16]


def _sha256(text: str) -> str:
    import hashlib  # only where something was found

    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
