"""Lists of string literals that a program joins: `"".join(["ig", "nore"])` and `["ig", "nore"].join("")`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from inkgate.text.lazy import lazy
from inkgate.text.unwrap.passage import Edit, Passages
from inkgate.text.unwrap.scene import Scene
from inkgate.text.unwrap.words import cue_words

__all__ = ["joined"]

_LONGEST = 2400
_LISTS = lazy(
    r"""join\(\s{0,8}[\[({]?\s{0,40}(?=["'])|\[\s{0,40}(?=["'][^\[\]]{1,2000}\]\s{0,4}\.join\(\s{0,4}(?P<with>["'`]))"""
)
_BEFORE = lazy(r"""(["'])(?P<between>[^"'\n]{0,3})\1\s{0,4}\.$""")
_AFTER = lazy(r"""\]\s{0,4}\.join\(\s{0,4}(["'`])(?P<between>[^"'`\n]{0,3})\1""")
_ITEM = lazy(r"""(["'])(?P<item>(?:\\.|(?!\1)[^\\\n]){0,400})\1(?P<more>\s{0,8},\s{0,80}(?=["']))?""")
_ITEMS = 400


def _listed(hit: re.Match[str]) -> tuple[str, Sequence[Edit]] | None:
    """Write the items one after the other, with what the program puts between them."""
    text = hit.string
    items: list[re.Match[str]] = []
    position = hit.end()
    while len(items) < _ITEMS and (item := _ITEM.match(text, position)) is not None:
        items.append(item)
        position = item.end()
        if not item["more"]:
            break
    if len(items) < 2:
        return None
    if hit["with"]:
        around = _AFTER.search(text, position, position + 60)
    else:
        around = _BEFORE.search(text, max(0, hit.start() - 16), hit.start())
    between = around["between"] if around else ""
    edits: list[Edit] = [(items[0].start(), items[0].start("item"), "")]
    for item, following in pairwise(items):
        edits.append((item.end("item"), following.start("item"), between))
    return "concatenation", [*edits, (items[-1].end("item"), items[-1].end("item") + 1, "")]


def _locate(scene: Scene, position: int, limit: int) -> int:
    """Return where the next list that is joined begins, in scenes with the word `join` at all."""
    if b"join" not in scene.cues(cue_words()):
        return limit
    at = scene.raw.find(b"join(", max(0, position - scene.low))
    while at >= 0:
        place = at + scene.low
        head = scene.text[max(position, place - _LONGEST) : place]
        if head.rstrip(" .\n\t").endswith("]"):
            place = place - len(head) + head.rfind("[") if "[" in head else position - 1
        if place >= position:
            return min(place, limit)
        at = scene.raw.find(b"join(", at + 1)
    return limit


def joined() -> Passages:
    """Lists of literals that are joined."""
    return Passages(_LISTS, _listed, longest=_LONGEST, locate=_locate)
