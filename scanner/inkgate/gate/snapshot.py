"""What of a memory file reaches the prompt, rendered as agents of this family expect it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from inkgate.lean import dataclass
from inkgate.model import Target
from inkgate.store.entries import join
from inkgate.store.memory import FILES
from inkgate.text.counted import counted

__all__ = ["Snapshot", "marker", "render", "usage"]

_RULE = "\u2550" * 46
_TITLES = {Target.MEMORY: "MEMORY (your personal notes)", Target.USER: "USER PROFILE (who the user is)"}


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The rendered text of one target, frozen, and what its owner should know.

    Attributes:
        text: for the prompt; empty when there is nothing.
        warnings: for a person: over the cap, unreadable, masked entries.
    """

    text: str = ""
    warnings: tuple[str, ...] = ()


def marker(target: Target, rules: Sequence[str]) -> str:
    """What stands in the place of a poisoned entry."""
    return (
        f"[BLOCKED: {FILES[target]} entry contained threat pattern(s): {', '.join(rules)}. Left out of the prompt;"
        " its owner can see it with `inkgate memory list` and remove it.]"
    )


def usage(size: int, cap: int) -> str:
    """Such as `12% — 264/2,200 chars`."""
    return f"{min(100, size * 100 // cap)}% — {size:,}/{cap:,} chars"


def render(entries: Sequence[str], target: Target, cap: int, poisoned: Mapping[str, Sequence[str]]) -> Snapshot:
    """The snapshot of entries as they were read.

    Args:
        entries: in order.
        target: memory or user.
        cap: characters.
        poisoned: for each entry that must not reach a model, the rules that say so.
    """
    if not entries:
        return Snapshot()
    shown = [marker(target, poisoned[entry]) if entry in poisoned else entry for entry in entries]
    body = join(shown)
    size = len(join(entries))
    warnings = []
    if size > cap:
        warnings.append(f"{FILES[target]} holds {size:,} characters, {size - cap:,} more than its cap of {cap:,}.")
    if poisoned:
        warnings.append(f"{counted(len(poisoned), 'entry', 'entries')} of {FILES[target]} left out of the prompt.")
    head = f"{_TITLES[target]} [{usage(len(body), cap)}]"
    return Snapshot(f"{_RULE}\n{head}\n{_RULE}\n{body}", tuple(warnings))
