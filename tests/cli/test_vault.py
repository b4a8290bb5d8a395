"""`inkgate vault`: what it changes, what it prints, its exit codes."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inkgate.cli import main
from inkgate.gate.vault import VaultGate

Run = Callable[..., tuple[int, str, str]]


def _give(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    class Input:
        buffer = io.BytesIO(data)

    monkeypatch.setattr("sys.stdin", Input)


def test_notes_are_written_shown_and_listed(run: Run, tmp_path: Path) -> None:
    """Create, append, section, replace, rename, supersede, and what list and show say then."""
    assert run("vault", "create", "P/Harbor", "# A\n\n## B\nb\n", "--source", "https://example.org/h")[0] == 0
    assert run("vault", "append", "P/Harbor", "more")[0] == 0
    assert run("vault", "section", "P/Harbor", "B", "changed")[0] == 0
    code, out, _ = run("vault", "rename", "P/Harbor", "Harbor")
    assert (code, out) == (0, "Saved Harbor.md.\n")
    assert run("vault", "supersede", "Harbor", "Harbor 2", "--text", "# New", "--reason", "moved")[0] == 0
    code, out, err = run("vault", "show", "Harbor")
    assert code == 0
    assert 'source: "https://example.org/h"' in out
    assert "changed" in out
    assert err.startswith("digest ")
    _, out, _ = run("vault", "list")
    assert "superseded by Harbor 2.md" in out
    assert out.endswith("2 notes\n")
    _, out, _ = run("vault", "history", "Harbor")
    assert [line.split()[2] for line in out.splitlines()] == ["create", "append", "section", "rename", "supersede"]
    first = out.split()[0]
    assert "more" not in run("vault", "show", "Harbor", "--version", first)[1]
    assert run("vault", "verify")[0] == 0
    assert (tmp_path / "vault/Harbor 2.md").is_file()


def test_raw_is_byte_for_byte(tmp_path: Path, capfdbinary: Any) -> None:
    """`show --raw` prints the note and nothing else."""
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/n.md").write_bytes("\ufeffä\r\nx".encode())
    assert main(["vault", "show", "n", "--raw", "--home", str(tmp_path)]) == 0
    assert capfdbinary.readouterr().out == "\ufeffä\r\nx".encode()


def test_text_from_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """- reads it; bytes that are no text are an error, and nothing is saved."""
    _give(monkeypatch, "grüße\r\n".encode())
    assert run("vault", "create", "n", "-")[0] == 0
    assert (tmp_path / "vault/n.md").read_bytes().endswith("---\r\ngrüße\r\n".encode())
    _give(monkeypatch, b"\xff")
    assert run("vault", "create", "m", "-")[0] == 2
    assert not (tmp_path / "vault/m.md").exists()


def test_refusals_and_failures(run: Run, tmp_path: Path) -> None:
    """1 for what the vault will not do, 2 for what could not be done."""
    assert run("vault", "append", "none", "x")[0] == 1
    assert run("vault", "create", "../x", "x")[0] == 1
    assert run("vault", "show", "none")[0] == 2
    assert run("vault", "history", "none")[0] == 0
    assert run("vault", "show", "none", "--version", "7")[0] == 2
    (tmp_path / "vault").mkdir(exist_ok=True)
    (tmp_path / "vault/bad.md").write_bytes(b"\xff")
    code, _, err = run("vault", "list")
    assert code == 2
    assert "bad.md" in err
    code, out, _ = run("vault", "verify")
    assert code == 1
    assert "bad.md: " in out


def test_a_write_on_a_text_that_was_not_seen(run: Run, typed: Callable[[str], None], tmp_path: Path) -> None:
    """Set aside, listed with both origins, resolved by a person who types it."""
    run("vault", "create", "n", "one")
    code, _, err = run("vault", "replace", "n", "two", "--seen", "0" * 64, "--author", "eve", "--source", "mail")
    assert code == 1
    assert "quarantine/n." in err
    _, out, _ = run("vault", "conflicts")
    name = out.split()[0]
    assert "contradicts n.md" in out
    assert "eve" in out
    assert "command line" in out
    assert run("vault", "resolve", name, "--keep", "quarantined")[0] == 2
    typed("quarantined")
    assert run("vault", "resolve", name, "--keep", "quarantined")[0] == 0
    assert (tmp_path / "vault/n.md").read_text().endswith("---\ntwo\n")
    assert run("vault", "conflicts")[1] == "No conflicts.\n"
    assert run("vault", "verify")[0] == 0


def test_resolving_with_a_text_of_ones_own(run: Run, typed: Callable[[str], None], tmp_path: Path) -> None:
    """The merged text comes from a file."""
    run("vault", "create", "n", "one")
    run("vault", "replace", "n", "two", "--seen", "0" * 64)
    name = run("vault", "conflicts")[1].split()[0]
    assert run("vault", "resolve", name, "--keep", "text")[0] == 2
    (tmp_path / "merged").write_text("one and two\n")
    typed("text")
    assert run("vault", "resolve", name, "--keep", "text", "--text", str(tmp_path / "merged"))[0] == 0
    assert (tmp_path / "vault/n.md").read_text().endswith("---\none and two\n")


def test_staged_notes_are_reviewed_like_entries(run: Run, typed: Callable[[str], None], tmp_path: Path) -> None:
    """One list for all tiers; show, approve and reject find the tier by the id."""
    settings = tmp_path / "gate.toml"
    settings.write_text("[vault]\napproval = true\n[memory]\napproval = true\n")
    run("vault", "create", "n", "a note", "--settings", str(settings))
    run("vault", "create", "m", "another", "--settings", str(settings))
    run("memory", "add", "an entry", "--settings", str(settings))
    assert len(run("review", "list")[1].splitlines()) == 3
    assert len(run("review", "list", "--tier", "vault")[1].splitlines()) == 2
    first, second = (write.id for write in VaultGate(tmp_path).pending.writes("vault"))
    assert "+a note" in run("review", "show", first)[1]
    typed(first)
    code, out, _ = run("review", "approve", first)
    assert code == 0
    assert "Saved n.md." in out
    typed(second)
    assert run("review", "reject", second)[0] == 0
    assert len(run("review", "list")[1].splitlines()) == 1
    assert not (tmp_path / "vault/m.md").exists()


def test_a_staged_note_goes_into_the_vault_that_it_was_staged_for(
    run: Run, typed: Callable[[str], None], tmp_path: Path
) -> None:
    """Two vaults of one home do not mix, neither their staged writes nor their notes of one name."""
    settings = tmp_path / "gate.toml"
    settings.write_text("[vault]\napproval = true\n")
    run("vault", "create", "n", "here")
    run("vault", "create", "n", "there", "--settings", str(settings), "--root", str(tmp_path / "there"))
    pending_id = run("review", "list")[1].split()[0]
    typed(pending_id)
    assert run("review", "approve", pending_id)[0] == 0
    assert (tmp_path / "there/n.md").read_text().endswith("---\nthere")
    assert (tmp_path / "vault/n.md").read_text().endswith("---\nhere")
    assert run("vault", "replace", "n", "still here")[0] == 0
    assert "there" not in run("vault", "history", "n")[1]
    assert len(run("vault", "history", "n", "--root", str(tmp_path / "there"))[1].splitlines()) == 1


def test_a_leaked_text_is_erased(run: Run, typed: Callable[[str], None], tmp_path: Path, monkeypatch: Any) -> None:
    """From the ledger, staged writes and replaced notes; the notes that hold it still are named."""
    settings = tmp_path / "gate.toml"
    settings.write_text("[vault]\napproval = true\n")
    run("vault", "create", "n", "the leaked word")
    run("vault", "create", "m", "the leaked word")
    run("vault", "replace", "n", "clean")
    run("vault", "append", "n", "a leaked word", "--settings", str(settings))
    monkeypatch.setattr("getpass.getpass", lambda prompt: "leaked word")
    typed("purge")
    code, out, err = run("ledger", "purge", "--reason", "leak")
    assert code == 1
    assert "m.md" in err
    assert "copies: .inkgate/late/n.md/" in out
    assert run("review", "list")[1] == "No pending writes.\n"
    assert b"leaked" not in (tmp_path / "inkgate/ledger.jsonl").read_bytes()
    assert not [
        path for path in (tmp_path / "vault/.inkgate").rglob("*") if path.is_file() and b"leak" in path.read_bytes()
    ]
    history = run("vault", "history", "n")[1].splitlines()
    assert history[0].endswith("purged")
    assert run("ledger", "verify")[0] == 0


def test_another_root(run: Run, tmp_path: Path) -> None:
    """`--root` and the settings say where the notes are."""
    run("vault", "create", "n", "x", "--root", str(tmp_path / "there"))
    assert (tmp_path / "there/n.md").is_file()
    settings = tmp_path / "gate.toml"
    settings.write_text(f'[vault]\nroot = "{tmp_path / "there"}"\n')
    assert run("vault", "list", "--settings", str(settings))[1].endswith("1 note\n")


def test_what_is_printed_is_safe_for_a_terminal(run: Run, tmp_path: Path) -> None:
    """Control characters of a note never reach the terminal raw."""
    (tmp_path / "vault").mkdir()
    (tmp_path / "vault/n.md").write_text("bad \x1b[31m")
    assert "\x1b" not in run("vault", "show", "n")[1]


def test_a_successor_that_is_not_there_and_has_no_text(run: Run) -> None:
    """The refusal says what to give, and the note stays without a pointer."""
    assert run("vault", "create", "Harbor", "# A")[0] == 0
    code, out, err = run("vault", "supersede", "Harbor", "Harbor 2")
    assert (code, out) == (1, "")
    assert "give its text too" in err
    assert "superseded" not in run("vault", "list")[1]


def test_what_waits_is_named_by_conflicts(run: Run, tmp_path: Path) -> None:
    """A wrong name, a missing file and one that is no text each say so."""
    code, _, err = run("vault", "resolve", "nothing", "--keep", "original")
    assert code == 2
    assert "inkgate vault conflicts" in err
    assert run("vault", "create", "Harbor", "# A")[0] == 0
    assert run("vault", "create", "Harbor", "# B")[0] == 1
    name = run("vault", "conflicts")[1].split()[0]
    missing, broken = tmp_path / "missing.md", tmp_path / "broken.md"
    broken.write_bytes(b"a\xff")
    assert "No such file" in run("vault", "resolve", name, "--keep", "text", "--text", str(missing))[2]
    assert "byte 1 is not UTF-8" in run("vault", "resolve", name, "--keep", "text", "--text", str(broken))[2]


def test_a_secret_in_a_name_is_not_listed(run: Run, tmp_path: Path) -> None:
    """What somebody has put into the name of a file, or beside it, is masked like any other text."""
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"[:36]
    (tmp_path / "vault").mkdir()
    (tmp_path / f"vault/token {secret}.md").write_text("tea\n")
    (tmp_path / f"vault/damaged {secret}.md").write_bytes(b"\xff\xfe\xff")
    for action in ("list", "verify", "conflicts"):
        code, out, err = run("vault", action)
        assert code in (0, 1, 2)
        assert secret[4:] not in out + err
    assert "token [secret: " in run("vault", "list")[1]


def test_removed_is_not_called_saved(run: Run) -> None:
    """What was taken away is told so, and one of a thing is one."""
    assert run("memory", "add", "first fact")[0] == 0
    assert run("memory", "list")[1].endswith("1 entry, 10/2,200 characters\n")
    code, out, _ = run("memory", "remove", "first fact")
    assert (code, out) == (0, "Removed. memory: 0/2,200 characters.\n")
    assert run("memory", "list")[1] == "0 entries, 0/2,200 characters\n"


def test_the_ledger_says_whether_it_is_intact(run: Run, tmp_path: Path) -> None:
    """In so many words, on the stream where it is looked for."""
    assert run("memory", "add", "first fact")[0] == 0
    assert run("ledger", "verify")[1].startswith("The ledger is intact: 1 record (0 purged); head ")
    ledger = tmp_path / "inkgate" / "ledger.jsonl"
    ledger.write_bytes(ledger.read_bytes().replace(b"first fact", b"other fact"))
    code, out, err = run("ledger", "verify")
    assert (code, out[:40]) == (1, "Up to where it is broken: 0 records (0 p")
    assert err.startswith("BROKEN: ")


def test_staged_is_one(run: Run, tmp_path: Path) -> None:
    """Commands that write end with 1 when the text waits for a person; so does `tiers`."""
    settings = tmp_path / "gate.toml"
    settings.write_text("[memory]\napproval = true\n[vault]\napproval = true\n")
    assert run("memory", "add", "tea", "--settings", str(settings))[0] == 1
    assert run("vault", "create", "n", "tea", "--settings", str(settings))[0] == 1
