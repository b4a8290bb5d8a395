"""Locks and replacing: what a hostile or broken file system can do."""

from __future__ import annotations

import os
import stat
import threading
import time
from pathlib import Path

import pytest

from inkgate.store import LockTimeoutError, StoreError, UnreadableError, files
from inkgate.store.files import Durability


def test_a_lock_keeps_other_threads_out(tmp_path: Path) -> None:
    """Ten threads that read, wait and write lose no step."""
    counter = tmp_path / "n"
    counter.write_text("0")

    def work() -> None:
        for _ in range(20):
            with files.lock(tmp_path / "lock", seconds=30):
                value = int(counter.read_text())
                time.sleep(0.0002)
                counter.write_text(str(value + 1))

    threads = [threading.Thread(target=work) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.read_text() == "200"


def test_waiting_has_an_end(tmp_path: Path) -> None:
    """A lock that is held is given up on after the time limit, with an error that says so."""
    with files.lock(tmp_path / "lock"):
        start = time.monotonic()
        with pytest.raises(LockTimeoutError, match=r"gave up after 0\.1 s"), files.lock(tmp_path / "lock", seconds=0.1):
            pass
        assert time.monotonic() - start < 5


def test_a_lock_file_is_owner_only_and_no_link(tmp_path: Path) -> None:
    """A loose lock file is tightened; a symbolic link, a folder or a pipe is refused and what it names is untouched."""
    loose = tmp_path / "loose"
    loose.touch(mode=0o666)
    loose.chmod(0o666)
    with files.lock(loose):
        assert stat.S_IMODE(loose.stat().st_mode) == 0o600
    outside = tmp_path / "outside"
    outside.write_text("mine")
    (tmp_path / "link").symlink_to(outside)
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("link", "folder", "pipe"):
        with pytest.raises(StoreError), files.lock(tmp_path / name, seconds=0.1):
            pass
    assert outside.read_text() == "mine"


def test_a_lock_file_that_was_removed_is_made_anew(tmp_path: Path) -> None:
    """Who waited on a removed lock file takes its successor, so two writers never hold two files of one name."""
    path, order = tmp_path / "lock", []

    def second() -> None:
        with files.lock(path, seconds=10):
            order.append("second")

    with files.lock(path):
        waiting = threading.Thread(target=second)
        waiting.start()
        time.sleep(0.05)
        path.unlink()
        with files.lock(path):
            order.append("first")
            time.sleep(0.05)
            order.append("first done")
    waiting.join()
    assert order == ["first", "first done", "second"]


def test_replacing_is_whole_and_owner_only(tmp_path: Path) -> None:
    """The target has the new bytes and mode 0600, and nothing else is left."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o644)
    files.prepare(path, b"new").commit()
    assert path.read_bytes() == b"new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [item.name for item in tmp_path.iterdir()] == ["file"]


def test_a_linked_target_keeps_its_link(tmp_path: Path) -> None:
    """The file that a symbolic link names is replaced, in its own folder; the link stays."""
    (tmp_path / "real").mkdir()
    real, link = tmp_path / "real" / "file", tmp_path / "link"
    real.write_bytes(b"old")
    link.symlink_to(real)
    files.prepare(link, b"new").commit()
    assert link.is_symlink()
    assert real.read_bytes() == b"new"
    assert list((tmp_path / "real").iterdir()) == [real]


def test_a_temporary_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    """A link planted under the temporary name is removed, and what it names is untouched."""
    outside = tmp_path / "outside"
    outside.write_text("mine")
    (tmp_path / ".file.inkgate.tmp").symlink_to(outside)
    files.prepare(tmp_path / "file", b"new").commit()
    assert outside.read_text() == "mine"
    assert (tmp_path / "file").read_bytes() == b"new"


def test_a_read_only_file_is_left_alone(tmp_path: Path) -> None:
    """Who took the write bit away meant it, even though a rename would get around it."""
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(StoreError, match="read-only"):
        files.prepare(path, b"new")
    assert path.read_bytes() == b"old"


@pytest.mark.parametrize("broken", ["write", "fsync", "replace"])
def test_a_failing_disk_leaves_the_old_bytes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str) -> None:
    """When a write, a sync or the rename fails, the old bytes stand, nothing is left over, and the error says so."""
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, broken, fail)
    with pytest.raises(StoreError, match=r"No space left on device. Nothing was changed"):
        files.prepare(path, b"new").commit()
    assert path.read_bytes() == b"old"
    assert [item.name for item in tmp_path.iterdir()] == ["file"]


def test_a_folder_that_cannot_be_synced_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """When only the folder's sync fails, the new bytes stand, and the writer is not told that all is well."""
    path = tmp_path / "file"
    prepared = files.prepare(path, b"new", Durability.FULL)

    def fail(_: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(StoreError, match="may undo it"):
        prepared.commit()
    assert path.read_bytes() == b"new"


def test_only_regular_files_are_read(tmp_path: Path) -> None:
    """A missing file is no file; a pipe does not make the reader wait; a folder is an error."""
    os.mkfifo(tmp_path / "pipe")
    assert files.read_bytes(tmp_path / "missing") is None
    for path in (tmp_path / "pipe", tmp_path):
        with pytest.raises(UnreadableError, match="could not be read"):
            files.read_bytes(path)
