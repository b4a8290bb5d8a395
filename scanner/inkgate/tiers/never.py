"""What never moves from one tier to another, each with its reason: secrets, raw dumps, ephemera, facts at hand.

The rules look at the shape of a text, never at its subject, and say which they are. They are strict about what is
certain and let the rest pass: a text that moves needlessly costs a line, a fact that is refused may be gone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from unicodedata import normalize

from inkgate.model import Category, Finding, Verdict

from .phrases import says

__all__ = ["DUMP_CHARACTERS", "DUMP_LINES", "Objection", "objection"]

DUMP_CHARACTERS = 4_000  # a longer text is not a fact; a person or a model has to say in fewer words what it means
DUMP_LINES = 12  # lines of output in one text

_MARK = re.compile(r"\[(?:REDACTED|secret): ?[a-z0-9-]+[^\]]{0,12}\]", re.IGNORECASE)

_FENCE = re.compile(r"^ {0,3}(?:```|~~~)", re.MULTILINE)
_OUTPUT = re.compile(
    r"""\s{0,8}(?:
        [\[({]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d                           # a time stamp
        | (?:[A-Z][a-z]{2}\s+\d{1,2}\s+)?\d\d:\d\d:\d\d[.,\s]
        | (?:DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|TRACE)\b[\s:\]]
        | (?:[-dlbcps][rwxsStT-]{9})[.+@]?\s                          # ls -l
        | (?:Traceback\ \(most|File\ "[^"]{1,300}",\ line\ \d+|at\ [\w.$<>]{1,200}\(|\#\d+\s+0x)  # stack traces
        | (?:diff\ --git|@@\ -\d+|index\ [0-9a-f]{7,}\.\.|[+-]{3}\ [ab]/)
        | [0-9a-f]{4,8}[:\s]\s*(?:[0-9a-f]{2,4}\s+){4,}               # a hex dump
        | [{}\[\]"][^\n]{0,200}[,{}\[\]]\s*$                          # JSON
        | <\/?[a-zA-Z][\w:-]{0,40}[^<>\n]{0,200}>\s*(?:<|$)           # markup
        | (?:[^\s|]{1,40}[\t|]{1,2}){3}                                # a table of a program
        | \S{100,}\s*$                                                # encoded data
    )""",
    re.VERBOSE,
)

_PAIR = re.compile(r"""['"][\w -]{1,60}['"]\s*[:=]\s*(?:['"\[{]|-?\d|true|false|null|none)""", re.IGNORECASE)
_PAIRS = 3  # of a name and a value: a record, however much prose is in it

_SECTION = re.compile(
    r"\b(?:in progress|next steps?|to ?-?do|pending(?: tasks?| work)?|current (?:state|status|task|step)|open tasks?|"
    r"remaining (?:tasks?|work|steps)|work in progress|scratch(?:pad)?)\b",
    re.IGNORECASE,
)
_EPHEMERAL = (
    (
        re.compile(
            r"^\W*(?:(?:I|we)(?:['’]m| am|['’]re| are)|(?:is|are) (?:now|currently)|currently|right now|at the moment|"
            r"still) (?:now |currently |just |still )?(?:running|waiting|working|looking|reading|checking|testing|"
            r"trying|debugging|about to|building|installing|writing|editing|on (?:step|line|page))\b",
            re.IGNORECASE,
        ),
        "what somebody is doing at the moment",
    ),
    (
        re.compile(
            r"\b(?:the )?(?:build|tests?|job|pipeline|deploy(?:ment)?|download|install(?:ation)?|migration|process|"
            r"server|command|query|upload)s? (?:is|are) (?:now |currently |still )(?:running|in progress|pending|"
            r"queued|failing|waiting|at \d+ ?%)",
            re.IGNORECASE,
        ),
        "the state of something that is still running",
    ),
    (
        re.compile(r"\b(?:step|task|item) \d+ (?:of|/) \d+\b|\b\d{1,3} ?% (?:done|completed?)\b", re.IGNORECASE),
        "progress",
    ),
    (
        re.compile(
            r"\b(?:in|for|during|of) (?:this|the current) (?:session|conversation|chat|turn|context)\b"
            r"|\b(?:this|the current) (?:session|conversation|chat) (?:is|was|has|began|ends?)\b"
            r"|\b(?:my|the) last (?:message|reply|answer)\b",
            re.IGNORECASE,
        ),
        "something about the session itself",
    ),
    (re.compile(r"^\W*(?:TODO|FIXME|next(?: step)?|then)\s*:", re.IGNORECASE), "a step that is still to be done"),
    (
        re.compile(
            r"\b(?:pid|process id|job id|run id|session id|request id)\b\W{0,3}(?:is |was )?#?\d+"
            r"|(?<![\w/])/(?:tmp|var/folders|dev/shm)/\S",
            re.IGNORECASE,
        ),
        "a number or a path that is gone when the process ends",
    ),
)  # fmt: skip

_DERIVABLE = (
    (
        re.compile(
            r"^\W*(?:(?:today|it|now|the (?:current )?(?:date|time|day)(?: today)?) is|today['’]s date is|"
            r"the time is now)\s+(?:now\s+)?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\d{1,4}[-:./]\d|"
            r"(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|"
            r"\d{1,2}(?:st|nd|rd|th)?\b)",
            re.IGNORECASE,
        ),
        "the date or the time, which a clock tells",
    ),
    (
        re.compile(
            r"\b(?:there (?:are|is)|has|have|contains?|holds?|with) (?:exactly |about |now |currently )?[\d,]+ "
            r"(?:files?|lines?|folders?|director(?:y|ies)|commits?|branches|functions?|classes|tests|words|"
            r"characters|bytes|rows)\b(?! (?:per|each|a day|limit|at most|is the limit|maximum))",
            re.IGNORECASE,
        ),
        "a count that a command tells",
    ),
    (
        re.compile(
            r"^\W*(?:the )?(?:current (?:working )?(?:directory|folder|branch|user)|cwd|pwd|hostname|HEAD|"
            r"git status|working tree) (?:is|was|shows?|says?)\b",
            re.IGNORECASE,
        ),
        "something that a command tells",
    ),
    (
        re.compile(
            r"^\W*(?:the )?(?:installed |current )?(?:version of )?[\w.+-]{1,40}(?: version| is version|'s version)?"
            r" (?:installed )?(?:here |on this machine )?is (?:at )?(?:version )?v?\d+\.\d+(?:\.\d+)?"
            r"(?: installed)?\W*$",
            re.IGNORECASE,
        ),
        "a version that a command tells",
    ),
    (re.compile(r"^\W*[\d\s.,()+*/×÷^-]+=\s*-?[\d.,]+\W*$"), "a sum"),
    (
        re.compile(
            r"^\W*(?:the )?(?:file|folder|directory) \S{1,200} (?:exists|is (?:empty|there|present))\W*$",
            re.IGNORECASE,
        ),
        "whether a file is there",
    ),
)  # fmt: skip


_EPHEMERAL_FAMILIES = {  # of other languages, see `phrases`
    "doing": "what somebody is doing at the moment",
    "state": "the state of something that is still running",
    "progress": "progress",
    "session": "something about the session itself",
    "next": "a step that is still to be done",
}
_DERIVABLE_FAMILIES = {
    "today": "the date or the time, which a clock tells",
    "count": "a count that a command tells",
    "at-hand": "something that a command tells",
    "version": "a version that a command tells",
    "exists": "whether a file is there",
}


@dataclass(frozen=True, slots=True)
class Objection:
    """Why a text does not move.

    Attributes:
        code: `never-secret`, `never-dump`, `never-ephemeral` or `never-derivable`.
        reason: one sentence; does not repeat the text.
        hint: what to do instead.
    """

    code: str
    reason: str
    hint: str


def objection(
    text: str, findings: tuple[Finding, ...] = (), *, heading: str = "", procedure: bool = False
) -> Objection | None:
    """The rule that keeps a text where it is; None when there is none.

    Args:
        text: what is to move.
        findings: what the scanner says about it.
        heading: the headings that it stands under.
        procedure: it is a procedure, whose steps may well be commands and temporary paths; only secrets count.
    """
    if _MARK.search(text) or any(_is_secret(item) for item in findings):
        return Objection(
            "never-secret", "A secret never moves between tiers, not even masked.",
            "Note where the value is kept (its name in the password store) instead.",
        )  # fmt: skip
    if procedure:
        return None
    return _dump(text) or _ephemeral(text, heading) or _derivable(text)


def _is_secret(finding: Finding) -> bool:
    return finding.category is Category.SECRET and finding.verdict is not Verdict.ALLOW


def _dump(text: str) -> Objection | None:
    lines = [line for line in text.splitlines() if line.strip()]
    output = sum(1 for line in lines if _OUTPUT.match(line))
    fenced = len(lines) if len(_FENCE.findall(text)) >= 2 else 0
    if len(text) > DUMP_CHARACTERS:
        why = f"It has {len(text):,} characters; {DUMP_CHARACTERS:,} are allowed."
    elif fenced > DUMP_LINES or (output > DUMP_LINES // 2 and output * 2 > len(lines)):
        why = "Most of its lines are the output of a program or a listing."
    elif len(_PAIR.findall(text)) >= _PAIRS:
        why = "It is a record of names and values."
    elif len(lines) == 1 and _OUTPUT.match(lines[0]) and not re.search(r"[^\W\d_]{2,} [^\W\d_]{2,} [^\W\d_]{2,}", text):
        why = "It is a line of a program's output."
    else:
        return None
    return Objection("never-dump", f"A raw dump never moves between tiers. {why}", "Say in a sentence what it shows.")


def _said(text: str, families: Mapping[str, str]) -> str:
    """What a text says in another language than English; empty when it says none of it."""
    text = normalize("NFKC", text)
    return next((what for family, what in families.items() if says(family, text)), "")


def _ephemeral(text: str, heading: str) -> Objection | None:
    found = next((what for pattern, what in _EPHEMERAL if pattern.search(text)), "") or _said(text, _EPHEMERAL_FAMILIES)
    if not found and (_SECTION.search(heading) or says("section", normalize("NFKC", heading))):
        found = "an open task"
    if not found:
        return None
    reason = f"What only counts in its session never moves between tiers. This is {found}."
    return Objection("never-ephemeral", reason, "If a lasting fact is behind it, state that fact.")


def _derivable(text: str) -> Objection | None:
    found = next((what for pattern, what in _DERIVABLE if pattern.search(text)), "") or _said(text, _DERIVABLE_FAMILIES)
    if not found:
        return None
    reason = f"A fact that is at hand whenever it is needed never moves between tiers. This is {found}."
    return Objection("never-derivable", reason, "If a convention is behind it, state the convention.")
