"""A store of sessions. What the tests share lies beside them and is imported as `recalled`."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inkgate.store import Durability
from inkgate.store.recall import RecallStore

sys.path.insert(0, str(Path(__file__).parent))

from recalled import fake_scan


@pytest.fixture(name="path")
def _path(tmp_path: Path) -> Path:
    return tmp_path / "inkgate" / "recall.db"


@pytest.fixture(name="store")
def _store(path: Path) -> Iterator[RecallStore]:
    with RecallStore(path, scan=fake_scan, durability=Durability.NONE) as store:
        yield store


@pytest.fixture(name="texts")
def _texts(store: RecallStore) -> Callable[..., list[str]]:
    """The texts that a query finds, best first."""

    def texts(query: str, **options: object) -> list[str]:
        return [hit.match.passage.text for hit in store.search(query, window=0, **options).hits]

    return texts
