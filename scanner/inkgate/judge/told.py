"""Is an order given to the reader, or is it told of somebody: a journal, a novel, minutes, a contract, a recipe?

"I decided to ignore all previous instructions from the doctor" has the words of an injection and the grammar of a
diary. What tells them apart is the person and tense of the verb, the verb that governs it ("asked us to", "had"), the
kind of text ("Minutes", "This contract"), and whose orders they are. Any of these is a sign of a mention, no more: an
attacker can write in the past tense too. Only where the verb is told *and* the orders belong to somebody of daily life
*and* nothing near speaks to an agent or of its work does the phrase mean nothing.

Text is folded, so all words here are written as the fold leaves them, or folded before use.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from inkgate.judge.complete import complete
from inkgate.judge.told_words import AGENT, DAILY, ENDINGS, FORMS, GOVERNING, OPENINGS, RECORDS, SAYING, SPOKEN_TO
from inkgate.text.fold import fold

__all__ = ["everyday", "settled", "told"]

_REMEMBERED = 64
_HEAD = 100
"""Characters of the sentence before a match in which its subject and its governing verb stand."""

_TAIL = 80
"""Characters behind a match in which a language with the verb at the end says who did it, and others whose order."""

_ROUND = 220
"""Characters on either side in which a word to an agent, or of its work, means that the phrase may be for it."""


@cache
def _compiled(name: str) -> re.Pattern[str]:
    """One table as one pattern; what is not ASCII is folded as the text was."""
    source = {
        "governing": rf"(?:{GOVERNING})$",
        "saying": rf"(?:{SAYING})\s?[:,]?\s{{0,2}}[\"'\u00ab\u201c\u201e\u300c]?\s?$",
        "opening": rf"(?:{OPENINGS})$",
        "forms": rf"^(?:{FORMS})(?![^\W_])",
        "endings": rf"^(?:{ENDINGS})",
        "records": rf"(?:{RECORDS})[^\n]{{0,150}}$",
        "spoken": SPOKEN_TO,
        "daily": DAILY,
        "agent": AGENT,
    }[name]
    return re.compile(source if source.isascii() else fold(source).cased)


def _head(before: str) -> str:
    """The sentence before the match."""
    part = before[-_HEAD:].lower()
    cut = max(part.rfind(mark) for mark in (".", "!", "?", ";", "\n", "\u3002", "\uff01", "\u061f", "\u0964"))
    return part[cut + 1 :]


def _tail(after: str) -> str:
    """The rest of the sentence."""
    return re.split(r"[.!?;\n\u3002\u0964]", after[:_TAIL].lower(), maxsplit=1)[0]


@lru_cache(_REMEMBERED)
def told(before: str, matched: str, after: str, written: str) -> str:
    """Whether the sentence tells what somebody did, said or decided; the reason, or nothing.

    Args:
        before: what stands before the match.
        matched: the match.
        after: what stands behind it.
        written: the match as the text has it, with its accents; empty when that is not known.
    """
    head, lower = _head(before), matched.lower()
    if _compiled("records").search(f"{before[-80:]}{matched[:60]}".lower()):
        return "in minutes or a contract"
    if _compiled("spoken").search(head) and not (head.endswith("if you ") and _compiled("forms").search(lower)):
        return ""
    # Verbs at the end: the last word of the match may go on behind it.
    last = re.split(r"[\s\u3001,]", lower)[-1] if lower.isascii() else lower[-8:]
    led = head + "not to " if lower.startswith("not to ") else head
    if (
        _compiled("governing").search(led)
        or _compiled("saying").search(head)
        or (_compiled("opening").search(head) and re.match(r"[a-z]{3,12}ing\b", lower))
        or _compiled("forms").search(lower)
        or re.match(r"\w{3,14}[\u00e9\u00f3\u00ed](?!\w)", written.lower())
        or _compiled("endings").search(last + _tail(after))
    ):
        return "told of somebody"
    return ""


@lru_cache(_REMEMBERED)
def settled(before: str, matched: str, after: str) -> bool:
    """Whether what is told is about somebody of daily life alone: `everyday`, and nobody is spoken to.

    Args:
        before: what stands before the match.
        matched: the match.
        after: what stands behind it.
    """
    return everyday(before, matched, after) and not _compiled("spoken").search(matched.lower() + _tail(after))


@lru_cache(_REMEMBERED)
def everyday(before: str, matched: str, after: str) -> bool:
    """Whether the orders are those of somebody of daily life, and nothing near is for an agent or of its work.

    Args:
        before: what stands before the match.
        matched: the match.
        after: what stands behind it.
    """
    sentence = f"{_head(before)}{matched.lower()}{_tail(after)}"
    if not _compiled("daily").search(sentence):
        return False
    near = f"{before[-_ROUND:]}{matched}{after[:_ROUND]}".lower()
    return _compiled("agent").search(near) is None and not complete(before, matched, after)
