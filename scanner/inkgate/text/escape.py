"""The one function through which everything that is printed passes.

What inkgate prints is chosen by the suspect: excerpts and file names come from the text under test. Printed raw, they
could drive the terminal (ANSI), turn the reading order around (bidi controls), hide (zero-width characters), or speak
to the machine that reads the output: a CI runner takes `::command::` at the start of a line and `##[command]` anywhere
in one as an order.
"""

from __future__ import annotations

import unicodedata

from inkgate.text.lazy import lazy

__all__ = ["ELLIPSIS", "escape", "is_safe_line"]

ELLIPSIS = "…"
_MARKS = 4
"""Combining marks in a row that are left standing; ordinary writing needs no more, and a tower hides what is above."""

_SPACES = frozenset("\u00a0\u202f\u3000")
"""Spaces that ordinary French and Japanese text holds; every other one but U+0020 is spelled out."""

# Default_Ignorable_Code_Point or blank, though their general category counts as printable.
_BLANK = frozenset(
    (
        *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, 0x1D159),
        *range(0x180B, 0x1810),
        *range(0xFE00, 0xFE10),
        *range(0xE0100, 0xE01F0),
    )
)

# `##[group]` (GitHub, Azure), `##vso[...]` (Azure), `##teamcity[...]`: read anywhere in a line.
_HASH_COMMAND = lazy(r"#(?=#[A-Za-z.]{0,32}\[)")
# `::error::` (GitHub): read after leading blanks.
_COLON_COMMAND = lazy(r"\s*::")


def escape(text: str, limit: int = 120) -> str:
    """Make text safe to print on one line of a terminal, a CI log, a page or a prompt.

    Controls (line ends and ANSI too), format characters (bidi, zero-width, tags), lone surrogates, private and
    unassigned code points, blanks that look like nothing, a leading combining mark and towers of marks are written as
    `<U+202E>`. A leading `::` and any `##[` lose their meaning the same way. The result is never longer than `limit`
    characters; what was cut off leaves an ellipsis, and no `<U+...>` is ever cut in two. Escaping twice is
    the same as once.

    Args:
        text: anything, of any length; only as much as fits is looked at.
        limit: most characters of the result, at least 1.
    """
    if limit < 1:
        raise ValueError("limit must be at least 1")
    head = text[: limit + 1]
    if not (head.isascii() and head.isprintable()):
        return _fit(_pieces(head), limit)
    if "::" in head or "##" in head:
        return _fit(_split(head), limit)
    return head if len(head) <= limit else head[: limit - 1] + ELLIPSIS


def is_safe_line(line: str) -> bool:
    """Whether a line (without its end) starts no CI command and holds no character that `escape` spells out."""
    if _COLON_COMMAND.match(line) or _HASH_COMMAND.search(line):
        return False
    return not any(_unsafe(char) for char in line)


def _unsafe(char: str) -> bool:
    if char.isprintable():
        return ord(char) in _BLANK
    return char not in _SPACES


def _name(char: str) -> str:
    return f"<U+{ord(char):04X}>"


def _pieces(text: str) -> list[str]:
    """Each character as it is written, with unsafe ones spelled out."""
    pieces = _split(text)
    run = _MARKS  # nothing stands before the first character for a mark to sit on
    for index, char in enumerate(text):
        if char.isascii():
            run = 0
            if not char.isprintable():
                pieces[index] = _name(char)
        elif _unsafe(char):
            pieces[index] = _name(char)
            run = 0
        elif unicodedata.category(char) in ("Mn", "Me"):
            run += 1
            if run > _MARKS:
                pieces[index] = _name(char)
        else:
            run = 0
    return pieces


def _split(text: str) -> list[str]:
    """The characters of a text, with the first of every CI command marker spelled out."""
    pieces = list(text)
    if (colons := _COLON_COMMAND.match(text)) is not None:
        pieces[colons.end() - 2] = _name(":")
    for hit in _HASH_COMMAND.finditer(text):
        pieces[hit.start()] = _name("#")
    return pieces


def _fit(pieces: list[str], limit: int) -> str:
    """Join as many whole pieces as fit, with an ellipsis for the rest."""
    joined = "".join(pieces)
    if len(joined) <= limit:
        return joined
    kept: list[str] = []
    room = limit - len(ELLIPSIS)
    for piece in pieces:
        room -= len(piece)
        if room < 0:
            break
        kept.append(piece)
    return "".join(kept) + ELLIPSIS
