"""The memory store on a disk: drift, interrupted writes, provenance. Writes go through a gate, as they must."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from inkgate.gate import Gate, Outcome, Request
from inkgate.model import ScanResult, Target, Verdict
from inkgate.store import Action, Durability, Operation, Origin, StoreError
from inkgate.store.entries import join
from inkgate.store.provenance import current, history

MEMORY = Target.MEMORY


@pytest.fixture(name="gate")
def _gate(tmp_path: Path) -> Gate:
    return Gate(tmp_path, scan=lambda text, target: ScanResult(Verdict.ALLOW), durability=Durability.NONE)


def put(gate: Gate, text: str, author: str = "agent") -> Outcome:
    """Add one entry."""
    return gate.submit(Request(MEMORY, (Operation(Action.ADD, text),), origin=Origin(author, "chat", "s1"))).outcome


def swap(gate: Gate, old: str, new: str, **more: object) -> Outcome:
    """Replace one entry."""
    return gate.submit(Request(MEMORY, (Operation(Action.REPLACE, new, old),), **more)).outcome


def events(gate: Gate) -> list[str]:
    """What the ledger tells."""
    return [record.event for record in gate.store.ledger.records()]


def test_every_entry_has_author_date_and_source(gate: Gate) -> None:
    """Each entry that stands is told by the ledger, with who wrote it, when, and from what."""
    put(gate, "one", "ann")
    put(gate, "two", "bob")
    swap(gate, "one", "one, better", origin=Origin("cid", "review", "s2"))
    standing = current(gate.store.ledger.records(), MEMORY)
    assert set(standing) == {"one, better", "two"}
    assert standing["two"].origin == Origin("bob", "chat", "s1")
    assert standing["one, better"].origin.author == "cid"
    assert all(version.at and version.origin.source for version in standing.values())


def test_a_superseded_text_points_at_its_successor(gate: Gate) -> None:
    """What was replaced or removed stays in the history, in full, with what became of it."""
    put(gate, "one")
    swap(gate, "one", "two")
    gate.submit(Request(MEMORY, (Operation(Action.REMOVE, old_text="two"),)))
    versions = history(gate.store.ledger.records(), MEMORY)
    assert [(item.text, item.successor) for item in versions] == [("one", "two"), ("two", None)]
    assert [item.superseded_by for item in versions] == [2, 3]


def test_what_somebody_else_added_is_merged_and_told(gate: Gate) -> None:
    """An entry that appears in the file stays there, and the ledger says that it came from outside."""
    put(gate, "one")
    with gate.store.path(MEMORY).open("a", encoding="utf-8") as file:
        file.write("\n§\nby hand")
    put(gate, "two")
    assert gate.store.read(MEMORY).entries == ("one", "by hand", "two")
    assert events(gate) == ["change", "outside", "change"]
    assert current(gate.store.ledger.records(), MEMORY)["by hand"].origin.source == "outside"


def test_what_somebody_else_removed_stays_reachable(gate: Gate) -> None:
    """When the file is emptied or deleted without the gate, its texts are still in the history."""
    put(gate, "one")
    put(gate, "two")
    gate.store.path(MEMORY).unlink()
    put(gate, "three")
    assert gate.store.read(MEMORY).entries == ("three",)
    gone = [item for item in history(gate.store.ledger.records(), MEMORY) if item.superseded_by]
    assert [item.text for item in gone] == ["one", "two"]


def test_a_file_that_was_there_first_is_adopted(gate: Gate) -> None:
    """Entries from before the gate can be changed like any other, and are in the history from then on."""
    gate.store.folder.mkdir(parents=True)
    gate.store.path(MEMORY).write_text("old one\n§\nold two", encoding="utf-8")
    assert swap(gate, "old one", "new one") is Outcome.SAVED
    assert set(current(gate.store.ledger.records(), MEMORY)) == {"old two", "new one"}


def test_an_edit_under_the_writer_is_not_overwritten(gate: Gate) -> None:
    """Replacing an entry by a piece of it, after somebody added to it by hand, is refused; both sides are kept."""
    put(gate, "likes brevity")
    with gate.store.path(MEMORY).open("a", encoding="utf-8") as file:
        file.write("\nand a whole paragraph")
    raw = gate.store.path(MEMORY).read_bytes()
    assert swap(gate, "likes", "prefers short answers") is Outcome.REFUSED
    assert swap(gate, "likes", "prefers short answers") is Outcome.REFUSED
    assert gate.store.path(MEMORY).read_bytes() == raw
    copies = list(gate.store.folder.glob("MEMORY.md.bak.*"))
    assert [copy.read_bytes() for copy in copies] == [raw]
    assert copies[0].stat().st_mode & 0o777 == 0o600
    waiting = gate.pending.writes("memory")
    assert [(item.action, item.count) for item in waiting] == [("conflict", 2)]
    assert waiting[0].payload["matched_entry"] == "likes brevity\nand a whole paragraph"


def test_the_whole_entry_as_old_text_is_no_conflict(gate: Gate) -> None:
    """Who names the entry in full knows how it stands now."""
    put(gate, "likes brevity")
    gate.store.path(MEMORY).write_text("likes brevity\nand more", encoding="utf-8")
    assert swap(gate, "likes brevity\nand more", "all of it") is Outcome.SAVED


def test_a_stale_view_is_set_beside_the_newer_text(gate: Gate) -> None:
    """When another session replaced the entry first, the second change waits for a person beside the first."""
    put(gate, "v1 fact")
    swap(gate, "v1", "v2 fact", origin=Origin("bob"))
    late = Request(MEMORY, (Operation(Action.REPLACE, "v3 fact", "v1"),), seen=frozenset({"v1 fact"}))
    decision = gate.submit(late)
    assert (decision.outcome, decision.code) == (Outcome.REFUSED, "no-match")
    assert decision.details["overtaken_by"] == "bob"
    assert gate.pending.writes("memory")[0].payload["matched_entry"] == "v2 fact"
    assert gate.store.read(MEMORY).entries == ("v2 fact",)


def test_a_write_that_stopped_before_the_rename_is_told_as_such(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kill between ledger and rename leaves the old text; the next write says so, and history leaves it out."""
    put(gate, "one")
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            put(gate, "two")
    assert gate.store.read(MEMORY).entries == ("one",)
    assert list(gate.store.folder.glob(".*.tmp"))
    gate.store.sweep()
    assert not list(gate.store.folder.glob(".*.tmp"))
    put(gate, "three")
    assert events(gate) == ["change", "change", "aborted", "change"]
    assert list(current(gate.store.ledger.records(), MEMORY)) == ["one", "three"]


def test_a_rename_that_fails_is_taken_back(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """The writer hears of it, the old text stands, and the ledger does not claim the change."""
    put(gate, "one")

    def fail(*_: object) -> None:
        raise OSError(1, "Operation not permitted")

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", fail)
        assert put(gate, "two") is Outcome.FAILED
    assert events(gate) == ["change", "change", "aborted"]
    assert list(current(gate.store.ledger.records(), MEMORY)) == ["one"]
    assert put(gate, "two") is Outcome.SAVED


@pytest.mark.parametrize("raw", [b"\xff\xfe bad \x80", b"good\xc3"])
def test_bytes_that_are_no_text_are_not_touched(gate: Gate, raw: bytes) -> None:
    """Invalid UTF-8 refuses every write and is there afterwards as it was."""
    put(gate, "one")
    gate.store.path(MEMORY).write_bytes(raw)
    decision = gate.submit(Request(MEMORY, (Operation(Action.ADD, "two"),)))
    assert decision.outcome is Outcome.FAILED
    assert "could not be read" in decision.message
    assert gate.store.path(MEMORY).read_bytes() == raw
    assert "could not be read" in gate.snapshot(MEMORY).warnings[0]


def test_other_line_ends_and_marks_are_read_and_kept(gate: Gate) -> None:
    """A file from another system is understood; line ends inside an entry stay as they were."""
    gate.store.folder.mkdir(parents=True)
    gate.store.path(MEMORY).write_bytes("\ufeffone\r\nline\r\n§\r\ntwo".encode())
    put(gate, "three")
    assert gate.store.path(MEMORY).read_bytes() == join(["one\r\nline", "two", "three"]).encode()


def test_a_lock_that_is_a_link_fails_the_write(gate: Gate, tmp_path: Path) -> None:
    """A planted lock file is refused with a reason, and what it names is untouched."""
    gate.store.folder.mkdir(parents=True)
    outside = tmp_path / "outside"
    outside.write_text("mine")
    (gate.store.folder / "MEMORY.md.lock").symlink_to(outside)
    decision = gate.submit(Request(MEMORY, (Operation(Action.ADD, "one"),)))
    assert decision.outcome is Outcome.FAILED
    assert "symbolic link" in decision.message
    assert outside.read_text() == "mine"


def test_no_write_without_a_ledger(gate: Gate) -> None:
    """When the ledger was cut off, the store takes no change, and says what to do."""
    put(gate, "one")
    put(gate, "two")
    path = gate.store.ledger.path
    path.write_bytes(path.read_bytes()[:100])
    decision = gate.submit(Request(MEMORY, (Operation(Action.ADD, "three"),)))
    assert decision.outcome is Outcome.FAILED
    assert "ledger verify" in decision.hint
    with pytest.raises(StoreError):
        gate.store.ledger.append([])
    assert gate.store.read(MEMORY).entries == ("one", "two")
