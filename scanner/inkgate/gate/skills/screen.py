"""What a folder of a skill may hold: every file is scanned as it will stand, and the folder as a whole."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

from inkgate.code.front import FrontError
from inkgate.code.front import read as read_front
from inkgate.lint.skills.check import SkillCheck
from inkgate.lint.skills.fields import check_fields
from inkgate.lint.skills.held import check_held
from inkgate.model import Category, Finding, ScanResult, Target, Verdict
from inkgate.policy import DEFAULT, Policy, Trust
from inkgate.scan import scan_text
from inkgate.store.edit import digest
from inkgate.store.errors import RefusalError, StoreError
from inkgate.store.skills import Tree
from inkgate.store.skills.tree import manifest_path

from ..scanner import policy_digest
from ..screened import Screening
from .seams import seam_findings

__all__ = ["FolderScreener", "check_manifest", "is_secret", "with_secrets_blocked"]

FolderScan = Callable[[str, Tree], SkillCheck]


def check_manifest(text: str, name: str, profile: str) -> None:
    """Whether hosts can read the front matter of a `SKILL.md`: name, description and their forms.

    Raises:
        RefusalError: `front-matter`; the message names the field, and never holds its value.
    """
    try:
        front = read_front(text)
    except FrontError as error:
        raise _front(str(error)) from None
    if front is None:
        raise _front("There is no front matter, so hosts know neither name nor description")
    wrong = next((item for item in check_fields(text, name, profile) if item.severity is None), None)
    if wrong is not None:
        raise _front(wrong.message)


def _front(what: str) -> RefusalError:
    return RefusalError(
        "front-matter",
        f"{what.rstrip('.')}. Nothing was changed.",
        hint="SKILL.md begins with a line of `---`, `name: …`, `description: …` and another line of `---`.",
    )


@dataclass(frozen=True, slots=True)
class FolderScreener:
    """Scans folders for one gate.

    Attributes:
        policy: the operator's verdict table.
        trust: whose skills these are.
        profile: which fields the front matter may have.
        accepts: whether a person has accepted the text of a file under a rule set.
        scan: scans a folder; the built-in scanner when None.
    """

    policy: Policy
    trust: Trust
    profile: str
    accepts: Callable[[str, str], bool]
    scan: FolderScan | None = None

    def check(self, name: str, tree: Tree) -> SkillCheck:
        """Everything that is found in a folder.

        Raises:
            StoreError: the scanner broke. That is never a clean folder.
        """
        try:
            if self.scan is not None:
                return self.scan(name, tree)
            held = {path: (file.data, file.executable) for path, file in tree.items()}
            manifest, known = manifest_path(tree), _known(self.policy, self.trust)
            result = check_held(
                name, held, manifest=manifest, known=known, profile=self.profile, trust=self.trust, policy=self.policy
            )
            seams = seam_findings(name, tree, manifest, partial(_scan, known, self.policy.for_trust(self.trust)))
            return replace(result, findings=(*result.findings, *seams))
        except Exception as problem:
            message = f"The skill could not be scanned ({type(problem).__name__}), so nothing was saved."
            raise StoreError(message, hint=getattr(problem, "hint", "")) from problem

    def folder(self, name: str, old: Tree, new: Tree) -> Screening:
        """Scan a folder as it will stand.

        What stood there just so before the write is left to its owner, except for a secret: as long as one is in any
        file, nothing is written but its removal, and no policy, trust or person lets it through.

        Raises:
            StoreError: the scanner broke.
        """
        result = self.check(name, new)
        unread = {item.source for item in result.unread if item.fatal}
        standing: Counter[tuple[str, ...]] = Counter()
        if (result.findings or unread) and old:
            before = self.check(name, old)
            standing.update(_identity(finding) for finding in before.findings)
            unread -= {item.source for item in before.unread if item.fatal and _same(name, item.source, old, new)}
        kept: list[Finding] = []
        for finding in result.findings:
            if is_secret(finding, self.policy):
                kept.append(replace(finding, verdict=Verdict.BLOCK))
            elif standing[_identity(finding)]:
                standing[_identity(finding)] -= 1
            else:
                kept.append(finding)
        kept = self._without_accepted(name, new, kept)
        verdict = max((finding.verdict for finding in kept), key=lambda item: item.rank, default=Verdict.ALLOW)
        if unread:
            verdict = Verdict.BLOCK
        return Screening(verdict, tuple(kept), _ruleset(), not unread)

    def _without_accepted(self, name: str, new: Tree, findings: list[Finding]) -> list[Finding]:
        """The findings that no person has accepted; a secret is accepted by nobody."""
        accepted = {}
        for source in {finding.source for finding in findings if finding.verdict is not Verdict.ALLOW}:
            file = new.get(source.removeprefix(f"{name}/"))
            if file is not None:
                text = file.data.decode("utf-8", "replace").strip()
                accepted[source] = self.accepts(text, _ruleset())
        return [item for item in findings if is_secret(item, self.policy) or not accepted.get(item.source)]


def is_secret(finding: Finding, policy: Policy) -> bool:
    """Whether a finding in a skill is a credential: by the shipped policy or by the operator's, whoever it is from."""
    return finding.category is Category.SECRET and any(
        replace(table, skill=DEFAULT.skill).verdict(finding, Target.SKILL) is not Verdict.ALLOW
        for table in (DEFAULT, policy)
    )


def with_secrets_blocked(screening: Screening, policy: Policy) -> Screening:
    """The screening of a text of a skill, where every credential blocks."""
    findings = tuple(
        replace(item, verdict=Verdict.BLOCK) if is_secret(item, policy) else item for item in screening.findings
    )
    secret = any(is_secret(item, policy) for item in screening.findings)
    return replace(screening, findings=findings, verdict=Verdict.BLOCK) if secret else screening


_MOST = 1_000  # results of single files that are kept
_RESULTS: dict[str, dict[tuple[str, str], ScanResult]] = {}


def _known(policy: Policy, trust: Trust) -> dict[tuple[str, str], ScanResult]:
    """What is known of single files under these rules: most files of a skill are as they were at its last write."""
    known = _RESULTS.setdefault(f"{_ruleset()} {policy_digest(policy)} {policy.trust[trust]!r}", {})
    if len(known) > _MOST:
        known.clear()
    return known


def _scan(known: dict[tuple[str, str], ScanResult], policy: Policy, text: str) -> ScanResult:
    """Scan a text that is no file, once."""
    key = "", digest(text.encode("utf-8", "surrogatepass"))
    if key not in known:
        known[key] = scan_text(text, target=Target.SKILL, policy=policy)
    return known[key]


def _identity(finding: Finding) -> tuple[str, ...]:
    return finding.source, finding.rule, finding.view, finding.fingerprint, finding.verdict


def _same(name: str, source: str, old: Tree, new: Tree) -> bool:
    """Whether the file that could not be read is the one that stood there."""
    path = source.removeprefix(f"{name}/").partition("!")[0]
    return path in old and old.get(path) == new.get(path)


def _ruleset() -> str:
    from inkgate.match.rules import load_rules

    return load_rules().digest
