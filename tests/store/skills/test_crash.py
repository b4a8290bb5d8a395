"""Killed processes, racing processes, hands beside them, full disks: nothing is lost, and ledger and disk agree."""

from __future__ import annotations

import json
import os
import random
import signal
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from inkgate.gate.gate import Reviewer
from inkgate.gate.request import Outcome
from inkgate.gate.skills import SkillGate
from inkgate.gate.skills.payload import from_payload, to_payload
from inkgate.lint.skills.check import SkillCheck
from inkgate.model import Target, Verdict
from inkgate.policy import Trust
from inkgate.store import Durability
from inkgate.store.errors import RefusalError
from inkgate.store.origin import Origin
from inkgate.store.skills import SkillAction, SkillFile, SkillPlan, SkillRequest, Tree, plan_change
from inkgate.store.skills.tree import ABSENT, read_tree, states

A = SkillAction
ANN = Reviewer("ann", "test")
PATHS = ("scripts/a.sh", "references/b.md", "assets/c.bin", "assets/deep/d.bin", "assets/e.bin")

Say = Callable[[object], None]
Kill = Callable[..., list[Any]]
AtOnce = Callable[[Sequence[Callable[[], object]]], None]
Full = Callable[[str, str, int], list[str]]

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork and signals of POSIX")

State = tuple[Tree, Tree]
"""The files of the skill, and those of the one that was archived last."""


def gate_at(home: Path, durability: Durability = Durability.FULL) -> SkillGate:
    """A gate without rules: the disk is what is tested here."""

    def clear(name: str, tree: Tree) -> SkillCheck:
        return SkillCheck(Verdict.ALLOW, (), (), len(tree), Trust.COMMUNITY)

    return SkillGate(home, scan=clear, durability=durability, lock_seconds=120)


@pytest.fixture(autouse=True, scope="module")
def _warm(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Load the rules once, before anybody forks: a child would take longer for that than it lives."""
    gate_at(tmp_path_factory.mktemp("warm")).screener.text("a reason", Target.SKILL)


def text_of(name: str, number: str) -> str:
    """A SKILL.md that says which write it is of."""
    return f"---\nname: {name}\ndescription: d\n---\nThis is {number}.\n"


def step(rng: random.Random, name: str, state: State, number: str) -> SkillRequest:
    """A random request that can succeed in this state."""
    tree, archive = state
    text = text_of(name, number)
    files: dict[str, str | bytes] = {
        path: f"{path} {number}" * rng.choice((1, 10, 5000)) for path in rng.sample(PATHS, rng.randint(1, 5))
    }
    if not tree:
        if archive and rng.random() < 0.6:
            return SkillRequest(A.RESTORE, name)
        return SkillRequest(A.CREATE, name, text=text, files=files)
    kind = rng.random()
    if kind < 0.3:
        return SkillRequest(A.EDIT, name, text=text, files=files)
    if kind < 0.5:
        return SkillRequest(A.WRITE, name, files=files)
    if kind < 0.7:
        line = tree["SKILL.md"].data.decode().splitlines()[-1]
        return SkillRequest(A.PATCH, name, old_text=line, text=f"This is {number}.", reason=f"because of {number}")
    if kind < 0.85 and len(tree) > 1:
        return SkillRequest(A.REMOVE, name, path=rng.choice([path for path in tree if path != "SKILL.md"]))
    return SkillRequest(A.ARCHIVE, name)


def after(state: State, request: SkillRequest) -> State:
    """What the state is once the request is carried out."""
    tree, archive = state
    if request.action is A.ARCHIVE:
        return {}, tree
    if request.action is A.RESTORE:
        return archive, {}
    return plan_change(tree, request).new, archive


def carry_out(gate: SkillGate, request: SkillRequest) -> None:
    """Submit it; what needs a person has one."""
    decision = gate.replay(request, ANN) if request.action is A.RESTORE else gate.submit(request)
    assert decision.outcome is Outcome.SAVED, (request, decision.code, decision.message)


def write_until_killed(home: Path, seed: int, state: State, say: Say) -> None:
    """Do random requests for ever, and say before and after each which one it is."""
    rng, gate = random.Random(seed), gate_at(home)
    for number in range(10_000):
        request = step(rng, "tea", state, f"{seed}-{number}")
        say(to_payload(request, SkillPlan({}, {}, ())))
        carry_out(gate, request)
        state = after(state, request)
        say(None)


def acknowledged_of(said: list[dict[str, Any] | None], state: State) -> tuple[State, SkillRequest | None]:
    """The acknowledged state, and what was under way."""
    under_way: SkillRequest | None = None
    for what in said:
        if what is not None:
            under_way = from_payload(what, Origin())
        else:
            assert under_way is not None
            state = after(state, under_way)
            under_way = None
    return state, under_way


def check_after_kill(home: Path, state: State, under_way: SkillRequest | None) -> State:
    """The skill is as acknowledged, or as the request under way makes it, whole; nothing else lies about."""
    allowed = [state] if under_way is None else [state, after(state, under_way)]
    folder = home / "skills" / "tea"
    if under_way is None or under_way.action in (A.CREATE, A.ARCHIVE, A.RESTORE):
        assert read_tree(folder, "tea") in [tree for tree, _ in allowed]  # before anybody has recovered anything
    gate = gate_at(home)
    assert len(gate.store.list()) == (folder / "SKILL.md").exists()
    with gate.store.begin("tea") as transaction:
        found = transaction.tree
        transaction.record()
    matching = [one for one in allowed if one[0] == found]
    assert matching, (under_way, states(found))
    assert not list(home.rglob("*.tmp"))
    assert not list((home / "inkgate" / "skills").glob("tmp/*"))
    assert not (home / "skills" / ".archive" / ".inkgate" / "stage").exists()
    assert (gate.ledger.digest_of("skill:tea") or ABSENT) == transaction.digest
    return matching[0]


def kill_many(kill_writer: Kill, home: Path, times: int) -> None:
    """Kill a writer again and again on one home; then every state that was ever acknowledged can be read."""
    home.mkdir()
    state: State = ({}, {})
    rng = random.Random(times)
    total = 0
    for seed in range(times):
        writes = rng.randrange(3)
        write = partial(write_until_killed, home, seed, state)
        state, under_way = acknowledged_of(kill_writer(write, said=2 * writes, delay=rng.random() * 0.02), state)
        total += writes
        state = check_after_kill(home, state, under_way)
    gate = gate_at(home)
    assert gate.ledger.verify().intact
    versions = gate.store.history("tea")
    assert len(versions) >= total
    for version in versions:
        for path in version.files or {}:
            gate.store.read_version("tea", version.id, path)
    assert "outside" not in {version.action for version in versions}, "a kill looks like somebody else's work"


def test_thirty_kills(tmp_path: Path, kill_writer: Kill) -> None:
    """Killed at random moments, the skill is whole, and every acknowledged state is there."""
    kill_many(kill_writer, tmp_path / "home", 30)


@pytest.mark.slow
def test_a_thousand_kills(tmp_path: Path, kill_writer: Kill) -> None:
    """The same a thousand times, on homes of fifty kills each."""
    for number in range(20):
        kill_many(kill_writer, tmp_path / f"home{number}", 50)


# --- killed between two steps ----------------------------------------------------------------------------------------


STEPS = ("rename", "link", "unlink", "replace", "fsync", "mkdir", "open")


def kill_at(home: Path, request: SkillRequest, number: int) -> bool:
    """Carry a request out in a child that is killed right before system call `number` that changes a file."""
    child = os.fork()
    if child == 0:
        code = 3
        try:
            left = number

            def counted(original: Callable[..., Any]) -> Callable[..., Any]:
                def call(*args: Any, **more: Any) -> Any:
                    nonlocal left
                    left -= 1
                    if left < 0:
                        os.kill(os.getpid(), signal.SIGKILL)
                    return original(*args, **more)

                return call

            gate = gate_at(home)
            for name in STEPS:
                setattr(os, name, counted(getattr(os, name)))
            carry_out(gate, request)
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


BEGIN: dict[str, str | bytes] = {"scripts/a.sh": "#!a", "assets/c.bin": b"\0c", "references/b.md": "b"}
CHANGES = {
    "create": SkillRequest(A.CREATE, "ale", text=text_of("ale", "new"), files=BEGIN),
    "several": SkillRequest(
        A.EDIT, "tea", text=text_of("tea", "new"), files={"assets/c.bin": b"\0new", "assets/deep/d.bin": b"d"}
    ),
    "patch": SkillRequest(A.PATCH, "tea", old_text="This is old.", text="This is new.", reason="r"),
    "remove": SkillRequest(A.REMOVE, "tea", path="references/b.md"),
    "archive": SkillRequest(A.ARCHIVE, "tea"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_killed_at_every_third_step(tmp_path: Path, change: str) -> None:
    """At many steps of a write: old or new, whole, ledger and disk agree, and the write can be made again."""
    kill_at_steps(tmp_path, CHANGES[change], 3)


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES)
def test_killed_at_every_step(tmp_path: Path, change: str) -> None:
    """The same at every single step."""
    kill_at_steps(tmp_path, CHANGES[change], 1)


def kill_at_steps(tmp_path: Path, request: SkillRequest, stride: int) -> None:
    """Make the write again and again, on new homes, each time killed some steps later."""
    outcomes = set()
    for number in range(0, 200, stride):
        home = tmp_path / str(number)
        gate = gate_at(home, Durability.NONE)
        carry_out(gate, SkillRequest(A.CREATE, "tea", text=text_of("tea", "old"), files=BEGIN))
        folder = gate.store.root / request.name
        old = read_tree(folder, request.name)
        new = {} if request.action is A.ARCHIVE else plan_change(old, request).new
        killed = kill_at(home, request, number)
        if request.action in (A.CREATE, A.ARCHIVE):
            assert read_tree(folder, request.name) in (old, new)
        gate = gate_at(home)
        gate.store.list()
        with gate.store.begin(request.name) as transaction:
            found = transaction.tree
            transaction.record()
        assert found in (old, new), (number, states(found))
        assert (gate.ledger.digest_of(f"skill:{request.name}") or ABSENT) == transaction.digest
        assert gate.ledger.verify().intact
        outcomes.add(found == new)
        if not killed:
            assert found == new
            break
        if found == old:
            carry_out(gate, request)
        assert "outside" not in {version.action for version in gate.store.history(request.name)}
    else:
        pytest.fail("a write of more than 200 steps")
    assert outcomes == {True, False}, "no kill came before, or none after, the write took effect"


# --- several writers -------------------------------------------------------------------------------------------------


def _race(home: Path, me: int, count: int) -> None:
    gate, rng, state = gate_at(home, Durability.NONE), random.Random(me), ({}, {})
    mine: list[dict[str, str]] = []
    for number in range(count):
        request = step(rng, f"skill-{me}", state, f"{me}-{number}")
        carry_out(gate, request)
        state = after(state, request)
        mine.append(states(state[0]))
        while True:  # everybody writes into one skill, too
            shared = SkillRequest(A.PATCH, "all", old_text="END", text=f"{me}-{number}\nEND", reason="mine")
            decision = gate.submit(shared)
            if decision.saved:
                break
            assert decision.code == "overtaken", decision
    (home / f"mine-{me}").write_text(json.dumps(mine))


def _hand(home: Path, count: int) -> None:
    path = home / "skills" / "all" / "references" / "hand.md"
    for number in range(count):
        fresh = path.with_name("hand.new")
        fresh.write_text(f"by hand {number}")
        fresh.replace(path)
        time.sleep(0.003)


def race(at_once: AtOnce, home: Path, processes: int, count: int, hand: int) -> None:
    """Let processes write at once, and compare with what each has done."""
    home.mkdir()
    gate = gate_at(home, Durability.NONE)
    text = text_of("all", "for everybody") + "END\n"
    carry_out(gate, SkillRequest(A.CREATE, "all", text=text, files={"references/hand.md": "first"}))
    jobs = [partial(_race, home, me, count) for me in range(processes)]
    at_once([*jobs, partial(_hand, home, hand)] if hand else jobs)
    gate = gate_at(home, Durability.NONE)
    lines = gate.store.view("all").text
    assert lines is not None
    assert set(lines.splitlines()) >= {f"{me}-{number}" for me in range(processes) for number in range(count)}
    for me in range(processes):
        told = [version.files for version in gate.store.history(f"skill-{me}")]
        assert told == json.loads((home / f"mine-{me}").read_text())
    report = gate.ledger.verify()
    assert report.intact, report


def test_three_processes_lose_nothing(tmp_path: Path, at_once: AtOnce) -> None:
    """Each finds its own skill as it left it, with every state, and its lines in the skill of all."""
    race(at_once, tmp_path / "home", 3, 12, hand=0)


def test_a_hand_beside_the_gate_loses_nothing(tmp_path: Path, at_once: AtOnce) -> None:
    """While two processes patch one file of a skill, somebody replaces another one again and again."""
    race(at_once, tmp_path / "home", 2, 12, hand=30)


@pytest.mark.slow
def test_sixteen_processes_lose_nothing(tmp_path: Path, at_once: AtOnce) -> None:
    """Sixteen processes with fifty writes each, with and without a hand beside them."""
    race(at_once, tmp_path / "home", 16, 50, hand=0)
    race(at_once, tmp_path / "other", 16, 50, hand=200)


def test_what_a_hand_writes_in_the_last_moment_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that somebody saves between the last look and the replacement is a version of its own."""
    gate = gate_at(tmp_path, Durability.NONE)
    carry_out(gate, SkillRequest(A.CREATE, "tea", text=text_of("tea", "old"), files=BEGIN))
    path = gate.store.root / "tea" / "references" / "b.md"
    append = gate.store.ledger.append

    def late(*args: Any, **more: Any) -> Any:
        path.write_text("by hand")
        monkeypatch.undo()
        return append(*args, **more)

    monkeypatch.setattr(gate.store.ledger, "append", late)
    carry_out(gate, SkillRequest(A.WRITE, "tea", path="references/b.md", text="by the gate"))
    assert path.read_text() == "by the gate"
    version = next(item for item in gate.store.history("tea") if item.late)
    assert gate.store.read_version("tea", version.id, "references/b.md") == b"by hand"
    with pytest.raises(RefusalError, match="no whole state"):
        gate.store.files_of("tea", version.id)
    assert gate.store.history("tea")[-2].stands
    assert gate.ledger.digest_of("skill:tea") == gate.store.begin("tea").__enter__().digest


# --- the disk --------------------------------------------------------------------------------------------------------


BEFORE = """
from inkgate.gate.skills import SkillGate
from inkgate.lint.skills.check import SkillCheck
from inkgate.model import Verdict
from inkgate.policy import Trust
from inkgate.store.skills import SkillAction, SkillRequest
gate = SkillGate(home, scan=lambda name, tree: SkillCheck(Verdict.ALLOW, (), (), 1, Trust.COMMUNITY))
gate.screener.text("warm", gate.target)
"""
FULL = """
for number in range(20):
    text = "---\\nname: tea\\ndescription: d\\n---\\n" + f"{number} " * number * 10
    files = {f"assets/{place}": f"{number} " * number * 20 for place in range(3)}
    action = SkillAction.EDIT if number else SkillAction.CREATE
    decision = gate.submit(SkillRequest(action, "tea", text=text, files=files))
    print(decision.outcome, decision.message)
"""


@pytest.mark.parametrize("limit", [400, 1_500, 3_000, 6_000])
def test_a_full_disk_loses_nothing(tmp_path: Path, limit: int, full_disk: Full) -> None:
    """When no file may grow any further, writes fail with a reason, and what was acknowledged stands whole."""
    lines = full_disk(BEFORE, FULL, limit)
    saved = [number for number, line in enumerate(lines) if line.startswith("saved")]
    assert len(saved) < 20
    assert any("could not be written" in line or "Nothing was changed" in line for line in lines)
    found = read_tree(tmp_path / "skills" / "tea", "tea")
    if not saved:
        assert found == {}
    else:
        last = saved[-1]
        assert found["assets/2"] == SkillFile((f"{last} " * last * 20).encode())
        assert found["SKILL.md"].data.endswith((f"{last} " * last * 10).encode())
    gate = gate_at(tmp_path)
    request = SkillRequest(A.EDIT if saved else A.CREATE, "tea", text=text_of("tea", "room again"))
    carry_out(gate, request)
    assert gate.ledger.verify().intact


def test_a_file_that_cannot_be_replaced_undoes_the_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the third of four files fails, the first two are as they were, the ledger says so, and nothing is left."""
    gate = gate_at(tmp_path, Durability.NONE)
    carry_out(gate, SkillRequest(A.CREATE, "tea", text=text_of("tea", "old"), files=BEGIN))
    old = read_tree(gate.store.root / "tea", "tea")
    replace, calls = Path.replace, []

    def failing(self: Path, target: Path) -> Path:
        if self.suffix == ".new":
            calls.append(self)
            if len(calls) == 3:
                raise OSError(5, "Input/output error")
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", failing)
    request = CHANGES["several"]
    decision = gate.submit(request)
    monkeypatch.undo()
    assert decision.outcome is Outcome.FAILED
    assert "Input/output error" in decision.message
    assert read_tree(gate.store.root / "tea", "tea") == old
    assert not gate.store.journal.exists()
    carry_out(gate, request)
    assert [version.action for version in gate.store.history("tea")] == ["create", "edit"]
    assert gate.ledger.verify().intact


def test_a_folder_that_cannot_be_written_fails_the_write(tmp_path: Path) -> None:
    """Without permission the write fails with a reason and the old files stand."""
    if os.geteuid() == 0:
        pytest.skip("permissions do not bind the superuser")
    gate = gate_at(tmp_path)
    carry_out(gate, SkillRequest(A.CREATE, "tea", text=text_of("tea", "old")))
    folder = gate.store.root / "tea"
    folder.chmod(0o500)
    try:
        decision = gate.submit(CHANGES["patch"])
        assert decision.outcome is Outcome.FAILED
    finally:
        folder.chmod(0o700)
    assert gate.store.view("tea").text == text_of("tea", "old")
