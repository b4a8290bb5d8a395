"""What of a note's Markdown the vault looks at: headings with their sections, and links (CommonMark 4.2-4.5, Obsidian).

Headings and links inside fenced code, comments (`<!-- -->`, `%% %%`) and code spans are none. A section reaches to the
next heading of its level or a higher one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import unquote

__all__ = ["Link", "Section", "closed", "links", "sections"]

_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|$)")
_FENCE = re.compile(r"((?:[ \t]{0,12}(?:>|[-*+]|\d{1,9}[.)]))*[ \t]*)(`{3,}|~{3,})([^\r\n]*)")
_ATX = re.compile(r"[ ]{0,3}(#{1,6})(?=[ \t]|$)")
_SETEXT = re.compile(r"[ ]{0,3}(=+|-+)[ \t]*$")
_NO_PARAGRAPH = re.compile(
    r"[ ]{4}|\t|[ ]{0,3}(?:>|[-*+](?:[ \t]|$)|\d{1,9}[.)][ \t]|\||<|(?:[*_-][ \t]{0,9}){3,}$)"
)  # code, quote, list, table, HTML, rule
_WIKI = re.compile(r"(!?)\[\[([^\[\]|#^\r\n]{0,500})(#[^\[\]|\r\n]{0,500})?(?:\|([^\[\]\r\n]{0,1000}))?\]\]")
_INLINE = re.compile(
    r"(!?)\[(?:[^\[\]\r\n\\]|\\.){0,1000}\]\("
    r"(?:<([^<>\r\n]{1,1000})>|([^\s()<>]{1,1000}))(?:[ \t]+\"[^\"\r\n]{0,500}\")?\)"
)
_TICKS = re.compile(r"`+")
_BLANK = re.compile(r"\n[ \t\r]*\n")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it. All places are characters of the text.

    Attributes:
        level: 1 to 6.
        title: text of the heading.
        start: of the heading's line.
        body: of what stands behind the heading's line.
        end: of the section, where the next one of its level or a higher one begins.
        path: titles of the headings that enclose it, outermost first, its own last.
    """

    level: int
    title: str
    start: int
    body: int
    end: int
    path: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A link to another note.

    Attributes:
        target: name or path as it is written, percent signs undone; empty for a link into the note itself.
        heading: what follows the `#`, with it; or empty.
        embed: whether it shows the target in its place.
        wiki: `[[…]]`; else `[…](…)`.
        start: offset of the link.
        end: offset just past it.
        place: the range of the text in which the target is written.
    """

    target: str
    heading: str
    embed: bool
    wiki: bool
    start: int
    end: int
    place: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str  # without its end
    end: int  # past its end


def _lines(text: str, start: int) -> Iterator[_Line]:
    while start < len(text):
        found = _LINE.match(text, start)
        assert found is not None
        yield _Line(start, found.group().rstrip("\r\n"), found.end())
        start = found.end()


class _Blocks:
    """Fed line by line: whether a line is hidden from reading, in code or in a comment."""

    def __init__(self) -> None:
        self._fence = ""
        self._quoted = False
        self._comment = ""

    @property
    def open(self) -> bool:
        """Whether code or a comment is not closed yet."""
        return bool(self._fence or self._comment)

    def hides(self, line: str) -> bool:
        """Whether this line is part of code or of a comment."""
        if self._fence:
            if self._quoted and not line.lstrip().startswith(">"):
                self._fence = ""  # the quote ended, and its code with it
            else:
                bare = line.strip(" \t>")
                if len(bare) >= len(self._fence) and not bare.strip(self._fence[0]):
                    self._fence = ""
                return True
        if self._comment:
            if self._comment in line:
                self._comment = ""
            return True
        found = _FENCE.match(line)
        if found is not None and not ("`" in found[2] and "`" in found[3]):
            self._fence, self._quoted = found[2], ">" in found[1]
            return True
        return self._opens_comment(line)

    def _opens_comment(self, line: str) -> bool:
        bare = line.lstrip()
        for opening, closing in (("<!--", "-->"), ("%%", "%%")):
            if bare.startswith(opening):
                if closing not in bare[len(opening) :]:
                    self._comment = closing
                return True
        return False


def closed(text: str) -> bool:
    """Whether all code and comments that the text opens are closed in it."""
    blocks = _Blocks()
    for line in _lines(text, 0):
        blocks.hides(line.text)
    return not blocks.open


@lru_cache(8)
def sections(text: str, start: int = 0) -> tuple[Section, ...]:
    """The sections of a text, in order, from an offset on."""
    heads = list(_headings(text, start))
    found: list[Section] = []
    path: list[tuple[int, str]] = []
    for number, (level, title, place, body) in enumerate(heads):
        path = [*((above, name) for above, name in path if above < level), (level, title)]
        end = next((other[2] for other in heads[number + 1 :] if other[0] <= level), len(text))
        found.append(Section(level, title, place, body, end, tuple(name for _, name in path)))
    return tuple(found)


def _headings(text: str, start: int) -> Iterator[tuple[int, str, int, int]]:
    blocks = _Blocks()
    paragraph: list[_Line] = []
    contained = False  # in a list or a quote, whose paragraphs go on without its marks
    for line in _lines(text, start):
        atx, under = _ATX.match(line.text), _SETEXT.match(line.text)
        if blocks.hides(line.text) or not line.text.strip():
            paragraph, contained = [], False
        elif atx is not None:
            yield len(atx[1]), _title(line.text[atx.end() :]), line.start, line.end
            paragraph, contained = [], False
        elif under is not None and paragraph:
            title = " ".join(part.text.strip() for part in paragraph)
            yield (1 if under[1][0] == "=" else 2), title, paragraph[0].start, line.end
            paragraph = []
        elif not paragraph and _NO_PARAGRAPH.match(line.text):
            contained = True
        elif not contained:
            paragraph.append(line)


def _title(written: str) -> str:
    """The text of a heading, without the marks that may close it."""
    title = written.strip(" \t")
    bare = title.rstrip("#")
    return bare.rstrip(" \t") if not bare or bare[-1] in " \t" else title


def links(text: str) -> tuple[Link, ...]:
    """The links of a text to notes, in order; those to other places of the web are left out."""
    hidden = _merged([*_hidden_lines(text), *_code_spans(text)])
    starts = [start for start, _ in hidden]
    found = []
    for link in (*_wiki(text), *_inline(text)):
        place = bisect_right(starts, link.start)
        if not place or hidden[place - 1][1] <= link.start:
            found.append(link)
    return tuple(sorted(found, key=lambda link: link.start))


def _hidden_lines(text: str) -> Iterator[tuple[int, int]]:
    blocks = _Blocks()
    for line in _lines(text, 0):
        if blocks.hides(line.text):
            yield line.start, line.end


def _code_spans(text: str) -> Iterator[tuple[int, int]]:
    """From a run of backticks to the next of the same length, within a paragraph."""
    runs = [found.span() for found in _TICKS.finditer(text)]
    places: dict[int, list[int]] = {}
    for number, (start, end) in enumerate(runs):
        places.setdefault(end - start, []).append(number)
    blanks = [found.start() for found in _BLANK.finditer(text)]
    number = 0
    while number < len(runs):
        start, end = runs[number]
        same = places[end - start]
        follower = bisect_right(same, number)
        number += 1
        if follower == len(same):
            continue
        closing = runs[same[follower]]
        if bisect_right(blanks, start) == bisect_right(blanks, closing[0]):
            yield start, closing[1]
            number = same[follower] + 1


def _merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _wiki(text: str) -> Iterator[Link]:
    for found in _WIKI.finditer(text):
        target, heading = found[2].strip(), found[3] or ""
        yield Link(target, heading, bool(found[1]), True, found.start(), found.end(), found.span(2))


def _inline(text: str) -> Iterator[Link]:
    for found in _INLINE.finditer(text):
        group = 2 if found[2] is not None else 3
        written, _, heading = found[group].partition("#")
        if ":" in written.split("/")[0]:
            continue  # a scheme
        start = found.start(group)
        yield Link(
            unquote(written), f"#{heading}" if heading else "", bool(found[1]), False, found.start(), found.end(),
            (start, start + len(written)),
        )  # fmt: skip
