"""The format of a memory file: entries of text joined by a line that holds only a section sign.

A file is UTF-8. Entries are joined by LF, U+00A7, LF; the length of a store is the number of code points of the joined
text, so each delimiter costs three. Reading is lenient about what people and other systems write (a byte order mark,
CR or CRLF around the delimiter, blank lines beside it); writing always joins in the one form above. Inside an entry
every character is kept as it was found, line ends included.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from .errors import NotUnderstoodError

__all__ = ["DELIMITER", "check_entry", "fold_line_ends", "fold_repeats", "join", "joined_length", "parse", "starts"]

DELIMITER = "\n§\n"

_DELIMITER = re.compile(r"(?:\r\n?|\n)§(?:\r\n?|\n)")
_SURROGATE = re.compile("[\ud800-\udfff]")


def parse(text: str) -> list[str]:
    """Split the text of a file into its entries, in order, without empty ones.

    A delimiter line that dangles at the start or end of a piece (a hand edit left an empty entry) goes; an entry that
    is nothing but a section sign stays.
    """
    text = text.removeprefix("\ufeff")
    found = []
    for piece in _DELIMITER.split(text) if "\r" in text else text.split(DELIMITER):
        entry = piece.strip()
        if entry and (entry[0] == "§" or entry[-1] == "§"):
            entry = _undangle(entry)
        if entry:
            found.append(entry)
    return found


def _undangle(piece: str) -> str:
    while len(piece) > 1 and piece[0] == "§" and piece[1] in "\r\n":
        piece = piece[1:].strip()
    while len(piece) > 1 and piece[-1] == "§" and piece[-2] in "\r\n":
        piece = piece[:-1].strip()
    return piece


def join(entries: Iterable[str]) -> str:
    """The text of a file that holds these entries."""
    return DELIMITER.join(entries)


def joined_length(entries: Sequence[str]) -> int:
    """Characters of the joined text, without making it."""
    return sum(map(len, entries)) + len(DELIMITER) * max(len(entries) - 1, 0)


def starts(entries: Sequence[str]) -> list[int]:
    """Offset in the joined text, in characters, of each entry."""
    places, position = [], 0
    for entry in entries:
        places.append(position)
        position += len(entry) + len(DELIMITER)
    return places


def fold_repeats(entries: Iterable[str]) -> list[str]:
    """The entries without exact repeats: the first of each wins, order is kept."""
    return list(dict.fromkeys(entries))


def fold_line_ends(text: str) -> str:
    """The text with every CRLF and lone CR as LF; for comparing, never for storing."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def check_entry(content: object) -> str:
    """The content as it will stand in the file: stripped of white space around it.

    Raises:
        NotUnderstoodError: not a string, empty, not encodable as UTF-8 (a lone surrogate), or it would be read back
            as something else because it holds, starts or ends with a delimiter line.
    """
    if not isinstance(content, str):
        raise NotUnderstoodError(f"Content must be text, not {type(content).__name__}.")
    entry = content.strip()
    if not entry:
        raise NotUnderstoodError("Content cannot be empty.")
    surrogate = _SURROGATE.search(entry)
    if surrogate:
        raise NotUnderstoodError(
            f"Content cannot be stored: U+{ord(surrogate.group()):04X} at character {surrogate.start()} is half of a"
            " surrogate pair and has no UTF-8 form.",
            hint="Send the whole character, or leave it out.",
        )
    if parse(entry) != [entry]:
        raise NotUnderstoodError(
            "Content holds the entry delimiter (a line with only a section sign) and would become several entries.",
            hint="Send one operation for each entry.",
        )
    return entry
