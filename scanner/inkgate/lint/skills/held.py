"""A skill that is held in memory, whole: judged as `check_skill` judges one on a disk, before it is written there."""

from __future__ import annotations

import hashlib
import io
import stat
from collections.abc import Mapping, MutableMapping

from inkgate.lint.skills.check import SkillCheck
from inkgate.lint.skills.folder import FolderChecks
from inkgate.lint.skills.listing import Entry, Listing
from inkgate.match.rules import RuleSet, load_rules
from inkgate.model import Finding, ScanResult, Target, Unread
from inkgate.policy import DEFAULT, Policy, Trust
from inkgate.text.decode import Decoder
from inkgate.text.sniff import HEAD

__all__ = ["check_held"]

_READ = 256 << 10  # bytes of a file that its folder's checks look at


def check_held(
    name: str,
    files: Mapping[str, tuple[bytes, bool]],
    *,
    manifest: str = "SKILL.md",
    profile: str = "spec",
    trust: Trust | str = Trust.COMMUNITY,
    policy: Policy | None = None,
    rules: RuleSet | None = None,
    known: MutableMapping[tuple[str, str], ScanResult] | None = None,
) -> SkillCheck:
    """Scan every file of a skill and judge it as a whole. The findings name files by `name/path`.

    Args:
        name: what its folder is, or will be, called.
        files: for each path, with slashes, the bytes and whether they are executable.
        manifest: the path of its `SKILL.md`, as it is spelled there.
        profile: `spec` or `claude-code`: which fields the front matter may have.
        trust: who the skill comes from, as the caller knows it.
        policy: verdict table; the default one when None.
        rules: rule set; the shipped one when None.
        known: results of single files by name and SHA-256, under this policy, trust and rule set; read and filled.

    Raises:
        InkgateError: no such trust, or rules that cannot be used.
    """
    from pathlib import Path

    from inkgate.lint.files import scan_reader

    judged = (policy or DEFAULT).for_trust(trust)
    every = rules or load_rules()
    checks = FolderChecks(every, judged, profile)
    listing = Listing(Path(name), tuple(_entry(path, *files[path]) for path in sorted(files)))

    def read(path: str) -> str:
        return Decoder().feed(files[path][0][:_READ], final=True)

    folder = checks.examine(listing, name, manifest, read)
    findings: list[Finding] = []
    unread: list[Unread] = []
    for path in sorted(files):
        data = files[path][0]
        key = f"{name}/{path}", hashlib.sha256(data).hexdigest()
        result = None if known is None else known.get(key)
        if result is None:
            result = scan_reader(io.BytesIO(data), key[0], target=Target.SKILL, policy=judged, rules=every)
            if known is not None:
                known[key] = result
        result = checks.add(folder, path, result)
        findings += result.findings
        unread += result.unread
    complete = not any(entry.fatal for entry in unread)
    return SkillCheck(
        judged.decide(findings, complete=complete), tuple(findings), tuple(unread), len(files), Trust(trust)
    )


def _entry(path: str, data: bytes, executable: bool) -> Entry:
    return Entry(path, stat.S_IFREG | (0o700 if executable else 0o600), len(data), data[:HEAD])
