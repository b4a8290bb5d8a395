"""Which passages the learned judge reads: the sentences around words that often stand in orders to an agent.

A passage hangs on such a word alone: it begins with the word's sentence and goes on to the end of a sentence, so it is
the same wherever the text was cut into blocks.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heappush, heappushpop

from inkgate.lean import TYPE_CHECKING, Generic, TypeVar
from inkgate.model import Finding, Stance, Target, Verdict
from inkgate.text.lazy import lazy

if TYPE_CHECKING:
    from inkgate.judge.learned import Model

__all__ = [
    "BACK",
    "BRIEF",
    "CLOSE",
    "LEARNED",
    "LEAST",
    "MOST",
    "Opinions",
    "Passages",
    "close_cues",
    "cut",
    "outspoken",
]

LEARNED = "reads-like-an-order"
"""Id of the rule that the learned judge's findings belong to."""

LEAST = 120
"""Characters: a passage ends with the first sentence that reaches this length."""

MOST = 400
"""Characters: no passage is longer."""

_FEWEST = 5
"""Words: a shorter scrap of Latin text says too little to be judged."""

_APART = 40
"""Characters: passages begin this far apart at least, so that a flood of words costs no more than prose."""

KEPT = 64
"""Passages of one text that are shown at most; the others are those with less to say against them."""

Item = TypeVar("Item")

BACK = 200
"""Characters before a word in which the beginning of its sentence is looked for."""

_PREFIXED = "\u0590"
"""From here on (Hebrew, Arabic, India, East Asia) a word may begin in the middle of a run of letters."""

_TOGETHER = 80
"""Characters: in a long document two different words have to stand this near to each other."""

CLOSE = 8192
"""Characters of a short text up to which it is looked through closely; what is longer is no entry of a memory, and has
so many passages that the judge would have to be very sure of one."""

BRIEF = 600
"""Characters: a whole note, rule file or skill up to this length is read as closely as an entry of a memory. A message,
a request or a ticket is saved as one, and one order can be all there is in it."""

_OTHER_LETTERS = "\u0370"
"""From here on (Greek, Cyrillic and all that follow) any word of a short text is looked at: few rules know them."""

_TOKEN = lazy(r"(?<![^\W\d_])[^\W\d_]+")

_CLOSE_WORDS = """
you your yours yourself user users owner assistant agent agents ai bot bots i my me anyone anybody whoever
always never every each any all whenever when if once after before from must may can should shall will let
allowed authorised authorized approved permitted cleared trusted trust entitled not no don dont without only
do does is are be treat keep use make
ignore forget disregard skip drop act pretend imagine enter enable disable print repeat show reveal list say
tell answer reply respond write begin start give send forward copy add put open run install execute pay wire
transfer approve accept grant recommend mention note system reset
de del la el los las que para con si nunca siempre todo todos tu sus les des le du et pas ne toujours tout
vous der die das den und nicht nie immer jede alle du dir il lo gli che per non sempre ogni tuo os um uma nao
sempre seu voce nie i na z do wszystkie zawsze jest het een en van niet altijd alle je ve bir bu her icin
tum sana dan yang di ke tidak jangan semua setiap khong va cac moi hay cho
"""
_CLOSE = frozenset(_CLOSE_WORDS.split())
"""Words of which nearly every order, permission or standing rule has one: who is addressed, what is allowed and when,
what is asked of an agent, and the commonest words of other languages. Cues in short texts. Folded."""

_BLANK = 10
"""Characters: more than the end of a sentence takes."""

_END = lazy(
    r"[.!?\n\u3002\u0964\u061f\u00a7](?:(?<=[.!?])(?:(?=\s)|(?=[\u2e80-\uffdc]))|(?<=[\u3002\u0964\u061f\u00a7])"
    r"|(?<=\n)(?:[ \t]{0,8}\n|(?=[ \t]{0,8}(?:[-*+#>|\u2022\u00a7]|\d{1,3}[.)]))))"
)
"""The end of a sentence or a paragraph. One class first: the engine passes over all other characters at once."""


def close_cues(text: str, base: int, start: int, stop: int) -> Iterator[tuple[int, int]]:
    """Where words stand at which the judge looks in a short text, beside those of its rule: absolute ranges.

    Args:
        text: the buffered part of the folded, lower-cased view.
        base: absolute position of its first character.
        start: absolute position from which on words begin.
        stop: absolute position before which they begin.
    """
    for found in _TOKEN.finditer(text, max(start - base, 0)):
        low, high = found.span()
        if base + low >= stop:
            return
        if text[low] >= _OTHER_LETTERS or found.group() in _CLOSE:
            yield base + low, base + high


class Passages:
    """Turns words that were hit, in order of their place, into passages of one text.

    Args:
        pairs: whether one word is not enough, as in documents; otherwise the text is a short one, read closely.
    """

    __slots__ = ("_close", "_ended", "_judged", "_last", "_pairs")

    def __init__(self, *, pairs: bool) -> None:
        self._pairs = pairs
        self._close = CLOSE if pairs else 0
        self._judged = 0
        self._ended = 0  # where the sentence of the last word ended
        self._last = (0, "")

    def close(self, text: str, base: int, limit: int) -> Iterator[tuple[int, int]]:
        """The words of a short text at which the judge looks, beside those of its rule: absolute ranges, in order.

        What is judged when the next one is asked for is passed over. Exhaust the iterator before the next call.

        Args:
            text: the buffered part of the folded, lower-cased view.
            base: absolute position of its first character.
            limit: absolute position before which the words end.
        """
        while (start := max(self._close, self._judged)) < CLOSE:
            for low, high in close_cues(text, base, start, CLOSE):
                if high >= limit:
                    return
                self._close = high
                yield low, high
                break
            else:
                return

    def around(self, text: str, base: int, start: int, end: int) -> tuple[int, int, int] | None:
        """The passage of a word: where it begins, where the word's sentence ends, where it ends; None when there is
        nothing new to judge.

        Args:
            text: the buffered part of the folded, lower-cased view; `BACK` characters before the word and
                `BACK + MOST` behind it are there, unless the view ends before.
            base: absolute position of its first character.
            start: absolute position of the word.
            end: just past it.
        """
        if start < self._judged or _inside_word(text, start - base):
            return None
        word = text[start - base : end - base]
        before, last = self._last
        self._last = (start, word)
        place = start
        if self._pairs:
            if not last or last == word or start - before > _TOGETHER or before < self._judged:
                return None
            place = max(before, base)
        low = _sentence(text, base, place - base, self._ended - base)
        high = _stop(text, low, end - base)
        found = _END.search(text, end - base, high)
        stop = base + (found.end() if found else high)
        self._judged = max(stop, start + _APART)
        self._ended = stop if found else 0
        passage = text[low:high]
        if passage.isascii() and len(passage.split(None, _FEWEST)) < _FEWEST:
            return None
        return base + low, stop, base + high


class Opinions(Generic[Item]):
    """What the learned judge thinks of the passages of one text.

    How sure it has to be depends on the length of the whole text, so opinions wait until that is known. The model is
    loaded when the first passage comes.

    Args:
        target: what the text is written to.
    """

    __slots__ = ("_count", "_items", "_least", "_model", "_target")

    def __init__(self, target: Target) -> None:
        self._target = target
        self._items: list[tuple[float, int, Item]] = []
        self._count = 0
        self._least = 0.0
        self._model: Model | None = None

    def weigh(self, text: str) -> float | None:
        """The model's score of a passage of folded, lower-cased text; None when it cannot come to matter here.

        Raises:
            InkgateError: the model cannot be read.
        """
        model = self._model
        if model is None:
            from inkgate.judge.learned import learned

            model = self._model = learned()
            self._least = model.least(self._target)
        score = model.score(text)
        full = len(self._items) == KEPT
        return None if score < self._least or (full and score <= self._items[0][0]) else score

    def reason(self, text: str) -> str:
        """What weighed most in a passage that was weighed."""
        return self._model.explain(text) if self._model is not None else ""

    def keep(self, score: float, item: Item) -> None:
        """Keep what was made of a passage, with its score, until `take`."""
        self._count += 1
        entry = (score, -self._count, item)
        if len(self._items) < KEPT:
            heappush(self._items, entry)
        else:
            heappushpop(self._items, entry)

    def take(self, length: int) -> list[Item]:
        """What counts in a text of `length` characters; each is handed out once."""
        if self._model is None:
            return []
        least = self._model.threshold(self._target, length)
        items, self._items = self._items, []
        return [item for score, _, item in sorted(items, key=lambda entry: -entry[1]) if score >= least]


def outspoken(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Findings without those of the learned judge where a rule has spoken: it found the same, or knows it is a mention.

    Args:
        findings: of one text, with their verdicts.
    """
    own = [item for item in findings if item.rule == LEARNED]
    if not own:
        return tuple(findings)
    said = [
        item
        for item in findings
        if item.rule != LEARNED and (item.verdict is not Verdict.ALLOW or item.stance is Stance.MENTION)
    ]
    dropped = {id(item) for item in own for other in said if other.start < item.end and item.start < other.end}
    return tuple(item for item in findings if id(item) not in dropped)


def _inside_word(text: str, place: int) -> bool:
    """Whether letters stand directly before a place, in a script that parts words and does not put articles on them."""
    return place > 0 and text[place] < _PREFIXED and text[place - 1].isalnum()


def _sentence(text: str, base: int, place: int, known: int) -> int:
    """Where the sentence of a position begins, at most `BACK` characters before it.

    Before it a sentence may be `known` to have ended, so that no earlier one is looked for.
    """
    low = max(0, place - BACK)
    begin = -1
    if known > low + _BLANK:
        low = begin = known
    for found in _END.finditer(text, low, place):
        begin = found.end()
    if begin < 0:
        begin = low
        if base + low > 0:
            blank = text.find(" ", low, place)
            begin = low if blank < 0 else blank + 1
    while begin < place and text[begin].isspace():
        begin += 1
    return begin


def _stop(text: str, start: int, least: int) -> int:
    """Where the passage ends: behind a sentence, or between words when that is too far."""
    most = min(len(text), start + MOST)
    found = _END.search(text, min(max(start + LEAST, least), most), most)
    if found:
        return found.end()
    if most < len(text):
        blank = text.rfind(" ", max(least, start + LEAST), most)
        if blank > 0:
            return blank
    return max(most, least)


def cut(text: str) -> Iterator[tuple[int, int]]:
    """A whole text as passages one behind the other, as the model was taught with."""
    start = 0
    while start < len(text):
        stop = _stop(text, start, start + 1)
        yield start, stop
        start = stop
        while start < len(text) and text[start].isspace():
            start += 1
