"""How often a model may fail in one turn before it is told to stop."""

from __future__ import annotations

__all__ = ["FailureBudget"]

LIMIT = 3


class FailureBudget:
    """Counts failed attempts of a turn. A change re-arms it; asking again for what is there does not, and counts once
    failures have begun, because it is no progress either.
    """

    def __init__(self, limit: int = LIMIT) -> None:
        self._limit = limit
        self._failures = 0

    def fail(self) -> bool:
        """Count a failure; True when it was one too many and the reply has to be the last one."""
        self._failures += 1
        return self._failures > self._limit

    def idle(self) -> None:
        """Count an attempt that changed nothing."""
        if self._failures:
            self._failures += 1

    def reset(self) -> None:
        """A change was made, or a new turn began."""
        self._failures = 0

    @property
    def failures(self) -> int:
        """Failed attempts so far."""
        return self._failures
