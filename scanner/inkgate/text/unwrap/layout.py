"""Words pulled apart by the layout: long runs of blanks or marks, and list numbers in the middle of a sentence.

A rule lets twelve characters stand between two words. What is further apart is read here as if it stood together, and
so is a command whose parts are set in columns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from inkgate.text.lazy import lazy
from inkgate.text.unwrap.cues import HEADS
from inkgate.text.unwrap.passage import Edit, Passages
from inkgate.text.unwrap.scene import LETTERING, MARKS, Scene, classes

__all__ = ["gaps", "pulled_apart"]

_BLANKS = " \t\xa0"
_RULES = ".-*=~#_+:"
_COLUMN = classes(b=_BLANKS, n="\r\n")
_FAR = classes(a=LETTERING, w=" \t\r\n\x0b\x0c\x85\xa0")
_RULE = classes(a=LETTERING, b=" ", m=_RULES)
_MARK = classes(a=LETTERING, s=MARKS.replace("\n", "").replace("\r", ""))
_ITEM = classes(d="0123456789", m=".)", b=_BLANKS)
_NEEDLES = (
    (_COLUMN, b"?bbbb"),
    (_FAR, b"a" + b"w" * 13),
    (_RULE, b"a" + b"m" * 13),
    (_RULE, b"ab" + b"m" * 13),
    (_MARK, b"a" + b"s" * 41),
    (_ITEM, b"dmb"),
)
"""Shadows and what to find in them. A match begins at the second character; a list number, at the line end before."""

_LEAD = 16
_MOST = 8000
_RUN = f"{{12,{_MOST}}}+"
_WORD = r"(?=[^\W_])"
_FIRST_LINE = lazy(r"[\r\n]+")
_LOOK = 160
_SIDE = 2
"""Words on either side that tell a sentence from code."""

_ONE_WORD = lazy(r"[\"'(*_`#>]*+[^\W_](?>(?:[^\W_]|['’@$-])*)[\"')*_`.,;:!?]*+")
_MARK_CLASS = r"[.\-*=~#_+:]"
_NUMBER = r"\n?[ \t>]{0,8}(?P<number>[0-9]{1,3})[.)][ \t]{1,8}(?=[^\W\d_])"
_PULLED = lazy(
    rf"[ \t\xa0](?:(?<=[^\s|].)[ \t\xa0]{{3,{_MOST}}}+(?=[^\s|#])|(?<=[^\W_].)(?:\s{_RUN}{_WORD}"
    rf"|(?P<far>{_MARK_CLASS})(?P=far){_RUN}[ ]?{_WORD}))"
    rf"|[\r\n](?:(?<=[^\W_].)\s{_RUN}{_WORD}|(?<=[^\W_].|,.){_NUMBER})"
    rf"|(?<=[^\W_])(?:(?P<near>{_MARK_CLASS})(?P=near){_RUN}[ ]?|(?>(?:[^\w\r\n]|_){{40,{_MOST}}})){_WORD}",
    re.DOTALL,
)
_BEGUN = lazy(
    r"[\t\n\r !-/:-@\[-`{-~\xa0](?![^\W\d_])(?:(?<=[ \t\xa0])(?=[ \t\xa0]{3})(?<=[^\s|].)"
    rf"|(?<=[^\W_].)(?=\s{{12}}|[ ]?(?P<far>{_MARK_CLASS})(?P=far){{11}}|(?:[^\w\r\n]|_){{39}})"
    rf"|(?<=[\r\n])(?<=[^\W_].|,.)(?={_NUMBER}))",
    re.DOTALL,
)
"""Where a gap begins: quick to search for, though it may turn out to be none."""

_BEGUN_SEES = 64


def _closed(hit: re.Match[str]) -> tuple[str, Sequence[Edit]] | None:
    """Leave one blank; the number of a list item goes only where the sentence goes on in the same letters."""
    if hit["number"] and hit.string[hit.end()].isupper() and not hit.string[hit.start() - 1].isupper():
        return None
    if hit[0].isspace() and not hit[0].isprintable() and _broken_code(hit):
        return None
    return "layout", ((hit.start(), hit.end(), " "),)


def _broken_code(hit: re.Match[str]) -> bool:
    """Return whether a gap with a line end in it stands between two lines of code, and not in a sentence."""
    text, begin, end = hit.string, hit.start(), hit.end()
    if "\n" not in hit[0] and "\r" not in hit[0]:
        return False
    before = _FIRST_LINE.split(text[max(0, begin - _LOOK) : begin])[-1].split()
    after = _FIRST_LINE.split(text[end : end + _LOOK], 1)[0].split()
    if any(word.lower() in HEADS or "://" in word for word in (*before, *after)):
        return False
    return not all(_ONE_WORD.fullmatch(word) for word in (*before[-_SIDE:], *after[:_SIDE]))


class _Locator:
    """Finds the next place of any needle; each is looked for once and remembered until it is passed."""

    def __init__(self) -> None:
        self._scene: Scene | None = None
        self._next: list[tuple[int, int]] = []  # from where each was looked for, and where it is

    def __call__(self, scene: Scene, position: int, limit: int) -> int:
        """See `Passages.locate`."""
        if scene is not self._scene:
            self._scene, self._next = scene, [(1, 0)] * len(_NEEDLES)
        best = limit
        for index, (table, needle) in enumerate(_NEEDLES):
            asked, found = self._next[index]
            if not asked <= position <= found:
                found = self._find(scene, scene.shadow(table), needle, position)
                self._next[index] = position, found
            best = min(best, found)
        return best

    @staticmethod
    def _find(scene: Scene, shadow: bytes, needle: bytes, position: int) -> int:
        """Return the first offset at or after `position` where the needle says that a match may begin."""
        text, number = scene.text, needle == b"dmb"
        at = shadow.find(needle, max(0, position - scene.low - 1))
        while at >= 0:
            place = at + scene.low + 1
            if number:
                place = text.rfind("\n", max(0, place - _LEAD), place)
                place -= place > 0 and text[place - 1] == "\r"
            if place >= position:
                return place
            at = shadow.find(needle, at + 1)
        return len(text) + 1


_ANY = classes(s=MARKS, d="0123456789")
_SHORTEST, _NUMBERED = b"ssss", b"dss"
"""What every gap has: four marks or blanks in a row, or a digit before two of them."""


def gaps(scene: Scene) -> bool:
    """Whether any needle is in its shadow."""
    shadow = scene.shadow(_ANY)
    if _SHORTEST not in shadow and _NUMBERED not in shadow:
        return False
    return any(needle in scene.shadow(table) for table, needle in _NEEDLES)


def pulled_apart() -> Passages:
    """Sentences and commands with long gaps, closed up."""
    return Passages(_PULLED, _closed, longest=_MOST + 64, locate=_Locator(), begun=(_BEGUN, _BEGUN_SEES))
