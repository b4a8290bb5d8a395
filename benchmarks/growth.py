"""How time and memory grow with the size of a stream, each size in a process of its own.

    python -m benchmarks.growth SIZE

prints the CPU seconds of the scan and the MB resident at most as JSON.
"""

from __future__ import annotations

import json
import resource
import sys
import time

from benchmarks.texts import documentation


class Endless:
    """Documentation without end, up to a number of characters."""

    def __init__(self, size: int) -> None:
        self._text = documentation()
        self._left, self._at = size, 0

    def read(self, size: int) -> str:
        """The next characters; empty at the end."""
        size = min(size, self._left, len(self._text) - self._at)
        piece = self._text[self._at : self._at + size]
        self._left -= size
        self._at = (self._at + size) % len(self._text)
        return piece


def main() -> None:
    """Scan one stream."""
    from inkgate import scan_stream

    scan_stream(Endless(100_000), target="vault")  # rules loaded, patterns compiled
    begin = time.process_time()
    scan_stream(Endless(int(sys.argv[1])), target="vault")
    spent = time.process_time() - begin
    unit = 1 if sys.platform == "darwin" else 1024
    print(json.dumps([spent, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6]))


if __name__ == "__main__":
    main()
