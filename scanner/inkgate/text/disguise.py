"""How a short slice of text differs from plain writing.

A rule that matches in the folded view may have met plain text with accents, or text that was written so as not to be
recognised. This module tells them apart, by characters and words: what is ordinary in some language (accents, words in
one script, joiners in Persian and Indic words, emoji selectors, units such as μm) is no disguise.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache

from inkgate.text.fold import fold_char
from inkgate.text.lazy import lazy

__all__ = ["disguises"]

# Default_Ignorable_Code_Point, interlinear controls, and C0/C1 controls other than white space.
_INVISIBLE = lazy(
    "[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
)
_ASCII_SPLIT = lazy(r"[A-Za-z0-9][\x00-\x08\x0e-\x1f\x7f]++[A-Za-z0-9]")
_LATIN = lazy(
    "[A-Za-z\xaa\xba\xc0-\xd6\xd8-\xf6\xf8-\u02b8\u02e0-\u02e4\u1d00-\u1d25\u1d2c-\u1d5c\u1d62-\u1d65\u1d6b-\u1d77\u1d79-\u1dbe\u1e00-\u1eff"
    "\u2071\u207f\u2090-\u209f\u2100-\u2188\u2c60-\u2c7f\ua722-\ua787\ua78b-\ua7ff\uab30-\uab5a\uab5c-\uab64\ufb00-\ufb06"
    "\U0001df00-\U0001dfff]"
)
# Letters drawn in a style: mathematical, enclosed, outlined, full width, letterlike. Regional indicators are flags.
_STYLED = lazy(
    "[\u2102\u210a-\u2112\u2115\u2118-\u211d\u2124\u2128\u212c-\u2131\u2133\u2134\u249c-\u24e9\uff10-\uff19\uff21-\uff3a"
    "\uff41-\uff5a\U0001ccd6-\U0001ccf9\U0001d400-\U0001d7ff\U0001f110-\U0001f189]"
)
_FULLWIDTH = lazy("[\uff10-\uff5a]")
# Small capitals, raised, lowered and turned letters: ordinary one by one (phonetics, ordinals), a style in a row.
_SHAPED = lazy(
    "[\u1d00-\u1d23\u0299\u0262\u029c\u026a\u029f\u0274\u0280\u028f\u0250\u0254\u01dd\u0265\u029e\u026f\u0279\u0287\u028c"
    "\u028d\u028e\u1d09\u025f\ua730\ua731\ua7ae\ua7af\u02b0-\u02b8\u02e1-\u02e3\u1d2c-\u1d6a\u2071\u207f\u2090-\u209c\u2c7c\u2c7d]"
)
_OVERLAY = lazy("[\u0334-\u0338\u0488\u0489\u20d2\u20d3\u20d8-\u20e0\u20e2\u20e4-\u20e6\u20ea\u20eb]")
_MARKS = lazy("[\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]")
_EAST_ASIAN = lazy("[\u2e80-\u2fdf\u3005-\u31ff\u3400-\u9fff\uac00-\ud7a3\U00020000-\U0003ffff]")
# Letters of other alphabets that are the same drawing as a Latin letter, not only like one.
_TWINS = frozenset(
    "аеорсухіјѕһԁԛԝӏАВЕКМНОРСТХУІЈЅԚԜҺӀ" "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοϲϳν" "օսհՍՕՏ"
)  # fmt: skip
_GREEK = lazy("[\u0370-\u03ff\u1f00-\u1fff]")
_ALPHABETS = lazy(
    "[\u0370-\u058f\u10a0-\u10ff\u13a0-\u13ff\u1c80-\u1cbf\u1f00-\u1fff\u2c80-\u2d2f\ua640-\ua69f\uab70-\uabbf]"
)
_EMOJI_LETTERS = frozenset("\u2139\u24c2")  # letters that ask for an emoji selector


@dataclass(slots=True)
class _Word:
    """What a run of letters, digits, marks and invisible characters is made of."""

    latin: int = 0
    alike: int = 0  # letters of other scripts that fold to a Latin one
    twins: int = 0
    greek: int = 0
    other: int = 0  # letters that stay themselves
    switches: int = 0  # from Latin to another script or back
    last: str = ""  # kind of the last letter
    styled: int = 0
    shaped: int = 0
    overlays: int = 0


@dataclass(slots=True)
class _Reader:
    """Reads a slice once, character by character."""

    words: list[_Word] = field(default_factory=lambda: [_Word()])
    found: set[str] = field(default_factory=set)
    before: str = ""  # the last letter or digit of the word
    unseen: list[str] = field(default_factory=list)  # invisible characters since then
    marks: int = 0

    def read(self, char: str) -> None:
        kind = _kind(char)
        if kind == "invisible":
            self.unseen.append(char)
            return
        if kind == "mark":
            self._mark(char)
            return
        if kind == "":
            self._end_word()
            return
        if self.unseen and _splits(self.before, self.unseen, char):
            self.found.add("ignorable")
        self.before, self.marks = char, 0
        self.unseen.clear()
        self._count(char, kind)

    def _mark(self, char: str) -> None:
        word = self.words[-1]
        self.marks += 1
        if char == "\u20e3":  # a keycap: its selector belongs to it
            self.unseen.clear()
        elif self.marks > 2 and _LATIN.match(self.before):
            self.found.add("compat")
        word.overlays += bool(_OVERLAY.match(char))

    def _end_word(self) -> None:
        self.before, self.marks = "", 0
        self.unseen.clear()
        if self.words[-1] != _Word():
            self.words.append(_Word())

    def _count(self, char: str, kind: str) -> None:
        word = self.words[-1]
        if kind != "digit":
            word.switches += word.last != "" and (kind in ("alike", "other")) != (word.last in ("alike", "other"))
            word.last = kind
        if kind == "latin":
            word.latin += 1
            word.shaped += bool(_SHAPED.match(char))
        elif kind == "styled":
            word.styled += 1
        elif kind == "alike":
            word.alike += 1
            greek = bool(_GREEK.match(char))
            word.greek += greek
            word.twins += char in _TWINS or not (greek or "\u0400" <= char <= "\u058f" or "\u10a0" <= char <= "\u10ff")
        elif kind == "other":
            word.other += 1


@lru_cache(maxsize=4096)
def _kind(char: str) -> str:
    """invisible, mark, latin, styled, alike, other (a letter), digit, or '' for what ends a word."""
    if char.isascii():
        return (
            "latin" if char.isalpha() else "digit" if char.isdigit() else "invisible" if _INVISIBLE.match(char) else ""
        )
    if _INVISIBLE.match(char):
        return "invisible"
    folded = fold_char(char)
    if not folded:
        return "mark" if char != "\u0640" else "other"
    if _STYLED.match(char):
        return "styled"
    if _LATIN.match(char):
        return "latin"
    if char.isdecimal():
        return "digit"
    if not char.isalpha():
        return ""
    return "alike" if len(folded) == 1 and folded.isascii() and folded.isalnum() else "other"


def _splits(before: str, unseen: list[str], after: str) -> bool:
    """Whether invisible characters stand between two letters or digits where no script or emoji needs them."""
    if not before or (before in _EMOJI_LETTERS and unseen[0] in "\ufe0e\ufe0f"):
        return False
    kinds = [_kind(before), _kind(after)]
    if all(kind in ("latin", "styled", "digit") for kind in kinds):
        return True
    plain = all(
        char.isascii() or _kind(char) in ("latin", "styled") or _ALPHABETS.match(char) for char in (before, after)
    )
    return plain and unseen != ["\xad"]


def _mixed(word: _Word) -> bool:
    """Whether Latin letters stand in one word with look-alikes.

    Short words such as μm and Δt are units. A word with letters that are nothing like Latin ones is written in its own
    script, and Latin at its start or end is a name with an ending; only a Latin letter between its letters is foreign.
    """
    if not word.latin or not word.alike:
        return False
    if word.other:
        return word.switches > 1
    only_greek = word.greek == word.alike
    return not (only_greek and not word.twins and word.latin + word.alike < 4)


def _among_latin(words: list[_Word]) -> bool:
    """Whether a word that is wholly of twins stands in text that is otherwise Latin, or makes up a whole long slice."""
    twins = [word for word in words if word.twins == word.alike > 1 and not word.latin and not word.other]
    rest = [word for word in words if word not in twins]
    if not twins or any(word.other or word.alike for word in rest):
        return False
    latin = sum(word.latin for word in rest)
    return latin >= 4 or (latin == 0 and len(twins) > 1 and sum(word.twins for word in twins) >= 10)


def _styled(words: list[_Word], raw: str) -> bool:
    """Whether letters are drawn in a style, beyond the single symbols of mathematics and the ordinals of prose."""
    styled = sum(word.styled for word in words)
    if styled and _FULLWIDTH.search(raw) and _EAST_ASIAN.search(raw):
        styled -= sum(map(bool, _FULLWIDTH.findall(raw)))  # Japanese and Chinese write Latin words in full width
        if styled <= 0:
            return False
    if styled >= 4 or any(word.styled > 2 or (word.styled and word.latin > 1) for word in words):
        return True
    return any((word.shaped > 2 and 2 * word.shaped >= word.latin) or word.overlays > 1 for word in words)


def disguises(raw: str) -> frozenset[str]:
    """How a short raw slice differs from plain writing.

    Args:
        raw: the original characters, for instance those that a rule matched.

    Returns:
        A subset of: "ignorable" (invisible or control characters split a word of an alphabet), "confusable" (letters
        of another script stand for Latin ones), "compat" (letters in a typographic style: mathematical, enclosed,
        full width, small capitals, overlaid or piled with marks).
    """
    if raw.isascii():
        return frozenset(["ignorable"]) if _ASCII_SPLIT.search(raw) else frozenset()
    reader = _Reader()
    for char in raw:
        reader.read(char)
    words = reader.words
    if any(map(_mixed, words)) or _among_latin(words):
        reader.found.add("confusable")
    if _styled(words, raw):
        reader.found.add("compat")
    return frozenset(reader.found)
