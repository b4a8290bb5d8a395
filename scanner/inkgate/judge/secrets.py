"""Is it a live credential: what checksums, structure, noise and placeholders say about the value of a secret rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from inkgate.judge.checks import PROOFS, Proof, der_key, seed_phrase
from inkgate.judge.context import Context, Judgement
from inkgate.judge.named import named, url_password
from inkgate.judge.values import (
    classes,
    entropy,
    is_noise,
    is_placeholder,
    is_reference,
    is_sequence,
    is_uuid,
    word_share,
)
from inkgate.match.rules import Rule
from inkgate.model import Confidence, Severity

__all__ = ["CHECKS", "entropy", "judge_secret"]

Check = Callable[[str, str, Context], Proof]


def _keep(good: bool) -> Proof:
    return Proof.OPEN if good else Proof.NONE


def _basic(value: str, _argument: str, context: Context) -> Proof:
    """Basic authentication (RFC 7617): base64 of a user, a colon and a password."""
    import base64
    import binascii

    try:
        text = base64.b64decode(value + "=" * (-len(value) % 4)).decode()
    except (binascii.Error, ValueError):
        return Proof.NONE
    user, colon, password = text.partition(":")
    if not colon or not text.isprintable():
        return Proof.NONE
    if is_placeholder(password) and user:
        return Proof.NONE
    return url_password(password, user, context)


CHECKS: Mapping[str, Check] = MappingProxyType(
    {
        # name: what is asked of the value; the text behind a colon in a rule's check is the argument
        "entropy": lambda value, least, _: _keep(entropy(value) >= float(least)),
        "noise": lambda value, _, __: _keep(is_noise(value)),
        "strange": lambda value, _, __: _keep(word_share(value) < 0.5),
        "mixed": lambda value, _, __: _keep(any(map(str.isdigit, value)) and any(map(str.isalpha, value))),
        "digit": lambda value, _, __: _keep(any(map(str.isdigit, value))),
        "classes": lambda value, least, _: _keep(classes(value) >= int(least)),
        "seed-phrase": lambda value, _, __: seed_phrase(value),
        "der-key": lambda value, _, __: der_key(value),
        "uuid": lambda value, _, __: _keep(is_uuid(value)),
        "orderless": lambda value, _, __: _keep(not is_sequence(value)),
        "basic": _basic,
        "named": lambda value, kind, context: named(value, kind, context),
        "url-password": lambda value, _, context: url_password(value, "", context),
        **{name: (lambda value, _, __, proof=proof: proof(value)) for name, proof in PROOFS.items()},
    }
)
"""Every check that a rule may name. `NONE` drops the match, `WRONG` sends it to a person, `RIGHT` makes it certain."""

_OWN_PLACEHOLDERS = frozenset({"named", "url-password", "basic", "pem", "seed-phrase", "der-key"})


def judge_secret(rule: Rule, context: Context) -> Judgement | None:
    """Severity and confidence of a secret, or None when the value is not a credential at all.

    Args:
        rule: the rule that matched; its checks are asked in turn.
        context: the match; `value` is what is judged.

    Raises:
        KeyError: the rule names a check that does not exist.
    """
    value = context.value
    names = [check.partition(":") for check in rule.checks]
    if not any(name in _OWN_PLACEHOLDERS for name, _, _ in names) and (
        is_placeholder(value) or (is_reference(value) and not is_noise(value))
    ):
        return None
    verdict = Proof.OPEN
    for name, _, argument in names:
        proof = CHECKS[name](value, argument, context)
        if proof is Proof.NONE:
            return None
        if proof is not Proof.OPEN:
            verdict = proof
    if verdict is Proof.RIGHT:
        return Judgement(rule.severity, Confidence.HIGH, reason="its checksum or structure is right")
    if verdict is Proof.WRONG:
        return Judgement(min(rule.severity, Severity.MEDIUM), Confidence.MEDIUM, reason="it may be made up or mistyped")
    return Judgement(rule.severity, rule.confidence)
