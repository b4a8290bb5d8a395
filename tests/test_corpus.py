"""The labelled samples are well formed, wide enough, and judged no worse than before."""

from __future__ import annotations

import importlib.util
import json
import re
import sys
import unicodedata
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from inkgate import scan_path
from inkgate.model import Target, Verdict

LANGUAGES = {"es", "fr", "de", "pt", "it", "ru", "zh", "ja", "ko", "ar", "hi", "tr", "pl", "nl", "vi", "id"}
FAMILIES = {
    *("injection", "hijack", "deception", "exfiltration", "credential-access", "persistence", "configuration"),
    *("promptware", "anti-forensics", "hidden", "destructive", "privilege", "obfuscation", "supply-chain"),
    *("memory-poison", "tool-abuse", "skill", "imitation", "buried"),
}
TOKEN = re.compile(
    r"(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|sk[-_](?:live_|test_|ant-|proj-)?|rk_live_|npm_|pypi-|hf_|dop_v1_|SG\.)"
    r"[A-Za-z0-9_-]{16,}"
    r"|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bAIza[A-Za-z0-9_-]{30,}|\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\."
    r"|-----BEGIN [A-Z ]*PRIVATE KEY-----|\b\d{8,10}:AA[A-Za-z0-9_-]{30,}"
)
Rows = list[tuple[Path, dict[str, Any]]]


@pytest.fixture(scope="module")
def tool(root: Path) -> ModuleType:
    """The measuring tool, loaded as a module."""
    spec = importlib.util.spec_from_file_location("measure_corpus", root / "tools" / "measure_corpus.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def samples(tool: ModuleType) -> Rows:
    """Every sample with its file."""
    return [(path, row) for path in tool.files() for row in tool.rows(path)]


def test_every_row_has_the_format(samples: Rows, tool: ModuleType) -> None:
    """A row has the fields of corpus/README.md, the label of its folder, and a text that isn't blank."""
    for path, row in samples:
        ident = row["id"]
        body = {"text", "parts", "gen"} & set(row)
        assert set(row) - {"note"} - body == {"id", "label", "kind", "target", "lang"}, ident
        assert len(body) == 1, ident
        assert row["label"] == {"malicious": "malicious", "ordinary": "benign"}[tool.group_of(path).split("/")[0]], (
            ident
        )
        assert row["target"] in set(Target), ident
        assert tool.text_of(row).strip(), ident
        assert re.fullmatch(rf"{'mal' if row['label'] == 'malicious' else 'ord'}-{path.stem}-\d{{3,}}", ident), ident


def test_kinds_and_languages_are_those_of_the_files(samples: Rows) -> None:
    """An English file holds the kind of its name; a file of another language holds that language."""
    for path, row in samples:
        if path.parent.name == "multilingual":
            assert row["lang"] == path.stem or path.stem == "more", row["id"]
        else:
            assert (row["kind"], row["lang"]) == (path.stem, "en"), row["id"]
        if row["label"] == "malicious":
            assert row["kind"] in FAMILIES, row["id"]


def test_ids_and_texts_are_unique(samples: Rows, tool: ModuleType) -> None:
    """No identifier and no text stands twice in the corpus."""
    ids = Counter(row["id"] for _, row in samples)
    texts = Counter(tool.text_of(row) for _, row in samples)
    assert [ident for ident, count in ids.items() if count > 1] == []
    assert [text[:60] for text, count in texts.items() if count > 1] == []


def test_there_are_enough_samples_of_each_sort(samples: Rows) -> None:
    """At least 600 attacks, 600 ordinary texts and among them 250 memory entries; every family and target is there."""
    labels = Counter(row["label"] for _, row in samples)
    entries = sum(row["label"] == "benign" and row["kind"] in {"memory", "user"} for _, row in samples)
    families = Counter(row["kind"] for _, row in samples if row["label"] == "malicious")
    targets = Counter((row["label"], row["target"]) for _, row in samples)

    assert labels["malicious"] >= 600
    assert labels["benign"] >= 600
    assert entries >= 250
    assert set(families) == FAMILIES
    assert min(families.values()) >= 12
    assert {target for _, target in targets} == set(Target)
    assert min(targets.values()) >= 10


def test_every_language_has_both_sides(samples: Rows) -> None:
    """Each of the sixteen languages has at least ten attacks, of five families, and ten ordinary texts."""
    for language in LANGUAGES:
        rows = [row for _, row in samples if row["lang"] == language]
        attacks = [row["kind"] for row in rows if row["label"] == "malicious"]
        assert len(attacks) >= 10, language
        assert len(set(attacks)) >= 5, language
        assert len(rows) - len(attacks) >= 10, language


def test_no_file_holds_a_token(root: Path) -> None:
    """No line of any file in the corpus has the shape of a well-known token."""
    for path in (root / "corpus").rglob("*"):
        if path.is_file():
            assert TOKEN.search(path.read_text(encoding="utf-8")) is None, path.name


def test_the_token_shapes_are_seen() -> None:
    """The shapes that the corpus is checked for are found when they are there."""
    tail = "Zx9AbCdEfGhIjKlMnOpQ" * 2
    for head in ("ghp_", "glpat-", "xoxb-", "sk-", "sk_live_", "-----BEGIN RSA ", "123456789:AA", "hf_"):
        assert TOKEN.search("PRIVATE KEY-----".join([head, ""]) if head.startswith("-----") else head + tail), head


def test_sample_files_show_what_they_hold(tool: ModuleType) -> None:
    """Characters that can't be seen are written as escapes, so that a reviewer sees them."""
    for path in tool.files():
        text = path.read_text(encoding="utf-8")
        unseen = {c for c in text if unicodedata.category(c) in {"Cf", "Cc", "Zl", "Zp"} and c != "\n"}
        assert unseen == set(), path.name


def test_nothing_is_judged_worse_than_before(tool: ModuleType) -> None:
    """On every file of samples, and in total, the scanner reaches its floors."""
    assert tool.fallen(tool.read_floors(), tool.measure()) == []


def test_floors_only_rise(tool: ModuleType) -> None:
    """Lifting the floors takes what is better and leaves what is worse; a figure below its floor is named."""
    better, worse = tool.Group(Counter(block=90, allow=10)), tool.Group(Counter(block=50, allow=50))
    floors = tool.raised({}, {"malicious/x": better})

    assert floors == {"malicious/x": {"caught": 88.0}}
    assert tool.raised(floors, {"malicious/x": worse}) == floors
    assert tool.fallen(floors, {"malicious/x": better}) == []
    assert tool.fallen(floors, {"malicious/x": worse}) == ["malicious/x: caught 50.0 %, the floor is 88.0 %"]
    assert tool.fallen(floors, {}) == ["malicious/x has a floor and no samples"]
    assert tool.fallen({}, {"malicious/x": better}) == ["malicious/x has no floor"]


def test_ordinary_text_has_two_floors(tool: ModuleType) -> None:
    """A blocked ordinary sample counts against both of its figures, a staged one against one."""
    group = tool.Group(Counter(block=1, stage=3, allow=196))
    assert tool.figures("ordinary/x", group) == {"not_blocked": 99.5, "passed": 98.0}
    assert tool.slack("ordinary", group) == 1.0
    assert tool.slack("ordinary/x", tool.Group(Counter(allow=20))) == 5.0


POISONED = {
    "MEMORY.md",
    "Inbox/Clipped page.md",
    "Inbox/Encoded.md",
    "Inbox/Meeting.md",
    "Recipes/Lentil soup.md",
    "skills/coin-tracker/SKILL.md",
    "skills/coin-tracker/scripts/setup.sh",
}


def test_the_example_vault_shows_its_planted_attacks(root: Path) -> None:
    """In the example vault the poisoned files are blocked, the clean ones and the quoted attack are not."""
    vault = root / "corpus" / "vault-example"
    names = [path.relative_to(vault).as_posix() for path in vault.rglob("*") if path.is_file()]
    blocked = {name for name in names if scan_path(vault / name).verdict is Verdict.BLOCK}

    assert blocked == POISONED
    assert len(names) > 2 * len(POISONED)


def test_the_readme_names_every_kind(root: Path, samples: Rows) -> None:
    """corpus/README.md names every kind of sample; the floors stand in order of name."""
    text = (root / "corpus" / "README.md").read_text(encoding="utf-8")
    assert {row["kind"] for _, row in samples if f"`{row['kind']}`" not in text} == set()
    floors = json.loads((root / "corpus" / "floors.json").read_text(encoding="utf-8"))
    assert list(floors) == sorted(floors)
