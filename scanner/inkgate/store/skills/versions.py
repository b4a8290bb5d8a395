"""Every state that a skill was in: read back from the ledger, with the bytes kept as objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from inkgate.store.chain import Record
from inkgate.store.origin import Origin

__all__ = ["SkillVersion", "key_of", "versions_of"]


def key_of(name: str) -> str:
    """The key of a skill in the ledger."""
    return f"skill:{name}"


@dataclass(frozen=True, slots=True)
class SkillVersion:
    """One state of a skill.

    Attributes:
        id: names it for ever: the number of the record that brought it.
        name: of the skill.
        at: when that was, UTC.
        origin: who brought it, from which source, in which session.
        action: what was done; `outside` for a change without the gate.
        reason: why, as the writer said.
        place: category and name of the folder, with a slash.
        files: state of each file (`sha256:x:bytes`, with `-` for one that cannot be run); empty when the skill was
            not there; None when the record was purged.
        changed: for each file that is not as in the version before, its state before and after; empty for none.
        stands: whether it is the last one that was recorded.
        late: whether it holds only files that somebody changed while they were being replaced.
    """

    id: str
    name: str
    at: str
    origin: Origin
    action: str
    reason: str
    place: str
    files: Mapping[str, str] | None
    changed: Mapping[str, tuple[str, str]]
    stands: bool = False
    late: bool = False

    def sha256(self, path: str) -> str | None:
        """Digest of a file in this version; None when it was not there."""
        state = (self.files or {}).get(path)
        return state.split(":")[0] if state else None


def versions_of(records: Iterable[Record], name: str) -> tuple[SkillVersion, ...]:
    """Every version of a skill, oldest first, without those that never took effect."""
    key = key_of(name)
    own = [record for record in records if record.key == key]
    aborted = {record.facts.get("record") for record in own if record.event == "aborted"}
    found: list[SkillVersion] = []
    before: Mapping[str, str] = {}
    last = -1
    for record in own:
        if record.seq in aborted or record.event not in ("change", "outside"):
            continue
        body = record.body
        files = None if body is None else dict(body.get("files", {}))
        late = record.facts.get("late") is True
        found.append(
            SkillVersion(
                str(record.seq), name, record.at, record.origin,
                "outside" if record.event == "outside" else str(record.facts.get("action", "")),
                str((body or {}).get("reason", "")), str(record.facts.get("place", "")), files,
                _changed({path: before.get(path, "") for path in files or {}} if late else before, files), late=late,
            )
        )  # fmt: skip
        if not late:
            before = files or {}
            last = len(found) - 1
    return tuple(
        _standing(version) if number == last and version.files else version for number, version in enumerate(found)
    )


def _standing(version: SkillVersion) -> SkillVersion:
    from dataclasses import replace

    return replace(version, stands=True)


def _changed(before: Mapping[str, str], after: Mapping[str, str] | None) -> dict[str, tuple[str, str]]:
    if after is None:
        return {}
    pairs = {path: (before.get(path, ""), after.get(path, "")) for path in sorted({*before, *after})}
    return {path: pair for path, pair in pairs.items() if pair[0] != pair[1]}
