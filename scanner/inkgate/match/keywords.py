"""One automaton for the keywords of all rules: one pass over the text says where any rule could start."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from inkgate.match.rules import RuleSet

__all__ = ["Keywords"]


class Keywords:
    """Finds keywords of rules in lower-cased, folded text.

    Attributes:
        longest: length of the longest keyword in characters.
    """

    __slots__ = ("_automaton", "longest")

    def __init__(self, rules: RuleSet) -> None:
        import ahocorasick

        users: dict[str, list[int]] = {}
        for index, rule in enumerate(rules.rules):
            for keyword in rule.keywords:
                users.setdefault(keyword, []).append(index)
        automaton: Any = ahocorasick.Automaton()
        for keyword, indexes in users.items():
            automaton.add_word(keyword, (len(keyword), tuple(indexes)))
        if users:
            automaton.make_automaton()
        self._automaton = automaton if users else None
        self.longest = max(map(len, users), default=0)

    def hits(self, text: str, start: int = 0) -> Iterator[tuple[int, tuple[int, tuple[int, ...]]]]:
        """Every keyword that lies in `text[start:]`: (index of its last character, (its length, rule indexes))."""
        if self._automaton is None:
            return iter(())
        found: Iterator[tuple[int, tuple[int, tuple[int, ...]]]] = self._automaton.iter(text, start)
        return found
