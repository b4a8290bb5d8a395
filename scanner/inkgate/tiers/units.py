"""The statements of a summary and of a session, each with the messages that it comes from."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from unicodedata import normalize

from inkgate.model import Target
from inkgate.store.recall import Passage

from .likeness import words
from .model import Source
from .phrases import says

__all__ = ["Unit", "from_session", "from_summary", "is_personal", "locate"]

LONGEST_ENTRY = 300  # characters of a statement that may always be in context
_SUPPORT = 0.5  # share of the weight of its words that a message must have to count as where a statement comes from
_MOST = 6  # messages that are named

_HEADING = re.compile(r"^ {0,3}(#{1,6})\s{1,8}(\S.{0,199})$")
_LABEL = re.compile(r"^\s{0,3}(?:\*\*|__)?([^:*_\n]{3,60}?)(?:\*\*|__)?:(?:\*\*|__)?\s*$")
_ITEM = re.compile(r"^(\s*)(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?(.*)$")
_FENCE = re.compile(r"^\s*(?:```|~~~)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z\"'(\[À-Þ])|(?<=[。！？])\s*|\n+")

_LEAD = (
    r"(?:(?:please|pls|ok(?:ay)?|also|and|hey|so|now|but|btw|one more thing|can you|could you|would you|"
    r"you (?:should|must|need to)|(?:I|we) (?:want|need|would like) you to)[\s,:]{1,8}){0,3}"
)
_REMEMBER = re.compile(
    rf"^\W{{0,8}}{_LEAD}(?:"
    r"(?:remember|keep in mind|make a note|take note|don['’]?t forget|do not forget|bear in mind)"
    r"(?: (?:this|that|the following|of this|for (?:later|me|next time)|please))*|"
    r"(?:note|save|store|write|memori[sz]e|keep|put)(?: down)? (?:this|that|the following)(?: (?:down|in mind|"
    r"in (?:your )?memory|for (?:later|me|next time)))*|note to self|for (?:the record|future reference)"
    r")\s{0,8}(?:[:,;–—-]\s{0,8}|\s{1,8}that\s{1,8}|\s{1,8}|$)"
    r"|^\W{0,8}(?:bitte )?(?:merke? dir|denk daran|vergiss nicht)(?: bitte)?[\s,:]{1,8}(?:dass )?"
    r"|^\W{0,8}(?:souviens-toi|souvenez-vous|retiens|n['’]oublie pas)[\s,:]{1,8}(?:que |qu['’])?"
    r"|^\W{0,8}(?:recuerda|no olvides|lembre-se|não esqueça|ricorda(?:ti)?|non dimenticare)[\s,:]{1,8}"
    r"(?:de )?(?:que |che )?"
    r"|^\W{0,8}(?:onthoud|vergeet niet|zapamiętaj|запомни|не забудь)[\s,:]{1,8}(?:dat |że |что )?"
    r"|^\W{0,8}(?:请|請)?(?:记住|記住|记得|記得)[:：,，、\s]{0,8}",
    re.IGNORECASE,
)
_REMEMBER_END = re.compile(
    r"[\s,;:.–—-]{1,8}(?:please[\s,]{1,8})?(?:remember|note|keep|save|don['’]?t forget)(?: (?:this|that|it))"
    r"(?: in mind| down)?(?:[\s,]{1,8}please)?\W{0,8}$"
    r"|[、,，\s]{0,8}(?:を|と|って)?(?:覚えておいて|覚えて|기억해\s?(?:줘|주세요|두세요)?|记住(?:这个|这一点)?)(?:ください|ね|下さい)?[。.!！\s]{0,8}$",
    re.IGNORECASE,
)
_DECIDED = re.compile(
    r"\b(?:we|I)(?:['’]ve| have)?\s+(?:now\s+|finally\s+)?(?:decided|agreed|settled on|chose|resolved)\b|"
    r"\bdecision\s*:|\bit(?:['’]s| is| was) decided\b|\bfrom now on\b|\bas of (?:now|today)\b|\bgoing forward\b",
    re.IGNORECASE,
)
_DECISIONS = re.compile(r"\bdecisions?\b|\bconventions?\b|\bto remember\b", re.IGNORECASE)
_PERSONAL = re.compile(
    r"\b(?:I (?:always|never|usually|prefer|like|love|hate|dislike|want you to|work (?:as|at|for|in)|live in|"
    r"am allergic)|my (?:name|e-?mail|time ?zone|pronouns|birthday|job|team|manager|editor|shell|keyboard|"
    r"preferred \w+)\b|call me|(?:the )?user(?:['’]s)? (?:prefers?|likes?|dislikes?|wants?|name is|works?|lives?|"
    r"time ?zone|e-?mail|is called))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Unit:
    """One statement.

    Attributes:
        text: the statement, on its own.
        source: where it comes from.
        heading: the headings that it stands under in the summary.
        explicit: somebody asked for it to be kept, or it is a decision.
        personal: it is about the user.
        trusted: a person, or the agent itself, said it; what a tool or a page said stays out of the memory.
        retold: it is a summary's wording of what the messages say.
    """

    text: str
    source: Source
    heading: str = ""
    explicit: bool = False
    personal: bool = False
    trusted: bool = True
    retold: bool = False

    @property
    def target(self) -> Target:
        """The store whose entry it could be."""
        return Target.USER if self.personal else Target.MEMORY

    @property
    def entry(self) -> bool:
        """Whether it is worth the fixed budget: short, asked for or personal, and from somebody who may."""
        return self.trusted and (self.explicit or self.personal) and len(self.text) <= LONGEST_ENTRY


def is_personal(text: str) -> bool:
    """Whether a statement is about the user."""
    return _PERSONAL.search(text) is not None or says("personal", normalize("NFKC", text))


def _is_decided(text: str) -> bool:
    return _DECIDED.search(text) is not None or says("decided", normalize("NFKC", text))


def _is_of_decisions(heading: str) -> bool:
    return _DECISIONS.search(heading) is not None or says("decisions", normalize("NFKC", heading))


# --- the summary -----------------------------------------------------------------------------------------------------


def from_summary(summary: str, session: str, messages: Sequence[Passage]) -> list[Unit]:
    """The statements of a compaction summary, in order: items of lists, sentences, fenced blocks whole."""
    index = _Index(messages)
    units = []
    for heading, text in _pieces(summary):
        spans, roles = index.locate(text)
        source = Source("session", session, spans, roles)
        explicit = bool(_is_decided(text) or _REMEMBER.match(text) or _is_of_decisions(heading))
        personal = is_personal(text)
        # What is said of the user counts when the user said it; an agent repeats what it has read.
        trusted = "user" in roles or ("assistant" in roles and not personal)
        units.append(Unit(text, source, heading, explicit, personal, trusted, retold=True))
    return units


def _pieces(summary: str) -> Iterable[tuple[str, str]]:
    headings: list[tuple[int, str]] = []
    block: list[str] = []
    fenced = False

    def told() -> str:
        return " / ".join(text for _, text in headings)

    def flush() -> Iterable[tuple[str, str]]:
        text = "\n".join(block).strip()
        block.clear()
        if text:
            whole = _FENCE.match(text) is not None
            yield from ((told(), piece) for piece in ([text] if whole else _sentences(text)))

    for line in summary.splitlines():
        if _FENCE.match(line):
            if not fenced:
                yield from flush()
            block.append(line)
            fenced = not fenced
            if not fenced:
                yield from flush()
            continue
        if fenced:
            block.append(line)
            continue
        heading, item, label = _HEADING.match(line), _ITEM.match(line), _LABEL.match(line)
        if heading or (label and not item):
            yield from flush()
            level = len(heading[1]) if heading else 7
            headings = [pair for pair in headings if pair[0] < level]
            headings.append((level, (heading or label or line)[2 if heading else 1].rstrip(" #")))
        elif item:
            yield from flush()
            block.append(item[2])
        elif not line.strip():
            yield from flush()
        else:
            block.append(line.strip())
    yield from flush()


def _sentences(text: str) -> list[str]:
    """Sentences, where a text has several; a short one stays with the one before it."""
    if len(text) <= LONGEST_ENTRY and "\n" not in text:
        return [text]
    found: list[str] = []
    for piece in filter(None, (part.strip() for part in _SENTENCE.split(text))):
        if found and len(piece) < 20:
            found[-1] += " " + piece
        else:
            found.append(piece)
    return found


# --- the session -----------------------------------------------------------------------------------------------------


def from_session(session: str, messages: Sequence[Passage]) -> list[Unit]:
    """What a person asked to be kept, what was decided, and what a person said of themselves, in the session itself.

    Only what people type themselves counts: quoted lines and fenced blocks are somebody else's words.
    """
    units: list[Unit] = []
    for message in messages:
        if message.role in ("user", "assistant"):
            source = Source("session", session, ((message.number, message.number),), (message.role,))
            units += _said(message, source)
    return units


def _said(message: Passage, source: Source) -> list[Unit]:
    units: list[Unit] = []
    listed = False  # a request is open: "remember this:", and what is meant follows
    for sentence in _sentences_of(message.text):
        if not sentence:
            listed = False
            continue
        if message.role == "user":
            text, asked = _asked(sentence)
            if asked and not text:
                listed = True
                continue
            if (asked or listed) and text:
                text = _ITEM.sub(r"\2", text)
                units.append(Unit(text, source, explicit=True, personal=is_personal(text)))
                continue
        if sentence.endswith("?"):
            continue
        personal = message.role == "user" and is_personal(sentence)
        decided = _is_decided(sentence)
        if personal or decided:
            units.append(Unit(sentence, source, explicit=decided, personal=personal))
    return units


def _asked(sentence: str) -> tuple[str, bool]:
    """What is left of a sentence without the request to keep it, and whether there is one."""
    for pattern in (_REMEMBER, _REMEMBER_END):
        found = pattern.search(sentence)
        if found is None or (sentence.endswith("?") and pattern is _REMEMBER_END):
            continue
        rest = (sentence[found.end() :] if pattern is _REMEMBER else sentence[: found.start()]).strip(" \t?")
        return (rest[:1].upper() + rest[1:]), True
    return sentence, False


def _sentences_of(text: str) -> list[str]:
    """The sentences that somebody typed; an empty one where a paragraph ends."""
    found: list[str] = []
    fenced = False
    for line in text.splitlines():
        if _FENCE.match(line):
            fenced = not fenced
        elif fenced or line.lstrip().startswith(">"):
            continue
        elif not line.strip():
            found.append("")
        else:
            found += [part.strip() for part in _SENTENCE.split(line) if part and part.strip()]
    return found


# --- where a statement comes from ------------------------------------------------------------------------------------


def locate(text: str, messages: Sequence[Passage]) -> tuple[tuple[tuple[int, int], ...], tuple[str, ...]]:
    """The runs of messages that a statement comes from, and who said them; nothing when no message supports it."""
    return _Index(messages).locate(text)


class _Index:
    """Which words stand in which messages."""

    def __init__(self, messages: Sequence[Passage]) -> None:
        self._messages = messages
        self._places: dict[str, list[int]] = defaultdict(list)
        for place, message in enumerate(messages):
            for word in words(message.text):
                self._places[word].append(place)

    def locate(self, text: str) -> tuple[tuple[tuple[int, int], ...], tuple[str, ...]]:
        own = words(text)
        total = 0.0
        scores: dict[int, float] = defaultdict(float)
        for word in own:
            places = self._places.get(word, ())
            weight = math.log(1 + len(self._messages) / (1 + len(places)))
            total += weight
            for place in places:
                scores[place] += weight
        if not scores:
            return (), ()
        best = max(scores.values())
        if best < _SUPPORT * total:
            return (), ()
        near = [place for place, score in scores.items() if score >= max(0.8 * best, _SUPPORT * total)]
        chosen = sorted(sorted(near, key=lambda place: (-scores[place], place))[:_MOST])
        numbers = [self._messages[place].number for place in chosen]
        roles = tuple(dict.fromkeys(self._messages[place].role for place in chosen))
        return _runs(numbers), roles


def _runs(numbers: list[int]) -> tuple[tuple[int, int], ...]:
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return tuple(runs)
