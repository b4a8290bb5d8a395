"""Samples of rules: examples of secrets are built when they are needed, so that none stands in the repository.

In an example, `{{kind:length}}` is replaced by generated text, the same in every run: `{{base62:36}}`, `{{hex:32}}`,
`{{digits:10}}`. Kinds with a checksum make a valid one.
"""

from __future__ import annotations

import base64
import binascii
import json
import random
import re
import string
import zlib
from collections.abc import Callable, Mapping
from hashlib import sha256
from types import MappingProxyType
from uuid import UUID

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


def _object(source: random.Random, **fields: object) -> str:
    """A JSON object in base64url, with an identifier of its own."""
    data = json.dumps({**fields, "jti": _of(_BASE62)(source, "12")}, separators=(",", ":"))
    return base64.urlsafe_b64encode(data.encode()).decode().rstrip("=")


def _jwt(source: random.Random, _argument: str) -> str:
    header = base64.urlsafe_b64encode(b'{"alg":"HS256","typ":"JWT"}').decode().rstrip("=")
    return f"{header}.{_object(source, sub='u')}.{_of(_BASE62)(source, '43')}"


def _jwe(source: random.Random, _argument: str) -> str:
    header = base64.urlsafe_b64encode(b'{"alg":"dir","enc":"A128GCM"}').decode().rstrip("=")
    make = _of(_BASE62)
    return f"{header}..{make(source, '16')}.{make(source, '60')}.{make(source, '22')}"


def _grafana(source: random.Random, _argument: str) -> str:
    body = f"glsa_{_of(_BASE62)(source, '32')}"
    return f"{body}_{zlib.crc32(body.encode()).to_bytes(4, 'little').hex()}"


def _atlassian(source: random.Random, argument: str) -> str:
    body = f"{argument}{_of(_BASE62)(source, '180')}="
    return f"{body}{zlib.crc32(body.encode()):08X}"


def _discord(source: random.Random, _argument: str) -> str:
    number = str(source.randrange(10**17, 10**18)).encode()
    make = _of(_BASE62)
    return f"{base64.b64encode(number).decode().rstrip('=')}.{make(source, '6')}.{make(source, '38')}"


def _pypi(source: random.Random, _argument: str) -> str:
    data = b"\x02\x01\x08pypi.org\x02\x24" + bytes(source.randrange(256) for _ in range(100))
    return f"pypi-{base64.urlsafe_b64encode(data).decode().rstrip('=')}"


def _basic(source: random.Random, _argument: str) -> str:
    return base64.b64encode(f"me:{_of(_BASE62)(source, '14')}".encode()).decode()


def _pem(source: random.Random, argument: str) -> str:
    """Bytes that begin as DER does, in base64; `argument` is how many characters."""
    data = b"\x30\x82\x04\xa4\x02\x01\x00" + bytes(source.randrange(256) for _ in range(int(argument) * 3 // 4))
    return base64.b64encode(data).decode()[: int(argument)]


def _openssh(source: random.Random, argument: str) -> str:
    data = b"openssh-key-v1\0" + bytes(source.randrange(256) for _ in range(int(argument) * 3 // 4))
    return base64.b64encode(data).decode()[: int(argument)]


def _base58check(source: random.Random, payload: bytes) -> str:
    alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
    number = int.from_bytes(payload + sha256(sha256(payload).digest()).digest()[:4], "big")
    text = ""
    while number:
        number, rest = divmod(number, 58)
        text = alphabet[rest] + text
    return text


def _wif(source: random.Random, _argument: str) -> str:
    return _base58check(source, b"\x80" + source.randbytes(32) + b"\x01")


def _xprv(source: random.Random, _argument: str) -> str:
    return _base58check(
        source, bytes.fromhex("0488ade4") + bytes(9) + source.randbytes(32) + b"\0" + source.randbytes(32)
    )


def _bech32(source: random.Random, argument: str) -> str:
    """Thirty-two bytes under the human-readable part of the argument (BIP 173); its case is the result's."""
    alphabet = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
    human = argument.lower()
    data = [source.randrange(32) for _ in range(51)] + [16]
    check = 1
    spread = [ord(char) >> 5 for char in human] + [0] + [ord(char) & 31 for char in human]
    for code in [*spread, *data, 0, 0, 0, 0, 0, 0]:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ code
        for bit, factor in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            check ^= factor if top >> bit & 1 else 0
    check ^= 1
    text = f"{human}1" + "".join(alphabet[code] for code in data + [check >> 5 * (5 - i) & 31 for i in range(6)])
    return text if human == argument else text.upper()


def _nkey(source: random.Random, _argument: str) -> str:
    """The seed of a NATS user."""
    data = bytes([18 << 3 | 20 >> 2, 0]) + source.randbytes(32)
    return base64.b32encode(data + binascii.crc_hqx(data, 0).to_bytes(2, "little")).decode().rstrip("=")


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
        "uuid": lambda source, _: str(UUID(int=source.getrandbits(128), version=4)),
        "nothing": lambda _source, _argument: "",
        "json64": lambda source, name: _object(source, **{name or "o": 1}),
        "jwt": _jwt,
        "jwe": _jwe,
        "grafana": _grafana,
        "atlassian": _atlassian,
        "discord": _discord,
        "pypi": _pypi,
        "basic": _basic,
        "pem": _pem,
        "openssh": _openssh,
        "wif": _wif,
        "xprv": _xprv,
        "bech32": _bech32,
        "nkey": _nkey,
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
