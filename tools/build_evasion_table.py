"""Write docs/evasion.md: every payload under every trick, and how many are caught.

python tools/build_evasion_table.py            scan everything (a few minutes) and bring the file up to date
python tools/build_evasion_table.py --check    say whether it is; exit code 1 if not
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs" / "evasion.md"
sys.path.append(str(ROOT / "tests"))

from evasion.document import build, measured  # noqa: E402


def main() -> int:
    """Write or check; 0 when the document is up to date in the end."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args()
    old = DOCUMENT.read_text(encoding="utf-8") if DOCUMENT.exists() else ""
    new = build(measured())
    if old == new:
        return 0
    if options.check:
        print(f"{DOCUMENT.name} is not up to date: run python tools/build_evasion_table.py", file=sys.stderr)
        return 1
    DOCUMENT.write_text(new, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
