"""Blocks: the same pieces of the same text, however a reader delivers."""

from __future__ import annotations

import io
import itertools
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inkgate.text.decode import Decoder
from inkgate.text.stream import BLOCK, Blocks, ReaderError, reblock


class Drip:
    """A reader that delivers pieces of given sizes, never more than it is asked for."""

    def __init__(self, data: str | bytes, sizes: list[int]) -> None:
        self._data, self._place = data, 0
        self._sizes: Iterator[int] = itertools.cycle(sizes or [BLOCK])

    def read(self, n: int) -> str | bytes:
        """The next piece."""
        start = self._place
        self._place = min(len(self._data), start + min(n, next(self._sizes)))
        return self._data[start : self._place]


def test_every_block_but_the_last_has_the_same_length() -> None:
    """Blocks are `BLOCK` characters long, and together they are the text."""
    text = "é" * (2 * BLOCK + 5)
    blocks = list(Blocks(io.StringIO(text)))

    assert [len(block) for block in blocks] == [BLOCK, BLOCK, 5]
    assert "".join(blocks) == text


@pytest.mark.parametrize("empty", ["", b""])
def test_an_empty_reader_has_no_blocks(empty: str | bytes) -> None:
    """No text, no block."""
    assert list(Blocks(Drip(empty, [1]))) == []


@pytest.mark.parametrize("length", [BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK])
def test_the_last_block_is_never_empty(length: int) -> None:
    """A text that fills its blocks exactly has no empty one at the end."""
    assert [len(block) for block in Blocks(io.BytesIO(b"x" * length))] == [BLOCK for _ in range(length // BLOCK)] + [
        length % BLOCK
    ] * (length % BLOCK > 0)


@settings(deadline=None)
@given(
    st.text(max_size=300),
    st.integers(0, 3),
    st.lists(st.integers(7, 2 * BLOCK), max_size=5),
    st.sampled_from(["str", "utf-8", "utf-16", "utf-32"]),
)
def test_delivery_changes_nothing(seed: str, blocks: int, sizes: list[int], form: str) -> None:
    """Pieces of any sizes, as text or bytes, give the same blocks."""
    text = "\U0001f600é" * (blocks * BLOCK // 2) + seed
    if form == "str":
        assert list(Blocks(Drip(text, sizes))) == list(reblock([text]))
        return
    data = text.encode(form, "surrogatepass")
    assert list(Blocks(Drip(data, sizes))) == list(Blocks(io.BytesIO(data)))
    assert "".join(Blocks(Drip(data, sizes))) == Decoder().feed(data, final=True)


def test_lone_surrogates_in_text_pass() -> None:
    """Text that is already decoded keeps its lone surrogates, which later checks report."""
    assert list(Blocks(Drip("a\ud83d\ude00b\udc00", [2]))) == ["a\ud83d\ude00b\udc00"]


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ([None], "None instead of data"),
        (["a", None], "None instead of data"),
        (["a", b"b"], "text and bytes in turn"),
        ([b"a", "b"], "text and bytes in turn"),
        ([3], "int, neither text nor bytes"),
        ([["a"]], "list, neither"),
    ],
)
def test_a_reader_that_gives_no_text_is_a_clear_error(pieces: list[object], message: str) -> None:
    """A non-blocking or confused reader is refused by name, never taken for the end of the text."""

    class Odd:
        def read(self, n: int) -> object:
            return pieces.pop(0) if pieces else ""

    with pytest.raises(ReaderError, match=message):
        list(Blocks(Odd()))  # type: ignore[arg-type]


def test_errors_of_the_reader_pass_through() -> None:
    """A read that fails is not the end of the text."""

    class Broken:
        def read(self, n: int) -> bytes:
            raise OSError(5, "Input/output error")

    with pytest.raises(OSError, match="Input/output"):
        list(Blocks(Broken()))


_COUNT = """
from inkgate.text.stream import Blocks
class Source:
    left = {size}
    def read(self, n):
        n = min(n, self.left)
        self.left -= n
        return {make}
total = sum(map(len, Blocks(Source())))
with open("/proc/self/status") as status:
    peak = [int(line.split()[1]) for line in status if line.startswith("VmHWM")]
print(total, peak[0] // 1024)
"""


def _measure(size: int, make: str) -> tuple[int, int]:
    """Characters read, and the most memory in MiB of a process that reads them."""
    if not Path("/proc/self/status").exists():
        pytest.skip("the peak of a process's memory is read from /proc")
    done = subprocess.run(
        [sys.executable, "-c", _COUNT.format(size=size, make=make)], capture_output=True, text=True, check=True
    )
    characters, memory = done.stdout.split()
    return int(characters), int(memory)


@pytest.mark.parametrize("make", ["b'x' * n", "b'\\xff' * n", "bytes(n)", "'\\u0301' * n"])
def test_memory_does_not_grow_with_the_text(make: str) -> None:
    """64 million characters, valid or not, pass within 64 MiB of memory for the whole process."""
    characters, memory = _measure(64_000_000, make)

    assert characters in (64_000_000, 32_000_000)
    assert memory < 64


@pytest.mark.slow
@pytest.mark.parametrize("make", ["b'x' * n", "bytes(n)", "'\\u0301' * n"])
def test_a_gigabyte_passes_in_the_same_memory(make: str) -> None:
    """The long form: a billion characters."""
    characters, memory = _measure(1_000_000_000, make)

    assert characters in (1_000_000_000, 500_000_000)
    assert memory < 64
