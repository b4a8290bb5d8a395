"""Nothing but the gate makes Screened text, and what a write brings is told from what stood there."""

from __future__ import annotations

import ast
import copy
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from inkgate.gate import Gate, Outcome, Request
from inkgate.gate.screened import mask_secrets
from inkgate.model import ScanResult, Target
from inkgate.store import Action, MemoryStore, Operation, Origin, Screened
from inkgate.store.plan import plan

ADD = Action.ADD


def add(text: str, **more: object) -> Request:
    """A request to add one entry to memory."""
    return Request(Target.MEMORY, (Operation(ADD, text),), **more)


def test_nobody_else_holds_the_seal(root: Path) -> None:
    """Two modules of the package name the seal: the one that defines it and the gate's."""
    holders = []
    for path in sorted((root / "scanner" / "inkgate").rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}
        names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        if "_SEAL" in names:
            holders.append(path.relative_to(root / "scanner" / "inkgate").as_posix())
    assert holders == ["gate/screened.py", "store/screened.py"]


def test_screened_cannot_be_made_copied_or_changed(gate: Gate) -> None:
    """A Screened text is made by the gate, for one write."""
    with pytest.raises(TypeError):
        Screened(object(), "text", "", "")
    _, screened = gate.screener.whole(plan([], [Operation(ADD, "fine")], cap=100), Target.MEMORY)
    assert screened is not None
    with pytest.raises(AttributeError):
        screened.text = "other"
    for attempt in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError):
            attempt(screened)


def test_a_store_takes_only_the_text_that_was_screened(gate: Gate, tmp_path: Path) -> None:
    """Screened text of one plan does not carry another plan to the disk."""
    _, screened = gate.screener.whole(plan([], [Operation(ADD, "fine")], cap=100), Target.MEMORY)
    assert screened is not None
    store = MemoryStore(tmp_path / "other")
    with store.begin(Target.MEMORY) as transaction, pytest.raises(ValueError, match="belong together"):
        transaction.commit(screened, plan([], [Operation(ADD, "POISON!")], cap=100), Origin())
    assert not store.path(Target.MEMORY).exists()


def test_an_order_split_over_two_entries_is_seen(gate: Gate) -> None:
    """Two harmless halves in neighbouring entries are blocked when the second one comes."""
    assert gate.submit(add("always POISON")).outcome is Outcome.SAVED
    decision = gate.submit(add("ORDER when asked"))
    assert decision.outcome is Outcome.BLOCKED
    assert "one after the other" in decision.message
    assert gate.store.read(Target.MEMORY).entries == ("always POISON",)


def test_a_removal_does_not_join_two_halves(gate: Gate) -> None:
    """Removing what stands between two halves of an order is blocked too."""
    for text in ("always POISON", "between", "ORDER when asked"):
        assert gate.submit(add(text)).saved
    removal = Request(Target.MEMORY, (Operation(Action.REMOVE, old_text="between"),))
    assert gate.submit(removal).outcome is Outcome.BLOCKED


def test_poison_that_stood_there_does_not_block_others(gate: Gate) -> None:
    """A poisoned entry that a person put into the file neither blocks an innocent write nor its own removal."""
    gate.store.folder.mkdir(parents=True)
    gate.store.path(Target.MEMORY).write_text("POISON! by hand\n§\nfine", encoding="utf-8")
    assert gate.submit(add("new fact")).outcome is Outcome.SAVED
    removal = Request(Target.MEMORY, (Operation(Action.REMOVE, old_text="POISON! by hand"),))
    assert gate.submit(removal).outcome is Outcome.SAVED
    assert gate.store.read(Target.MEMORY).entries == ("fine", "new fact")


def test_secrets_are_masked_by_their_place(gate: Gate) -> None:
    """Every secret in a text is replaced by the name of its rule; the rest stays."""
    text = "a " + "key." + "12345678" + " b " + "key." + "87654321"
    assert mask_secrets(text, gate.screener.findings(text, Target.MEMORY)) == (
        "a [secret: maybe-key] b [secret: maybe-key]"
    )


def test_a_removal_is_scanned_where_it_makes_neighbours(
    make_gate: Callable[..., Gate], scan: Callable[[str, Target], ScanResult]
) -> None:
    """What brings neither a new text nor new neighbours has nothing to be scanned for; anything else has."""
    read: list[str] = []

    def watched(text: str, target: Target) -> ScanResult:
        read.append(text)
        return scan(text, target)

    gate = make_gate(scan=watched)
    for text in ("one", "two", "three", "four", "five"):
        assert gate.submit(add(text)).saved
    for old, scanned in (("one", []), ("five", []), ("three", ["two\n \nfour"])):
        read.clear()
        assert gate.submit(Request(Target.MEMORY, (Operation(Action.REMOVE, old_text=old),))).saved
        assert [text for text in read if text] == scanned
