"""The vault under random writers, hand edits, conflicts and decisions: provenance holds, nothing is lost."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from inkgate.gate import Outcome, Settings
from inkgate.gate.gate import Reviewer
from inkgate.gate.tierplan import TierDecision
from inkgate.gate.vault import VaultGate
from inkgate.gate.vaultrequest import VaultRequest
from inkgate.model import ScanResult, Verdict
from inkgate.store import Durability, Origin
from inkgate.store.vault.verify import verify

NAMES = st.sampled_from(["a", "b", "Sub/a", "Sub/c", "A", "Sub/Deep/d"])
WHO = st.sampled_from(["ann", "bob", "cron"])
ANN = Reviewer("ann", "test")
FRONT = st.sampled_from(["", "---\ntags: [x]  # y\n---\n", "---\r\nk: 'v'\r\n---\r\n"])


class VaultMachine(RuleBasedStateMachine):
    """Writers that have read the notes, or have not, or long ago."""

    @initialize()
    def begin(self) -> None:
        """Two notes of the gate, two of a person."""
        self.home = Path(tempfile.mkdtemp(prefix="inkgate-vault-"))
        self.root = self.home / "vault"
        self.root.mkdir()
        self.count = 0
        self.texts: set[str] = set()  # every text that anybody has ever brought in, and was not refused
        self.read: dict[str, str] = {}  # digests as the writers have read them, some time
        self.reopen()
        for name in ("a", "Sub/Deep/d"):
            self._submit("ann", "create", name, "# H\n\n" + self._text())
        for name in ("b", "Sub/c"):
            self.edit_by_hand(name)

    def teardown(self) -> None:
        """Remove the home."""
        if hasattr(self, "home"):
            shutil.rmtree(self.home)

    @rule()
    def reopen(self) -> None:
        """Another process."""
        self.gate = VaultGate(
            self.home, scan=lambda text, target: ScanResult(Verdict.ALLOW), durability=Durability.NONE,
            settings=Settings.from_mapping({}),
        )  # fmt: skip

    def _text(self) -> str:
        self.count += 1
        return f"text {self.count} of somebody\n"

    def _submit(
        self, who: str, action: str, name: str, text: str = "", **more: str | bool | None
    ) -> TierDecision[VaultRequest]:
        origin = Origin(who, f"chat:{self.count}", background=who == "cron")
        decision = self.gate.submit(VaultRequest(action, name, text, origin=origin, **more))  # type: ignore[arg-type]
        assert decision.outcome is not Outcome.FAILED, decision.message
        if text and (decision.saved or decision.outcome is Outcome.STAGED or decision.code == "conflict"):
            self.texts.add(text)
        return decision

    @rule(name=NAMES)
    def look(self, name: str) -> None:
        """Somebody reads a note; what they know grows old."""
        if (self.root / f"{name}.md").exists():
            self.read[name] = self.gate.vault.read(name).digest

    @rule(name=NAMES, who=WHO, front=FRONT)
    def create(self, name: str, who: str, front: str) -> None:
        """A new note, or a name that is taken."""
        text = self._text()
        decision = self._submit(who, "create", name, front + text)
        if decision.code == "collision":
            self.texts.discard(front + text)
        elif front:
            self.texts.discard(front + text)
            self.texts.add(text if "\r" not in front else text.replace("\n", "\r\n"))

    @rule(name=NAMES, who=WHO, known=st.booleans())
    def append(self, name: str, who: str, known: bool) -> None:
        """More text."""
        self._submit(who, "append", name, self._text(), seen=self.read.get(name) if known else None)

    @rule(name=NAMES, who=WHO, known=st.booleans(), fresh=st.booleans())
    def replace(self, name: str, who: str, known: bool, fresh: bool) -> None:
        """Another text, from a writer that has read the note, just now or before, or not at all."""
        if fresh:
            self.look(name)
        self._submit(who, "replace", name, "# H\n\n" + self._text(), seen=self.read.get(name) if known else None)

    @rule(name=NAMES, who=WHO, known=st.booleans())
    def section(self, name: str, who: str, known: bool) -> None:
        """Another text under a heading."""
        self._submit(who, "section", name, self._text(), heading="H", seen=self.read.get(name) if known else None)

    @rule(name=NAMES, to=NAMES, who=WHO, links=st.booleans())
    def rename(self, name: str, to: str, who: str, links: bool) -> None:
        """Another name."""
        self.look(name)
        self._submit(who, "rename", name, to=to, links=links, seen=self.read.get(name))

    @rule(name=NAMES, to=NAMES, who=WHO, write=st.booleans())
    def supersede(self, name: str, to: str, who: str, write: bool) -> None:
        """Another note takes its place: a new one, or one that is there."""
        self.look(name)
        self._submit(who, "supersede", name, self._text() if write else "", to=to, seen=self.read.get(name))

    @rule(name=NAMES)
    def edit_by_hand(self, name: str) -> None:
        """Somebody writes a note, or adds to one, with an editor."""
        path = self.root / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = self._text()
        with path.open("ab") as file:
            file.write(text.encode())
        self.texts.add(text)

    @rule(data=st.data(), keep=st.sampled_from(["original", "quarantined", "both", "text"]))
    def decide(self, data: st.DataObject, keep: str) -> None:
        """A person resolves a conflict."""
        asides = self.gate.vault.conflicts()
        if asides:
            aside = data.draw(st.sampled_from(asides))
            self.count += 1
            request = VaultRequest(
                "resolve", aside.name, self._text() if keep == "text" else "", to=f"Kept {self.count}",
                origin=Origin("ann", "terminal"), keep=keep,
            )  # fmt: skip
            decision = self.gate.replay(request, ANN)
            assert decision.outcome is not Outcome.FAILED, decision.message
            if decision.saved and keep == "text":
                self.texts.add(request.text)

    @rule(data=st.data())
    def approve(self, data: st.DataObject) -> None:
        """A person applies a proposal, when it still can be."""
        waiting = self.gate.pending.writes("vault")
        if waiting:
            decision = self.gate.approve(data.draw(st.sampled_from(waiting)).id, ANN)
            assert decision.outcome is not Outcome.FAILED, decision.message

    @invariant()
    def provenance_and_pointers_hold(self) -> None:
        """Every note that the gate wrote says where it comes from; every pointer leads to a note and back."""
        if hasattr(self, "gate"):
            assert verify(self.gate.vault) == []

    @invariant()
    def no_text_is_unreachable(self) -> None:
        """Whatever was brought in stands in a note, in quarantine, in the ledger, or waits to be approved."""
        if hasattr(self, "gate"):
            kept = "\0".join(path.read_bytes().decode() for path in self.root.rglob("*.md") if path.is_file())
            records = self.gate.ledger.records()
            kept += "\0".join(str((record.body or {}).get("text", "")) for record in records)
            kept += "\0".join(str(write.payload["text"]) for write in self.gate.pending.writes("vault"))
            kept = kept.replace("\r\n", "\n")
            missing = [text for text in self.texts if text.strip().replace("\r\n", "\n") not in kept]
            assert missing == []

    @invariant()
    def every_version_is_found_from_the_name(self) -> None:
        """What stands in a note that the gate wrote last is the last version of its history."""
        if hasattr(self, "gate"):
            assert self.gate.ledger.verify().intact
            for note in self.gate.vault.notes():
                if self.gate.documents.known.get(note.name) == note.digest:
                    assert self.gate.vault.history(note.name)[-1].text == note.text

    @invariant()
    def nothing_is_left_over(self) -> None:
        """No temporary file, no intent."""
        if hasattr(self, "gate"):
            assert self.gate.vault.leftovers() == []


TestVaultMachine = VaultMachine.TestCase
TestVaultMachine.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
