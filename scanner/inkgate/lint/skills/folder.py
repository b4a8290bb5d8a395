"""The checks of skill folders in a run: each folder is examined once, its findings go with the files they are in."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from inkgate.code.model import CodeFinding, Trait
from inkgate.code.purpose import head_of, speaks_of
from inkgate.code.stage import Stage
from inkgate.lint.skills.bundle import Complaint, check_bundle
from inkgate.lint.skills.fields import check_fields
from inkgate.lint.skills.listing import Listing, list_folder
from inkgate.lint.skills.place import located
from inkgate.lint.targets import LEVELS, has_skill_file
from inkgate.match.rules import RuleSet
from inkgate.model import Finding, ScanResult
from inkgate.policy import Policy
from inkgate.text.decode import Decoder
from inkgate.text.sniff import Kind, sniff

__all__ = ["Folder", "FolderChecks"]

_READ = 256 << 10
_READ_IN_ALL = 4 << 20
"""Bytes of one file, and of a folder, that are read again to compare what scripts do with the description."""

_BETTER = {"symlink-escape": "skill-link-outside"}
"""Findings of the walk that a finding of the folder replaces."""


@dataclass(frozen=True, slots=True)
class Folder:
    """What was found in a folder: complaints by relative path, and findings in the text of `SKILL.md`."""

    complaints: dict[str, list[Complaint]] = field(default_factory=dict)
    manifest: str = ""
    text: str = ""
    fields: tuple[CodeFinding, ...] = ()


class FolderChecks:
    """Knows the skill folders of a run.

    Args:
        rules: the rules of the run.
        policy: decides the verdicts.
        profile: which fields the front matter may have.
    """

    def __init__(self, rules: RuleSet, policy: Policy, profile: str) -> None:
        self._rules, self._policy, self._profile = rules, policy, profile
        self._active = frozenset(rule.id for rule in rules.rules)
        self._roots: dict[str, Path | None] = {}
        self._folders: dict[Path, Folder] = {}

    def extend(self, result: ScanResult, path: str) -> ScanResult:
        """The result of a file with what its folder adds to it.

        Args:
            result: of the scan of the file.
            path: where the file lies.
        """
        absolute = os.path.abspath(path)  # noqa: PTH100 - links stay links
        root = self._root(os.path.dirname(absolute))  # noqa: PTH120
        if root is None:
            return result
        return self.add(self._folder(root), os.path.relpath(absolute, root).replace(os.sep, "/"), result)

    def examine(self, listing: Listing, name: str, manifest: str, read: Callable[[str], str]) -> Folder:
        """Look at a folder that need not lie on a disk.

        Args:
            listing: what is in it.
            name: what the folder is called.
            manifest: its `SKILL.md`, as it is spelled there.
            read: gives the text of a file of the listing, of its first 256 KiB at least.
        """
        return _examine(listing, name, manifest, read, self._profile)

    def add(self, folder: Folder, relative: str, result: ScanResult) -> ScanResult:
        """The result of a file with what its folder adds to it.

        Args:
            folder: that it lies in.
            relative: its path there.
            result: of the scan of the file.
        """
        more = self._findings(folder, relative, result)
        if not more:
            return result
        rules = {finding.rule for finding in more}
        before = [f for f in result.findings if f.rule not in _BETTER or _BETTER[f.rule] not in rules]
        findings = sorted((*before, *more), key=lambda f: (f.source, f.start, f.end, f.rule, f.view))
        return replace(
            result, findings=tuple(findings), verdict=self._policy.decide(findings, complete=result.complete)
        )

    def _findings(self, folder: Folder, relative: str, result: ScanResult) -> list[Finding]:
        known = {finding.rule for finding in result.findings}
        manifest = relative == folder.manifest
        found = [_as_finding(item) for item in folder.complaints.get(relative, ())]
        if manifest:
            found += [_as_finding(item) for item in folder.complaints.get("", ())]
        kept = [item for item in found if item.rule != "skill-undeclared-behaviour" or item.rule not in known]
        made = located(kept, "", result.source, self._rules.by_id, self._active, self._policy)
        if manifest:
            inside = [
                item for item in folder.fields if item.rule not in known or item.rule != "skill-undeclared-behaviour"
            ]
            made += located(inside, folder.text, result.source, self._rules.by_id, self._active, self._policy)
        return list(made)

    def _root(self, folder: str) -> Path | None:
        """The nearest folder with a `SKILL.md`, from a file's folder upwards."""
        if folder not in self._roots:
            found = None
            level = Path(folder)
            for place in [level, *level.parents][:LEVELS]:
                if has_skill_file(place):
                    found = place
                    break
                if os.path.lexists(place / ".git"):
                    break
            self._roots[folder] = found
        return self._roots[folder]

    def _folder(self, root: Path) -> Folder:
        known = self._folders.get(root)
        if known is None:
            known = self._folders[root] = _check(root, self._profile)
        return known


def _as_finding(item: Complaint) -> CodeFinding:
    return CodeFinding(item.rule, 0, 0, item.message, item.severity, item.confidence)


def _check(root: Path, profile: str) -> Folder:
    """Look at a folder on the disk."""
    manifest = next((name for name in ("SKILL.md", "skill.md", "Skill.md") if os.path.lexists(root / name)), "SKILL.md")
    try:
        listing = list_folder(root)
    except OSError as error:
        return Folder({"": [_unexamined(error)]}, manifest)
    return _examine(listing, Path(os.path.realpath(root)).name, manifest, lambda path: _text(root / path), profile)


def _examine(listing: Listing, name: str, manifest: str, read: Callable[[str], str], profile: str) -> Folder:
    """Look at a folder; what goes wrong with that is a complaint about its `SKILL.md`."""
    complaints: dict[str, list[Complaint]] = {}
    try:
        for item in check_bundle(listing):
            complaints.setdefault(item.path, []).append(item)
        text = read(manifest)
        found = list(check_fields(text, name, profile))
        found += _purpose(listing, manifest, text, read)
    except Exception as error:  # noqa: BLE001 - a folder that cannot be examined must not look clean
        complaints.setdefault("", []).append(_unexamined(error))
        return Folder(complaints, manifest)
    return Folder(complaints, manifest, text, tuple(found))


def _unexamined(error: Exception) -> Complaint:
    what = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
    return Complaint("script-not-analysed", "", f"The folder could not be examined as a skill ({what})")


def _text(path: Path) -> str:
    with path.open("rb") as file:
        data = file.read(_READ)
    return Decoder().feed(data, final=True)


def _purpose(listing: Listing, manifest: str, text: str, read: Callable[[str], str]) -> list[CodeFinding]:
    """Whether the scripts together do what the description does not say."""
    description, start, end = head_of(text)
    if speaks_of(description):
        return []
    traits: set[Trait] = set()
    left = _READ_IN_ALL
    for entry in listing.entries:
        if (
            not entry.is_file
            or entry.size > _READ
            or entry.path == manifest
            or sniff(entry.head, entry.path) is not Kind.TEXT
        ):
            continue
        left -= entry.size
        if left < 0:
            break
        stage = Stage(entry.path)
        for _found in stage.feed(read(entry.path), final=True):
            pass
        traits |= stage.traits
    stage = Stage(manifest)
    for _found in stage.feed(text, final=True):
        pass
    traits |= stage.traits
    if {Trait.CREDENTIALS, Trait.SENDS} <= traits:
        return [CodeFinding("skill-undeclared-behaviour", start, end)]
    return []
