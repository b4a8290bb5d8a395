"""Constant texts that Python code puts together, computed without running it."""

from __future__ import annotations

import base64
import binascii
import codecs
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

__all__ = ["LONGEST", "UNKNOWN", "characters", "decode", "method", "path"]

LONGEST = 65_536
"""Characters of one computed text; a longer one is not computed."""

UNKNOWN = "\x00"
"""Stands in a computed text for a piece that is not known."""

_FORMAT = re.compile(r"%[-+ 0#]{0,4}\d{0,4}(?:\.\d{1,4})?[a-zA-Z]|\{[^{}]{0,80}\}")


def _padded(text: str) -> bytes:
    data = text.encode("ascii")
    return data + b"=" * (-len(data.strip()) % 4)


def _rot13(text: str) -> bytes:
    return codecs.encode(text, "rot13").encode("utf-8", "replace")


_DECODERS: Mapping[str, Callable[[str], bytes]] = MappingProxyType(
    {
        "b64decode": lambda text: base64.b64decode(_padded(text)),
        "standard_b64decode": lambda text: base64.b64decode(_padded(text)),
        "decodebytes": lambda text: base64.b64decode(_padded(text)),
        "a2b_base64": lambda text: base64.b64decode(_padded(text)),
        "base64": lambda text: base64.b64decode(_padded(text)),
        "urlsafe_b64decode": lambda text: base64.urlsafe_b64decode(_padded(text)),
        "b32decode": lambda text: base64.b32decode(text, casefold=True),
        "b16decode": lambda text: base64.b16decode(text, casefold=True),
        "b85decode": base64.b85decode,
        "a85decode": base64.a85decode,
        "unhexlify": binascii.unhexlify,
        "a2b_hex": binascii.unhexlify,
        "fromhex": bytes.fromhex,
        "hex": bytes.fromhex,
        "hex_codec": bytes.fromhex,
        "rot13": _rot13,
        "rot_13": _rot13,
    }
)


def decode(name: str, text: str) -> str | None:
    """The text that a decoder gives for a known argument; None where that is not computed."""
    decoder = _DECODERS.get(name.rpartition(".")[2].replace("-", "_"))
    if decoder is None or UNKNOWN in text or len(text) > LONGEST:
        return None
    try:
        return decoder(text).decode("latin-1")
    except (ValueError, binascii.Error, UnicodeError):
        return None


def method(name: str, text: str, arguments: Sequence[str | None]) -> str | None:
    """The result of a method of a known text; None where it is not computed."""
    if name in ("decode", "encode", "strip", "rstrip", "lstrip", "expanduser", "resolve", "absolute", "as_posix"):
        return text
    if name in ("lower", "upper", "casefold", "swapcase", "title"):
        changed: str = getattr(text, name)()
        return changed
    if name == "replace" and len(arguments) == 2:
        old, new = arguments
        if old is None or new is None or len(new) > 64 or len(text) > LONGEST // 64:
            return None
        return text.replace(old, new)[:LONGEST]
    if name == "format":
        return _FORMAT.sub(UNKNOWN, text)
    if name == "joinpath" and all(part is not None for part in arguments):
        return path([text, *arguments])
    return None


def percent(text: str) -> str:
    """A `%` format with its values unknown."""
    return _FORMAT.sub(UNKNOWN, text)


def path(parts: Sequence[str | None]) -> str:
    """Parts of a path, put together; an absolute one begins anew."""
    out = ""
    for part in parts:
        piece = UNKNOWN if part is None else part
        out = piece if piece.startswith("/") or not out else f"{out.rstrip('/')}/{piece}"
    return out[:LONGEST]


def characters(numbers: Sequence[object]) -> str | None:
    """The text of a row of character numbers."""
    if not numbers or len(numbers) > LONGEST:
        return None
    out = []
    for number in numbers:
        if type(number) is not int or not 0 <= number <= 0x10FFFF:
            return None
        out.append(chr(number))
    return "".join(out)
