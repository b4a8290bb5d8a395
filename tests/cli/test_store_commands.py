"""`inkgate memory`, `review` and `ledger`: what they change, what they print, and what needs a person."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from inkgate.cli import main
from inkgate.gate import Gate

Run = Callable[..., tuple[int, str, str]]


def test_entries_are_written_and_listed(run: Run, tmp_path: Path) -> None:
    """Add, replace and remove go through the gate; the list says who, when and from where."""
    assert run("memory", "add", "first fact")[0] == 0
    assert run("memory", "add", "second fact")[0] == 0
    assert run("memory", "replace", "first", "better fact")[0] == 0
    assert run("memory", "remove", "second")[0] == 0
    code, out, _ = run("memory", "list")
    assert code == 0
    assert "command line" in out
    assert "  better fact" in out
    assert "1 entry, 11/2,200 characters" in out
    assert (tmp_path / "memories" / "MEMORY.md").read_text() == "better fact"


def test_a_refusal_is_exit_code_one(run: Run) -> None:
    """What cannot be saved says why, on the error stream."""
    code, out, err = run("memory", "remove", "nothing")
    assert (code, out) == (1, "")
    assert "No entry matched" in err
    assert "`inkgate memory list --target memory`" in err


def test_an_ambiguous_piece_shows_what_it_matches(run: Run) -> None:
    """The beginning of each entry that it names, so that the next call can be right."""
    run("memory", "add", "tea in the morning " + "and so on " * 20)
    run("memory", "add", "tea in the evening")
    code, _, err = run("memory", "remove", "tea")
    assert code == 1
    assert "  tea in the morning and so on" in err
    assert "..." in err
    assert "  tea in the evening\n" in err


def test_the_settings_file_counts(run: Run, tmp_path: Path) -> None:
    """A cap of the named file holds; a broken file is exit code two."""
    settings = tmp_path / "gate.toml"
    settings.write_text("[memory]\ncap = 5\n")
    assert run("memory", "add", "too long", "--settings", str(settings))[0] == 1
    settings.write_text("[memory]\ncapp = 5\n")
    assert run("memory", "add", "x", "--settings", str(settings))[0] == 2


def test_what_is_printed_is_safe_for_a_terminal(run: Run, tmp_path: Path) -> None:
    """Control characters of a hand-edited file never reach the terminal raw."""
    (tmp_path / "memories").mkdir()
    (tmp_path / "memories" / "MEMORY.md").write_text("bad \x1b[31m entry")
    _, out, _ = run("memory", "list")
    assert "\x1b" not in out
    assert "<U+001B>" in out


def test_deciding_needs_a_person(run: Run, tmp_path: Path) -> None:
    """Without a terminal nothing is approved, rejected, restored, accepted or erased."""
    settings = tmp_path / "gate.toml"
    settings.write_text("[memory]\napproval = true\n")
    assert run("memory", "add", "a fact", "--settings", str(settings))[0] == 1
    _, out, _ = run("review", "list")
    pending_id = out.split()[0]
    (tmp_path / "text").write_text("x")
    for words in (
        ("review", "approve", pending_id),
        ("review", "reject", pending_id),
        ("review", "accept", str(tmp_path / "text")),
        ("memory", "restore", "1.1"),
        ("ledger", "purge", "--reason", "r"),
        ("ledger", "restart", "--reason", "r"),
    ):
        code, _, err = run(*words)
        assert code == 2, words
        assert "needs a person at a terminal" in err


def test_a_person_approves_what_is_shown(run: Run, typed: Callable[[str], None], tmp_path: Path) -> None:
    """The change is shown, the id is typed, the entry stands; another word changes nothing."""
    settings = tmp_path / "gate.toml"
    settings.write_text("[memory]\napproval = true\n")
    run("memory", "add", "a fact", "--settings", str(settings))
    pending_id = Gate(tmp_path).pending.writes("memory")[0].id
    assert "+a fact" in run("review", "show", pending_id)[1]
    typed("no")
    assert run("review", "approve", pending_id)[0] == 2
    typed(pending_id)
    code, out, _ = run("review", "approve", pending_id)
    assert code == 0
    assert "+a fact" in out
    assert run("review", "list")[1] == "No pending writes.\n"
    assert "a fact" in run("memory", "list")[1]


def test_a_version_comes_back(run: Run, typed: Callable[[str], None]) -> None:
    """History names the versions, and restore brings one back."""
    run("memory", "add", "old text")
    run("memory", "replace", "old", "new text")
    _, out, _ = run("memory", "history")
    assert "1.1" in out
    assert "superseded by record 2" in out
    typed("restore")
    assert run("memory", "restore", "1.1")[0] == 0
    assert "old text" in run("memory", "list")[1]


def test_the_ledger_is_proved(run: Run, tmp_path: Path) -> None:
    """An intact ledger is exit code zero, an edited one is one, and the head can be asked for later."""
    run("memory", "add", "a fact")
    code, out, _ = run("ledger", "verify")
    assert code == 0
    head = out.split()[-1]
    run("memory", "add", "another")
    assert run("ledger", "verify", "--expect", head)[0] == 0
    assert run("ledger", "verify", "--expect", "0" * 64)[0] == 1
    assert "change memory" in run("ledger", "show")[1]
    path = tmp_path / "inkgate" / "ledger.jsonl"
    path.write_text(path.read_text().replace("a fact", "b fact"))
    code, _, err = run("ledger", "verify")
    assert code == 1
    assert "BROKEN: The text of record 1 was edited." in err


def test_a_leaked_text_is_erased(run: Run, typed: Callable[[str], None], monkeypatch: pytest.MonkeyPatch) -> None:
    """The text is asked for without an echo; as long as an entry holds it the exit code says so."""
    run("memory", "add", "pass hunter2-leaked")
    monkeypatch.setattr("getpass.getpass", lambda _: "hunter2-leaked")
    typed("purge")
    code, out, err = run("ledger", "purge", "--reason", "leak")
    assert code == 1
    assert "records: 1" in out
    assert "still in MEMORY.md" in err
    run("memory", "remove", "hunter2")
    typed("purge")
    assert run("ledger", "purge", "--reason", "leak")[0] == 0
    assert run("ledger", "verify")[0] == 0


def test_a_ledger_that_is_not_there_is_not_intact(run: Run, tmp_path: Path) -> None:
    """A home that is misspelt, or whose ledger was taken away with its head, proves nothing; nothing is made there."""
    code, out, err = run("ledger", "verify")
    assert (code, out) == (2, "")
    assert "There is no ledger at" in err
    assert not list(tmp_path.iterdir())
    run("memory", "add", "a fact")
    assert run("ledger", "verify")[0] == 0
    (tmp_path / "inkgate" / "ledger.jsonl").unlink()
    assert run("ledger", "verify")[0] == 1
    (tmp_path / "inkgate" / "ledger.jsonl.head").unlink()
    assert run("ledger", "verify")[0] == 2


ON_A_HOME = ["memory list", "memory add x", "review list", "ledger verify", "status", "vault list", "skill list"]


@pytest.mark.parametrize("words", [*ON_A_HOME, "recall search x"])
def test_a_home_that_is_a_file_is_told(capsys: pytest.CaptureFixture[str], tmp_path: Path, words: str) -> None:
    """By every command alike, and never as an empty home."""
    home = tmp_path / "file"
    home.write_text("")
    assert main([*words.split(), "--home", str(home)]) == 2
    assert f"The home {home} is not a folder." in capsys.readouterr().err


def test_help_names_every_action(capsys: pytest.CaptureFixture[str]) -> None:
    """Each command explains its actions."""
    for command, action in (("memory", "restore"), ("review", "approve"), ("ledger", "verify")):
        assert main([command, "--help"]) == 0
        assert action in capsys.readouterr().out
    assert main(["--help"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in ("memory", "review", "ledger"))


def test_messages_say_what_to_do_next(run: Run, tmp_path: Path) -> None:
    """An empty history, an id that is none, a file that is missing or no text, an unknown note and candidate."""
    assert run("memory", "history") == (0, "", "Nothing was ever written to memory through the gate.\n")
    assert "inkgate review list" in run("review", "show", "nope")[2]
    broken = tmp_path / "broken.txt"
    broken.write_bytes(b"ab\xff")
    assert "No such file" in run("review", "accept", str(tmp_path / "missing.txt"))[2]
    assert "byte 2 is not UTF-8" in run("review", "accept", str(broken))[2]
    assert "inkgate vault list" in run("tiers", "refer", "Nothing", "--in", "s1")[2]
    assert "lists the candidates" in run("tiers", "promote", "Nothing")[2]


def test_a_time_that_is_none_is_a_usage_error(run: Run) -> None:
    """The message shows how a time is written."""
    code, _, err = run("recall", "search", "tea", "--since", "yesterday")
    assert code == 2
    assert "'yesterday' is not a time; write 2026-11-30" in err
