"""Which tiers have staged writes, and the gate of each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from inkgate.model import InkgateError

from .filegate import FileGate
from .pending import PendingError, PendingStore
from .settings import Settings

__all__ = ["SUBSYSTEMS", "find", "open_tier"]

SUBSYSTEMS = ("memory", "vault", "skills")


def open_tier(
    subsystem: str, home: Path, settings: Settings, payload: Mapping[str, Any] | None = None
) -> FileGate[Any]:
    """The gate of a tier of files.

    Args:
        subsystem: `vault` or `skills`.
        home: the home folder.
        settings: the operator's settings.
        payload: of the staged write that it is opened for, which may say more about where it was staged.

    Raises:
        InkgateError: the tier's writes are not applied here.
    """
    if subsystem == "vault":
        from .vault import VaultGate

        root = payload.get("root") if payload is not None else None
        return VaultGate(home, Path(root) if isinstance(root, str) else None, settings=settings)
    if subsystem == "skills":
        from .skills import open_for

        return open_for(payload or {}, home, settings)
    raise InkgateError(f"There is no gate for the tier {subsystem}.")


def find(pending: PendingStore, pending_id: str) -> str:
    """The subsystem that has a staged write with this id, trustworthy or not.

    Raises:
        PendingError: none has, or several have.
    """
    found = [name for name in SUBSYSTEMS if pending.holds(name, pending_id)]
    if not found:
        raise PendingError(f"There is no pending write {pending_id}.")
    if len(found) > 1:
        raise PendingError(f"Several tiers have a pending write {pending_id}.", hint="Say which one with --tier.")
    return found[0]
