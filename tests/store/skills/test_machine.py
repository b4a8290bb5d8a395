"""The store beside a tiny model of it, under random writes, hands that write beside it, and restores."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from inkgate.gate.gate import Reviewer
from inkgate.gate.skills import SkillGate
from inkgate.lint.skills.check import SkillCheck
from inkgate.model import Verdict
from inkgate.policy import Trust
from inkgate.store import Durability
from inkgate.store.skills import SkillAction, SkillRequest, Tree

A = SkillAction
ANN = Reviewer("ann", "test")
PATHS = st.sampled_from(["scripts/a.sh", "references/b.md", "assets/c", "assets/d/e"])
TEXTS = st.sampled_from(["one", "two", "one two", "#!x", "é\n"])

State = dict[str, bytes]


def manifest(text: str) -> str:
    """A SKILL.md with a body."""
    return f"---\nname: tea\ndescription: d\n---\n{text}"


class SkillMachine(RuleBasedStateMachine):
    """Two gates on one home, and a hand."""

    @initialize()
    def begin(self) -> None:
        """An empty home."""
        self.home = Path(tempfile.mkdtemp(prefix="inkgate-skills-"))

        def clear(name: str, tree: Tree) -> SkillCheck:
            return SkillCheck(Verdict.ALLOW, (), (), len(tree), Trust.COMMUNITY)

        self.gates = [SkillGate(self.home, scan=clear, durability=Durability.NONE) for _ in range(2)]
        self.folder = self.home / "skills" / "tea"
        self.state: State = {}
        self.archive: State = {}
        self.seen: list[State] = []
        self.touched = False  # whether a hand has written since the gate last looked

    def teardown(self) -> None:
        """Remove the home."""
        if hasattr(self, "home"):
            shutil.rmtree(self.home)

    def submit(self, who: int, request: SkillRequest, wanted: State | None) -> None:
        """Make a write; it is saved exactly when the model says what it makes."""
        gate = self.gates[who]
        before = dict(self.state)
        decision = gate.replay(request, ANN)  # a person has looked at it: no drift, and restores go on
        self.seen.append(before)
        assert decision.saved is (wanted is not None), (request, decision)
        if wanted is not None:
            self.state = wanted
            self.seen.append(dict(wanted))
        self.touched = False

    @rule(who=st.integers(0, 1), text=TEXTS, path=PATHS, more=TEXTS)
    def create(self, who: int, text: str, path: str, more: str) -> None:
        """Only where there is none."""
        wanted = {"SKILL.md": manifest(text).encode(), path: more.encode()}
        request = SkillRequest(A.CREATE, "tea", text=manifest(text), files={path: more})
        self.submit(who, request, None if self.state else wanted)

    @rule(who=st.integers(0, 1), text=TEXTS, path=PATHS, more=TEXTS)
    def edit(self, who: int, text: str, path: str, more: str) -> None:
        """The SKILL.md and a file at once."""
        wanted = {**self.state, "SKILL.md": manifest(text).encode(), path: more.encode()} if self.state else None
        self.submit(who, SkillRequest(A.EDIT, "tea", text=manifest(text), files={path: more}), wanted)

    @rule(who=st.integers(0, 1), path=PATHS, text=TEXTS)
    def write(self, who: int, path: str, text: str) -> None:
        """One file."""
        wanted = {**self.state, path: text.encode()} if self.state else None
        self.submit(who, SkillRequest(A.WRITE, "tea", path=path, text=text), wanted)

    @rule(who=st.integers(0, 1), path=PATHS, old=TEXTS, new=TEXTS)
    def patch(self, who: int, path: str, old: str, new: str) -> None:
        """A piece that stands there once."""
        text = self.state.get(path, b"").decode()
        once = sum(text.startswith(old, at) for at in range(len(text))) == 1
        wanted = {**self.state, path: text.replace(old, new).encode()} if once else None
        request = SkillRequest(A.PATCH, "tea", path=path, old_text=old, text=new, reason="because")
        self.submit(who, request, wanted)

    @rule(who=st.integers(0, 1), path=PATHS)
    def remove(self, who: int, path: str) -> None:
        """One file that is there."""
        wanted = {key: data for key, data in self.state.items() if key != path} if path in self.state else None
        self.submit(who, SkillRequest(A.REMOVE, "tea", path=path), wanted)

    @rule(who=st.integers(0, 1))
    def put_away(self, who: int) -> None:
        """Archive, when there is something."""
        state = self.state
        self.submit(who, SkillRequest(A.ARCHIVE, "tea"), {} if state else None)
        if state:
            self.archive = state

    @rule(who=st.integers(0, 1))
    @precondition(lambda self: self.archive or self.state)
    def bring_back(self, who: int) -> None:
        """Restore what was archived last, when no skill is there."""
        wanted = dict(self.archive) if self.archive and not self.state else None
        self.submit(who, SkillRequest(A.RESTORE, "tea"), wanted)
        if wanted is not None:
            self.archive = {}

    @rule(who=st.integers(0, 1), data=st.data())
    def go_back(self, who: int, data: st.DataObject) -> None:
        """Bring any whole version back, whatever is there."""
        store = self.gates[who].store
        versions = [version for version in store.history("tea") if version.files and not version.late]
        if versions:
            version = data.draw(st.sampled_from(versions))
            wanted = {path: file.data for path, file in store.files_of("tea", version.id).items()}
            self.submit(who, SkillRequest(A.RESTORE, "tea", version=version.id), wanted)

    @rule(path=PATHS | st.just("SKILL.md"), text=TEXTS | st.none())
    @precondition(lambda self: self.state)
    def hand(self, path: str, text: str | None) -> None:
        """Somebody writes or removes a file with an editor, perhaps back to what it was."""
        target = self.folder / path
        if text is None:
            if path != "SKILL.md":
                target.unlink(missing_ok=True)
                self.state.pop(path, None)
        else:
            data = manifest(text).encode() if path == "SKILL.md" else text.encode()
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            self.state[path] = data
        self.touched = True

    @invariant()
    def the_disk_is_as_the_model(self) -> None:
        """The files are those of the model, and no other folder is a skill."""
        if not hasattr(self, "state"):
            return
        found = {
            path.relative_to(self.folder).as_posix(): path.read_bytes()
            for path in self.folder.rglob("*")
            if path.is_file()
        }
        assert found == self.state
        assert [item.name for item in self.gates[0].store.list()] == (["tea"] if self.state else [])

    @invariant()
    def every_state_can_be_read_again(self) -> None:
        """Whatever the gate has ever seen or made is a version whose files are all there, with author and date."""
        if not hasattr(self, "state"):
            return
        gate = self.gates[1]
        assert gate.ledger.verify().intact
        told: list[Any] = []
        for version in gate.store.history("tea"):
            assert version.origin.author
            assert version.origin.source
            assert version.at
            if version.files:
                told.append({path: gate.store.read_version("tea", version.id, path) for path in version.files})
        for state in self.seen:
            assert not state or state in told


TestSkillMachine = SkillMachine.TestCase
TestSkillMachine.settings = settings(max_examples=20, stateful_step_count=15, deadline=None)
