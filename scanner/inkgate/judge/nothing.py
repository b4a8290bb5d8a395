"""What stands where a secret could and is none: words, names, code, addresses, references, whatever its place says."""

from __future__ import annotations

import re

from inkgate.judge.values import (
    classes,
    is_counted_token,
    is_drawn,
    is_expression,
    is_misnested,
    is_noise,
    is_placeholder,
    is_plain_base64,
    is_reference,
    is_sequence,
    is_typed,
    strangeness,
)
from inkgate.judge.words import WORDS
from inkgate.text.lazy import lazy

__all__ = ["FAKE", "INNER_CAPITAL", "LOGIN", "VARIABLE", "is_plain_word", "is_strange", "nothing"]

FAKE = lazy(
    r"(?i)(?:fake|dummy|sample|example|placeholder|your|some|real|not|testing|test|invalid|wrong|bad|good|new|old|my|the|a|user|"
    r"admin|auth|db|pwd|super|plain|text|plaintext|top|aws|access|letmein|"
    r"choose|pick|use|put|set|change|something|generated?|replace|with|and|for|it|"
    r"on|at|by|me|be|or|no|yes|any|all|very|strong|secure|weak|default|random|long|this|is|"
    r"long|enough|insert|enter|here|of|to|"
    r"pass(?:word|wd|phrase)?|secret|key|token|api|value|credentials?|[\W_]|\d{1,5}$)+"
)
# Encrypted for a cluster (kubeseal): the length of an RSA block in two bytes, the block, and the rest.
_SEALED = lazy(r"A[gQ][A-D][A-Za-z0-9+/]{120}")
VARIABLE = lazy(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:=.*)?$")
LOGIN = lazy(r"[\w.-]{1,40}@[\w-]+(?:\.[\w-]+)*\.[a-zA-Z]{2,18}")
_AT_HOST = lazy(r"@(?:[a-z-]+|(?:[\w-]+\.)+[a-zA-Z]{2,18}|\d{1,3}(?:\.\d{1,3}){3})(?:[:/?#\"'`),;]|$)")
INNER_CAPITAL = lazy(r"[a-z][A-Z]")
_REGEX = lazy(r"\\[sdwSDWb][*+{]|\.[*+](?:$|[?)'\"])|\[\^")
_TYPE = lazy(r"(?:[A-Z][A-Za-z]*)(?:[!?]|\[\]|<.*>)?|[a-z]+(?:\s?\|\s?[a-z]+)+")
_IDENTIFIER = lazy(r"[A-Za-z][A-Za-z]*(?:[_.\-/:][A-Za-z]+)*\d{0,2}")
_TECHNICAL = lazy(
    r"(?i)(?:sha|md|aes|rsa|hs|rs|es|ps|base|utf|utf-|v|x|h|ipv|p|int|uint|float|sha-?3-|bcrypt|argon|pbkdf|hmac-?sha|"
    r"tls|http|oauth|ed|secp|aes-)[\d.-]{1,5}[a-z]?(?:[_-](?:cbc|gcm|r1|k1|password|[a-z]{2,10}))*|\d{1,12}(?:[.,:/-]\d+)*"
    r"(?:px|em|rem|ms|s|m|h|d|k|kb|mb|gb|%|chars?|bits?|bytes?|days?|hours?|st|nd|rd|th)?|[A-Z]+-\d+|v?\d+(?:\.\d+)+\S{0,8}"
)


def is_plain_word(value: str) -> bool:
    """Whether a value is made of words, with at most a few digits behind them."""
    return bool(_IDENTIFIER.fullmatch(value)) and not is_strange(value)


def is_strange(value: str) -> bool:
    """Whether the letters of a value are no row that a language has."""
    letters = re.sub(r"[^A-Za-z]+", "", value)
    if len(letters) < 4:
        return False
    runs = [run for run in re.findall(r"[A-Za-z][a-z]+|[A-Z]+(?![a-z])", value) if len(run) > 2]
    if not runs:
        return strangeness(letters) > 4.4
    return sum(len(run) * strangeness(run) for run in runs) / sum(map(len, runs)) > (4.4 if len(letters) > 5 else 4.5)


_STEPS = lazy(r"[/?&=#]")
_HEX = lazy("[0-9a-f]{40}")  # a revision
_OPEN = lazy(r"[(){}\[\]]")
_OWN_NAME = lazy(r"[A-Za-z_]\w*_(?i:key|token|secret|password)\d?")
_CODE = lazy(r"=>|\s=\s|={2}")
_ISSUE = lazy(r"#\d{1,6}")
_ROLE = lazy(r":[a-z]+(?::[a-z]+)?:?")
_ARGUMENT = lazy(r"[A-Za-z_]\w*=")


def is_address(value: str) -> bool:
    """Whether a value is the address of a page: no login in it, nor a part that is drawn at random."""
    if not value.startswith(("http://", "https://")) or "@" in value:
        return False
    return len(value) < 60 or not any(is_noise(part) and not _HEX.fullmatch(part) for part in _STEPS.split(value))


def nothing(value: str, between: str, *, quoted: bool) -> bool:
    """Whether a value is certainly not a secret: empty, a word for its kind, a placeholder, a reference."""
    bare = value.strip("'\"`*_.,;:!?()[]{}<>|")
    lower = bare.lower()
    if len(bare) < 3 or lower in WORDS or is_placeholder(value) or is_reference(value):
        return True
    if (
        (_TECHNICAL.fullmatch(bare) and not INNER_CAPITAL.search(bare))
        or (value.startswith("0x") and len(value) < 60)
        or is_address(value)
        or "-----BEGIN" in value
        or _SEALED.match(value)
        or (VARIABLE.match(value) and not is_noise(value))
        or (value[0] == "-" and not quoted and classes(value[1:]) < 4)
        or (value.isdigit() and len(value) < 20 and is_sequence(value))
        or value[0] in " &"
        or (value.startswith("//") and not quoted)  # an address behind its scheme
        or _REGEX.search(value)
        or ("abc123" in lower and len(value) < 14)
        or is_typed(value)
        or is_counted_token(value)
        or is_plain_base64(value.rpartition("-")[2])
        or (value[0] in "#@" and is_plain_word(value[1:]))
        or (not quoted and _ISSUE.fullmatch(value))
        or (between.endswith(">") and _AT_HOST.match(value))  # `<password>@host`
        or _ROLE.fullmatch(value)  # the mark-up of a reference in reStructuredText
    ):
        return True
    if sum(not char.isascii() for char in value) * 2 > len(value) or (not quoted and LOGIN.fullmatch(value)):
        return True
    if (sum(map(str.isalpha, value)) > 3 and FAKE.fullmatch(lower)) or not any(map(str.isalnum, value)):
        return True
    if quoted:
        return between[-1:] == "`" and value.endswith(")") and is_expression(value)
    return (
        (is_expression(value) and not is_misnested(value) and (value[0] == "{" or not is_drawn(value)))
        or (_OPEN.search(value) is not None and _CODE.search(between) is not None)
        or (between.strip(" \t\n'\"`")[:1] == "," and _ARGUMENT.match(value) is not None)
        or (_TYPE.fullmatch(value) is not None and not is_strange(value))
        or _OWN_NAME.fullmatch(value) is not None
    )
