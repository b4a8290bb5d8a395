"""The benchmarks measure what they say, and what they write can be read."""

from __future__ import annotations

import io
import math
import random
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(autouse=True)
def found(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The folder is no part of the package."""
    monkeypatch.syspath_prepend(str(ROOT))
    yield
    for name in [name for name in sys.modules if name.split(".")[0] == "benchmarks"]:
        del sys.modules[name]


def test_a_pair_is_measured_in_processes_of_its_own(tmp_path: Path) -> None:
    """This scanner beside itself is about as fast as itself, and needs memory and time to start."""
    from benchmarks.measure import Peer, compare

    text, line = tmp_path / "text.txt", tmp_path / "line.txt"
    text.write_text("A note about the garden.\n" * 400, encoding="utf-8")
    line.write_text("A note.\n", encoding="utf-8")
    pair = compare(Peer("itself", "inkgate", "inkgate", 10_000, "all"), sys.executable, text, line, 1)

    assert 0.05 < pair.ratios[0] < 20
    assert math.isclose(pair.ratios[0], pair.theirs / pair.ours)
    assert pair.memory > 5
    assert pair.start > 0
    assert pair.version
    assert (pair.fast is None) == (find_spec("hyperscan") is None)
    assert len(pair.fast_ratios) == (pair.fast is not None)


def test_a_scanner_that_fails_is_an_error() -> None:
    """It has no speed."""
    from benchmarks.measure import run

    with pytest.raises(RuntimeError, match="ended with 3: the reason"):
        run([sys.executable, "-c", "import sys; print('the reason'); sys.exit(3)"])


def test_what_is_not_installed_is_left_out(tmp_path: Path) -> None:
    """Unless it is to be installed."""
    from benchmarks.measure import PEERS, installed

    assert [installed(peer, tmp_path, install=False) for peer in PEERS] == [None] * len(PEERS)


def test_the_document_holds_ratios_and_the_picture_is_one() -> None:
    """Of made-up measurements."""
    from benchmarks.__main__ import Own, picture, tables
    from benchmarks.measure import PEERS, Pair

    mine = Own({"English documentation, ASCII": 2.0}, 150.0, (0.1, 0.02), 40.0)
    pairs = [Pair(PEERS[0], "0.19.0", 0.01, 0.05, (4.0, 5.0, 6.0), 20.0, 0.03)]
    growth = [(1000, 0.001, 40.0), (1_000_000, 1.0, 60.0)]

    text = tables(mine, None, pairs, growth, "a <machine>")
    assert "| 5 (4 to 6) | not installed |" in text
    assert "| 150 \u00b5s | not installed |" in text
    quick = mine._replace(speeds={"English documentation, ASCII": 3.0}, write=60.0)
    text = tables(mine, quick, [pairs[0]._replace(fast=0.005, fast_ratios=(9.0, 10.0, 11.0))], growth, "a <machine>")
    assert "| 5 (4 to 6) | 10 (9 to 11) |" in text
    assert "| 150 \u00b5s | 60 \u00b5s |" in text
    assert "| 2.00 MB/s | 3.00 MB/s |" in text
    assert "| 1,000,000 | 1 | 1.00 | 60 |" in text
    assert "a <machine>" in text
    root = ET.fromstring(picture(mine, pairs, growth))
    words = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert {"inkgate", "hermes", "0.4", "2"} <= set(words)


def test_the_stream_of_the_growth_is_as_long_as_asked_for() -> None:
    """And goes on where it stopped."""
    from benchmarks.growth import Endless
    from benchmarks.texts import documentation, sized

    stream, pieces = Endless(1_200_000), []
    while piece := stream.read(70_001):
        pieces.append(piece)
    assert "".join(pieces) == sized(documentation(), 1_200_000)


@pytest.mark.parametrize("name", ["documentation", "ru", "zh", "hi"])
def test_texts_are_ordinary_ones(name: str) -> None:
    """Documentation is ASCII, the others are not."""
    from benchmarks.texts import documentation, prose

    text = documentation() if name == "documentation" else prose(name)
    assert len(text) > 100
    assert text.isascii() is (name == "documentation")


def test_hostile_inputs_have_their_size() -> None:
    """Every kind is made, and is as long as asked for, or nearly."""
    from benchmarks.hostile import makers

    for name, make in makers().items():
        assert 2000 <= len(make(random.Random(name), 4096)) <= 4096, name


def test_archives_are_what_they_are_called() -> None:
    """The scanner opens them: it reads the text of those that can be read, and says what it did not read."""
    from benchmarks.hostile import ordinary, packed_rows
    from benchmarks.packed import archives

    from inkgate.lint.files import scan_reader

    made = archives(random.Random(1), 4096, ordinary, ordinary)
    read = {name: scan_reader(io.BytesIO(data), file) for name, (file, data) in made.items()}
    assert read["archive, three deep"].characters > 4096
    assert not read["archive, thirty deep"].complete
    assert read["archive of archives, doubled"].characters == 4096
    assert read["archive of many small notes"].characters == 4000
    assert not read["zip that is cut"].complete
    rows = list(packed_rows(4096, "slow text"))
    assert [row.name for row in rows] == ["archive of slow text", "document of slow text"]
    assert all(row.ratio > 0 and row.size > 0 for row in rows)


def test_memory_is_that_of_the_process_alone() -> None:
    """Whoever starts it may hold as much as it likes."""
    from benchmarks.measure import run

    held = bytearray(300_000_000)
    held[::4096] = b"x" * len(held[::4096])

    assert 3 < run([sys.executable, "-I", "-c", "pass"]).memory < 100
    code = "x = bytearray(150_000_000); x[::4096] = b'x' * len(x[::4096]); print(input())"
    used = run([sys.executable, "-I", "-c", code], b"tea\n")
    assert (used.out, used.memory > 150) == ("tea\n", True)
    assert len(held) == 300_000_000
