"""Bytes to text, bit by bit: nothing raises, nothing is skipped, and every oddity is noted with its place.

The encoding is settled on the first `HEAD` bytes: a byte order mark, else UTF-16 by the NUL bytes that it puts beside
every ASCII letter, else UTF-8. What is not well-formed (Unicode Standard 3.9, D84 to D92) becomes U+FFFD, one for each
byte of UTF-8 and one for each code unit of UTF-16 and UTF-32, so positions stay true; no surrogate leaves this module.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator

from inkgate.lean import dataclass
from inkgate.text.lazy import lazy
from inkgate.text.sniff import HEAD, Kind, detect, sniff

__all__ = ["BLOCK", "HEAD", "MOST_NOTES", "Decoded", "Decoder", "Kind", "sniff"]

BLOCK = 65_536
"""Characters of a canonical block: the scan reads its text in pieces of this length."""

MOST_NOTES = 64
"""Places listed one by one for each rule; all further ones are counted in a single note."""

_MARK = "inkgate.mark"
# Surrogates are what the error handlers leave where bytes made no sense; no well-formed input decodes to one.
_ODD = lazy("[\ud800-\udfff]+")
_BLANKS = {code: " " for code in range(32) if code not in (9, 10, 13)} | {127: " ", 0xFFFD: " "}


def _mark(error: UnicodeError) -> tuple[str, int]:
    """One marker for one ill-formed unit (a handler for `codecs.register_error`)."""
    if not isinstance(error, UnicodeDecodeError):
        raise error
    return "\udcff", error.end


codecs.register_error(_MARK, _mark)


@dataclass(frozen=True, slots=True)
class Decoded:
    """Something about the bytes that a reader should know.

    Attributes:
        rule: id of the integrity rule.
        start: offset of the first character in the decoded text (a byte order mark is not part of it).
        end: offset just past the last character.
        message: one sentence for a person.
    """

    rule: str
    start: int
    end: int
    message: str


class _Runs:
    """Places of one rule: touching ones are joined, those beyond `MOST_NOTES` counted, none crosses a block border."""

    __slots__ = ("_end", "_hidden", "_places", "_rule", "_start", "_what")

    def __init__(self, rule: str, what: str) -> None:
        self._rule, self._what = rule, what
        self._start = self._end = -1
        self._places = self._hidden = 0

    def add(self, start: int, end: int) -> Iterator[Decoded]:
        """Add a place; give the notes that it completes."""
        if start != self._end or start % BLOCK == 0:
            yield from self.close()
            self._start = start
        while (border := self._start - self._start % BLOCK + BLOCK) < end:
            self._end = border
            yield from self.close()
            self._start = border
        self._end = end

    def close(self, before: int | None = None) -> Iterator[Decoded]:
        """End the open place, unless it reaches the offset `before`, where it could still go on."""
        if self._end < 0 or (self._end == before and before % BLOCK):
            return
        self._places += 1
        if self._places > MOST_NOTES:
            self._hidden += self._end - self._start
        else:
            yield Decoded(self._rule, self._start, self._end, f"{self._what}: {self._end - self._start:,}")
        self._end = -1

    def finish(self, end: int) -> Iterator[Decoded]:
        """End the open place, and sum up at the end of the text what was only counted."""
        yield from self.close()
        if self._hidden:
            places = self._places - MOST_NOTES
            yield Decoded(self._rule, end, end, f"{self._what}: {self._hidden:,} more, in {places:,} further places")


class Decoder:
    """Decodes a stream of bytes that arrives in pieces of any size; the cut points change nothing.

    Args:
        encoding: decode as this (`utf-8`, `utf-16-le`, ...) and look for no byte order mark; empty to find out.
        lenient: for binary data of which only the readable strings matter: control characters and invalid bytes become
            blanks and are not noted.

    Attributes:
        notes: what there is to report, and for the reader to take away: complete once `feed` was called with
            `final=True`. A note lies within one block of `BLOCK` characters and is there as soon as anything behind it
            was decoded.
        encoding: name of the encoding, empty as long as it is not settled.
        bom: whether a byte order mark was read (and dropped from the text).
        characters: characters given out so far.
    """

    def __init__(self, encoding: str = "", *, lenient: bool = False) -> None:
        self.notes: list[Decoded] = []
        self.encoding = ""
        self.bom = False
        self.characters = 0
        self._lenient = lenient
        self._head = bytearray()
        self._codec: codecs.IncrementalDecoder | None = None
        self._bad = _Runs("invalid-utf8", "Bytes that are not valid UTF-8")
        if encoding:
            self._settle(encoding)

    def _settle(self, encoding: str) -> codecs.IncrementalDecoder:
        self.encoding = encoding
        if encoding == "utf-8":
            self._codec = codecs.getincrementaldecoder(encoding)("surrogateescape")
        else:
            self._codec = codecs.getincrementaldecoder(encoding)(_MARK)
            self._bad = _Runs("invalid-utf16", f"Code units that are not valid {encoding.upper()}")
        return self._codec

    def feed(self, data: bytes, *, final: bool = False) -> str:
        """Decode the next bytes.

        Args:
            data: any number of bytes, also none.
            final: whether these are the last ones.

        Returns:
            The characters that are certain by now; never a surrogate.
        """
        codec = self._codec
        if codec is None:
            self._head += data
            if len(self._head) < HEAD and not final:
                return ""
            found = detect(bytes(self._head[:HEAD]))
            data = bytes(memoryview(self._head)[found.bom :])
            self._head.clear()
            self.bom = found.bom > 0
            codec = self._settle(found.encoding)
            if found.guessed:
                message = (
                    f"{found.encoding.upper()} without a byte order mark: readers disagree on what is written here"
                )
                self.notes.append(Decoded("utf16-without-bom", 0, 1, message))
        text = self._check(codec.decode(data, final))
        self.characters += len(text)
        if final:
            self.notes.extend(self._bad.finish(self.characters))
        return text

    def _check(self, text: str) -> str:
        """Note what is odd in the next piece and put U+FFFD where the bytes made no sense."""
        if self._lenient:
            return _ODD.sub(_replace, text).translate(_BLANKS)
        here, odd = self.characters, False
        if not text.isascii():
            for match in _ODD.finditer(text):
                odd = True
                self.notes.extend(self._bad.add(here + match.start(), here + match.end()))
        if text:
            self.notes.extend(self._bad.close(here + len(text)))
        return _ODD.sub(_replace, text) if odd else text


def _replace(match: re.Match[str]) -> str:
    return "\ufffd" * len(match[0])
