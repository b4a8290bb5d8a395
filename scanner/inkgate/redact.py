"""A clean copy of a text: every secret that the scanner finds is replaced by a marker that says what stood there."""

from __future__ import annotations

from inkgate.judge.checks import Proof, wrapped
from inkgate.lean import Any
from inkgate.match.rules import RuleSet, load_rules
from inkgate.model import Category, Finding, InkgateError
from inkgate.scan import scan_text
from inkgate.text.lazy import lazy

__all__ = ["RedactionError", "redact"]

_PASSES = 100
"""Looks at one text. Each takes out at least one secret or is the last; a rule's thousand findings go in one."""

_REST = lazy(r"[A-Za-z0-9_+/=-]*")
_LINE = lazy(r"\r?\n[ \t>]{0,8}[A-Za-z0-9_.+/=@:-]{2,80}(?=[\"'`)]?(?:\s|$))")
_SOFT = lazy(r"(?<==)\r?\n[A-Za-z0-9_.+/=@:-]{2,400}")
_KEY_END = lazy(r"-{4,5}\s?END[ _][A-Z0-9 _]{0,40}-{4,5}|Private-MAC: ?[0-9a-f]*")
_KEY_LINES = lazy(r"(?:(?:\\r|\\n|\s|[>\"'+,\\])*[A-Za-z0-9+/=]{16,})*")
_LONGEST_KEY = 65536
_NEAR = 200
_MOST_LINES = 40


class RedactionError(InkgateError):
    """A text still shows secrets after all that could be taken out of it."""


def redact(text: str, *, rules: RuleSet | None = None) -> tuple[str, int]:
    """The text with each secret replaced by `[REDACTED:rule:number]`, and how many different secrets there were.

    The number counts the secrets of a text in the order in which they are found; wherever the same secret stands, the
    same marker does. What holds a secret in encoded form (base64, hex) is replaced whole.

    Args:
        text: what is to be shown to others; it is held in memory whole.
        rules: rule set; the shipped one when None.

    Raises:
        RedactionError: secrets are left that cannot be taken out. Nothing is returned then.
    """
    only: RuleSet = (rules or load_rules()).once("secrets", _secrets)
    markers: dict[str, str] = {}
    for _ in range(_PASSES):
        found = [item for item in scan_text(text, rules=only).findings if item.category is Category.SECRET]
        spans = _spans(text, found)
        if not spans:
            return text, len(markers)
        for start, end, rule in spans:
            markers.setdefault(text[start:end], f"[REDACTED:{rule}:{len(markers) + 1}]")
        text = _replace(text, spans, markers)
    raise RedactionError("secrets are left after every pass", hint="take them out by hand")


def _secrets(rules: RuleSet) -> RuleSet:
    kept = tuple(rule for rule in rules.rules if rule.category is Category.SECRET)
    made: Any = RuleSet(kept, rules.by_id, rules.digest)
    return made  # type: ignore[no-any-return]


def _spans(text: str, findings: list[Finding]) -> list[tuple[int, int, str]]:
    """Where secrets stand, in order and without overlaps, each as far as it goes."""
    spans: list[tuple[int, int, str]] = []
    for item in findings:
        end = _end(text, item)
        if item.start >= end:
            continue
        if spans and item.start < spans[-1][1]:
            start, last, rule = spans[-1]
            spans[-1] = (start, max(last, end), rule)
        else:
            spans.append((item.start, end, item.rule))
    return spans


def _end(text: str, item: Finding) -> int:
    """Where the secret really ends: a rule sees a bounded part of a long key, and one line of a broken token."""
    matched = _REST.match(text, item.end)
    end = matched.end() if matched else item.end
    head = text[item.start : item.start + 40]
    if "BEGIN" in head or "PuTTY" in head or item.rule.startswith(("private-key", "openssh", "putty", "ssh2")):
        closing = _KEY_END.search(text, item.start, item.start + _LONGEST_KEY)
        lines = _KEY_LINES.match(text, end, item.start + _LONGEST_KEY)
        return max(end, closing.end() if closing and "BEGIN" in head else end, lines.end() if lines else end)
    if "=3D" in text[max(0, item.start - _NEAR) : end + _NEAR]:
        while soft := _SOFT.match(text, end):
            end = soft.end()  # quoted-printable: the token goes on in the next line
    best, at = end, end
    for _ in range(_MOST_LINES):
        line = _LINE.match(text, at)
        if line is None or line[0].lstrip("\r\n\t >").startswith(head[:4]):
            break  # no further line, or one that begins a token of its own
        at = line.end()
        if wrapped(text[item.start : at]) is not Proof.NONE:
            best = at
    return best


def _replace(text: str, spans: list[tuple[int, int, str]], markers: dict[str, str]) -> str:
    """Put the markers where the secrets stood, and wherever else the same ones stand."""
    parts: list[str] = []
    done = 0
    for start, end, _ in spans:
        parts += (text[done:start], markers[text[start:end]])
        done = end
    parts.append(text[done:])
    made = "".join(parts)
    for secret in sorted(markers, key=len, reverse=True):
        if len(secret) >= 8 and secret in made:
            made = made.replace(secret, markers[secret])
    return made
