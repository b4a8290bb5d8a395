"""What a writer that nobody watches may do by itself: add. What it replaces or removes is a proposal."""

from __future__ import annotations

from collections.abc import Sequence

from inkgate.store.entries import fold_line_ends
from inkgate.store.plan import Action, Operation, Plan

__all__ = ["independent_adds", "preserves"]


def independent_adds(operations: Sequence[Operation]) -> list[Operation]:
    """The adds of a batch that mean the same without its replaces and removes."""
    others = [operation for operation in operations if operation.action is not Action.ADD]
    return [
        operation
        for operation in operations
        if operation.action is Action.ADD and not any(_depends(operation, other) for other in others)
    ]


def _depends(add: Operation, other: Operation) -> bool:
    content = fold_line_ends(add.content.strip())
    return content == fold_line_ends(other.content.strip()) or fold_line_ends(other.old_text.strip()) in content


def preserves(plan: Plan) -> bool:
    """Whether every old entry is still there word for word: as an entry, or as the start of one, before white space."""
    starts = [fold_line_ends(entry) for entry in plan.new]
    return all(
        any(new == old or new.startswith((old + " ", old + "\n")) for new in starts)
        for old in map(fold_line_ends, plan.old)
    )
