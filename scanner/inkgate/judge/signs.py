"""Signs that a phrase is mentioned and not used. Each test reads a bounded stretch around the match.

The stretch is folded text, so words outside ASCII are folded here in the same way before they are looked for.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from inkgate.text.fold import fold
from inkgate.text.lazy import lazy

__all__ = [
    "addressed",
    "commented",
    "described",
    "forbidden",
    "heading",
    "logged",
    "negated",
    "pointed",
    "quoted",
    "subject",
    "tabular",
]

_REMEMBERED = 64
"""Surroundings whose signs are remembered: a flood repeats one order, and each time the same stands around it."""

_NEAR = 200
_FAR = 90
_SPEAKS = 3
_SHORTEST = 8
"""Characters: more than an abbreviation with full stops has."""

_HEADING = (
    r"attack|inject|threat|malicious|jail ?break|red.?team|exploit|vulnerab|payload|adversar|hijack|poison|phish"
    r"|malware"
    r"|secur|defen[cs]|mitigat|prevent|protect|detect|guardrail|owasp|risk|abuse|misuse|unsafe|danger|harden"
    r"|anti.?pattern|\bbad\b|wrong|don.?t|do not|never|avoid|forbidden|prohibit|red flag|warning|example"
    r"|sample|scenario|case stud|incident|deny"
)
_HEADING_WIDE = r"test|\bblock|scan|\brules?\b|pattern|finding"
"""In a note these name lists of attacks; in a skill or a file of rules they stand above orders."""

_HEADING_ABROAD = (
    "ataque|angriff|sicherheit|segur|sicurezza|attacc|beispiel|ejemplo|exemple|esempio|exemplo|пример|атак|безопас"
    "|攻击|攻擊|攻撃|安全|注入|インジェクション|セキュリティ|공격|보안|示例|예시|例"
)
_POINTING = (
    r"\b(?:run|execute|follow|obey|perform|apply|paste|carry out|do|complete|implement|evaluate|enter|type|launch"
    r"|invoke)"
    r"\s+(?:all\s+|only\s+|exactly\s+|strictly\s+)?(?:of\s+)?(?:the|this|these|each|every)\s+(?:\w+\s+){0,3}?"
    r"(?:following|below|block|commands?|code|script|snippet|steps?|instructions?|lines?|orders?)\b"
    r"|\b(?:run|execute|follow|obey|do)\s+(?:this|these|it|the following|as follows|what it says)\b"
)
_POINTING_BACK = (
    r"(?:[.!?:;\n\"'”»*_,]\s{0,3}|\b(?:now|please|then|and|must|should|will|assistant|agent|ai)[,:]?\s)"
    r"(?:now\s|then\s|please\s|immediately\s)?"
    r"(?:run|execute|follow|obey|perform|apply|carry out|do|complete|implement|evaluate|act on|comply with)"
    r"\s+(?:all\s+|only\s+|exactly\s+|strictly\s+)?(?:of\s+)?(?:what\s+)?(?:the|this|these|that|those|each|every)\s+"
    r"(?:\w+\s+){0,3}?(?:above|preceding|quoted|quote|quotation|block|fenced|example)\b"
)
"""An order to carry out what was just shown; without `not` or `never`, and not said of somebody else."""

_POINTED = ("above", "preceding", "quot", "block", "fenced", "example")
"""Parts of words, one of which it has."""

_BACK = 400
_ADDRESS = r"\byou\b|\byour\b"
_NEGATION = (
    r"\b(?:never|not|(?:do|does|did|wo|would|could)n['’]?t|cannot|can['’]?t|mustn['’]?t|shouldn['’]?t|avoid\w*|refus\w+"
    r"|reject\w*|block\w*|detect\w*|prevent\w*|prohibit\w*|forbid\w*|disallow\w*|den(?:y|ies|ied)|without|instead of"
    r"|rather than|resist\w*|beware|guard(?:s|ed)? against|protect\w*|watch (?:out )?for|look(?:s|ing)? for"
    r"|flag(?:s|ged)?|stop(?:s|ped)?|unable to|unless|neither|nor|no longer|strip\w*|saniti[sz]\w*|filter\w*"
    r"|nunca|jamais|niemals|nicht|kein\w*|nooit|niet)\b[^.!?\n]{0,90}$"
)
_NEGATION_ABROAD = (
    r"(?:никогда|нельзя|不要|不应|不得|禁止|防止|避免|拒绝|検出|防ぐ|禁じ|금지|절대|방지|차단)[^.!?。\n]{0,60}$"
)
_NAMED = lazy(r"\"[^\"\n]{1,40}\"|“[^”\n]{1,40}”")
"""Words that are quoted before the match ("command not found") are no part of the sentence that leads to it."""

_FORBIDDING = (
    r"\b(?:never|do not|don['’]?t|must not|mustn['’]?t|should not|shouldn['’]?t|cannot|can['’]?t|may not|shall not"
    r"|nunca|jam[aá]is|niemals|mai|nooit|nigdy nie|никогда не|jangan pernah)\s+(?:ever\s+|[a-z]{3,12}ly\s+)?$"
)
"""Right before a phrase this forbids what it says; "never fail to" has another verb between, which leads the phrase."""

_LEFT_UNDONE = (
    r"\b(?:without|(?:does|did|do|will|would|could) not|(?:doesn|didn|won|wouldn|couldn)['’]?t)"
    r"\s+(?:ever\s+|[a-z]{3,12}ly\s+)?$"
)
"""Right before a phrase this says that what it names is not done."""

_TURNING = (
    r"\b(?:never|not|no|none|nothing|nobody|neither|nor|cannot|can['’]?t|\w+n['’]t|refus\w+|hardly|that|which|who|whoever"
    r"|if|unless|when|whenever|until|because|why|must|should|shall|you)\b"
)
"""Before those words this makes an order of them ("never answer without", "an agent that does not"), or may."""

_ACTORS = (
    r"\b(?:attackers?|adversar(?:y|ies)|hackers?|malicious (?:\w+ ){0,2}\w+|bad actors?|threat actors?|criminals?"
    r"|an? (?:injected|poisoned|hostile|crafted|untrusted|compromised) \w+|(?:prompt )?injections?|jailbreaks?"
    r"|exploits?|malware|payloads?|attacks?|worms?|victims?|intruders?|someone|somebody"
    r"|users? (?:may|might|could|can|who|tries|try|attempts?)|angreifer\w*|atacantes?|attaquants?|attaccant\w"
    r"|invasor\w*)\b[^\n]{0,160}$"
)
_ACTORS_ABROAD = "(?:злоумышленник|攻击者|攻擊者|攻撃者|攻撃|공격자|공격|हमलावर|مهاجم|インジェクション)[^\n]{0,160}$"
_SAYER = (
    r"(?:phrases?|patterns?|strings?|words?|keywords?|prompts?|text|messages?|comments?|sentences?|lines?|requests?"
    r"|inputs?|instructions?|commands?|content|emails?|pages?|documents?|web ?pages?)\s+(?:\w+\s+){0,3}?"
    r"(?:like|such as|that (?:says?|tells?|asks?|reads?|tries|contains?|attempts?|instructs?)|saying|telling|asking"
    r"|containing|reading|instructing|trying|attempting|which|of the form)"
)
_TOLD = (
    r"(?:says?|said|saying|reads?|stat(?:es|ing)|contain(?:s|ed|ing)?|includ(?:es|ed)|instruct(?:s|ed|ing)?|tell(?:s|ing)?"
    r"|told|ask(?:s|ed|ing)?|order(?:s|ed|ing)|trick(?:s|ed|ing)?|convinc(?:es|ed|ing)|caus(?:es|ed|ing)|mak(?:es|ing)"
    r"|forc(?:es|ed|ing)|lead(?:s|ing)?|manipulat\w+|coerc\w+|persuad\w+|get(?:s|ting)?|induc\w+|attempt(?:s|ed|ing)?"
    r"|tr(?:ies|ied|ying)|designed|intended|crafted|used|aim(?:s|ed|ing)?)"
    r"\s+(?:(?:the|an?|it|its|them|that|your|our|any|some|this|to|for|as|in|hidden|following|large|language|ai|llms?"
    r"|models?|agents?|assistants?|chatbots?|systems?|users?|victims?|other|target)\b\s*){1,7}"
)
_REPORTED = (
    rf"(?:\b(?:e\.g|i\.e)\.,?|\b(?:such as|eg|for (?:example|instance)|like|including|examples?|namely|called|known as"
    rf"|{_SAYER}|{_TOLD}"
    r"|(?:ignore|disregard|skip|do not follow|don['’]?t follow)\s[^.!?\n]{2,60}?\b(?:it|that|which|who|he|she|they)"
    r"\s(?:tells?|asks?|wants?|orders?|says?|told|asked) (?:you|us|me|people|readers|admins) to"
    r"|may|might|could|can|would|attempts? to|tries to|trying to|how to (?:detect|prevent|spot|avoid)|whether"
    r"|if (?:an?|the|any|some) \w+|detect(?:s|ing|ion)?|scan(?:s|ning)? for|match(?:es|ing)?|flag(?:s|ging)?"
    r"|block(?:s|ing|ed)?|catch(?:es)?|regex|checks? for|tests? (?:for|that|whether)|instru\w+|ordena\w*|indica\w*"
    r"|anweis\w*|demande\w*|istruisce|como|comme|wie|come)\b|\bz\.b\.,?)[^.!?\n]{0,100}$"
)
_CONDITION = lazy(
    r"(?:^|[.!?:;\n])[\s>*+\-\d)`\"']{0,8}(?:if|when|whenever|once|in case|as soon as|where|after|before|should)"
    r"\s[^.!?:;\n]{3,150}$"
)
"""Up to a comma: it says when something is to be done, not that somebody else says it."""

_BIDDEN = (
    r"\b(?:tell|ask|order|instruct|trick|convinc|caus|mak|forc|lead|manipulat|persuad|gets?|tr(?:y|ies|ied))\w{0,4}\s+"
    r"(?:(?:the|an?|any|some|your|our|it|them|you|ai|llms?|models?|agents?|assistants?|systems?|users?)\s+){0,3}(?:in)?to\b"
    r"|\b(?:says?|said|reads?|states?|contains?|includes?)\b"
)
"""What a text does when an order in it is reported; a customer who asks for something reports none."""

_ENUMERATED = ("or ", "and ", "nor ", "but ")
_REPORTED_ABROAD = (
    r"(?:\b(?:ordina|chiede|dice|manda|mandar|mandan|manden|pede|pedir|pide|pidan|ordena|ordene|diga|digan|decir|dizer"
    r"|demande|dit|disent|sagt|verlangt|befiehlt|auffordert|zegt|vraagt|każe|mówi|prosi|żąda|meminta|menyuruh|bảo"
    r"|yêu cầu|steht|stehen|geschrieben|escrito|écrit|scritto|napisan\w|berisi|ghi)\b|говорит|просит|велит|требует"
    r"|написано|कहे|कहता|लिखा|طلبت|يطلب|تطلب|مكتوب|写着|寫著|要求|声称)[^\n]{0,70}$"
)
"""What a page or a mail says, in other languages; the phrase follows."""

_ATTACK_ABROAD = (
    r"(?:\b(?:ataques?|angriff\w{0,2}|attacc[oh]\w?|attaques?|aanval\w{0,2}|saldırı\w{0,6}|tấn công"
    r"|serangan|atak\w{0,3})\b|атак|هجوم|हमला|攻击|攻擊|攻撃|공격|注入)"
)
"""The sentence goes on to call it an attack."""

_QUESTION = (
    r"(?:^|[.!?:\n>]\s{0,3})(?:so |and |but |please )?(?:how (?:do|does|would|can|could|should) (?:i|we|one|it)\b"
    r"|how to\b|what (?:happens|would happen) (?:if|when)\b|why (?:does|do|is|are|would)\b"
    r"|is it (?:safe|possible) to\b)[^.!\n]{0,120}$"
)
_VERDICT = (
    r"(?:\b(?:is|are|was|were|would be|counts? as|constitutes?)\s+(?:an?\s+)?(?:\w+\s+){0,2}?"
    r"(?:attacks?|injections?|attempts?|examples?|suspicious|malicious|payloads?|red flags?|blocked|refused|rejected"
    r"|detected|flagged|ignored|dangerous|unsafe)|\b(?:attack|injection|attempt|payload|exploit|vector|technique"
    r"|jailbreak)s?\b|(?:->|=>|→|:)\s*(?:blocked|block|deny|denied|refused?|rejected|critical|high|medium|malicious"
    r"|dangerous|unsafe))"
)
_VERDICT_ABROAD = (
    "^[^\n]{0,30}?(?:よう|と(?:いう|指示|命令|要求)|する(?:攻撃|試み)|的?(?:攻击|攻擊|尝试|嘗試)|하도록|하라는|라고)"
)
_SUBJECT = (
    "injection", "attack", "adversar", "jailbreak", "malicious", "untrusted", "exploit", "vulnerab", "threat", "poison",
    "exfiltrat", "owasp", "phish", "malware", "mitigat", "guardrail", "sanitis", "sanitiz", "hijack", "ataque",
    "angriff", "inyecci", "injecao", "security", "detect", "scanner",
)  # fmt: skip
"""None of them holds another one, so that they can be counted one by one: a pattern of them took most of the time of a
flood of matches."""
_SUBJECT_LOOSE = (("team", r"red.team"), ("cve-", r"cve-\d"))
"""Patterns, each with a literal that it holds."""
_SUBJECT_ABROAD = "攻击|攻擊|攻撃|注入|インジェクション|공격|인젝션|атак|инъекц|हमला|इंजेक्शन|هجوم"
_LIST_INTRO = (
    r"(?:phrases?|patterns?|examples?|strings?|keywords?|indicators?|signs?|attempts?|payloads?|red flags?|attacks?"
    r"|detects?|block(?:ed|s)?|suspicious|malicious|such as|refuse|reject|never|do not|don['’]t|avoid"
    r"|will not|won['’]t|must not|should not|cannot)\b[^\n]{0,80}:[*_]{0,3}\s*$"
)
_VALUE = lazy(r"(?:[\"']\s?:|=)\s?\\?$")
"""A quotation mark behind this opens a value of data or an attribute, and quotes nobody."""

_ORDERING = (
    r"\b(?:you|your|must|shall|should|please|now|never|always|ignore|disregard|forget|overrid\w*|approv\w*|grant\w*|allow\w*"
    r"|authori\w*|trust\w*|permi\w*|rules?|polic\w*|instructions?|prompt|memory|agents?|assistant|ai|admin\w*|send|forward"
    r"|upload|delete|remove|disable\w*|enable\w*|bypass\w*|unlock\w*|pay\w*|transfer\w*|keys?|tokens?|passwords?|secrets?"
    r"|credentials?|access|mode|priority|urgent|important|new|from|obey|follow|reveal|print|show|https?)\b|[^\x00-\x7f]"
)
"""Words of somebody who wants something; a line of a log only says what happened."""

_BULLETS = ("- ", "* ", "+ ", "\u2022 ")
_SAME = "\"'`"
_PAIRS = {
    "\u00ab": "\u00bb",
    "\u201c": "\u201d",
    "\u201e": "\u201c",
    "\u2018": "\u2019",
    "\u300c": "\u300d",
    "\u300e": "\u300f",
}


@lru_cache(maxsize=32)
def _compiled(*sources: str) -> re.Pattern[str]:
    """The alternatives as one pattern for text in small letters; those outside ASCII are folded as the text was.

    Without a flag for capitals the engine passes over most places by their first letter: it is ten times as fast.
    """
    return re.compile("|".join(s if s.isascii() else fold(s).cased for s in sources), re.MULTILINE)


def heading(titles: tuple[str, ...], *, orders: bool = False) -> bool:
    """Whether an enclosing heading announces attacks, examples or rules.

    Args:
        titles: of the headings.
        orders: whether the text is one whose headings stand above orders to the agent, such as a skill.
    """
    words = _compiled(_HEADING) if orders else _compiled(_HEADING, _HEADING_WIDE)
    return any(words.search(title.lower()) or _abroad(title) for title in titles)


def _abroad(title: str) -> bool:
    # Headings are kept as they were written, so they are folded here.
    return not title.isascii() and _compiled(_HEADING_ABROAD).search(fold(title).lower) is not None


@lru_cache(_REMEMBERED)
def pointed(before: str, after: str = "") -> bool:
    """Whether something tells the reader to carry out what follows, or what stood before."""
    if _compiled(_POINTING).search(before[-240:].lower()) is not None:
        return True
    later = after[:_BACK].lower()
    return any(word in later for word in _POINTED) and _compiled(_POINTING_BACK).search(later) is not None


def addressed(matched: str) -> bool:
    """Whether the phrase speaks to a second person."""
    return _compiled(_ADDRESS).search(matched.lower()) is not None


def _sentence(before: str) -> str:
    """The sentence before the match in small letters; a line break in a paragraph does not end it."""
    cut = max(before.rfind(mark) for mark in ("\n\n", "\n- ", "\n* ", "\n#", "\n|"))
    part = before[cut + 1 :] if cut >= 0 else before
    return part.replace("\n", " ")[-_NEAR:].lower()


def _clause(sentence: str) -> int:
    """Where to begin to look for words that no end of a sentence may follow; "e.g." is none."""
    return max(0, max(map(sentence.rfind, ".!?")) - _SHORTEST)


@lru_cache(_REMEMBERED)
def quoted(before: str, after: str) -> str:
    """Whether the match stands inside quotation marks or inline code that open in its line and close behind it."""
    line, rest = before.rpartition("\n")[2][-_NEAR:], after.partition("\n")[0][:_NEAR]
    for mark in _SAME:
        if mark not in line or mark not in rest:
            continue
        places = [i for i, c in enumerate(line) if c == mark and not _apostrophe(line, i)]
        if len(places) % 2 and not _VALUE.search(line[: places[-1]]):
            return "in inline code" if mark == "`" else "quoted"
    for opening, closing in _PAIRS.items():
        if line.rfind(opening) > line.rfind(closing) and closing in rest:
            return "quoted"
    return ""


def _apostrophe(line: str, index: int) -> bool:
    """Whether a mark is an apostrophe inside a word, or escaped."""
    left, right = line[index - 1 : index], line[index + 1 : index + 2]
    return left == "\\" or (line[index] == "'" and left.isalnum() and (right.isalnum() or right == ""))


def _item(line: str) -> bool:
    return line.startswith(_BULLETS) or line[:3].rstrip(". )").isdigit()


def tabular(before: str) -> str:
    """Whether the match stands in a table cell or in a list that is introduced as one of bad phrases."""
    lines = before.split("\n")
    line = lines[-1].lstrip(" >")
    if line.startswith("|"):
        return "in a table"
    if not _item(line):
        return ""
    for text in reversed(lines[-9:-1]):
        bare = text.lstrip(" >")
        if bare and not _item(bare):
            return "in a list of bad phrases" if _compiled(_LIST_INTRO).search(text.lower()) else ""
    return ""


@lru_cache(_REMEMBERED)
def logged(before: str, matched: str, after: str) -> bool:
    """Whether a bracketed name is one of the columns of a log: others stand around it, and no order is near."""
    if not matched.startswith("["):
        return False
    near = f"{before[-_NEAR:]}{matched}{after[:_NEAR]}".lower()
    names = _compiled(r"\[[a-z]{2,10}\]").findall(near)
    return len(names) >= _SPEAKS and len(set(names)) > 1 and not _compiled(_ORDERING).search(near)


@lru_cache(_REMEMBERED)
def negated(before: str, matched: str) -> str:
    """Whether the sentence forbids what the match says."""
    if matched[:8].lower().startswith(("do not", "don't", "never", "without")):
        return ""
    sentence = _NAMED.sub('""', _sentence(before))
    return "negated" if _compiled(_NEGATION, _NEGATION_ABROAD).search(sentence, _clause(sentence)) else ""


def forbidden(before: str) -> bool:
    """Whether the words right before the match forbid it ("never ...", "do not ...") or say that it is not done."""
    near = before[-_NEAR:].lower()
    if _compiled(_FORBIDDING).search(near):
        return True
    undone = _compiled(_LEFT_UNDONE).search(near)
    return undone is not None and not _compiled(_TURNING).search(_sentence(near[: undone.start()]))


def commented(before: str) -> bool:
    """Whether the match stands in a comment of its line of code."""
    line = before.rpartition("\n")[2]
    return line.lstrip().startswith(("#", "//", "--", ";", "*", "/*")) or " # " in line or " // " in line


@lru_cache(_REMEMBERED)
def described(before: str, after: str) -> str:
    """Whether the sentence reports the phrase, or says of somebody else that he does it."""
    sentence = _ordered(_sentence(before))
    if "?" in after[:_NEAR].partition("\n")[0] and _compiled(_QUESTION).search(before[-_NEAR:].lower()):
        return "part of a question"
    if _compiled(_ACTORS, _ACTORS_ABROAD).search(sentence):
        return "said of an attacker"
    if _compiled(_REPORTED).search(sentence, _clause(sentence)):
        return "described"
    if _compiled(_REPORTED_ABROAD).search(sentence, max(0, len(sentence) - _FAR)):
        return "described"
    return "described" if _compiled(_VERDICT, _VERDICT_ABROAD, _ATTACK_ABROAD).search(after[:_FAR].lower()) else ""


def _ordered(sentence: str) -> str:
    """The sentence without the condition that an order begins with; what a text says, or may say, is no condition."""
    condition, comma, rest = sentence.rpartition(", ")
    when = _CONDITION.search(condition) if comma and not rest.startswith(_ENUMERATED) else None
    return sentence if when is None or _compiled(_SAYER, _BIDDEN, _ACTORS).search(when.group()) else rest


def subject(before: str, after: str) -> str:
    """Whether the surroundings speak about attacks: at least three words of that trade near the match."""
    return "in a text about attacks" if _speaks(before) + _speaks(after) >= _SPEAKS else ""


def _speaks(text: str) -> int:
    """How many words of that trade a text holds."""
    lower = text.lower()
    folded, others = _abroad_subject()
    found = sum(map(lower.count, _SUBJECT)) + sum(map(lower.count, folded))
    found += sum(len(_compiled(loose).findall(lower)) for literal, loose in _SUBJECT_LOOSE if literal in lower)
    return found if text.isascii() else found + len(_compiled(others).findall(lower))


@cache
def _abroad_subject() -> tuple[tuple[str, ...], str]:
    """The words of other languages as the fold leaves them: those that are ASCII then, and a pattern of the others."""
    words = [fold(word).cased for word in _SUBJECT_ABROAD.split("|")]
    return tuple(word.lower() for word in words if word.isascii()), "|".join(
        word for word in words if not word.isascii()
    )
