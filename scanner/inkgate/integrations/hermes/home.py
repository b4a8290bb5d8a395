"""Where this agent keeps its files."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["home"]


def home() -> Path:
    """`$HERMES_HOME`, else `~/.hermes`; asked anew each time, because the agent may switch profiles while it runs."""
    return Path(os.environ.get("HERMES_HOME") or "~/.hermes").expanduser().absolute()
