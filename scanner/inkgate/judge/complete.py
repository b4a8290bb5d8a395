"""Is a quoted order whole? Whoever imitates a document about attacks still has to say what is to be done.

Documents about attacks mostly name the telling phrase ("ignore previous instructions"). An order that works says more:
it speaks to the agent, and it names a deed with harm. Where that is quoted, headings and warnings around it do not make
it harmless; a person looks at it.
"""

from __future__ import annotations

import re
from functools import lru_cache

__all__ = ["complete"]

_EDGES = '\n|"`\u201c\u201d\u00ab\u00bb\u201e\u300c\u300d'
_MOST = 240
"""Characters on either side of the match that belong to the order at most."""

_W = r"(?:\W{1,3}[\w'’-]{1,24}){0,%d}?\W{1,3}"
_LOOT = (
    r"(?:system prompts?|prompts?|passwords?|api[ _-]?keys?|(?:private |secret |ssh )?keys?|secrets?|credentials?"
    r"|tokens?|conversations?|chat|history|memor(?:y|ies)|environment|env|\.env|wallets?|seed phrase|personal data"
    r"|card numbers?|user data|contents?|id_rsa|cookies?|hidden instructions?|initial instructions?)\b"
)
_DEEDS = (
    # gives away
    rf"\b(?:reveal|print|show|repeat|output|leak|disclose|display|share|dump|give|list|tell me|send|upload|post"
    rf"|forward|e-?mail|exfiltrate|transmit|copy|read|cat|encode|append|return)\b{_W % 6}{_LOOT}",
    rf"\b(?:send|upload|post|forward|e-?mail|exfiltrate|transmit|copy|submit|report|curl|wget|fetch|poll|connect)"
    rf"\b{_W % 9}"
    r"(?:https?:|\S{1,40}@\S{1,40}\.\w|webhook|attacker|controller|my (?:server|address|account))",
    # keeps quiet, or asks nobody
    r"\b(?:do not|don['’]?t|never|without)\s(?:\w+\s){0,2}?(?:tell(?:ing)?|mention(?:ing)?|inform(?:ing)?|ask(?:ing)?"
    r"|notif\w{1,5}|alert(?:ing)?|warn(?:ing)?|reveal(?:ing)?|confirm\w{0,6})\b",
    # destroys
    rf"\b(?:delete|wipe|erase|destroy|drop|remove|overwrite|corrupt|encrypt|rm -\w*)\b{_W % 4}(?:all|every|entire"
    r"|files?|backups?|databases?|tables?|data|disk|logs?|history|/)",
    # gives power
    rf"\b(?:approve|authori[sz]e|grant|route|pay|transfer|wire|redirect|execute|run|allow|accept)\b{_W % 5}(?:payments?"
    r"|commands?|access|transactions?|accounts?|money|funds|shell|code|scripts?|orders?|requests?|invoices?|tools?)\b",
    r"\b(?:already |hereby |pre-?)(?:authori[sz]ed|approved)\b|\bgranted (?:full|admin|root|all)\b",
    # sets free
    r"\b(?:unrestricted|unfiltered|uncensored|jailbroken|developer mode|admin mode|god mode|do anything now)\b"
    rf"|\bwithout{_W % 2}(?:rules|restrictions|filters|limits|limitations|constraints)\b",
    rf"\b(?:disable|bypass|turn off|switch off|remove|deactivate|skip|override)\b{_W % 4}(?:safety|filters?|guard\w*"
    r"|guidelines|restrictions|security|checks?|confirmations?|protections?|moderation|sandbox)\b",
    rf"\b(?:follow|obey)\s(?:only|exclusively)?\s?my\b|\bregister{_W % 6}(?:node|controller|agent|server)\b",
    # spreads, or stays
    rf"\b(?:copy|write|insert|append|paste|add|repeat|include)\b{_W % 3}(?:this|these)\b{_W % 8}"
    r"(?:every|all|each|other)\b",
    r"(?:curl|wget|iwr)\b[^\n]{0,200}\|\s{0,3}(?:sudo )?(?:ba|z|da)?sh\b|\bbash -i\b|/dev/tcp/|>>\s{0,3}~?/\S{0,40}"
    r"(?:rc|profile|authorized_keys|crontab)\b|\$\((?:printenv|env)\b|\bcrontab\b",
)
_ADDRESS = (
    r"\b(?:you|your|yourself|assistant|agent|ai|model|claude|chatgpt|gpt|gemini|copilot)\b"
    r"|^\W{0,6}(?:(?:please|now|then|immediately|always|important|system|note|instead|first|also|and|sudo|urgent)"
    r"[\s:,!.-]{1,3}){0,3}(?:ignore|disregard|forget|override|bypass|neglect|reveal|print|show|repeat|output|leak"
    r"|disclose|send|upload|post|forward|e-?mail|copy|delete|remove|wipe|erase|run|execute|read|cat|curl|wget|enter|enable|disable"
    r"|register|poll|remember|never|do not|don['’]?t|from now on|whenever|when|act|pretend|approve|authori[sz]e"
    r"|transfer|route|rm|echo|always|stop|start|follow|obey|respond|answer|write|add|append|store|save|install|download|fetch|use|switch"
    r"|activate|grant|treat|consider|the (?:admin|user|owner|developer))\b"
)


@lru_cache(maxsize=2)
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def complete(before: str, matched: str, after: str) -> bool:
    """Whether a match belongs to an order that speaks to the agent and names a deed with harm.

    Args:
        before: what stands before the match.
        matched: the match.
        after: what stands behind it.
    """
    head, tail = before[-_MOST:], after[:_MOST]
    head = head[1 + max(head.rfind(edge) for edge in _EDGES) :]
    ends = [at for edge in _EDGES if (at := tail.find(edge)) >= 0]
    order = (head + matched + tail[: min(ends, default=len(tail))]).lower()  # quicker than a flag for capitals
    return _compiled(_ADDRESS).search(order) is not None and _compiled("|".join(_DEEDS)).search(order) is not None
