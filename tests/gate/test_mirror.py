"""The mirror: everything committed, in order, masked, never in the way."""

from __future__ import annotations

import os
import random
import signal
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from inkgate.gate import Gate, Mirror, Request
from inkgate.gate.mirror import MirroredChange, mask_all
from inkgate.model import Target
from inkgate.store import Action, Ledger, Operation, Origin, StoreError
from inkgate.store.chain import Record, Walk

MEMORY = Target.MEMORY


def req(action: str, content: str = "", old: str = "") -> Request:
    """A request of one step."""
    return Request(MEMORY, (Operation(Action(action), content, old),))


def test_changes_arrive_in_order_and_nothing_else(make_gate: Callable[..., Gate]) -> None:
    """What was saved arrives once, in order, with what it replaced; no-ops and refusals do not."""
    seen: list[MirroredChange] = []
    mirror = Mirror(seen.append)
    gate = make_gate(mirror=mirror)
    for request in (req("add", "one"), req("add", "one"), req("add", "POISON!"), req("replace", "two", "one")):
        gate.submit(request)
    gate.submit(req("remove", old="two"))
    assert mirror.drain()
    assert [(item.action, item.content) for item in seen] == [("add", "one"), ("replace", "two"), ("remove", "")]
    assert seen[1].metadata["previous_content"] == "one"
    assert seen[2].metadata["old_text"] == "two"
    assert mirror.sent == 3


def test_the_context_of_a_call_goes_along(make_gate: Callable[..., Gate]) -> None:
    """Ids that the host knows are recorded, cut to a bound, and sent; they do not stand for the origin."""
    seen: list[MirroredChange] = []
    mirror = Mirror(seen.append)
    gate = make_gate(mirror=mirror)
    gate.submit(replace(req("add", "one"), context={"task_id": "t" * 300, "author": "somebody else", "empty": ""}))
    assert mirror.close() == 0
    assert seen[0].metadata == {"task_id": "t" * 200, "author": "agent", "source": "tool"}
    assert next(gate.store.ledger.records()).facts["context"]["task_id"] == "t" * 200


def test_a_failing_provider_is_tried_again_and_given_up(make_gate: Callable[..., Gate]) -> None:
    """A provider that always fails costs its changes, counted, and never the commit."""
    calls: list[str] = []

    def send(change: MirroredChange) -> None:
        calls.append(change.content)
        if change.content != "three":
            raise ConnectionError

    mirror = Mirror(send, attempts=2, pause=0.001)
    gate = make_gate(mirror=mirror)
    for text in ("one", "two", "three"):
        assert gate.submit(req("add", text)).saved
    assert mirror.drain()
    assert calls == ["one", "one", "two", "two", "three"]
    assert (mirror.sent, mirror.given_up) == (1, 2)


def test_a_stuck_provider_does_not_hold_the_writer(make_gate: Callable[..., Gate]) -> None:
    """Writes go on at once while a call hangs; of too many changes the oldest are given up, and counted."""
    release = threading.Event()
    mirror = Mirror(lambda _: release.wait(10), depth=2, limit=0.01)
    gate = make_gate(mirror=mirror)
    start = time.monotonic()
    for number in range(6):
        assert gate.submit(req("add", f"fact {number}")).saved
    assert time.monotonic() - start < 5
    release.set()
    assert mirror.close() == 0
    assert mirror.given_up >= 2
    assert mirror.given_up + mirror.sent == 6


def test_nothing_goes_out_after_closing(make_gate: Callable[..., Gate]) -> None:
    """A closed mirror sends nothing; the store still takes changes, and the next mirror sends them."""
    seen: list[MirroredChange] = []
    mirror = Mirror(seen.append)
    mirror.close()
    assert make_gate(mirror=mirror).submit(req("add", "one")).saved
    assert (seen, mirror.sent, mirror.waiting()) == ([], 0, 1)
    after = Mirror(seen.append)
    make_gate(mirror=after)
    assert after.drain()
    assert [item.content for item in seen] == ["one"]


def test_a_secret_in_one_field_is_masked_in_all(gate: Gate) -> None:
    """The value that a rule finds in one text is masked in the others too, and so is any long mixed run."""
    key, run = "key." + "12345678", "aB3" * 10
    masked = mask_all({"a": f"use {key}", "b": f"x{key}y", "c": f"id {run}", "d": "plain"}, MEMORY, gate.screener)
    assert masked == {
        "a": "use [secret: maybe-key]",
        "b": "x[secret: maybe-key]y",
        "c": "id [opaque value]",
        "d": "plain",
    }


def told_again(make_gate: Callable[..., Gate]) -> list[MirroredChange]:
    """What a new mirror of the home sends."""
    seen: list[MirroredChange] = []
    mirror = Mirror(seen.append)
    make_gate(mirror=mirror)
    assert mirror.close() == 0
    return seen


needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork of POSIX")


def killed(make_gate: Callable[..., Gate], send: Callable[[MirroredChange], object], count: int) -> None:
    """A process that commits changes and ends without a word."""
    child = os.fork()
    if child == 0:
        try:
            gate = make_gate(mirror=Mirror(send))
            for number in range(count):
                assert gate.submit(req("add", f"fact {number}")).saved
            os.kill(os.getpid(), signal.SIGKILL)
        finally:
            os._exit(1)
    assert os.WTERMSIG(os.waitpid(child, 0)[1]) == signal.SIGKILL


@needs_fork
def test_what_was_committed_before_a_kill_is_sent_after_it(make_gate: Callable[..., Gate]) -> None:
    """A process that is killed before it has sent anything loses nothing: the next one sends it, in order."""
    killed(make_gate, lambda _: time.sleep(60), 5)
    assert [item.content for item in told_again(make_gate)] == [f"fact {number}" for number in range(5)]
    assert told_again(make_gate) == []


@needs_fork
def test_kills_at_any_moment_send_each_change_in_order(make_gate: Callable[..., Gate], tmp_path: Path) -> None:
    """Whenever the sender is killed, every change is sent at least once, in order, and a repeat has the same id."""
    log, rng = tmp_path / "log", random.Random(5)

    def send(change: MirroredChange) -> None:
        with log.open("a") as file:
            file.write(f"{change.id} {change.content}\n")

    first = Mirror(send, depth=100_000)
    make_gate(mirror=first).submit(req("add", "start"))
    assert first.close() == 0
    for round_ in range(15):
        child = os.fork()
        if child == 0:
            try:
                gate = make_gate(mirror=Mirror(send, depth=100_000))
                for number in range(1_000):
                    gate.submit(req("replace", f"{round_} {number}", "start" if round_ + number == 0 else " "))
                    gate.submit(req("add", f"{round_} {number}"))
                    gate.submit(req("remove", old=f"{round_} {number}"))
            finally:
                os._exit(1)
        sent_before, more = log.read_bytes().count(b"\n"), rng.randrange(4, 16)
        deadline = time.monotonic() + 30  # however busy the machine is, the kill comes after some changes
        while log.read_bytes().count(b"\n") < sent_before + more and time.monotonic() < deadline:
            time.sleep(0.001)
        time.sleep(rng.random() * 0.01)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    gate = make_gate(mirror=(mirror := Mirror(send, depth=100_000)))
    gate.submit(req("add", "the end"))
    assert mirror.close(60.0) == 0
    sent = list(dict.fromkeys(log.read_text().splitlines()))
    records = list(gate.store.ledger.records())
    aborted = {record.facts["record"] for record in records if record.event == "aborted"}
    made = [
        f"{record.hash[:20]}.{part} {change['after'] or ''}"
        for record in records
        if record.event == "change" and record.seq not in aborted and record.body
        for part, change in enumerate(record.body["changes"])
    ]
    assert len(made) > 15 * 4
    assert sent == made


def test_changes_of_others_are_sent_too(make_gate: Callable[..., Gate]) -> None:
    """What another process commits without a mirror is sent by the one that has it."""
    seen: list[MirroredChange] = []
    mirror = Mirror(seen.append, poll=0.01)
    make_gate(mirror=mirror)
    assert make_gate().submit(req("add", "from the command line")).saved
    deadline = time.monotonic() + 5
    while not seen and time.monotonic() < deadline:
        time.sleep(0.01)
    assert [item.content for item in seen] == ["from the command line"]
    mirror.close()


def test_what_was_written_before_there_was_a_mirror_stays_at_home(make_gate: Callable[..., Gate]) -> None:
    """The first mirror of a home begins with the next change."""
    make_gate().submit(req("add", "old"))
    assert told_again(make_gate) == []
    make_gate().submit(req("add", "new"))
    assert [item.content for item in told_again(make_gate)] == ["new"]


def test_two_mirrors_of_a_home_send_each_change_once(make_gate: Callable[..., Gate]) -> None:
    """Only one delivers at a time, and each goes on where the other ended."""
    seen: list[MirroredChange] = []
    mirrors = [Mirror(seen.append), Mirror(seen.append)]
    gates = [make_gate(mirror=mirror) for mirror in mirrors]
    for number in range(20):
        assert gates[number % 2].submit(req("add", f"fact {number}")).saved
    assert [mirror.close() for mirror in mirrors] == [0, 0]
    assert [item.content for item in seen] == [f"fact {number}" for number in range(20)]


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"seq": 1, "hash": "x", "size": 9, "part": 0}'])
def test_a_damaged_mark_is_told_and_set_aside(
    make_gate: Callable[..., Gate], tmp_path: Path, damage: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """A mark that cannot be used is kept beside, said aloud, and what comes next is sent."""
    first = Mirror(lambda _: None)
    make_gate(mirror=first).submit(req("add", "one"))
    assert first.close() == 0
    (tmp_path / "inkgate" / "mirror.json").write_bytes(damage)
    assert told_again(make_gate) == []
    assert "set aside" in caplog.text
    aside = list((tmp_path / "inkgate").glob("mirror.json.broken.*"))
    assert [path.read_bytes() for path in aside] == [damage]
    make_gate().submit(req("add", "two"))
    assert [item.content for item in told_again(make_gate)] == ["two"]


def test_an_interrupted_write_is_not_sent_and_holds_nothing_up(
    make_gate: Callable[..., Gate], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A change that is in the ledger and never came to the file does not reach the service."""
    told_again(make_gate)
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        with pytest.raises(KeyboardInterrupt):
            make_gate().submit(req("add", "never"))
    make_gate().submit(Request(Target.USER, (Operation(Action.ADD, "for the user"),)))
    assert [item.content for item in told_again(make_gate)] == ["for the user"]
    make_gate().submit(req("add", "later"))
    assert [item.content for item in told_again(make_gate)] == ["later"]


def test_a_purge_and_a_new_ledger_hold_nothing_up(make_gate: Callable[..., Gate]) -> None:
    """The mark holds when the ledger is rewritten by a purge, and what a new ledger brings is sent."""
    gate = make_gate()
    told_again(make_gate)
    gate.submit(req("add", "leaked text"))
    gate.submit(req("add", "one"))
    assert [item.content for item in told_again(make_gate)] == ["leaked text", "one"]
    gate.submit(req("add", "two"))
    gate.store.ledger.purge("leaked text", Origin("ann"), "leaked")
    assert [item.content for item in told_again(make_gate)] == ["two"]
    gate.store.ledger.restart(Origin("ann"), "trial")
    gate.submit(req("add", "three"))
    assert [item.content for item in told_again(make_gate)] == ["three"]


def test_a_batch_goes_on_in_its_middle(make_gate: Callable[..., Gate]) -> None:
    """Of a batch whose first part was sent, the others follow; the names of what they replace are whole entries."""
    told_again(make_gate)
    gate = make_gate()
    gate.submit(req("add", "tea"))
    steps = (Operation(Action.REPLACE, "coffee", "te"), Operation(Action.ADD, "cups"))
    gate.submit(Request(MEMORY, steps, batch=True))
    seen: list[MirroredChange] = []
    mirror = Mirror(lambda change: seen.append(change) or (len(seen) == 2 and mirror._stop.set()))
    make_gate(mirror=mirror)
    deadline = time.monotonic() + 5
    while not mirror._stop.is_set() and time.monotonic() < deadline:
        time.sleep(0.005)
    mirror.close(0)
    assert [(item.content, item.metadata.get("old_text")) for item in seen] == [("tea", None), ("coffee", "tea")]
    assert [item.content for item in told_again(make_gate)] == ["cups"]


def test_a_mark_that_cannot_be_written_does_not_repeat_what_was_sent(
    make_gate: Callable[..., Gate], monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a full disk the sender goes on from where it is, and is told once why the mark stays behind."""
    seen: list[MirroredChange] = []
    mirror = Mirror(seen.append, poll=0.005)
    gate = make_gate(mirror=mirror)

    def full(*_: object) -> None:
        raise StoreError("no space")

    monkeypatch.setattr("inkgate.gate.outbox.Outbox._save", full)
    for number in range(3):
        assert gate.submit(req("add", f"fact {number}")).saved
    assert mirror.drain()
    time.sleep(0.05)
    assert [item.content for item in seen] == ["fact 0", "fact 1", "fact 2"]
    mirror.close()


def test_what_is_no_change_is_read_once(make_gate: Callable[..., Gate], monkeypatch: pytest.MonkeyPatch) -> None:
    """A flood of refusals is not read again at every look, and what comes after it is sent."""
    seen: list[MirroredChange] = []
    mirror = Mirror(seen.append)
    gate = make_gate(mirror=mirror)
    for number in range(5):
        gate.submit(req("remove", old=f"missing {number}"))
    assert mirror.drain()
    read: list[int] = []
    after = Ledger.after

    def watch(self: Ledger, state: Walk) -> list[tuple[Record, Walk]] | None:
        found = after(self, state)
        read.append(len(found or []))
        return found

    monkeypatch.setattr(Ledger, "after", watch)
    assert mirror.waiting() == 0
    assert set(read) == {0}  # the sender may look by itself meanwhile
    gate.submit(req("add", "one"))
    assert mirror.close() == 0
    assert [item.content for item in seen] == ["one"]
