"""The types that every floor speaks: frozen, slotted, without behaviour beyond themselves.

Positions are *characters* (Python code points) of the original text, never bytes, never UTF-16 units.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType

from inkgate.lean import dataclass

__all__ = [
    "Category",
    "Confidence",
    "Finding",
    "InkgateError",
    "ScanResult",
    "Severity",
    "Span",
    "Stance",
    "Target",
    "Unread",
    "Verdict",
]


class InkgateError(Exception):
    """Root of every error that inkgate raises on purpose. `hint` says what to do about it."""

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


class Verdict(enum.StrEnum):
    """What happens to a write: it passes, it waits for a person, or it is refused."""

    ALLOW = "allow"
    STAGE = "stage"
    BLOCK = "block"

    @property
    def rank(self) -> int:
        """Position on the scale allow (0), stage (1), block (2)."""
        return _VERDICT_RANK[self]


_VERDICT_RANK: Mapping[Verdict, int] = MappingProxyType({Verdict.ALLOW: 0, Verdict.STAGE: 1, Verdict.BLOCK: 2})


class Target(enum.StrEnum):
    """Which durable text is written."""

    MEMORY = "memory"
    USER = "user"
    VAULT = "vault"
    SKILL = "skill"
    CONTEXT = "context"


class _Scale(enum.IntEnum):
    """An ordered scale whose members print and parse as lower-case words."""

    def __str__(self) -> str:
        return self.name.lower()


class Severity(_Scale):
    """How much harm the text does if it is what it looks like."""

    INFO = 0
    LOW = 1
    MEDIUM = 2
    HIGH = 3
    CRITICAL = 4


class Confidence(_Scale):
    """How sure the rule is that the text is what it looks like."""

    LOW = 0
    MEDIUM = 1
    HIGH = 2


class Stance(enum.StrEnum):
    """Whether a phrase is used (an order, a live key) or mentioned (quoted, negated, described, an example)."""

    USE = "use"
    MENTION = "mention"


class Category(enum.StrEnum):
    """Families of rules."""

    INJECTION = "injection"
    HIJACK = "hijack"
    DECEPTION = "deception"
    EXFILTRATION = "exfiltration"
    CREDENTIAL_ACCESS = "credential-access"
    PERSISTENCE = "persistence"
    CONFIGURATION = "configuration"
    PROMPTWARE = "promptware"
    ANTI_FORENSICS = "anti-forensics"
    HIDDEN = "hidden"
    DESTRUCTIVE = "destructive"
    PRIVILEGE = "privilege"
    OBFUSCATION = "obfuscation"
    SUPPLY_CHAIN = "supply-chain"
    MEMORY_POISON = "memory-poison"
    SECRET = "secret"  # noqa: S105 - the name of a family, not a credential
    INTEGRITY = "integrity"


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range of characters of the original text.

    Attributes:
        start: offset of the first character, from 0.
        end: offset just past the last character; never less than `start`.
    """

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"span {self.start}..{self.end} is not a range of characters")

    def __len__(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that a rule found, at one place.

    Attributes:
        rule: id of the rule, stable for ever.
        category: family of the rule.
        severity: harm if it is real, after judgement.
        confidence: certainty, after judgement.
        message: one sentence for a person; never holds the matched text or a secret.
        start: offset of the first character in the original text.
        end: offset just past the last character in the original text.
        line: line of `start`, from 1; lines end at LF.
        column: column of `start` in characters, from 1.
        view: where it was seen: `raw`, `folded`, or the chain of encodings such as `base64` or `base64/hex`.
        excerpt: what was seen, escaped for any terminal and redacted; at most 120 characters or so.
        fingerprint: identity that survives line moves; cannot be turned back into a secret.
        stance: use or mention.
        reason: why the judge moved it, or empty.
        source: path of the file (or `archive!member`), or empty for plain text.
        verdict: what the policy makes of this finding alone.
        end_line: line of `end`, from 1; 0 where it is not known.
        end_column: column of `end` (the first character that no longer belongs to it), from 1; 0 where it is not known.
    """

    rule: str
    category: Category
    severity: Severity
    confidence: Confidence
    message: str
    start: int
    end: int
    line: int
    column: int
    view: str
    excerpt: str
    fingerprint: str
    stance: Stance = Stance.USE
    reason: str = ""
    source: str = ""
    verdict: Verdict = Verdict.ALLOW
    end_line: int = 0
    end_column: int = 0

    def __post_init__(self) -> None:
        if not (0 <= self.start <= self.end and self.line >= 1 and self.column >= 1):
            raise ValueError(f"finding {self.rule} has no place in the text")

    @property
    def span(self) -> Span:
        """The place as one value."""
        return Span(self.start, self.end)


@dataclass(frozen=True, slots=True)
class Unread:
    """Something that was not read as text, and why. Never a reason to call a text clean.

    Attributes:
        source: path, or `archive!member`, or empty for plain text.
        reason: one sentence.
        fatal: True when the scan could not do its work (no permission, a vanished file); False for a known kind
            of file that holds no text, such as an image.
    """

    source: str
    reason: str
    fatal: bool = True


@dataclass(frozen=True, slots=True)
class ScanResult:
    """What a scan saw and what it makes of it.

    Attributes:
        verdict: allow, stage or block, by the policy.
        findings: every finding, sorted by source, start, end, rule and view.
        target: what the text was taken for.
        characters: characters of text read, over all members of an archive.
        views: names of the views that were made, sorted.
        unread: what was not read.
        ruleset: digest of the rules that were used.
        source: path of the file, or empty for plain text.
    """

    verdict: Verdict
    findings: tuple[Finding, ...] = ()
    target: Target = Target.MEMORY
    characters: int = 0
    views: tuple[str, ...] = ("raw",)
    unread: tuple[Unread, ...] = ()
    ruleset: str = ""
    source: str = ""

    @property
    def complete(self) -> bool:
        """Whether everything could be read; False is never a clean result."""
        return not any(item.fatal for item in self.unread)
