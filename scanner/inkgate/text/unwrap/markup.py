"""What a renderer, a shell or a string literal would undo: entities, escapes, comments, tags, emphasis, quotes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from inkgate.text.lazy import lazy
from inkgate.text.unwrap.cues import HEADS, VOCABULARY
from inkgate.text.unwrap.fragment import Inside, Unwrapped
from inkgate.text.unwrap.passage import Edit, Passages
from inkgate.text.unwrap.scene import Candidate, Scene

__all__ = ["Comments", "escaped_letters", "quoted_printable", "rendered"]

_H = "[0-9A-Fa-f]"
_MB = "[89ABab]" + _H  # a continuation byte of UTF-8, in hex digits


def _utf8(first: str, lead: str) -> str:
    """Return a pattern for a character of UTF-8, its bytes written as two hex digits after `first`, then `lead`."""
    return (
        f"(?:{first}[cdCD]{_H}{lead}{_MB}|{first}[eE]{_H}(?:{lead}{_MB}){{2}}"
        f"|{first}[fF][0-4](?:{lead}{_MB}){{3}}|{first}{_H}{_H})"
    )


_PLUS = r"(?:\+|\.{1,2}|&|~|\|\|)"
_OPENS = "[fFrRbBuU]?[\"']"
_BROKEN = r"[ \t]{0,8}\\?\r?\n[ \t]{0,40}"


def _literal(quote: str) -> str:
    """Return a pattern for what a quote inside a word or between two joined string literals amounts to.

    Literals are joined by an operator or, with the same quotes, by a line end. A quote after an opening bracket or an
    operator begins a literal, so nothing ends there.
    """
    return (
        rf"{quote}(?:(?<=[A-Za-z]{quote})(?:[A-Za-z]{{1,3}})?{quote}(?=[A-Za-z])"
        rf"|(?<![\[({{,=:+&~|]{quote})(?:[ \t]{{0,8}}{_PLUS}[ \t]{{0,8}}(?:\\?\r?\n[ \t]{{0,40}})?{_OPENS}"
        rf"|{_BROKEN}{_PLUS}[ \t]{{0,8}}{_OPENS}|{_BROKEN}{quote})(?!{quote}))"
    )


_COLOUR = r"[0-9]{1,3}(?:[;:][0-9]{0,3}){0,7}m"
"""A colour of a terminal behind the `[` of its sequence; the escape before it is no part of a folded text."""
_BEGUN = lazy(rf"\[{_COLOUR}")
_HYPERLINK = r"8;[^;\s]{0,60};[^\s\\]{0,400}\\"
"""The rest of a terminal's link (OSC 8), which ends in a backslash once its escape is gone."""
_URL = r"(?:\([^()\n]{0,400}\)|\[[^\[\]\n]{0,80}\])"
_TAG = r"/?[A-Za-z][^<>]{0,400}>"


# One branch for each first character, the commonest in Markdown first, and each branch begins with that literal: the
# engine skips all other characters at once, and the literal tells `_Renderer` what kind of piece it has.
_RENDERED = lazy(
    "|".join(
        (
            r"`(?:(?<=[A-Za-z]`)`{0,2}(?=[A-Za-z])|[ \t]{0,8}\+[ \t]{0,8}`)",
            r"-(?<=[A-Za-z]-)[ \t]{0,4}\r?\n[ \t>]{0,16}(?=[a-z])",
            r"\*(?<=[^\W\d_]\*)\*{0,2}(?=[^\W\d_])",
            r"_(?<=[A-Za-z]_)_(?=[A-Za-z])",
            _literal('"'),
            _literal("'"),
            rf"\](?:{_URL}(?=[.,;:]?[ ]?(?:\[?[^\W\d_]|[^\x00-\x7f]|\\n))|{_HYPERLINK})",
            rf"\[(?:{_COLOUR}(?:\[K)?(?![\]:,])|m(?:\[K|(?!\]))"
            rf"|\]{_URL}|(?<=[A-Za-z]\[)(?=[^\[\]\n]{{1,200}}\][\[(])|(?<=[^\W\d_]\[)\^[^\[\]\s]{{1,24}}\])",
            r"=(?<=[A-Za-z]=)=(?=[A-Za-z])",
            rf"<(?:!--|(?:(?<=[^\W_]<)|(?<=[,.:;>*_`\"')\]}}$-]<)|(?<=[A-Za-z,.:;>*_`\"')\]}}$|][ \n]<)){_TAG}"
            r"(?=[ \n]?[\w<*`\"'(\[{$/~|-]))",
            rf"\\(?:[nrt](?=[A-Za-z0-9@*_`<~/$({{\[-])|[eE](?=\[{_COLOUR})"
            rf"|\\{{0,3}}(?:u[dD][89abAB]{_H}{{2}}\\u[dD][c-fC-F]{_H}{{2}}"
            rf"|u{_H}{{4}}|[ux]\{{{_H}{{1,6}}\}}|U{_H}{{8}}|N\{{[A-Z0-9 -]{{4,80}}\}}"
            rf"|0{{2,4}}[2-7]{_H}|[0-3][0-7]{{2}}|{_utf8('x', chr(92) * 2 + '{1,4}x')})"
            r"|(?<=[A-Za-z]\\)\r?\n(?=[A-Za-z])|(?<=[A-Za-z0-9_-]\\)[_-](?=[A-Za-z0-9\\]))",
            r"\$(?:\{IFS\}|IFS(?![A-Za-z])(?:\$9)?|(?<=[a-z]\$)[@*](?=[a-z]))",
            r"&(?:\#(?:0{0,200}[0-9]{1,8}|[xX]0{0,200}[0-9A-Fa-f]{1,7})|[A-Za-z][A-Za-z0-9]{1,31});?",
            rf"%(?:%[^%]{{0,1000}}%%|u{_H}{{4}}|{_utf8('', '%')})",
            r"~(?<=[A-Za-z]~)~(?=[A-Za-z])",
            rf"\^(?:(?<=[A-Za-z]\^)(?=[A-Za-z])|\[(?=\[{_COLOUR}))",
            r"\{(?<=[A-Za-z]\{)[A-Za-z]{1,12}\}(?=[A-Za-z])",
        )
    )
)
_BLOCKS = lazy(r"</?(?:br|p|div|li|ul|ol|tr|td|th|h[1-6]|table|section|hr)\b", re.IGNORECASE)
_BREAKS = {"n": "\n", "r": "\r", "t": "\t", "e": "", "E": ""}
_COMMENT = 4000


class _Comments:
    """Knows where the next `-->` of a text is, and looks for it once however many comments are opened before it."""

    def __init__(self) -> None:
        self._text = ""
        self._asked = self._close = -1

    def end(self, text: str, position: int) -> int:
        """Return the offset just past the next `-->` at or after `position`, or -1 if it is too far or missing."""
        if text is not self._text or not self._asked <= position <= self._close:
            found = text.find("-->", position)
            self._text, self._asked, self._close = text, position, found if found >= 0 else len(text)
        if self._close == len(self._text) or self._close - position > _COMMENT:
            return -1
        return self._close + 3


class _Renderer:
    """Makes of each match what the reader sees."""

    def __init__(self) -> None:
        self._comments = _Comments()

    def __call__(self, hit: re.Match[str]) -> tuple[str, Sequence[Edit]] | None:
        """See `passage.Rewriter`."""
        made = self._replacement(hit)
        return None if made is None else (made[0], ((hit.start(), made[2], made[1]),))

    def _replacement(self, hit: re.Match[str]) -> tuple[str, str, int] | None:
        """Return the encoding's name, the new text, and where the replaced piece ends."""
        piece, end = hit[0], hit.end()
        first = piece[0]
        if first == "&":
            new = _entity(piece)
            return None if new is None else ("html-entity", new, end)
        if first == "%":
            if piece.startswith("%%"):
                return "percent-comment", "", _blank_after(hit, end)
            return "percent", _percent(piece), end
        if piece[:2] in ("\\\n", "\\\r"):
            return "backslash", "" if _one_word(hit) else "\n", end
        if first == "\\":
            return _backslash(piece, end)
        if piece == "<!--":
            end = self._comments.end(hit.string, end)
            return None if end < 0 else ("html-comment", "", _blank_after(hit, end))
        if first == "<":
            return "html-tag", " " if _BLOCKS.match(piece) else "", end
        if piece == "^[" or (first in "[]" and piece[-1] in "mK\\"):
            return ("terminal", "", end) if piece != "[m" or _coloured(hit) else None
        if first in "$^" or (piece[-1] == first and piece[1:-1].isalpha()) or piece in ("''", '""'):
            return "shell-quotes", " " if piece.startswith(("${", "$I")) else piece.strip("'\"$@*^"), end
        if first == "{":
            return "braces", piece.strip("{}"), end
        if first in "'\"" or (first == "`" and piece.strip("`")):
            return None if _quoted_sign(hit) else ("concatenation", "", end)
        return ("hyphen" if first == "-" else "link" if first in "[]" else "emphasis"), "", end


def _backslash(piece: str, end: int) -> tuple[str, str, int] | None:
    """Undo a backslash: before a number, a line end, a letter or a mark."""
    second = piece[1]
    if len(piece) > 2:
        new = _escape(piece)
        return None if new is None else ("escape", new, end)
    return "backslash", _BREAKS.get(second, second), end


def _quoted_sign(hit: re.Match[str]) -> bool:
    """Return whether quotes stand round a sign that is spoken of, as in: use the "+" key."""
    before, after = hit.string[hit.start() - 1 : hit.start()], hit.string[hit.end() : hit.end() + 1]
    return (
        "\n" not in hit[0] and (not before or before.isspace()) and (not after or after.isspace() or after in ".,;:)]")
    )


def _coloured(hit: re.Match[str]) -> bool:
    """Return whether `[m` ends a colour: one was begun shortly before, or no word goes on behind it."""
    text, after = hit.string, hit.string[hit.end() : hit.end() + 1]
    return not after.isalnum() or _BEGUN.search(text, max(0, hit.start() - 256), hit.start()) is not None


def _one_word(hit: re.Match[str]) -> bool:
    """Return whether what stands before and behind makes one known word."""
    text = hit.string
    before, after = text[max(0, hit.start() - 24) : hit.start()], _WORD.match(text, hit.end())
    word = before[len(before.rstrip(_LETTERS)) :] + (after[0] if after else "")
    return word.lower() in VOCABULARY or word.lower() in HEADS


def _blank_after(hit: re.Match[str], end: int) -> int:
    """Return the end of a comment with the blank behind it, where one stands before it too."""
    text, begin = hit.string, hit.start()
    return end + 1 if begin and text[begin - 1] in " \t" and text[end : end + 1] in (" ", "\t") else end


def _bytes(digits: str) -> str:
    """Decode bytes written as pairs of hex digits: UTF-8, else Latin-1."""
    data = bytes.fromhex(digits)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _percent(piece: str) -> str:
    """Return the character of percent escapes: bytes, or the `%u0041` of old scripts."""
    return chr(int(piece[2:], 16)) if piece[1] in "uU" else _bytes(piece.replace("%", ""))


def _entity(piece: str) -> str | None:
    """Return the character of an HTML entity, or None for a name that HTML does not know."""
    from html import unescape  # costs two milliseconds, and few texts have an entity

    new = unescape(piece)
    return None if new == piece else new


def _escape(piece: str) -> str | None:
    """Return the character of a backslash escape by number, or None where there is no such character."""
    number = piece.lstrip("\\")
    if number[0] == "x" and number[1] != "{":
        return _bytes(number.replace("\\", "").replace("x", ""))
    if number[0] == "N":
        return _named(number[2:-1])
    if number.startswith("00"):
        return chr(int(number, 16))
    if number[0] in "0123":
        return chr(int(number, 8))
    if "\\" in number:
        return bytes.fromhex(number.replace("\\", "").replace("u", "")).decode("utf-16-be")
    code = int(number[1:].strip("{}"), 16)
    return None if code > 0x10FFFF or 0xD800 <= code <= 0xDFFF else chr(code)


def _named(name: str) -> str | None:
    """Return the character of a name, or None."""
    import unicodedata

    try:
        return unicodedata.lookup(name)
    except KeyError:
        return None


_IDLE = lazy(r"\\(?<=[A-Za-z]\\)[A-Za-z]|\\[A-Za-z](?=\\[A-Za-z])")
_AFTER = lazy(r"(?:\\[A-Za-z]{1,24}){1,24}")
_WORD = lazy("[A-Za-z]{1,24}")
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"


def _letters(hit: re.Match[str]) -> tuple[str, Sequence[Edit]] | None:
    """Drop the backslashes inside a word, if what remains is a word of the vocabulary."""
    text, start = hit.string, hit.start()
    before = text[max(0, start - 24) : start]
    after = _AFTER.match(text, start)
    assert after is not None, "a letter follows the backslash"
    word = before[len(before.rstrip(_LETTERS)) :] + after[0].replace("\\", "")
    if word.lower() not in VOCABULARY:
        return None
    return "backslash", [(start + at, start + at + 1, "") for at, char in enumerate(after[0]) if char == "\\"]


_MORE = r"=(?:\r?\n=)?[89AB][0-9A-F]"
_QUOTED = lazy(
    r"=(?:(?:[2-7][0-9A-F]|0[9A-D])(?=[A-Za-z=/~.:,$|\"'`+*<>{}\[(\\&%@#_^-])|(?<==[2-7][0-9A-F]=)[2-7][0-9A-F]"
    rf"|(?:[CD][0-9A-F]{_MORE}|E[0-9A-F](?:{_MORE}){{2}}|F[0-4](?:{_MORE}){{3}})"
    rf"|(?<==[89AB][0-9A-F]=)[2-7][0-9A-F]|(?<=[A-Za-z,. ]=)\r?\n(?=[^\s]|[ ]))"
)


def _quoted(hit: re.Match[str]) -> tuple[str, Sequence[Edit]]:
    """Undo one quoted-printable escape or soft line break (RFC 2045, section 6.7)."""
    piece = "".join(hit[0].replace("=", "").split())
    return "quoted-printable", ((hit.start(), hit.end(), _bytes(piece) if piece else ""),)


class Comments:
    """Finds comments in which something is left to undo, and yields what stands in them.

    In the rendered passage a comment is gone, and with it whatever was done to its words.
    """

    def __init__(self) -> None:
        self.position = 0

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        text, base, limit = scene.text, scene.base, scene.stop - scene.base
        position = max(self.position, scene.start) - base
        while position < limit:
            hit = _COMMENTS.search(text, position, limit + _COMMENT)
            if hit is None or hit.start() >= limit:
                break
            position = hit.end()
            begin, end = hit.span("html") if hit["html"] is not None else hit.span("percent")
            if _RENDERED.search(text, begin, end):
                inner = Unwrapped("comment", text[begin:end], Inside(base + begin))
                yield Candidate(base + hit.start(), [(base + begin, base + end)], partial(iter, (inner,)))
        self.position = base + max(position, limit)


_COMMENTS = lazy(rf"<!--(?P<html>(?:(?!-->|<!--).){{1,{_COMMENT - 8}}})-->|%%(?P<percent>[^%]{{1,1000}})%%", re.DOTALL)


def rendered() -> Passages:
    """Everything that disappears when the text is rendered, run or parsed, undone in one reading."""
    return Passages(_RENDERED, _Renderer())


def escaped_letters() -> Passages:
    r"""The reading of `ig\no\re` in which a backslash before a letter does nothing, where that spells a word."""
    return Passages(_IDLE, _letters)


def quoted_printable() -> Passages:
    """Quoted-printable text; `x=20` in code is read so too, to no harm."""
    return Passages(_QUOTED, _quoted)
