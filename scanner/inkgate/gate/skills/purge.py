"""Erasing a leaked text from what the store of skills keeps."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from inkgate.store.errors import RefusalError
from inkgate.store.origin import Origin
from inkgate.store.skills import SkillFile, Skills

from ..pending import PendingStore
from .payload import from_payload

__all__ = ["purge_skills"]

SUBSYSTEM = "skills"


def purge_skills(home: Path, text: str, pending: PendingStore) -> dict[str, list[str]]:
    """Erase a text from the versions of files and from staged writes of skills.

    The skills themselves, and archived ones, are left to `patch` or to a person: the answer names the files.

    Returns what was erased (`copies`, by digest; `pending`, by id) and what still holds the text (`still_in`).

    Raises:
        StoreError: something could not be erased.
    """
    store, needle = Skills(home / "skills", home), text.encode()
    done: dict[str, list[str]] = {"copies": [], "pending": [], "still_in": []}
    done["copies"] = [f"skills/{sha256}" for sha256 in store.objects.erase(needle)]
    for write in pending.writes(SUBSYSTEM):
        if any(needle in data for data in _held(write.payload)):
            pending.remove(SUBSYSTEM, write.id)
            done["pending"].append(write.id)
    if store.root.is_dir():
        done["still_in"] = [
            f"skills/{path.relative_to(store.root).as_posix()}"
            for path in sorted(store.root.rglob("*"))
            if path.is_file() and not path.is_symlink() and needle in path.read_bytes()
        ]
    return done


def _held(payload: Mapping[str, Any]) -> Iterator[bytes]:
    """Every text and every byte string of a staged write."""
    try:
        request = from_payload(payload, Origin())
    except RefusalError:  # the agent's own form
        yield from (value.encode("utf-8", "surrogatepass") for value in payload.values() if isinstance(value, str))
        return
    yield from (item.encode() for item in (request.text, request.old_text, request.reason, request.name, request.path))
    yield request.data or b""
    for path, content in request.files.items():
        yield path.encode()
        data = content.data if isinstance(content, SkillFile) else content
        yield data.encode() if isinstance(data, str) else data
