"""Text written as a row of numbers: hex pairs, decimal or octal codes, bits, Morse."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from inkgate.text.unwrap.fragment import Bytes, Unwrapped
from inkgate.text.unwrap.plain import stretches
from inkgate.text.unwrap.scene import SLACK, Candidate, Scene, classes

__all__ = ["Numbers"]

_MAX = 2000
_AGAIN = 1000
"""Elements read again where a row is cut: more than any rule reaches."""

_ROW_LIMIT = 20 * 1024
_LEAST = 256
"""Characters: the shortest row of any kind fits in."""

_GAP = r"[^0-9A-Za-z@$]{1,6}"
_FREE = "[0-9A-Za-z@$]"
_HEX = "[0-9A-Fa-f]"
_CALL = r"(?:[hH][rR][wW]?|[hH][aA][rR]|nichr)[^0-9A-Za-z@$]{1,3}(?:0x[0-9A-Fa-f]{2}|[0-9]{2,3})"
_CODES = (
    "a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. s... t- u..- v...- "
    "w.-- x-..- y-.-- z--.. 0----- 1.---- 2..--- 3...-- 4....- 5..... 6-.... 7--... 8---.. 9----. "
    "..-.-.- ,--..-- /-..-. ?..--.. --....- :---... @.--.-. =-...-"
)
_MORSE = {item[1:]: item[0].encode() for item in _CODES.split()}
_HEX_SHAPE = classes(h="0123456789abcdef", x="x", s=" ")
_DIGIT_SHAPE = classes(d="0123456789", s=" ")
_BIT_SHAPE = classes(b="01")
_NUMBER_NEEDLES = (b"sdddsdddsddds", b"sddsddsddsddsddsdds")
_NUMBER_START = re.compile(rf"(?:[0-9]{{2,3}}{_GAP}){{0,9}}?(?:(?:[0-9]{{3}}{_GAP}){{2}}[0-9]{{3}}|(?:[0-9]{{2}}{_GAP}){{5}}[0-9]{{2}})(?!{_FREE})")
_CALLED = re.compile(rb" char (?:[0-9]{2}|0x)")
_MIXED = 64


def _row(head: str, tail: str, least: int) -> re.Pattern[str]:
    """Return a pattern for at least `least` elements, each `head` and `tail`, with gaps between them and nothing glued.

    `head` is one character or a class, so that the engine skips all other characters at once.
    """
    more = rf"(?:{_GAP}{head}{tail}(?!{_FREE})){{{least - 1},{_MAX}}}+"
    return re.compile(rf"{head}(?<!{_FREE}{head}){tail}(?!{_FREE}){more}")


def _pairs(elements: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Read hex pairs, with or without a prefix."""
    yield "hex-list", bytes(int(element[-2:], 16) for element in elements)


def _codes(elements: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Read character codes: decimal, and octal where all could be."""
    decimal = [int(element, 16 if "x" in element else 10) for element in elements]
    yield "decimal-list", bytes(code if code < 256 else 0 for code in decimal)
    if all(len(element) == 3 and element.strip("01234567") == "" and element < "400" for element in elements):
        yield "octal-list", bytes(int(element, 8) for element in elements)


def _bits(elements: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Read groups of seven or eight bits."""
    yield "binary", bytes(int(element, 2) for element in elements)


def _morse(elements: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Read Morse code (ITU-R M.1677); longer gaps and slashes are word gaps."""
    yield "morse", b"".join(_MORSE.get(element, b" " if element[0] not in ".-" else b"\0") for element in elements)


@dataclass(frozen=True, slots=True)
class _Kind:
    """How one kind of row is noticed, matched, cut into elements and read; each element stands for one byte."""

    awake: Callable[[Scene], bool]
    row: re.Pattern[str]
    element: re.Pattern[str]
    read: Callable[[Sequence[str]], Iterator[tuple[str, bytes]]]
    sure: Callable[[str, int], bool] = lambda text, start: True


def _number_row(scene: Scene) -> bool:
    """Return whether numbers of three digits, or of two, stand side by side."""
    shape = scene.spelled.translate(_DIGIT_SHAPE)
    return any(needle in shape for needle in _NUMBER_NEEDLES)


def _number_start(text: str, start: int) -> bool:
    """Return whether a row of codes shows one of the needles early, as letters do: `d` to `z` have three digits."""
    return _NUMBER_START.match(text, start, start + SLACK) is not None


def _called(scene: Scene) -> bool:
    """Return whether a function that makes characters stands before a number."""
    spelled = scene.spelled
    return any(word in spelled for word in (b" chr ", b" chrw ", b" unichr ")) or (b" char " in spelled and _CALLED.search(spelled) is not None)


def _dash_start(text: str, start: int) -> bool:
    """Return whether a row soon has a letter that begins with a dot and a dash, as rules and ellipses never do."""
    return " .-" in text[start : start + _MIXED] or " -." in text[start : start + _MIXED]


_KINDS = {
    "pairs": _Kind(
        lambda scene: b"shhshhshhshhshhs" in scene.spelled.translate(_HEX_SHAPE),
        _row(_HEX, _HEX, 6),
        re.compile(_HEX + _HEX),
        _pairs,
    ),
    "prefixed": _Kind(
        lambda scene: b"hxhhshxhhshxhhs" in scene.spelled.translate(_HEX_SHAPE),
        _row("0", f"[xX]{_HEX}{{2}}", 5),
        re.compile(f"0[xX]{_HEX}{{2}}"),
        _pairs,
    ),
    "codes": _Kind(
        _number_row,
        _row("[0-9]", "[0-9]{1,2}", 6),
        re.compile("[0-9]{2,3}"),
        _codes,
        _number_start,
    ),
    "calls": _Kind(
        _called, _row("[cCu]", _CALL, 3), re.compile("0x[0-9A-Fa-f]{2}|[0-9]{2,3}"), _codes
    ),
    "bits": _Kind(
        lambda scene: b"b" * 7 in scene.shadow(_BIT_SHAPE), _row("[01]", "[01]{6,7}", 4), re.compile("[01]{7,8}"), _bits
    ),
    "stream": _Kind(
        lambda scene: b"b" * 32 in scene.shadow(_BIT_SHAPE),
        re.compile(r"[01](?<![0-9A-Za-z@$][01])[01]{7}(?:[01]{8}){3,2000}+"),
        re.compile("[01]{8}"),
        _bits,
    ),
    "morse": _Kind(
        lambda scene: b" .-" in scene.raw or b" -." in scene.raw,
        re.compile(
            r"[.\-](?<![^ /\n\r\t][.\-])[.\-]{0,5}[ ](?:[.\-]{1,6}[ ]){2}[.\-]{1,6}"
            r"(?:(?:[ ]{0,3}[/|][ ]{0,3}|[ ]{1,5})[.\-]{1,6}){2,2000}+"
        ),
        re.compile(r"[.\-]+|[ ]{0,3}[/|][ ]{0,3}|[ ]{3,}"),
        _morse,
        _dash_start,
    ),
}


@dataclass(frozen=True, slots=True)
class _Locate:
    """Maps bytes to the elements that stand for them."""

    raw: str
    base: int
    element: re.Pattern[str]

    def __call__(self, start: int, end: int) -> tuple[int, int]:
        """Return the absolute range of the elements `[start, end)`."""
        spans = [hit.span() for hit in self.element.finditer(self.raw)][start:end]
        return self.base + spans[0][0], self.base + spans[-1][1]


def _wordy(text: str) -> bool:
    """Return whether most characters are letters or spaces, as chance numbers would not give."""
    return 10 * sum(char.isalpha() or char == " " for char in text) >= 6 * len(text)


class Numbers:
    """Finds rows of numbers of one kind and yields what they spell.

    A row of more than 2,000 elements is cut and the last 1,000 are read again.

    Args:
        kind: `pairs` (hex), `prefixed` (0x41), `codes` (decimal, octal), `calls` (of chr), `bits`, `stream` (bits without gaps) or `morse`.
    """

    def __init__(self, kind: str) -> None:
        self.position = 0
        self._kind = _KINDS[kind]

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        text, base, limit = scene.text, scene.base, scene.stop - scene.base
        kind = self._kind
        position = max(self.position, scene.start) - base
        if position < limit and kind.awake(scene):
            while (start := scene.search(kind.row, position, limit, _LEAST)) < limit:
                if not kind.sure(text, start):
                    position = start + 1
                    continue
                hit = kind.row.match(text, start, start + _ROW_LIMIT)
                assert hit is not None, "what fits in the least length fits in more"
                spans = [element.span() for element in kind.element.finditer(hit[0])]
                elements = [hit[0][begin:end] for begin, end in spans]
                cut = len(spans) >= _MAX or hit.end() > start + _ROW_LIMIT - SLACK
                position = start + spans[-min(_AGAIN, len(spans) // 2)][0] if cut else hit.end()
                fragments = list(self._fragments(hit[0], base + start, elements))
                if fragments:
                    yield Candidate(base + start, [(base + start, base + hit.end())], partial(iter, fragments))
        self.position = base + max(position, limit)

    def _fragments(self, raw: str, base: int, elements: Sequence[str]) -> Iterator[Unwrapped]:
        """Yield a fragment for each reading of the row that is text."""
        for encoding, data in self._kind.read(elements):
            for stretch in stretches(data):
                if _wordy(stretch.text):
                    places = Bytes(stretch.codec, stretch.start, _Locate(raw, base, self._kind.element))
                    yield Unwrapped(encoding, stretch.text, places)
