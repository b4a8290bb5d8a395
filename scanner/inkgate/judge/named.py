"""A value that a name calls a secret (`password = ...`, "the API key is ..."): is it one?"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from inkgate.judge.checks import Proof
from inkgate.judge.context import Context
from inkgate.judge.nothing import FAKE, INNER_CAPITAL, LOGIN, VARIABLE, is_plain_word, is_strange, nothing
from inkgate.judge.things import names_thing
from inkgate.judge.values import (
    classes,
    is_drawn,
    is_expression,
    is_label,
    is_misnested,
    is_noise,
    is_placeholder,
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
    r"url|link|page|form|screen|view|event|callback|handler|function|helper|util\w*|test|spec|idhex)s?$"
)
# Of these, what is itself drawn at random is the secret after all (`password_test: Zq8!kfP2xw`).
_PERHAPS = lazy(
    r"(?i)(?:hint|test|text|env|var|list|message|title|input|field|checks?|valid\w*|used|last\w*|here|prompt|reset|change|"
    r"confirm\w*|format|get|set|form|source|view|page|spec|is|has|required|enabled|optional|mode|store|manager)$"
)
_PRINT = lazy(
    r"(?i)(?:^|[^a-z])(?:public|rsa|dsa|ecdsa|eddsa|ed25519|gpg|pgp|openpgp|ssh|host|signature|primary|sub|"
    r"continuation|pagination|page|cursor|idempotency|foreign|partition|cache)\s$"
)
_KEY_ID = lazy(r"(?i)access[_.-]?(?:key)?[_.-]?id$")
_PUBLIC = lazy(
    r"(?i)(?:^|[^a-z])(?:public|public_?key|pub|rsa|dsa|ecdsa|eddsa|ed25519|gpg|pgp|openpgp|ssh|signature|resource|"
    r"partition|primary|foreign|sort|cache|composite|unique|row|next|page|continuation|idempotency|"
    r"max|min|total|input|output|prompt|completion|num|cursor|sync|version|revision|concurrency|checkpoint|watermark|design|stop|eos|bos|pad|unk|special|host|"
    r"hash|checksum|fingerprint|publishable|site|widget|authenticity|map|object|dict|hot|short|arrow|enter|lock|s3|bucket)[\s_.-]?$"
)
_MADE_UP = lazy(r"(?i)fake|dummy|mock|example|sample|invalid|non_?match|wrong|placeholder|(?<![a-z])not_?an?_|bogus")
# What the fold never makes of a word in another script: a capital, a mark, two figures in a row.
_WRITTEN = lazy(r"[A-Z!@#$%^&*]|\d\d")


def _name(value: str, context: Context) -> tuple[str, str, str]:
    """The name before the keyword, the keyword with what follows it, and what stands between it and the value."""
    before = _TAIL_NAME.search(context.before)
    at = context.matched.rfind(value)
    head = context.matched[: max(at, 0)]
    word = _HEAD.match(head)
    rest = word[0] if word else ""
    return (before[0] if before else ""), rest, head[len(rest) :]


_CALLED = lazy(r"[A-Za-z_][\w.:>-]*")
_MORE = lazy(r"[ \t][^\W\d_]{2,}")
_LISTED = lazy(r"[\"'`]\s?,\s?[\"'`]")


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
    value = _LINK.split(value, 1)[0] or value
    made_up = _MADE_UP.search(before + name) is not None
    if (made_up and not is_drawn(value)) or _misnamed(value, before, name, context):
        return Proof.NONE
    if made_up:
        return Proof.WRONG  # a name that says so does not make it so
    mark = between[-1:]
    rest = context.matched.rpartition(value)[2] + context.after[:4]
    quoted = mark != "" and mark in "'\"`" and rest.lstrip("\\")[:1] == mark
    if not quoted and (_is_called(value, context.after) or _is_described(value, between, context.after)):
        return Proof.NONE
    if nothing(value, "" if kind == "marked" else between, quoted=quoted) or value.lower() in (
        (before + name).lower(),
        name.lower(),
    ):
        return Proof.NONE
    if _is_listed(value, between, kind) or (kind in _TOLD and (_WHAT.search(between) or _is_aim(value, between))):
        return Proof.NONE
    goes_on = kind == "told-key" and _goes_on(value, between, context.after)
    if goes_on or names_thing(value, kind, before, between, context.before):
        return Proof.NONE
    if is_uuid(value):
        if _KEY_ID.search(before + name):
            return Proof.NONE
        return Proof.WRONG if kind in ("key", "told-key") else Proof.OPEN
    if kind in _KINDS:
        return _KINDS[kind](value, quoted)
    in_cell = kind == "cell" or (between.strip()[:1] in ("|", ",") and not quoted)
    if (kind == "told" and not _foreign(value)) or (in_cell and not _is_entry(value)):
        return Proof.NONE
    return _password(value, quoted=quoted, prose=kind in ("prose", "argument", "behind", "told"))


def _misnamed(value: str, before: str, name: str, context: Context) -> bool:
    """Whether the name says that its value is open, or something about a secret."""
    word = context.matched.lower()
    if not word.startswith(_NEVER_OPEN) and (
        _PUBLIC.search(before) or (word[:1] not in "-/" and _PRINT.search(context.before[-24:]))
    ):
        return True
    if word.startswith("nonce") and (not is_noise(value) or _TAG.search(context.before[-80:])):
        return True  # of the attribute that lets a script run, which is in every page
    if word.startswith("nonce") and _CHALLENGE.search(before):
        return True  # a server says it to whoever asks
    if _is_open_token(value, word, context):
        return True
    if not _ABOUT.search(name) or _KEY_ID.search(before + name):
        return False
    return not (_PERHAPS.search(name) and is_drawn(value))


def _is_open_token(value: str, word: str, context: Context) -> bool:
    """Whether a token stands in the address of a badge or of a page to pay on, where it is there to be shown."""
    at = word.find("token")
    return (
        0 <= at < 2
        and _BADGE.fullmatch(value) is not None
        and _OPEN_PAGE.search(context.before + word[:at]) is not None
    )


def _goes_on(value: str, between: str, after: str) -> bool:
    """Whether what was taken for a value is called as a function, or is the rest of the name (`token-hash=...`)."""
    if between[-1:] == "(" and after[:1] == "(":
        return True
    inner = _INNER.match(value) if between[-1:] in ("-", "_", ".") else None
    return inner is not None and _ABOUT.search(f"-{inner[1]}") is not None


def _is_listed(value: str, between: str, kind: str) -> bool:
    """Whether a value is the next one of a list of words."""
    if _LISTED.search(between) is None or is_noise(value):
        return False
    value = value.strip("`\"'")
    return value.isalpha() or len(value) < 5 or (kind in ("quoted", "literal") and _kinds(value) < 3)


def _is_aim(value: str, between: str) -> bool:
    """Whether something is done to a password and the value says for whom (`sends the password to Dovecot`)."""
    return between.rstrip().endswith(" to") and value.isalpha() and value.istitle()


_VARIABLES = lazy(r"(?:\$[A-Za-z0-9]{2,24}){3,}")
"""A text that is put together from variables and nothing else; a password may look so, what a machine made does not."""
_INNER = lazy(r"([A-Za-z]{2,12})[=:]")
_LINK = lazy(r"\]\(|(?<=\w)\[REDACTED:")
"""What follows a value in the text of a link, and the marker of a value that was taken out behind it."""
_NEVER_OPEN = ("pass", "pw", "psw", "secret", "cred")
_TAG = lazy(r"<(?:script|style|link)\b[^<>]*$")
_CHALLENGE = lazy(r"(?i)(?:^|[^a-z])(?:dpop|replay)-$")
_OPEN_PAGE = lazy(r"(?i)(?:\.svg|/checkout(?:now)?)\?(?:[\w.%=-]{1,40}&(?:amp;)?){0,4}$")
_BADGE = lazy(r"[A-Za-z0-9]{10}|[A-Z0-9]{17}|EC-[A-Z0-9]{17}|[0-9a-f]{40}|[A-Za-z0-9+/]{43}=?")
_TOLD = frozenset({"prose", "told", "told-key"})
_WHAT = lazy(
    r"(?i)\b(?:hash\w*|algorithms?|polic\w+|formats?|length|scheme|fingerprints?)\b"
    r"|^\s+from\s+\w+\s+where\b"  # a query names the column
    r"|^[\W_]{0,3}(?:usage|counts?|budgets?|limits?|costs?|points?|takeaways?|findings?|facts?)\b"
)


def _foreign(value: str) -> bool:
    """Whether a value beside a name in another language is more than a word of that language."""
    if not value.isascii():
        return False
    return (any(map(str.isdigit, value)) and _WRITTEN.search(value) is not None) or (
        INNER_CAPITAL.search(value) is not None and is_noise(value)
    )


def _is_phrase(value: str) -> bool:
    """Whether four words and more stand beside each other with nothing that binds them, as in a passphrase."""
    words = value.replace("-", " ").split()
    return len(words) > 3 and len(set(words)) == len(words) and BINDING.isdisjoint(words)


def _is_entry(value: str) -> bool:
    """Whether a value in a cell of a table is no word and no name that any column may hold."""
    return _WRITTEN.search(value) is not None and (not is_label(value) or _of_all_kinds(value))


def _of_all_kinds(value: str) -> bool:
    """Whether words have what a form asks of a password: a capital, a mark and two figures (`Winter_192`)."""
    return classes(value) == 4 and sum(map(str.isdigit, value)) > 1 and "/" not in value and ":" not in value


_STRONG_MARK = lazy(r"[!@#$%^&*+=?~]")


def _bare(value: str) -> bool:
    """Whether a value that only follows a name, as any word could, is certainly a password."""
    if len(value) < 8 or LOGIN.fullmatch(value):
        return False
    if is_label(value) or is_plain_word(value):
        return _of_all_kinds(value)
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
    if (is_label(value) and not _of_all_kinds(value)) or (
        " " in value and (word_share(value) > 0.3 or value.replace(" ", "").isalpha())
    ):
        return Proof.NONE
    if _kinds(value) > 2 or is_noise(value):
        return Proof.OPEN
    return Proof.WRONG if is_strange(value) else Proof.NONE


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
    if _VARIABLES.fullmatch(value):
        return Proof.NONE
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
        if len(value) < 6 or is_plain_word(value):
            return Proof.WRONG if _of_all_kinds(value) else Proof.NONE
        if is_noise(value) or (kinds > 2 and digits) or _odd(value):
            return Proof.OPEN
        return Proof.WRONG if kinds > 1 and not is_label(value) else Proof.NONE
    if is_plain_word(value) and not (digits and len(value) > 5 and kinds > 1):
        return Proof.NONE
    if value.isdigit():
        return Proof.WRONG if len(value) >= 6 else Proof.NONE
    if kinds > 2 or is_strange(value) or (digits and len(value) >= 6):
        return Proof.OPEN
    return Proof.WRONG if quoted or marks or digits else Proof.NONE


def _open_if(good: bool) -> Proof:
    return Proof.OPEN if good else Proof.NONE


_KINDS: Mapping[str, Callable[[str, bool], Proof]] = MappingProxyType(
    {
        "key": lambda value, quoted: _key(value, quoted=quoted),
        "told-key": lambda value, quoted: _key(value, quoted=quoted) if _is_drawn(value) else Proof.NONE,
        "command": lambda value, _: Proof.WRONG if is_plain_word(value) else Proof.OPEN,  # the place says what it is
        "bare": lambda value, _: _open_if(_bare(value)),
        "pair": lambda value, _: _open_if(_bare(value) and "/" not in value),
        "phrase": lambda value, _: Proof.WRONG if _is_phrase(value) else Proof.NONE,
        "marked": lambda value, _: _open_if(_marked(value)),
        "unnamed": lambda value, _: _unnamed(value),
        "literal": lambda value, _: _literal(value),
        "quoted": lambda value, _: _literal(value),
    }
)


_KINDS_OF = ("pass", "password", "passwd", "pwd", "secret", "token", "key")
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
        or FAKE.fullmatch(lower)
        or (VARIABLE.fullmatch(value) and lower.endswith(_KINDS_OF))
        or lower == user.lower()
        or (user.lower() == "scott" and lower.startswith("tiger"))  # the account that Oracle's examples log in with
    ):
        return Proof.NONE
    if not any(map(str.isalnum, value)) or (value.isdigit() and len(value) < 5):
        return Proof.NONE
    return Proof.OPEN if not is_plain_word(value) or len(value) > 24 else Proof.WRONG
