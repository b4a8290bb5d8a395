"""The catalogue of tricks lies beside the tests and is imported as `evasion`."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
