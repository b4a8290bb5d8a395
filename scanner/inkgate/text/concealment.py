"""What the checks for hidden text report: the type of a finding, and every rule with the highest severity it gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from inkgate.lean import dataclass
from inkgate.model import Severity

__all__ = ["RULES", "Hidden", "Report"]


@dataclass(frozen=True, slots=True)
class Hidden:
    """Hidden or disguised characters at one place.

    Attributes:
        rule: id of the rule, a key of `RULES`.
        severity: how much harm this occurrence can do.
        start: offset of the first character in the text, in code points.
        end: offset just past the last character.
        message: one sentence; never holds text of the input.
        decoded: what the characters say when they encode text, else empty.
    """

    rule: str
    severity: Severity
    start: int
    end: int
    message: str
    decoded: str = ""


Report = Callable[[Hidden], None]

RULES: Mapping[str, Severity] = MappingProxyType(
    {
        "bidi-control-without-rtl": Severity.LOW,
        "bidi-embedding-unclosed": Severity.LOW,
        "bidi-in-code": Severity.HIGH,
        "bidi-isolate-unclosed": Severity.MEDIUM,
        "bidi-mark-without-rtl": Severity.LOW,
        "bidi-override": Severity.MEDIUM,
        "braille-blank": Severity.LOW,
        "combining-run": Severity.MEDIUM,
        "control-character": Severity.LOW,
        "deprecated-format-control": Severity.MEDIUM,
        "flag-tag-unlisted": Severity.LOW,
        "grapheme-joiner-misplaced": Severity.LOW,
        "hangul-filler": Severity.MEDIUM,
        "hidden-tag-text": Severity.HIGH,
        "hidden-variation-bytes": Severity.HIGH,
        "interlinear-annotation": Severity.MEDIUM,
        "invisible-operator": Severity.MEDIUM,
        "joiner-channel": Severity.MEDIUM,
        "joiner-out-of-place": Severity.MEDIUM,
        "khmer-inherent-vowel": Severity.MEDIUM,
        "line-separator": Severity.LOW,
        "lone-surrogate": Severity.MEDIUM,
        "mongolian-control-misplaced": Severity.MEDIUM,
        "noncharacter": Severity.LOW,
        "notation-control": Severity.LOW,
        "nul-character": Severity.MEDIUM,
        "off-screen-padding": Severity.LOW,
        "private-use-run": Severity.LOW,
        "reserved-ignorable": Severity.HIGH,
        "soft-hyphen-run": Severity.MEDIUM,
        "terminal-escape": Severity.MEDIUM,
        "variation-channel": Severity.MEDIUM,
        "variation-selector-misplaced": Severity.MEDIUM,
        "zero-width-in-word": Severity.MEDIUM,
        "zero-width-run": Severity.HIGH,
        "zero-width-stray": Severity.MEDIUM,
    }
)
"""Rule ids with the highest severity that each reports. Ids are stable for ever."""
