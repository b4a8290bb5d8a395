"""A home with all its tiers, under the real rules."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from inkgate.store import Durability
from inkgate.tiers import Desk, Tiers


@pytest.fixture(name="tiers")
def _tiers(tmp_path: Path) -> Iterator[Tiers]:
    tiers = Tiers.of(tmp_path / "home", durability=Durability.NONE)
    yield tiers
    tiers.recall.close()


@pytest.fixture(name="desk")
def _desk(tiers: Tiers) -> Desk:
    """Steps that a person has asked for and watches."""
    return tiers.desk(author="ann", attended=True)


@pytest.fixture(name="alone")
def _alone(tiers: Tiers) -> Desk:
    """Steps that nobody watches."""
    return tiers.desk(author="agent")
