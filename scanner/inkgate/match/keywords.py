"""One automaton for the keywords of all rules: one pass over the text says where any rule could start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inkgate.match.rules import RuleSet

__all__ = ["Keywords"]

Hit = tuple[int, tuple[int, tuple[int, ...], tuple[tuple[int, int], ...]]]


class Keywords:
    """Finds keywords of rules in lower-cased, folded text.

    Attributes:
        longest: length of the longest keyword in characters.
    """

    __slots__ = ("_automaton", "longest")

    def __init__(self, rules: RuleSet) -> None:
        import ahocorasick

        alone: dict[str, list[int]] = {}
        paired: dict[str, list[tuple[int, int]]] = {}
        for index, rule in enumerate(rules.rules):
            first = rule.starts or rule.keywords
            if not rule.requires:
                for keyword in first:
                    alone.setdefault(keyword, []).append(index)
                continue
            for group, words in enumerate((first, *rule.requires)):
                for keyword in words:
                    paired.setdefault(keyword, []).append((index, group))
        automaton: Any = ahocorasick.Automaton()
        for keyword in sorted(alone.keys() | paired.keys()):
            value = (len(keyword), tuple(alone.get(keyword, ())), tuple(paired.get(keyword, ())))
            automaton.add_word(keyword, value)
        self._automaton = automaton if len(automaton) else None
        if self._automaton is not None:
            automaton.make_automaton()
        self.longest = max(map(len, alone.keys() | paired.keys()), default=0)

    def hits(self, text: str, start: int = 0) -> Iterator[Hit]:
        """Every keyword that lies in `text[start:]`.

        Yields:
            Index of its last character, then: its length, the rules that need nothing else, and for the other rules
            their index and which of their conditions it fulfils.
        """
        if self._automaton is None:
            return iter(())
        found: Iterator[Hit] = self._automaton.iter(text, start)
        return found
