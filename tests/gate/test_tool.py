"""The memory tool of a session: schema, replies, the failures of a turn, the frozen snapshot."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inkgate.gate import Gate, MemorySession, Settings, tool_schema
from inkgate.model import ScanResult, Target
from inkgate.store import Durability, Origin
from inkgate.store.entries import join, parse

MEMORY = Target.MEMORY


@pytest.fixture(name="session")
def _session(gate: Gate) -> MemorySession:
    session = MemorySession(gate)
    session.refresh()
    return session


def add(session: MemorySession, text: str, **more: Any) -> dict[str, Any]:
    """Add one entry."""
    return session.call({"action": "add", "target": "memory", "content": text, **more})


def test_the_schema_is_plain() -> None:
    """Required fields stand at the top, there are no combinators, and only the targets that are on are offered."""
    text = json.dumps(tool_schema((Target.USER,)))
    assert tool_schema()["parameters"]["required"] == ["target"]
    assert not any(word in text for word in ("oneOf", "anyOf", "allOf", '"not"'))
    assert tool_schema((Target.USER,))["parameters"]["properties"]["target"]["enum"] == ["user"]


@pytest.mark.parametrize("arguments", ["not json", "[1]", "3", "null", '{"action": 4}', '{"operations": "x"}'])
def test_any_arguments_get_an_answer(session: MemorySession, arguments: str) -> None:
    """Whatever a model sends, the answer is JSON with a reason, and nothing is saved."""
    reply = json.loads(session.call_json(arguments))
    assert reply["success"] is False
    assert reply["error"]
    assert session.gate.store.read(MEMORY).entries == ()


PIECES = st.text(st.sampled_from("a§\n\r\ufeff\u200b\u2028\x00é字 \ud800"), max_size=6)
VALUES = PIECES | st.none() | st.integers() | st.lists(PIECES, max_size=2)
STEPS = st.dictionaries(
    st.sampled_from(["action", "content", "old_text", "new_text", "matched_entry"]),
    st.sampled_from(["add", "replace", "remove"]) | VALUES,
)
CALLS = st.builds(
    lambda step, more: {**step, **more},
    STEPS,
    st.fixed_dictionaries(
        {}, optional={"target": st.sampled_from(["memory", "user"]) | VALUES, "operations": st.lists(STEPS) | VALUES}
    ),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(calls=st.lists(CALLS, min_size=1, max_size=8))
def test_any_calls_leave_a_file_that_is_read_back(
    tmp_path_factory: pytest.TempPathFactory, scan: Callable[[str, Target], ScanResult], calls: list[dict[str, object]]
) -> None:
    """Whatever is called in whatever order: an answer each time, entries that come back, and a ledger that holds."""
    gate = Gate(tmp_path_factory.mktemp("home"), scan=scan, durability=Durability.NONE)
    session = MemorySession(gate)
    session.refresh()
    for call in calls:
        reply = json.loads(session.call_json(call).encode("utf-8"))
        assert isinstance(reply["success"], bool)
        session.budget.reset()
    for target in (MEMORY, Target.USER):
        entries = gate.store.read(target).entries
        assert tuple(parse(join(entries))) == entries
    assert gate.store.ledger.verify().intact


@pytest.mark.parametrize(
    "arguments",
    [
        {"action": "\ud800"},
        {"action": "add", "target": "\ud800", "content": "x"},
        {"action": "add", "content": "\udfff"},
        {"action": "remove", "old_text": "\ud800"},
        {"operations": [{"action": "\ud800"}]},
        {"operations": [{"action": "remove", "old_text": "\ud800"}]},
    ],
)
def test_half_a_character_does_not_come_back(session: MemorySession, arguments: dict[str, object]) -> None:
    """An answer to broken text can be written and sent on."""
    reply = session.call_json(arguments)
    assert json.loads(reply.encode("utf-8"))["success"] is False


def test_characters_outside_ascii_are_kept(session: MemorySession) -> None:
    """The reply is readable in every script."""
    session.call({"action": "add", "target": "user", "content": "名前は花子"})
    assert "名前は花子" in session.call_json({"action": "remove", "target": "user", "old_text": "花子"})


def test_the_snapshot_is_frozen_until_it_is_refreshed(session: MemorySession) -> None:
    """Later writes change the disk and the live entries, and the prompt only at the next start or compression."""
    add(session, "one")
    session.refresh()
    frozen = session.snapshot(MEMORY).text
    add(session, "two")
    assert session.snapshot(MEMORY).text == frozen
    assert session.entries[MEMORY] == ["one", "two"]
    session.refresh()
    assert "two" in session.snapshot(MEMORY).text


def test_poison_is_masked_in_every_reply(session: MemorySession) -> None:
    """Inventory, previews and superseded texts do not carry poison of the file to the model."""
    session.gate.store.folder.mkdir(parents=True)
    session.gate.store.path(MEMORY).write_text("POISON! a\n§\nPOISON! b\n§\nfine", encoding="utf-8")
    session.refresh()
    missing = session.call({"action": "remove", "target": "memory", "old_text": "zzz"})
    ambiguous = session.call({"action": "remove", "target": "memory", "old_text": "!"})
    removed = session.call({"action": "remove", "target": "memory", "old_text": "! a"})
    assert removed["success"] is True
    for reply in (missing, ambiguous, removed):
        assert "POISON" not in json.dumps(reply)
    assert missing["current_entries"][2] == "fine"


@pytest.mark.parametrize("old_text", ["zzz", "fact"])
def test_three_failures_are_enough(session: MemorySession, old_text: str) -> None:
    """A missing and an ambiguous piece both count; the fourth answer ends the matter and shows no inventory."""
    add(session, "fact one")
    add(session, "fact two")
    arguments = {"action": "remove", "target": "memory", "old_text": old_text}
    replies = [session.call(arguments) for _ in range(5)]
    assert ["done" in reply for reply in replies] == [False, False, False, True, True]
    assert replies[3]["success"] is False
    assert "Stop retrying" in replies[3]["error"]
    assert "current_entries" not in replies[3]
    session.budget.reset()
    assert "done" not in session.call(arguments)


def test_a_conflict_counts_too(session: MemorySession) -> None:
    """A refusal because of an edit from outside is not repeated for ever."""
    add(session, "likes brevity")
    session.gate.store.path(MEMORY).write_text("likes brevity\nand more", encoding="utf-8")
    arguments = {"action": "replace", "target": "memory", "old_text": "likes", "content": "x"}
    replies = [session.call(arguments) for _ in range(4)]
    assert ["drift_backup" in reply for reply in replies] == [True, True, True, False]
    assert replies[3]["done"] is True


def test_what_changes_nothing_does_not_re_arm(session: MemorySession) -> None:
    """After failures, adding what is there is no progress; a real change is."""
    add(session, "fact")
    bad = {"action": "remove", "target": "memory", "old_text": "zzz"}
    session.call(bad)
    session.call(bad)
    assert add(session, "fact")["success"] is True
    assert session.call(bad)["done"] is True
    assert add(session, "new fact")["success"] is True
    assert "done" not in session.call(bad)


def test_a_block_names_rule_place_and_remedy(session: MemorySession) -> None:
    """And not the payload; it does not count, because trying again is not the problem."""
    for _ in range(6):
        reply = add(session, "first line\nthen POISON! payload-words")
        assert "done" not in reply
    assert reply["blocked_by"] == [{"rule": "poison-order", "line": 2, "column": 6, "severity": "high"}]
    assert "payload-words" not in json.dumps(reply)
    assert "inkgate review accept" in reply["error"]


def two_sessions(gate: Gate) -> tuple[MemorySession, MemorySession]:
    """Two conversations that have read the same memory, which holds one entry."""
    first = MemorySession(gate, Origin(session="one"))
    first.refresh()
    add(first, "the port is 8000")
    second = MemorySession(gate, Origin(session="two"))
    second.refresh()
    return first, second


@pytest.mark.parametrize("action", ["replace", "remove", "batch"])
def test_contradictory_changes_of_two_sessions_wait_side_by_side(gate: Gate, action: str) -> None:
    """A piece of text that happens to name what another session wrote meanwhile overwrites nothing."""
    late, early = two_sessions(gate)
    assert early.call({"action": "replace", "target": "memory", "old_text": "port", "content": "the port is 9000"})[
        "success"
    ]
    step = {"action": "remove" if action == "remove" else "replace", "old_text": "port"}
    if action != "remove":
        step["content"] = "the port is 7000"
    call = {"target": "memory", "operations": [step]} if action == "batch" else {"target": "memory", **step}
    reply = late.call(call)
    assert reply["success"] is False
    assert reply["overtaken_by"] == "agent"
    assert gate.store.read(MEMORY).entries == ("the port is 9000",)
    (waiting,) = gate.pending.writes("memory")
    assert waiting.id == reply["conflict_id"]
    assert "the port is 9000" in json.dumps(waiting.payload)
    if action != "batch":  # the reply has shown the entry: the next call is about it as it is
        assert reply["current_entries"] == ["the port is 9000"]
        assert late.call(call)["success"]
    else:
        assert late.call(call)["success"] is False


def test_a_session_may_change_what_it_has_seen_or_written(gate: Gate) -> None:
    """Its own entries, those of its snapshot, and those that it names in full, whoever wrote them."""
    first, second = two_sessions(gate)
    add(first, "tea in the morning")
    swap = {"action": "replace", "target": "memory", "content": "coffee", "old_text": "tea"}
    assert first.call(swap)["success"]
    assert second.call({"action": "remove", "target": "memory", "old_text": "coffee"})["success"]
    assert second.call({"action": "replace", "target": "memory", "content": "no port", "old_text": "8000"})["success"]
    first.refresh()
    assert first.call({"action": "remove", "target": "memory", "old_text": "port"})["success"]


def test_an_inventory_that_was_not_shown_is_not_seen(gate: Gate) -> None:
    """A batch that fails shows no entries, so that the next call is as blind as it was."""
    late, early = two_sessions(gate)
    add(early, "tea in the morning")
    steps = [{"action": "remove", "old_text": "nothing of the kind"}]
    assert "current_entries" not in late.call({"target": "memory", "operations": steps})
    assert late.call({"action": "remove", "target": "memory", "old_text": "tea"})["overtaken_by"] == "agent"
    assert "tea in the morning" in gate.store.read(MEMORY).entries


def test_a_text_that_can_never_fit_is_not_made_room_for(make_gate: Callable[..., Gate]) -> None:
    """What is longer than the whole cap has to be said shorter, and the reply says how short."""
    session = MemorySession(make_gate(settings=Settings.from_mapping({"memory": {"cap": 30}})))
    session.refresh()
    assert "at most 30 characters" in add(session, "y" * 40)["error"]
    add(session, "x" * 20)
    reply = add(session, "y" * 40)
    assert "at most 7 characters" in reply["error"]
    assert add(session, "y" * 7)["success"]
    assert "much shorter" in add(session, "z" * 31)["error"]
    assert "`operations`" in add(session, "z" * 30)["error"]


def test_over_the_cap_the_reply_is_complete(make_gate: Callable[..., Gate]) -> None:
    """Inventory, usage, the exact excess and the next call, for one entry and for a batch."""
    session = MemorySession(make_gate(settings=Settings.from_mapping({"memory": {"cap": 30}})))
    session.refresh()
    add(session, "x" * 25)
    single = add(session, "y" * 10)
    batch = session.call({"target": "memory", "operations": [{"action": "add", "content": "y" * 10}]})
    for reply in (single, batch):
        assert reply["current_entries"] == ["x" * 25]
        assert reply["usage"] == "25/30"
        assert reply["overflow"] == 8
        assert "operations" in reply["error"]


def test_the_write_of_another_session_is_no_conflict(gate: Gate) -> None:
    """Two sessions work on the same entries; only edits around the gate are conflicts."""
    first, second = MemorySession(gate), MemorySession(gate)
    first.refresh()
    second.refresh()
    add(first, "shared fact")
    reply = second.call({"action": "replace", "target": "memory", "old_text": "shared", "content": "better fact"})
    assert reply["replaced_entry"] == "shared fact"
