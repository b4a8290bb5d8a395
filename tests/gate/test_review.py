"""Staged writes and earlier versions, in the hands of a person."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from inkgate.gate import Gate, Outcome, Request, Reviewer, Settings, review
from inkgate.gate.arguments import from_arguments
from inkgate.gate.gate import Question
from inkgate.gate.pending import PendingError
from inkgate.model import InkgateError, ScanResult, Target
from inkgate.store import Action, Operation, Origin
from inkgate.store.provenance import history

MEMORY, ANN = Target.MEMORY, Reviewer("ann", "terminal")
ASKING = Settings.from_mapping({"memory": {"approval": True}, "pending": {"days": 1}})


def req(action: str, content: str = "", old: str = "", **more: object) -> Request:
    """A request of one step."""
    return Request(MEMORY, (Operation(Action(action), content, old),), **more)


def entries(gate: Gate) -> tuple[str, ...]:
    """What stands."""
    return gate.store.read(MEMORY).entries


def test_a_staged_write_is_applied_as_it_was_shown(make_gate: Callable[..., Gate]) -> None:
    """Approval writes it, records who approved, and drops the record."""
    gate = make_gate(settings=ASKING)
    staged = gate.submit(req("add", "fact", origin=Origin("model", "chat")))
    assert staged.outcome is Outcome.STAGED
    assert entries(gate) == ()
    assert review.approve(gate, staged.pending_id, ANN).saved
    assert entries(gate) == ("fact",)
    change = next(record for record in gate.store.ledger.records() if record.event == "change")
    assert change.origin.author == "model"
    assert change.facts["approved_by"] == "ann"
    assert gate.pending.writes("memory") == []


@pytest.mark.parametrize("decision", ["approve", "reject"])
def test_a_record_that_is_put_back_is_decided_already(
    decision: str, make_gate: Callable[..., Gate], tmp_path: Path
) -> None:
    """Whoever kept a copy of a sealed record cannot have it decided again; another write of the same id can be."""
    gate = make_gate(settings=ASKING)
    staged = gate.submit(req("add", "fact"))
    path = tmp_path / "pending" / "memory" / f"{staged.pending_id}.json"
    kept = path.read_bytes()
    if decision == "approve":
        assert review.approve(gate, staged.pending_id, ANN).saved
        assert gate.replay(req("remove", old="fact"), ANN).saved
    else:
        review.reject(gate, staged.pending_id, ANN)
    path.write_bytes(kept)
    with pytest.raises(PendingError, match=f"decided before .*{decision}"):
        review.approve(gate, staged.pending_id, ANN)
    assert entries(gate) == ()
    review.reject(gate, staged.pending_id, ANN)
    with gate.store.ledger.path.open("ab") as torn:
        torn.write(b'{"at":"9","event":"approve","facts":{"pending":"' + staged.pending_id.encode())
    again = gate.submit(req("add", "another fact"))
    same = replace(gate.pending.get("memory", again.pending_id), id=staged.pending_id)
    gate.pending._save(path, same)
    assert review.approve(gate, staged.pending_id, ANN).saved


def test_poison_is_not_staged(make_gate: Callable[..., Gate]) -> None:
    """What the rules block never reaches the pending folder."""
    gate = make_gate(settings=ASKING)
    assert gate.submit(req("add", "POISON!")).outcome is Outcome.BLOCKED
    assert gate.pending.writes("memory") == []


def test_todays_rules_hold_at_approval(make_gate: Callable[..., Gate], scan: Callable[..., ScanResult]) -> None:
    """A write that was clean when it was staged, and is not any more, is refused and stays staged."""
    staged = make_gate(settings=ASKING).submit(req("add", "a PENDING word"))
    stricter = make_gate(settings=ASKING, scan=lambda text, target: scan(text.replace("PENDING", "POISON!"), target))
    assert review.approve(stricter, staged.pending_id, ANN).outcome is Outcome.BLOCKED
    assert len(stricter.pending.writes("memory")) == 1


def test_the_entry_must_be_as_it_was_shown(make_gate: Callable[..., Gate]) -> None:
    """A removal of an entry that was changed meanwhile is refused."""
    gate = make_gate()
    gate.submit(req("add", "rule one"))
    asking = make_gate(settings=ASKING)
    staged = asking.submit(req("remove", old="rule"))
    gate.submit(req("replace", "rule one, and more", "rule"))
    decision = review.approve(asking, staged.pending_id, ANN)
    assert (decision.outcome, decision.code) == (Outcome.REFUSED, "changed")
    assert entries(gate) == ("rule one, and more",)


@pytest.mark.parametrize("edit", ["payload", "origin", "id", "seal", "created_at"])
def test_an_edited_record_is_refused(make_gate: Callable[..., Gate], tmp_path: Path, edit: str) -> None:
    """Whatever is changed in the file after staging, it is not applied; it can be rejected."""
    gate = make_gate(settings=ASKING)
    pending_id = gate.submit(req("add", "fact")).pending_id
    path = tmp_path / "pending" / "memory" / f"{pending_id}.json"
    record = json.loads(path.read_text())
    edits = {"payload": {**record["payload"], "content": "other"}, "origin": {"author": "x"}, "id": "00000000"}
    record[edit] = edits.get(edit, record["created_at"] + 5 if edit == "created_at" else "0" * 64)
    path.write_text(json.dumps(record))
    with pytest.raises(PendingError, match="changed"):
        review.approve(gate, pending_id, ANN)
    assert path.name in gate.pending.damaged("memory")
    review.reject(gate, pending_id, ANN)
    assert not path.exists()


def test_records_are_owner_only_folded_and_expire(make_gate: Callable[..., Gate], tmp_path: Path) -> None:
    """The same write twice is one record that counts; after its time it cannot be applied, and is swept."""
    gate = make_gate(settings=ASKING)
    first = gate.submit(req("add", "fact"))
    assert gate.submit(req("add", "fact")).pending_id == first.pending_id
    write = gate.pending.get("memory", first.pending_id)
    assert write.count == 2
    path = tmp_path / "pending" / "memory" / f"{first.pending_id}.json"
    assert path.stat().st_mode & 0o777 == 0o600
    gate.pending._save(path, replace(write, created_at=time.time() - 2 * 86_400))
    with pytest.raises(PendingError, match="expired"):
        review.approve(gate, first.pending_id, ANN)
    assert gate.pending.expire("memory") == [first.pending_id]
    assert not path.exists()


def test_a_failure_to_stage_is_said(make_gate: Callable[..., Gate], tmp_path: Path) -> None:
    """When the record cannot be written the answer is a failure, not a promise."""
    gate = make_gate(settings=ASKING)
    (tmp_path / "pending").write_text("in the way")
    decision = gate.submit(req("add", "fact"))
    assert decision.outcome is Outcome.FAILED
    assert decision.pending_id == ""


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("once", Outcome.SAVED),
        ("session", Outcome.SAVED),
        ("deny", Outcome.DENIED),
        ("", Outcome.STAGED),
        (None, Outcome.STAGED),
    ],
)
def test_a_person_who_is_there_is_asked(make_gate: Callable[..., Gate], answer: str | None, outcome: Outcome) -> None:
    """Once and session save, deny denies, anything else stages; session is not asked twice."""
    asked: list[Question] = []

    def approver(question: Question) -> str:
        asked.append(question)
        return answer  # type: ignore[return-value]

    gate = make_gate(settings=ASKING, approver=approver)
    assert gate.submit(req("add", "one")).outcome is outcome
    assert asked[0].after == ("one",)
    gate.submit(req("add", "two"))
    assert len(asked) == (1 if answer == "session" else 2)
    before = len(asked)
    background = req("add", "three", origin=Origin(background=True))
    assert gate.submit(background).outcome is Outcome.STAGED
    assert len(asked) == before


def test_the_diff_shows_everything_but_secrets(make_gate: Callable[..., Gate]) -> None:
    """The whole old and new text, with secret values masked."""
    gate = make_gate()
    gate.submit(req("add", "line one\nline two"))
    asking = make_gate(settings=ASKING)
    secret = "key." + "12345678"
    staged = asking.submit(req("replace", f"line one\nline three {secret}", "line one"))
    text = review.diff(asking, asking.pending.get("memory", staged.pending_id))
    assert "-line two" in text
    assert "+line three [secret: maybe-key]" in text
    assert secret not in text + asking.pending.get("memory", staged.pending_id).summary


def test_the_diff_says_what_stands_no_more(make_gate: Callable[..., Gate]) -> None:
    """An entry that was edited after the write was staged is not shown as it stands; one that a step brings is."""
    make_gate().submit(req("add", "first"))
    asking = make_gate(settings=ASKING)
    steps = [{"action": "replace", "old_text": "first", "content": "second"}]
    steps.append({"action": "replace", "old_text": "second", "content": "third"})
    staged = asking.submit(from_arguments({"target": "memory", "operations": steps}, Origin()))
    write = asking.pending.get("memory", staged.pending_id)
    assert review.diff(asking, write).count("(as it stands)") == 2
    asking.store.path(MEMORY).write_text("first, edited")
    assert "replace memory 1 (as it was staged; it stands no more)" in review.diff(asking, write)
    assert "replace memory 2 (as it stands)" in review.diff(asking, write)


class _Changing:
    """A scanner whose rules are replaced while the process runs; under the new ones, blue is poison."""

    def __init__(self, scan: Callable[[str, Target], ScanResult], tells: bool) -> None:
        self.scan = scan
        self.rules = "old"
        self.asked: list[str] = []
        if tells:
            type(self).ruleset = property(lambda self: self.rules)  # type: ignore[attr-defined]

    def __call__(self, text: str, target: Target) -> ScanResult:
        self.asked.append(text)
        poison = text.replace("blue", "POISON!") if self.rules == "new" and len(text) < 12 else text
        return replace(self.scan(poison, target), ruleset=self.rules)


@pytest.mark.parametrize("tells", [False, True])
def test_a_staged_write_is_read_by_the_rules_of_the_day(
    make_gate: Callable[..., Gate], scan: Callable[[str, Target], ScanResult], tells: bool
) -> None:
    """What a running gate remembers of its last scans ends with the rules that it was read by."""
    scanner = type("Changing", (_Changing,), {})(scan, tells)
    gate = make_gate(settings=ASKING, scan=scanner)
    staged = gate.submit(req("add", "likes blue"))
    assert staged.outcome is Outcome.STAGED
    before = len(scanner.asked)
    gate.screener.text("likes blue", MEMORY)
    assert (len(scanner.asked) == before) is tells
    scanner.rules = "new"
    assert review.approve(gate, staged.pending_id, ANN).outcome is Outcome.BLOCKED
    assert entries(gate) == ()


def test_rules_that_change_during_a_write_are_asked_again(
    make_gate: Callable[..., Gate], scan: Callable[[str, Target], ScanResult]
) -> None:
    """A text that was let through by the old rules while the lock was awaited is read by the new ones too."""
    scanner = _Changing(scan, False)
    gate = make_gate(scan=scanner)
    assert gate.submit(req("add", "a first fact")).saved
    begin = gate.store.begin

    def changed(target: Target) -> Any:
        scanner.rules = "new"
        return begin(target)

    gate.store.begin = changed  # type: ignore[method-assign]
    assert gate.submit(req("add", "likes blue")).outcome is Outcome.BLOCKED
    assert entries(gate) == ("a first fact",)


def test_an_accepted_text_is_not_refused_twice(gate: Gate, make_gate: Callable[..., Gate]) -> None:
    """A person's yes holds for exactly this text, target and rule set, and not for a text that contains it."""
    text = "we say POISON! here"
    assert gate.submit(req("add", text)).outcome is Outcome.BLOCKED
    review.accept(gate, MEMORY, text, ANN)
    assert gate.submit(req("add", text)).outcome is Outcome.SAVED
    assert "POISON!" in gate.snapshot(MEMORY).text
    assert gate.submit(req("add", text + " too")).outcome is Outcome.BLOCKED
    assert gate.submit(replace(req("add", text), target=Target.USER)).outcome is Outcome.BLOCKED
    newer = make_gate(scan=lambda t, target: replace(gate.screener.scan(t, target), ruleset="fake-2"))
    newer.submit(req("remove", old=text))
    assert newer.submit(req("add", text)).outcome is Outcome.BLOCKED
    with pytest.raises(InkgateError, match="No rule refuses"):
        review.accept(gate, MEMORY, "harmless", ANN)


def test_an_earlier_version_comes_back(gate: Gate) -> None:
    """Restoring puts the old text in the place of its successor; a removed one comes back as an entry."""
    for request in (req("add", "v1"), req("add", "x"), req("replace", "v2", "v1"), req("replace", "v3", "v2")):
        gate.submit(request)
    gate.submit(req("remove", old="x"))
    ids = {version.text: version.id for version in history(gate.store.ledger.records(), MEMORY)}
    assert review.restore(gate, MEMORY, ids["v1"], ANN).saved
    assert entries(gate) == ("v1",)
    assert review.restore(gate, MEMORY, ids["x"], ANN).saved
    assert entries(gate) == ("v1", "x")
    with pytest.raises(InkgateError, match="stands already"):
        review.restore(gate, MEMORY, ids["v1"], ANN)
    with pytest.raises(InkgateError, match="no version"):
        review.restore(gate, MEMORY, "99.1", ANN)


def test_a_purged_text_is_gone_from_everywhere_but_its_owner(gate: Gate, tmp_path: Path) -> None:
    """Ledger, copies and staged writes lose it; the memory file that still holds it is named; the chain holds."""
    gate.submit(req("add", "pass hunter2-leaked"))
    gate.store.set_aside(MEMORY, b"copy of hunter2-leaked")
    done = review.purge(gate, "hunter2-leaked", ANN, "leaked")
    assert done["records"] == ["1"]
    assert len(done["copies"]) == 1
    assert done["still_in"] == ["MEMORY.md"]
    gate.submit(req("remove", old="hunter2"))
    assert review.purge(gate, "hunter2-leaked", ANN, "leaked")["still_in"] == []
    held = [path for path in tmp_path.rglob("*") if path.is_file() and b"hunter2" in path.read_bytes()]
    assert held == []
    assert gate.store.ledger.verify().intact
    assert gate.submit(req("add", "next")).saved


def test_a_purge_reaches_what_killed_writers_and_odd_files_hold(make_gate: Callable[..., Gate], tmp_path: Path) -> None:
    """Temporary files of memory and of staged writes, and a copy beside the replaced files; a pipe does not stop it."""
    gate = make_gate(settings=ASKING)
    gate.submit(req("add", "something else"))
    kept = tmp_path / "inkgate" / "replaced"
    kept.mkdir(parents=True)
    (tmp_path / "memories").mkdir(exist_ok=True)
    left = [
        tmp_path / "memories" / ".MEMORY.md.inkgate.tmp",
        tmp_path / "pending" / "memory" / ".0123abcd.json.inkgate.tmp",
        kept / "MEMORY.md.bak.stray.1",
    ]
    for path in left:
        path.write_text("pass hunter2-leaked \u20ac")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "user.md").write_text("fact")
    gate.store.path(Target.USER).symlink_to(elsewhere / "user.md")
    left.append(elsewhere / "USER.md.bak.stray.2")
    left[-1].write_text("hunter2-leaked \u20ac")
    os.mkfifo(tmp_path / "memories" / "MEMORY.md.bak.pipe")
    done = review.purge(gate, "hunter2-leaked \u20ac", ANN, "leaked")
    assert done["copies"] == ["MEMORY.md.bak.stray.1", "USER.md.bak.stray.2"]
    assert not any(path.exists() for path in left)
    assert len(gate.pending.writes("memory")) == 1


def test_what_a_killed_writer_left_of_a_staged_write_goes_with_the_next_open(
    make_gate: Callable[..., Gate], tmp_path: Path
) -> None:
    """Not while a writer is at work, whose temporary file it may be."""
    from inkgate.store import files

    make_gate(settings=ASKING).submit(req("add", "a fact"))
    folder = tmp_path / "pending" / "memory"
    left = folder / ".0123abcd.json.inkgate.tmp"
    left.write_text("half a record")
    with files.lock(folder / ".lock"):
        make_gate().snapshot(MEMORY)
        assert left.exists()
    make_gate().snapshot(MEMORY)
    assert not left.exists()
    assert len(make_gate().pending.writes("memory")) == 1


def test_a_staged_rest_that_cannot_be_removed_hides_no_memory_and_stops_a_purge(
    make_gate: Callable[..., Gate], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder may be closed to writes; what a person asks to erase must not be left in silence."""
    gate = make_gate(settings=ASKING)
    gate.submit(req("add", "a fact"))
    left = tmp_path / "pending" / "memory" / ".0123abcd.json.inkgate.tmp"
    left.write_text("hunter2-leaked")
    unlink = Path.unlink

    def closed(path: Path, *, missing_ok: bool = False) -> None:
        if path == left:
            raise PermissionError(13, "Permission denied", str(path))
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", closed)
    assert gate.snapshot(MEMORY) is not None
    with pytest.raises(PermissionError):
        review.purge(gate, "hunter2-leaked", ANN, "leaked")


def test_a_purge_reaches_damaged_records_and_recall_and_names_what_was_set_aside(
    make_gate: Callable[..., Gate], tmp_path: Path
) -> None:
    """Nothing but what is named holds the text afterwards, in whatever form it stood there."""
    from inkgate.store.recall import Message, RecallStore

    leaked = 'the "wörd" of the day'
    gate = make_gate(settings=ASKING)
    ids = [gate.submit(req("add", f"{leaked} {number}")).pending_id for number in range(4)]
    folder = tmp_path / "pending" / "memory"
    for name, change in ((ids[0], ("add", "ADD")), (ids[1], ("{", "[")), (ids[2], ("created_at", "made"))):
        path = folder / f"{name}.json"
        path.write_text(path.read_text().replace(*change))
    (folder / "not an id.json").write_text(leaked)
    (folder / "other.json").write_text("{}")
    aside = [tmp_path / "inkgate" / "ledger.jsonl.broken.1", tmp_path / "inkgate" / "recall.db.damaged.1"]
    for path in aside:
        path.write_text(f"... {leaked} ...")
    with RecallStore(tmp_path / "inkgate" / "recall.db") as recall:
        recall.add([Message("s", "user", f"He said {leaked}, twice {leaked}.", title=f"on {leaked}")])
        recall.add([Message("s", "user", "Another message.")])
    done = review.purge(gate, leaked, ANN, "test")
    assert sorted(done["pending"]) == sorted(
        [ids[3], "memory/not an id.json", *(f"memory/{name}.json" for name in ids[:3])]
    )
    assert done["still_in"] == [path.name for path in aside]
    assert done["copies"] == ["recall.db: 1 messages"]
    assert [path.name for path in folder.glob("*.json")] == ["other.json"]
    quoted = json.dumps(leaked)[1:-1].encode()
    held = [path for path in tmp_path.rglob("*") if path.is_file() and path not in aside]
    assert not [path for path in held if leaked.encode() in path.read_bytes() or quoted in path.read_bytes()]
    with RecallStore(tmp_path / "inkgate" / "recall.db") as recall:
        assert recall.messages("s")[0].text == "He said [purged], twice [purged]."
        assert recall.session("s").title == "on [purged]"
        assert recall.search("another").hits
        assert not recall.search("wörd").hits
        assert recall.verify().problems == ()


@pytest.mark.parametrize("damage", ["fifo", "folder", "nested", "infinite", "link to nothing"])
def test_one_damaged_record_is_named_and_stops_nobody(
    make_gate: Callable[..., Gate], tmp_path: Path, damage: str
) -> None:
    """Whatever lies among the staged writes, the others can be listed, staged and approved."""
    gate = make_gate(settings=ASKING)
    first = gate.submit(req("add", "one")).pending_id
    odd = tmp_path / "pending" / "memory" / "deadbeef.json"
    if damage == "fifo":
        os.mkfifo(odd)
    elif damage == "folder":
        odd.mkdir()
    elif damage == "link to nothing":
        odd.symlink_to(tmp_path / "nothing")
    else:
        odd.write_text("[" * 100_000 if damage == "nested" else '{"seal": "x", "count": 1e999}')
    second = gate.submit(req("add", "two")).pending_id
    assert {write.id for write in gate.pending.writes("memory")} == {first, second}
    assert list(gate.pending.damaged("memory")) == ["deadbeef.json"]
    with pytest.raises(PendingError):
        review.approve(gate, "deadbeef", ANN)
    assert review.approve(gate, first, ANN).saved
    if damage == "folder":
        with pytest.raises(PendingError, match="cannot be dropped"):
            review.reject(gate, "deadbeef", ANN)
    else:
        review.reject(gate, "deadbeef", ANN)
        assert gate.pending.damaged("memory") == {}


FEW = Settings.from_mapping({"memory": {"approval": True}, "pending": {"most": 2}})


def test_a_flood_of_staged_writes_ends_in_an_error_and_drops_none(make_gate: Callable[..., Gate]) -> None:
    """As many wait as may; the same write again is no further one, and a decision makes room."""
    gate = make_gate(settings=FEW)
    first = gate.submit(req("add", "one"))
    gate.submit(req("add", "two"))
    refused = gate.submit(req("add", "three"))

    assert (refused.outcome, refused.code, refused.pending_id) == (Outcome.FAILED, "pending-full", "")
    assert "2 writes of this tier (memory)" in refused.message
    assert [write.payload["content"] for write in gate.pending.writes("memory")] == ["one", "two"]
    assert gate.submit(req("add", "two")).outcome is Outcome.STAGED
    review.reject(gate, first.pending_id, ANN)
    assert gate.submit(req("add", "three")).outcome is Outcome.STAGED


def test_expired_writes_take_no_room_and_damaged_ones_do(make_gate: Callable[..., Gate], tmp_path: Path) -> None:
    """An expired record is left for `expire` to drop."""
    gate = make_gate(settings=FEW)
    old = gate.pending.get("memory", gate.submit(req("add", "one")).pending_id)
    path = tmp_path / "pending" / "memory" / f"{old.id}.json"
    gate.pending._save(path, replace(old, created_at=1.0))
    gate.submit(req("add", "two"))
    assert gate.submit(req("add", "three")).outcome is Outcome.STAGED
    (path.parent / "00000000.json").write_text("{}")
    review.reject(gate, gate.pending.writes("memory")[0].id, ANN)
    assert gate.submit(req("add", "four")).code == "pending-full"
    assert path.exists()


def test_two_writers_share_the_room(make_gate: Callable[..., Gate]) -> None:
    """The count is taken under the lock of the folder."""
    from concurrent.futures import ThreadPoolExecutor

    gate = make_gate(settings=Settings.from_mapping({"memory": {"approval": True}, "pending": {"most": 5}}))
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(lambda number: gate.submit(req("add", f"fact {number}")).code, range(12)))
    assert sorted(answers) == ["approval"] * 5 + ["pending-full"] * 7
    assert len(gate.pending.writes("memory")) == 5


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (os.mkfifo, "a pipe"),
        (lambda path: path.mkdir(), "a folder"),
        (lambda path: path.symlink_to("nowhere"), "a link to nothing"),
    ],
    ids=["pipe", "folder", "link"],
)
def test_what_is_no_record_is_named(gate: Gate, tmp_path: Path, make: Callable[[Path], object], what: str) -> None:
    """It is there, and cannot be applied."""
    from inkgate.gate.registry import find

    path = tmp_path / "pending" / "memory" / "00000001.json"
    path.parent.mkdir(parents=True)
    make(path)

    assert find(gate.pending, "00000001") == "memory"
    with pytest.raises(PendingError, match=f"in its place is {what}"):
        gate.pending.get("memory", "00000001")
    assert gate.pending.damaged("memory") == {"00000001.json": f"in its place is {what}"}
