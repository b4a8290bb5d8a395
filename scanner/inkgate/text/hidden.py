"""Finds invisible, misleading and non-textual characters in raw text, block by block.

What is reported does not depend on how the text is cut: a run of characters is judged when it and a fixed number of
characters behind it are there, directional controls when the window behind theirs is there. So memory is bounded,
and a finding comes at most `LAG` characters after its end. Latin-1 text without control characters is passed over at
memory speed; the tables are loaded when other text comes.

The rules are those of UTS #39 (section 5.4, marks), UAX #31 (joiners), UAX #9 (directions) and UTS #51 (emoji), with
thresholds that were measured on ordinary text in 40 languages.
"""

from __future__ import annotations

from inkgate.lean import TYPE_CHECKING, replace
from inkgate.text.concealment import RULES, Hidden
from inkgate.text.lazy import lazy
from inkgate.text.padding import Padding

if TYPE_CHECKING:
    from inkgate.text.invisible import Invisible

__all__ = ["LAG", "LISTED", "RULES", "WINDOW", "Hidden", "HiddenScanner"]

LISTED = 100
"""Findings of one rule that are reported one by one; later ones are counted, one finding for each window of text."""
WINDOW = 65536
"""Characters of such a window."""
LAG = 32768
"""Characters after the end of a finding (or of its window) by which it has been reported."""

_KEEP = 8192  # characters before the next one to be judged that its judgement may need: two windows of bidi.REACH
_WORD = 48  # characters between two findings of one rule that stand in the same word
_LONGEST = 512  # characters of a word in which findings are taken together
_SETTLED = 2 * 8192  # characters after a finding by which whatever stands in its word has been judged
_SPACE = lazy(r"\s")
_CONTROLS = bytes(point for point in (*range(32), *range(127, 160), 0xAD) if point not in b"\t\n\r\f\x85")
"""Of the first 256 characters those that are ever reported; U+00AD is the soft hyphen."""
_DIRECTIONAL = lazy("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def _is_plain(text: str) -> bool:
    """Whether the text is Latin-1 without control characters other than tab and line ends."""
    try:
        data = text.encode("latin-1")
    except UnicodeEncodeError:
        return False
    return len(data.translate(None, _CONTROLS)) == len(data)


class _Group:
    """Findings of one rule that are counted."""

    def __init__(self, first: Hidden) -> None:
        self._first = first
        self._count = 0
        self._severity, self._start, self._end = first.severity, first.start, first.end
        self._decoded: list[str] = []

    def add(self, found: Hidden) -> None:
        """Count one more."""
        self._count += 1
        self._severity = max(self._severity, found.severity)
        self._start = min(self._start, found.start)
        self._end = max(self._end, found.end)
        if found.decoded:
            self._decoded.append(found.decoded)

    def finding(self) -> Hidden:
        """All of them as one finding."""
        message = f"{self._count} more: {self._first.message}"
        return Hidden(self._first.rule, self._severity, self._start, self._end, message, "\n".join(self._decoded))


class HiddenScanner:
    """Reads one text in blocks and returns what is hidden in it.

    Args:
        code: the text is source code or configuration, where directional controls are held to a stricter rule.
    """

    def __init__(self, *, code: bool = False) -> None:
        self._code = code
        self._found: list[Hidden] = []
        self._counts: dict[str, int] = {}
        self._groups: dict[tuple[str, int], _Group] = {}
        self._words: dict[str, tuple[Hidden, int]] = {}  # by rule, the last finding and how many of its word it holds
        self._padding = Padding(lambda found: self._report(found, 1))  # blanks are in no word
        self._invisible: Invisible | None = None
        self._text = ""  # what was read last: everything that a later judgement can need
        self._base = 0  # offset of its first character in the whole text
        self._done = 0  # offset up to which runs are judged
        self._need = 0  # offset that the text must reach before the next run can be judged
        self._directed: dict[int, None] = {}  # windows that hold directional controls and are not judged yet, in order
        self._ended = False

    def feed(self, block: str, *, final: bool = False) -> list[Hidden]:
        """Read the next block; return the findings that are certain now, by offset in the whole text.

        Args:
            block: the next characters of the text; may be empty.
            final: nothing follows, so everything that is still open is judged.

        Raises:
            ValueError: the text was already ended by `final`.
        """
        if self._ended:
            raise ValueError("the text has ended: make a new HiddenScanner for another one")
        self._ended = final
        fed = self._base + len(self._text)
        self._padding.feed(block, fed)
        if final:
            del self._padding  # it refers to this object, as the judge of characters does
        if not self._directed and _is_plain(block) and _is_plain(self._text[self._done - self._base :]):
            self._text = block if len(block) > _KEEP else self._text + block
            self._done = fed + len(block)
            self._base = self._done - len(self._text)
        else:
            self._text += block
            if final or fed + len(block) >= self._need:
                self._runs(final)
            self._directions(final)
        if self._invisible is not None:
            self._invisible.channel.pass_by(self._done)
            if final:
                self._invisible.channel.flush()
                self._invisible = None
        self._settle(fed + len(block), final)
        self._trim()
        found, self._found = self._found, []
        found.sort(key=lambda item: (item.start, item.end, item.rule))
        return found

    def _runs(self, final: bool) -> None:
        """Judge every run that is complete."""
        from inkgate.text import bidi, invisible

        if self._invisible is None:
            self._invisible = invisible.Invisible(self._add)
        judge, text, base = self._invisible, self._text, self._base
        judge.look(text, base)
        size, at = len(text), self._done - base
        while match := invisible.CANDIDATE.search(text, at):
            at = match.start()
            run = invisible.KIND.match(text, at, at + invisible.PIECE)
            assert run is not None
            stop = run.end()
            if not final and stop + invisible.AFTER > size:
                self._need = base + stop + invisible.AFTER
                break
            judge.channel.pass_by(base + at)
            kind = str(run.lastgroup)
            if kind in ("bidi", "zero") and _DIRECTIONAL.search(text, at, stop):
                windows = range((base + at) // bidi.REACH, (base + stop - 1) // bidi.REACH + 1)
                self._directed.update(dict.fromkeys(windows))
            at = judge.judge(kind, at, stop)
        else:
            at = size if final else max(at, size - 4)  # four marks may become five
        self._done = base + at

    def _directions(self, final: bool) -> None:
        """Judge every window of directional controls that has its context."""
        from inkgate.text import bidi

        size = self._base + len(self._text)
        for number in list(self._directed):
            start, stop = number * bidi.REACH, (number + 1) * bidi.REACH
            if not final and size < stop + bidi.REACH:
                break
            if self._done < min(stop, size):
                break
            del self._directed[number]
            first = max(0, start - bidi.REACH)
            context = self._text[first - self._base : stop + bidi.REACH - self._base]
            stop = min(stop, size) - first
            bidi.BidiWindow(context, start - first, stop, base=first, code=self._code, report=self._add).judge()

    def _trim(self) -> None:
        """Forget the text that no later judgement can need."""
        first = self._done - _KEEP
        for number in self._directed:
            first = min(first, number * (_KEEP // 2) - _KEEP // 2)
            break
        if first > self._base:
            self._text = self._text[first - self._base :]
            self._base = first

    def _add(self, found: Hidden) -> None:
        """Take a finding; those of one rule inside one word are one."""
        before, count = self._words.pop(found.rule, (None, 0))
        if before is not None and self._one_word(before, found):
            found = replace(found, severity=max(before.severity, found.severity), start=before.start)
        elif before is not None:
            self._report(before, count)
            count = 0
        if found.decoded:
            self._report(found, 1)
        else:
            self._words[found.rule] = found, count + 1

    def _one_word(self, before: Hidden, found: Hidden) -> bool:
        """Whether a finding stands in the word in which the one before it stands."""
        gap = found.start - before.end
        if not 0 <= gap <= _WORD or before.end < self._base or found.end - before.start > _LONGEST:
            return False
        between = self._text[before.end - self._base : found.start - self._base]
        return len(between) == gap and _SPACE.search(between) is None

    def _report(self, found: Hidden, times: int) -> None:
        """Keep a finding, or count it when its rule has many."""
        if times > 1:
            found = replace(found, message=f"{found.message}, {times} times in one word")
        count = self._counts[found.rule] = self._counts.get(found.rule, 0) + 1
        if count <= LISTED:
            self._found.append(found)
            return
        key = (found.rule, (found.end - 1) // WINDOW)
        group = self._groups.get(key)
        if group is None:
            group = self._groups[key] = _Group(found)
        group.add(found)

    def _settle(self, fed: int, final: bool) -> None:
        """Report the last findings of words, and the counted findings of every window that is over."""
        for rule, (found, count) in list(self._words.items()):
            if final or found.end + _SETTLED <= self._done:
                del self._words[rule]
                self._report(found, count)
        for key in [key for key in self._groups if final or (key[1] + 1) * WINDOW + LAG <= fed]:
            self._found.append(self._groups.pop(key).finding())
