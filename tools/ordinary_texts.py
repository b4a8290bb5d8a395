"""Collect ordinary paragraphs, for the learned judge to be taught with (train_judge.py).

    python tools/ordinary_texts.py FOLDER NAME > DATA/NAME.jsonl

FOLDER holds unpacked packages, one folder each (`dpkg-deb -x PACKAGE FOLDER/PACKAGE`). Paragraphs of their manual pages
(`NAME` manuals), of their HTML (guides) or of README and NEWS files (readmes) are printed as JSON lines, at most `MOST`
of a package, chosen by a hash. The shipped weights were made with those of Debian 12: the manual pages in sixteen
languages (manpages-*), debian-reference-*, debian-faq, debian-policy, maint-guide, and the README files of what a plain
system has installed. Nothing of them is in the repository.
"""

from __future__ import annotations

import gzip
import html
import json
import re
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

MOST = 400
"""Paragraphs of one package."""

SHORTEST, LONGEST = 60, 700
"""Characters of a paragraph; in scripts without blanks a third is enough."""

KINDS = {"manuals": "**/man/**/*.gz", "guides": "**/*.html*", "readmes": "**/doc/**/[RN]E*"}
"""Which files are read, by the name of the collection."""

_ROFF = (
    (re.compile(r"^\.\\\".*$", re.MULTILINE), ""),
    (re.compile(r"^\.(?:[PTIL]?P|S[HS]|R[ES]|HP|Pp|sp|br).*$", re.MULTILINE), "\n"),
    (re.compile(r"^\.[BIR]{1,2} ?", re.MULTILINE), ""),
    (re.compile(r"^[.'].*$", re.MULTILINE), ""),
    (re.compile(r"\\f(?:\[[^\]]*\]|\(..|.)|\\\[[^\]]*\]|\\&|\\\(bu"), ""),
    (re.compile(r"\\-"), "-"),
    (re.compile(r"\\[%:~ 0|^]|\\\(.."), " "),
)
_TAGS = (
    (re.compile(r"(?s)<(script|style|pre)\b.*?</\1>"), ""),
    (re.compile(r"</?(?:p|li|dd|dt|h\d|div|td|tr)\b[^>]*>"), "\n\n"),
    (re.compile(r"<[^>]+>"), ""),
)
_SPACELESS = re.compile(r"[\u3040-\u9fff\uac00-\ud7af]")


def text_of(path: Path) -> str:
    """The text of a file, unpacked and without markup."""
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    rules = _ROFF if "/man/" in path.as_posix() else _TAGS if ".html" in path.name else ()
    for pattern, filled in rules:
        text = pattern.sub(filled, text)
    return html.unescape(text) if rules is _TAGS else text


def paragraphs(text: str) -> Iterator[str]:
    """Its paragraphs of running text."""
    for part in re.split(r"\n\s*\n", text):
        piece = " ".join(part.split())
        least = SHORTEST // 3 if len(_SPACELESS.findall(piece)) > SHORTEST // 3 else SHORTEST
        if least <= len(piece) <= LONGEST and sum(map(str.isalpha, piece)) > 0.65 * len(piece):
            yield piece


def main(folder: Path, name: str) -> int:
    """Print the paragraphs of every package in a folder."""
    for package in sorted(path for path in folder.iterdir() if path.is_dir()):
        files = sorted(path for path in package.glob(KINDS[name]) if path.is_file())
        found = {piece for path in files for piece in paragraphs(text_of(path))}
        for piece in sorted(found, key=lambda text: sha256(text.encode()).digest())[:MOST]:
            row = {"source": package.name, "kind": "benign_paragraph", "label": "benign", "text": piece}
            print(json.dumps(row, ensure_ascii=False))
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[2] not in KINDS:
        sys.exit(f"usage: ordinary_texts.py FOLDER {'|'.join(KINDS)}")
    sys.exit(main(Path(sys.argv[1]), sys.argv[2]))
