"""The package's own scanner, as a gate uses it."""

from __future__ import annotations

import hashlib

from inkgate.model import ScanResult, Target
from inkgate.policy import Policy

__all__ = ["built_in", "policy_digest"]


class built_in:  # noqa: N801 - a scanner, made like a function
    """The package's own scanner under a policy; it can be told the path of a file."""

    def __init__(self, policy: Policy) -> None:
        from inkgate.match.rules import load_rules
        from inkgate.scan import scan_text

        self._scan_text, self._policy, self._rules = scan_text, policy, load_rules

    @property
    def ruleset(self) -> str:
        """Digest of the rules that it reads with now."""
        return self._rules().digest

    def __call__(self, text: str, target: Target, /) -> ScanResult:
        """Scan a text."""
        return self._scan_text(text, target=target, policy=self._policy)

    def named(self, text: str, target: Target, source: str, /) -> ScanResult:
        """Scan the text of the file `source`."""
        return self._scan_text(text, target=target, policy=self._policy, source=source)


def policy_digest(policy: Policy) -> str:
    """Names a policy by what it says."""
    table = {
        str(target): {
            str(verdict): sorted((int(s), int(c)) for s, c in floor.items()) for verdict, floor in row.items()
        }
        for target, row in policy.table.items()
    }
    return hashlib.sha256(repr((sorted(table.items()), str(policy.mention))).encode()).hexdigest()
