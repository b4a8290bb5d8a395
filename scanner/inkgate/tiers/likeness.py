"""Whether a fact is there already: the same words, whatever their case, width, order of marks and spaces."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

__all__ = ["Known", "normal", "words"]

_WORD = re.compile(
    r"(?:[$€£¥]|(?<![\w)])-(?=\d))?\w+(?:[@./:+~'-]{1,3}\w+)*(?:\+{1,2}(?!\w)|[#%$€£¥](?!\w))?"
    r"|(?:(?<=\w)|(?<=\w ))(?:[<>]=?|!=|={1,2}|[≤≥≠±])(?= ?[\w$€£¥-])"
)  # a sign of a number, a currency, `C++`, `C#` and a comparison carry meaning; marks of Markdown do not
_ENDS = re.compile(r"[\r\n]+|[.!?](?=\s|$)|[。！？]|[()]")  # of a sentence, a line, a remark in brackets
_EXACT = re.compile(r"\d|[/@:~]|\.\w")
ALIKE = 0.8  # share of words that two statements about the same have in common, their values left out
_ARTICLES = frozenset(["a", "an", "the"])
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


def _said(text: str) -> str:
    """The sentences of a text, each on its line and between two line ends, in one form and without articles."""
    sentences = (
        " ".join(word for word in normal(part).split() if word not in _ARTICLES) or normal(part)
        for part in _ENDS.split(text)
    )
    return "".join(f"\n{sentence}\n" for sentence in sentences if sentence)


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


class Known:
    """What stands in durable storage.

    Args:
        entries: the memory's entries.
        notes: texts of notes.
    """

    def __init__(self, entries: Iterable[str] = (), notes: Iterable[str] = ()) -> None:
        self._whole: list[str] = [_said(note) for note in notes]
        self._statements: list[_Statement] = []
        for entry in entries:
            self.add(entry)

    def add(self, text: str) -> None:
        """One more statement is there."""
        self._whole.append(_said(text))
        self._statements.append(_Statement(text, _content(text), _exact(text)))

    def holds(self, text: str) -> bool:
        """Whether the same statement stands somewhere, as whole sentences. What stands only inside of another sentence
        is new: the words around it may deny it, or say of whom it holds. One line too many does no harm, a fact that
        is taken for known is lost.
        """
        needle = _said(text)
        return not needle or any(needle in whole for whole in self._whole)

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
