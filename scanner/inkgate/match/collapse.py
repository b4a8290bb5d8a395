"""Text reduced to its words: every run of other characters becomes one blank, so that words can be looked for in rows.

Patterns bridge whatever stands between two words. In the collapsed text a row of words is one literal, and a word with
its borders is one too; both are far rarer than a word, and what is rare is cheap to look for.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate

__all__ = ["Collapsed", "collapse", "is_word"]

_ASCII = "".join(chr(code) if chr(code).isalnum() else " " for code in range(128))
_MORE_BLANKS = re.compile(" ( +)")


def is_word(char: str) -> bool:
    """Whether a character stays. Nothing that `[\\W_]` matches does, under any version of Unicode."""
    return char.isalpha() or char.isdecimal()


def _blanked(text: str) -> str:
    """The text with a blank for each character that is of no word; as long as the text."""
    if text.isascii():
        return text.translate(_ASCII)
    for char in set(text):
        if not is_word(char):
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

    __slots__ = ("_blanked", "_sums", "_turns", "text")

    def __init__(self, text: str) -> None:
        self._blanked = _blanked(text)
        self.text = f" {' '.join(self._blanked.split())} "
        self._turns: list[int] = []  # offsets of the collapsed text from which on more blanks are left out
        self._sums: list[int] = []  # and how many are left out by then

    def source(self, position: int) -> int:
        """The source offset of the word character at `position`."""
        if not self._turns:
            self._measure()
        return position + self._sums[bisect_right(self._turns, position) - 1]

    def _measure(self) -> None:
        blanked = self._blanked
        left_out = len(blanked) - len(blanked.lstrip(" ")) - 1  # the collapsed text has a blank before the first word
        parts = _MORE_BLANKS.split(blanked[left_out + 1 :])  # pieces of text, and between them the blanks to leave out
        self._turns = [0, *accumulate((len(piece) + 1 for piece in parts[:-1:2]), initial=1)]
        self._sums = [left_out, *accumulate(map(len, parts[1::2]), initial=left_out)]
