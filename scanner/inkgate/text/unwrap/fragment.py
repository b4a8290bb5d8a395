"""What an unwrapping yields: the hidden text, and the way from each of its characters back to where it was written."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

from inkgate.lean import NamedTuple, Protocol

__all__ = [
    "About",
    "Aligned",
    "Budget",
    "Bytes",
    "Inside",
    "Mirrored",
    "Places",
    "Reordered",
    "Spliced",
    "Unwrapped",
    "Whole",
]


class Places(Protocol):
    """The way back from a range of a fragment to the view it was found in."""

    def place(self, text: str, start: int, end: int) -> tuple[int, int]:
        """Return the absolute half-open range of the parent view that `text[start:end]` was made from."""

    def changed(self, text: str, start: int, end: int) -> bool:
        """Return whether `text[start:end]` reads otherwise than the parent view does at the same place."""


class About(NamedTuple):
    """What is new in a fragment that repeats its parent view but for some places.

    Attributes:
        start: offset of the first place.
        end: offset just past the last one.
        kinds: numbers of the kinds of detectors that found something else there in the parent view; what any other
            kind finds in the fragment has one of the places in it.
    """

    start: int
    end: int
    kinds: frozenset[int]


class Unwrapped(NamedTuple):
    """One piece of hidden text.

    Attributes:
        encoding: what hid it, such as `base64` or `html-entity`.
        text: the text that was hidden, with its surroundings where only parts of a passage were encoded.
        places: the map behind `place`.
        truncated: True when more was hidden than could be unpacked: the caller must not call the text clean.
        about: what is new in the text, where that is known; to be handed to the `Unwrapper` of the fragment.
    """

    encoding: str
    text: str
    places: Places
    truncated: bool = False
    about: About | None = None

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the parent view (absolute characters, half-open) behind `text[start:end]`.

        An empty range gives the place of its first character.

        Raises:
            ValueError: the range does not lie in the text.
        """
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"{start}..{end} is not a range of a fragment of {len(self.text)} characters")
        return self.places.place(self.text, start, end)

    @property
    def new(self) -> bool:
        """Whether everything in the fragment reads otherwise than the parent view does."""
        return isinstance(self.places, _NEW)

    def changed(self, start: int, end: int) -> bool:
        """Return whether unwrapping changed anything in `text[start:end]`.

        What is unchanged was already seen in the parent view; an `Unwrapper` of this fragment skips it when it is
        given this method (through the caller's map) as `fresh`.
        """
        return self.places.changed(self.text, max(0, start), min(end, len(self.text)))


class Whole(NamedTuple):
    """Every range stands for the same stretch: compressed text has no finer map."""

    start: int
    end: int

    def place(self, text: str, start: int, end: int) -> tuple[int, int]:
        """See `Places.place`."""
        return self.start, self.end

    def changed(self, text: str, start: int, end: int) -> bool:
        """See `Places.changed`."""
        return True


class Aligned(NamedTuple):
    """Each character stands for the one at the same offset of `original`, which begins at `base`."""

    base: int
    original: str

    def place(self, text: str, start: int, end: int) -> tuple[int, int]:
        """See `Places.place`."""
        return self.base + start, self.base + end

    def changed(self, text: str, start: int, end: int) -> bool:
        """See `Places.changed`."""
        return text[start:end] != self.original[start:end]


class Inside(NamedTuple):
    """A stretch of the parent view taken out of what surrounds it; it begins at `base`."""

    base: int

    def place(self, text: str, start: int, end: int) -> tuple[int, int]:
        """See `Places.place`."""
        return self.base + start, self.base + end

    def changed(self, text: str, start: int, end: int) -> bool:
        """See `Places.changed`."""
        return True


class Mirrored(NamedTuple):
    """The passage that begins at `base`, read from its end."""

    base: int

    def place(self, text: str, start: int, end: int) -> tuple[int, int]:
        """See `Places.place`."""
        return self.base + len(text) - end, self.base + len(text) - start

    def changed(self, text: str, start: int, end: int) -> bool:
        """See `Places.changed`."""
        return True


class Reordered(NamedTuple):
    """The passage `original`, which begins at `base`, with each of its words reversed where it stands.

    `marks` says whether the marks that touch a word were reversed with it.
    """

    base: int
    original: str
    marks: bool = False

    def place(self, text: str, start: int, end: int) -> tuple[int, int]:
        """See `Places.place`."""
        first, last = self._word(start), self._word(max(start, end - 1))
        if first == last:
            return self.base + first[0] + first[1] - end, self.base + first[0] + first[1] - start
        return self.base + first[0], self.base + last[1]

    def _word(self, offset: int) -> tuple[int, int]:
        """Return the range of the word, or of the single other character, at `offset`."""
        start = end = min(offset, len(self.original))
        if end == len(self.original) or not self._inside(end):
            return start, min(end + 1, len(self.original))
        while start > 0 and self._inside(start - 1):
            start -= 1
        while end < len(self.original) and self._inside(end):
            end += 1
        return start, end

    def _inside(self, offset: int) -> bool:
        """Return whether a character belongs to a word."""
        char = self.original[offset]
        return not char.isspace() if self.marks else char.isalnum()

    def changed(self, text: str, start: int, end: int) -> bool:
        """See `Places.changed`."""
        return text[start:end] != self.original[start:end]


class Bytes(NamedTuple):
    """Text decoded from bytes that `locate` knows the place of.

    Attributes:
        codec: the codec that made the text; encoding a prefix again gives its length in bytes.
        first: offset of the text's first byte.
        locate: maps a non-empty range of bytes to an absolute range of the parent view.
    """

    codec: str
    first: int
    locate: Callable[[int, int], tuple[int, int]]

    def place(self, text: str, start: int, end: int) -> tuple[int, int]:
        """See `Places.place`."""
        if not text:
            return self.locate(self.first, self.first + 1)
        stop = max(end, start + 1)
        if stop > len(text):
            start, stop = len(text) - 1, len(text)
        if self.codec == "ascii":
            begin, past = self.first + start, self.first + stop
        else:
            begin = self.first + len(text[:start].encode(self.codec))
            past = begin + len(text[start:stop].encode(self.codec))
        where = self.locate(begin, past)
        return where if end > start else (where[0], where[0])

    def changed(self, text: str, start: int, end: int) -> bool:
        """See `Places.changed`."""
        return True


_NEW = (Whole, Inside, Mirrored, Bytes)


class Spliced(NamedTuple):
    """A passage of the parent view in which some pieces were replaced; the rest stands as it was.

    Attributes:
        base: absolute position of the passage's first character.
        outs: offset in the fragment of each replacement, ascending.
        sizes: length of each replacement; 0 where something was cut out.
        starts: absolute start of what each replacement stands for.
        ends: absolute end of what each replacement stands for.
    """

    base: int
    outs: Sequence[int]
    sizes: Sequence[int]
    starts: Sequence[int]
    ends: Sequence[int]

    def place(self, text: str, start: int, end: int) -> tuple[int, int]:
        """See `Places.place`."""
        first = self._position(start, end=False)
        return (first, max(first, self._position(end - 1, end=True))) if end > start else (first, first)

    def _position(self, offset: int, *, end: bool) -> int:
        """Return where the character at `offset` begins in the parent view, or where it ends."""
        index = bisect_right(self.outs, offset) - 1
        if index < 0:
            return self.base + offset + end
        inside = offset - self.outs[index]
        if inside >= self.sizes[index]:
            return self.ends[index] + inside - self.sizes[index] + end
        width = self.ends[index] - self.starts[index]
        if width == self.sizes[index]:
            return self.starts[index] + inside + end
        return self.ends[index] if end else self.starts[index]

    def changed(self, text: str, start: int, end: int) -> bool:
        """See `Places.changed`."""
        index = bisect_right(self.outs, end) - 1
        return index >= 0 and self.outs[index] + self.sizes[index] >= start


class Budget:
    """How many characters of unwrapped text may still be read for one document.

    Nested encodings and compressed text multiply what there is to read; the budget keeps the whole work proportional
    to the document. What it refuses is unread text, and a scan with unread text is not clean. What takes longer than
    to read it, such as judging what was found, counts as so many characters: text that is full of orders is stopped
    well before it becomes slow, and has been found to be bad by then.

    Args:
        allowance: characters that every document may unwrap, however short it is.
        factor: characters more per character of the document.
    """

    def __init__(self, allowance: int = 1 << 17, factor: int = 3) -> None:
        self.left = allowance
        self.factor = factor
        self.exhausted = False

    def grow(self, characters: int) -> None:
        """Add what reading `characters` more of the document entitles to."""
        self.left += self.factor * characters

    def spend(self, characters: int) -> bool:
        """Take `characters` from the budget; return False, and stay `exhausted`, when there are not that many."""
        if characters > self.left:
            self.exhausted = True
            return False
        self.left -= characters
        return True

    def charge(self, characters: int) -> None:
        """Take what some work besides reading is worth, as far as it is there."""
        self.left = max(0, self.left - characters)
