"""What an analyser of code gives: findings by rule and place, and what the code does at all."""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from inkgate.model import Confidence, Severity

__all__ = ["MOST", "Analysis", "CodeFinding", "Label", "Trait", "few", "merge"]

MOST = 100
"""Findings of one rule in one piece of code. There is no limit of all rules together: a flood would hide the rest."""


class Trait(enum.StrEnum):
    """Something that code does, harmless by itself; what counts is whether its description says so."""

    NETWORK = "network"
    SENDS = "sends data out"
    CREDENTIALS = "reads credentials"
    RUNS = "runs programs"
    PERSISTS = "outlives the call"


class Label(enum.IntFlag):
    """Where a value comes from. Labels only ever add up."""

    NONE = 0
    DECODED = 1
    """The result of base64, hex, decompression, decryption or characters put together."""
    DOWNLOADED = 2
    """The body of an answer from the network, whole."""
    DOWNLOADED_PART = 4
    """A text with a piece of such an answer in it."""
    ENVIRONMENT = 8
    """All environment variables."""
    SECRET = 16
    """A credential file, or its content."""
    SECRET_VARIABLE = 32
    """One environment variable whose name says that it is a credential."""
    HIDDEN_FILE = 64
    """The content of a hidden or temporary file."""
    BUILT = 128
    """A text that the code puts together from characters or pieces instead of writing it down."""
    HARVEST = 256
    """Environment variables chosen by a pattern such as KEY or TOKEN."""
    OBSERVED = 512
    """What the user copies, types, sees or says: clipboard, keys, screen, camera, microphone."""
    SWEPT = 1024
    """Files found by a walk through the user's home or the whole disk."""

    @property
    def private(self) -> bool:
        """Whether the value is worth stealing."""
        return bool(self & (Label.ENVIRONMENT | Label.SECRET | Label.HARVEST))


@dataclass(frozen=True, slots=True)
class CodeFinding:
    """One thing that an analyser saw.

    Attributes:
        rule: id of a rule with `detector = "skill"`.
        start: offset of its first character in the text that was given.
        end: offset just past the last one.
        message: one sentence for a person, without any of the text; the rule's title when empty.
        severity: instead of the rule's.
        confidence: instead of the rule's.
    """

    rule: str
    start: int
    end: int
    message: str = ""
    severity: Severity | None = None
    confidence: Confidence | None = None


@dataclass(frozen=True, slots=True)
class Analysis:
    """Findings of one piece of code, sorted by place, and its traits."""

    findings: tuple[CodeFinding, ...] = ()
    traits: frozenset[Trait] = field(default_factory=frozenset)


def few(found: Iterable[CodeFinding], most: int = MOST) -> Iterator[CodeFinding]:
    """At most this many findings of each rule, the first ones."""
    count: Counter[str] = Counter()
    for item in found:
        count[item.rule] += 1
        if count[item.rule] <= most:
            yield item


def merge(parts: Iterable[Analysis]) -> Analysis:
    """One analysis of several, without repetitions."""
    every = list(parts)
    found = {(item.rule, item.start, item.end): item for part in reversed(every) for item in reversed(part.findings)}
    ordered = sorted(found.values(), key=lambda item: (item.start, item.end, item.rule))
    return Analysis(tuple(ordered), frozenset().union(*(part.traits for part in every)))
