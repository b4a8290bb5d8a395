"""Does the fold table cover `confusable-homoglyphs`? Reads the package's data file; its code is never run.

The package finds its data through an environment variable and takes a tenth of a second to import, so the scanner ships
a table of its own. When a newer version of the package knows more look-alikes, this check says so.
"""

from __future__ import annotations

import json
import unicodedata
from collections import defaultdict
from pathlib import Path

from inkgate.model import InkgateError
from inkgate.text.fold import fold

__all__ = ["EXCEPTIONS", "UNFOLDED", "package_letters", "same_kind", "uncovered"]

UNFOLDED = frozenset(
    (
        *("ARABIC", "HEBREW", "ORIYA", "MALAYALAM", "TELUGU", "KANNADA", "SINHALA", "MYANMAR", "ETHIOPIC", "AHOM"),
        *("MENDE", "NKO", "IDEOGRAPHIC"),
    )
)
"""Scripts that stay themselves (their letters join, run from right to left, or are built of several signs), by the
first word of a character's name."""

EXCEPTIONS = {
    "Ƨ": ("s", "a mirrored S, and the pair of ƨ"),
    "ſ": ("s", "the long s is an s by decomposition"),
    "ɯ": ("m", "a turned m by name, and the m of upside-down text"),
    "𑣄": ("y", "UTS #39 18.0 says y"),
    "\u02db": (" ", "decomposes to a space and a mark"),
    "\u037a": (" ", "decomposes to a space and a mark"),
}
"""Single differences from the package: what the character folds to, and why."""

_ALNUM = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")


def package_letters() -> dict[str, set[str]]:
    """Characters of the installed package, and the ASCII letters and digits that each reaches in two steps.

    The U+200E that damages the package's rows of right-to-left scripts is taken out.

    Raises:
        InkgateError: the package or its data file is not there.
    """
    import importlib.util

    spec = importlib.util.find_spec("confusable_homoglyphs")
    if spec is None or spec.origin is None:
        raise InkgateError("confusable-homoglyphs is not installed", hint="it is a dependency: install inkgate again")
    try:
        data = json.loads((Path(spec.origin).parent / "confusables.json").read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InkgateError(f"the data of confusable-homoglyphs cannot be read: {error}") from error
    graph: dict[str, set[str]] = defaultdict(set)
    for char, others in data.items():
        graph[char.replace("\u200e", "")].update(other["c"].replace("\u200e", "") for other in others)
    reached = {
        char: near & _ALNUM or {far for step in near for far in graph.get(step, ())} & _ALNUM
        for char, near in graph.items()
        if len(char) == 1 and char > "\x7f"
    }
    return {char: found for char, found in reached.items() if found}


def same_kind(char: str) -> frozenset[str]:
    """The ASCII characters that are told apart by context only: 0 and o; l, i, 1 and the bar."""
    for group in ("0o", "li1|"):
        if char.lower() in group:
            return frozenset(group)
    return frozenset(char.lower())


def uncovered() -> list[str]:
    """Characters of the package that do not fold to what they look like; documented exceptions apart.

    Raises:
        InkgateError: the package or its data file is not there.
    """
    return [char for char, targets in package_letters().items() if not _covered(char, targets)]


def _covered(char: str, targets: set[str]) -> bool:
    got = fold(char).lower
    if char in EXCEPTIONS:
        return got == EXCEPTIONS[char][0]
    if char.isdecimal() and not unicodedata.decomposition(char):
        return got == str(unicodedata.decimal(char))  # a decimal digit is its value in every script
    if unicodedata.name(char, "").split(" ")[0] in UNFOLDED:
        return not got.isascii()
    return any(got in same_kind(target) for target in targets)
