"""`python -m inkgate`, the same as the command `inkgate`."""

from __future__ import annotations

from inkgate.cli import process

if __name__ == "__main__":
    process()
