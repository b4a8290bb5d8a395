"""Shared fixtures: the measurement data beside the checkout, where there is any."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"


@pytest.fixture(scope="session")
def root() -> Path:
    """The top of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The measurement data; a test that asks for it is skipped where it is absent."""
    if not (SHARED / "DESIGN.md").is_file():
        pytest.skip("the measurement corpora are not beside this checkout")
    return SHARED
