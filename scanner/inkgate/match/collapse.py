"""Text reduced to its words: every run of other characters becomes one blank, so that words can be looked for in rows.

Patterns bridge whatever stands between two words. In the collapsed text a row of words is one literal, and a word with
its borders is one too; both are far rarer than a word, and what is rare is cheap to look for.
"""

from __future__ import annotations

import re
from bisect import bisect_right

__all__ = ["Collapsed", "collapse", "is_word"]

_ASCII = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
_BYTES = bytes(code if code > 127 else ord(_ASCII[code]) for code in range(256))
_FOREIGN = re.compile("[^\x00-\x7f]")
_SPARSE = 4  # one character in so many bits' worth: where fewer are foreign, an expression finds them faster


def is_word(char: str) -> bool:
    """Whether a character stays. Nothing that `[\\W_]` matches does, under any version of Unicode."""
    return char.isalpha() or char.isdecimal()


def _blanked(text: str) -> str:
    """The text with a blank for each character that is of no word; as long as the text."""
    if text.isascii():
        return text.translate(_ASCII)
    data = text.encode("utf-8", "surrogatepass")
    foreign = len(data) - len(text) < len(text) >> _SPARSE
    text = data.translate(_BYTES).decode("utf-8", "surrogatepass")
    for char in set(_FOREIGN.findall(text)) if foreign else set(text):
        if char != " " and not is_word(char):
            text = text.replace(char, " ")
    return text


def collapse(text: str) -> str:
    """The words of a text with one blank between them; blanks at its ends stay, as one."""
    words = " ".join(_blanked(f" {text} ").split())
    return (
        (" " if not text[:1] or not is_word(text[0]) else "") + words + (" " if words and not is_word(text[-1]) else "")
    )


class Collapsed:
    """A collapsed text, between blanks, and its map back.

    Attributes:
        text: the words, a blank before, between and behind them.
    """

    __slots__ = ("_pieces", "_shifts", "_turns", "text")

    def __init__(self, text: str) -> None:
        # Most words stand one blank apart, so there are far fewer pieces than words.
        self._pieces = _blanked(text).split("  ")
        self.text = f" {' '.join(filter(None, map(str.strip, self._pieces)))} "
        self._turns: list[int] = []  # offsets of the collapsed text from which on pieces stand
        self._shifts: list[int] = []  # and how many more characters stand before each in the text

    def source(self, position: int) -> int:
        """The source offset of the word character at `position`."""
        if not self._turns:
            self._measure()
        return position + self._shifts[bisect_right(self._turns, position) - 1]

    def _measure(self) -> None:
        turns, shifts = self._turns, self._shifts
        place = 0
        turn = 1  # the collapsed text has a blank before the first word
        for piece in self._pieces:
            if piece:
                lead = piece[0] == " "
                if not lead or len(piece) > 1:
                    turns.append(turn)
                    shifts.append(place + lead - turn)
                    turn += len(piece) - lead + 1
                place += len(piece)
            place += 2
