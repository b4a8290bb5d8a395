"""Signs that a phrase is mentioned and not used. Each test reads a bounded stretch around the match."""

from __future__ import annotations

import re

__all__ = ["ADDRESS", "HEADING", "POINTING", "described", "negated", "quoted", "subject", "tabular"]

_NEAR = 200
_FAR = 90
_WORDS = re.IGNORECASE

HEADING = re.compile(
    r"attack|inject|threat|malicious|jail ?break|red.?team|exploit|vulnerab|payload|adversar|hijack|poison|phish|malware|"
    r"security|secur|defen[cs]|mitigat|prevent|protect|detect|guardrail|owasp|risk|abuse|misuse|unsafe|danger|harden|"
    r"anti.?pattern|\bbad\b|wrong|don.?t|do not|never|avoid|forbidden|prohibit|red flag|warning|smell|test|example|"
    r"sample|scenario|case stud|incident|deny|block|scan|rule|pattern|finding|limit|"
    r"ataque|ataqu|angriff|sicherheit|seguri|securit|sicurezza|attacc|攻击|攻撃|安全|注入|インジェクション|セキュリティ|공격|보안|атак|безопас|"
    r"beispiel|ejemplo|exemple|esempio|exemplo|пример|示例|例|예",
    _WORDS,
)
"""Headings under which attacks are shown."""

POINTING = re.compile(
    r"\b(?:run|execute|follow|obey|perform|apply|paste|carry out|do|complete|implement|evaluate|enter|type|launch|invoke)"
    r"\s+(?:all\s+|only\s+|exactly\s+|strictly\s+)?(?:of\s+)?(?:the|this|these|each|every)\s+(?:\w+\s+){0,3}?"
    r"(?:following|below|block|command|commands|code|script|snippet|steps?|instructions?|lines?|order|orders)\b"
    r"|\b(?:run|execute|follow|obey|do)\s+(?:this|these|it|the following|as follows|what it says)\b\s*[:.!]?",
    _WORDS,
)
"""Something tells the reader to carry out what follows."""

ADDRESS = re.compile(r"\byou\b|\byour\b", _WORDS)
"""Second person."""

_NEGATION = re.compile(
    r"\b(?:never|not|don['’]?t|doesn['’]?t|won['’]?t|cannot|can['’]?t|mustn['’]?t|shouldn['’]?t|avoid\w*|refus\w+|reject\w*|"
    r"block\w*|detect\w*|prevent\w*|prohibit\w*|forbid\w*|forbidden|disallow\w*|den(?:y|ies|ied)|without|instead of|rather than|"
    r"resist\w*|beware|guard(?:s|ed)? against|protect\w*|watch (?:out )?for|look(?:s|ing)? for|flag(?:s|ged)?|stop(?:s|ped)?|"
    r"unable to|unless|neither|nor|no longer|ignore attempts|strip\w*|saniti[sz]\w*|filter\w*|"
    r"nunca|jamás|jamais|niemals|nicht|kein\w*|mai|nunca|никогда|не|nie|nooit|niet|不要|不应|不得|禁止|絶対に|しない|금지|절대)"
    r"\b[^.!?\n]{0,90}$",
    _WORDS,
)
_ACTORS = (
    r"attackers?|adversar(?:y|ies)|hackers?|malicious (?:\w+ ){0,2}\w+|bad actors?|threat actors?|criminals?|an? (?:injected|poisoned|"
    r"hostile|crafted|untrusted|compromised) \w+|(?:prompt )?injections?|jailbreaks?|exploits?|malware|payloads?|the attack|"
    r"attacks?|worms?|victims?|intruders?|someone|somebody|users? (?:may|might|could|can|who|tries|try|attempts?)|angreifer\w*|"
    r"atacantes?|attaquants?|aggressori|attaccant\w|invasor\w*|злоумышленник\w*|攻击者|攻擊者|攻撃者|공격자"
)
_THIRD = re.compile(
    rf"(?:\b|(?<=[^\x00-\x7f]))(?:{_ACTORS})(?:\b|(?=[^\x00-\x7f]))[^\n]{{0,160}}$",
    _WORDS,
)
_REPORTED = re.compile(
    r"\b(?:such as|e\.?g\.?|i\.e\.|for (?:example|instance)|like|including|examples?|namely|called|known as|"
    r"(?:phrases?|patterns?|strings?|words?|keywords?|prompts?|text|messages?|comments?|sentences?|lines?|requests?|inputs?|instructions?|"
    r"commands?|content|emails?|pages?|documents?|web ?pages?)\s+(?:\w+\s+){0,3}?(?:like|such as|that (?:says?|tells?|asks?|reads?|tries|"
    r"contains?|attempts?|instructs?)|saying|telling|asking|containing|reading|instructing|trying|attempting|which|of the form)|"
    r"(?:says?|said|saying|reads?|stat(?:es|ing)|contain(?:s|ed|ing)?|includ(?:es|ed)|instruct(?:s|ed|ing)?|tell(?:s|ing)?|told|ask(?:s|ed|ing)?|"
    r"order(?:s|ed|ing)|trick(?:s|ed|ing)?|convinc(?:es|ed|ing)|caus(?:es|ed|ing)|mak(?:es|ing)|forc(?:es|ed|ing)|lead(?:s|ing)?|"
    r"manipulat\w+|coerc\w+|persuad\w+|get(?:s|ting)?|induc\w+|attempt(?:s|ed|ing)?|tr(?:ies|ied|ying)|designed|intended|crafted|used|aim(?:s|ed|ing)?)"
    r"\s+(?:(?:the|an?|it|its|them|that|your|our|any|some|this|to|for|as|in|hidden|following|large|language|ai|llms?|models?|agents?|assistants?|chatbots?|"
    r"systems?|users?|victims?|other|target)\b\s*){1,7}|"
    r"may|might|could|can|would|attempts? to|tries to|trying to|how to (?:detect|prevent|spot|avoid)|whether|if (?:an?|the|any|some) \w+|"
    r"detect(?:s|ing|ion)?|scan(?:s|ning)? for|match(?:es|ing)?|flag(?:s|ging)?|block(?:s|ing|ed)?|catch(?:es)?|regex|checks? for|tests? (?:for|that|whether)|"
    r"instruye\w*|ordena\w*|indica\w*|instruindo\w*|orden[áa]ndole\w*|anweis\w*|demande\w*|istruisce|como|comme|wie|come|z\.b\.|например)"
    r"\b[^.!?\n]{0,100}$",
    _WORDS,
)
_VERDICT = re.compile(
    r"^[^\n]{0,90}?(?:\b(?:is|are|was|were|would be|counts? as|constitutes?)\s+(?:an?\s+)?(?:\w+\s+){0,2}?(?:attacks?|injections?|attempts?|examples?|"
    r"suspicious|malicious|payloads?|red flags?|blocked|refused|rejected|detected|flagged|ignored|dangerous|unsafe)|"
    r"\b(?:attack|injection|attempt|payload|pattern|exploit|vector|technique|jailbreak)s?\b|"
    r"(?:->|=>|→|:)\s*(?:blocked|block|deny|denied|refused?|rejected|critical|high|medium|malicious|dangerous|unsafe))",
    _WORDS,
)
_SUBJECT = re.compile(
    r"prompt.injection|injection|attack|adversar|jailbreak|malicious|untrusted|exploit|vulnerab|threat|exfiltrat|poison|owasp|"
    r"red.team|phish|malware|mitigat|guardrail|sanitiz|sanitis|hijack|attaque|ataque|angriff|攻击|攻擊|攻撃|注入|インジェクション|"
    r"공격|인젝션|атак|инъекц|inyecci|inje[cç][aã]o|security|cve-\d|detect|scanner",
    _WORDS,
)
_SPEAKS = 3
_PAIRS = {
    '"': '"',
    "'": "'",
    "`": "`",
    "«": "»",
    "“": "”",
    "„": "“",
    "‘": "’",
    "「": "」",
    "『": "』",
    "‹": "›",
    "(": ")",
}
_LIST_INTRO = re.compile(
    r"(?:phrases?|patterns?|examples?|strings?|keywords?|indicators?|signs?|attempts?|payloads?|red flags?|attacks?|detects?|"
    r"block(?:ed|s)?|suspicious|malicious|such as|refuse|reject|never|do not|don['’]t|avoid)\b[^\n]{0,80}:\s*$",
    _WORDS | re.MULTILINE,
)


_VALUE = re.compile(r"(?:[\"']\s?:|=)\s?\\?$")
"""A quotation mark behind this opens a value of data or an attribute, and quotes nobody."""


def _sentence(before: str) -> str:
    """The part of the sentence that stands before the match; a line break in a paragraph does not end it."""
    cut = max(
        before.rfind("\n\n"), before.rfind("\n- "), before.rfind("\n* "), before.rfind("\n#"), before.rfind("\n|")
    )
    part = before[cut + 1 :] if cut >= 0 else before
    return part.replace("\n", " ")[-_NEAR:]


def quoted(before: str, after: str) -> str:
    """Whether the match stands inside quotation marks or inline code that open in its line and close behind it."""
    line, rest = before.rpartition("\n")[2][-_NEAR:], after.partition("\n")[0][:_NEAR]
    for opening, closing in _PAIRS.items():
        if opening == "(":
            continue
        if opening == closing:
            marks = [i for i, c in enumerate(line) if c == opening and not _apostrophe(line, i)]
            if len(marks) % 2 and closing in rest and not _VALUE.search(line[: marks[-1]]):
                return "quoted" if opening != "`" else "in inline code"
        elif line.rfind(opening) > line.rfind(closing) and closing in rest:
            return "quoted"
    return ""


def _apostrophe(line: str, index: int) -> bool:
    """Whether a mark is an apostrophe inside a word, or escaped."""
    left, right = line[index - 1 : index], line[index + 1 : index + 2]
    return left == "\\" or (line[index] == "'" and left.isalnum() and (right.isalnum() or right == ""))


def tabular(before: str) -> str:
    """Whether the match stands in a table cell or in a list that is introduced as one of bad phrases."""
    line = before.rpartition("\n")[2]
    if line.lstrip(" >").startswith("|"):
        return "in a table"
    item = line.lstrip(" >")
    if item.startswith(("- ", "* ", "+ ", "• ")) or item[:3].rstrip(". ").isdigit():
        for text in reversed(before.split("\n")[:-1][-8:]):
            bare = text.lstrip(" >")
            if not bare or bare.startswith(("- ", "* ", "+ ", "• ")) or bare[:3].rstrip(". )").isdigit():
                continue
            return "in a list of bad phrases" if _LIST_INTRO.search(text) else ""
    return ""


def negated(before: str, matched: str) -> str:
    """Whether the sentence forbids what the match says."""
    if matched[:8].lower().startswith(("do not", "don't", "never", "without")):
        return ""
    return "negated" if _NEGATION.search(_sentence(before)) else ""


def described(before: str, after: str) -> str:
    """Whether the sentence reports the phrase, or says of somebody else that he does it."""
    sentence = _sentence(before)
    if _THIRD.search(sentence):
        return "said of an attacker"
    if _REPORTED.search(sentence):
        return "described"
    return "described" if _VERDICT.search(after[:_FAR]) else ""


def subject(before: str, after: str) -> str:
    """Whether the surroundings speak about attacks: at least three words of that trade near the match."""
    found = len(_SUBJECT.findall(before)) + len(_SUBJECT.findall(after))
    return "in a text about attacks" if found >= _SPEAKS else ""
