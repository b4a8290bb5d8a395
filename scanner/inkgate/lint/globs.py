"""Patterns of paths, as people know them from ignore files.

`*` and `?` stay within a name, `**` crosses folders, `[a-z]` is a set. A pattern without a slash (but for one at its
end) matches a name at any depth, one with a slash is anchored at the folder of the configuration. What lies in a folder
that matches is matched too.
"""

from __future__ import annotations

import re

__all__ = ["compile_glob"]


def compile_glob(pattern: str) -> re.Pattern[str]:
    """A pattern to be used with `fullmatch` on a relative path with slashes.

    Raises:
        ValueError: the pattern is empty, or a set in it is never closed or cannot be read.
    """
    body = pattern.strip().removeprefix("./").rstrip("/")
    if not body.strip("/"):
        raise ValueError("an empty pattern")
    anchored = "/" in body
    parts = ["" if anchored else "(?:.*/)?"]
    body = body.lstrip("/")
    at = 0
    while at < len(body):
        piece, at = _piece(body, at)
        parts.append(piece)
    try:
        return re.compile("".join(parts) + "(?:/.*)?", re.DOTALL)
    except re.error as error:
        raise ValueError(f"cannot be read: {error}") from None


def _piece(body: str, at: int) -> tuple[str, int]:
    """The regular expression of the next piece of a pattern, and where the one after it starts."""
    if body.startswith("**/", at):
        return "(?:.*/)?", at + 3
    if body.startswith("**", at):
        return ".*", at + 2
    char = body[at]
    if char == "*":
        return "[^/]*", at + 1
    if char == "?":
        return "[^/]", at + 1
    if char == "[":
        end = body.find("]", at + 2)
        if end < 0:
            raise ValueError("a set that is never closed")
        inside = body[at + 1 : end].replace("\\", r"\\").replace("[", r"\[")
        negated = inside[0] in "!^"
        return f"(?!/)[{'^' if negated else ''}{inside[negated:]}]", end + 1
    return re.escape(char), at + 1
