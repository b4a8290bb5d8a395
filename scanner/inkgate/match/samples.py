"""Samples of rules: examples of secrets are built when they are needed, so that none stands in the repository.

In an example, `{{kind:length}}` is replaced by generated text, the same in every run: `{{base62:36}}`, `{{hex:32}}`,
`{{digits:10}}`. Kinds with a checksum make a valid one.
"""

from __future__ import annotations

import random
import re
import string
import zlib
from collections.abc import Callable, Mapping
from types import MappingProxyType

__all__ = ["KINDS", "SampleError", "base62", "render"]

_MACRO = re.compile(r"\{\{([a-z0-9-]+)(?::([^{}]*))?\}\}")
_BASE62 = string.digits + string.ascii_uppercase + string.ascii_lowercase


class SampleError(ValueError):
    """An example asks for a kind of text that nobody can make."""


def base62(number: int, width: int) -> str:
    """A number in base 62 (0-9A-Za-z), left-padded with 0 to `width` characters."""
    digits = ""
    while number:
        number, rest = divmod(number, 62)
        digits = _BASE62[rest] + digits
    return digits.rjust(width, "0")


def _of(alphabet: str) -> Callable[[random.Random, str], str]:
    def make(source: random.Random, argument: str) -> str:
        if not argument.isdigit() or not 0 < int(argument) <= 4096:
            raise SampleError(f"length {argument!r} is not a number from 1 to 4096")
        size = int(argument)
        # Every text has a digit and a letter where the alphabet has them, as real tokens do.
        text = source.choices(alphabet, k=size)
        for place, kind in zip(source.sample(range(size), min(size, 3)), _kinds(alphabet), strict=False):
            text[place] = source.choice(kind)
        return "".join(text)

    return make


def _kinds(alphabet: str) -> list[str]:
    groups = (string.digits, string.ascii_lowercase, string.ascii_uppercase)
    return [kind for kind in ("".join(c for c in group if c in alphabet) for group in groups) if kind]


def _crc62(source: random.Random, argument: str) -> str:
    """`prefix` of the argument, 30 base62 characters, and the CRC-32 of those 30 in base 62 (GitHub, npm)."""
    body = "".join(source.choices(_BASE62, k=30))
    return f"{argument}{body}{base62(zlib.crc32(body.encode()), 6)}"


def _words(source: random.Random, argument: str) -> str:
    vowels, others = "aeiou", "bcdfghklmnprstvz"
    return " ".join(
        "".join(source.choice(others) + source.choice(vowels) for _ in range(3)) for _ in range(int(argument or 3))
    )


KINDS: Mapping[str, Callable[[random.Random, str], str]] = MappingProxyType(
    {
        "base62": _of(_BASE62),
        "base64": _of(_BASE62 + "+/"),
        "base64url": _of(_BASE62 + "-_"),
        "base58": _of("".join(c for c in _BASE62 if c not in "0OIl")),
        "base36": _of(string.digits + string.ascii_lowercase),
        "upper36": _of(string.digits + string.ascii_uppercase),
        "base32": _of(string.ascii_uppercase + "234567"),
        "lower": _of(string.ascii_lowercase),
        "upper": _of(string.ascii_uppercase),
        "alpha": _of(string.ascii_letters),
        "digits": _of(string.digits),
        "hex": _of(string.hexdigits[:16]),
        "upperhex": _of(string.digits + "ABCDEF"),
        "password": _of(string.ascii_letters + string.digits + "!@#%^*-_+"),
        "crc62": _crc62,
        "words": _words,
    }
)


def render(sample: str, seed: int = 0) -> str:
    """A sample with its macros replaced; the same seed gives the same text.

    Raises:
        SampleError: an unknown kind, or a wrong length.
    """
    if "{{" not in sample:
        return sample
    source = random.Random(f"{seed}:{sample}")  # noqa: S311 - reproducible samples, not keys

    def one(match: re.Match[str]) -> str:
        if match[1] not in KINDS:
            return match[0]
        return KINDS[match[1]](source, match[2] or "")

    return _MACRO.sub(one, sample)
