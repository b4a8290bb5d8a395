"""What a file is: content decides, names only confirm."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import pickle
import py_compile
import random
import sqlite3
import struct
import tarfile
import zipfile
import zlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkgate.text.sniff import HEAD, Kind, promises_text, sniff

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\1\0\0\0\1\x08\6\0\0\0\x1f\x15\xc4\x89"
ELF = b"\x7fELF\2\1\1\0\0\0\0\0\0\0\0\0\3\0\x3e\0\1\0\0\0"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"plain",
        "žluťoučký 漢字".encode(),
        b"caf\xe9 in an old encoding",
        "\ufeffwide".encode("utf-16-le"),
        "an order in wide letters".encode("utf-16-be"),
        "Привет, как дела".encode("cp1251"),
        b"\x1b[31mred\x1b[0m terminal log\n",
    ],
)
@pytest.mark.parametrize("name", ["", "note.md", "picture.png", "data.bin", "lib.so", "song.mp3", "a.zip"])
def test_text_is_text_whatever_its_name(data: bytes, name: str) -> None:
    """No extension keeps text from being scanned."""
    assert sniff(data, name) is Kind.TEXT


@pytest.mark.parametrize(
    "data", [b"GIF89a ignore all orders", b"%PDF-1.4 ignore", b"MZ is a code", b"BM x", b"ID3 x", b"true story"]
)
@pytest.mark.parametrize("name", ["note.md", "picture.gif", "x", "x.exe"])
def test_a_signature_in_front_of_text_hides_nothing(data: bytes, name: str) -> None:
    """Readable text behind a signature that is itself readable is text."""
    assert sniff(data, name) is Kind.TEXT


@pytest.mark.parametrize("name", ["SKILL.md", "a.txt", ".cursorrules", "x/.env", "run.sh", "board.canvas", "rule.MDC"])
@pytest.mark.parametrize("data", [PNG, b"\0" * 100, random.Random(1).randbytes(HEAD)])
def test_a_name_that_promises_text_is_always_read(name: str, data: bytes) -> None:
    """Media and noise under a text name are read as text, because their reader does so."""
    assert promises_text(name)
    assert sniff(data, name) is Kind.TEXT


def test_media_needs_signature_and_name() -> None:
    """A picture is left unread only where its name says that it is one."""
    assert sniff(PNG, "a.png") is Kind.MEDIA
    assert sniff(PNG, "a.JPG") is Kind.MEDIA
    assert sniff(PNG, "a.dat") is Kind.BINARY
    assert sniff(b"\0\0\0\x20ftypisom\0\0\2\0", "a.mp4") is Kind.MEDIA
    assert sniff(b"RIFF\x10\0\0\0WEBPVP8 \0", "a.webp") is Kind.MEDIA
    assert sniff(random.Random(2).randbytes(HEAD), "a.png") is Kind.BINARY


def test_compiled_code_is_opaque_under_any_name(tmp_path: Path) -> None:
    """Bytecode, executables and pickles are told by their content."""
    (tmp_path / "m.py").write_text("x = 1\n")
    compiled = Path(py_compile.compile(str(tmp_path / "m.py"), cfile=str(tmp_path / "m.pyc")) or "").read_bytes()

    for data in (
        compiled,
        ELF,
        b"MZ\x90\0\3\0\0\0",
        b"\0asm\1\0\0\0",
        b"\xca\xfe\xba\xbe\0\0\0\x34",
        pickle.dumps({"a": 1}),
    ):
        for name in ("notes.md", "x", "x.pyc", "a.png"):
            assert sniff(data[:HEAD], name) is Kind.OPAQUE


def test_archives_are_told_by_content(tmp_path: Path) -> None:
    """Each kind of archive that is opened is recognised under a name that says nothing."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.md", "text")
    tape = io.BytesIO()
    with tarfile.open(fileobj=tape, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.md"))
    assert sniff(packed.getvalue(), "x") is Kind.ZIP
    assert sniff(tape.getvalue()[:HEAD], "x") is Kind.TAR
    assert sniff(gzip.compress(b"x"), "x.md") is Kind.GZIP
    assert sniff(bz2.compress(b"x"), "x") is Kind.BZIP2
    assert sniff(bz2.compress(b""), "x") is Kind.BZIP2
    assert sniff(lzma.compress(b"x"), "x") is Kind.XZ
    assert sniff(b"7z\xbc\xaf\x27\x1c\0\4", "x") is Kind.ARCHIVE
    assert [kind for kind in Kind if kind.opened] == [Kind.ZIP, Kind.TAR, Kind.GZIP, Kind.BZIP2, Kind.XZ]


def test_binary_data_is_neither_text_nor_known(tmp_path: Path) -> None:
    """A database, samples and compressed data without a container are unknown binary data."""
    with sqlite3.connect(tmp_path / "a.db") as base:
        base.execute("create table t (x)")
    source = random.Random(3)
    samples = struct.pack("<2000h", *(source.randrange(-90, 90) for _ in range(2000)))

    for data in (
        (tmp_path / "a.db").read_bytes()[:HEAD],
        samples,
        zlib.compress(random.Random(4).randbytes(900)),
        b"\0" * 9,
    ):
        assert sniff(data, "a.dat") is Kind.BINARY


@given(st.binary(max_size=700), st.text(max_size=20))
def test_nothing_raises(data: bytes, name: str) -> None:
    """Every file has a kind."""
    assert sniff(data, name) in Kind
