"""Where this agent keeps its files."""

from __future__ import annotations

import os
from functools import lru_cache
from pathlib import Path

__all__ = ["home"]


def home() -> Path:
    """`$HERMES_HOME`, else `~/.hermes`; asked anew each time, because the agent may switch profiles while it runs."""
    named = os.environ.get("HERMES_HOME") or "~/.hermes"
    return _absolute(named) if named.startswith("/") else Path(named).expanduser().absolute()


@lru_cache(8)
def _absolute(named: str) -> Path:
    return Path(named)
