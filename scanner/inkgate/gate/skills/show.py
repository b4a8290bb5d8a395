"""A change of a skill for a person's eyes."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator

from inkgate.store.skills import FileChange, SkillFile, SkillPlan

__all__ = ["diff_of"]


def diff_of(name: str, made: SkillPlan, masked: Callable[[str], str]) -> str:
    """The change as unified diffs, one for each file, whole; bytes that are no text are told by size and digest.

    Args:
        name: of the skill.
        made: the change.
        masked: replaces the secrets of a text.
    """
    return "\n".join(line for change in made.changes for line in _lines(name, change, masked))


def _lines(name: str, change: FileChange, masked: Callable[[str], str]) -> Iterator[str]:
    path = f"{name}/{change.path}"
    yield f"--- {path} (as it stands)" if change.before else "--- (not there)"
    yield f"+++ {path} (proposed)" if change.after else "+++ (goes; its versions stay)"
    if change.before and change.after and change.before.executable != change.after.executable:
        yield f"  {'becomes' if change.after.executable else 'is no longer'} executable"
    elif change.after and change.after.executable:
        yield "  executable"
    before, after = _text(change.before, masked), _text(change.after, masked)
    yield from list(difflib.unified_diff(before, after, lineterm="", n=99))[2:]


def _text(file: SkillFile | None, masked: Callable[[str], str]) -> list[str]:
    if file is None:
        return []
    try:
        text = file.data.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" not in text:
        return masked(text).splitlines()
    return [f"[{len(file.data):,} bytes that are no text, SHA-256 {file.sha256}]"]
