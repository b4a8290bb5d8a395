"""Python source to syntax trees, within bounds, and places of nodes in the source."""

from __future__ import annotations

import ast
import re
import warnings
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from inkgate.code.nesting import too_deep

__all__ = ["Source", "Tree", "parse"]

_LINE_END = re.compile(r"\r\n|\r|\n")
_PIECES = 4000
"""Separately parsed pieces of a source that does not parse as a whole, at most. That there are more is said."""
_MENDED = 1_000_000
"""Characters of such pieces that are parsed again, each time without a wrong line."""


class Source:
    """Turns lines and byte columns of the parser into offsets in characters."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.starts = [0, *(hit.end() for hit in _LINE_END.finditer(text))]

    def offset(self, line: int, column: int) -> int:
        """The offset of a place.

        Args:
            line: from 1.
            column: bytes of UTF-8 from the start of the line.
        """
        start = self.starts[min(max(line, 1), len(self.starts)) - 1]
        end = self.starts[line] if line < len(self.starts) else len(self._text)
        row = self._text[start:end]
        if row.isascii():
            return start + min(column, len(row))
        before = row.encode("utf-8", "surrogatepass")[:column]
        return start + len(before.decode("utf-8", "surrogatepass" if len(before) < column else "ignore"))

    def line_of(self, offset: int) -> int:
        """The line of an offset, from 1."""
        return bisect_left(self.starts, offset + 1)


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed piece of a source.

    Attributes:
        module: its statements.
        shift: lines of the source before it (may be -1 where a line was put in front).
    """

    module: ast.Module
    shift: int = 0


def parse(text: str) -> tuple[list[Tree], str]:
    """The trees of a source, and what is wrong with it: empty, `syntax`, `depth` or `pieces`.

    Where the whole does not parse, each stretch that begins at the left margin is parsed by itself, and lines that are
    wrong are left out, so that one of them (a placeholder in an example, another version's syntax) does not hide the
    rest.
    """
    if too_deep(text):
        return [], "depth"
    whole = _parse(text)
    if isinstance(whole, ast.Module):
        return [Tree(whole)], ""
    if isinstance(whole, str):
        return [], whole
    if text[:1] in (" ", "\t"):
        inner = _parse(f"if 1:\n{text}")
        if isinstance(inner, ast.Module):
            return [Tree(inner, -1)], ""
    trees: list[Tree] = []
    left, count = _MENDED, 0
    for piece, line in _stretches(text):
        count += 1
        part = _parse(piece)
        while isinstance(part, int) and (left := left - len(piece)) > 0:
            mended = _without(piece, part)
            if mended == piece:
                break
            piece, part = mended, _parse(mended)
        if isinstance(part, ast.Module):
            trees.append(Tree(part, line))
        elif part == "depth":
            return trees, "depth"
    return trees, "pieces" if count > _PIECES else "syntax"


def _without(piece: str, line: int) -> str:
    """A piece in which a line, from 1, does nothing."""
    lines = _lines(piece)
    if not 0 < line <= len(lines):
        return piece
    wrong = lines[line - 1]
    lines[line - 1] = f"{wrong[: len(wrong) - len(wrong.lstrip())]}pass\n" if wrong.strip() else wrong
    return "".join(lines)


def _parse(text: str) -> ast.Module | str | int:
    """The tree; `depth` where the parser gives up; the line from 1 (or 0) where the text is not Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of invalid escapes and the like, which are not ours to tell
            return ast.parse(text)
    except (RecursionError, MemoryError):
        return "depth"
    except SyntaxError as error:
        return error.lineno or 0
    except ValueError:  # NUL, lone surrogates
        return 0


def _stretches(text: str) -> Iterator[tuple[str, int]]:
    """Runs of lines that begin with a line at the left margin, with the number of lines before each."""
    lines = _lines(text)
    start = count = 0
    for number in range(1, len(lines) + 1):
        last = number == len(lines)
        if not last and (lines[number][:1] in " \t\r\n)]}#" or _continues(lines[number])):
            continue
        count += 1
        if count > _PIECES:
            last, number = True, len(lines)
        yield "".join(lines[start:number]), start
        start = number
        if last:
            return


def _lines(text: str) -> list[str]:
    """The lines as the parser counts them, with their ends: a form feed or U+2028 ends none."""
    ends = [0, *(hit.end() for hit in _LINE_END.finditer(text)), len(text)]
    return [text[start:end] for start, end in pairwise(ends) if end > start]


def _continues(line: str) -> bool:
    return line.startswith(("else", "elif", "except", "finally"))
