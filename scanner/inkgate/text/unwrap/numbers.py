"""Text written as a row of numbers: hex pairs, decimal or octal codes, bits, Morse."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from inkgate.lean import NamedTuple
from inkgate.text.fold import fold
from inkgate.text.lazy import lazy
from inkgate.text.unwrap.cues import CALLS
from inkgate.text.unwrap.fragment import Bytes, Unwrapped
from inkgate.text.unwrap.plain import stretches
from inkgate.text.unwrap.scene import MARKS, SLACK, Candidate, Scene, classes, split_words
from inkgate.text.unwrap.words import cue_words

__all__ = ["Numbers"]

_MAX = 2000
_AGAIN = 1000
"""Elements read again where a row is cut: more than any rule reaches."""

_ROW_LIMIT = 20 * 1024
_LEAST = 256
"""Characters: the shortest row of any kind fits in."""

_MARK = r"(?:[^\w@$]|_)"
_GAP = _MARK + "{1,6}"
_FREE = "[0-9A-Za-z@$]"
_HEX = "[0-9A-Fa-f]"
_PREFIXED = f"(?:[xX]{_HEX}{{1,2}}|[bB][01]{{7,8}}|[oO][0-3]?[0-7]{{2}})"
_CALL = r"(?:[hH][rR][wW]?|[hH][aA][rR]|nichr)[^0-9A-Za-z@$]{1,3}(?:0x[0-9A-Fa-f]{2}|[0-9]{2,3})"
_CODES = (
    "a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. s... t- u..- v...- "
    "w.-- x-..- y-.-- z--.. 0----- 1.---- 2..--- 3...-- 4....- 5..... 6-.... 7--... 8---.. 9----. "
    "..-.-.- ,--..-- /-..-. ?..--.. --....- :---... @.--.-. =-...-"
)
_MORSE = {item[1:]: item[0].encode() for item in _CODES.split()}
_HEX_SHAPE = classes(h="0123456789abcdefABCDEF", s=MARKS)
_BIT_SHAPE = classes(b="01")
_PAIR_NEEDLES = tuple((b"s" * gap).join([b"hh"] * 6) for gap in (1, 2, 3))
_CALLS = frozenset(name.encode() for name in CALLS)
_MIXED = 64
_ESCAPE = r"(?:\\{1,2}(?:[ux]\{?[0-9A-Fa-f]{2,6}\}?|[0-7]{3})|%[0-9A-Fa-f]{2}|&#?[0-9A-Za-z]{1,8};?)"
_CODED = lazy(
    r"<~\S{20,}~>|[0-9A-Fa-f\s:]{24,}|[A-Za-z0-9+/=_\s.,!?@:'-]{16,}|(?:0x[0-9A-Fa-f]{2}[,\s]{1,3}){8,}.{0,8}"
    rf"|(?:[0-9]{{2,3}}[,\s]{{1,3}}){{8,}}.{{0,8}}|(?:[^\\%&]{{0,24}}{_ESCAPE}){{8,}}.{{0,64}}",
    re.DOTALL,
)
"""Text that is written in a further code."""


def _row(head: str, tail: str, least: int, second: str = "") -> re.Pattern[str]:
    """Return a pattern for at least `least` elements, each `head` and `tail`, with gaps between them and nothing glued.

    `head` is one character or a class, so that the engine skips all other characters at once; `second` is what must
    come after the first element.
    """
    more = rf"(?>(?:{_GAP}{head}{tail}(?!{_FREE})){{{least - 1},{_MAX}}})"
    return lazy(rf"{head}(?<!{_FREE}{head}){tail}(?!{_FREE}){second}{more}")


def _pairs(elements: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Read hex pairs, with or without a prefix, and bits or octal figures with theirs."""
    yield "hex-list", bytes(int(element, 0 if len(element) > 2 else 16) for element in elements)


def _points(elements: Sequence[str]) -> Iterator[tuple[str, bytes]]:
    """Read code points as Unicode writes them."""
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


class _Kind(NamedTuple):
    """How one kind of row is located, matched, cut into elements and read; each element stands for one byte."""

    locate: Callable[[Scene, int, int], int]
    row: re.Pattern[str]
    element: re.Pattern[str]
    read: Callable[[Sequence[str]], Iterator[tuple[str, bytes]]]
    sure: Callable[[str, int], bool] = lambda text, start: True


def _if(awake: Callable[[Scene], bool], row: re.Pattern[str]) -> Callable[[Scene, int, int], int]:
    """Return a locator that searches for the row itself, where a quick test of the scene does not rule it out."""
    return lambda scene, position, limit: scene.search(row, position, limit, _LEAST) if awake(scene) else limit


def _always(scene: Scene) -> bool:
    """Return True: the row's own pattern is quick enough."""
    return True


def _dash_start(text: str, start: int) -> bool:
    """Return whether a row soon has a letter that begins with a dot and a dash, as rules and ellipses never do."""
    return " .-" in text[start : start + _MIXED] or " -." in text[start : start + _MIXED]


def _kinds() -> dict[str, _Kind]:
    """Return the kinds of rows by name."""
    even = "|".join(f"(?:{_MARK * gap}{_HEX}{_HEX}(?!{_FREE})){{5}}" for gap in (1, 2, 3))
    pairs = _row(_HEX, _HEX, 1, f"(?:{even})")
    prefixed, codes, calls = _row("0", _PREFIXED, 5), _row("[0-9]", "[0-9]{1,2}", 6), _row("[cCu]", _CALL, 3)
    points = _row("U", rf"\+00{_HEX}{_HEX}", 5)
    bits, stream = _row("[01]", "[01]{6,7}", 4), lazy(rf"[01](?<!{_FREE}[01])[01]{{7}}(?>(?:[01]{{8}}){{3,2000}})")
    morse = lazy(
        r"[.\-](?<![^\s/\"'(>\[`][.\-])[.\-]{0,5}[ ](?:[.\-]{1,6}[ ]){2}[.\-]{1,6}"
        r"(?>(?:(?:[ ]{0,3}[/|][ ]{0,3}|[ ]{1,5})[.\-]{1,6}){2,2000})"
    )
    return {
        "pairs": _Kind(
            _if(lambda scene: any(needle in scene.shadow(_HEX_SHAPE) for needle in _PAIR_NEEDLES), pairs),
            pairs,
            lazy(_HEX * 2),
            _pairs,
        ),
        "prefixed": _Kind(_if(_always, prefixed), prefixed, lazy(f"0{_PREFIXED}"), _pairs),
        "points": _Kind(_if(_always, points), points, lazy(rf"U\+00{_HEX}{_HEX}"), _points),
        "codes": _Kind(_if(_always, codes), codes, lazy("[0-9]{2,3}"), _codes),
        "calls": _Kind(
            _if(lambda scene: not _CALLS.isdisjoint(scene.cues(cue_words())), calls),
            calls,
            lazy("0x[0-9A-Fa-f]{2}|[0-9]{2,3}"),
            _codes,
        ),
        "bits": _Kind(_if(lambda scene: b"b" * 7 in scene.shadow(_BIT_SHAPE), bits), bits, lazy("[01]{7,8}"), _bits),
        "stream": _Kind(
            _if(lambda scene: b"b" * 32 in scene.shadow(_BIT_SHAPE), stream), stream, lazy("[01]{8}"), _bits
        ),
        "morse": _Kind(
            _if(lambda scene: b" .-" in scene.raw or b" -." in scene.raw, morse),
            morse,
            lazy(r"[.\-]+|[ ]{0,3}[/|][ ]{0,3}|[ ]{3,}"),
            _morse,
            _dash_start,
        ),
    }


_KINDS = _kinds()


class _Locate(NamedTuple):
    """Maps bytes to the elements that stand for them."""

    raw: str
    base: int
    element: re.Pattern[str]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return the absolute range of the elements `[start, end)`."""
        spans = [hit.span() for hit in self.element.finditer(self.raw)][start:end]
        return self.base + spans[0][0], self.base + spans[-1][1]


def _wordy(text: str) -> bool:
    """Return whether the text is words, or letters apart, or another code, as chance numbers would not give."""
    plain = fold(text).cased
    least = 0.6 * len(plain)
    letters = sum(char.isalpha() or char == " " for char in plain)
    if letters >= least or _CODED.fullmatch(plain.strip()):
        return True
    if not cue_words().isdisjoint(split_words(plain.encode("latin-1", "replace"))):
        return True
    marks = Counter(char for char in plain if not char.isalnum() and char != " ").most_common(1)
    return bool(marks) and letters + marks[0][1] >= least and letters >= 0.3 * len(plain)


class Numbers:
    """Finds rows of numbers of one kind and yields what they spell.

    A row of more than 2,000 elements is cut and the last 1,000 are read again.

    Args:
        kind: `pairs` (hex), `prefixed` (0x41, 0b1000001, 0o101), `points` (U+0041), `codes` (decimal, octal), `calls`
            (of chr), `bits`, `stream` (bits without gaps) or `morse`.
    """

    def __init__(self, kind: str) -> None:
        self.position = 0
        self._kind = _KINDS[kind]

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        text, base, limit = scene.text, scene.base, scene.stop - scene.base
        kind = self._kind
        position = max(self.position, scene.start) - base
        while position < limit and (start := kind.locate(scene, position, limit)) < limit:
            hit = kind.row.match(text, start, start + _ROW_LIMIT) if kind.sure(text, start) else None
            if hit is None:
                position = start + 1
                continue
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
                    places = Bytes(stretch.codec, stretch.start, _Locate(raw, base, self._kind.element).place)
                    yield Unwrapped(encoding, stretch.text, places)
