"""The store beside a tiny model of it, under random operations, hand edits, reloads and a second session."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from inkgate.gate import Gate, MemorySession, Settings, review
from inkgate.gate.gate import Reviewer
from inkgate.model import ScanResult, Target, Verdict
from inkgate.store import Durability
from inkgate.store.entries import join, joined_length
from inkgate.store.provenance import current, history

CAP = 60
WORDS = st.sampled_from(["alpha", "beta", "gamma delta", "alphabet", "long entry of some length", "é字", "two\nlines"])
PIECES = st.sampled_from(["alpha", "beta", "a", "gamma", "long", "zzz", "lines", "é"])


class _Model:
    """What the entries should be: the rules of the store in twenty lines."""

    def __init__(self) -> None:
        self.entries: list[str] = []
        self.ever: set[str] = set()

    def find(self, piece: str) -> str | None:
        hits = [item for item in self.entries if item == piece] or [item for item in self.entries if piece in item]
        return hits[0] if len(hits) == 1 else None

    def attempt(self, after: list[str]) -> bool:
        after = list(dict.fromkeys(after))
        size = joined_length(after)
        if size > CAP and size >= joined_length(self.entries):
            return after == self.entries
        self.entries = after
        self.ever.update(after)
        return True


class MemoryMachine(RuleBasedStateMachine):
    """Two sessions on one home."""

    @initialize()
    def begin(self) -> None:
        """An empty home."""
        self.home = Path(tempfile.mkdtemp(prefix="inkgate-machine-"))
        scan = lambda text, target: ScanResult(Verdict.ALLOW)  # noqa: E731
        options = {
            "scan": scan,
            "durability": Durability.NONE,
            "settings": Settings.from_mapping({"memory": {"cap": CAP}}),
        }
        self.gate = Gate(self.home, **options)
        self.sessions = [MemorySession(self.gate), MemorySession(Gate(self.home, **options))]
        self.model = _Model()
        self.refresh()

    def teardown(self) -> None:
        """Remove the home."""
        if hasattr(self, "home"):
            shutil.rmtree(self.home)

    def call(self, who: int, **arguments: object) -> bool:
        """One tool call in a turn of its own, by a session that knows how the file stands."""
        session = self.sessions[who]
        session.refresh()
        return session.call({"target": "memory", **arguments})["success"] is True

    @rule(who=st.integers(0, 1), content=WORDS)
    def add(self, who: int, content: str) -> None:
        """Add, when it fits or is there."""
        fits = content in self.model.entries or self.model.attempt([*self.model.entries, content])
        assert self.call(who, action="add", content=content) is fits

    @rule(who=st.integers(0, 1), piece=PIECES, content=WORDS)
    def replace(self, who: int, piece: str, content: str) -> None:
        """Replace the one entry that is meant, when the result fits."""
        found = self.model.find(piece)
        wanted = False
        if found is not None:
            rest = [item for item in self.model.entries if item != found]
            place = self.model.entries.index(found)
            after = rest if content in rest else [*rest[:place], content, *rest[place:]]
            wanted = self.model.attempt(after)
        assert self.call(who, action="replace", old_text=piece, content=content) is wanted

    @rule(who=st.integers(0, 1), piece=PIECES)
    def remove(self, who: int, piece: str) -> None:
        """Remove the one entry that is meant."""
        found = self.model.find(piece)
        wanted = found is not None and self.model.attempt([item for item in self.model.entries if item != found])
        assert self.call(who, action="remove", old_text=piece) is wanted

    @rule(who=st.integers(0, 1), content=WORDS, piece=PIECES)
    def batch(self, who: int, content: str, piece: str) -> None:
        """Add and remove in one go, all or nothing."""
        before = list(self.model.entries)
        grown = before if content in before else [*before, content]
        self.model.entries = grown
        found = self.model.find(piece)
        self.model.entries = before
        after = [item for item in grown if item != found]
        wanted = found is not None and bool(after or not before) and self.model.attempt(after)
        steps = [{"action": "add", "content": content}, {"action": "remove", "old_text": piece}]
        assert self.call(who, operations=steps) is wanted

    @rule(content=WORDS)
    def edit_by_hand(self, content: str) -> None:
        """Somebody appends to the file with an editor; no cap holds for them."""
        path = self.gate.store.path(Target.MEMORY)
        path.parent.mkdir(exist_ok=True)
        path.write_text(join([*self.model.entries, content]), encoding="utf-8")
        self.model.entries = list(dict.fromkeys([*self.model.entries, content]))

    @rule(data=st.data())
    def restore(self, data: st.DataObject) -> None:
        """A person brings an earlier version back, when it is gone and fits."""
        gone = [item for item in history(self.gate.store.ledger.records(), Target.MEMORY) if item.superseded_by]
        gone = [item for item in gone if item.text not in self.model.entries]
        if gone:
            version = data.draw(st.sampled_from(gone))
            review.restore(self.gate, Target.MEMORY, version.id, Reviewer("ann", "test"))
            self.model.entries = list(self.gate.store.read(Target.MEMORY).entries)

    @rule()
    def refresh(self) -> None:
        """A new session begins."""
        for session in self.sessions:
            session.refresh()

    @invariant()
    def the_file_is_as_the_model(self) -> None:
        """What is on the disk is what the model holds."""
        if hasattr(self, "model"):
            assert list(self.gate.store.read(Target.MEMORY).entries) == self.model.entries

    @invariant()
    def the_ledger_holds_and_tells_it_all(self) -> None:
        """The chain is whole, and every text that the gate ever stored is in the history."""
        if hasattr(self, "model"):
            ledger = self.gate.store.ledger
            assert ledger.verify().intact
            told = {version.text for version in history(ledger.records(), Target.MEMORY)}
            assert self.model.ever <= told
            for version in current(ledger.records(), Target.MEMORY).values():
                assert version.origin.author
                assert version.at


TestMemoryMachine = MemoryMachine.TestCase
TestMemoryMachine.settings = settings(max_examples=25, stateful_step_count=15, deadline=None)
