"""Proof that a token is what it looks like: checksums and structure that its format has. No network."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from hashlib import sha256
from itertools import pairwise
from types import MappingProxyType

from inkgate.judge.published import is_published
from inkgate.judge.values import entropy, is_noise, is_placeholder, is_sequence, strangeness
from inkgate.text.lazy import lazy

__all__ = ["PROOFS", "Proof", "broken", "der_key", "is_example_jwt", "seed_phrase", "shape", "wrapped"]


class Proof(Enum):
    """What a test says of a value."""

    RIGHT = "right"
    """The checksum or the structure is right: chance does not do that."""

    OPEN = "open"
    """Nothing speaks against it."""

    WRONG = "wrong"
    """The checksum is wrong: mistyped, cut, or made up."""

    NONE = "none"
    """This is no secret at all."""


_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"


def _checked(good: bool) -> Proof:
    return Proof.RIGHT if good else Proof.WRONG


def _base62(number: int, width: int) -> str:
    digits = ""
    while number:
        number, rest = divmod(number, 62)
        digits = _BASE62[rest] + digits
    return digits.rjust(width, "0")


def _crc62(value: str) -> Proof:
    """GitHub and npm: the last six characters are the CRC-32 of the thirty before them, in base 62.

    github.blog/2021-04-05-behind-githubs-new-authentication-token-formats
    """
    body = value.rpartition("_")[2]
    return _checked(_base62(zlib.crc32(body[:-6].encode()), 6) == body[-6:])


def _atlassian(value: str) -> Proof:
    """Atlassian API tokens: the last eight hex digits are the CRC-32 of everything before them."""
    try:
        return _checked(zlib.crc32(value[:-8].encode()) == int(value[-8:], 16))
    except ValueError:
        return Proof.OPEN


def _grafana(value: str) -> Proof:
    """Grafana service accounts: eight hex digits after the last `_` are the CRC-32 of the rest, low byte first."""
    body, _, check = value.rpartition("_")
    return _checked(zlib.crc32(body.encode()).to_bytes(4, "little").hex() == check.lower())


def _decode(text: str) -> bytes:
    text = text.translate(str.maketrans("-_", "+/")).rstrip("=")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def _object(text: str) -> dict[str, object]:
    try:
        made = json.loads(_decode(text))
    except (ValueError, RecursionError):
        return {}
    return made if isinstance(made, dict) else {}


_HEADER = frozenset("alg enc typ kid cty jku jwk x5t x5u x5c zip epk apu apv iv tag p2s crit svt".split())  # noqa: SIM905
_PUBLISHED = (
    "your-256-bit-secret",
    "your-384-bit-secret",
    "your-512-bit-secret",
    "a-string-secret-at-least-256-bits-long",
    "a-valid-string-secret-that-is-at-least-512-bits-long-which-is-very-long",
)
_WELL_KNOWN = """
    secret Secret SECRET secretkey secret-key secret_key supersecret super-secret mysecret my-secret my_secret key
    mysecretkey topsecret password test example shhhhh shhhhhared-secret changeme your_secret_key your-secret-key
    """.split()  # noqa: SIM905 - a list of quoted words is harder to read


def is_example_jwt(value: str) -> bool:
    """Whether a JWT is signed with one of the keys that jwt.io and its tutorials sign their examples with.

    Or bears the signature of such an example under other claims, which no server accepts.
    """
    return is_published(value.rpartition(".")[2]) or _signed_with(value, _PUBLISHED)


def _signed_with(value: str, keys: Sequence[str]) -> bool:
    import hmac

    signed, _, signature = value.rpartition(".")
    wanted = _decode(signature)
    kind = {32: "sha256", 48: "sha384", 64: "sha512"}.get(len(wanted), "")
    return bool(kind) and any(
        hmac.digest(key.encode(), signed.encode("utf-8", "replace"), kind) == wanted for key in keys
    )


# Characters of the signature (RFC 7518, RFC 8037); those of RSA depend on the key.
_SIGNATURES = {"HS256": 43, "HS384": 64, "HS512": 86, "ES256": 86, "ES384": 128, "ES512": 176, "EdDSA": 86}


def _jwt(value: str) -> Proof:
    """JSON Web Token (RFC 7519): the header is a JSON object with `alg` or `enc` (RFC 7515, RFC 7516).

    One whose signature says that it is an example opens nothing; one that is not signed hardly anything.
    """
    header, *rest = value.split(".")
    fields = _object(header)
    if not fields:
        data = _decode(header)
        named = data.startswith(b'{"') and data.endswith(b"}") and (b'"alg"' in data or b'"typ"' in data)
        return Proof.WRONG if named else Proof.NONE
    signature = rest[-1] if len(rest) == 2 else None
    if is_example_jwt(value) or (signature and is_placeholder(signature)):
        return Proof.NONE
    if fields.get("alg") == "none":
        return Proof.WRONG
    wanted = _SIGNATURES.get(str(fields.get("alg")), 0)
    if signature is not None and wanted and len(signature) != wanted:
        return Proof.WRONG
    if _signed_with(value, _WELL_KNOWN):
        return Proof.WRONG  # anybody can sign such a token
    return Proof.RIGHT if fields.keys() & _HEADER else Proof.OPEN


def _json(value: str) -> Proof:
    """A token whose body is a JSON object in base64 (1Password, Grafana Cloud, older Grafana keys)."""
    start = value.find("eyJ")
    return Proof.RIGHT if start >= 0 and _object(value[start:]) else Proof.OPEN


def _base58check(value: str) -> Proof:
    """Base58Check (Bitcoin keys and extended keys, BIP 32): four bytes of a double SHA-256 end it."""
    number = 0
    for char in value:
        at = _BASE58.find(char)
        if at < 0:
            return Proof.NONE
        number = number * 58 + at
    data = number.to_bytes((number.bit_length() + 7) // 8, "big")
    data = b"\0" * (len(value) - len(value.lstrip("1"))) + data
    return Proof.RIGHT if sha256(sha256(data[:-4]).digest()).digest()[:4] == data[-4:] else Proof.NONE


def _bech32(value: str) -> Proof:
    """Bech32 (BIP 173): age identities, nostr secret keys."""
    human, _, data = value.lower().rpartition("1")
    codes = [_BECH32.find(char) for char in data]
    if not human or min(codes, default=-1) < 0:
        return Proof.NONE
    check = 1
    spread = [ord(char) >> 5 for char in human] + [0] + [ord(char) & 31 for char in human]
    for code in spread + codes:
        top = check >> 25
        check = (check & 0x1FFFFFF) << 5 ^ code
        for bit, factor in enumerate((0x3B6A57B2, 0x26508E6D, 0x1EA119FA, 0x3D4233DD, 0x2A1462B3)):
            check ^= factor if top >> bit & 1 else 0
    return _checked(check == 1)


def _nkey(value: str) -> Proof:
    """NATS nkeys: base32 whose last two bytes are the CRC-16 (XMODEM) of the rest, low byte first."""
    try:
        data = base64.b32decode(value + "=" * (-len(value) % 8))
    except (binascii.Error, ValueError):
        return Proof.WRONG
    return _checked(binascii.crc_hqx(data[:-2], 0).to_bytes(2, "little") == data[-2:])


def _base32(value: str) -> Proof:
    """AWS ids: what follows the four letters is base32 (RFC 4648), which has no 0, 1, 8 and 9."""
    return Proof.WRONG if set("0189") & set(value[4:]) else Proof.OPEN


def _grouped(value: str) -> Proof:
    """An application password in groups of four: no words among them, and not the alphabet."""
    groups = value.split(" ")
    if is_sequence(value.replace(" ", ""), 8) or len(set(groups)) < len(groups):
        return Proof.NONE
    words = sum(group.isascii() and group.isalpha() and strangeness(group) < 4.2 for group in groups)
    return Proof.OPEN if words * 2 < len(groups) else Proof.NONE


def _bytes(value: str) -> Proof:
    """Bytes that are written as numbers: a key has no row that counts and few that come twice."""
    numbers = [int(part, 16 if part.startswith("0x") else 10) for part in re.findall(r"0x[0-9a-fA-F]+|\d+", value)]
    if not numbers:
        return Proof.NONE
    steps = {after - before for before, after in pairwise(numbers)}
    drawn = len(set(numbers)) * 4 >= min(len(numbers), 32) * 3 and len(steps) * 2 > min(len(numbers), 32)
    return Proof.OPEN if drawn and max(numbers) > 127 else Proof.NONE


def _luhn(value: str) -> Proof:
    """ISO/IEC 7812-1, annex B."""
    digits = [int(char) for char in value if char.isdigit()]
    total = sum(digits[-1::-2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return Proof.OPEN if total % 10 == 0 else Proof.NONE


def _discord(value: str) -> Proof:
    """Discord: the part before the first dot is the account's number in base64."""
    return Proof.RIGHT if _decode(value.partition(".")[0]).isdigit() else Proof.WRONG


_DER = b"\x30"
_MAGIC = (
    b"openssh-key-v1\0",
    b"PuTTY",
    b"\x95",  # OpenPGP secret key and secret subkey packets, old and new form
    b"\x94",
    b"\x9d",
    b"\x9c",
    b"\xc5",
    b"\xc4",
    b"\xc7",
    b"SSH PRIVATE KEY FILE FORMAT",
    b"?o\xf9",
)
_ARMOUR = lazy(r"(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Subject|x-[\w-]+)[:=][^\n\\]*", re.IGNORECASE)
_PEM_BODY = lazy(r"[A-Za-z0-9+/=]{20,}")
_ELIDED = lazy(r"\.{3}|\u2026|<snip|\[snip")


def _pem(value: str) -> Proof:
    """A private key's armour: the body decodes to DER (RFC 7468), an OpenSSH key, or an OpenPGP packet (RFC 9580)."""
    inner = value.partition("-----END")[0]
    inner = _ARMOUR.sub("", inner[inner.find("KEY") :])
    body = "".join(_PEM_BODY.findall(inner.replace("\\n", "\n").replace("\\r", "\n")))
    lines = Counter(line for line in inner.replace("\\n", "\n").split() if len(line) > 31)
    if not body or _ELIDED.search(inner) or max(lines.values(), default=0) > 2:
        return Proof.NONE  # a line that comes again and again was typed, not drawn
    data = _decode(body[: len(body) & ~3])
    return Proof.RIGHT if data.startswith((_DER, *_MAGIC)) and len(body) >= 60 else Proof.OPEN


def _pypi(value: str) -> Proof:
    """PyPI: a macaroon whose location is pypi.org or test.pypi.org."""
    return Proof.RIGHT if b"pypi.org" in _decode(value[5 : 5 + 64]) else Proof.WRONG


# SEQUENCE, its length in one to three bytes, INTEGER 0 or 1
_DER_VERSION = lazy(rb"\x30(?:[\x00-\x7f]|\x81.|\x82..)\x02\x01[\x00\x01]", re.DOTALL)


def der_key(value: str) -> Proof:
    """A private key as bare base64: a DER sequence that begins with a small version number (RFC 5208, 8017, 5915)."""
    data = _decode("".join(re.findall(r"[A-Za-z0-9+/]+", value.replace("\\n", "\n").replace("\\r", "\n")))[:24])
    return Proof.RIGHT if _DER_VERSION.match(data) else Proof.NONE


_COMMON_WORDS = frozenset(
    """
    the and that this with for you are have from not but they what when your was can their which will has
    """.split()  # noqa: SIM905 - a list of quoted words is harder to read
)


def seed_phrase(value: str) -> Proof:
    """Twelve to twenty-four words of three to eight letters (BIP 39) among which at most one binds the others."""
    words = re.findall(r"[a-z]+", value)
    if len(words) not in (12, 15, 18, 21, 24) or len(_COMMON_WORDS.intersection(words)) > 1:
        return Proof.NONE
    return Proof.OPEN if len(set(words)) >= len(words) - 2 else Proof.WRONG


_LOGIN = lazy(r"://[^\s:@/]{0,40}:([^\s@/]{8,60})@[\w.-]{4,}")


def wrapped(value: str) -> Proof:
    """A token broken over lines: every line but the last is as wide as the first, and the whole is no language.

    The marks of a quotation before the lines do not count.
    """
    lines = value.replace(">", " ").split()
    widths = [len(line) for line in lines]
    if len(lines) < 2 or max(widths) - min(widths[:-1]) > 2 or widths[-1] > max(widths[:-1]):
        return Proof.NONE
    joined = "".join(lines)
    login = _LOGIN.search(joined)
    if login is not None and any(map(str.isdigit, login[1])) and not is_placeholder(login[1]):
        return Proof.OPEN
    good = is_noise(joined) and (len(lines) > 2 or any(map(is_noise, lines)) or "://" in joined)
    return Proof.OPEN if good and not (lines[-1].isalpha() and lines[-1].islower()) else Proof.NONE


def broken(value: str) -> Proof:
    """The same where words stand in the lines right behind the token: they are not counted."""
    lines = value.replace(">", " ").split()
    proofs = (wrapped("\n".join(lines[:stop])) for stop in range(len(lines), 1, -1))
    return next((proof for proof in proofs if proof is not Proof.NONE), Proof.NONE)


def shape(value: str) -> Proof:
    """A token without a prefix that says whose it is: by checksum where there is one, else by how it is mixed."""
    if len(value) == 58 and value.isupper():
        return _nkey(value)
    if value[0] in "MNO" and value.count(".") == 2:
        return _discord(value)
    good = entropy(value) > 2.5 and not value.isalpha() and not is_sequence(value, 6)
    return Proof.OPEN if good else Proof.NONE


# What says before a value that everybody may have it, or that it names something, or is of a service whose tokens are
# known by their form: what has its prefix and not that form is none.
_OPEN_PREFIX = frozenset(
    """
    pk pub public publishable phc client site ca cs id ids uid ref chunk hash sha sha1 sha256 sha384 sha512 md5 crc
    build commit rev img image css js font asset session sess cookie ga gtm google verification nonce node test example
    foo bar proj npm pypi sgp hf ghp gho ghu ghs ghr github glpat dapi xoxp dop dor doo
    user usr org msg message req request resp response run thread call file price cus evt event txn tx block addr
    """.split()  # noqa: SIM905 - a list of quoted words is harder to read
)


_NAME = lazy(r"[A-Za-z][a-z]*\d{0,2}|[A-Z]+\d{0,2}")


def _prefixed(value: str) -> Proof:
    """A long random value behind a short name, as services make their keys, and not one that says it is open."""
    *names, tail = re.split(r"[_-]", value)
    if not names or not _NAME.fullmatch(names[0]) or not _OPEN_PREFIX.isdisjoint(name.lower() for name in names):
        return Proof.NONE
    if is_placeholder(value):
        return Proof.NONE
    drawn = min(sum(map(str.islower, tail)), sum(map(str.isupper, tail)), 2 * sum(map(str.isdigit, tail))) > 3
    return Proof.OPEN if drawn and is_noise(tail) and not is_sequence(tail, 6) else Proof.NONE


PROOFS: Mapping[str, Callable[[str], Proof]] = MappingProxyType(
    {
        "prefixed": _prefixed,
        "crc62": _crc62,
        "atlassian": _atlassian,
        "grafana": _grafana,
        "jwt": _jwt,
        "json": _json,
        "base58check": _base58check,
        "bech32": _bech32,
        "nkey": _nkey,
        "base32": _base32,
        "bytes": _bytes,
        "grouped": _grouped,
        "luhn": _luhn,
        "discord": _discord,
        "pem": _pem,
        "wrapped": broken,
        "pypi": _pypi,
    }
)
