"""The folded view: the text as a reader takes it, whatever characters it is written with.

`fold` maps every code point by itself: compatibility decomposition (NFKD), marks and default-ignorables dropped,
look-alikes of Latin letters turned into them (UTS #39 and more), decimal digits of every script turned into ASCII ones,
other letters lower-cased and kept. ASCII is never rewritten, but control characters other than tab and line ends are
dropped, as is U+FFFD, which stands for bytes that could not be read: a word is a word with them inside too. The result
is the same for NFC and NFD and commutes with concatenation, so a text may be cut anywhere, and no run of marks is slow.
Folding twice changes nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from inkgate.lean import TYPE_CHECKING
from inkgate.text.fold_map import CONTROLS

if TYPE_CHECKING:
    from inkgate.text.fold_map import FoldMap

__all__ = ["Folded", "disguises", "fold", "fold_char", "pattern_chars"]

_SIGNS = "\xa1\xa4\xa6\xa7\xab\xac\xb0\xb1\xb6\xb7\xbb\xbf\xf7"
"""The characters of Latin-1 beyond ASCII that stay themselves; the section sign parts the entries of a memory."""
_STAYS = bytes(point for point in range(128) if point not in CONTROLS) + _SIGNS.encode("latin-1")
_STEP = 64  # source characters between two remembered positions


class Folded:
    """A text and its folded view. All positions are characters.

    Attributes:
        cased: the folded text. Latin letters keep their case (Ａ and Á give A); every other letter is lower-cased, also
            the one that takes a Latin shape (Cyrillic А gives a).
        lower: `cased` in lower case, always as long.
    """

    __slots__ = ("_even", "_steps", "_text", "cased", "lower")

    def __init__(self, text: str, cased: str, lower: str, even: bool | None) -> None:
        self._text = text
        self._even = even
        self._steps: list[int] = []
        self.cased = cased
        self.lower = lower

    def __repr__(self) -> str:
        return f"Folded({self.cased!r})"

    @property
    def identity(self) -> bool:
        """Whether every position is the same in the view and in the source."""
        if self._even is None:
            self._even = len(self.cased) == len(self._text) and all(
                len(fold_char(char)) == 1 for char in set(self._text)
            )
        return self._even

    def source(self, position: int) -> int:
        """The index in the source of the character that gave `position`; the view's length gives the source's length.

        Raises:
            IndexError: the position is not in 0..len(cased).
        """
        if position == len(self.cased):
            return len(self._text)
        return self.sources(position, position + 1)[0]

    def sources(self, start: int, stop: int) -> Sequence[int]:
        """The source index of each position from start to stop (not included).

        Raises:
            IndexError: start or stop is not in 0..len(cased), or stop is before start.
        """
        if not 0 <= start <= stop <= len(self.cased):
            raise IndexError(f"{start}..{stop} is not within a view of {len(self.cased)} characters")
        if self.identity:
            return range(start, stop)
        folds, text = _map(), self._text
        if not self._steps:
            self._steps = self._measure(folds)
        step = bisect_right(self._steps, start) - 1
        position, index = self._steps[step], step * _STEP
        found: list[int] = []
        while position < stop:
            end = position + len(folds[ord(text[index])])
            if end > start:
                found += [index] * (min(end, stop) - max(position, start))
            position, index = end, index + 1
        return found

    def _measure(self, folds: FoldMap) -> list[int]:
        """The view position of every source character whose index is a multiple of the step."""
        steps, position = [0], 0
        for index in range(0, len(self._text) - _STEP, _STEP):
            position += len(self._text[index : index + _STEP].translate(folds))
            steps.append(position)
        return steps


def _map() -> FoldMap:
    from inkgate.text.fold_map import fold_map

    return fold_map()


def fold(text: str) -> Folded:
    """The folded view of any string; a lone surrogate stays itself. Time and memory are linear in its length."""
    if text.isascii():
        data = text.encode("ascii")
        kept = data.translate(None, CONTROLS)
        if len(kept) == len(data):
            return Folded(text, text, text.lower(), True)
        cased = kept.decode("ascii")
        return Folded(text, cased, cased.lower(), False)
    if _stays(text):
        return Folded(text, text, text.lower(), True)
    from inkgate.text.fold_fast import fold_text

    return Folded(text, *fold_text(text))


def _stays(text: str) -> bool:
    """Whether every character stays itself, as far as that can be told without the map."""
    try:
        return not text.encode("latin-1").translate(None, _STAYS)
    except UnicodeEncodeError:
        return False


def fold_char(char: str) -> str:
    """The fold of one character as in `Folded.cased`; '' when it is dropped."""
    return _map()[ord(char)]


def pattern_chars(char: str) -> tuple[str, ...]:
    """The distinct folds, in lower case, of a letter's lower, upper and title form.

    A pattern that is to meet a letter of any case in the folded view needs all of them: the shape depends on the case.
    """
    return tuple(dict.fromkeys(fold(form).lower for form in (char.lower(), char.upper(), char.title())))


def disguises(raw: str) -> frozenset[str]:
    """How a short raw slice differs from plain writing: see `inkgate.text.disguise.disguises`."""
    from inkgate.text.disguise import disguises as look

    return look(raw)
