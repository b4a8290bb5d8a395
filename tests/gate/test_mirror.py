"""The mirror: everything committed, in order, masked, never in the way."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from inkgate.gate import Gate, Mirror, Request
from inkgate.gate.mirror import MirroredChange, mask_all
from inkgate.model import Target
from inkgate.store import Action, Operation

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
    """Writes go on at once while a call hangs; a full queue gives changes up instead of waiting."""
    release = threading.Event()
    mirror = Mirror(lambda _: release.wait(10), depth=2, limit=0.01)
    gate = make_gate(mirror=mirror)
    start = time.monotonic()
    for number in range(6):
        assert gate.submit(req("add", f"fact {number}")).saved
    assert time.monotonic() - start < 5
    assert mirror.given_up >= 2
    release.set()
    assert mirror.close() == 0


def test_nothing_goes_out_after_closing(make_gate: Callable[..., Gate]) -> None:
    """A closed mirror takes no changes; the store still does."""
    seen: list[MirroredChange] = []
    mirror = Mirror(seen.append)
    mirror.close()
    assert make_gate(mirror=mirror).submit(req("add", "one")).saved
    assert (seen, mirror.given_up) == ([], 1)


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
