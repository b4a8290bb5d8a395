"""From findings to a verdict: a table of data. Reads configuration, knows no I/O."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from inkgate.lean import Any, dataclass, field, replace
from inkgate.model import Confidence, Finding, InkgateError, Severity, Stance, Target, Verdict

__all__ = ["DEFAULT", "Policy", "PolicyError", "Trust"]


class PolicyError(InkgateError):
    """The policy in a configuration cannot be used."""


class Trust(enum.StrEnum):
    """Who a skill comes from, as its installer knows it; nothing in the skill itself can say so."""

    BUILTIN = "builtin"
    TRUSTED = "trusted"
    COMMUNITY = "community"
    AGENT_CREATED = "agent-created"


Floor = Mapping[Severity, Confidence]
"""The least confidence with which a finding of that severity counts; a severity that is absent never does."""

_STRICT: Mapping[Verdict, Floor] = MappingProxyType(
    {
        Verdict.BLOCK: {Severity.CRITICAL: Confidence.MEDIUM, Severity.HIGH: Confidence.MEDIUM},
        Verdict.STAGE: {
            Severity.CRITICAL: Confidence.LOW,
            Severity.HIGH: Confidence.LOW,
            Severity.MEDIUM: Confidence.MEDIUM,
        },
    }
)
_LENIENT: Mapping[Verdict, Floor] = MappingProxyType(
    {
        Verdict.BLOCK: {Severity.CRITICAL: Confidence.MEDIUM, Severity.HIGH: Confidence.HIGH},
        Verdict.STAGE: {
            Severity.CRITICAL: Confidence.LOW,
            Severity.HIGH: Confidence.LOW,
            Severity.MEDIUM: Confidence.MEDIUM,
        },
    }
)
_SAME: Mapping[Verdict, Verdict] = MappingProxyType({verdict: verdict for verdict in Verdict})
_TRUST: Mapping[Trust, Mapping[Verdict, Verdict]] = MappingProxyType(
    {
        Trust.BUILTIN: MappingProxyType(dict.fromkeys(Verdict, Verdict.ALLOW)),
        Trust.TRUSTED: MappingProxyType({**_SAME, Verdict.STAGE: Verdict.ALLOW}),
        Trust.COMMUNITY: _SAME,
        Trust.AGENT_CREATED: MappingProxyType({**_SAME, Verdict.STAGE: Verdict.ALLOW, Verdict.BLOCK: Verdict.STAGE}),
    }
)


@dataclass(frozen=True, slots=True)
class Policy:
    """What to do about a finding, per target.

    Attributes:
        table: for each target, the floors of `block` and of `stage`.
        mention: the most that a phrase which is only mentioned can cause.
        trust: what a verdict on a skill becomes, by the trust in its source; `stage` is the question to a person.
        skill: the row of `trust` that is in force.
    """

    table: Mapping[Target, Mapping[Verdict, Floor]] = field(
        default_factory=lambda: MappingProxyType(
            {target: _LENIENT if target is Target.CONTEXT else _STRICT for target in Target}
        )
    )
    mention: Verdict = Verdict.STAGE
    trust: Mapping[Trust, Mapping[Verdict, Verdict]] = field(default_factory=lambda: _TRUST)
    skill: Mapping[Verdict, Verdict] = field(default_factory=lambda: _SAME)

    def for_trust(self, trust: Trust | str) -> Policy:
        """The policy for skills from such a source.

        Raises:
            PolicyError: there is no such kind of source.
        """
        return replace(self, skill=self.trust[_parse(Trust, trust, "trust")])

    def verdict(self, finding: Finding, target: Target) -> Verdict:
        """What this finding alone causes."""
        found = self._verdict(finding, target)
        return self.skill[found] if target is Target.SKILL else found

    def _verdict(self, finding: Finding, target: Target) -> Verdict:
        row = self.table[target]
        for verdict in (Verdict.BLOCK, Verdict.STAGE):
            floor = row[verdict].get(finding.severity)
            if floor is not None and finding.confidence >= floor:
                if finding.stance is Stance.MENTION and verdict.rank > self.mention.rank:
                    return self.mention
                return verdict
        return Verdict.ALLOW

    def decide(self, findings: Iterable[Finding], *, complete: bool) -> Verdict:
        """The verdict on the whole text: the worst of its findings, and never `allow` when something was not read."""
        worst = Verdict.ALLOW if complete else Verdict.STAGE
        for finding in findings:
            if finding.verdict.rank > worst.rank:
                worst = finding.verdict
        return worst

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> Policy:
        """The default policy, changed as `data` says.

        Args:
            data: `{"mention": "stage", "memory": {"block": {"high": "medium"}, "stage": {...}}}`; a floor that is
                given replaces the default one whole. `{"trust": {"trusted": {"stage": "stage"}}}` changes what a
                verdict on a skill becomes.

        Raises:
            PolicyError: an unknown target, verdict, severity or confidence; the message names it.
        """
        table: dict[Target, Mapping[Verdict, Floor]] = dict(DEFAULT.table)
        mention = DEFAULT.mention
        trust = DEFAULT.trust
        for key, value in data.items():
            if key == "mention":
                mention = _parse(Verdict, value, "policy.mention")
                continue
            if key == "trust":
                trust = _trust(value)
                continue
            target = _parse(Target, key, "policy")
            row = dict(table[target])
            if not isinstance(value, Mapping):
                raise PolicyError(f"policy.{key}: must be a table")
            for name, floors in value.items():
                verdict = _parse(Verdict, name, f"policy.{key}")
                if verdict is Verdict.ALLOW or not isinstance(floors, Mapping):
                    raise PolicyError(f"policy.{key}.{name}: must be a table called block or stage")
                where = f"policy.{key}.{name}"
                row[verdict] = {
                    _parse(Severity, s, where): _parse(Confidence, c, f"{where}.{s}") for s, c in floors.items()
                }
            table[target] = MappingProxyType(row)
        return cls(MappingProxyType(table), mention, trust)


def _trust(data: object) -> Mapping[Trust, Mapping[Verdict, Verdict]]:
    """The default table of trust, changed as `data` says."""
    if not isinstance(data, Mapping):
        raise PolicyError("policy.trust: must be a table")
    changed: dict[Trust, Mapping[Verdict, Verdict]] = dict(_TRUST)
    for name, row in data.items():
        trust = _parse(Trust, name, "policy.trust")
        where = f"policy.trust.{name}"
        if not isinstance(row, Mapping):
            raise PolicyError(f"{where}: must be a table")
        new = {_parse(Verdict, key, where): _parse(Verdict, value, f"{where}.{key}") for key, value in row.items()}
        changed[trust] = MappingProxyType({**changed[trust], **new})
    return MappingProxyType(changed)


def _parse(kind: Any, word: object, where: str) -> Any:
    for item in kind:
        if str(item) == word:
            return item
    raise PolicyError(f"{where}: {word!r} is none of {', '.join(map(str, kind))}")


DEFAULT = Policy()
