"""Tricks of typesetters, templates and chats: marks that are gone, or letters, when the text is shown."""

from __future__ import annotations

import re
from collections.abc import Callable

__all__ = ["TYPESET"]

Trick = Callable[[str], str]


def long_words(write: Callable[[str], str]) -> Trick:
    """Writes each word of three letters and more in its own way."""
    return lambda text: re.sub("[A-Za-z]{3,}", lambda hit: write(hit[0]), text)


def cut(between: str) -> Trick:
    """Puts something behind the second letter of each longer word."""
    return long_words(lambda word: f"{word[:2]}{between}{word[2:]}")


def accented(write: str) -> Trick:
    """Puts an accent of TeX on each vowel inside a word."""
    return long_words(lambda word: word[0] + re.sub("[aeiou]", lambda hit: write.format(hit[0]), word[1:]))


def named(letter: str, gap: str) -> Trick:
    """Writes each letter by the name of its emoji."""
    return lambda text: "   ".join(
        gap.join(letter.format(char) for char in word if "a" <= char <= "z") for word in text.lower().split()
    )


def pieces(around: str, between: str = "") -> Trick:
    """Puts each three characters into a literal."""
    return lambda text: between.join(around.format(text[at : at + 3]) for at in range(0, len(text), 3))


TYPESET: dict[str, Trick] = {
    "accents of TeX": accented("\\'{{{0}}}"),
    "accents of TeX without braces": accented('\\"{0}'),
    "faces of TeX": long_words(lambda word: f"\\textbf{{{word[:2]}}}{word[2:]}"),
    "formulas of TeX": lambda text: f"$\\text{{{text}}}$",
    "groups of TeX": cut("{\\kern0pt}"),
    "discretionary hyphens of TeX": cut("\\-"),
    "escapes of RTF": lambda text: "".join(f"\\u{ord(char)}?" for char in text),
    "escapes of OOXML": lambda text: text.replace(" ", "_x0020_"),
    "struck letters": cut("~~zq~~"),
    "deleted letters": cut("<del>zq</del>"),
    "ruby": lambda text: re.sub(r"(?<!\S)([A-Za-z]{3,})(?=[.,]?(?:\s|$))", r"<ruby>\1<rt>q</rt></ruby>", text),
    "names of regional indicators": named(":regional_indicator_{0}:", " "),
    "names of letter emoji": named(":alphabet-white-{0}:", ""),
    "literals in a shell's braces": pieces('${{"{0}"}}'),
    "literals of a template": pieces('{{{{ "{0}" }}}}'),
    "literals joined by tildes": pieces('"{0}"', " ~ "),
}
"""Tricks by name."""
