"""Tricks that write a text in a code: another alphabet of bytes, numbers, ciphers, other spellings."""

from __future__ import annotations

import base64
import codecs
import gzip
import html.entities
import quopri
import re
import zlib
from collections.abc import Callable

__all__ = ["CIPHERS", "CODES", "ESCAPES", "GLUED", "LEET", "SPACED"]

Trick = Callable[[str], str]

LOWER = "abcdefghijklmnopqrstuvwxyz"
SIGNS = (
    ".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --.. "
    "----- .---- ..--- ...-- ....- ..... -.... --... ---.. ----. .-.-.- --..-- ---... -..-. .--.-. -....- ..--.. -...-"
)
MORSE = dict(
    zip(
        LOWER + "0123456789.,:/@-?=",
        SIGNS.split(),
        strict=True,
    )
)
NAMES = {char: name for name, char in html.entities.html5.items() if name.endswith(";") and len(char) == 1}


def b64(data: bytes) -> str:
    """Standard base64."""
    return base64.b64encode(data).decode()


def lines(text: str, width: int, start: str = "") -> str:
    """The text in lines of a width."""
    return "\n".join(start + text[at : at + width] for at in range(0, len(text), width))


def each(write: Callable[[str], str], only: Callable[[str], bool] = lambda char: True) -> Trick:
    """Writes each character (or each of some kind) in its own way."""
    return lambda text: "".join(write(char) if only(char) else char for char in text)


def every_byte(write: Callable[[int], str]) -> Trick:
    """Writes each byte of UTF-8 in its own way."""
    return lambda text: "".join(map(write, text.encode()))


def numbers(write: Callable[[int], str], between: str) -> Trick:
    """A row of numbers, one per byte of UTF-8."""
    return lambda text: between.join(map(write, text.encode()))


def words(write: Callable[[str], str], between: str = " ") -> Trick:
    """Writes each word in its own way."""
    return lambda text: between.join(map(write, text.split()))


def morse(text: str) -> str:
    """Morse code with a slash between words; what it has no sign for is left out."""
    return " / ".join(" ".join(MORSE[char] for char in word if char in MORSE) for word in text.lower().split())


def quoted_printable(text: str) -> str:
    """Quoted-printable with blanks encoded, and a letter or two for good measure."""
    done = quopri.encodestring(text.encode(), quotetabs=True).decode()
    return re.sub("[eor]", lambda hit: f"={ord(hit[0]):02X}", done)


def shift(key: int) -> Trick:
    """Moves each letter through the alphabet."""
    turned = LOWER[key:] + LOWER[:key]
    return lambda text: text.translate(str.maketrans(LOWER + LOWER.upper(), turned + turned.upper()))


def atbash(text: str) -> str:
    """The alphabet mirrored."""
    return text.translate(str.maketrans(LOWER + LOWER.upper(), LOWER[::-1] + LOWER[::-1].upper()))


def spell(letters: str, signs: str) -> Trick:
    """Letters of words written as digits and signs; addresses and paths, which must stay usable, are left alone."""
    table = str.maketrans(letters + letters.upper(), signs + signs)

    def write(word: str) -> str:
        return word if re.search(r"[/@~.]\w|[-$]\w*", word) else word.translate(table)

    return lambda text: " ".join(map(write, text.split(" ")))


CODES: dict[str, Trick] = {
    "base64": lambda text: b64(text.encode()),
    "base64, URL-safe": lambda text: base64.urlsafe_b64encode(("\xbf" + text).encode()).decode(),
    "base64, unpadded": lambda text: b64(text.encode()).rstrip("="),
    "base64, wrapped": lambda text: lines(b64(text.encode()), 24),
    "base64, quoted lines": lambda text: lines(b64(text.encode()), 32, "> "),
    "base64 of UTF-16": lambda text: b64(text.encode("utf-16-le")),
    "base64 in a data URI": lambda text: f"data:text/plain;base64,{b64(text.encode())}",
    "base64 of gzip": lambda text: b64(gzip.compress(text.encode(), mtime=0)),
    "base64 of zlib": lambda text: b64(zlib.compress(text.encode())),
    "base32": lambda text: base64.b32encode(text.encode()).decode(),
    "hex": lambda text: text.encode().hex(),
    "hex, upper case": lambda text: text.encode().hex().upper(),
    "hex pairs": lambda text: text.encode().hex(" "),
    "hex with colons": lambda text: text.encode().hex(":"),
    "hex list": numbers(hex, ", "),
    "decimal codes": numbers(str, " "),
    "decimal list": numbers(str, ", "),
    "octal codes": numbers(lambda byte: f"{byte:03o}", " "),
    "binary": numbers(lambda byte: f"{byte:08b}", " "),
    "binary without gaps": numbers(lambda byte: f"{byte:08b}", ""),
    "chr calls": numbers(lambda byte: f"chr({byte})", "+"),
    "Morse": morse,
}

ESCAPES: dict[str, Trick] = {
    "percent": every_byte(lambda byte: f"%{byte:02X}"),
    "percent, twice": every_byte(lambda byte: f"%25{byte:02x}"),
    "percent, letters only": each(lambda char: f"%{ord(char):02x}", lambda char: char.isascii() and char.isalpha()),
    "decimal entities": each(lambda char: f"&#{ord(char)};"),
    "hex entities": each(lambda char: f"&#x{ord(char):X};"),
    "entities without semicolon": each(lambda char: f"&#{ord(char)} "[:-1], str.isalpha),
    "some entities": each(lambda char: f"&#{ord(char)};", lambda char: char in "eiouy"),
    "named entities": each(lambda char: f"&{NAMES.get(char, '')}", lambda char: char in NAMES),
    "unicode escapes": each(lambda char: f"\\u{ord(char):04x}", lambda char: char < "\U00010000"),
    "braced escapes": each(lambda char: f"\\u{{{ord(char):x}}}"),
    "hex escapes": every_byte(lambda byte: f"\\x{byte:02x}"),
    "octal escapes": every_byte(lambda byte: f"\\{byte:03o}"),
    "quoted-printable": quoted_printable,
    "JSON in JSON": each(lambda char: f"\\\\u{ord(char):04x}", lambda char: char < "\U00010000"),
}

LEET: dict[str, Trick] = {
    "leet": spell("oiea", "0134"),
    "leet, more digits": spell("oieast", "013457"),
    "leet, signs": spell("aseo", "@$30"),
    "leet, vertical bar": spell("ieo", "!30"),
}

SPACED: dict[str, Trick] = {
    "spaced": words(" ".join, "   "),
    "spaced without word gaps": lambda text: " ".join(text.replace(" ", "")),
    "dotted": words(".".join),
    "hyphenated": words("-".join, "  "),
    "underscored": words("_".join),
    "starred": words("*".join),
    "slashed": words("/".join),
    "commas": words(",".join),
    "letters on lines": words("\n".join, "\n\n"),
    "letters in a list": lambda text: ", ".join(f"'{char}'" for char in text),
}

CIPHERS: dict[str, Trick] = {
    "reversed": lambda text: text[::-1],
    "reversed words": words(lambda word: word[::-1]),
    "ROT13": lambda text: codecs.encode(text, "rot13"),
    "Caesar": shift(3),
    "Atbash": atbash,
    "ROT13, reversed": lambda text: codecs.encode(text, "rot13")[::-1],
}

GLUED: dict[str, Trick] = {
    "snake case": lambda text: "_".join(text.split()),
    "kebab case": lambda text: "-".join(text.split()),
    "camel case": lambda text: "".join(word[:1].upper() + word[1:] for word in text.split()),
    "dots for blanks": lambda text: ".".join(text.split()),
    "plus signs for blanks": lambda text: "+".join(text.split()),
    "no blanks": lambda text: "".join(text.split()),
    "slashes for blanks": lambda text: "/".join(text.split()),
}
