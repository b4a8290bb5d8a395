"""Commands in other clothes: marks or quotes round their words, lists of arguments, brace expansion."""

from __future__ import annotations

import re
from collections.abc import Sequence

from inkgate.text.lazy import lazy
from inkgate.text.unwrap.cues import HEADS
from inkgate.text.unwrap.passage import Edit, Passages
from inkgate.text.unwrap.scene import Scene
from inkgate.text.unwrap.words import cue_words

__all__ = ["dressed"]

_NAME = "[A-Za-z][A-Za-z0-9]{1,11}"
_QUOTE = r"""(?P<quote>["'])"""
_OPEN = r"""(?P<open>[*_~=`"'\[{$]{1,3})"""
_CLOSE = r"""(?P<close>\]\([^()\n]{0,200}\)|\]\[[^\[\]\n]{0,40}\]|[*_~=`"'\]}$]{1,3})(?!\w|[ ]{0,4},\s{0,8}["'])"""
_DRESSED = lazy(
    rf"{_QUOTE}(?P<listed>{_NAME})(?P=quote)[ ]{{0,4}},\s{{0,8}}[\"']"
    rf"|\{{(?P<brace>{_NAME}),[^\s{{}}]{{1,300}}\}}"
    rf"|{_OPEN}(?P<word>{_NAME}){_CLOSE}"
)
_ITEM = lazy(_QUOTE + r"""(?P<item>(?:(?!(?P=quote))[^\n]){0,400})(?P=quote)(?P<more>\s{0,8},\s{0,40}(?=["']))?""")
_ITEMS = 40
_MOST_MARKS = 3
_JOINING = "_=$[{"
_BEFORE = 8
_PIPES = ("|", "&", ";", "(")
_LISTED = lazy(r"[,.;:)/](?:\s|\Z)|[ ]/[ ]")
"""What follows a name that is mentioned, and no part of a command."""

_MARKS = "*_~=`\"'[{$"
_CLOTHES = bytes(
    ord(chr(byte).lower()) if chr(byte).isalnum() and byte < 128 else ord("?" if chr(byte) in _MARKS + ",]}" else " ")
    for byte in range(256)
)
"""A shadow in which words are in small letters and the marks round them are question marks."""

_NAMED = frozenset(form.encode() for head in HEADS for form in (head, f"${head}$"))


def _undressed(hit: re.Match[str]) -> tuple[str, Sequence[Edit]] | None:
    """Take the marks off a command's name, or write a list of arguments as the command that it makes."""
    if (hit["listed"] or hit["brace"] or hit["word"]).lower() not in HEADS:
        return None
    if hit["open"]:
        if _mentioned(hit):
            return None
        return "dressed", (
            (hit.start("open"), hit.end("open"), ""),
            (hit.start("close"), hit.end("close"), ""),
        )
    if hit["brace"]:
        commas = [at for at in range(*hit.span()) if hit.string[at] == ","]
        inner = [(at, at + 1, " ") for at in commas]
        return "dressed", ((hit.start(), hit.start() + 1, ""), *inner, (hit.end() - 1, hit.end(), ""))
    edits: list[Edit] = []
    position = hit.start()
    for _ in range(_ITEMS):
        item = _ITEM.match(hit.string, position)
        if item is None:
            break
        edits += ((item.start(), item.start("item"), ""), (item.end("item"), item.end(), " " if item["more"] else ""))
        position = item.end()
        if not item["more"]:
            break
    return ("dressed", edits) if edits else None


def _mentioned(hit: re.Match[str]) -> bool:
    """Return whether the marks belong to a longer name (`required_env`), or the name is one of a list."""
    text, begin, end = hit.string, hit.start(), hit.end()
    if begin and hit["open"][0] in _JOINING and text[begin - 1].isalnum():
        return True
    before = text[max(0, begin - _BEFORE) : begin].rstrip()
    return not before.endswith(_PIPES) and _LISTED.match(text, end) is not None


def _named(scene: Scene) -> list[bytes]:
    """Return the names of commands of a scene, between marks."""
    return [b"?%b?" % word for word in {word.strip(b"$") for word in scene.cues(cue_words()) & _NAMED}]


def _locate(scene: Scene, position: int, limit: int) -> int:
    """Return where the name of a command stands between two marks next, in scenes that name one at all."""
    best = scene.next_of("dressed", lambda: _named(scene), _CLOTHES, position, limit)
    first = max(position, best - _MOST_MARKS + 1)
    while first < best < limit and scene.text[best - 1] in _MARKS:
        best -= 1
    return min(best, limit)


def dressed() -> Passages:
    """Names of commands between marks, and commands written as lists."""
    return Passages(_DRESSED, _undressed, longest=400, locate=_locate)
