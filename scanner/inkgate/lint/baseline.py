"""The baseline: findings that were there when the tool was introduced, so that only new ones count.

A JSON file, sorted, without a time, so that it merges well and two equal runs write equal files:

    {"version": 1, "tool": "inkgate 0.1.0", "ruleset": "...", "findings": [
      {"rule": "...", "path": "notes/a.md", "fingerprint": "...", "ordinal": 1, "line": 12,
       "reason": "an example for the course", "expires": "2027-01-31"}]}

An entry is recognised by rule, path (relative to the baseline's folder), fingerprint and ordinal (the first, second...
finding of that file with the same rule and fingerprint); the line is only a hint for the reader, so moving text about
changes nothing. `reason` and `expires` are for people to fill in and survive an update. An entry is stale when its file
was scanned and has no such finding any more, or does not exist any more; stale and expired entries are told.

Like suppressions this is for linting: the gate takes no baseline.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

from inkgate.lint.suppress import NEVER
from inkgate.model import Finding, InkgateError
from inkgate.report.model import Suppressed

__all__ = ["VERSION", "Baseline", "BaselineError", "Compared", "Entry", "Key", "keys", "load", "save"]

VERSION = 1


class BaselineError(InkgateError):
    """The baseline file cannot be read, is not one, or cannot be written."""


class Key(NamedTuple):
    """What an entry is recognised by. The path is relative to the baseline's folder, with slashes."""

    path: str
    rule: str
    fingerprint: str
    ordinal: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One accepted finding.

    Attributes:
        key: see there.
        line: where it stood when it was written; a hint.
        reason: why it is accepted, by a person; may be empty.
        expires: ISO date, the last day on which it counts; empty for no end.
    """

    key: Key
    line: int
    reason: str = ""
    expires: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """Findings after the baseline.

    Attributes:
        findings: those that are not in it, or whose entry has expired.
        suppressed: those that are.
        stale: entries that match nothing any more.
        expired: entries that match but no longer count.
    """

    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]
    stale: tuple[Entry, ...]
    expired: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Baseline:
    """The entries of one file.

    Attributes:
        path: of the file; its folder is what the entries' paths are relative to.
        entries: by their keys.
    """

    path: Path
    entries: Mapping[Key, Entry]

    def compare(self, findings: Sequence[Finding], scanned: Collection[str], today: str) -> Compared:
        """Part the findings into known and new.

        Args:
            findings: of the whole run, sorted.
            scanned: paths of the files that were read, as in the findings' sources.
            today: ISO date.
        """
        folder = self.path.parent
        left = dict(self.entries)
        new: list[Finding] = []
        known: list[Suppressed] = []
        expired: list[Entry] = []
        for key, finding in keys(findings, folder):
            entry = left.pop(key, None)
            if entry is not None and entry.expires and entry.expires < today:
                expired.append(entry)
                entry = None
            if entry is None or finding.rule in NEVER:
                new.append(finding)
            else:
                known.append(Suppressed(finding, "baseline", entry.reason or "in the baseline"))
        read = {_relative(path, folder) for path in scanned}
        return Compared(tuple(new), tuple(known), _gone(left.values(), read, folder), tuple(expired))

    def updated(self, findings: Sequence[Finding], scanned: Collection[str]) -> Baseline:
        """The baseline that accepts all of `findings`, keeps what was not scanned, and forgets what is gone."""
        folder = self.path.parent
        read = {_relative(path, folder) for path in scanned}
        entries = dict(self.entries)
        made = {
            key: replace(entries.get(key) or Entry(key, 0), line=finding.line)
            for key, finding in keys(findings, folder)
            if finding.rule not in NEVER
        }
        gone = {entry.key for entry in _gone((e for k, e in entries.items() if k not in made), read, folder)}
        kept = {key: entry for key, entry in entries.items() if key not in gone}
        return Baseline(self.path, kept | made)

    def text(self, version: str, ruleset: str) -> str:
        """The file's text; equal entries give equal text."""
        rows = [_row(self.entries[key]) for key in sorted(self.entries)]
        document = {"version": VERSION, "tool": f"inkgate {version}", "ruleset": ruleset, "findings": rows}
        return json.dumps(document, indent=2, ensure_ascii=True) + "\n"


def keys(findings: Iterable[Finding], folder: Path) -> list[tuple[Key, Finding]]:
    """Each finding with its key; equal ones are numbered in the order of their places."""
    seen: Counter[tuple[str, str, str]] = Counter()
    out = []
    for finding in findings:
        trio = (_relative(finding.source, folder), finding.rule, finding.fingerprint)
        seen[trio] += 1
        out.append((Key(*trio, seen[trio]), finding))
    return out


def load(path: Path) -> Baseline:
    """Read a baseline.

    Raises:
        BaselineError: it does not exist, is not readable or not a baseline; the message names file, entry and field.
    """
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise BaselineError(f"{path}: no such baseline", hint="make it with --update-baseline") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BaselineError(f"{path}: cannot be read: {error}") from error
    except (ValueError, RecursionError) as error:
        raise BaselineError(
            f"{path}: not valid JSON: {error}", hint="restore it, or delete it and make it anew"
        ) from None
    if not isinstance(data, dict) or data.get("version") != VERSION:
        found = data.get("version") if isinstance(data, dict) else None
        raise BaselineError(f"{path}: not a baseline of version {VERSION} (its version is {found!r})")
    rows = data.get("findings")
    if not isinstance(rows, list):
        raise BaselineError(f"{path}: findings: must be a list")
    entries: dict[Key, Entry] = {}
    for number, row in enumerate(rows, 1):
        entry = _entry(row, f"{path}: finding {number}")
        if entry.key in entries:
            raise BaselineError(f"{path}: finding {number}: is there twice")
        entries[entry.key] = entry
    return Baseline(path, entries)


def save(baseline: Baseline, version: str, ruleset: str) -> bool:
    """Write the baseline if it differs from what is there, as a whole or not at all.

    Returns:
        Whether the file changed.

    Raises:
        BaselineError: it cannot be written; what was there is untouched.
    """
    from inkgate.lint.output import replace_file

    text = baseline.text(version, ruleset)
    try:
        if baseline.path.exists() and baseline.path.read_text(encoding="utf-8") == text:
            return False
        replace_file(baseline.path, text)
    except OSError as error:
        raise BaselineError(f"{baseline.path}: cannot be written: {error}") from error
    return True


_FIELDS: Mapping[str, type] = {
    "rule": str,
    "path": str,
    "fingerprint": str,
    "ordinal": int,
    "line": int,
    "reason": str,
    "expires": str,
}


def _entry(row: Any, where: str) -> Entry:  # noqa: ANN401 - whatever JSON holds
    if not isinstance(row, dict):
        raise BaselineError(f"{where}: must be an object")
    for name, value in row.items():
        if name not in _FIELDS:
            raise BaselineError(f"{where}: {name}: unknown field")
        if not isinstance(value, _FIELDS[name]) or isinstance(value, bool):
            raise BaselineError(f"{where}: {name}: must be {'text' if _FIELDS[name] is str else 'a number'}")
    for name in ("rule", "path", "fingerprint", "ordinal"):
        if name not in row:
            raise BaselineError(f"{where}: {name}: is missing")
    expires = row.get("expires", "")
    if expires:
        from datetime import date

        try:
            expires = date.fromisoformat(expires).isoformat()
        except ValueError:
            raise BaselineError(f"{where}: expires: {expires!r} is not a date such as 2027-01-31") from None
    key = Key(row["path"], row["rule"], row["fingerprint"], row["ordinal"])
    return Entry(key, row.get("line", 0), row.get("reason", ""), expires)


def _row(entry: Entry) -> dict[str, Any]:
    key = entry.key
    row: dict[str, Any] = {"rule": key.rule, "path": key.path, "fingerprint": key.fingerprint, "ordinal": key.ordinal}
    row["line"] = entry.line
    if entry.reason:
        row["reason"] = entry.reason
    if entry.expires:
        row["expires"] = entry.expires
    return row


def _gone(entries: Iterable[Entry], read: Collection[str], folder: Path) -> tuple[Entry, ...]:
    """Entries whose file was read, or is not there any more (of `archive!member`, the archive)."""
    gone = []
    for entry in sorted(entries, key=lambda item: item.key):
        file = _file(entry.key.path, read)
        if file in read or not (os.path.lexists(folder / entry.key.path) or os.path.lexists(folder / file)):
            gone.append(entry)
    return tuple(gone)


def _file(path: str, read: Collection[str]) -> str:
    """The file of a source, which may be a member of an archive."""
    if path in read:
        return path
    at = path.find("!")
    while at >= 0:  # a file's own name may hold the mark too
        if path[:at] in read:
            return path[:at]
        at = path.find("!", at + 1)
    return path.partition("!")[0] or path


def _relative(path: str, folder: Path) -> str:
    """A source's path as the baseline writes it: relative to its folder, with slashes, whatever the caller's folder."""
    full = os.path.normpath(Path.cwd() / path) if path else path
    try:
        return Path(os.path.relpath(full, os.path.normpath(Path.cwd() / folder))).as_posix() if path else ""
    except ValueError:  # another drive
        return Path(full).as_posix()
