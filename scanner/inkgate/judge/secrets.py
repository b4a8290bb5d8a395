"""Is it a live credential: what checksums, structure, noise and placeholders say about the value of a secret rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from inkgate.judge.checks import PROOFS, Proof, der_key, is_example_jwt, seed_phrase, shape
from inkgate.judge.context import Context, Judgement
from inkgate.judge.named import named, url_password
from inkgate.judge.published import is_published
from inkgate.judge.values import (
    classes,
    entropy,
    is_leet,
    is_noise,
    is_placeholder,
    is_plain_base64,
    is_reference,
    is_sequence,
    is_spelled,
    is_strong,
    is_uuid,
    word_share,
)
from inkgate.match.rules import Rule
from inkgate.model import Confidence, Severity, Target
from inkgate.text.lazy import lazy

__all__ = ["CHECKS", "entropy", "judge_secret"]

Check = Callable[[str, str, Context], Proof]


def _keep(good: bool) -> Proof:
    return Proof.OPEN if good else Proof.NONE


def _basic(value: str, _argument: str, context: Context) -> Proof:
    """Basic authentication (RFC 7617): base64 of a user, a colon and a password."""
    import base64
    import binascii

    try:
        data = base64.b64decode(value + "=" * (-len(value) % 4))
    except (binascii.Error, ValueError):
        return Proof.NONE
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    user, colon, password = text.partition(":")
    if not colon or not text.isprintable() or text.startswith("{"):
        return Proof.NONE
    if is_placeholder(password) and user:
        return Proof.NONE
    return url_password(password, user, context)


def _alone(proof: Callable[[str], Proof]) -> Check:
    return lambda value, _argument, _context: proof(value)


_LONE = lazy(r"[A-Za-z0-9]{11,}[_-][A-Za-z0-9_-]{28,}={0,2}")
_DIGESTS = frozenset({43, 64, 86})
"""Characters of SHA-256, SHA-384 and SHA-512 in base64 without padding."""
_PIECES = lazy(r"[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}")


def _lone(value: str, context: Context) -> Proof:
    """A text that is nothing but a long random value in base64 for addresses: no fact to remember, and no name."""
    if (
        len(value.rstrip("=")) in _DIGESTS
        or len(context.before) > 1
        or (context.before + context.after).strip("\"'`\r\n")
    ):
        return Proof.NONE
    mixed = classes(value.replace("-", "").replace("_", "").rstrip("=")) == 3
    return Proof.WRONG if mixed and is_noise(value) and not is_plain_base64(value) else Proof.NONE


def _shape(value: str, context: Context) -> Proof:
    alone = _LONE.fullmatch(value) and not _PIECES.fullmatch(value)
    return _lone(value, context) if alone else shape(value)


_PADDING = lazy("A{8,}")


def _padded(value: str) -> Proof:
    return _keep(is_noise(value) and not is_placeholder(value))


_FIELD = lazy(
    r"(?i)(?<![a-z-])(x-ratelimit-[a-z]+|x-oauth-scopes|x-accepted-[a-z-]+|x-content-type-options|x-frame-options|x-xss-[a-z]+|"
    r"x-powered-by|x-cache|content-type|content-length|content-encoding|transfer-encoding|cache-control|etag|vary|server|"
    r"set-cookie|strict-transport-security|access-control-[a-z-]+|last-modified|connection|date|via|status)"
    r"[\"\']?\s?[:,]"
)


def _captured(_value: str, _argument: str, context: Context) -> Proof:
    """Whether three other fields of an answer over HTTP (RFC 9110) stand around the match."""
    return _keep(len({name.lower() for name in _FIELD.findall(context.before + "\n" + context.after)}) > 2)


CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        # name: what is asked of the value; the text behind a colon in a rule's check is the argument
        "loose": lambda _, __, ___: Proof.OPEN,
        "entropy": lambda value, least, _: _keep(entropy(value) >= float(least)),
        "noise": lambda value, _, __: _keep(is_noise(value)),
        "strange": lambda value, _, __: _keep(word_share(value) < 0.5 and not is_spelled(value)),
        "mixed": lambda value, _, __: _keep(any(map(str.isdigit, value)) and any(map(str.isalpha, value))),
        "digit": lambda value, _, __: _keep(any(map(str.isdigit, value))),
        "classes": lambda value, least, _: _keep(classes(value) >= int(least)),
        "seed-phrase": lambda value, _, __: seed_phrase(value),
        "der-key": lambda value, _, __: der_key(value),
        "shape": lambda value, _, context: _shape(value, context),
        "padded": lambda value, _, __: _padded(_PADDING.sub("", value)),
        "uuid": lambda value, _, __: _keep(is_uuid(value)),
        "orderless": lambda value, _, __: _keep(not is_sequence(value)),
        "basic": _basic,
        "captured": _captured,
        "named": lambda value, kind, context: named(value, kind, context),
        "url-password": lambda value, _, context: url_password(value, "", context),
        **{name: _alone(proof) for name, proof in PROOFS.items()},
    }
)
"""Every check that a rule may name. `NONE` drops the match, `WRONG` sends it to a person, `RIGHT` makes it certain."""

# One half of a pair that says of itself that it is an example, as Amazon's own does: it speaks for the other half.
_EXAMPLE_ID = lazy(r"(?<![A-Za-z0-9])A[A-Z]{3}[A-Z0-9]{9}EXAMPLE(?![A-Za-z0-9])")
_EXAMPLE_KEY = lazy(r"(?<![A-Za-z0-9/+])[A-Za-z0-9/+]{30,33}EXAMPLE(?:KEY)?(?![A-Za-z0-9/+])")
_MARKER = lazy(r"\[REDACTED:[\w-]*$")
_RULE = lazy(
    r"(?:[a-z]{1,20}\d{0,2}|[a-z]\d[a-z]|\d{1,2}[a-z]{0,8})(?:-(?:[a-z]{1,20}\d{0,2}|\d{1,2})){0,6}(?::\d{0,6})?"
    r"(?:\](?:@[\w.-]+(?::\d+)?(?:/\S*)?)?)?"
)
"""The id of a rule, as `inkgate redact` writes it, also before the host of an address: no token is put together of
words and hyphens alone."""
_WHOLE_JWT = lazy(r"eyJ[\w-]+\.eyJ[\w-]+\.[\w-]{43,}")
_CUT = ("...", "\u2026", "..[", "[REDACTED", "[redacted", "<redacted")
_WORDINGS = frozenset({"leet", "typo", "glued", "spaced", "turned", "reversed", "reversed-words", "cipher"})
_GENERIC = lazy("generic|http|databases")
_OWN_PLACEHOLDERS = frozenset({"named", "url-password", "basic", "pem", "seed-phrase", "der-key", "padded"})


def judge_secret(rule: Rule, context: Context) -> Judgement | None:
    """Severity and confidence of a secret, or None when the value is not a credential at all.

    Args:
        rule: the rule that matched; its checks are asked in turn.
        context: the match; `value` is what is judged.

    Raises:
        KeyError: the rule names a check that does not exist.
    """
    value = context.value
    if _MARKER.search(context.before[-80:]) and _RULE.fullmatch(value):
        return None  # the name of a rule in what `inkgate redact` has written
    if is_published(value) or (value.startswith("eyJ") and is_example_jwt(value)):
        return _claimed(rule, context)
    if _is_cut(context) and not _is_whole(rule, value):
        return None
    if rule.pack == "secrets-generic" and not _WORDINGS.isdisjoint(context.views):
        return None  # what undoes the disguise of words makes noise of other text
    partner = _EXAMPLE_KEY if rule.id == "aws-access-key-id" else _EXAMPLE_ID
    if rule.id.startswith("aws-") and partner.search(context.before[-160:] + " " + context.after[:160]):
        return _claimed(rule, context) if rule.id == "aws-access-key-id" or "EXAMPLE" in value else _doubted(rule)
    verdict = _proof(rule, context)
    if verdict is Proof.NONE or (verdict is not Proof.RIGHT and _stands_for_one(rule, value)):
        return _claimed(rule, context)
    if verdict is Proof.RIGHT:
        return Judgement(rule.severity, Confidence.HIGH, reason="its checksum or structure is right")
    if verdict is Proof.WRONG:
        return _doubted(rule)
    return Judgement(rule.severity, rule.confidence)


def _doubted(rule: Rule) -> Judgement:
    return Judgement(min(rule.severity, Severity.MEDIUM), Confidence.MEDIUM, reason="it may be made up or mistyped")


def _is_cut(context: Context) -> bool:
    """Whether an ellipsis or a marker of a redaction follows the value, or ends it."""
    return (context.value[-1:] + context.after[:12]).startswith(_CUT) or context.after.startswith(_CUT)


def _is_whole(rule: Rule, value: str) -> bool:
    """Whether a value is shown whole although an ellipsis follows: it has all of its form, or is long or strong."""
    if "eyJ" in value and not _by_look(rule):
        return _WHOLE_JWT.fullmatch(value) is not None
    if not _GENERIC.search(rule.pack):
        return rule.pack != "secrets-private-keys" and rule.id != "jwt"
    value = value.rstrip(".\u2026")
    if "..." in value or "\u2026" in value:
        return False
    return (
        _WHOLE_JWT.fullmatch(value) is not None
        or (len(value) > 23 and is_noise(value))
        or (rule.id.startswith("password") and is_strong(value))
    )


_CLAIM = lazy(r"\b(?:key|token|secret|password|passphrase|credential|bot)s?(?: (?:is|was))? $", re.IGNORECASE)
_CURATED = frozenset({Target.MEMORY, Target.USER})


def _claimed(rule: Rule, context: Context) -> Judgement | None:
    """A made-up token is nothing, unless a memory says in a sentence that it is the key: then a person looks at it."""
    if context.target in _CURATED and _by_look(rule) and not context.views and _CLAIM.search(context.before):
        return Judgement(
            min(rule.severity, Severity.MEDIUM), Confidence.MEDIUM, reason="it looks made up, but is said to be the key"
        )
    return None


def _by_look(rule: Rule) -> bool:
    """Whether the format alone tells the kind of token."""
    return rule.confidence is Confidence.HIGH and not _GENERIC.search(rule.pack)


def _proof(rule: Rule, context: Context) -> Proof:
    """What the rule's checks say together: the first `NONE` decides, else the last that is not open."""
    verdict = Proof.OPEN
    for check in rule.checks:
        name, _, argument = check.partition(":")
        proof = CHECKS[name](context.value, argument, context)
        if proof is Proof.NONE:
            return proof
        verdict = verdict if proof is Proof.OPEN else proof
    return verdict


def _stands_for_one(rule: Rule, value: str) -> bool:
    """Whether a value is a placeholder, a reference, or an example that counts up, as no generator of keys does."""
    names = {check.partition(":")[0] for check in rule.checks}
    if names.isdisjoint(_OWN_PLACEHOLDERS) and (is_placeholder(value) or (is_reference(value) and not is_noise(value))):
        return True
    if not _by_look(rule):
        return False
    return is_sequence(value, 12 if "loose" in names else 6, one_case=True) or is_leet(value)
