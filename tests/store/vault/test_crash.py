"""Killed processes, racing processes, writers without the lock, full disks."""

from __future__ import annotations

import json
import os
import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from inkgate.gate.vault import VaultGate
from inkgate.gate.vaultrequest import VaultRequest
from inkgate.model import ScanResult, Verdict
from inkgate.store import Durability, Origin
from inkgate.store.edit import digest
from inkgate.store.vault.verify import verify

Say = Callable[[object], None]
Kill = Callable[..., list[Any]]
AtOnce = Callable[[Sequence[Callable[[], object]]], None]
Full = Callable[[str, str, int], list[str]]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and signals of POSIX")

EXPECTED = frozenset({"superseded", "no-heading", "exists", "no-name", "structure", "collision"})
NAMES = ("a", "b", "Sub/c", "Sub/d", "Sub/Deep/e")


def gate_at(home: Path, durability: Durability = Durability.FULL) -> VaultGate:
    """A gate without rules: the disk is what is tested here."""
    return VaultGate(home, scan=lambda text, target: ScanResult(Verdict.ALLOW), durability=durability, lock_seconds=120)


def request(rng: random.Random, gate: VaultGate, name: str, big: float) -> VaultRequest:
    """A random request; most of them can succeed."""
    size = 300_000 if rng.random() < big else rng.randint(1, 300)
    text = f"{name} " + rng.choice("abcdé字") * size + "\n"
    path, to = rng.choice((*NAMES, f"Fresh {name}")), rng.choice(NAMES)
    there = (gate.vault.root / f"{path}.md").exists()
    seen = gate.vault.read(path).digest if there else ""
    action = rng.choice(("append", "replace", "rename", "supersede", "section")) if there else "create"
    if action == "supersede":
        to = f"New {name}"
    text = f"# H\n\n{text}" if action in ("create", "replace") else text
    return VaultRequest(action, path, text, "H" if action == "section" else "", to, origin=Origin("w", name), seen=seen)


def write_until_killed(home: Path, seed: int, big: float, say: Say) -> None:
    """Make random requests for ever, and say after each which records it made."""
    rng, gate = random.Random(seed), gate_at(home)
    for number in range(10_000):
        decision = gate.submit(request(rng, gate, f"{seed}-{number}", big))
        if decision.saved:
            say(list(decision.records))
        else:
            assert decision.code in EXPECTED, decision


def told(gate: VaultGate) -> tuple[dict[str, str], set[int], dict[str, list[Any]]]:
    """What the ledger says: digest of each note, numbers of the changes that hold, and the changes by group."""
    files: dict[str, str] = {}
    groups: dict[str, list[Any]] = {}
    records = list(gate.ledger.records())
    undone = {record.facts.get("record") for record in records if record.event == "aborted"}
    holding = set()
    for record in records:
        if record.event == "change" and record.seq not in undone and record.body is not None:
            files[record.key.removeprefix("vault/")] = record.body["after"]
            groups.setdefault(record.facts["group"], []).append(record)
            holding.add(record.seq)
    return {name: after for name, after in files.items() if after}, holding, groups


def check_after_kill(home: Path, acknowledged: list[int]) -> None:
    """The notes are just what the ledger says, every acknowledged change is in it, each change is whole, nothing is
    left over.
    """
    gate = gate_at(home)
    gate.documents.recover()
    files, holding, groups = told(gate)
    assert set(acknowledged) <= holding
    assert {name: digest((gate.vault.root / name).read_bytes()) for name in gate.vault.names()} == files
    assert all(len(records) == records[0].facts["of"] for records in groups.values())
    assert gate.vault.leftovers() == []
    assert verify(gate.vault) == []
    assert gate.vault.conflicts() == []


def kill_many(kill_writer: Kill, home: Path, times: int, big: float, longest: float) -> None:
    """Kill a writer again and again on one home, and prove the ledger at the end."""
    rng = random.Random(times)
    (home / "vault").mkdir(parents=True)
    acknowledged = 0
    for seed in range(times):
        write, said = partial(write_until_killed, home, seed, big), int(seed % 4 > 0)  # most after the first change
        told_of = kill_writer(write, said=said, delay=rng.random() * longest)
        records = [number for numbers in told_of for number in numbers]
        acknowledged += bool(records)
        check_after_kill(home, records)
    gate = gate_at(home)
    assert gate.submit(VaultRequest("create", "the end", "x", origin=Origin("w", "end"))).saved
    report = gate.ledger.verify()
    assert report.intact, report
    assert acknowledged > times // 4, "the kills came too early to prove anything"


def test_thirty_kills(tmp_path: Path, kill_writer: Kill) -> None:
    """Killed at random moments, the vault holds every acknowledged change, whole, and nothing else."""
    kill_many(kill_writer, tmp_path / "home", 30, big=0.02, longest=0.1)


@pytest.mark.slow
def test_a_thousand_kills(tmp_path: Path, kill_writer: Kill) -> None:
    """The same a thousand times, on homes of fifty kills each, with long notes among them."""
    for number in range(20):
        kill_many(kill_writer, tmp_path / f"home{number}", 50, big=0.05, longest=0.2)


# --- at once ---------------------------------------------------------------------------------------------------------


def _count(gate: VaultGate, me: int) -> bool:
    """Read a number, write the next one, as long as nobody else was faster."""
    note = gate.vault.read("counter")
    text = f"{int(note.body.split()[0]) + 1} by {me}\n"
    request = VaultRequest("replace", "counter", text, origin=Origin(f"p{me}", "race"), seen=note.digest)
    decision = gate.submit(request)
    assert decision.saved or decision.code in ("conflict", "changed"), (decision.code, decision.message)
    return decision.saved


def _race(home: Path, me: int, count: int) -> None:
    gate, rng, counted, added = gate_at(home, Durability.NONE), random.Random(me), 0, []
    for number in range(count):
        text = f"p{me} n{number}"
        if rng.random() < 0.5:
            counted += _count(gate, me)
        elif rng.random() < 0.7:
            decision = gate.submit(VaultRequest("append", "log", f"- {text}", origin=Origin(f"p{me}", "race")))
            assert decision.saved or decision.code == "changed", (decision.code, decision.message)
            added += [text] if decision.saved else []
        else:
            name = f"own/{me} {number}"
            assert gate.submit(VaultRequest("create", name, text, origin=Origin(f"p{me}", "race"))).saved
            assert gate.submit(
                VaultRequest("supersede", name, text + " b", to=name + " b", origin=Origin("p", "r"))
            ).saved
    (home / f"mine-{me}").write_text(json.dumps([counted, added]))


def _outside(home: Path, count: int) -> None:
    for number in range(count):
        with (home / "vault/log.md").open("a", encoding="utf-8") as file:
            file.write(f"- outside {number}\n")
        time.sleep(0.004)


def race(at_once: AtOnce, home: Path, processes: int, count: int, outside: int) -> None:
    """Let processes write at once, with or without a writer that knows no lock, and compare with what each has done."""
    gate = gate_at(home, Durability.NONE)
    for name, text in (("counter", "0 by nobody\n"), ("log", "# Log\n\n- start\n")):
        assert gate.submit(VaultRequest("create", name, text, origin=Origin("test", "race"))).saved
    jobs = [partial(_race, home, me, count) for me in range(processes)]
    at_once([*jobs, partial(_outside, home, outside)] if outside else jobs)
    gate = gate_at(home, Durability.NONE)
    assert gate.submit(VaultRequest("append", "log", "- the end", origin=Origin("test", "race"))).saved
    mine = [json.loads((home / f"mine-{me}").read_text()) for me in range(processes)]
    assert int(gate.vault.read("counter").body.split()[0]) == sum(counted for counted, _ in mine)
    lines = gate.vault.read("log").body.splitlines()
    for me, (_, added) in enumerate(mine):
        assert [line[2:] for line in lines if line.startswith(f"- p{me} ")] == added
    found = "\n".join([*lines, *(aside.body for aside in gate.vault.conflicts())]).splitlines()
    assert {f"- outside {number}" for number in range(outside)} <= set(found)
    assert verify(gate.vault) == []
    assert gate.ledger.verify().intact


def test_four_processes_lose_nothing(tmp_path: Path, at_once: AtOnce) -> None:
    """Four processes add to one note, count in another and write their own: each finds exactly what it did."""
    race(at_once, tmp_path / "home", 4, 15, outside=0)


def test_a_writer_without_the_lock_loses_nothing(tmp_path: Path, at_once: AtOnce) -> None:
    """A process that only appends to a note, while two others change it, finds every line: there or in quarantine."""
    race(at_once, tmp_path / "home", 2, 25, outside=30)


@pytest.mark.slow
def test_sixteen_processes_lose_nothing(tmp_path: Path, at_once: AtOnce) -> None:
    """Sixteen processes, with and without a writer that knows no lock."""
    race(at_once, tmp_path / "home", 16, 50, outside=0)
    race(at_once, tmp_path / "other", 16, 50, outside=200)


BEFORE = """
from inkgate.gate.vault import VaultGate
from inkgate.gate.vaultrequest import VaultRequest
from inkgate.model import ScanResult, Verdict
from inkgate.store import Origin
gate = VaultGate(home, scan=lambda text, target: ScanResult(Verdict.ALLOW))
"""
FULL = """
for number in range(12):
    action, to = ("create", "") if number % 3 else ("supersede", f"s{number}")
    name = f"n{number}" if number % 3 else f"n{number - 1}"
    text = f"fact {number} " + "x" * 30
    decision = gate.submit(VaultRequest(action, name, text, to=to, origin=Origin("w", "x")))
    print(number, decision.outcome, decision.code, decision.message)
"""


@pytest.mark.parametrize("limit", [300, 900, 2_000, 5_000])
def test_a_full_disk_loses_nothing(tmp_path: Path, limit: int, full_disk: Full) -> None:
    """When no file may grow any further, writes fail with a reason, and what was acknowledged stands."""
    lines = [line.split(maxsplit=3) for line in full_disk(BEFORE, FULL, limit)]
    assert any("could not be written" in line[-1] for line in lines), lines
    saved = {int(line[0]) for line in lines if line[1] == "saved"}
    gate = gate_at(tmp_path)
    gate.documents.recover()
    found = {int(note.body.split()[1]) for note in gate.vault.notes()}
    assert found == saved
    assert gate.vault.leftovers() == []
    assert verify(gate.vault) == []
    assert gate.submit(VaultRequest("create", "room again", "x", origin=Origin("w", "x"))).saved
    assert gate.ledger.verify().intact
