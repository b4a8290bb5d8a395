"""Erasing a leaked text from what is kept beside the notes of a vault."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from inkgate.model import Target
from inkgate.store.documents import STATE

if TYPE_CHECKING:
    from .gate import Gate

__all__ = ["purge_vault"]


def purge_vault(gate: Gate, text: str) -> dict[str, list[str]]:
    """Drop staged writes and replaced notes that hold the text, and name the notes that still do, in quarantine too.

    Of vaults that lie elsewhere than the settings say, only the staged writes are found.
    """
    done: dict[str, list[str]] = {"copies": [], "pending": [], "still_in": []}
    for write in gate.pending.writes("vault"):
        if any(text in value for value in write.payload.values() if isinstance(value, str)):
            gate.pending.remove("vault", write.id)
            done["pending"].append(write.id)
    root, needle = gate.settings.root(Target.VAULT, gate.store.home), text.encode("utf-8")
    for folder, inner, names in os.walk(root):
        inner[:] = [name for name in inner if not name.startswith(".") or (name == STATE and Path(folder) == root)]
        for path in (Path(folder, name) for name in names):
            if not path.is_file() or path.is_symlink() or needle not in path.read_bytes():
                continue
            name = path.relative_to(root).as_posix()
            if name.startswith(f"{STATE}/"):
                path.unlink()
                done["copies"].append(name)
            else:
                done["still_in"].append(name)
    return done
