"""`python -m inkgate`, the same as the command `inkgate`."""

from __future__ import annotations

import sys

from inkgate.cli import main

if __name__ == "__main__":
    sys.exit(main())
