"""What every gate of a home has: the accepted texts, the staged writes, and the screener."""

from __future__ import annotations

from pathlib import Path

from inkgate.lean import NamedTuple

from .accepted import Accepted
from .pending import PendingStore
from .scanner import built_in, policy_digest
from .screened import Scanner, Screener
from .secretkey import HomeKey
from .settings import Settings

__all__ = ["Guards"]


class Guards(NamedTuple):
    """The guards of one home.

    Attributes:
        accepted: texts that were refused, and that a person has accepted.
        pending: the staged writes.
        screener: checks texts under the settings' policy.
    """

    accepted: Accepted
    pending: PendingStore
    screener: Screener

    @classmethod
    def of(cls, home: Path, settings: Settings, scan: Scanner | None) -> Guards:
        """The guards of a home; they scan with the built-in scanner under the settings' policy when `scan` is None."""
        key, policy = HomeKey(home / "inkgate" / "key"), settings.policy
        accepted = Accepted(home / "inkgate" / "accepted.json", key)
        pending = PendingStore(home / "pending", key, days=settings.pending_days, most=settings.pending_most)
        return cls(accepted, pending, Screener(scan or built_in(policy), accepted, policy_digest(policy)))
