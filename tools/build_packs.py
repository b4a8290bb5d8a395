"""Write the fast form of the shipped packs beside them. Run it after a change to any pack.

python tools/build_packs.py [--check | --quick]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from inkgate.match import packs
from inkgate.match.parse import parse_packs

TARGET = Path(__file__).resolve().parents[1] / "patterns" / packs.COMPILED


def main() -> int:
    """Write the file, or with --check say whether it is in step."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when the file is out of step")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="keep what is known of patterns that are the same; not after a change to match/",
    )
    args = parser.parse_args()
    texts = packs.texts()
    new = packs.dump(texts, packs.parsed(packs.contents()) if args.quick else parse_packs(texts))
    if args.check:
        return 0 if TARGET.is_file() and TARGET.read_text(encoding="ascii") == new else 1
    TARGET.write_text(new, encoding="ascii")
    return 0


if __name__ == "__main__":
    sys.exit(main())
