"""What a value looks like: noise or language, a placeholder, a reference to where a secret is kept, a piece of code."""

from __future__ import annotations

import base64
import math
import re
from collections import Counter
from functools import lru_cache
from itertools import pairwise

from inkgate.text.lazy import lazy

__all__ = [
    "classes",
    "entropy",
    "is_counted_token",
    "is_drawn",
    "is_expression",
    "is_label",
    "is_leet",
    "is_misnested",
    "is_noise",
    "is_path",
    "is_placeholder",
    "is_plain_base64",
    "is_reference",
    "is_sequence",
    "is_spelled",
    "is_strong",
    "is_typed",
    "is_uuid",
    "strangeness",
    "word_share",
]

STRANGE = 4.6
"""Bits a letter: nine of ten words of six letters and more lie below 4, nine of ten random ones above 5.2."""

_RUNS = lazy(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_EDGE = 26


def entropy(text: str) -> float:
    """Shannon entropy in bits a character; 0.0 for an empty text."""
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values()) if size else 0.0


def classes(text: str) -> int:
    """How many of lower-case letters, capitals, digits and other characters are in the text."""
    return (
        any(map(str.islower, text))
        + any(map(str.isupper, text))
        + any(map(str.isdigit, text))
        + any(not char.isalnum() for char in text)
    )


@lru_cache(maxsize=1)
def _costs() -> bytes:
    from inkgate.judge._letter_table import COSTS, DIGITS

    return COSTS.translate(bytes.maketrans(DIGITS, bytes(range(64))))


@lru_cache(maxsize=4096)
def strangeness(word: str) -> float:
    """Mean cost in bits of a row of letters under a model of words: below 4 reads like one, above 5 is noise.

    The model knows the letters of ASCII; any other character counts as the border of a word.
    """
    costs = _costs()
    first = second = _EDGE
    total = 0
    for char in word.lower():
        code = ord(char) - 97 if "a" <= char <= "z" else _EDGE
        total += costs[729 * first + 27 * second + code]
        first, second = second, code
    return (total + costs[729 * first + 27 * second + _EDGE]) / 4 / (len(word) + 1)


def _reads(word: str) -> bool:
    return strangeness(word) < (STRANGE if len(word) > 5 else 4.2)


def word_share(text: str) -> float:
    """Share of the text's characters that stand in words: rows of four letters and more that read like language."""
    if not text:
        return 0.0
    return sum(len(run) for run in _RUNS.findall(text) if len(run) > 3 and _reads(run)) / len(text)


_HEX = lazy(r"(?:0x)?(?:[0-9a-f]{16,}|[0-9A-F]{16,})")
_NOT_WORD = lazy(r"[^A-Za-z]+")


def is_noise(text: str) -> bool:
    """Whether a text of twelve characters or more looks drawn at random: mixed kinds, many characters, no words."""
    size = len(text)
    if size < 12:
        return False
    if _HEX.fullmatch(text):
        return entropy(text) > 2.2
    if entropy(text) < min(3.0, 0.7 * math.log2(size)):
        return False
    letters = _NOT_WORD.sub("", text)
    if letters == text:
        if text.islower() or text.isupper() or text.istitle():
            return strangeness(text) > STRANGE
        return word_share(text) < 0.5
    if is_label(text):
        return False
    digits = sum(map(str.isdigit, text))
    if not letters:
        return digits >= 16
    if not digits and classes(text) < 3:
        return word_share(text) < 0.3 and strangeness(letters) > STRANGE
    return word_share(text) < (0.5 if digits > 1 else 0.35)


_THREE = lazy(r"(?=.*[a-z])(?=.*[A-Z])(?=.*\d.*\d)\S{8,}")


def is_drawn(text: str) -> bool:
    """Whether eight characters and more are as mixed as only a generator makes them: both cases, two figures, no word.

    `is_noise` asks for twelve characters and weighs words; this leaves a short password out of what reads like code.
    """
    return _THREE.fullmatch(text) is not None and word_share(text) == 0


def is_strong(text: str) -> bool:
    """Whether eight characters and more are what people choose where a figure and a mark or a capital are asked for."""
    return len(text) > 7 and any(map(str.isdigit, text)) and classes(text) > 2


_SEQUENCES = (
    "0123456789012345",
    "9876543210",
    "abcdefghijklmnopqrstuvwxyz",
    "zyxwvutsrqponmlkjihgfedcba",
    "qwertyuiop",
)


def is_sequence(text: str, least: int = 7, *, one_case: bool = False) -> bool:
    """Whether a row of `least` characters counts up or down the digits, the alphabet or the keyboard.

    Args:
        text: the value.
        least: characters of the row.
        one_case: whether the row must not change between small letters and capitals.
    """
    texts = (text, text.swapcase()) if one_case else (text.lower(),)
    return any(
        line[start : start + least] in form
        for line in _SEQUENCES
        for start in range(len(line) - least + 1)
        for form in texts
    )


_PROVIDER = lazy(r"(?:dapi|ghp_|gho_|ghu_|ghs_|glpat-|npm_|hf_|r8_|dop_v1_|figd_|sgp_|ntn_|shpat_|sk-|AKIA|AIza|SG\.)")


def is_counted_token(text: str) -> bool:
    """Whether a value has a provider's prefix and counts up behind it, as tokens in documentation do."""
    return _PROVIDER.match(text) is not None and is_sequence(text, 8)


_COUNTING = lazy(r"(?i)abc|def|ghi|jkl|mno|pqr|stu|vwx|xyz|123|456|789|real|live|test|sk|pk|key|token|secret")


def is_typed(text: str, longest: int = 23) -> bool:
    """Whether a value of at most `longest` characters is made of `abc`, `123`, `xyz` and the like, as examples are."""
    lower = text.lower()
    left = re.sub(r"[^a-z0-9]", "", _COUNTING.sub("", lower))
    return ("abc123" in lower and len(text) <= longest and len(left) * 4 <= len(text)) or is_climbing(lower)


def is_climbing(text: str) -> bool:
    """Whether a value of eight to fifteen characters goes up by small steps (`AbCeFG123`), as no random one does."""
    if not 8 <= len(text) < 16:
        return False
    steps = [ord(b) - ord(a) for a, b in pairwise(text.lower()) if a.isalpha() == b.isalpha() and (a + b).isalnum()]
    return len(steps) > 5 and sum(0 <= step < 3 for step in steps) * 8 > len(steps) * 7


_AGAIN = lazy(r"(?i)([^\s.=/-][^\s]{2,5}?)\1{3,}")
_SAME_GROUPS = lazy(r"(?<![0-9a-f]{8}-)(?<!\d)(\d{3,})(?:-\1){2}(?!\d)")
_RUN_OF_ONE = lazy(r"(?i:(?:deadbeef){2})|([^\s.=/-])\1{5,}|(?i:x{4,})|\*{3,}|[#?\u2022\u2026]{3,}|\.{3,}")
_MARKED = lazy(
    r"(?i)example|placeholder|your|redacted|dummy|sample|changeme|change[_-]me|replace|insert|"
    r"(?<![a-z0-9])(?:fake|todo|tbd|masked|hidden|secret[_-]?here|key[_-]?here|token[_-]?here|my[_-](?:\w{1,20}[_-])?"
    r"(?:key|token|secret|password|pass))(?![a-z])|goes[_-]?here|<[^<>\n]{1,80}>"
)
_TEMPLATE = lazy(
    r"\$\{\s?[A-Za-z_][\w.:?+!@/ -]{0,80}(?:\}|$)|\$\((?=\w)|(?<!\w)\$[A-Za-z_]\w{1,60}(?:\$?$|(?=[:/.@,)\]]))|"
    r"\{\{\s?[\w.$|()'\" -]{1,80}(?:\}\}|$)|\$\{\{|#\{[\w.@\[\] -]{1,80}(?:\}|$)|<%|^%\w{1,60}%$|^%[sdv]$|"
    r"^%\(\w{1,60}\)[sdr]$|^@\w{1,60}@$|"
    r"^\{[A-Za-z_][\w. -]{0,60}\}?$|^\[[A-Za-z_][\w. -]{0,60}\]?$|^__\w{1,60}__$|^<[A-Za-z]"
)


def _repeats(text: str) -> bool:
    """Whether half of a value is one piece, four times and more, or three groups of figures are the same."""
    again = _AGAIN.search(text)
    return (again is not None and 2 * len(again[0]) >= len(text)) or _SAME_GROUPS.search(text) is not None


def is_placeholder(text: str) -> bool:
    """Whether a value only stands for a secret: a template, a marked example, characters or a piece repeated."""
    return (
        len(set(text)) <= (3 if len(text) > 5 else 1)
        or _repeats(text)
        or _RUN_OF_ONE.search(text) is not None
        or _MARKED.search(text) is not None
        or _is_template(text)
    )


def _is_template(text: str) -> bool:
    """Whether a template stands in a value, and beside it nothing that a generator makes (`Zq8kfP2x!$name`)."""
    found = _TEMPLATE.search(text)
    return found is not None and not is_drawn(text[: found.start()] + text[found.end() :])


_REFERENCE = lazy(
    r"(?i)^(?:op|vault|keychain|keyring|bws|awssm|gcpsm|akv|sops|ssm|pass|secretref|secret|env|file|infisical|doppler|"
    r"data|arn|kms|ref\+\w+|projects)(?::/{0,2}|/)(?=[\w./{$@-])|^(?:env|os\.environ|process\.env|secrets?|vars?|var|"
    r"local|data|module|config|settings|self|this|params?|options?|args|props|event|request|req|ctx|context)[.\[]|"
    r"getenv|environ|^ENC\[|^ENC\(|^!(?:vault|secret|env|ref|sub)|^AQICAH"
)
_PATH = lazy(
    r"(?:~|\.{1,2})?/(?:[\w.@%+-]+/)*[\w.@%+-]{1,60}/?|[A-Za-z]:\\[^\s]+|(?:[\w.-]+/)+[\w-]+(?:\.[\w-]+){0,3}\.[A-Za-z]{1,5}|"
    r"[\w-]{1,60}\.(?:pem|key|txt|json|ya?ml|toml|env|crt|cer|p12|pfx|jks|md|py|js|ts|go|rb|php|java|html?|sh|conf|cfg|"
    r"ini|xml|csv|log|db|gpg|pub|kdbx|com|org|net|io)"
)


_HOST = lazy(
    r"localhost(?::\d{2,5})?|(?:[a-z0-9-]{1,40}\.){2,6}(?:com|org|net|io|dev|ai|cn|app|cloud|co|gov|edu|info|local|internal|[a-z]{2})(?::\d{2,5})?"
)


def is_path(text: str) -> bool:
    """Whether a value is the path or the name of a file, or a host name, and not noise with slashes in it."""
    if _HOST.fullmatch(text):
        return True
    if text.count("/") < 2 and is_drawn(text.strip("/")):
        return False  # base64 may begin with a slash
    return _PATH.fullmatch(text) is not None and (len(text) < 24 or word_share(text) > 0.25 or text.count("/") > 3)


def is_reference(text: str) -> bool:
    """Whether a value says where a secret is kept (a vault, a variable, a file) instead of being one."""
    found = _REFERENCE.search(text)
    if found is None:
        return is_path(text)
    rest = text[found.end() :]
    return "/" in rest or found[0].startswith("ENC") or not is_drawn(rest)


_SPELLED = lazy(r"(?<![A-Za-z0-9])[a-z]{3,12}(?![A-Za-z0-9])")


def is_spelled(text: str) -> bool:
    """Whether four words and more stand in a value between its marks: somebody writes there that it is none."""
    return sum(_reads(word) for word in _SPELLED.findall(text)) > 3


_LEET = str.maketrans("013457", "oleast")
_LETTERS = lazy("[a-z]{16,}")
_HEX_ONLY = lazy("[0-9a-f]+")
_FOUR_ALIKE = lazy(r"(.)\1{3}")


def is_leet(text: str) -> bool:
    """Whether sixteen characters in a row and more read as words once figures are taken for letters (`7his1snot`).

    Of 70,000 random tokens none does.
    """
    lower = text.lower()
    return any(
        strangeness(row[0]) < 4.2 + min(len(row[0]), 40) / 120
        and sum(map(str.isdigit, lower[row.start() : row.end()])) > 2
        and not _HEX_ONLY.fullmatch(lower, *row.span())
        and not _FOUR_ALIKE.search(row[0])
        for row in _LETTERS.finditer(lower.translate(_LEET))
    )


_PLAIN = lazy(r"[A-Za-z0-9_-]{16,}={0,2}")
_STRONG = frozenset("!@#$%^&*+=?~:")


def is_plain_base64(text: str) -> bool:
    """Whether a value is base64 of words or of a name, which nobody draws at random; one with marks is a password."""
    if _PLAIN.fullmatch(text) is None or len(text) % 4 == 1:
        return False
    try:
        plain = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)).decode("ascii")
    except ValueError:
        return False
    return plain.isprintable() and _STRONG.isdisjoint(plain) and word_share(plain) > 0.5


_PARTS = lazy(r"[-_./:+=]+")
_SHORT_PART = lazy(r"[A-Z]?[a-z]*\d*|[A-Z]+s?\d*|\d+[a-z]{0,2}|\d+[A-Z]?|[a-z]\d[a-z]|[a-z]{2,3}[A-Z]|\W+")
"""A word, a number, or both: `v2`, `3rd`, `k8s`. Random letters of both cases are neither."""


def is_label(text: str) -> bool:
    """Whether a value is put together of words and numbers, as names of things are (`cmp2-qat-1208`)."""
    parts = [part for part in _PARTS.split(text) if part]
    if len(parts) < 2:
        return False
    if not all(len(part) > 4 or _SHORT_PART.fullmatch(part) for part in parts):
        return False
    named = [part.rstrip("0123456789") for part in parts]
    if not all(len(part) <= 4 or not part or (part.isalpha() and _reads(part)) for part in named):
        return False
    return any(len(part) > 3 for part in named) or max(map(len, parts)) < 7 or len(text) < 24


_CALL = lazy(r"^[A-Za-z_$@!&*][\w$]*(?:(?:\.|->|::|\?\.)[A-Za-z_]\w*)*[(\[<]|^(?:new|await|func|function|lambda)\s")
_RUBY = lazy(r"&\.|\]\(|\)\.")
_DOTTED = lazy(r"^[$@&*]?[A-Za-z_]\w*(?:(?:\.|->|::|\?\.)[A-Za-z_]\w*)+$")


def is_expression(text: str) -> bool:
    """Whether an unquoted value reads like code: a call, a path of names, an index, a list."""
    if _CALL.match(text) and ("(" in text or "[" in text):
        return True
    if _DOTTED.match(text):
        return word_share(text) > 0.45 or not any(map(str.isdigit, text))
    return text[:1] in "([{" or _RUBY.search(text) is not None or text.endswith(("()", "[]", "{}", "(", "{", "["))


_PAIRS = {")": "(", "]": "[", "}": "{"}


def is_misnested(text: str) -> bool:
    """Whether a bracket is closed by one of another kind: code that is cut off at a blank only leaves some open."""
    opened: list[str] = []
    for char in text:
        if char in "([{":
            opened.append(char)
        elif char in _PAIRS and opened and opened.pop() != _PAIRS[char]:
            return True
    return False


_UUID = lazy(r"\{?[0-9A-Fa-f]{8}-(?:[0-9A-Fa-f]{4}-){3}[0-9A-Fa-f]{12}\}?")


def is_uuid(text: str) -> bool:
    """Whether a value is a UUID (RFC 9562, section 4)."""
    return _UUID.fullmatch(text) is not None
