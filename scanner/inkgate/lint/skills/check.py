"""One skill, whole: every file scanned, the folder examined, and what the trust in its source makes of it."""

from __future__ import annotations

import os
from dataclasses import dataclass

from inkgate.lint.skills.fields import PROFILES
from inkgate.lint.skills.folder import FolderChecks
from inkgate.match.rules import RuleSet, load_rules
from inkgate.model import Finding, InkgateError, Target, Unread, Verdict
from inkgate.policy import DEFAULT, Policy, Trust

__all__ = ["SkillCheck", "check_skill"]


@dataclass(frozen=True, slots=True)
class SkillCheck:
    """What a skill is, and what is to be done with it.

    Attributes:
        verdict: allow, stage (ask a person) or block, after the trust in the source.
        findings: of all files and of the folder, sorted by file and place; each with its own verdict.
        unread: what was not read.
        files: how many files were scanned.
        trust: the trust in its source.
    """

    verdict: Verdict
    findings: tuple[Finding, ...]
    unread: tuple[Unread, ...]
    files: int
    trust: Trust

    @property
    def complete(self) -> bool:
        """Whether everything could be read."""
        return not any(item.fatal for item in self.unread)


def check_skill(
    folder: str | os.PathLike[str],
    *,
    profile: str = "spec",
    trust: Trust | str = Trust.COMMUNITY,
    policy: Policy | None = None,
    rules: RuleSet | None = None,
) -> SkillCheck:
    """Scan a skill's folder and judge it as a whole. Nothing inside the folder changes how it is judged.

    Args:
        folder: holds `SKILL.md`.
        profile: `spec` or `claude-code`: which fields the front matter may have.
        trust: who the skill comes from, as the caller knows it.
        policy: verdict table; the default one when None.
        rules: rule set; the shipped one when None.

    Raises:
        InkgateError: no such profile or trust, the folder holds no `SKILL.md`, or rules that cannot be used.
    """
    from inkgate.lint.files import scan_item
    from inkgate.lint.targets import has_skill_file
    from inkgate.lint.walk import walk

    if profile not in PROFILES:
        raise InkgateError(f"unknown profile {profile!r}", hint=f"profiles are {', '.join(PROFILES)}")
    judged = (policy or DEFAULT).for_trust(trust)
    every = rules or load_rules()
    from pathlib import Path

    if not has_skill_file(Path(folder)):
        raise InkgateError(f"{os.fspath(folder)}: holds no SKILL.md", hint="name the folder of one skill")
    checks = FolderChecks(every, judged, profile)
    findings: list[Finding] = []
    unread: list[Unread] = []
    files = 0
    for item in walk([folder], gitignore=False):
        result = scan_item(
            item, target=None if item.target is not Target.SKILL else Target.SKILL, policy=judged, rules=every
        )
        result = checks.extend(result, item.path)
        findings += result.findings
        unread += result.unread
        files += item.problem is None
    complete = not any(entry.fatal for entry in unread)
    return SkillCheck(judged.decide(findings, complete=complete), tuple(findings), tuple(unread), files, Trust(trust))
