"""The gate of file tiers, with a tier that only knows how to write a whole file and how to move one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from inkgate.gate import Outcome, Settings
from inkgate.gate.gate import Question, Reviewer
from inkgate.gate.tier import Planned, TierGate
from inkgate.model import InkgateError, Target, Verdict
from inkgate.store import Durability, NotUnderstoodError, Origin, RefusalError
from inkgate.store.edit import Edit
from inkgate.store.transaction import Transaction

ANN = Reviewer("ann", "test")
CRON = Origin("cron", "nightly", background=True)


@dataclass(frozen=True)
class Write:
    """Put a text into a file, or move it."""

    name: str
    text: str = ""
    action: str = "put"
    to: str = ""
    origin: Origin = field(default_factory=Origin)
    seen: str | None = None

    @property
    def adds(self) -> bool:
        """Whether it only adds."""
        return self.action == "new"

    @property
    def pieces(self) -> Mapping[str, str]:
        """What the writer brings."""
        return {"text": self.text, "name": self.to or self.name}


class Files(TierGate[Write]):
    """A tier of plain files."""

    subsystem = "plain"
    target = Target.VAULT

    def plan(self, transaction: Transaction, request: Write) -> Planned:
        """One file as a whole."""
        before = transaction.read(request.name)
        if request.action == "move":
            return Planned(
                (Edit(request.to, transaction.read(request.to), (before or b"").decode(), (0, 0), request.name),)
            )
        if request.seen is not None and (before or b"").decode() != request.seen:
            lost = Edit(f"aside/{request.name}", transaction.read(f"aside/{request.name}"), request.text)
            return Planned((lost,), refusal=RefusalError("conflict", "Somebody was faster."))
        if request.text == "refuse me":
            raise RefusalError("no", "No.", hint="Never.")
        if request.text == "nonsense":
            raise NotUnderstoodError("What?")
        return Planned((Edit(request.name, before, request.text, (0, len(request.text))),), facts={"size": 1})

    def payload(self, request: Write, planned: Planned) -> dict[str, Any]:
        """Everything, with what was seen."""
        before = planned.edits[0].before
        return {"name": request.name, "text": request.text, "action": request.action, "seen": (before or b"").decode()}

    def restore(self, payload: Mapping[str, Any], origin: Origin) -> Write:
        """Back again."""
        return Write(payload["name"], payload["text"], payload["action"], "", origin, payload["seen"])


Make = Callable[..., Files]


@pytest.fixture(name="tier")
def _tier(tmp_path: Path, scan: Any) -> Make:
    def make(**options: Any) -> Files:
        options = {"scan": scan, "durability": Durability.NONE, **options}
        return Files(tmp_path / "home", tmp_path / "files", **options)

    return make


def settings(**tables: Any) -> Settings:
    """Settings of the target."""
    return Settings.from_mapping(tables)


def test_a_clean_text_is_written_and_recorded(tier: Make, tmp_path: Path) -> None:
    """The file stands, the ledger has who, what and the whole text."""
    gate = tier()
    decision = gate.submit(Write("a/b.md", "fine", origin=Origin("bob", "chat:7")))
    assert decision.outcome is Outcome.SAVED
    assert decision.verdict is Verdict.ALLOW
    assert (tmp_path / "files/a/b.md").read_text() == "fine"
    record = list(gate.ledger.records())[-1]
    assert (record.event, record.key, record.origin.source) == ("change", "plain/a/b.md", "chat:7")
    assert record.body is not None
    assert record.body["text"] == "fine"
    assert record.facts["size"] == 1
    assert gate.submit(Write("a/b.md", "fine")).outcome is Outcome.UNCHANGED


def test_every_text_of_the_writer_is_screened(tier: Make, tmp_path: Path) -> None:
    """A poisoned text, and a poisoned name, are blocked; the answer names rule and place and not the text."""
    gate = tier()
    for request, piece in ((Write("a.md", "x\nPOISON!"), "text"), (Write("POISON!.md", "x"), "name")):
        decision = gate.submit(request)
        assert decision.outcome is Outcome.BLOCKED
        assert decision.piece == piece
        assert "poison-order" in decision.message
        assert "POISON!" not in decision.message
        assert not (tmp_path / "files" / request.name).exists()
        assert list(gate.ledger.records())[-1].event == "block"


def test_what_stood_in_the_file_is_left_to_its_owner(tier: Make, tmp_path: Path) -> None:
    """A finding that is there already blocks nobody; one more of the same does."""
    (tmp_path / "files").mkdir()
    (tmp_path / "files/a.md").write_text("POISON! one\n")
    gate = tier()
    # the piece is scanned by itself too, so the tier's plan adds to what stands
    gate.plan = lambda transaction, request: Planned(  # type: ignore[method-assign]
        (Edit("a.md", transaction.read("a.md"), (transaction.read("a.md") or b"").decode() + request.text),)
    )
    assert gate.submit(Write("a.md", "two\n")).outcome is Outcome.SAVED
    assert gate.submit(Write("a.md", "POISON ")).outcome is Outcome.SAVED
    decision = gate.submit(Write("a.md", "ORDER"))
    assert decision.outcome is Outcome.BLOCKED, "an order in two halves is seen in the whole"
    assert (decision.piece, decision.path) == ("", "a.md")


def test_nothing_is_left_to_an_owner_where_the_tier_says_so(tier: Make, tmp_path: Path) -> None:
    """With `inherit` off, whatever is in the resulting file counts."""
    (tmp_path / "files").mkdir()
    (tmp_path / "files/a.md").write_text("POISON! one\n")
    gate = tier()
    gate.inherit = False  # type: ignore[misc]
    gate.plan = lambda transaction, request: Planned(  # type: ignore[method-assign]
        (Edit("a.md", transaction.read("a.md"), (transaction.read("a.md") or b"").decode() + request.text),)
    )
    assert gate.submit(Write("a.md", "two\n")).outcome is Outcome.BLOCKED


def test_an_accepted_text_passes_in_its_place(tier: Make) -> None:
    """A person accepted the text: it passes by itself and in the file, with any line ends, and nothing else does."""
    gate = tier()
    gate.accepted.add(Target.VAULT, "about POISON!", "fake-1", by="ann", at=0.0)
    assert gate.submit(Write("a.md", "about POISON!\n")).outcome is Outcome.SAVED
    assert gate.submit(Write("a.md", "more about POISON!\n")).outcome is Outcome.BLOCKED


def test_a_doubtful_text_waits_and_is_approved_as_shown(tier: Make, tmp_path: Path) -> None:
    """Staged, shown as a diff, applied by a person, gone from the list."""
    gate = tier()
    gate.submit(Write("a.md", "old\n"))
    decision = gate.submit(Write("a.md", "DOUBTFUL KEY.12345678 key.12345678\n"))
    assert (decision.outcome, decision.code) == (Outcome.STAGED, "rule")
    assert (tmp_path / "files/a.md").read_text() == "old\n"
    write = gate.pending.get("plain", decision.pending_id)
    assert "-old\n+DOUBTFUL" in gate.diff(write)
    assert "key.12345678" not in gate.diff(write)
    assert gate.approve(decision.pending_id, ANN).outcome is Outcome.SAVED
    assert "DOUBTFUL" in (tmp_path / "files/a.md").read_text()
    assert gate.pending.writes("plain") == []
    change = [record for record in gate.ledger.records() if record.event == "change"][-1]
    assert change.facts["approved_by"] == "ann"


def test_a_staged_write_is_not_applied_to_another_text(tier: Make, tmp_path: Path) -> None:
    """When the file changed since, nothing is overwritten and the write stays staged."""
    gate = tier(settings=settings(vault={"approval": True}))
    decision = gate.submit(Write("a.md", "new\n"))
    (tmp_path / "files").mkdir(exist_ok=True)
    (tmp_path / "files/a.md").write_text("by hand\n")
    answer = gate.approve(decision.pending_id, ANN)
    assert (answer.outcome, answer.code) == (Outcome.REFUSED, "conflict")
    assert (tmp_path / "files/a.md").read_text() == "by hand\n"
    assert (tmp_path / "files/aside/a.md").read_text() == "new\n"
    assert len(gate.pending.writes("plain")) == 1
    gate.reject(decision.pending_id, ANN)
    assert gate.pending.writes("plain") == []
    assert [record.event for record in gate.ledger.records()][-1] == "reject"


def test_what_is_set_aside_is_screened_too(tier: Make, tmp_path: Path) -> None:
    """A conflict is no way around the rules."""
    gate = tier()
    gate.submit(Write("a.md", "theirs"))
    assert gate.submit(Write("a.md", "POISON!", seen="mine")).outcome is Outcome.BLOCKED
    assert not (tmp_path / "files/aside").exists()


@pytest.mark.parametrize(
    ("answer", "outcome"), [("once", Outcome.SAVED), ("deny", Outcome.DENIED), ("what?", Outcome.STAGED)]
)
def test_a_person_who_is_present_is_asked(tier: Make, answer: str, outcome: Outcome) -> None:
    """Once saves, deny denies, anything else waits."""
    asked: list[Question] = []

    def approver(question: Question) -> str:
        asked.append(question)
        return answer

    gate = tier(settings=settings(vault={"approval": True}), approver=approver)
    assert gate.submit(Write("a.md", "x")).outcome is outcome
    assert (asked[0].action, asked[0].after) == ("put", ("x",))


def test_a_session_is_asked_once(tier: Make) -> None:
    """`session` counts for the session, not for what a rule doubts."""
    answers = iter(["session", "broken"])
    gate = tier(settings=settings(vault={"approval": True}), approver=lambda question: next(answers))
    assert gate.submit(Write("a.md", "x")).outcome is Outcome.SAVED
    assert gate.submit(Write("b.md", "x")).outcome is Outcome.SAVED
    assert gate.submit(Write("b.md", "DOUBTFUL")).outcome is Outcome.STAGED


def test_nobody_watching_may_only_add(tier: Make) -> None:
    """An unattended writer adds; what it puts in the place of something is a proposal, and it is never asked inline."""
    gate = tier(approver=lambda question: "once")
    assert gate.submit(Write("a.md", "x", "new", origin=CRON)).outcome is Outcome.SAVED
    decision = gate.submit(Write("a.md", "y", origin=CRON))
    assert (decision.outcome, decision.code) == (Outcome.STAGED, "unattended")
    assert gate.submit(Write("a.md", "y", origin=Origin(background=True, attended=True))).outcome is Outcome.SAVED


def test_a_switched_off_target_refuses(tier: Make) -> None:
    """Nothing is written where the operator says no."""
    decision = tier(settings=settings(vault={"enabled": False})).submit(Write("a.md", "x"))
    assert (decision.outcome, decision.code) == (Outcome.REFUSED, "disabled")


def test_refusals_keep_their_words(tier: Make) -> None:
    """What the tier refuses is told and recorded."""
    gate = tier()
    decision = gate.submit(Write("a.md", "refuse me"))
    assert (decision.outcome, decision.code, decision.hint) == (Outcome.REFUSED, "no", "Never.")
    assert gate.submit(Write("a.md", "nonsense")).code == "not-understood"
    assert [record.event for record in gate.ledger.records()] == ["refuse", "refuse"]


def test_a_scanner_that_breaks_saves_nothing(tier: Make, tmp_path: Path) -> None:
    """An error in the scan is a failure, not a clean text."""

    def broken(text: str, target: Target) -> Any:
        raise InkgateError("broken")

    decision = tier(scan=broken).submit(Write("a.md", "x"))
    assert (decision.outcome, decision.code) == (Outcome.FAILED, "failed")
    assert not (tmp_path / "files/a.md").exists()


@pytest.mark.parametrize(
    "name",
    [
        "../a.md", "/etc/a.md", "C:/a.md", "a\\b.md", "con.md", "LPT1.md", ".obsidian/a.md", "x/.hid.md", "a//b.md",
        "a\n.md", "a\u200b.md", "a\u202eb.md", "a. /b.md", "a .md/ b", "nul", "x" * 250, "", "a/./b.md", "a/../b.md",
        "a?.md", "COM¹.txt", "e\ud800.md", ("x" * 100 + "/") * 12,
    ],
)  # fmt: skip
def test_names_that_are_none(tier: Make, tmp_path: Path, name: str) -> None:
    """No name leaves the folder, hides, or means something else elsewhere; it is not repeated in the ledger's keys."""
    gate = tier()
    decision = gate.submit(Write(name, "x"))
    assert (decision.outcome, decision.code) == (Outcome.REFUSED, "bad-name")
    assert [record.key for record in gate.ledger.records()] == ["plain"]
    assert [path.name for path in (tmp_path / "files").rglob("*")] == [".inkgate", "lock"]


@pytest.mark.parametrize(
    "name", ["نمای کارت\u200cها.md", "👩\u200d💻 notes.md", "a/Ünï 字.md", "v1.2 (draft), it's.md"]
)
def test_names_that_are_good(tier: Make, tmp_path: Path, name: str) -> None:
    """Any script, emoji, joiners where letters need them."""
    assert tier().submit(Write(name, "x")).outcome is Outcome.SAVED
    assert (tmp_path / "files" / name).read_text() == "x"


@pytest.mark.parametrize("where", ["..", ".obsidian"])
def test_links_do_not_lead_out(tier: Make, tmp_path: Path, where: str) -> None:
    """A symbolic link to a place outside, or to a hidden folder, is not followed."""
    (tmp_path / "files/.obsidian").mkdir(parents=True)
    (tmp_path / "files/out").symlink_to(where)
    decision = tier().submit(Write("out/a.md", "x"))
    assert (decision.outcome, decision.code) == (Outcome.REFUSED, "outside")


def test_a_move_keeps_bytes_and_names_both(tier: Make, tmp_path: Path) -> None:
    """The file has its new name, the ledger both."""
    gate = tier()
    gate.submit(Write("a.md", "x"))
    assert gate.submit(Write("a.md", action="move", to="b/c.md")).outcome is Outcome.SAVED
    assert not (tmp_path / "files/a.md").exists()
    assert (tmp_path / "files/b/c.md").read_text() == "x"
    assert [record.key for record in gate.ledger.records()][-2:] == ["plain/a.md", "plain/b/c.md"]
