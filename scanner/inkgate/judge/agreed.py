"""Is a command of a skill one that its person agrees to?

A reminder that installs its own job shows the line, waits for a yes and says how to take it out again; a back door does
none of it. An attacker can write such words as well, so that they move a command from refused to shown to a person, and
never further. They count for nothing beside what no honest job needs: something fetched or decoded, a place that is
cleaned by itself, a way in from outside, or a wish that nobody be told.
"""

from __future__ import annotations

import re
from functools import lru_cache

from inkgate.model import Category
from inkgate.text.lazy import lazy

__all__ = ["agreed"]

_REMEMBERED = 64

_PERSON = r"(?:the |your )?(?:users?|owners?|person|people|human|operator|they|he|she|somebody|someone)"
_CONSENT = lazy(
    rf"\b(?:once|after|if|when|unless|until)\s{_PERSON}\s(?:(?:has|have|had|may|also)\s)?(?:say|said|agree|confirm|approv"
    r"|consent|want|ask|request|wish)\w{0,4}\b"
    rf"|\b{_PERSON}\s(?:must|should|may|has to|have to|can)\s(?:ask|agree|confirm|approve|consent|review)\b"
    r"|\b(?:only )?(?:on|upon|at) (?:explicit |their |his |her |the (?:user|owner)'?s )?request\b"
    r"|\bshow\b[^.\n]{0,60}\b(?:about to|before|first|and ask|and wait)\b|\bask (?:first|before)\b"
    r"|\b(?:typed|run|entered|approved|reviewed|installed) by (?:the )?(?:owner|user|person|two)\b"
    r"|\btwo (?:reviews|reviewers|approvals)\b|\bapproval at hand\b|\bsay so\b"
    r"|\btell (?:the )?(?:owner|user|person|them)\b[^.\n]{0,120}\b(?:takes? it (?:away|out|off)|remove|undo|unload"
    r"|uninstall|log)\b",
    re.DOTALL,
)
"""The person is shown what is done, is asked, or is told how to take it back."""

_SUSPECT = lazy(
    r"\b(?:curl|wget|invoke-webrequest|iwr|base64|b64decode|ncat|socat|eval)\b|\bnc -|/dev/(?:tcp|null)|/tmp/|/var/tmp"
    r"|\b(?:silent|quiet|secret|covert|stealth)\w{0,5}ly\b|\bhidden\b|\bpersist\w{0,5}\b"
    r"|\bwithout (?:ask|tell|notice|notif|confirm|mention|the (?:user|owner))\w{0,4}\b"
    r"|\b(?:do not|don['’]?t|never|no need to) (?:\w+ )?(?:tell|mention|show|ask|inform|notify|remove|say)\b"
    r"|\btunnels?\b|\bssh -\w{0,6}r\b|\bremote (?:access|control|shell|support)\b"
    r"|\b(?:re-?adds?|re-?installs?|restores? itself|comes? back)\b",
    re.DOTALL,
)
"""What no job that its person agreed to needs."""


@lru_cache(_REMEMBERED)
def agreed(category: Category, before: str, matched: str, after: str) -> str:
    """Why a command needs a person's look and no refusal; the reason, or nothing.

    Args:
        category: the family of the rule that found it.
        before: what stands before the match.
        matched: the match.
        after: what stands behind it.
    """
    if category not in (Category.PERSISTENCE, Category.CREDENTIAL_ACCESS):
        return ""
    near = f"{before}{matched}{after}".lower()
    if not _CONSENT.search(near) or _SUSPECT.search(near):
        return ""
    return "the person is asked or told"
