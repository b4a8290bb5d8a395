"""What a list of operations makes of a list of entries: pure, without a disk.

Rules: a piece of text names an entry when it equals it, else when it stands inside exactly one; identical entries count
as one. A batch holds entirely or not at all and only its final size counts. A store over its cap accepts every change
that makes it smaller.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from unicodedata import normalize

from inkgate.lean import TYPE_CHECKING, dataclass

from .entries import check_entry, fold_line_ends, fold_repeats, joined_length
from .errors import NotUnderstoodError, RefusalError

if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["PREVIEW", "Action", "Change", "Operation", "Plan", "find_entry", "plan", "preview", "shown"]

PREVIEW = 80  # characters of an entry that an ambiguous match shows


class Action(enum.StrEnum):
    """What one operation does."""

    ADD = "add"
    REPLACE = "replace"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True)
class Operation:
    """One step of a request.

    Attributes:
        action: add, replace or remove.
        content: the new entry, for add and replace.
        old_text: the piece of text that names the entry, for replace and remove.
        pinned: when not None, the exact entry that was shown to a person; only that one qualifies.
    """

    action: Action
    content: str = ""
    old_text: str = ""
    pinned: str | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """What one operation did: which entry went, which came. Both None for an operation that changed nothing."""

    action: Action
    before: str | None
    after: str | None

    @property
    def real(self) -> bool:
        """Whether anything changed."""
        return self.before != self.after


@dataclass(frozen=True, slots=True)
class Plan:
    """The outcome of operations on entries.

    Attributes:
        old: the entries before, without repeats.
        new: the entries after, without repeats.
        changes: one for each operation, in order.
    """

    old: tuple[str, ...]
    new: tuple[str, ...]
    changes: tuple[Change, ...]

    @property
    def real(self) -> bool:
        """Whether the text of the store changes."""
        return self.old != self.new


def find_entry(entries: Sequence[str], old_text: str, pinned: str | None = None) -> str:
    """The one entry that `old_text` names: by its characters, else by what Unicode holds to be the same text.

    Raises:
        RefusalError: `no-match`, `ambiguous` (details: matches) or `changed` (the pinned entry is
            not there any more, or `old_text` does not name it).
    """
    needle = fold_line_ends(old_text.strip())
    folded = [(fold_line_ends(entry), entry) for entry in dict.fromkeys(entries)]
    hits = [entry for key, entry in folded if key == needle] or [entry for key, entry in folded if needle in key]
    if not hits and not needle.isascii():  # é may be one character here and two there
        needle = normalize("NFC", needle)
        alike = [(normalize("NFC", key), entry) for key, entry in folded]
        hits = [entry for key, entry in alike if key == needle] or [entry for key, entry in alike if needle in key]
    if pinned is not None:
        if pinned not in entries or pinned not in hits:
            raise RefusalError(
                "changed",
                "Entry changed since the write was staged, so it was not applied.",
                hint="Stage the write again against the entry as it is now.",
            )
        return pinned
    if not hits:
        raise RefusalError("no-match", f"No entry matched '{shown(old_text)}'.")
    if len(hits) > 1:
        raise RefusalError(
            "ambiguous",
            f"Multiple entries matched '{shown(old_text)}'. Be more specific.",
            details={"matches": tuple(hits)},
        )
    return hits[0]


def plan(
    entries: Sequence[str],
    operations: Sequence[Operation],
    *,
    cap: int,
    batch: bool = False,
    guard: Callable[[Operation, str], None] | None = None,
) -> Plan:
    """Apply `operations` to `entries` in order and check the final size against `cap` characters.

    Args:
        entries: the entries as they stand; repeats are folded first.
        operations: one, or the steps of a batch.
        cap: most characters of the joined text.
        batch: whether refusals speak of a batch, and whether the store may not be emptied.
        guard: called with each replace or remove and the stored entry that it is about to touch; raises to refuse.

    Raises:
        RefusalError: `no-match`, `ambiguous`, `changed`, `empty-text`, `over-cap`, `would-empty`.
        NotUnderstoodError: new content that cannot be an entry.
    """
    old = fold_repeats(entries)
    stored = set(old)
    working, present = list(old), set(old)
    changes: list[Change] = []
    for number, operation in enumerate(operations, 1):
        try:
            change = _apply(working, present, operation, stored, guard)
        except (RefusalError, NotUnderstoodError) as problem:
            if not batch:
                raise
            _abort(number, operation, problem)
        changes.append(change)
    new = fold_repeats(working)
    if batch and old and not new:
        raise RefusalError("would-empty", "Refusing to empty the store: the batch removes every entry.")
    _check_size(old, new, cap)
    return Plan(tuple(old), tuple(new), tuple(changes))


def _apply(
    working: list[str],
    present: set[str],
    operation: Operation,
    stored: set[str],
    guard: Callable[[Operation, str], None] | None,
) -> Change:
    """Make one step on the entries; `present` holds the same ones, for a batch that is long."""
    if operation.action is Action.ADD:
        entry = check_entry(operation.content)
        if entry in present:
            return Change(Action.ADD, None, None)
        working.append(entry)
        present.add(entry)
        return Change(Action.ADD, None, entry)
    if not operation.old_text.strip():
        raise RefusalError("empty-text", "old_text cannot be empty.")
    successor = check_entry(operation.content) if operation.action is Action.REPLACE else None
    found = find_entry(working, operation.old_text, operation.pinned)
    if guard is not None and found in stored:
        guard(operation, found)
    place = working.index(found)
    del working[place]
    present.discard(found)
    if successor is None:
        return Change(Action.REMOVE, found, None)
    if successor not in present:
        working.insert(place, successor)
        present.add(successor)
    return Change(Action.REPLACE, found, successor)


def _check_size(old: Sequence[str], new: Sequence[str], cap: int) -> None:
    size, before = joined_length(new), joined_length(old)
    if size > cap and size >= before and list(new) != list(old):
        raise RefusalError(
            "over-cap",
            f"{size:,} characters do not fit into {cap:,}.",
            details={"size": size, "before": before, "cap": cap, "overflow": size - cap},
        )


def _abort(number: int, operation: Operation, problem: RefusalError | NotUnderstoodError) -> NoReturn:
    """Say which step of a batch failed; the code and the details stay those of the step."""
    code = problem.code if isinstance(problem, RefusalError) else "not-understood"
    text = {
        "no-match": f"no entry matched '{shown(operation.old_text)}'.",
        "ambiguous": f"'{shown(operation.old_text)}' matched multiple distinct entries; be more specific.",
        "empty-text": "old_text is required.",
    }.get(code, str(problem))
    details = dict(problem.details) if isinstance(problem, RefusalError) else {}
    raise RefusalError(
        code,
        f"Operation {number} ({operation.action}): {text} No operations were applied (batch is all-or-nothing).",
        hint=problem.hint,
        details={**details, "operation": number},
    ) from problem


def preview(entry: str) -> str:
    """The beginning of an entry, for a message that names several."""
    return entry if len(entry) <= PREVIEW else entry[:PREVIEW] + "..."


def shown(text: str) -> str:
    """A piece of text for a message, which has to have a UTF-8 form."""
    return preview(text.strip()).encode("utf-8", "replace").decode()
