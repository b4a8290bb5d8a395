"""Readable strings of binary data."""

from __future__ import annotations

import io
import random
import time

from hypothesis import given
from hypothesis import strategies as st

from inkgate.text.strings import SHORTEST, Strings


class Drip:
    """A reader that gives a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self._file, self._size = io.BytesIO(data), size

    def read(self, n: int) -> bytes:
        """The next few bytes."""
        return self._file.read(min(n, self._size))


def strings(data: bytes, size: int = 1 << 30) -> list[str]:
    """All strings of the data."""
    reader, parts = Strings(Drip(data, size)), []
    while part := reader.read(1000):
        assert len(part) <= 1000
        parts.append(part)
    return "".join(parts).splitlines()


def test_runs_of_text_are_found_in_every_form() -> None:
    """ASCII, other scripts and UTF-16 are strings; what is shorter is noise."""
    data = b"\0\1first one\xff\xfe" + "žluťoučký".encode() + b"\0" + "wide letters".encode("utf-16-le") + b"\x80short\0"
    data += b"\0" + "other order".encode("utf-16-be") + b"\0last one"

    assert strings(data) == ["first one", "žluťoučký", "wide letters", "other order", "last one"]


def test_runs_across_chunks_and_of_any_length_are_whole() -> None:
    """No string is lost or cut at a border, and very long ones pass."""
    data = b"".join(b"\0" * (n % 7) + b"string number %d" % n + b"\0\xff" for n in range(20_000))

    assert strings(data) == [f"string number {n}" for n in range(20_000)]
    assert "".join(strings(b"\0" + b"x" * 3_000_000)) == "x" * 3_000_000


@given(st.binary(max_size=300), st.integers(1, 50))
def test_delivery_changes_nothing(data: bytes, size: int) -> None:
    """Short reads give the same strings, all of which are long enough."""
    found = strings(data, size)

    assert found == strings(data)
    assert "".join(found).isascii() is False or all(
        part in data.replace(b"\0", b"").decode("latin-1") for part in found
    )


@given(st.binary(max_size=100), st.text(alphabet="abcdé ", min_size=SHORTEST, max_size=80), st.binary(max_size=100))
def test_every_string_between_noise_is_found(before: bytes, text: str, after: bytes) -> None:
    """A run between bytes that are no text is there."""
    assert any(text in part for part in strings(before + b"\0\0\xff" + text.encode() + b"\xff\0" + after))


def test_noise_takes_linear_time() -> None:
    """Data made to start a run at every byte costs seconds for megabytes."""
    begun = time.perf_counter()
    for data in (
        b"a\0" * 2_000_000,
        b"abcde\xff" * 700_000,
        b"\xe2\x82" * 2_000_000,
        random.Random(1).randbytes(4_000_000),
    ):
        strings(data)

    assert time.perf_counter() - begun < 20
