"""The head knows which entries are foreign as the whole ledger does, without reading it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkgate.store import Durability, Ledger, LedgerError, Origin
from inkgate.store.chain import Draft
from inkgate.store.head import Head, foreign_in
from inkgate.store.origin import OUTSIDE

ANN = Origin("ann", "test")
ENTRIES = st.sampled_from("abcdef")
STEPS = ["outside", "add", "replace", "merge", "remove", "stopped", "purge", "lost", "again"]


def _outside(added: list[str], removed: list[str], *, first: bool = False) -> Draft:
    return Draft("outside", "memory", OUTSIDE, facts={"first": first}, body={"added": added, "removed": removed})


def _change(*pairs: tuple[str | None, str | None], origin: Origin = ANN) -> Draft:
    changes = [{"before": before, "after": after} for before, after in pairs]
    return Draft("change", "memory", origin, body={"before": "x", "after": "y", "changes": changes})


@settings(max_examples=150, deadline=None)
@given(data=st.data())
def test_every_way_to_the_same_entries_tells_the_same(tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    """Edits from outside, changes, changes that a kill stopped, purges and lost heads, in any order."""
    ledger = Ledger(tmp_path_factory.mktemp("head") / "ledger.jsonl", durability=Durability.NONE)
    standing: list[str] = data.draw(st.lists(ENTRIES, unique=True, max_size=3))
    ledger.append([_outside(list(standing), [], first=True)])
    for _ in range(data.draw(st.integers(1, 8))):
        step = data.draw(st.sampled_from(STEPS))
        free = [entry for entry in "abcdef" if entry not in standing]
        old = data.draw(st.sampled_from(standing)) if standing else None
        new = data.draw(st.sampled_from(free)) if free else None
        if step == "outside":
            ledger.append([_outside([new] if new else [], [old] if old else [])])
            standing = [entry for entry in standing if entry != old] + ([new] if new else [])
        elif step == "add" and new:
            ledger.append([_change((None, new))])
            standing.append(new)
        elif step == "replace" and old and new:
            ledger.append([_change((old, new))])
            standing[standing.index(old)] = new
        elif step == "merge" and len(standing) > 1:
            gone, kept = standing[0], standing[-1]
            ledger.append([_change((gone, kept))])
            standing.remove(gone)
        elif step == "remove" and old:
            ledger.append([_change((old, None))])
            standing.remove(old)
        elif step == "stopped" and old:
            (record,) = ledger.append([_change((old, None))])
            ledger.append([Draft("aborted", "memory", ANN, facts={"record": record.seq})])
        elif step == "purge" and new:
            ledger.purge(new, ANN, "test")
        elif step == "lost":
            ledger.path.with_name("ledger.jsonl.head").unlink(missing_ok=True)
        elif step == "again":
            ledger = Ledger(ledger.path, durability=Durability.NONE)
        whole = foreign_in(list(ledger.records()))
        told = Head(foreign=None)
        for entry in standing:
            known = ledger.is_foreign("memory", entry)
            assert known == told.is_foreign("memory", entry, ledger.records)
            assert not ledger.is_foreign("user", entry)
        assert told.foreign in (None, whole)


def test_the_ledger_is_not_read_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither in the process that wrote nor in the next one; only after something that the head cannot tell, once."""
    ledger = Ledger(tmp_path / "ledger.jsonl", durability=Durability.NONE)
    ledger.append([_change((None, "mine"))])
    ledger.append([_outside(["theirs"], [])])
    reads = []
    records = Ledger.records
    monkeypatch.setattr(Ledger, "records", lambda self: reads.append(1) or records(self))  # type: ignore[func-returns-value]
    for each in (ledger, Ledger(ledger.path)):
        assert each.is_foreign("memory", "theirs")
        assert not each.is_foreign("memory", "mine")
    assert not reads
    (record,) = ledger.append([_change(("theirs", "ours"))])
    assert not ledger.is_foreign("memory", "ours")
    ledger.append([Draft("aborted", "memory", ANN, facts={"record": record.seq})])
    assert [each.is_foreign("memory", "theirs") for each in (ledger, ledger, Ledger(ledger.path))] == [True] * 3
    assert len(reads) == 1


def test_a_head_of_before_is_read(tmp_path: Path) -> None:
    """A head without marks, or with more foreign entries than it keeps, asks the ledger and answers the same."""
    ledger = Ledger(tmp_path / "ledger.jsonl", durability=Durability.NONE)
    many = [f"entry {number}" for number in range(200)]
    ledger.append([_change((None, "mine")), _outside(many, [])])
    head = tmp_path / "ledger.jsonl.head"
    assert json.loads(head.read_text())["foreign"] is None
    for _ in range(2):
        assert all(ledger.is_foreign("memory", entry) for entry in many[:3])
        assert not ledger.is_foreign("memory", "mine")
    ledger.append([_outside([], many[5:])])
    values = json.loads(head.read_text())
    del values["foreign"]
    head.write_text(json.dumps(values))
    anew = Ledger(ledger.path)
    assert [anew.is_foreign("memory", entry) for entry in (many[0], many[9], "mine")] == [True, False, False]
    assert len(json.loads(head.read_text())["foreign"]) == 5


def test_an_edited_ledger_gives_no_answer(tmp_path: Path) -> None:
    """Where the ledger has to tell, it is proved first."""
    ledger = Ledger(tmp_path / "ledger.jsonl", durability=Durability.NONE)
    ledger.append([_change((None, "mine")), _outside(["theirs"], [])])
    ledger.path.write_bytes(ledger.path.read_bytes().replace(b"theirs", b"thairs"))
    (tmp_path / "ledger.jsonl.head").unlink(missing_ok=True)
    with pytest.raises(LedgerError):
        Ledger(ledger.path).is_foreign("memory", "theirs")
