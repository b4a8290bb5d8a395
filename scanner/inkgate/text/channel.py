"""Invisible characters after every letter: together a channel, although each of them alone is ordinary."""

from __future__ import annotations

from dataclasses import dataclass

from inkgate.model import Severity
from inkgate.text import smuggle
from inkgate.text.concealment import Hidden, Report

__all__ = ["Channel"]

_LONGEST = 4096  # characters of a chain that are reported at a time


@dataclass(frozen=True, slots=True)
class _Rule:
    """How many in a row make a channel (the longest chain in ordinary text of 40 languages is 13 joiners)."""

    rule: str
    least: int
    message: str


_RULES = {
    "joiner": _Rule("joiner-channel", 24, "Joiner after every letter"),
    "variation": _Rule("variation-channel", 8, "Variation selector after every ideograph"),
    "shy": _Rule("soft-hyphen-run", 4, "Soft hyphen after every letter"),
}


class Channel:
    """Follows one chain at a time: characters of one kind with exactly one other character between them."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._kind = ""
        self._last = -2
        self._chars: list[str] = []

    def add(self, kind: str, at: int, char: str) -> None:
        """Take the next character; `at` is its offset in the whole input."""
        if kind != self._kind or at != self._last + 2 or len(self._chars) >= _LONGEST:
            self.flush()
            self._kind = kind
        self._chars.append(char)
        self._last = at

    def pass_by(self, upto: int) -> None:
        """Nothing before the offset `upto` is still to come: end a chain that cannot go on."""
        if self._chars and self._last + 2 < upto:
            self.flush()

    def flush(self) -> None:
        """End the chain, and report it if it is long enough."""
        parts, kind = self._chars, self._kind
        self._chars, self._kind = [], ""
        if not parts or len(parts) < _RULES[kind].least:
            return
        chars = "".join(parts)
        rule = _RULES[kind]
        decoded = {"joiner": smuggle.decode_bits, "variation": smuggle.decode_selectors}.get(kind, lambda _: "")(chars)
        start = self._last - 2 * (len(chars) - 1)
        self._report(Hidden(rule.rule, Severity.MEDIUM, start, self._last + 1, rule.message, decoded))
