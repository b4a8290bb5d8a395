"""Shared fixtures: the measurement data beside the checkout, where there is any.

Property tests draw the same examples in every run, so that a change is judged by what it changes. To look for new ones:
`pytest --hypothesis-profile=explore`. The engine is the one that every installation has, whatever is installed here and
however much was read before; tests of the other one ask for it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared"

os.environ["INKGATE_ENGINE"] = "ahocorasick"

settings.register_profile("repeatable", derandomize=True, deadline=None, database=None)
settings.register_profile("explore", deadline=None, print_blob=True)
settings.load_profile("repeatable")


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
