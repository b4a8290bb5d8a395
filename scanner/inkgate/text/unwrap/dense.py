"""Codes with marks in their alphabet: base85, base64 that is full of slashes, uuencode, UTF-7, punycode."""

from __future__ import annotations

import binascii
import re
from collections.abc import Callable, Iterator, Sequence

from inkgate.text.lazy import lazy
from inkgate.text.unwrap.fragment import Unwrapped, Whole
from inkgate.text.unwrap.passage import Edit, Passages
from inkgate.text.unwrap.plain import printable, stretches
from inkgate.text.unwrap.scene import Candidate, Scene, classes

__all__ = ["Dense", "Uuencoded", "domain_labels", "utf7"]

_ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
_85 = _ALNUM + "!#$%&()*+-;<=>?@^_`{|}~"
_ASCII85 = "".join(map(chr, range(33, 118)))
_Z85 = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"  # ZeroMQ RFC 32
_ORDER = {
    "base85": {char: at for at, char in enumerate(_ALNUM[52:] + _ALNUM[:52] + _85[62:])},
    "ascii85": {char: at for at, char in enumerate(_ASCII85)},
    "z85": {char: at for at, char in enumerate(_Z85)},
}
_LEAST = 25
"""Characters: shorter tokens are not tried as base85; twenty bytes are less than an order needs."""

_LONGEST = 16 * 1024
_REMEMBERED = 4096
_TOKEN = lazy(r"\S+")
_SLASHES = lazy(r"[A-Za-z0-9+/]{24,}")
_PATH = lazy(r"[a-z]{4}|[A-Z]{6}")
_SOLID = classes(s=" \t\n\r\x0b\x0c")
_RUN = b"?" * _LEAST
_SMALL = b"abcdefghijklmnopqrstuvwxyz"
_MIXED = 0.35
"""Least share of other characters than small letters: names and paths have less, base85 has twice as much."""

_UU = lazy(r"begin(?<![A-Za-z0-9@$]begin)(?:-base64)? [0-7]{3} [^\n]{1,200}\n((?:[!-`][ -`]{0,80}\n){1,1000})")
_WORDS = lazy("[A-Za-z]{2}")


def _base85(token: str, order: dict[str, int]) -> bytes:
    """Return the bytes of base85, five characters to four bytes; nothing if a group is too large a number."""
    parts: list[bytes] = []
    for at in range(0, len(token), 5):
        group = [order[char] for char in token[at : at + 5]]
        missing = 5 - len(group)
        number = 0
        for digit in (*group, *[84] * missing):
            number = number * 85 + digit
        if number > 0xFFFFFFFF:
            return b""
        parts.append(number.to_bytes(4, "big")[: 4 - missing])
        if at == _SURE and printable(b"".join(parts)) < 8:
            return b""
    return b"".join(parts)


_SURE = 10


def _alphabets(token: str) -> Iterator[tuple[str, str]]:
    """Yield the alphabets that a token may be written in, and what of it is to be read."""
    letters = set(token)
    if len(letters) < 10 or len(token.encode("latin-1", "replace").translate(None, _SMALL)) < _MIXED * len(token):
        return
    for name, order in _ORDER.items():
        if order.keys() >= letters:
            yield name, token
    if (begin := token.find("<~")) >= 0 and (end := token.find("~>", begin)) > 0:
        yield "ascii85", token[begin + 2 : end]
    elif token[0] in "\"'`(|" and token[-1] in "\"'`)|":
        inner = token.strip("\"'`()|")
        if inner:
            yield from _alphabets(inner)


def _readings(token: str) -> list[tuple[str, str]]:
    """Return the texts of a token that has no blank in it, each with its encoding."""
    found: list[tuple[str, str]] = []
    for name, body in _alphabets(token):
        body = body.replace("z", "!!!!!") if name == "ascii85" else body
        if not _ORDER[name].keys() >= set(body):
            continue
        data = _base85(body, _ORDER[name])
        if data and printable(data) >= 0.9 * len(data):
            found += ((f"{name}", item.text) for item in stretches(data) if _WORDS.search(item.text))
    if token.count("/") + token.count("+") >= 3:
        found += _slashed(token)
    return found


def _slashed(token: str) -> Iterator[tuple[str, str]]:
    """Yield base64 whose slashes make it look like a path."""
    for run in _SLASHES.finditer(token):
        if _PATH.search(run[0]):
            continue
        for offset in range(4):
            body = run[0][offset:]
            body = body[:-1] if len(body) % 4 == 1 else body
            texts = stretches(binascii.a2b_base64(body + "=" * (-len(body) % 4)))
            if texts:
                yield from (("base64", item.text) for item in texts)
                break


class Dense:
    """Finds tokens of 25 characters and more without a blank that read as text in base85, or in base64 with slashes.

    A token is read up to 16,384 characters, and from there on as the next one.
    """

    def __init__(self) -> None:
        self.position = 0
        self._dull: set[str] = set()

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        text, base, limit = scene.text, scene.base, scene.stop - scene.base
        position = max(self.position, scene.start) - base
        shadow = scene.shadow(_SOLID) if position < limit else b""
        if len(self._dull) > _REMEMBERED:
            self._dull.clear()
        find, low, dull = shadow.find, scene.low, self._dull
        while position < limit and 0 <= (at := find(_RUN, max(0, position - low))) < limit - low:
            start = at + low
            hit = _TOKEN.match(text, start, start + _LONGEST)
            assert hit is not None, "no white space is there"
            token, position = hit[0], hit.end()
            if token in dull or "://" in token[:16] or "](http" in token or (found := _readings(token)) == []:
                if len(token) < 200:
                    dull.add(token)
                continue
            place = Whole(base + start, base + position)
            fragments = [Unwrapped(name, inner, place) for name, inner in found]
            yield Candidate(base + start, [(base + start, base + position)], fragments.__iter__)
        self.position = base + max(position, limit)


class Uuencoded:
    """Finds the lines of uuencode behind their `begin`."""

    def __init__(self) -> None:
        self.position = 0

    def find(self, scene: Scene) -> Iterator[Candidate]:
        """See `Detector.find`."""
        text, base, limit = scene.text, scene.base, scene.stop - scene.base
        position = max(self.position, scene.start) - base
        while (hit := _UU.search(text, position, min(len(text), limit + _LONGEST))) and hit.start() < limit:
            position = hit.end()
            data = b""
            for line in hit[1].splitlines():
                try:
                    data += binascii.a2b_uu(line)
                except binascii.Error:
                    break
            place = Whole(base + hit.start(), base + hit.end())
            fragments = [Unwrapped("uuencode", item.text, place) for item in stretches(data)]
            if fragments:
                yield Candidate(base + hit.start(), [(base + hit.start(), base + hit.end())], fragments.__iter__)
        self.position = base + max(position, limit)


def _needle(word: bytes) -> Callable[[Scene, int, int], int]:
    """Return a locator that finds a literal."""

    def locate(scene: Scene, position: int, limit: int) -> int:
        at = scene.raw.find(word, max(0, position - scene.low))
        return min(at + scene.low, limit) if at >= 0 else limit

    return locate


_UTF7 = lazy(r"\+(A[A-H][A-Za-z0-9+/]{1,400})-?")
_LABEL = lazy(r"xn--([a-z0-9-]{2,120})", re.IGNORECASE)


def _shifted(hit: re.Match[str]) -> tuple[str, Sequence[Edit]] | None:
    """Read a shifted sequence of UTF-7 (RFC 2152)."""
    body = hit[1]
    data = binascii.a2b_base64(body + "A" * (-len(body) % 4))
    word = data[: len(body) * 6 // 16 * 2].decode("utf-16-be", "replace")
    return ("utf-7", ((hit.start(), hit.end(), word),)) if word.isprintable() else None


def _label(hit: re.Match[str]) -> tuple[str, Sequence[Edit]] | None:
    """Read a label of a domain name in punycode (RFC 3492)."""
    try:
        word = hit[1].encode().decode("punycode")
    except UnicodeError:
        return None
    return ("punycode", ((hit.start(), hit.end(), word),)) if word.isprintable() else None


def utf7() -> Passages:
    """Words in the base64 of UTF-7."""
    return Passages(_UTF7, _shifted, locate=_needle(b"+A"))


def domain_labels() -> Passages:
    """Labels in punycode; their look-alike letters fold like any others."""
    return Passages(_LABEL, _label, locate=_needle(b"xn--"))
