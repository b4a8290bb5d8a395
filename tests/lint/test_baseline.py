"""The baseline: what it recognises, what it forgets, and how it fails."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from inkgate.lint.baseline import Baseline, BaselineError, load, save
from inkgate.lint.output import replace_file
from inkgate.model import Category, Confidence, Finding, Severity, Verdict

TODAY = "2026-06-01"


def finding(path: str = "a.md", line: int = 1, rule: str = "rule-a", fingerprint: str = "f1") -> Finding:
    """A finding at a place."""
    return Finding(
        rule,
        Category.INJECTION,
        Severity.HIGH,
        Confidence.HIGH,
        "m",
        line,
        line + 1,
        line,
        1,
        "folded",
        "e",
        fingerprint,
        source=path,
        verdict=Verdict.BLOCK,
    )


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with one note; the path of its baseline."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.md").write_text("note", encoding="utf-8")
    return tmp_path / "baseline.json"


def accepted(path: Path, *findings: Finding) -> Baseline:
    """A baseline, written and read again, that accepts these findings."""
    save(Baseline(path, {}).updated(findings, {item.source for item in findings}), "0.1.0", "r")
    return load(path)


def test_known_findings_do_not_count(place: Path) -> None:
    """What was accepted is suppressed, what is new stands."""
    compared = accepted(place, finding()).compare([finding(), finding(fingerprint="f2")], {"a.md"}, TODAY)

    assert [item.fingerprint for item in compared.findings] == ["f2"]
    assert [(item.finding.fingerprint, item.kind) for item in compared.suppressed] == [("f1", "baseline")]


def test_moving_lines_changes_nothing(place: Path) -> None:
    """A finding whose line has moved is still known."""
    assert accepted(place, finding(line=3)).compare([finding(line=300)], {"a.md"}, TODAY).findings == ()


def test_a_second_equal_finding_is_new(place: Path) -> None:
    """Copying an accepted finding does not make the copy accepted."""
    compared = accepted(place, finding()).compare([finding(line=1), finding(line=9)], {"a.md"}, TODAY)

    assert [item.line for item in compared.findings] == [9]


@pytest.mark.parametrize("other", [{"path": "b.md"}, {"rule": "rule-b"}, {"fingerprint": "f2"}])
def test_another_file_rule_or_content_is_new(other: dict[str, str], place: Path) -> None:
    """Every part of the key counts."""
    changed = finding(**other)  # type: ignore[arg-type]

    assert accepted(place, finding()).compare([changed], {changed.source}, TODAY).findings == (changed,)


def test_an_entry_whose_finding_is_gone_is_stale(place: Path) -> None:
    """It is told, if its file was scanned."""
    compared = accepted(place, finding()).compare([], {"a.md"}, TODAY)

    assert [entry.key.path for entry in compared.stale] == ["a.md"]


def test_an_entry_of_a_file_that_was_not_scanned_is_kept(place: Path) -> None:
    """A hook sees only the changed files; the others are neither stale nor forgotten."""
    baseline = accepted(place, finding())

    assert baseline.compare([], set(), TODAY).stale == ()
    assert baseline.updated([], set()).entries == baseline.entries


def test_an_entry_of_a_deleted_file_is_stale(place: Path) -> None:
    """Even if nothing was scanned."""
    baseline = accepted(place, finding())
    Path("a.md").unlink()

    assert len(baseline.compare([], set(), TODAY).stale) == 1
    assert baseline.updated([], set()).entries == {}


def test_an_entry_of_an_archive_member_goes_with_its_archive(place: Path) -> None:
    """It is stale when the archive was scanned without it, and kept when the archive was not scanned."""
    Path("x.zip").write_bytes(b"PK")
    baseline = accepted(place, finding("x.zip!a.md"))

    assert baseline.compare([], set(), TODAY).stale == ()
    assert len(baseline.compare([], {"x.zip"}, TODAY).stale) == 1


@pytest.mark.parametrize(("expires", "known"), [("", 1), ("2026-06-01", 1), ("2026-05-31", 0)])
def test_an_entry_counts_to_the_end_of_its_last_day(expires: str, known: int, place: Path) -> None:
    """After that its finding stands again, and the entry is told as expired."""
    baseline = accepted(place, finding())
    entries = {
        key: replace(entry, expires=expires, reason="until the course ends") for key, entry in baseline.entries.items()
    }
    compared = Baseline(place, entries).compare([finding()], {"a.md"}, TODAY)

    assert len(compared.suppressed) == known
    assert len(compared.expired) == 1 - known


def test_an_update_keeps_what_people_wrote(place: Path) -> None:
    """Reason and date survive, the line hint is brought up to date."""
    baseline = accepted(place, finding())
    entries = {k: replace(e, reason="why", expires="2030-01-01") for k, e in baseline.entries.items()}

    (entry,) = Baseline(place, entries).updated([finding(line=7)], {"a.md"}).entries.values()

    assert (entry.reason, entry.expires, entry.line) == ("why", "2030-01-01", 7)


def test_omitted_findings_are_never_accepted(place: Path) -> None:
    """The finding that stands for those that are only counted cannot be put into a baseline, not even by hand."""
    many = finding(rule="findings-omitted")
    assert accepted(place, many).entries == {}
    accepted(place, finding())
    place.write_text(place.read_text(encoding="utf-8").replace("rule-a", "findings-omitted"), encoding="utf-8")

    assert load(place).compare([many], {"a.md"}, TODAY).findings == (many,)


def test_the_file_is_the_same_every_time(place: Path) -> None:
    """Sorted, with LF, without a time; nothing is written when nothing changed."""
    findings = [finding("b.md"), finding("a.md", 9), finding("a.md", 2, fingerprint="f0")]
    baseline = Baseline(place, {}).updated(findings, set())

    assert save(baseline, "0.1.0", "r")
    first = place.read_bytes()
    assert not save(baseline, "0.1.0", "r")
    assert save(Baseline(place, {}).updated(findings[::-1], set()), "0.1.0", "r") is False
    assert place.read_bytes() == first
    rows = [(row["path"], row["fingerprint"]) for row in json.loads(first)["findings"]]
    assert rows == [("a.md", "f0"), ("a.md", "f1"), ("b.md", "f1")]


def test_paths_are_relative_to_the_baseline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same finding is known from whatever folder the command runs, and by whatever spelling of its path."""
    (tmp_path / "notes").mkdir()
    monkeypatch.chdir(tmp_path)
    baseline = accepted(tmp_path / "baseline.json", finding("notes/a.md"))
    assert baseline.compare([finding("./notes/../notes/a.md")], set(), TODAY).findings == ()
    monkeypatch.chdir(tmp_path / "notes")

    assert baseline.compare([finding("a.md")], set(), TODAY).findings == ()
    assert baseline.compare([finding(str(tmp_path / "notes" / "a.md"))], set(), TODAY).findings == ()


GOOD = {"rule": "r", "path": "p", "fingerprint": "f", "ordinal": 1}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("[]", "not a baseline of version 1"),
        ('{"version": 2, "findings": []}', "its version is 2"),
        ('{"version": 1}', "findings: must be a list"),
        ('{"version": 1, "findings": [3]}', "finding 1: must be an object"),
        (json.dumps({"version": 1, "findings": [{**GOOD, "extra": 1}]}), "finding 1: extra: unknown field"),
        (json.dumps({"version": 1, "findings": [{**GOOD, "ordinal": "1"}]}), "finding 1: ordinal: must be a number"),
        (json.dumps({"version": 1, "findings": [{**GOOD, "ordinal": True}]}), "finding 1: ordinal: must be a number"),
        (json.dumps({"version": 1, "findings": [{"rule": "r"}]}), "finding 1: path: is missing"),
        (json.dumps({"version": 1, "findings": [GOOD, GOOD]}), "finding 2: is there twice"),
        (json.dumps({"version": 1, "findings": [{**GOOD, "expires": "soon"}]}), "'soon' is not a date"),
    ],
)
def test_a_damaged_baseline_is_an_error(text: str, says: str, place: Path) -> None:
    """File, entry and field are named; a damaged baseline is never an empty one."""
    place.write_text(text, encoding="utf-8")

    with pytest.raises(BaselineError, match=says) as caught:
        load(place)
    assert str(place) in str(caught.value)


def test_a_missing_baseline_is_an_error(place: Path) -> None:
    """A misspelt name does not mean that nothing is accepted."""
    with pytest.raises(BaselineError, match="no such baseline"):
        load(place)


def test_a_file_is_replaced_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the disk fails in the middle, the old file stays and nothing is left lying about."""
    path = tmp_path / "out.txt"
    replace_file(path, "old\n")

    def fail(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="No space"):
        replace_file(path, "new\n")

    assert path.read_text(encoding="utf-8") == "old\n"
    assert [item.name for item in tmp_path.iterdir()] == ["out.txt"]


def test_permissions_and_links_survive(tmp_path: Path) -> None:
    """A link stays a link, and its target keeps its permissions."""
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old", encoding="utf-8")
    target.chmod(0o640)
    link.symlink_to(target)

    replace_file(link, "new")

    assert link.is_symlink()
    assert (target.read_text(encoding="utf-8"), target.stat().st_mode & 0o777) == ("new", 0o640)
