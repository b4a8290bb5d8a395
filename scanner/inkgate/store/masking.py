"""Names that are kept for ever, such as the author of a record: without the secrets that may stand in them.

Author, source and session of a write come from outside, and the ledger is never edited afterwards: whatever gate or
command records something, a secret in one of them must not get in.
"""

from __future__ import annotations

import re
from functools import lru_cache

from inkgate.lean import replace

from .origin import Origin

__all__ = ["NOT_SHOWN", "clean_origin", "masked_name"]

NOT_SHOWN = "[not shown]"

_WORD = re.compile(r"[A-Za-z]{0,12}(?:[:# -]\d{1,6})?")  # too short and too plain for a secret: `tool`, `chat:7`
_KEPT = 512  # names whose result is kept


@lru_cache(_KEPT)
def masked_name(text: str) -> str:
    """A name with every secret in it replaced by a mark that says which rule found it.

    Args:
        text: the name; `NOT_SHOWN` stands for one that cannot be read to its end, or that a mark does not clean.
    """
    if _WORD.fullmatch(text):
        return text
    from inkgate.model import InkgateError

    try:
        spans = _secrets(text)
        if not spans:
            return text
        pieces, position = [], 0
        for start, end, rule in sorted(spans):
            if end > position:
                pieces += [text[position : max(start, position)], f"[secret: {rule}]"]
                position = end
        made = "".join([*pieces, text[position:]])
        return made if not _secrets(made) else NOT_SHOWN
    except InkgateError:
        return NOT_SHOWN


def _secrets(text: str) -> list[tuple[int, int, str]]:
    """The places of the secrets; those that the policy allows everywhere are none."""
    from inkgate.model import Category, Target, Verdict
    from inkgate.scan import scan_text

    result = scan_text(text, target=Target.MEMORY)
    found = [item for item in result.findings if item.category is Category.SECRET]
    found = [item for item in found if item.verdict is not Verdict.ALLOW]
    if not result.complete:
        return [(0, len(text), "unread")]
    return [(item.start, item.end, item.rule) for item in found]


def clean_origin(origin: Origin) -> Origin:
    """The origin as it may be recorded."""
    author, source, session = (masked_name(text) for text in (origin.author, origin.source, origin.session))
    if (author, source, session) == (origin.author, origin.source, origin.session):
        return origin
    return replace(origin, author=author, source=source, session=session)
