"""The secrets packs on labelled samples and on ordinary notes: neither recall nor quiet may get worse."""

from __future__ import annotations

import base64
import json
from collections import Counter
from pathlib import Path

import pytest

from inkgate.match.rules import RuleSet, load_rules
from inkgate.model import Category, Verdict
from inkgate.scan import scan_text

# Percent: at least so many secrets caught, at most so many clean samples flagged.
FLOORS = {
    "gitleaks_literal": (97.0, 5.0),
    "kingfisher_examples": (80.0, 5.0),
    "detect_secrets_tests": (85.0, 5.0),
    "credsweeper_lines": (88.0, 7.5),
    "creddata_docs": (88.0, 1.0),
    "md_shapes": (99.0, 0.0),
}
ORDINARY = (
    "vault_obsidian_en",
    "vault_obsidian_i18n",
    "vault_til_jbranchaud",
    "rules_cursor",
    "rules_copilot",
    "skills_official",
    "skills_copilot",
    "hermes_docs",
)


@pytest.fixture(scope="module")
def secrets_only() -> RuleSet:
    """The rules of secrets alone, so that nothing else helps or harms."""
    rules = load_rules()
    return RuleSet(tuple(rule for rule in rules.rules if rule.category is Category.SECRET), rules.by_id, rules.digest)


@pytest.mark.parametrize("name", FLOORS)
def test_labelled_samples(name: str, shared: Path, secrets_only: RuleSet) -> None:
    """A secret counts as caught when the text is blocked or staged, and so does a false alarm."""
    seen: Counter[str] = Counter()
    caught: Counter[str] = Counter()
    with (shared / "data" / "secrets" / f"{name}.jsonl").open(encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            text = base64.b64decode(row["b64"]).decode("utf-8", "surrogateescape")
            seen[row["label"]] += 1
            caught[row["label"]] += scan_text(text, rules=secrets_only).verdict is not Verdict.ALLOW
    recall, alarms = FLOORS[name]
    assert 100 * caught["secret"] / seen["secret"] >= recall
    assert 100 * caught["clean"] / seen["clean"] <= alarms


def test_ordinary_notes_are_quiet(shared: Path, secrets_only: RuleSet) -> None:
    """At most one finding in two megabytes of Markdown."""
    size = found = 0
    for name in ORDINARY:
        with (shared / "data" / "threats" / f"{name}.jsonl").open(encoding="utf-8") as file:
            for line in file:
                text = json.loads(line)["text"]
                size += len(text.encode())
                findings = scan_text(text, target="vault", rules=secrets_only).findings
                found += sum(item.verdict is not Verdict.ALLOW for item in findings)
    assert found <= size / 2e6
