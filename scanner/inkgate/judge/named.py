"""A value that a name calls a secret (`password = ...`, "the API key is ..."): is it one?"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from inkgate.judge.checks import Proof
from inkgate.judge.context import Context
from inkgate.judge.values import (
    classes,
    is_counted_token,
    is_expression,
    is_label,
    is_misnested,
    is_noise,
    is_placeholder,
    is_plain_base64,
    is_reference,
    is_sequence,
    is_typed,
    is_uuid,
    strangeness,
    word_share,
)
from inkgate.judge.words import BINDING, WORDS
from inkgate.text.lazy import lazy

__all__ = ["named", "url_password"]

_TAIL_NAME = lazy(r"[\w.$\[\]'\"/-]{0,40}$")
_HEAD = lazy(r"[\w.-]{0,60}")

# What a name may go on with when its value is not the secret itself but something about it.
_ABOUT = lazy(
    r"(?i)(?:^|[_.-]|(?-i:(?<=[a-z])(?=[A-Z])))(?:file|path|dir|folder|location|url|uri|host|domain|endpoint|name|type|kind|"
    r"len(?:gth)?|size|min|max|count|limit|usage|budget|expir\w*|ttl|timeout|age|date|time|created|updated|at|hash\w*|"
    r"here|fingerprint|checksum|last\w*|used|since|"
    r"digest|sha\d*|md5|policy|polic\w+|rules?|field|label|hint|input|placeholder|prompt|reset|change|confirm\w*|format|"
    r"pattern|regexp?|mask\d*|column|table|class|style|icon|button|title|text|message|error|algorithm|store|manager|"
    r"ref|source|"
    r"from|var\w*|env|strategy|chars|alphabet|charset|version|index|required|enabled|disabled|optional|valid\w*|"
    r"check\w*|fail\w*|success\w*|attempts?|requests?|is|has|get|set|list|map|count|ids?|identifier|encrypted|protected|scheme|mode|method|header|prefix|"
    r"suffix|separator|grant|scopes?|permissions?|issuer|audience|rotation|strength|generator|encoder|checker|"
    r"url|link|page|form|screen|view|event|callback|handler|function|helper|util\w*|test|spec)s?$"
)
_PRINT = lazy(
    r"(?i)(?:^|[^a-z])(?:public|rsa|dsa|ecdsa|eddsa|ed25519|gpg|pgp|openpgp|ssh|host|signature|primary|sub|"
    r"continuation|pagination|page|cursor|idempotency|foreign|partition|cache)\s$"
)
_KEY_ID = lazy(r"(?i)access[_.-]?(?:key)?[_.-]?id$")
_PUBLIC = lazy(
    r"(?i)(?:^|[^a-z])(?:public|public_?key|pub|rsa|dsa|ecdsa|eddsa|ed25519|gpg|pgp|openpgp|ssh|signature|resource|"
    r"partition|primary|foreign|sort|cache|composite|unique|row|next|page|continuation|idempotency|"
    r"max|min|total|input|output|prompt|completion|num|cursor|sync|design|stop|eos|bos|pad|unk|special|host|"
    r"hash|checksum|fingerprint|publishable|site|widget|authenticity|map|object|dict|hot|short|arrow|enter|lock|s3|bucket)[\s_.-]?$"
)
_FAKE = lazy(
    r"(?i)(?:fake|dummy|sample|example|placeholder|your|some|real|not|testing|test|invalid|wrong|bad|good|new|old|my|the|a|user|"
    r"admin|auth|db|super|plain|text|plaintext|top|aws|access|letmein|"
    r"choose|pick|use|put|set|change|something|generated?|replace|with|and|for|it|"
    r"on|at|by|me|be|or|no|yes|any|all|very|strong|secure|weak|default|random|long|this|is|"
    r"long|enough|insert|enter|here|of|to|"
    r"pass(?:word|wd|phrase)?|secret|key|token|api|value|credentials?|[\W_]|\d{1,5}$)+"
)
# Encrypted for a cluster (kubeseal): the length of an RSA block in two bytes, the block, and the rest.
_SEALED = lazy(r"A[gQ][A-D][A-Za-z0-9+/]{120}")
_VARIABLE = lazy(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?:=.*)?$")
_LOGIN = lazy(r"[\w.-]{1,40}@[\w-]+(?:\.[\w-]+)*\.[a-zA-Z]{2,18}")
_AT_HOST = lazy(r"@(?:[a-z-]+|(?:[\w-]+\.)+[a-zA-Z]{2,18}|\d{1,3}(?:\.\d{1,3}){3})(?:[:/?#\"'`),;]|$)")
_MADE_UP = lazy(r"(?i)fake|dummy|mock|example|sample|invalid|non_?match|wrong|placeholder|not_?a|bogus")
# What the fold never makes of a word in another script: a capital, a mark, two figures in a row.
_WRITTEN = lazy(r"[A-Z!@#$%^&*]|\d\d")
_INNER_CAPITAL = lazy(r"[a-z][A-Z]")
_REGEX = lazy(r"\\[sdwSDWb][*+{]|\.[*+](?:$|[?)'\"])|\[\^")
_TYPE = lazy(r"(?:[A-Z][A-Za-z]*)(?:[!?]|\[\]|<.*>)?|[a-z]+(?:\s?\|\s?[a-z]+)+")
_IDENTIFIER = lazy(r"[A-Za-z][A-Za-z]*(?:[_.\-/:][A-Za-z]+)*\d{0,2}")
_TECHNICAL = lazy(
    r"(?i)(?:sha|md|aes|rsa|hs|rs|es|ps|base|utf|utf-|v|x|h|ipv|p|int|uint|float|sha-?3-|bcrypt|argon|pbkdf|hmac-?sha|"
    r"tls|http|oauth|ed|secp|aes-)[\d.-]{1,5}[a-z]?(?:[_-](?:cbc|gcm|r1|k1|password|[a-z]{2,10}))*|\d{1,12}(?:[.,:/-]\d+)*"
    r"(?:px|em|rem|ms|s|m|h|d|k|kb|mb|gb|%|chars?|bits?|bytes?|days?|hours?|st|nd|rd|th)?|[A-Z]+-\d+|v?\d+(?:\.\d+)+\S{0,8}"
)


def _name(value: str, context: Context) -> tuple[str, str, str]:
    """The name before the keyword, the keyword with what follows it, and what stands between it and the value."""
    before = _TAIL_NAME.search(context.before)
    at = context.matched.rfind(value)
    head = context.matched[: max(at, 0)]
    word = _HEAD.match(head)
    rest = word[0] if word else ""
    return (before[0] if before else ""), rest, head[len(rest) :]


def _plain_word(value: str) -> bool:
    """Whether a value is made of words, with at most a few digits behind them."""
    return bool(_IDENTIFIER.fullmatch(value)) and not _strange(value)


def _strange(value: str) -> bool:
    letters = re.sub(r"[^A-Za-z]+", "", value)
    if len(letters) < 4:
        return False
    runs = [run for run in re.findall(r"[A-Za-z][a-z]+|[A-Z]+(?![a-z])", value) if len(run) > 2]
    if not runs:
        return strangeness(letters) > 4.4
    return sum(len(run) * strangeness(run) for run in runs) / sum(map(len, runs)) > (4.4 if len(letters) > 5 else 4.5)


_OPEN = lazy(r"[(){}\[\]]")
_OWN_NAME = lazy(r"[A-Za-z_]\w*_(?i:key|token|secret|password)\d?")
_CALLED = lazy(r"[A-Za-z_][\w.:>-]*")
_MORE = lazy(r"[ \t][^\W\d_]{2,}")
_CODE = lazy(r"=>|\s=\s|={2}")
_ROLE = lazy(r":[a-z]+(?::[a-z]+)?:?")
_ARGUMENT = lazy(r"[A-Za-z_]\w*=")
_LISTED = lazy(r"[\"']\s?,\s?[\"']")


def _nothing(value: str, between: str, *, quoted: bool) -> bool:
    """Whether a value is certainly not a secret: empty, a word for its kind, a placeholder, a reference."""
    bare = value.strip("'\"`*_.,;:!?()[]{}<>|")
    lower = bare.lower()
    if len(bare) < 3 or lower in WORDS or is_placeholder(value) or is_reference(value):
        return True
    if (
        (_TECHNICAL.fullmatch(bare) and not _INNER_CAPITAL.search(bare))
        or (value.startswith(("0x", "http://", "https://")) and len(value) < 60 and "@" not in value)
        or "-----BEGIN" in value
        or _SEALED.match(value)
        or _VARIABLE.match(value)
        or (value[0] == "-" and not quoted)
        or (value.isdigit() and len(value) < 20 and is_sequence(value))
        or value[0] in " &"
        or (value.startswith("//") and not quoted)  # an address behind its scheme
        or _REGEX.search(value)
        or ("abc123" in lower and len(value) < 14)
        or is_typed(value)
        or is_counted_token(value)
        or is_plain_base64(value.rpartition("-")[2])
        or (value[0] in "#@" and _plain_word(value[1:]))
        or (between.endswith(">") and _AT_HOST.match(value))  # `<password>@host`
        or _ROLE.fullmatch(value)  # the mark-up of a reference in reStructuredText
    ):
        return True
    if sum(not char.isascii() for char in value) * 2 > len(value) or (not quoted and _LOGIN.fullmatch(value)):
        return True
    if (sum(map(str.isalpha, value)) > 3 and _FAKE.fullmatch(lower)) or not any(map(str.isalnum, value)):
        return True
    if quoted:
        return between[-1:] == "`" and value.endswith(")") and is_expression(value)
    return (
        (is_expression(value) and not is_misnested(value))
        or (_OPEN.search(value) is not None and _CODE.search(between) is not None)
        or (between.strip(" \t\n'\"`")[:1] == "," and _ARGUMENT.match(value) is not None)
        or (_TYPE.fullmatch(value) is not None and not _strange(value))
        or _OWN_NAME.fullmatch(value) is not None
    )


def _is_called(value: str, after: str) -> bool:
    """Whether a bare value is the name of a function that is called there."""
    return after[:1] == "(" and _CALLED.fullmatch(value) is not None and word_share(value) > 0.25


def _is_described(value: str, between: str, after: str) -> bool:
    """Whether a short value in a table or list is the first word of a description and not a value of its own."""
    at = between.strip("\\'\"`)]}*_ \t")[:1]
    if at not in ("|", ",") or (at == "," and not between[-1:].isspace()) or (len(value) > 7 and _kinds(value) > 2):
        return False
    return _MORE.match(after) is not None


def named(value: str, kind: str, context: Context) -> Proof:
    """Judge the value that stands behind a secret's name.

    Args:
        value: the value, without its quotes.
        kind: `password` takes what people choose; `key` takes what machines make; `quoted` and `literal` take what a
            program compares or assigns; `marked` takes what is neither word nor code; `prose`, `argument`, `behind`,
            `told`, `told-key`, `bare` and `pair` are told with no operator between name and value, so that more must
            speak for them; `command` stands where a program takes its password; `phrase` is made of words; `unnamed`
            has no name at all; `cell` stands below its name in a table.
        context: the match; its text begins with the keyword that names the secret.
    """
    before, name, between = _name(value, context)
    if kind == "behind":
        before = ""  # it is the value that stands there
    if (
        _MADE_UP.search(before + name)
        or _PUBLIC.search(before)
        or (not context.matched.startswith(("-", "/", "pass", "Pass", "PASS")) and _PRINT.search(context.before[-24:]))
    ):
        return Proof.NONE
    if context.before.endswith(".svg?"):
        return Proof.NONE  # the token of a badge is there to be shown
    if _ABOUT.search(name) and not _KEY_ID.search(before + name):
        return Proof.NONE
    mark = between[-1:]
    rest = context.matched.rpartition(value)[2] + context.after[:4]
    quoted = mark != "" and mark in "'\"`" and rest.lstrip("\\")[:1] == mark
    if not quoted and (_is_called(value, context.after) or _is_described(value, between, context.after)):
        return Proof.NONE
    if _nothing(value, "" if kind == "marked" else between, quoted=quoted) or value.lower() in (
        (before + name).lower(),
        name.lower(),
    ):
        return Proof.NONE
    listed = kind in ("quoted", "literal") and _LISTED.search(between) and _kinds(value) < 3 and not is_noise(value)
    if listed or (kind in _TOLD and _WHAT.search(between)):
        return Proof.NONE  # the next one of a list of words; what is told of how secrets are kept
    if is_uuid(value):
        if _KEY_ID.search(before + name):
            return Proof.NONE
        return Proof.WRONG if kind in ("key", "told-key") else Proof.OPEN
    if kind in _KINDS:
        return _KINDS[kind](value, quoted)
    in_cell = kind == "cell" or (between.strip()[:1] in ("|", ",") and not quoted)
    if (kind == "told" and not _foreign(value)) or (in_cell and (is_label(value) or not _WRITTEN.search(value))):
        return Proof.NONE
    return _password(value, quoted=quoted, prose=kind in ("prose", "argument", "behind", "told"))


_TOLD = frozenset({"prose", "told", "told-key"})
_WHAT = lazy(
    r"(?i)\b(?:hash\w*|algorithms?|polic\w+|formats?|length|scheme|fingerprints?)\b"
    r"|^[\W_]{0,3}(?:usage|counts?|budgets?|limits?|costs?|points?|takeaways?|findings?|facts?)\b"
)


def _foreign(value: str) -> bool:
    """Whether a value beside a name in another language is more than a word of that language."""
    if not value.isascii():
        return False
    return (any(map(str.isdigit, value)) and _WRITTEN.search(value) is not None) or (
        _INNER_CAPITAL.search(value) is not None and is_noise(value)
    )


def _is_phrase(value: str) -> bool:
    """Whether four words and more stand beside each other with nothing that binds them, as in a passphrase."""
    words = value.replace("-", " ").split()
    return len(words) > 3 and len(set(words)) == len(words) and BINDING.isdisjoint(words)


_STRONG_MARK = lazy(r"[!@#$%^&*+=?~]")


def _bare(value: str) -> bool:
    """Whether a value that only follows a name, as any word could, is certainly a password."""
    if len(value) < 8 or is_label(value) or _LOGIN.fullmatch(value) or _plain_word(value):
        return False
    if is_noise(value):
        return word_share(value) < 0.4
    digits = any(map(str.isdigit, value))
    return digits and _kinds(value) > 2 and (_STRONG_MARK.search(value) is not None or word_share(value) < 0.4)


_COMMON_MARKS = frozenset("_-./:")
_MARKS_OF_CODE = frozenset("()[]{}<>=&|+$\\")


def _marked(value: str) -> bool:
    """Whether a bare value has so many different marks, or brackets so mixed, that it is neither word nor code."""
    if value.endswith(";"):
        return False  # a statement
    marks = {char for char in value if not char.isalnum()} - _COMMON_MARKS
    return is_misnested(value) or (len(marks) > 4 and _MARKS_OF_CODE.isdisjoint(marks))


def _literal(value: str) -> Proof:
    """A literal of a program is a secret when it is no text for people."""
    if is_label(value) or (" " in value and word_share(value) > 0.3):
        return Proof.NONE
    if _kinds(value) > 2 or is_noise(value):
        return Proof.OPEN
    return Proof.WRONG if _strange(value) else Proof.NONE


def _odd(value: str) -> bool:
    """Whether a short value is certainly no word: a row of letters that no language has, with or without figures."""
    letters = re.sub(r"[^A-Za-z]+", "", value)
    return value.isalnum() and len(letters) >= 4 and strangeness(letters) > 5.2 and word_share(value) < 0.5


# The addresses of Solana; the numbers and fingerprints of OpenPGP keys (RFC 9580).
_OPEN_FORMS = lazy(r"[1-9A-HJ-NP-Za-km-z]{43,44}|(?:0x)?(?:[0-9A-F]{16}|[0-9A-F]{40})")


def _is_drawn(value: str) -> bool:
    """Whether a value that is only told is noise, and neither typed as an example nor of a form that is public."""
    return is_noise(value) and not is_typed(value, 200) and _OPEN_FORMS.fullmatch(value) is None


def _key(value: str, *, quoted: bool) -> Proof:
    """A key or token is long and drawn at random."""
    if not is_noise(value):
        return Proof.WRONG if len(value) >= 8 and _odd(value) and not is_label(value) else Proof.NONE
    if is_sequence(value) or (len(value) < 16 and not quoted):
        return Proof.WRONG
    return Proof.OPEN


def _unnamed(value: str) -> Proof:
    """Nothing but the value's own look says that it is a secret."""
    digits = any(map(str.isdigit, value))
    if not digits or word_share(value) > 0.2 or "://" in value or not any(map(str.isalpha, value)):
        return Proof.NONE
    return Proof.OPEN if is_noise(value) or classes(value) == 4 else Proof.NONE


def _kinds(value: str) -> int:
    """Classes of characters; three different marks count as one more, since prose has no use for them inside a word."""
    return classes(value) + (len({char for char in value if not char.isalnum() and char not in " _-./"}) > 2)


def _password(value: str, *, quoted: bool, prose: bool) -> Proof:
    """A password has figures or marks in it, or is no word."""
    kinds = _kinds(value)
    digits = sum(map(str.isdigit, value))
    marks = sum(not char.isalnum() for char in value)
    if " " in value.strip() and word_share(value) > 0.4:
        return Proof.NONE
    if prose:
        if len(value) < 6 or _plain_word(value):
            return Proof.NONE
        if is_noise(value) or (kinds > 2 and digits) or _odd(value):
            return Proof.OPEN
        return Proof.WRONG if kinds > 1 and not is_label(value) else Proof.NONE
    if _plain_word(value) and not (digits and len(value) > 5 and kinds > 1):
        return Proof.NONE
    if value.isdigit():
        return Proof.WRONG if len(value) >= 6 else Proof.NONE
    if kinds > 2 or _strange(value) or (digits and len(value) >= 6):
        return Proof.OPEN
    return Proof.WRONG if quoted or marks or digits else Proof.NONE


def _open_if(good: bool) -> Proof:
    return Proof.OPEN if good else Proof.NONE


_KINDS: Mapping[str, Callable[[str, bool], Proof]] = MappingProxyType(
    {
        "key": lambda value, quoted: _key(value, quoted=quoted),
        "told-key": lambda value, quoted: _key(value, quoted=quoted) if _is_drawn(value) else Proof.NONE,
        "command": lambda value, _: Proof.WRONG if _plain_word(value) else Proof.OPEN,  # the place says what it is
        "bare": lambda value, _: _open_if(_bare(value)),
        "pair": lambda value, _: _open_if(_bare(value) and "/" not in value),
        "phrase": lambda value, _: Proof.WRONG if _is_phrase(value) else Proof.NONE,
        "marked": lambda value, _: _open_if(_marked(value)),
        "unnamed": lambda value, _: _unnamed(value),
        "literal": lambda value, _: _literal(value),
        "quoted": lambda value, _: _literal(value),
    }
)


_USER = lazy(r"(?i)(?://|\buid=|\buser(?:\s?id|name)?=|--?u(?:ser)?[\s=]{1,2}['\"]?)([^\s:;'\"]{1,60})")


def url_password(value: str, user: str, context: Context) -> Proof:
    """Judge the password between user and host of a URL, or in a pair of them."""
    lower = value.lower().replace("%40", "@").replace("%24", "$")
    if not user:
        found = _USER.search(context.matched)
        user = found[1] if found else ""
    if (
        is_placeholder(value)
        or (value.isdigit() and is_sequence(value, 6))
        or is_reference(value)
        or (value.endswith(")") and is_expression(value))
        or lower in WORDS
        or _FAKE.fullmatch(lower)
        or lower == user.lower()
        or (user.lower() == "scott" and lower.startswith("tiger"))  # the account that Oracle's examples log in with
    ):
        return Proof.NONE
    if not any(map(str.isalnum, value)) or (value.isdigit() and len(value) < 5):
        return Proof.NONE
    return Proof.OPEN if not _plain_word(value) or len(value) > 24 else Proof.WRONG
