"""Words of the trade are counted by themselves, which must give what a pattern of all of them gives."""

from __future__ import annotations

import random
import re

from inkgate.judge import signs
from inkgate.text.fold import fold


def test_counting_words_equals_searching_for_a_pattern_of_them() -> None:
    """On texts of these words, in either case, glued together, and of other scripts."""
    abroad = [fold(word).cased for word in signs._SUBJECT_ABROAD.split("|")]
    loose = [pattern for _, pattern in signs._SUBJECT_LOOSE]
    every = re.compile("|".join([*signs._SUBJECT, *loose, *abroad]), re.IGNORECASE | re.MULTILINE)
    source = random.Random(7)
    pieces = [
        *signs._SUBJECT,
        *abroad,
        "red team",
        "red\nteam",
        "Red-Team",
        "CVE-2024",
        "cve-x",
        "a note",
        "\u00e9t\u00e9",
    ]
    for _ in range(500):
        row = source.choices(pieces, k=8)
        text = " ".join(source.choice((word, word.upper(), word.title())) if word.isascii() else word for word in row)
        assert signs._speaks(text) == len(every.findall(text)), text


def test_three_words_are_a_text_about_attacks() -> None:
    """Before and behind the match, together."""
    assert signs.subject("Security notes on an attack: ", " as the scanner reports it") == "in a text about attacks"
    assert signs.subject("Security notes: ", " as it stands") == ""
