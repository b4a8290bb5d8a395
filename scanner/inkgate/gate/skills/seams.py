"""Where one file of a skill ends and the next one that is read begins: a token or an order may be split there.

Each file is scanned by itself, and a half of a token, or of an order, is found in none. Whoever loads the skill reads
one file after the other, so the end of each and the beginning of the next are scanned as one text: without anything in
between for tokens, as two paragraphs for the rest. Only what crosses the seam counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import pairwise

from inkgate.model import Category, Finding, ScanResult
from inkgate.store.skills import Tree

__all__ = ["seam_findings"]

_REACH = 512  # characters of a file's end, and of the next one's beginning
_GAP = "\n\n"
_TOKEN = re.compile(r"[\w+/=.~:-][\w+/=.~:-]")  # what a token may hold, on both sides of the cut

Scan = Callable[[str], ScanResult]


def seam_findings(name: str, tree: Tree, manifest: str, scan: Scan) -> list[Finding]:
    """What is found across two files that are read one after the other, at its place in the first of them.

    Args:
        name: what the skill's folder is called.
        tree: its files.
        manifest: path of its `SKILL.md`.
        scan: scans a text as one of a skill.
    """
    texts = {path: text for path, file in sorted(tree.items()) if (text := _text(file.data)).strip()}
    found: list[Finding] = []
    for first, second in dict.fromkeys(seam for order in _orders(texts, manifest) for seam in pairwise(order)):
        text = texts[first].rstrip()
        start = max(0, len(text) - _REACH)
        for finding in _across(text[start:], texts[second].lstrip()[:_REACH], scan):
            found.append(_placed(finding, f"{name}/{first}", text, start))
    return found


def _orders(texts: Mapping[str, str], manifest: str) -> Iterable[list[str]]:
    """The orders in which the files may be read: as they lie there, and as the manifest names them."""
    head = [manifest] if manifest in texts else []
    others = [path for path in texts if path != manifest]
    yield head + others
    places = {path: _named(texts.get(manifest, ""), path) for path in others}
    named = sorted((path for path in others if places[path] >= 0), key=lambda path: places[path])
    yield head + named + [path for path in others if places[path] < 0]


def _named(text: str, path: str) -> int:
    place = text.find(path)
    return place if place >= 0 else text.find(path.rpartition("/")[2])


def _across(before: str, after: str, scan: Scan) -> list[Finding]:
    """The findings across a seam; positions count from the beginning of `before`."""
    found: list[Finding] = []
    if _TOKEN.fullmatch(before[-1] + after[0]):
        found = [item for item in scan(before + after).findings if item.category is Category.SECRET]
    found = [item for item in found if item.start < len(before) < item.end]
    second = len(before) + len(_GAP)
    apart = scan(f"{before}{_GAP}{after}").findings
    return found + [item for item in apart if item.start < len(before) and second < item.end]


def _placed(finding: Finding, source: str, text: str, start: int) -> Finding:
    """The finding at the end of the first file; what of it stands in the second one is not told."""
    begin, end = start + finding.start, len(text)
    line = text.count("\n", 0, begin) + 1
    column = begin - (text.rfind("\n", 0, begin) + 1) + 1
    last = end - (text.rfind("\n", 0, end) + 1) + 1
    return replace(
        finding, source=source, start=begin, end=end, line=line, column=column,
        end_line=text.count("\n", 0, end) + 1, end_column=last,
    )  # fmt: skip


def _text(data: bytes) -> str:
    """The file as text; nothing where it is none."""
    if b"\0" in data:
        return ""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return ""
