"""Putting in, keeping, checking, mending."""

from __future__ import annotations

import os
import random
import sqlite3
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from recalled import fake_scan, say

from inkgate.match.samples import render
from inkgate.redact import RedactionError
from inkgate.store import Durability, LockTimeoutError, NotUnderstoodError, StoreError
from inkgate.store.recall import DamagedError, Message, RecallStore, schema
from inkgate.store.recall.insert import insert


def reopen(path: Path) -> RecallStore:
    """The same database, with a short patience."""
    return RecallStore(path, scan=fake_scan, durability=Durability.NONE, lock_seconds=0.2)


def test_sessions_are_counted(store: RecallStore) -> None:
    """A session knows its messages, its times, and the last name that it was given."""
    store.add([Message("s", "user", "a", 5.0, source="cli"), Message("s", "user", "b", 3.0, title="Tea")])
    store.add([Message("s", "user", "c", 9.0, title="Tea time"), Message("t", "user", "d", 1.0)])
    first, second = store.sessions()
    assert (first.id, first.source, first.title, first.first, first.last, first.messages) == (
        "s", "cli", "Tea time", 3.0, 9.0, 3,
    )  # fmt: skip
    assert second.id == "t"
    assert store.session("s") == first
    assert store.session("none") is None
    assert [item.text for item in store.messages("s", 2)] == ["b", "c"]
    assert [item.text for item in store.messages("s", 2, 2)] == ["b"]


def test_the_same_message_is_kept_once_and_no_other_is_lost(store: RecallStore) -> None:
    """By its id, or by time, role and text; what was said twice in one moment, or edited, is kept."""
    batch = [Message("s", "user", "ok", 1.0), Message("s", "user", "ok", 1.0), Message("s", "user", "x", 2.0, id="m1")]
    assert (store.add(batch).added, store.add(batch).added) == (3, 0)
    assert store.add([Message("s", "user", "x edited", 2.0, id="m1")]).added == 1
    assert store.add([Message("s", "user", "ok")]).added == store.add([Message("s", "user", "ok")]).added == 1
    assert [item.text for item in store.messages("s")] == ["ok", "ok", "x", "x edited", "ok", "ok"]


@pytest.mark.parametrize(
    "bad",
    [
        Message("", "user", "x"),
        Message("a\nb", "user", "x"),
        Message("s", "User Name", "x"),
        Message("s", "user", "half \ud800"),
        Message("s", "user", "x", float("nan")),
        Message("s", "user", "x", -1.0),
        Message("s", "user", "x", title="t" * 300),
    ],
)
def test_a_bad_message_is_named_and_nothing_is_added(store: RecallStore, bad: Message) -> None:
    """All or none, and the error says which one."""
    with pytest.raises(NotUnderstoodError, match="Message 2: "):
        store.add([Message("s", "user", "good"), bad])
    assert store.sessions() == []


def test_secrets_never_reach_the_disk(store: RecallStore, path: Path) -> None:
    """They are masked in a text, and refused in the names that are kept as they are."""
    token = render("{{crc62:ghp_}}")
    assert store.add([Message("s", "user", f"key {token} and {token}", 1.0)]).secrets == 1
    with pytest.raises(NotUnderstoodError, match="a secret stands in its title"):
        store.add([Message("s", "user", "x", title=f"about {token}")])
    store.close()
    for file in path.parent.iterdir():
        assert token.encode() not in file.read_bytes(), file
    assert store.messages("s")[0].text.startswith("key [REDACTED:")


def test_a_secret_that_cannot_be_masked_keeps_everything_out(
    store: RecallStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error names the message."""

    def stubborn(text: str) -> tuple[str, int]:
        if "stubborn" in text:
            raise RedactionError("secrets are left after every pass", hint="take them out by hand")
        return text, 0

    monkeypatch.setattr("inkgate.redact.redact", stubborn)
    with pytest.raises(RedactionError, match="Message 2: secrets are left") as refusal:
        store.add(say("calm", "stubborn"))
    assert refusal.value.hint == "take them out by hand"
    assert store.sessions() == []


def test_secrets_that_the_rules_have_learned_since_are_masked_and_leave_no_trace(
    store: RecallStore, path: Path
) -> None:
    """Neither in the texts, nor in the indexes, nor in free pages, nor in the journal."""
    token = render("{{crc62:ghp_}}")
    kept = say("kettle before", f"the key is {token}, 鍵は{token}", "kettle after")
    store._run(lambda database: insert(database, [(item, item.text, 0) for item in kept]))  # as it was let through once
    assert any(token.encode() in file.read_bytes() for file in path.parent.iterdir())
    assert (store.mask(), store.mask()) == (1, 0)
    for file in path.parent.iterdir():
        assert token.encode() not in file.read_bytes(), file
        assert token.lower().encode() not in file.read_bytes(), file
    assert store.messages("s")[1].text.startswith("the key is [REDACTED:")
    assert [hit.match.passage.number for hit in store.search("鍵").hits] == [2]
    assert store.verify().problems == ()


def test_odd_texts_come_back_as_they_went_in(store: RecallStore) -> None:
    """Empty, NUL, other line ends, a byte order mark, and a long one."""
    texts = ["", "a\0b kettle", "\ufeffx\r\ny\x85z", "e\u0301 ﬁ", "kettle " * 50_000]
    store.add(say(*texts))
    assert [item.text for item in store.messages("s")] == texts
    assert {hit.match.passage.number for hit in store.search("kettle").hits} == {2, 5}


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_the_files_are_the_owners(store: RecallStore, path: Path) -> None:
    """Nobody else reads what was said."""
    store.add(say("x"))
    for file in path.parent.iterdir():
        assert stat.S_IMODE(file.stat().st_mode) & 0o077 == 0, file
    link = path.with_name("link.db")
    link.symlink_to(path)
    with pytest.raises(StoreError, match="symbolic link"):
        reopen(link).sessions()


def test_a_write_ahead_log_is_used(store: RecallStore, path: Path) -> None:
    """Readers do not wait for a writer."""
    store.add(say("kettle"))
    other = sqlite3.connect(path, isolation_level=None)
    assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    other.execute("BEGIN IMMEDIATE")
    with reopen(path) as reader:
        assert len(reader.search("kettle").hits) == 1
        with pytest.raises(LockTimeoutError, match="held by another writer"):
            reader.add(say("more", session="t"))
    other.execute("ROLLBACK")
    other.close()


def test_an_older_database_is_brought_up_to_date(path: Path) -> None:
    """Texts from before there were indexes are found after."""
    path.parent.mkdir()
    old = sqlite3.connect(path, isolation_level=None)
    schema._STEPS[0](old)
    old.execute("PRAGMA user_version = 1")
    old.execute("INSERT INTO sessions (id, first, last) VALUES ('s', 1, 1)")
    old.execute("INSERT INTO messages (session, number, at, role, text) VALUES ('s', 1, 1, 'user', 'old kettle')")
    old.close()
    with reopen(path) as store:
        assert [hit.match.text for hit in store.search("kettle").hits] == ["old kettle"]
        assert store.verify().problems == ()


def test_a_newer_database_is_left_alone(path: Path) -> None:
    """A version that is not known is an error, and no byte changes."""
    with reopen(path) as store:
        store.add(say("x"))
    raw = sqlite3.connect(path)
    raw.execute("PRAGMA user_version = 99")
    raw.close()
    before = path.read_bytes()
    for call in (lambda store: store.search("x"), lambda store: store.add(say("y")), lambda store: store.verify()):
        with pytest.raises(StoreError, match="version 99"):
            call(reopen(path))
    assert path.read_bytes() == before


def test_a_corrupt_index_is_rebuilt_by_the_search_that_meets_it(path: Path) -> None:
    """The reader gets the answer, and a note."""
    with reopen(path) as store:
        store.add(say(*(f"kettle {number}" for number in range(50)), "移行の話"))
    raw = sqlite3.connect(path)
    raw.execute("UPDATE words_data SET block = x'00ff00ff00ff' WHERE id > 1")
    raw.execute("DELETE FROM parts_data WHERE id > 1")
    raw.commit()
    raw.close()
    with reopen(path) as store:
        assert len(store.verify().problems) == 2
        found = store.search("移行")
        assert [hit.match.text for hit in found.hits] == ["移行の話"]
        assert found.notes == ("The index was damaged and was rebuilt from the texts.",)
        assert store.verify().problems == ()


def test_a_missing_index_and_a_strange_trigger_are_reported(path: Path) -> None:
    """Nothing runs in the database that inkgate did not put there without being told of; `rebuild` brings the rest."""
    with reopen(path) as store:
        store.add(say("kettle"))
    raw = sqlite3.connect(path)
    raw.execute("DROP TABLE parts")
    raw.execute("CREATE TRIGGER evil AFTER INSERT ON messages BEGIN DELETE FROM sessions; END")
    raw.commit()
    raw.close()
    with reopen(path) as store:
        told = " ".join(store.verify().problems)
        assert "parts is missing" in told
        assert "evil is missing, changed, or none of ours" in told
        assert store.rebuild() == 1
        assert "parts" not in " ".join(store.verify().problems)


def test_what_was_said_behind_the_indexes_back_is_reported(path: Path) -> None:
    """The check compares the indexes with the texts, not only with themselves."""
    with reopen(path) as store:
        store.add(say("kettle", "teapot"))
    raw = sqlite3.connect(path)
    raw.execute("DROP TRIGGER messages_reindexed")
    raw.execute("UPDATE messages SET text = 'coffee' WHERE number = 1")
    raw.commit()
    raw.close()
    with reopen(path) as store:
        told = " ".join(store.verify().problems)
        assert "The index words does not agree" in told
        assert "The index parts does not agree" in told


def test_a_file_that_is_no_database_is_set_aside(path: Path) -> None:
    """Its bytes are kept, the error says where, and the next call works."""
    path.parent.mkdir()
    path.write_bytes(b"this is not a database, but somebody's notes\n" * 100)
    store = reopen(path)
    with pytest.raises(DamagedError, match=r"set aside as recall\.db\.damaged"):
        store.add(say("x"))
    (aside,) = path.parent.glob("recall.db.damaged.*")
    assert aside.read_bytes().startswith(b"this is not a database, but")
    assert store.add(say("x")).added == 1
    assert store.verify().aside == (aside.name,)


def test_what_can_be_read_of_a_damaged_database_is_brought_over(path: Path) -> None:
    """A page of texts is overwritten: the others are found again, in their sessions, under their numbers."""
    texts = [f"kettle {number} " + "lorem ipsum dolor " * 20 for number in range(600)]
    with reopen(path) as store:
        store.add([Message("s", "user", text, float(number), title="Tea") for number, text in enumerate(texts)])
    data = bytearray(path.read_bytes())
    place = data.find(b"kettle 300 ")
    page = place // 4096 * 4096
    data[page : page + 4096] = b"\xff" * 4096
    path.write_bytes(bytes(data))
    store = reopen(path)
    with pytest.raises(DamagedError) as damaged:
        store.messages("s")
    (aside,) = path.parent.glob("recall.db.damaged.*")
    assert aside.read_bytes() == bytes(data)
    kept = store.messages("s")
    assert 550 <= len(kept) < 600
    assert f"{len(kept)} messages could be read" in str(damaged.value)
    assert all(item.text == texts[item.number - 1] for item in kept)
    assert store.session("s").title == "Tea"
    assert store.verify().problems == ()
    assert [hit.match.passage.number for hit in store.search('"kettle 12 lorem"').hits] == [13]


def test_a_sqlite_without_the_indexes_is_an_error(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says what is missing before any file is made."""
    monkeypatch.setattr(schema, "missing_features", lambda: "FTS5")
    with pytest.raises(StoreError, match="Recall needs FTS5") as refusal:
        reopen(path).sessions()
    assert "built with FTS5" in refusal.value.hint
    assert not path.exists()


def test_this_sqlite_has_what_is_needed() -> None:
    """Otherwise every other test here would be skipped in truth."""
    assert schema.missing_features() == ""


def test_a_writer_that_is_killed_leaves_whole_batches(path: Path) -> None:
    """A batch is there with all its messages, or not at all."""
    script = (
        "import sys, pathlib\n"
        "from inkgate.store.recall import Message, RecallStore\nfrom inkgate.store.recall.insert import insert\n"
        "s = RecallStore(pathlib.Path(sys.argv[1]))\n"
        "print('ready', flush=True)\n"
        "n = 0\n"
        "while True:\n"
        "    m = [Message(f'b{n}', 'user', f'kettle {i}', float(i)) for i in range(20)]\n"
        "    s._run(lambda d: insert(d, [(x, x.text, 0) for x in m]))\n"
        "    n += 1\n"
        "    print(n, flush=True)\n"
    )
    for round_ in range(3):
        process = subprocess.Popen([sys.executable, "-c", script, str(path)], stdout=subprocess.PIPE, text=True)
        told = 0
        for line in process.stdout:
            told = int(line) if line.strip().isdigit() else 0
            if told == 5 + 7 * round_:
                process.kill()
                break
        process.wait()
        with reopen(path) as store:
            sessions = store.sessions(limit=10_000)
            assert len(sessions) >= told
            assert {item.messages for item in sessions} <= {20}
            assert store.verify().problems == ()


def test_writers_of_one_session_do_not_lose_each_others_messages(path: Path) -> None:
    """Processes that open a new database at once, and write to the same session, get numbers without gaps."""
    script = (
        "import sys, pathlib\n"
        "from inkgate.store.recall import Message, RecallStore\nfrom inkgate.store.recall.insert import insert\n"
        "s = RecallStore(pathlib.Path(sys.argv[1]))\n"
        "for batch in range(8):\n"
        "    m = [Message('s', 'user', f'{sys.argv[2]} {batch} {i}') for i in range(5)]\n"
        "    s._run(lambda d: insert(d, [(x, x.text, 0) for x in m]))\n"
    )
    writers = [subprocess.Popen([sys.executable, "-c", script, str(path), str(number)]) for number in range(3)]
    assert [writer.wait() for writer in writers] == [0, 0, 0]
    with reopen(path) as store:
        kept = store.messages("s")
        assert [item.number for item in kept] == list(range(1, 121))
        assert len({item.text for item in kept}) == 120
        assert store.verify().problems == ()


@pytest.mark.parametrize("seed", range(12))
def test_no_damage_ends_in_silence(path: Path, seed: int) -> None:
    """Whatever happened to the bytes: each call answers, mends, or says what it did; what is in order after is told so,
    the bytes are kept, and no message comes back as another.
    """
    choose = random.Random(seed)
    texts = [f"kettle {number} " + "lorem ipsum " * choose.randint(0, 60) for number in range(200)]
    with reopen(path) as store:
        store._run(lambda database: insert(database, [(item, item.text, 0) for item in say(*texts)]))
    data = bytearray(path.read_bytes())
    page = choose.randrange(1, len(data) // 4096) * 4096
    damages = (
        lambda: data.__setitem__(slice(page, page + 4096), choose.randbytes(4096)),
        lambda: data.__setitem__(slice(page, page + 4096), bytes(4096)),
        lambda: data.__delitem__(slice(choose.randrange(8192, len(data)), None)),
    )
    damages[seed % 3]()
    path.write_bytes(bytes(data))
    store = reopen(path)
    told = bool(store.verify().problems)
    store.close()
    for call in (lambda: store.search("kettle 7"), lambda: store.messages("s"), store.sessions, store.rebuild):
        for _ in range(2):
            try:
                call()
            except DamagedError:
                told = True
            else:
                break
        else:
            pytest.fail("still damaged after it was set aside")
    kept = store.messages("s")
    assert told or len(kept) == 200  # a page that held nothing
    assert all(item.text == texts[item.number - 1] for item in kept)
    aside = store.verify().aside
    assert len(kept) == 200 or any((path.parent / name).read_bytes() == bytes(data) for name in aside)
    assert store.verify().problems == ()


def test_the_switch_to_the_log_waits_for_others(path: Path) -> None:
    """Opening goes on while another connection holds a new database, until the time is over."""
    path.parent.mkdir(parents=True)
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN EXCLUSIVE")
    timer = threading.Timer(0.3, other.rollback)
    timer.start()
    schema.connect(path, durability=Durability.NONE, seconds=20).close()
    timer.join()
    other.close()
    held = sqlite3.connect(path.with_name("held.db"), isolation_level=None)
    held.execute("BEGIN EXCLUSIVE")
    with pytest.raises(sqlite3.OperationalError, match="locked"):
        schema.connect(path.with_name("held.db"), durability=Durability.NONE, seconds=0.2)
    held.close()
