"""One view of a text: the text itself, or a decoded fragment, with everything that reads it."""

from __future__ import annotations

from collections.abc import Callable

from inkgate.judge.context import AFTER, BEFORE, SHORT
from inkgate.judge.passages import BACK, BRIEF, MOST, Passages
from inkgate.lean import TYPE_CHECKING
from inkgate.match.engine import Matcher, SearchTimeout
from inkgate.match.keywords import Keywords
from inkgate.match.rules import RuleSet
from inkgate.text.fold import fold
from inkgate.text.lazy import lazy
from inkgate.text.unwrap import AHEAD, BEHIND, MAX_DEPTH, About, Unwrapped, Unwrapper
from inkgate.text.view import View

if TYPE_CHECKING:
    from inkgate.scan import Scan

__all__ = ["Layer"]

_ONCE = frozenset(
    ["spaced", "glued", "leet", "typo", "turned", "reversed", "reversed-words", "fields", "told", "apart", "unseen"]
)
"""Ways of writing that are read at most once on the way to a fragment. Undoing one leaves nothing that the same way
could hide; what it makes of ordinary text (`3 | 4 | 5`) would only be rewritten again and again."""

_LAID_OUT = frozenset(["emphasis", "html-tag", "layout", "link", "spaced"])
"""Ways of laying a text out. A page of HTML in a file of data has two or three of them beside what encodes it; they
count as no depth, as long as there are at most `_SPARE` of them."""

_SPARE = 2

_SOFT = "\xad"
_HYPHENATED = lazy(r"\xad(?=[\r\n\x0b\x0c\x85\u2028\u2029])")
"""A soft hyphen at the end of a line is one that is seen: the word goes on in the next. Elsewhere folding drops it."""

_LOOK_BACK = 96
"""Characters kept before the earliest window, for lookbehinds."""


class Layer:
    """One view of the text (the text itself, or a decoded fragment) and everything that reads it."""

    __slots__ = (
        "_about",
        "_changed",
        "_held",
        "_lag",
        "_matcher",
        "_passages",
        "_scan",
        "_to_parent",
        "_unwrapper",
        "chain",
        "view",
    )

    def __init__(
        self,
        scan: Scan,
        chain: tuple[str, ...],
        to_parent: Callable[[int, int], tuple[int, int]],
        changed: Callable[[int, int], bool] | None = None,
        about: About | None = None,
    ) -> None:
        self._scan = scan
        self.chain = chain
        self._to_parent = to_parent
        self._changed = changed
        self._about = about
        self._held = False
        self.view = View()
        self._matcher = Matcher(scan.rules, scan.target)
        self._passages = Passages(pairs=scan.target not in SHORT)
        self._unwrapper = Unwrapper(scan.budget, self.fresh if changed is not None else None, chain)
        self._lag = _lag(scan.rules)

    def fresh(self, start: int, end: int) -> bool:
        """Whether an absolute range of the view holds something that the text around the fragment does not show."""
        return self._changed is None or self._changed(*self.view.place(start, end))

    def feed(self, text: str, origin: int, *, final: bool) -> None:
        """Read the next piece, whose first character is number `origin` of the layer's own text."""
        scan, view = self._scan, self.view
        if self._held:
            text, origin, self._held = _SOFT + text, origin - 1, False
        if text.endswith(_SOFT) and not final:
            text, self._held = text[:-1], True  # what it is, the next piece tells
        folded = fold(_HYPHENATED.sub("\u2010", text) if _SOFT in text else text)
        if not folded.identity or folded.lower is not text:
            scan.views.add("folded")
        view.append(folded, origin)
        limit = view.end + 1 if final else view.end - self._lag
        self._match(limit)
        if final and self._brief():
            self._passages = Passages(pairs=False)  # nothing was judged yet: the lag is longer than a brief note
        self._judge(limit)
        upto = view.end if final else max(view.base, view.end - AHEAD)
        about = self._about if folded.identity else None
        for item in self._unwrapper.feed(view.cased, view.base, upto, final=final, about=about):
            self._unwrap(item)
        if final:
            del self._unwrapper  # it may refer to this layer: without it, nothing is left for the garbage collector
        else:
            view.trim(min(limit - self._lag, upto - BEHIND) - _LOOK_BACK - BEFORE)

    def _brief(self) -> bool:
        """Whether this is the whole of a text that is no longer than a message, and not read closely anyway."""
        return not self.chain and self.view.end <= BRIEF and self._scan.target not in SHORT

    def _match(self, limit: int) -> None:
        scan, fresh = self._scan, None if self._changed is None else self.fresh
        for found in self._matcher.matches(self.view, limit, fresh):
            if isinstance(found, SearchTimeout):
                span = self.place(found.start, min(found.end, self.view.end))
                scan.place(scan.rules.by_id["search-timeout"], *span, depth=len(self.chain))
                continue
            wanted = fresh is None or fresh(max(found.start - found.rule.lead, self.view.base), found.end)
            if wanted and not scan.consider(self, found) and found.rule.value:
                self._matcher.refuse()

    def _judge(self, limit: int) -> None:
        """Have the passages judged whose words end before an absolute position; later ones may not be whole yet."""
        cues, passages, lower, base = self._matcher.cues, self._passages, self.view.lower, self.view.base
        cues.sort(key=lambda cue: (cue[1], cue[0]))  # they are noted where an anchor inside them was seen
        count = sum(end < limit for _, end in cues)
        place = 0
        close = passages.close(lower, base, limit)
        near = next(close, None)
        while near is not None or place < count:
            if near is None or (place < count and cues[place][::-1] <= near[::-1]):
                cue, place = cues[place], place + 1
            else:
                cue = near
            passage = passages.around(lower, base, *cue)
            if cue is near:
                near = next(close, None)  # only now: what is judged is passed over
            if passage is not None and self.fresh(*cue):
                self._scan.weigh(self, cue, *passage)
        del cues[:count]

    def _unwrap(self, item: Unwrapped) -> None:
        if item.encoding in _ONCE and item.encoding in self.chain:
            return
        scan = self._scan
        span = self.place(*item.place(0, len(item.text)))
        if item.truncated:
            scan.place(scan.rules.by_id["decoding-budget"], *span, depth=len(self.chain))
        if len(self.chain) - min(_SPARE, sum(map(_LAID_OUT.__contains__, self.chain))) >= MAX_DEPTH:
            scan.place(scan.rules.by_id["nesting-too-deep"], *span, depth=len(self.chain))
            return

        def to_original(start: int, end: int) -> tuple[int, int]:
            return self.place(*item.place(start, end))

        scan.inner(item.text, item.encoding, self.chain, to_original, None if item.new else item.changed, item.about)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The range of the original text that an absolute range of this view covers."""
        return self._to_parent(*self.view.place(start, end))

    def oldest(self, default: int) -> int:
        """Offset of the first original character that the buffered view still refers to."""
        return self.view.source(self.view.base) if self.view.cased else default


def _lag(rules: RuleSet) -> int:
    """Characters before the end of what is known in which matches are not looked for yet."""
    keywords: Keywords = rules.once("keywords", Keywords)
    return 2 * keywords.reach + max(AFTER, BACK + MOST)
