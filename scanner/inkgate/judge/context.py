"""What the judge is told about the place of a match."""

from __future__ import annotations

from inkgate.lean import dataclass
from inkgate.model import Confidence, Severity, Stance, Target

__all__ = ["AFTER", "BEFORE", "SHORT", "Context", "Judgement"]

BEFORE = 600
"""Characters of the view before a match that the judge sees."""

AFTER = 400
"""Characters of the view behind a match that the judge sees."""

SHORT = frozenset({Target.MEMORY, Target.USER})
"""Targets that hold a few sentences, where the signs around a phrase cannot weigh much."""


@dataclass(frozen=True, slots=True)
class Context:
    """A match and its surroundings, all in the cased view (folded, ASCII case kept).

    Attributes:
        target: what is written to.
        source: path of the file, or empty.
        views: encodings that were taken off to see it, outermost first; empty for plain text.
        before: at most `BEFORE` characters before the match.
        matched: the match.
        after: at most `AFTER` characters behind the match.
        value: the part that holds the secret; the whole match for rules without a named value.
        fence: info string of the enclosing fenced block, None outside of one.
        headings: enclosing Markdown headings, outermost first.
        disguises: how the original differs from plain writing (see `inkgate.text.fold.disguises`).
        written: the match as the text has it, with its accents; empty for a fragment, or where it is forgotten.
    """

    target: Target
    source: str
    views: tuple[str, ...]
    before: str
    matched: str
    after: str
    value: str
    fence: str | None = None
    headings: tuple[str, ...] = ()
    disguises: frozenset[str] = frozenset()
    written: str = ""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the judge makes of a match.

    Attributes:
        severity: harm after judgement.
        confidence: certainty after judgement.
        stance: use or mention.
        reason: why it was moved, in one clause; empty when it was not.
    """

    severity: Severity
    confidence: Confidence
    stance: Stance = Stance.USE
    reason: str = ""
