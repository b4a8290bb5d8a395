"""Whether a fact is there already: the same words, whatever their case, width, order of marks and spaces."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

__all__ = ["Known", "normal", "words"]

_WORD = re.compile(r"\w+(?:[@./:+~'-]{1,3}\w+)*")
_EXACT = re.compile(r"\d|[/@:~]|\.\w")
ALIKE = 0.8  # share of words that two statements about the same have in common, their values left out
_DENIALS = frozenset(
    re.findall(r"\S+", "no not never none nobody nothing without isn't don't doesn't cannot can't won't")
)
_STOP = frozenset(
    re.findall(
        r"\w+",
        "a an the is are was were be been it its this that these those of to in on at for with and or as by from we i "
        "you he she they our my your his her their uses use used has have had do does did will would should",
    )
)


def normal(text: str) -> str:
    """The words of a text in one form."""
    return " ".join(_WORD.findall(unicodedata.normalize("NFKC", text).casefold().replace("’", "'")))


def words(text: str) -> frozenset[str]:
    """The words that carry meaning; all of them where no other is there."""
    return frozenset(_content(text))


def _content(text: str) -> list[str]:
    """The words that carry meaning, in order."""
    found = normal(text).split()
    return [word for word in found if word not in _STOP] or found


def _exact(text: str) -> frozenset[str]:
    """Numbers, paths, addresses: where two texts differ in one of these, they tell different facts."""
    return frozenset(word for word in normal(text).split() if _EXACT.search(word))


@dataclass(slots=True)
class _Statement:
    text: str
    content: list[str]
    exact: frozenset[str]

    def says(self, content: Sequence[str]) -> bool:
        """Whether all these words stand in it, in this order, and no other one that denies them."""
        if _DENIALS & set(self.content) != _DENIALS & set(content):
            return False
        rest = iter(self.content)
        return all(word in rest for word in content)


class Known:
    """What stands in durable storage.

    Args:
        entries: the memory's entries.
        notes: texts of notes.
    """

    def __init__(self, entries: Iterable[str] = (), notes: Iterable[str] = ()) -> None:
        self._whole: list[str] = [f" {normal(note)} " for note in notes]
        self._statements: list[_Statement] = []
        for entry in entries:
            self.add(entry)

    def add(self, text: str) -> None:
        """One more statement is there."""
        self._whole.append(f" {normal(text)} ")
        self._statements.append(_Statement(text, _content(text), _exact(text)))

    def holds(self, text: str) -> bool:
        """Whether the same statement stands somewhere: word for word in a text, or in the same words, in the same
        order, with others between them. A word that stands nowhere yet makes a statement new: one line too many does
        no harm.
        """
        needle = normal(text)
        if not needle:
            return True
        if any(f" {needle} " in whole for whole in self._whole):
            return True
        content = _content(text)
        return len(content) > 1 and any(item.says(content) for item in self._statements)

    def contradicted(self, text: str) -> str:
        """The statement that says the same of another number, path or address; empty when there is none."""
        own, exact = words(text), _exact(text)
        best, share = "", 0.0
        for item in self._statements:
            if not exact or not item.exact or item.exact == exact or len(own - exact) < 2:
                continue
            found = _share(own - exact, frozenset(item.content) - item.exact)
            if found >= ALIKE and found > share:
                best, share = item.text, found
        return best


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0
