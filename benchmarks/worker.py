"""Scans one text in the interpreter of one scanner and prints the CPU seconds of each pass as JSON.

Run by `benchmarks.measure` with whichever Python has the scanner, so nothing but the standard library is imported here,
and the scanner's own modules in the function that is named after it.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path


def inkgate(path):
    """The whole pipeline, all packs, with the engine that needs nothing."""
    from inkgate import scan_text
    from inkgate.match.rules import load_rules

    text, rules = read(path), load_rules(engine="ahocorasick")
    return lambda: scan_text(text, target="vault", rules=rules)


def inkgate_fast(path):
    """The same with the other engine."""
    from inkgate import scan_text
    from inkgate.match.rules import load_rules

    text, rules = read(path), load_rules(engine="hyperscan")
    return lambda: scan_text(text, target="vault", rules=rules)


def hermes(path):
    """The strict scan of threats, which reads 64 KiB."""
    from tools.threat_patterns import scan_for_threats

    text = read(path)
    return lambda: scan_for_threats(text, "strict")


def detect_secrets(path):
    """A file with the default plugins."""
    from detect_secrets import SecretsCollection
    from detect_secrets.settings import default_settings

    def scan():
        with default_settings():
            SecretsCollection().scan_file(path)

    return scan


def credsweeper(path):
    """A file with the rules and without the model, which is the faster way."""
    from credsweeper.app import CredSweeper
    from credsweeper.file_handler.text_content_provider import TextContentProvider

    scanner = CredSweeper(ml_threshold=None)
    return lambda: scanner.file_scan(TextContentProvider(path))


def betterleaks(path):
    """A text in process."""
    from betterleaks import scan_string

    text = read(path)
    return lambda: scan_string(text)


def kingfisher(path):
    """A text in process."""
    from kingfisher_sdk import Scanner

    scanner, text = Scanner(), read(path).encode()
    return lambda: scanner.scan(text)


def read(path):
    """The text of a file."""
    return Path(path).read_text(encoding="utf-8")


def main():
    """Scan once to warm up, then as often as asked for."""
    name, path, passes = sys.argv[1], sys.argv[2], int(sys.argv[3])
    scan = globals()[name](path)
    scan()
    seconds = []
    for _ in range(passes):
        start = time.process_time()
        scan()
        seconds.append(time.process_time() - start)
    print(json.dumps(seconds))


if __name__ == "__main__":
    main()
