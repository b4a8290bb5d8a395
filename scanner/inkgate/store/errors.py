"""What a store says when it cannot, or will not, do what was asked."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from inkgate.lean import Any
from inkgate.model import InkgateError

__all__ = ["LedgerError", "LockTimeoutError", "NotUnderstoodError", "RefusalError", "StoreError", "UnreadableError"]


class StoreError(InkgateError):
    """The disk, a lock or a permission is in the way. Nothing was changed, unless the message says so.

    Attributes:
        code: a stable word for programs.
    """

    code = "failed"


class LockTimeoutError(StoreError):
    """Another writer held the lock for longer than the time limit."""


class UnreadableError(StoreError):
    """The file exists, but could not be read as text. Its bytes are untouched."""

    code = "unreadable"


class NotUnderstoodError(StoreError):
    """Text that cannot be stored as an entry: not text, not encodable, or it holds the delimiter."""


class LedgerError(StoreError):
    """The ledger does not continue where it was left: a record was edited, deleted or moved."""


class RefusalError(InkgateError):
    """The store understood the request and refuses it; the stored text is unchanged.

    Attributes:
        code: a stable word for programs, such as `over-cap`, `no-match`, `ambiguous`, `drift`.
        details: facts for the reply, such as `matches` or `size`; texts in it are those of stored entries.
    """

    def __init__(self, code: str, message: str, *, hint: str = "", details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message, hint=hint)
        self.code = code
        self.details: Mapping[str, Any] = MappingProxyType(dict(details or {}))
