"""The engine that every installation has: an automaton of all literals, made when it is first asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from inkgate.lean import Any
from inkgate.match.index import HEAD

__all__ = ["Automaton"]

_PATIENCE = 6
_SHORT = 4096


class Automaton:
    """Finds literals in lower-cased text.

    Args:
        words: the literals, in the order of `rank`.
        value: gives what is to be told of the literal of a number; None: it is not looked for.
        heads: of the words, as `heads_of` gives them; without them, the whole automaton is made at once.
    """

    __slots__ = ("_ascii", "_asked", "_heads", "_value", "_whole", "_words")

    def __init__(
        self, words: Sequence[str], value: Callable[[int], object], heads: Sequence[tuple[str, int]] = ()
    ) -> None:
        self._words = words
        self._value = value
        self._heads = heads
        self._asked = 0 if heads else _PATIENCE
        self._ascii: Any = None
        self._whole: Any = None

    def iter(self, text: str) -> Iterator[tuple[int, Any]]:
        """The index of the last character and the value of every literal in the text. The whole text is copied."""
        found: Iterator[tuple[int, Any]]
        plain = text.isascii()  # the letters of all other scripts would be tried in vain at each character
        made = self._ascii if plain else self._whole
        if made is None and self._asked < _PATIENCE and len(text) < _SHORT:
            # To look for words in some short texts takes less time than to build the whole automaton.
            self._asked += 1
            made = self._make(self._within(text))
        elif made is None and plain:
            made = self._ascii = self._make(number for number, word in enumerate(self._words) if word.isascii())
        elif made is None:
            made = self._whole = self._make(range(len(self._words)))
        found = made.iter(text)
        return found

    def _within(self, text: str) -> Iterator[int]:
        """The numbers of the words that are in a short text, in order."""
        there = {text[at : at + HEAD] for at in range(len(text) - HEAD + 1)}
        heads, words = self._heads, self._words
        for number, (head, first) in enumerate(heads):
            if head in there or (len(head) < HEAD and head in text):
                stop = heads[number + 1][1] if number + 1 < len(heads) else len(words)
                yield from (each for each in range(first, stop) if words[each] in text)

    def _make(self, numbers: Iterable[int]) -> Any:
        words, value = self._words, self._value
        return _make((words[number], value(number)) for number in numbers)


def _make(words: Iterable[tuple[str, object]]) -> Any:
    import ahocorasick

    made: Any = ahocorasick.Automaton()
    for word, value in words:
        if value is not None:
            made.add_word(word, value)
    if not len(made):
        return _NOTHING  # an empty automaton cannot be asked
    made.make_automaton()
    return made


class _Nothing:
    """An automaton without words."""

    def iter(self, text: str) -> Iterator[tuple[int, object]]:
        """Nothing."""
        return iter(())


_NOTHING = _Nothing()
