"""Killed processes, racing processes, writers without the lock, full disks."""

from __future__ import annotations

import json
import os
import random
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from inkgate.gate import Gate, Outcome, Request, Settings
from inkgate.model import ScanResult, Target, Verdict
from inkgate.store import Action, Durability, Operation
from inkgate.store.entries import parse
from inkgate.store.plan import plan

MEMORY = Target.MEMORY
CAP = 50_000_000
SETTINGS = Settings.from_mapping({"memory": {"cap": CAP}})

Say = Callable[[object], None]
Kill = Callable[..., list[Any]]
AtOnce = Callable[[Sequence[Callable[[], object]]], None]
Full = Callable[[str, str, int], list[str]]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and signals of POSIX")


def gate_at(home: Path, durability: Durability = Durability.FULL) -> Gate:
    """A gate without rules: the disk is what is tested here."""
    return Gate(
        home, settings=SETTINGS, scan=lambda text, target: ScanResult(Verdict.ALLOW), durability=durability,
        lock_seconds=120,
    )  # fmt: skip


def step(rng: random.Random, standing: list[str], name: str, big: float) -> Operation:
    """A random operation that can succeed on these entries."""
    size = 1_000_000 if rng.random() < big else rng.randint(1, 200)
    text = f"{name} " + rng.choice("abcdé字") * size
    kind = rng.random()
    if standing and (kind < 0.25 or len(standing) > 12):
        return Operation(Action.REMOVE, old_text=rng.choice(standing))
    if standing and kind < 0.5:
        return Operation(Action.REPLACE, text, rng.choice(standing))
    return Operation(Action.ADD, text)


def write_until_killed(home: Path, seed: int, standing: list[str], big: float, say: Say) -> None:
    """Do random operations for ever, and say before and after each which one it is."""
    rng, gate = random.Random(seed), gate_at(home)
    for number in range(10_000):
        operation = step(rng, standing, f"{seed}-{number}", big)
        say(["begin", operation.action, operation.content, operation.old_text])
        decision = gate.submit(Request(MEMORY, (operation,)))
        assert decision.outcome is Outcome.SAVED, decision
        standing = list(decision.entries)
        say(["done"])


def acknowledged_of(said: list[list[str]], entries: list[str]) -> tuple[list[str], Operation | None]:
    """The acknowledged entries, and the operation that was under way."""
    under_way: Operation | None = None
    for words in said:
        if words[0] == "begin":
            under_way = Operation(Action(words[1]), words[2], words[3])
        else:
            assert under_way is not None
            entries = list(plan(entries, [under_way], cap=CAP).new)
            under_way = None
    return entries, under_way


def check_after_kill(home: Path, entries: list[str], under_way: Operation | None) -> tuple[list[str], int]:
    """The file is the acknowledged text, or that with the operation under way; nothing is left over after an open."""
    gate = gate_at(home)
    gate.snapshot(MEMORY)
    found = list(gate.store.read(MEMORY).entries)
    allowed = [entries]
    if under_way is not None:
        allowed.append(list(plan(entries, [under_way], cap=CAP).new))
    assert found in allowed
    assert {path.name for path in gate.store.folder.iterdir()} <= {"MEMORY.md", "MEMORY.md.lock", "USER.md.lock"}
    return found, len(found)


def kill_many(kill_writer: Kill, home: Path, times: int, big: float, longest: float) -> None:
    """Kill a writer again and again on one home, and prove the ledger at the end."""
    entries: list[str] = []
    rng = random.Random(times)
    home.mkdir()
    acknowledged = 0
    for seed in range(times):
        before = entries
        write = partial(write_until_killed, home, seed, list(entries), big)
        said = kill_writer(write, said=rng.randrange(6), delay=rng.random() * longest)
        entries, under_way = acknowledged_of(said, entries)
        acknowledged += entries != before
        entries, _ = check_after_kill(home, entries, under_way)
    gate = gate_at(home)
    assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "the end"),))).saved
    report = gate.store.ledger.verify()
    assert report.intact, report
    assert acknowledged > times // 4, "the kills came too early to prove anything"


def test_thirty_kills(tmp_path: Path, kill_writer: Kill) -> None:
    """Killed at random moments, the store holds every acknowledged write, whole, and nothing else."""
    kill_many(kill_writer, tmp_path / "home", 30, big=0.02, longest=0.03)


@pytest.mark.slow
def test_a_thousand_kills(tmp_path: Path, kill_writer: Kill) -> None:
    """The same a thousand times, on homes of fifty kills each, with entries of a megabyte among them."""
    for number in range(20):
        kill_many(kill_writer, tmp_path / f"home{number}", 50, big=0.05, longest=0.06)


def _race(home: Path, me: int, count: int) -> None:
    gate, mine = gate_at(home, Durability.NONE), [f"p{me} start"]
    rng = random.Random(me)
    assert gate.submit(Request(MEMORY, (Operation(Action.ADD, mine[0]),))).saved
    for number in range(count):
        text, kind = f"p{me} n{number}", rng.random()
        if kind < 0.4:
            operations = (Operation(Action.ADD, text),)
            after = [*mine, text]
        elif kind < 0.7:
            operations = (Operation(Action.REPLACE, text, mine[-1]),)
            after = [*mine[:-1], text]
        elif kind < 0.8:
            operations = (Operation(Action.ADD, text), Operation(Action.REMOVE, old_text=mine[0]))
            after = [*mine[1:], text]
        elif len(mine) > 1:
            operations = (Operation(Action.REMOVE, old_text=mine[0]),)
            after = mine[1:]
        else:
            continue
        decision = gate.submit(Request(MEMORY, operations, batch=len(operations) > 1))
        assert decision.outcome is Outcome.SAVED, (decision.code, decision.message)
        mine = after
    (home / f"mine-{me}").write_text(json.dumps(mine))


def _outside(home: Path, count: int) -> None:
    path = home / "memories" / "MEMORY.md"
    for number in range(count):
        while not path.exists():
            time.sleep(0.001)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n§\noutside {number}")
        time.sleep(0.004)


def race(at_once: AtOnce, home: Path, processes: int, count: int, outside: int) -> None:
    """Let processes write at once, with or without a writer that knows no lock, and compare with what each has done."""
    home.mkdir()
    jobs = [partial(_race, home, me, count) for me in range(processes)]
    at_once([*jobs, partial(_outside, home, outside)] if outside else jobs)
    gate = gate_at(home, Durability.NONE)
    assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "the end"),))).saved
    found = gate.store.read(MEMORY).entries
    for me in range(processes):
        mine = json.loads((home / f"mine-{me}").read_text())
        assert [entry for entry in found if entry.startswith(f"p{me} ")] == mine
    assert {entry for entry in found if entry.startswith("outside")} == {f"outside {n}" for n in range(outside)}
    assert gate.store.ledger.verify().intact


def test_four_processes_lose_nothing(tmp_path: Path, at_once: AtOnce) -> None:
    """Four processes with mixed operations: each finds exactly what it wrote."""
    race(at_once, tmp_path / "home", 4, 25, outside=0)


def test_a_writer_without_the_lock_loses_nothing(tmp_path: Path, at_once: AtOnce) -> None:
    """A process that only appends to the file, while two others replace it, finds every line that it wrote."""
    race(at_once, tmp_path / "home", 2, 40, outside=20)


@pytest.mark.slow
def test_sixteen_processes_lose_nothing(tmp_path: Path, at_once: AtOnce) -> None:
    """Sixteen processes with a hundred mixed operations each, with and without a writer that knows no lock."""
    race(at_once, tmp_path / "home", 16, 100, outside=0)
    race(at_once, tmp_path / "other", 16, 100, outside=100)


def test_text_for_a_file_that_was_just_replaced_is_brought_over(tmp_path: Path) -> None:
    """What a writer appends to a file that it opened before the replacement stands in the new one."""
    gate = gate_at(tmp_path, Durability.NONE)
    assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "one"),))).saved
    with gate.store.path(MEMORY).open("a", encoding="utf-8") as late:
        assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "two"),))).saved
        late.write("\n§\nfrom outside")
    assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "three"),))).saved
    assert gate.store.read(MEMORY).entries == ("one", "two", "from outside", "three")
    assert gate.store.ledger.verify().intact


def test_a_file_that_is_written_anew_in_place_keeps_its_entries(tmp_path: Path) -> None:
    """An editor empties the file, a write falls in between, the editor fills it: all of it stands."""
    gate = gate_at(tmp_path, Durability.NONE)
    for text in ("one", "two", "gone by hand"):
        assert gate.submit(Request(MEMORY, (Operation(Action.ADD, text),))).saved
    assert gate.submit(Request(MEMORY, (Operation(Action.REPLACE, "third", "gone by hand"),))).saved
    with gate.store.path(MEMORY).open("w", encoding="utf-8") as editor:
        assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "between"),))).saved
        editor.write("one\n§\ntwo\n§\nthird\n§\nby the editor\n§\ngone by hand")
    assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "last"),))).saved
    assert gate.store.read(MEMORY).entries == ("between", "one", "two", "third", "by the editor", "last")
    assert gate.store.ledger.verify().intact


def test_text_for_a_replaced_file_stands_in_the_next_prompt(tmp_path: Path) -> None:
    """It is brought over when the file is loaded, once, and not only by the next write."""
    gate = gate_at(tmp_path, Durability.NONE)
    assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "one"),))).saved
    with gate.store.path(MEMORY).open("a", encoding="utf-8") as late:
        assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "two"),))).saved
        late.write("\n§\nfrom outside")
    for _ in range(3):
        assert "from outside" in gate_at(tmp_path, Durability.NONE).snapshot(MEMORY).text
    assert gate.store.read(MEMORY).entries == ("one", "two", "from outside")
    records = [record.event for record in gate.store.ledger.records()]
    assert records == ["change", "change", "outside", "change"]


def test_a_late_text_is_found_in_the_middle_of_a_burst(tmp_path: Path) -> None:
    """In a burst not every replaced file is looked at each time, but none goes unread."""
    gate = gate_at(tmp_path, Durability.NONE)
    assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "one"),))).saved
    with gate.store.path(MEMORY).open("a", encoding="utf-8") as late:
        for number in range(3):
            assert gate.submit(Request(MEMORY, (Operation(Action.ADD, f"before {number}"),))).saved
        late.write("\n§\nfrom outside")
    for number in range(8):
        assert gate.submit(Request(MEMORY, (Operation(Action.ADD, f"after {number}"),))).saved
    assert "from outside" in gate.store.read(MEMORY).entries
    assert len(gate.store.read(MEMORY).entries) == 13


def test_a_file_that_was_kept_under_a_wrong_clock_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock that ran years ahead leaves nothing behind once it is right again."""
    gate = gate_at(tmp_path, Durability.NONE)
    assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "one"),))).saved
    with monkeypatch.context() as wrong:
        ahead = time.time_ns() + 10**17
        wrong.setattr(time, "time_ns", lambda: ahead)
        assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "two"),))).saved
    kept = tmp_path / "inkgate" / "replaced"
    assert len(list(kept.iterdir())) == 1
    assert gate_at(tmp_path, Durability.NONE).submit(Request(MEMORY, (Operation(Action.ADD, "three"),))).saved
    assert [path.name.split(".")[2] for path in kept.iterdir()] < [str(ahead)]


def test_a_slow_writer_is_waited_for(tmp_path: Path) -> None:
    """A replaced file that is still being written is read again, until its writer has finished."""
    gate = gate_at(tmp_path, Durability.NONE)
    assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "one"),))).saved
    with gate.store.path(MEMORY).open("a", encoding="utf-8", buffering=1) as late:
        for number in range(4):
            assert gate.submit(Request(MEMORY, (Operation(Action.ADD, f"ours {number}"),))).saved
            late.write(f"\n§\nfrom outside {number}\n")
    assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "last"),))).saved
    assert {f"from outside {number}" for number in range(4)} < set(gate.store.read(MEMORY).entries)
    assert gate.store.ledger.verify().intact


BEFORE = """
from inkgate.gate import Gate, Request
from inkgate.model import ScanResult, Target, Verdict
from inkgate.store import Action, Operation
gate = Gate(home, scan=lambda text, target: ScanResult(Verdict.ALLOW))
"""
FULL = """
for number in range(40):
    decision = gate.submit(Request(Target.MEMORY, (Operation(Action.ADD, f"fact {number} " + "x" * 30),)))
    print(decision.outcome, decision.message)
"""


@pytest.mark.parametrize("limit", [300, 900, 2_000, 3_500])
def test_a_full_disk_loses_nothing(tmp_path: Path, limit: int, full_disk: Full) -> None:
    """When no file may grow any further, writes fail with a reason, and what was acknowledged stands."""
    lines = full_disk(BEFORE, FULL, limit)
    saved = [number for number, line in enumerate(lines) if line.startswith("saved")]
    assert len(saved) < 40
    assert any("could not be written" in line for line in lines)
    path = tmp_path / "memories" / "MEMORY.md"
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    assert [entry.split()[1] for entry in parse(text)] == [str(number) for number in saved]
    gate = gate_at(tmp_path)
    gate.snapshot(MEMORY)
    assert not list(gate.store.folder.glob(".*.tmp"))
    assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "room again"),))).saved
    assert gate.store.ledger.verify().intact


def test_a_folder_that_cannot_be_written_fails_the_write() -> None:
    """Without permission the write fails with a reason and the old text stands."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        if os.geteuid() == 0:  # whom permissions do not bind: try as somebody whom they bind
            Path(folder).chmod(0o711)
            os.chown(home, 65534, 65534)
            _as_nobody(lambda: _without_permission(home))
        else:
            _without_permission(home)


def _as_nobody(run: Callable[[], None]) -> None:
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.setgid(65534)
            os.setuid(65534)
            run()
            code = 0
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(code)
    assert os.waitpid(child, 0)[1] == 0


def _without_permission(home: Path) -> None:
    gate = gate_at(home)
    assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "one"),))).saved
    for folder in (gate.store.folder, home / "inkgate"):
        folder.chmod(0o500)
        try:
            outcomes = [gate.submit(Request(MEMORY, (Operation(Action.ADD, "two"),))) for _ in range(2)]
            assert gate.store.read(MEMORY).entries in (("one",), ("one", "two"))
            if folder == gate.store.folder:
                assert {item.outcome for item in outcomes} == {Outcome.FAILED}
                assert "Permission denied" in outcomes[0].message
        finally:
            folder.chmod(0o700)
    (home / "memories" / "MEMORY.md").chmod(0o000)
    assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "three"),))).outcome is Outcome.FAILED
    (home / "memories" / "MEMORY.md").chmod(0o600)
    assert gate.submit(Request(MEMORY, (Operation(Action.ADD, "four"),))).saved
    assert gate.store.read(MEMORY).entries[0] == "one"
    assert gate.store.ledger.verify().intact
