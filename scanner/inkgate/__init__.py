"""inkgate: the gate in front of everything an AI agent writes into its long-term memory."""

from __future__ import annotations

__version__ = "0.1.0"
