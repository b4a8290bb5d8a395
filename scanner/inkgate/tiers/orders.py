"""Whether a statement is addressed to its reader. From a tool or a page, that is no fact, and does not move.

The gates' rules know the orders that do harm. Here only the form counts, since nobody in the session said it: an
imperative, an obligation, a request, a question, or a word that means the reader. English, and what is commonest in
other languages.
"""

from __future__ import annotations

import re

__all__ = ["is_order"]

_VERBS = (
    "abandon accept access act activate add adopt advise allow append apply approve ask assume auto-?approve "
    "begin block book bypass call cancel change check choose click collect comply confirm connect consider "
    "continue convert copy create decline deactivate delete deny deploy disable discard disclose disregard divert "
    "do download drop dump elevate email embed emit enable encode ensure erase escalate exclude execute "
    "exfiltrate expose export fetch follow forget forward fetch generate get give go grant help hide ignore "
    "import include increase inform insert install instruct invoke issue keep launch leak let list load log mail "
    "make mark mention modify move navigate never notify obey omit open output overlook overrule override pass "
    "paste pay permit point post prefer prepend pretend print prioriti[sz]e proceed process promote provide "
    "publish purchase push put query quote raise read recommend record redirect refer register reject release "
    "remember remove rename repeat replace reply report request reset respond retrieve return reveal revoke route "
    "run save say schedule search select send set share show sideline sign skip start stop store submit "
    "substitute suggest summari[sz]e suppress switch take tell transfer translate treat trigger trust turn "
    "uninstall unlock unsubscribe update upload use verify view visit wipe write"
)
_OBJECTS = (
    "a|all|an|another|any|anything|as|both|by|each|every|everything|from|her|him|his|how|in|into|it|its|me|my|new|no|none|"
    "not|nothing|of|off|on|only|our|out|over|role|root|something|that|the|their|them|these|this|those|to|up|us|user|users|"
    "what|whatever|when|where|which|who|whom|with|without|yes|you|your|yourself"
)
_VERB = f"(?:{'|'.join(_VERBS.split())})"
_LEAD = (
    r"(?:[\W_]{0,6}(?:please|kindly|important|urgent|note|system|assistant|user|human|action|task|instructions?|now|then|"
    r"and|also|first|next)\b[\s:,!\])-]*){0,3}"
)
_IMPERATIVE = re.compile(
    rf"^\W{{0,6}}{_LEAD}{_VERB}(?:\s+(?:{_OBJECTS})\b|\s*[\"'“`<(\[$/]|\s+(?-i:[A-Z0-9])[\w.@-]*|\s*:)", re.IGNORECASE
)
_SHORT = re.compile(rf"^\W{{0,6}}{_LEAD}{_VERB}\s+\w+(?:\s+\w+)?\W*$", re.IGNORECASE)
_DUTY = re.compile(
    r"^\W{0,6}(?:always|never|do not|don['’]t|from now on|going forward|whenever|henceforth|under no circumstances|"
    r"make sure|be sure)\b"
    r"|\b(?:assistants?|agents?|models?|bots?|ai|user)\s+(?:must|should|shall|ought to|needs? to|ha(?:s|ve) to)\b"
    rf"|^\W{{0,6}}(?:when|if|once|after|before|for)\b[^.]{{1,160}},\s*(?:(?:then|please|always|never)\s+)*{_VERB}\b",
    re.IGNORECASE,
)
_READER = re.compile(
    r"\b(?:you|your|yours|yourself|please|kindly|du|dich|dir|dein\w{0,2}|bitte|toi|vous|votre|vos|tes|usted|ustedes|tus|"
    r"teus?|tuas?|tuo|tua|tuoi|por favor|per favore|s['’]il (?:te|vous) pla[iî]t|ты|тебе|твой|твои|вы|вам|ваш\w{0,3}|"
    r"пожалуйста)\b|你|您|(?:请|請)(?!求)|あなた|ください|당신|주세요",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    r"^\W{0,6}(?:ignor(?:iere?|e[rz]?|a)|vergiss|sende|schicke|leite|lösche|verrate|"
    r"ignorez|oublie[zs]?|envoie|envoyez|supprime[zs]?|renonce[zs]?|transfère|"
    r"olvida|envía|env[ií]e|borra|elimina|revela|transfiere|abandona|"
    r"esqueça|apague|exiba|revele|transfira|dimentica|invia|cancella|rivela|trasferisci|"
    r"忽略|无视|無視|发送|删除|請忽略|请忽略|игнорируй|забудь|отправь|удали|يجب عليك|تجاهل)",
    re.IGNORECASE,
)


_CLAUSE = re.compile(r"(?<=[.:;!。：；！])\s+|(?<=[。：；！])|\s[-–—]\s")


def is_order(text: str) -> bool:
    """Whether a statement tells or asks whoever reads it to do, or not to do, something."""
    if text.rstrip(" \"'”)").endswith(("?", "？", "؟")) or _READER.search(text):
        return True
    clauses = _CLAUSE.split(text)
    return any(pattern.search(clause) for clause in clauses for pattern in (_IMPERATIVE, _SHORT, _DUTY, _OTHERS))
