"""Durable text: the format, the files, the ledger. A store writes nothing but Screened text."""

from .errors import LedgerError, LockTimeoutError, NotUnderstoodError, RefusalError, StoreError, UnreadableError
from .files import Durability
from .ledger import Ledger
from .memory import MemoryStore
from .origin import Origin
from .plan import Action, Operation
from .screened import Screened

__all__ = [
    "Action",
    "Durability",
    "Ledger",
    "LedgerError",
    "LockTimeoutError",
    "MemoryStore",
    "NotUnderstoodError",
    "Operation",
    "Origin",
    "RefusalError",
    "Screened",
    "StoreError",
    "UnreadableError",
]
