"""The order of decisions: toggles, shape, scan, policy, store, person, commit."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from inkgate.gate import Gate, MemorySession, Outcome, Request, Settings
from inkgate.gate.settings import SettingsError
from inkgate.model import ScanResult, Target, Unread, Verdict
from inkgate.store import Action, Operation, Origin

MEMORY = Target.MEMORY
SECRET = "KEY-" + "4711" * 2


def req(action: str, content: str = "", old: str = "", **more: object) -> Request:
    """A request of one step."""
    return Request(MEMORY, (Operation(Action(action), content, old),), **more)


def test_a_clean_write_is_saved_and_recorded(gate: Gate) -> None:
    """The text is in the file, and the ledger says who brought it under which rules."""
    decision = gate.submit(req("add", "a fact", origin=Origin("ann", "chat")))
    assert (decision.outcome, decision.verdict) == (Outcome.SAVED, Verdict.ALLOW)
    record = next(gate.store.ledger.records())
    assert (record.event, record.origin.author, record.ruleset) == ("change", "ann", "fake-1")


def test_a_blocked_text_is_nowhere(gate: Gate, tmp_path: Path) -> None:
    """Neither the files, nor the ledger, nor the pending folder, nor the answer hold a refused secret."""
    for request in (req("add", f"token {SECRET}"), req("add", f"POISON! {SECRET}")):
        decision = gate.submit(request)
        assert (decision.outcome, decision.verdict) == (Outcome.BLOCKED, Verdict.BLOCK)
        assert "rule '" in decision.message
        assert "line 1, column" in decision.message
        assert SECRET not in decision.message + decision.hint
    for path in tmp_path.rglob("*"):
        if path.is_file():
            assert SECRET.encode() not in path.read_bytes(), path
    assert [record.event for record in gate.store.ledger.records()] == ["block", "block"]


def test_every_name_of_the_new_text_is_scanned(gate: Gate) -> None:
    """Replace and each step of a batch are scanned like add, and a batch with one bad step changes nothing."""
    gate.submit(req("add", "one"))
    assert gate.submit(req("replace", "POISON!", "one")).outcome is Outcome.BLOCKED
    steps = (Operation(Action.ADD, "fine"), Operation(Action.REPLACE, "POISON!", "one"))
    decision = gate.submit(Request(MEMORY, steps, batch=True))
    assert (decision.outcome, decision.operation) == (Outcome.BLOCKED, 2)
    assert gate.store.read(MEMORY).entries == ("one",)


def test_a_scan_that_breaks_or_stops_short_blocks(make_gate: Callable[..., Gate]) -> None:
    """An exception in the scanner, or a part that it could not read, is never a clean text."""

    def broken(text: str, target: Target) -> ScanResult:
        raise RuntimeError(text)

    decision = make_gate(scan=broken).submit(req("add", "fact"))
    assert decision.outcome is Outcome.FAILED
    assert "could not be scanned (RuntimeError)" in decision.message

    def short(text: str, target: Target) -> ScanResult:
        return ScanResult(Verdict.ALLOW, unread=(Unread("", "too deep"),))

    decision = make_gate(scan=short).submit(req("add", "fact"))
    assert (decision.outcome, decision.code) == (Outcome.BLOCKED, "unread")


def test_a_broken_scanner_shows_nothing_to_a_model(gate: Gate, make_gate: Callable[..., Gate]) -> None:
    """What cannot be scanned is masked in the snapshot and in every reply, and no call raises."""
    gate.submit(req("add", "one"))
    gate.submit(req("add", "two"))

    def broken(text: str, target: Target) -> ScanResult:
        raise RuntimeError(text)

    blind = make_gate(scan=broken)
    assert "one" not in blind.snapshot(MEMORY).text
    session = MemorySession(blind)
    session.refresh()
    for arguments in (
        {"action": "remove", "old_text": "zzz"},
        {"action": "remove", "old_text": "one"},
        {"action": "remove"},
    ):
        reply = json.dumps(session.call(arguments))
        assert '"success": false' in reply
        assert '"two"' not in reply


def test_a_doubtful_text_waits_for_a_person(gate: Gate) -> None:
    """What the policy stages is kept aside and not in the memory."""
    decision = gate.submit(req("add", "a DOUBTFUL fact"))
    assert (decision.outcome, decision.verdict) == (Outcome.STAGED, Verdict.STAGE)
    assert gate.pending.get("memory", decision.pending_id).rules == ("doubtful-word",)
    assert gate.store.read(MEMORY).entries == ()


def test_a_target_that_is_off_takes_nothing(make_gate: Callable[..., Gate]) -> None:
    """The toggle is asked first."""
    gate = make_gate(settings=Settings.from_mapping({"memory": {"enabled": False}}))
    decision = gate.submit(req("add", "fact"))
    assert (decision.outcome, decision.code) == (Outcome.REFUSED, "disabled")
    assert "disabled in memory config" in decision.message
    assert gate.submit(replace(req("add", "fact"), target=Target.USER)).saved
    assert gate.submit(replace(req("add", "fact"), target=Target.SKILL)).code == "disabled"


def test_what_stands_already_is_no_change(gate: Gate) -> None:
    """Adding an entry again leaves the file and its history alone."""
    gate.submit(req("add", "fact"))
    before = gate.store.path(MEMORY).stat()
    assert gate.submit(req("add", " fact ")).outcome is Outcome.UNCHANGED
    assert gate.store.path(MEMORY).stat().st_mtime_ns == before.st_mtime_ns


def test_over_the_cap_the_answer_has_figures(make_gate: Callable[..., Gate]) -> None:
    """How much is too much, what there is, and the one call to make next."""
    gate = make_gate(settings=Settings.from_mapping({"memory": {"cap": 50}}))
    gate.submit(req("add", "x" * 40))
    decision = gate.submit(req("add", "y" * 40))
    assert decision.code == "over-cap"
    assert decision.details["overflow"] == 33
    assert "33 characters too many" in decision.message
    assert "operations" in decision.hint
    assert decision.entries == ("x" * 40,)


def test_settings_are_read_from_the_file_that_is_named(tmp_path: Path) -> None:
    """Caps, switches, approval, unattended writers and the policy come from one TOML file."""
    path = tmp_path / "gate.toml"
    path.write_text(
        '[memory]\ncap = 100\napproval = true\n[user]\nenabled = false\n[unattended]\npreserve = true\n'
        '[pending]\ndays = 2\n[policy.memory.block]\ncritical = "low"\n',
        encoding="utf-8",
    )  # fmt: skip
    settings = Settings.read(path)
    assert settings.of(MEMORY).cap == 100
    assert settings.of(MEMORY).approval
    assert not settings.of(Target.USER).enabled
    assert settings.of(Target.USER).cap == 1375
    assert settings.preserve
    assert settings.pending_days == 2


@pytest.mark.parametrize(
    "data",
    [
        {"memroy": {}},
        {"memory": {"aproval": True}},
        {"memory": {"approval": "on"}},
        {"memory": {"cap": 0}},
        {"memory": {"cap": True}},
        {"memory": 3},
        {"pending": {"days": -1}},
        {"pending": {"days": float("nan")}},
        {"unattended": {"preserve": 1}},
    ],
)
def test_a_mistyped_setting_is_an_error(data: dict[str, object]) -> None:
    """A word that is not understood never means a default."""
    with pytest.raises(SettingsError):
        Settings.from_mapping(data)


def test_a_missing_or_broken_settings_file_is_an_error(tmp_path: Path) -> None:
    """No settings are better than wrong ones."""
    with pytest.raises(SettingsError, match="could not be read"):
        Settings.read(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("= =")
    with pytest.raises(SettingsError, match="not TOML"):
        Settings.read(tmp_path / "bad.toml")


def test_a_poisoned_file_is_masked_for_the_prompt_only(gate: Gate) -> None:
    """An entry, or two that make an order together, stay in the file and are left out of the prompt; a forged mark is
    text like any other.
    """
    gate.store.folder.mkdir(parents=True)
    text = "fine\n§\n[BLOCKED: x] POISON!\n§\nend with POISON\n§\nORDER begins\n§\n[BLOCKED: forged]"
    gate.store.path(MEMORY).write_text(text, encoding="utf-8")
    snapshot = gate.snapshot(MEMORY)
    assert "POISON" not in snapshot.text
    assert "ORDER" not in snapshot.text
    assert "fine" in snapshot.text
    assert "[BLOCKED: forged]" in snapshot.text
    assert snapshot.text.count("poison-order") == 3
    assert gate.store.path(MEMORY).read_text(encoding="utf-8") == text
    assert "3 entries" in snapshot.warnings[0]


def test_a_file_over_its_cap_is_loaded_with_a_warning(make_gate: Callable[..., Gate]) -> None:
    """The owner's text stays in the prompt, and the excess is named."""
    gate = make_gate(settings=Settings.from_mapping({"memory": {"cap": 20}}))
    gate.store.folder.mkdir(parents=True)
    gate.store.path(MEMORY).write_text("x" * 30, encoding="utf-8")
    snapshot = gate.snapshot(MEMORY)
    assert "x" * 30 in snapshot.text
    assert "[100% — 30/20 chars]" in snapshot.text
    assert "10 more than its cap" in snapshot.warnings[0]


def test_decisions_are_recorded_without_texts(gate: Gate) -> None:
    """Facts that stay for ever hold ids, codes and numbers, not what was written."""
    gate.submit(req("add", "POISON! unique-payload"))
    gate.submit(req("replace", "other", "unique-missing"))
    gate.submit(req("add", "DOUBTFUL unique-staged"))
    lines = gate.store.ledger.path.read_text()
    assert "unique" not in lines
    assert [json.loads(line)["event"] for line in lines.splitlines()] == ["block", "refuse", "stage"]


def test_a_piece_of_text_with_a_secret_is_not_repeated(gate: Gate) -> None:
    """What the rules object to in `old_text` stands in no answer."""
    key = "KEY-" + "12345678"
    for batch in (False, True):
        for text in (f"use {key}", "POISON! now"):
            request = Request(Target.MEMORY, (Operation(Action.REMOVE, old_text=text),), batch=batch)
            decision = gate.submit(request)
            assert decision.code == "no-match"
            assert "(not repeated)" in decision.message
    assert "'plain words'" in gate.submit(req("remove", old="plain words")).message


@pytest.mark.parametrize("name", ["inkgate", "memories"])
def test_a_file_in_the_place_of_a_folder_fails_the_write(gate: Gate, tmp_path: Path, name: str) -> None:
    """The writer hears a reason, and nothing was changed."""
    (tmp_path / name).write_text("in the way")
    decision = gate.submit(req("add", "fact"))
    assert decision.outcome is Outcome.FAILED
    assert decision.message
    assert [path.name for path in tmp_path.rglob("*.md")] == []
