"""The ledger: every edit, deletion and reordering is found; a kill at any byte is not taken for one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkgate.match.samples import render
from inkgate.store import Durability, Ledger, LedgerError, Origin, StoreError
from inkgate.store.chain import Draft

WHO = Origin("ann", "chat", "s1")


def _ledger(tmp_path: Path) -> Ledger:
    return Ledger(tmp_path / "inkgate" / "ledger.jsonl", durability=Durability.NONE)


def _filled(tmp_path: Path, count: int = 5) -> Ledger:
    ledger = _ledger(tmp_path)
    for number in range(count):
        body = {"after": f"digest {number}", "changes": [{"before": None, "after": f"text {number}"}]}
        ledger.append([Draft("change", "memory", WHO, body=body)], digests={"memory": f"digest {number}"})
    return ledger


def test_records_come_back(tmp_path: Path) -> None:
    """What was appended is read back in order, by another object too, with who, when and what."""
    _filled(tmp_path)
    records = list(_ledger(tmp_path).records())
    assert [record.seq for record in records] == [1, 2, 3, 4, 5]
    assert {record.origin for record in records} == {WHO}
    assert records[2].body is not None
    assert records[2].body["changes"][0]["after"] == "text 2"
    assert records[0].at <= records[4].at
    assert _ledger(tmp_path).digest_of("memory") == "digest 4"
    assert _ledger(tmp_path).digest_of("user") is None


def test_texts_that_look_like_a_record_are_only_texts(tmp_path: Path) -> None:
    """Whatever stands in the fields, the line is what a reader proves it to be."""
    odd = ',"key":"x","event":' + "\u2028\x00\\"
    facts = {"a": 1, "key": odd, "event": [odd], odd: {"key": odd}}
    who = Origin(odd, odd, odd, background=True, attended=True)
    ledger = _ledger(tmp_path)
    ledger.append([Draft(odd, odd, who, rules=(odd,), ruleset=odd, facts=facts, body={odd: odd, "key": odd})] * 2)
    first, second = ledger.records()
    assert (first.event, first.key, first.origin, first.rules, first.facts) == (odd, odd, who, (odd,), facts)
    assert second.body is not None
    assert second.body["key"] == odd
    assert ledger.verify().intact


def test_an_untouched_ledger_is_intact(tmp_path: Path) -> None:
    """Verifying finds nothing wrong, and an earlier head is found in the longer chain."""
    ledger = _filled(tmp_path, 2)
    head = ledger.verify().head
    ledger.append([Draft("block", "memory", WHO)])
    assert ledger.verify(expect=head).intact
    assert ledger.verify(expect=head).records == 3
    assert not ledger.verify(expect="f" * 64).intact


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_every_changed_byte_is_found(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    """Whatever byte of the file is changed, verifying says so."""
    ledger = _filled(tmp_path_factory.mktemp("ledger"), 3)
    raw = bytearray(ledger.path.read_bytes())
    place = data.draw(st.integers(0, len(raw) - 1))
    raw[place] = data.draw(st.integers(0, 255).filter(lambda value: value != raw[place]))
    ledger.path.write_bytes(raw)
    assert not ledger.verify().intact


@pytest.mark.parametrize("keep", [[1, 2, 3, 4], [0, 1, 3, 4], [0, 1, 2, 3], [0, 2, 1, 3, 4], [0, 0, 1, 2, 3, 4], []])
def test_deleted_moved_and_repeated_records_are_found(tmp_path: Path, keep: list[int]) -> None:
    """Taking a record from the start, the middle or the end, moving or repeating one is found."""
    ledger = _filled(tmp_path)
    lines = ledger.path.read_bytes().splitlines(keepends=True)
    ledger.path.write_bytes(b"".join(lines[index] for index in keep))
    assert not ledger.verify().intact


def test_a_record_put_in_with_its_own_hash_is_found(tmp_path: Path) -> None:
    """A record that another chain would accept does not fit into this one."""
    ledger = _filled(tmp_path)
    other = _filled(tmp_path / "other")
    lines = ledger.path.read_bytes().splitlines(keepends=True)
    lines[2] = other.path.read_bytes().splitlines(keepends=True)[2]
    ledger.path.write_bytes(b"".join(lines))
    assert "Record 3" in ledger.verify().problem


def test_a_shortened_ledger_takes_no_more_records(tmp_path: Path) -> None:
    """When its end is gone nothing is appended, until a person begins a new one that points at the old."""
    ledger = _filled(tmp_path)
    raw = ledger.path.read_bytes()
    ledger.path.write_bytes(raw[: raw.rindex(b"\n", 0, -1) + 1])
    with pytest.raises(LedgerError, match="shorter"):
        ledger.append([Draft("block", "memory", WHO)])
    aside = ledger.restart(Origin("ann", "terminal"), "cut off")
    assert aside.read_bytes() == raw[: raw.rindex(b"\n", 0, -1) + 1]
    assert ledger.verify().intact
    first = next(ledger.records())
    assert first.event == "restart"
    assert first.facts["aside"] == aside.name


def test_a_kill_at_any_byte_of_an_append_is_survived(tmp_path: Path) -> None:
    """For every length of an unfinished last line, the next append explains it and the chain holds."""
    template = _filled(tmp_path / "template", 2)
    raw, head = template.path.read_bytes(), template.path.with_name("ledger.jsonl.head").read_bytes()
    first = raw.index(b"\n") + 1
    one = _filled(tmp_path / "one", 1)  # only to have a head file that knows one record
    state = json.loads(head)
    state |= {"seq": 1, "size": first, "hash": json.loads(raw[:first])["hash"]}
    for cut in range(first, len(raw), 7):
        one.path.write_bytes(raw[:cut])
        one.path.with_name("ledger.jsonl.head").write_text(json.dumps(state))
        report = one.verify()
        assert report.intact, (cut, report)
        assert report.torn == cut - first
        one.append([Draft("block", "memory", WHO)])
        assert one.verify().intact, cut
        assert [record.event for record in one.records()][1:] == (["torn"] if cut > first else []) + ["block"]


def test_a_kill_during_the_repair_of_a_kill_is_survived(tmp_path: Path) -> None:
    """Torn lines may follow each other; once a record explains them the chain holds."""
    ledger = _filled(tmp_path, 2)
    for torn in (b"{half", b"~\n{hal", b"~\n", b"~\n{"):
        with ledger.path.open("ab") as file:
            file.write(torn)
        assert ledger.verify().intact
    ledger.append([Draft("block", "memory", WHO)])
    report = ledger.verify()
    assert report.intact
    assert report.torn == 0
    assert [record.event for record in ledger.records()] == ["change", "change", "torn", "block"]


def test_a_stale_or_missing_head_is_read_on(tmp_path: Path) -> None:
    """A kill between record and head costs nothing; a missing head is named, and made anew by the next append."""
    ledger = _filled(tmp_path, 1)
    head = ledger.path.with_name("ledger.jsonl.head")
    stale = head.read_bytes()
    _filled(tmp_path, 1)
    head.write_bytes(stale)
    ledger.append([Draft("block", "memory", WHO)])
    assert ledger.verify().intact
    assert ledger.verify().records == 3
    head.unlink()
    assert "head file" in ledger.verify().problem
    ledger.append([Draft("block", "memory", WHO)])
    assert ledger.verify().intact
    assert ledger.digest_of("memory") == "digest 0"


def test_a_purge_leaves_a_tombstone_and_a_whole_chain(tmp_path: Path) -> None:
    """The text is nowhere in the file, the tombstone names the record, and all else still verifies."""
    ledger = _filled(tmp_path)
    assert ledger.purge("text 2", Origin("ann", "terminal"), "leaked key") == [3]
    assert b"text 2" not in ledger.path.read_bytes()
    assert ledger.verify().intact
    assert ledger.verify().purged == 1
    records = list(ledger.records())
    assert records[2].body is None
    assert records[-1].event == "purge"
    assert records[-1].facts == {"records": [3], "reason": "leaked key"}
    ledger.append([Draft("block", "memory", WHO)])
    assert ledger.verify().intact
    assert ledger.purge("text 2", WHO, "again") == []


def test_a_purge_takes_no_salt_for_a_text(tmp_path: Path) -> None:
    """A short text may stand in the random digits that bind a record, which says nothing of what the record holds."""
    ledger = _filled(tmp_path)
    record = next(record for record in ledger.records() if record.body)
    assert ledger.purge((record.body or {})["salt"][:4], WHO, "by chance") == []
    assert ledger.verify().purged == 0


def test_a_line_that_is_nested_without_end_is_found(tmp_path: Path) -> None:
    """What cannot be read as JSON for its depth is a broken record like any other."""
    ledger = _filled(tmp_path, 2)
    ledger.path.write_bytes(b"[" * 200_000 + b"\n" + ledger.path.read_bytes())
    assert ledger.verify().problem == "Record 1 is not readable."


def test_a_ledger_without_a_lock_is_proved(tmp_path: Path) -> None:
    """On a disk that is read-only, such as a copy that is kept as evidence, no lock can be made, and none is needed."""
    ledger = _filled(tmp_path)
    lock = tmp_path / "inkgate" / "ledger.jsonl.lock"
    lock.unlink()
    lock.mkdir()
    assert ledger.verify().records == 5
    assert ledger.verify().intact
    ledger.path.write_bytes(ledger.path.read_bytes().replace(b"text 2", b"text 3"))
    assert not ledger.verify().intact


def test_a_body_that_vanished_without_a_tombstone_is_found(tmp_path: Path) -> None:
    """Emptying a record by hand is not a purge."""
    ledger = _filled(tmp_path)
    lines = ledger.path.read_bytes().splitlines()
    values = json.loads(lines[1])
    values["body"] = None
    lines[1] = json.dumps(values, sort_keys=True, separators=(",", ":")).encode()
    ledger.path.write_bytes(b"\n".join(lines) + b"\n")
    assert "Record 2" in ledger.verify().problem or "record 2" in ledger.verify().problem


def test_a_full_disk_leaves_the_ledger_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A record that could only be written in part is taken back."""
    ledger = _filled(tmp_path, 2)
    before = ledger.path.read_bytes()
    import inkgate.store.files as module

    real = module.write_all

    def half(descriptor: int, data: bytes) -> None:
        real(descriptor, data[:40])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(module, "write_all", half)
    with pytest.raises(StoreError, match="No space left"):
        ledger.append([Draft("block", "memory", WHO)])
    assert ledger.path.read_bytes() == before
    monkeypatch.undo()
    ledger.append([Draft("block", "memory", WHO)])
    assert ledger.verify().intact


def test_the_files_are_owner_only(tmp_path: Path) -> None:
    """Ledger, head and lock are readable by their owner alone."""
    ledger = _filled(tmp_path)
    assert {path.stat().st_mode & 0o777 for path in ledger.path.parent.iterdir()} == {0o600}


def test_what_is_remembered_gives_way_to_what_stands(tmp_path: Path) -> None:
    """An open ledger sees what another object appends, purges, cuts off or begins anew."""
    mine, other = _filled(tmp_path, 2), _ledger(tmp_path)
    assert mine.digest_of("memory") == "digest 1"
    other.append([Draft("change", "memory", WHO, body={"after": "digest x"})], digests={"memory": "digest x"})
    assert mine.digest_of("memory") == "digest x"
    assert mine.append([Draft("block", "memory", WHO)])[0].seq == 4
    assert other.purge("text 0", WHO, "leaked") == [1]
    assert mine.append([Draft("block", "memory", WHO)])[0].seq == 6
    assert mine.verify().intact
    whole = mine.path.read_bytes()
    mine.path.write_bytes(whole[: whole.rindex(b"\n", 0, -1) + 1])
    with pytest.raises(LedgerError, match="shorter"):
        mine.append([Draft("block", "memory", WHO)])
    other.restart(WHO, "cut off")
    assert mine.append([Draft("block", "memory", WHO)])[0].seq == 2
    assert mine.digest_of("memory") == "digest x"
    assert mine.verify().intact


def test_a_ledger_that_vanished_is_not_begun_anew(tmp_path: Path) -> None:
    """Who has written to it notices that it is gone, head and all; a lost head alone, or a purge, is no such thing."""
    ledger, other = _filled(tmp_path, 2), _ledger(tmp_path)
    head = ledger.path.with_name("ledger.jsonl.head")
    head.unlink()
    assert ledger.append([Draft("block", "memory", WHO)])[0].seq == 3
    assert other.purge("text 0", WHO, "leaked") == [1]
    head.unlink()
    assert ledger.append([Draft("block", "memory", WHO)])[0].seq == 5
    kept = ledger.path.read_bytes()
    ledger.path.unlink()
    head.unlink()
    with pytest.raises(LedgerError, match="Record 5"):
        ledger.append([Draft("block", "memory", WHO)])
    ledger.path.write_bytes(kept)
    assert ledger.append([Draft("block", "memory", WHO)])[0].seq == 6
    ledger.path.unlink()
    head.unlink()
    assert other.restart(WHO, "it vanished") is None
    assert ledger.append([Draft("block", "memory", WHO)])[0].seq == 2
    assert ledger.verify().intact


def test_a_secret_in_who_wrote_is_masked(tmp_path: Path) -> None:
    """A record is never edited: a secret in author, source or session must not get in, whoever records."""
    token = render("{{crc62:ghp_}}")
    ledger = _ledger(tmp_path)
    ledger.append([Draft("refuse", "memory", Origin(f"bob {token}", f"chat {token}, message 3", token))])
    before = list(ledger.records())
    ledger.restart(Origin("ann", token), "moved")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files
    assert not any(token.encode() in path.read_bytes() for path in files)
    mark = "[secret: github-token]"
    first = before[0].origin
    assert (first.author, first.source, first.session) == (f"bob {mark}", f"chat {mark}, message 3", mark)
