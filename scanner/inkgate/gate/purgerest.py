"""Erasing a leaked text from what belongs to no single tier: recall, staged records that are damaged, what was set
aside.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .gate import Gate

__all__ = ["purge_copies", "purge_rest"]


def purge_copies(gate: Gate, text: str) -> list[str]:
    """Remove the copies of memory files that hold a text: those set aside, and those kept while they are replaced."""
    needles, store = _forms(text), gate.store
    kept = [store.generations(target) for target in gate.settings.caps]
    folders = dict.fromkeys([store.folder, *(each.folder for each in kept)])
    copies = [path for folder in folders for path in sorted(folder.glob("*.bak.*"))]
    copies += [path for each in kept for path in each.paths()]
    held = [path for path in copies if _holds(path, needles)]
    for path in held:
        path.unlink(missing_ok=True)
    return [path.name for path in held]


def purge_rest(gate: Gate, text: str) -> dict[str, list[str]]:
    """Erase a text from recall and from staged records that cannot be applied; name what was set aside with it.

    A ledger or a database that was set aside damaged is evidence, and may hold what is nowhere else: a person decides.

    Raises:
        StoreError: something could not be erased.
    """
    done: dict[str, list[str]] = {"copies": [], "pending": [], "still_in": []}
    home, needles = gate.store.home, _forms(text)
    for folder in sorted(path for path in (home / "pending").glob("*") if path.is_dir()):
        for name in gate.pending.damaged(folder.name):
            if _holds(folder / name, needles):
                (folder / name).unlink(missing_ok=True)
                done["pending"].append(f"{folder.name}/{name}")
    if (home / "inkgate" / "recall.db").is_file():
        done["copies"] += _recall(gate, home / "inkgate" / "recall.db", text)
    ledger = gate.store.ledger.path
    asides = [*ledger.parent.glob(f"{ledger.name}.broken.*"), *(home / "inkgate").glob("recall.db.damaged*")]
    done["still_in"] = [path.name for path in sorted(asides) if _holds(path, needles)]
    return done


def _recall(gate: Gate, path: Path, text: str) -> list[str]:
    from inkgate.store.recall import RecallStore

    with RecallStore(path, scan=gate.screener.scan) as recall:
        found = recall.purge(text)
    return [f"{path.name}: {found} messages"] if found else []


def _forms(text: str) -> set[bytes]:
    """A text as it may stand in a file: as it is, and inside of JSON."""
    quoted = (json.dumps(text, ensure_ascii=plain)[1:-1] for plain in (True, False))
    return {form.encode("utf-8", "surrogatepass") for form in (text, *quoted)}


def _holds(path: Path, needles: set[bytes]) -> bool:
    if not path.is_file() or path.is_symlink():
        return False
    data = path.read_bytes()
    return any(needle in data for needle in needles)
