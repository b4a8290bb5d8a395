"""A folder of files changed as one: kills at every step, writers from outside, failures half way."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from inkgate.gate import Gate
from inkgate.model import ScanResult, Target, Verdict
from inkgate.store import Durability, Ledger, Origin, RefusalError, Screened, StoreError
from inkgate.store import files as store_files
from inkgate.store.documents import Documents
from inkgate.store.edit import Edit, digest
from inkgate.store.names import collision_key, existing


def documents(home: Path) -> Documents:
    """The files of a home, with their ledger."""
    return Documents(
        home / "files", Ledger(home / "ledger", durability=Durability.NONE), tier="t", durability=Durability.NONE
    )


def screened(home: Path, text: str) -> Screened:
    """A text that passed a gate without rules."""
    gate = Gate(home / "gate", scan=lambda text, target: ScanResult(Verdict.ALLOW))
    made = gate.screener.document(text, Target.VAULT)[1]
    assert made is not None
    return made


Write = Callable[..., None]


@pytest.fixture(name="write")
def _write(tmp_path: Path) -> Write:
    def write(**texts: str) -> None:
        with documents(tmp_path).begin() as transaction:
            edits = [Edit(f"{name}.md", transaction.read(f"{name}.md"), text) for name, text in texts.items()]
            transaction.commit([(edit, screened(tmp_path, edit.after)) for edit in edits], Origin("bob", "test"))

    return write


def texts(home: Path) -> dict[str, str]:
    """The notes as they are."""
    return {path.name: path.read_text() for path in sorted((home / "files").glob("*.md"))}


class Killed(BaseException):
    """The process ends here."""


def _kill_at(monkeypatch: pytest.MonkeyPatch, step: int) -> Callable[[], int]:
    """End the process at the n-th of the steps that reach the disk; returns how many there were."""
    count = 0

    def counted(function: Callable[..., object]) -> Callable[..., object]:
        def wrapper(*arguments: object, **options: object) -> object:
            nonlocal count
            count += 1
            if count >= step:
                raise Killed
            return function(*arguments, **options)

        return wrapper

    monkeypatch.setattr(store_files.Prepared, "commit", counted(store_files.Prepared.commit))
    monkeypatch.setattr(store_files.Prepared, "discard", lambda self: None)  # a killed process tidies nothing up
    monkeypatch.setattr(Ledger, "append", counted(Ledger.append))
    monkeypatch.setattr("inkgate.store.intent.Intent.clear", counted(lambda self: self.path.unlink(missing_ok=True)))
    return lambda: count


@pytest.mark.parametrize("step", range(1, 8))
def test_two_files_change_together_or_not_at_all(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    """Whatever step a kill comes before, the next writer finds both old texts or both new, and the ledger agrees."""
    write(a="old a", b="old b")
    with monkeypatch.context() as patch:
        reached = _kill_at(patch, step)
        try:
            write(a="new a", b="new b")
        except Killed:
            pass
        else:
            assert reached() < step, "there are fewer steps than the test thinks"
            assert reached() >= 5
    found = documents(tmp_path)
    found.recover()
    assert texts(tmp_path) in ({"a.md": "old a", "b.md": "old b"}, {"a.md": "new a", "b.md": "new b"})
    if step > 2:
        assert texts(tmp_path) == {"a.md": "new a", "b.md": "new b"}
    assert not list((tmp_path / "files").glob(".*.tmp"))
    assert not found.intent.exists()
    with found.begin() as transaction:
        assert transaction.read("a.md") == texts(tmp_path)["a.md"].encode()
        assert transaction.read("b.md") == texts(tmp_path)["b.md"].encode()
        assert transaction.outside == set()
    assert found.ledger.verify().intact


def test_a_file_changed_after_the_kill_is_left_alone(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What somebody wrote between the kill and the recovery stands; the stopped text is in the ledger."""
    write(a="old a", b="old b")
    with monkeypatch.context() as patch:
        _kill_at(patch, 4)  # the intent, the ledger, the first file
        with pytest.raises(Killed):
            write(a="new a", b="new b")
    (tmp_path / "files/b.md").write_text("by hand")
    found = documents(tmp_path)
    assert found.recover()
    assert texts(tmp_path) == {"a.md": "new a", "b.md": "by hand"}
    told = [record.body["text"] for record in found.ledger.records() if record.event == "change" and record.body]
    assert "new b" in told
    assert [record.event for record in found.ledger.records()][-1] == "aborted"
    assert found.known.get("b.md") == digest(b"by hand")
    assert not found.recover()


def test_a_file_that_cannot_be_reached_after_the_kill_stops_nobody(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A link that leads out now, a folder in its place: the change is given up, its text is in the ledger."""
    write(a="old a", b="old b")
    with monkeypatch.context() as patch:
        _kill_at(patch, 3)  # the intent, the ledger
        with pytest.raises(Killed):
            write(a="new a", b="new b")
    (tmp_path / "files/a.md").unlink()
    (tmp_path / "files/a.md").symlink_to(tmp_path / "secret")
    (tmp_path / "files/b.md").unlink()
    (tmp_path / "files/b.md").mkdir()
    found = documents(tmp_path)
    assert found.recover()
    assert not (tmp_path / "secret").exists()
    assert [record.event for record in found.ledger.records()][-2:] == ["aborted", "aborted"]
    told = [record.body["text"] for record in found.ledger.records() if record.event == "change" and record.body]
    assert told[-2:] == ["new a", "new b"]
    write(c="goes on")
    assert (tmp_path / "files/c.md").read_text() == "goes on"


def test_a_write_from_outside_while_the_text_is_scanned_stops_the_commit(tmp_path: Path, write: Write) -> None:
    """The last look before the ledger sees it; nothing is changed, nothing is recorded as changed."""
    write(a="old")
    found = documents(tmp_path)
    with found.begin() as transaction:
        edit = Edit("a.md", transaction.read("a.md"), "new")
        (tmp_path / "files/a.md").write_text("by hand")
        with pytest.raises(RefusalError) as refusal:
            transaction.commit([(edit, screened(tmp_path, "new"))], Origin())
    assert refusal.value.code == "changed"
    assert texts(tmp_path) == {"a.md": "by hand"}
    assert not list((tmp_path / "files").glob(".*.tmp"))
    assert not found.intent.exists()
    assert [record.event for record in found.ledger.records()] == ["change"]


def test_a_file_that_cannot_be_replaced_takes_the_others_back(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When the second file fails, the first has its old bytes again, and the ledger says that nothing took effect."""
    write(a="old a", b="old b")
    commit = store_files.Prepared.commit

    def fail(self: store_files.Prepared) -> None:
        if Path(self._target).name == "b.md":
            raise StoreError("no")
        commit(self)

    with monkeypatch.context() as patch:
        patch.setattr(store_files.Prepared, "commit", fail)
        with pytest.raises(StoreError):
            write(a="new a", b="new b")
    found = documents(tmp_path)
    assert texts(tmp_path) == {"a.md": "old a", "b.md": "old b"}
    assert [record.event for record in found.ledger.records()][-2:] == ["aborted", "aborted"]
    with found.begin() as transaction:
        transaction.read("a.md"), transaction.read("b.md")
        assert transaction.outside == set()


def test_an_edit_by_hand_is_told_with_its_text(tmp_path: Path, write: Write) -> None:
    """What the gate did not write is recorded before it is replaced, so that it stays reachable."""
    write(a="one")
    (tmp_path / "files/a.md").write_text("by hand")
    write(a="three")
    bodies = [(record.event, (record.body or {}).get("text")) for record in documents(tmp_path).ledger.records()]
    assert bodies == [("change", "one"), ("outside", "by hand"), ("change", "three")]


def test_permissions_stay(tmp_path: Path, write: Write) -> None:
    """A new file is its owner's; one that is there keeps what it had."""
    write(a="one")
    path = tmp_path / "files/a.md"
    assert path.stat().st_mode & 0o777 == 0o600
    path.chmod(0o644)
    write(a="two")
    assert path.stat().st_mode & 0o777 == 0o644


def test_only_the_screened_text_is_written(tmp_path: Path) -> None:
    """A Screened text does not carry another text to the disk."""
    with documents(tmp_path).begin() as transaction:
        edit = Edit("a.md", transaction.read("a.md"), "evil")
        with pytest.raises(ValueError, match="belong together"):
            transaction.commit([(edit, screened(tmp_path, "good"))], Origin())
    assert not (tmp_path / "files/a.md").exists()


def test_a_damaged_intent_stops_every_write(tmp_path: Path, write: Write) -> None:
    """Nobody writes over a change whose end is not known."""
    write(a="one")
    (tmp_path / "files/.inkgate/intent.json").write_text("{")
    with pytest.raises(StoreError, match="damaged"):
        write(a="two")
    assert texts(tmp_path) == {"a.md": "one"}


def test_names_that_some_system_takes_for_the_same(tmp_path: Path) -> None:
    """By case and by Unicode form, in every part of the path."""
    (tmp_path / "Fa\u0308den").mkdir()
    (tmp_path / "Fa\u0308den" / "STRASSE.md").touch()
    assert list(existing(tmp_path, "f\u00e4den/stra\u00dfe.md")) == ["Fa\u0308den/STRASSE.md"]
    assert list(existing(tmp_path, "f\u00e4den/other.md")) == []
    assert collision_key("\u0130.md") == collision_key("i\u0307.md")
    assert collision_key("a.md") != collision_key("b.md")


def test_what_is_written_into_a_file_that_was_just_replaced_is_set_aside(tmp_path: Path, write: Write) -> None:
    """An editor that has the old file open loses nothing: its text lies in quarantine, and the ledger knows it."""
    write(a="one")
    with (tmp_path / "files/a.md").open("a") as editor:
        write(a="two")
        editor.write(" and by hand")
    write(a="three")
    [aside] = (tmp_path / "files/quarantine").iterdir()
    assert aside.name.startswith("a.late.")
    assert aside.read_text() == "one and by hand"
    told = [
        record.body["text"]
        for record in documents(tmp_path).ledger.records()
        if record.event == "outside" and record.body
    ]
    assert told == ["one and by hand"]
    write(a="four")
    assert len(list((tmp_path / "files/quarantine").iterdir())) == 1


def test_replaced_files_are_kept_for_a_moment_only(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An untouched one, or one that was only touched, goes with the next write after a while."""
    write(a="one")
    write(a="two")
    kept = [path for path in (tmp_path / "files/.inkgate/late").rglob("*") if path.is_file()]
    assert len(kept) == 1
    kept[0].touch()
    monkeypatch.setattr("inkgate.store.late.GRACE", 0.0)
    with documents(tmp_path).begin():
        pass
    assert not list((tmp_path / "files/.inkgate/late").rglob("*"))
    assert not (tmp_path / "files/quarantine").exists()


def test_what_is_known_may_be_lost(tmp_path: Path, write: Write) -> None:
    """Without the digests, or with damaged ones, a file counts as somebody else's; nothing is overwritten for that."""
    write(a="one", b="two")
    known = sorted((tmp_path / "known/t").iterdir())
    assert len(known) == 2
    known[0].unlink()
    known[1].write_text("{")
    with documents(tmp_path).begin() as transaction:
        assert (transaction.read("a.md"), transaction.read("b.md")) == (b"one", b"two")
        assert transaction.foreign == {"a.md", "b.md"}
    write(a="three")
    with documents(tmp_path).begin() as transaction:
        transaction.read("a.md")
        assert transaction.foreign == set()


def test_a_file_that_appears_at_the_last_moment_is_set_aside(
    tmp_path: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody creates a file under the same name after the last look: their text lies in quarantine."""
    append = Ledger.append

    def late(self: Ledger, *arguments: object, **options: object) -> object:
        (tmp_path / "files/a.md").write_text("by hand")
        return append(self, *arguments, **options)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(Ledger, "append", late)
        write(a="new")
    assert texts(tmp_path) == {"a.md": "new"}
    documents(tmp_path).begin().__enter__()
    assert [path.read_text() for path in (tmp_path / "files/quarantine").iterdir()] == ["by hand"]
