"""The benchmarks measure what they say, and what they write can be read."""

from __future__ import annotations

import math
import sys
import xml.etree.ElementTree as ET
from collections.abc import Iterator
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

    text = tables(mine, pairs, growth, "a <machine>")
    assert "| 5 (4 to 6) |" in text
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
