"""Judges runs of invisible characters: what a script or an emoji needs is passed over, the rest is reported.

Each run is judged from itself and at most `AROUND` characters on each side of it.
"""

from __future__ import annotations

import re

from inkgate.model import Severity
from inkgate.text import _ucd_table as ucd
from inkgate.text import smuggle
from inkgate.text.channel import Channel
from inkgate.text.concealment import Hidden, Report
from inkgate.text.joiners import base_after, base_before, joiner_belongs
from inkgate.text.lazy import lazy
from inkgate.text.ucd import PROPERTIES, is_listed_variation, regions, subdivisions

__all__ = ["AFTER", "BEFORE", "CANDIDATE", "KIND", "PIECE", "Invisible"]

PIECE = 8192
"""Characters of a run that are judged at a time."""
_PLAIN = 64  # characters on both sides that must be ASCII for a stray zero-width character to have no excuse
_SPLIT_WORD = lazy(r"[A-Za-z]{2}.[A-Za-z]{2}")  # formulas join single letters; two on both sides are a word
BEFORE = 1024
"""Characters before a run that its judgement may look at."""
AFTER = 512
"""Characters after a run that its judgement may look at."""

_OVERLAP = 512  # characters of the preceding piece that are decoded again, so that no phrase is cut in two

LOW, MEDIUM, HIGH = Severity.LOW, Severity.MEDIUM, Severity.HIGH

# Kinds of runs, in the order in which they are tried. Together they are every character that is ever judged here.
_KINDS = {
    "zero": "\u061c\u180e\u200b-\u200f\u2060-\u2064\ufeff",
    "variation": "\ufe00-\ufe0f\U000e0100-\U000e01ef",
    "shy": "\u00ad",
    "bidi": "\u202a-\u202e\u2066-\u2069",
    "tag": "\U000e0000-\U000e007f",
    "control": "\x01-\x08\x0b\x0e-\x1a\x1c-\x1f\x7f-\x84\x86-\x9a\x9c-\x9f",
    "escape": "\x1b\x9b",
    "nul": "\x00",
    "surrogate": "\ud800-\udfff",
    "filler": "\u115f\u1160\u3164\uffa0",
    "braille": "\u2800",
    "mongolian": "\u180b-\u180d\u180f",
    "grapheme": "\u034f",
    "khmer": "\u17b4\u17b5",
    "deprecated": "\u2065\u206a-\u206f",
    "interlinear": "\ufff0-\ufffb",
    "separator": "\u2028\u2029",
    "notation": "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a",
    "noncharacter": "\ufdd0-\ufdef\ufffe\uffff\U000e1000-\U000effff\U000ffffe\U000fffff\U0010fffe\U0010ffff",
    "reserved": "\U000e0080-\U000e00ff\U000e01f0-\U000e0fff",
    "private": "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd",
}
_MARKS = ucd.BMP_MARKS + ucd.NEAR_ASTRAL_MARKS
# Beyond the BMP `re` tries the items of a class one by one, so planes 14 to 16 are one item: they hold nothing else.
_HIDDEN = re.sub("[\U000e0000-\U0010ffff]-?", "", "".join(_KINDS.values())) + "\U000e0000-\U0010ffff"

KIND = lazy("|".join(f"(?P<{kind}>[{items}]+)" for kind, items in _KINDS.items()) + f"|(?P<marks>[{_MARKS}]+)")
"""A run of one kind; `lastgroup` is its kind."""
# The first class only skips, at C speed: exact in the BMP, everything beyond it.
_SKIPPED = re.sub("[\U00010000-\U0010ffff]-?", "", _HIDDEN + _MARKS) + "\U00010000-\U0010ffff"
CANDIDATE = lazy(f"[{_SKIPPED}](?:[{_MARKS}]{{4}}(?<=[{_MARKS}]{{5}})|(?<=[{_HIDDEN}]))")
"""Where a run to be judged starts: a hidden character, or the first of five marks in a row."""

_TOWER = lazy(f"[{ucd.BMP_MARKS}{ucd.ASTRAL_MARKS}]{{5,}}")
_ESCAPE = lazy(
    "(?:\x1b\\[|\x9b)(?P<parameters>[0-?]{0,64})[ -/]{0,8}(?P<final>[@-~])"  # CSI
    "|\x1b[\\]PX^_](?:[^\x07\x1b\x9c]{0,256})(?:\x07|\x1b\\\\|\x9c)?"  # OSC, DCS, SOS, PM, APC
    "|\x1b[ -/]{0,8}[0-~]|[\x1b\x9b]"  # ECMA-48
)
_FLAG = lazy("([\U000e0061-\U000e007a\U000e0030-\U000e0039]{3,6})\U000e007f")
_MARK_POINTS = "\u061c\u200e\u200f"
_OPERATORS = "\u2061\u2062\u2063\u2064"
_JOINERS = "\u200c\u200d"
_ZERO_WIDTH = "\u200b\u200c\u200d\u2060\ufeff"


class Invisible:
    """Judges one run after another, in the order of the text.

    Args:
        report: called for each finding.
    """

    def __init__(self, report: Report) -> None:
        self._report = report
        self._text = ""
        self._base = 0
        self.channel = Channel(report)

    def look(self, text: str, base: int) -> None:
        """Take the text that the following runs lie in; `base` is its offset in the whole input."""
        self._text, self._base = text, base

    def judge(self, kind: str, start: int, end: int) -> int:
        """Judge the run text[start:end] of a kind; return where in the text the search goes on."""
        judged: int | None = getattr(self, f"_{kind}")(start, end)
        return end if judged is None else judged

    def _note(self, rule: str, severity: Severity, start: int, end: int, message: str, decoded: str = "") -> None:
        self._report(Hidden(rule, severity, self._base + start, self._base + end, message, decoded))

    def _before(self, at: int) -> str:
        return self._text[at - 1] if at else ""

    def _after(self, at: int) -> str:
        return self._text[at] if at < len(self._text) else ""

    def _overlapped(self, kind: str, start: int, end: int) -> str:
        """The run with the end of the piece before it, if it goes on from one."""
        run = self._text[start:end]
        before = self._text[max(0, start - _OVERLAP) : start]
        match = KIND.match(before[::-1]) if before else None
        return before[len(before) - match.end() :] + run if match and match.lastgroup == kind else run

    # --- zero-width characters -------------------------------------------------------------------------------------

    def _zero(self, start: int, end: int) -> None:
        """ZWSP, ZWNJ, ZWJ, WJ, BOM, invisible operators, directional marks, Mongolian vowel separator."""
        text = self._text
        if self._base + start == 0 and text[start] == "\ufeff":  # a byte order mark
            start += 1
        if end - start > 2:
            run = text[start:end]
            if end - start > 7 or end - start - sum(map(run.count, _MARK_POINTS)) > 2:
                self._zero_run(start, end, run)
                return
        for at in range(start, end):
            char = text[at]
            if char in _JOINERS:
                self._joiner(at, start, end)
            elif char in "\u200b\u2060\ufeff":
                if at == start or text[at - 1] in _MARK_POINTS + _OPERATORS:
                    self._zero_space(at, start, end)
            elif char in _OPERATORS:
                severity = MEDIUM if _SPLIT_WORD.fullmatch(text[max(0, at - 2) : at + 3]) else LOW
                self._note("invisible-operator", severity, at, at + 1, "Invisible mathematical operator")
            elif char == "\u180e":
                self._mongolian(at, at + 1)

    def _zero_run(self, start: int, end: int, run: str) -> None:
        """Three or more in a row: a channel, unless it is one character repeated beside a script that uses it."""
        decoded = smuggle.decode_bits(self._overlapped("zero", start, end))
        kinds = len(set(run))
        used = PROPERTIES[base_before(self._text, start)] | PROPERTIES[base_after(self._text, end)]
        if kinds > 1 or (len(run) > 7 and run[0] not in _MARK_POINTS):
            severity = HIGH
        elif len(run) > 7:
            severity = MEDIUM
        else:
            severity = LOW if used & ucd.UNSPACED else MEDIUM
        message = f"{len(run)} zero-width characters in a row"
        self._note("zero-width-run", severity, start, end, message + (" that encode text" * bool(decoded)), decoded)

    def _joiner(self, at: int, start: int, end: int) -> None:
        """A joiner or non-joiner in a run of at most two."""
        text = self._text
        if end - start == 1 and at and PROPERTIES[text[at - 1]] & ucd.LETTER:
            self.channel.add("joiner", self._base + at, text[at])
        if joiner_belongs(text, at):
            return
        if end - start == 2 and at == start and text[end - 1] in _ZERO_WIDTH and text[end - 1] != text[at]:
            self._note("zero-width-run", MEDIUM, start, end, "Two different zero-width characters in a row")
        inside = PROPERTIES[base_before(text, start)] & PROPERTIES[base_after(text, end)] & ucd.ALPHABET
        message = "Zero-width joiner where neither the script nor an emoji needs it"
        self._note("joiner-out-of-place", MEDIUM if inside else LOW, at, at + 1, message)

    def _zero_space(self, at: int, start: int, end: int) -> None:
        """A zero-width space, word joiner or byte order mark: inside a word it only breaks the word for a reader."""
        left, right = PROPERTIES[base_before(self._text, start)], PROPERTIES[base_after(self._text, end)]
        if (left | right) & ucd.UNSPACED:
            return
        letters = ucd.LETTER | ucd.NUMBER
        if left & letters and right & letters:
            severity = MEDIUM if left & right & ucd.ALPHABET else LOW
            self._note("zero-width-in-word", severity, at, end, "Zero-width character inside a word")
        elif self._text[max(0, at - _PLAIN) : at].isascii() and self._text[end : end + _PLAIN].isascii():
            self._note("zero-width-stray", MEDIUM, at, end, "Zero-width character in plain English text")

    # --- selectors and tags ----------------------------------------------------------------------------------------

    def _variation(self, start: int, end: int) -> None:
        """Variation selectors: one after a base that takes it is ordinary, two in a row carry bytes."""
        text = self._text
        base, selector = self._before(start), text[start]
        if end - start > 1 or "\ufe00" <= base <= "\ufe0f" or "\U000e0100" <= base <= "\U000e01ef":
            decoded = smuggle.decode_selectors(self._overlapped("variation", start, end))
            message = "Variation selectors in a row that carry bytes"
            self._note("hidden-variation-bytes", HIGH, start, end, message, decoded)
            return
        mask = PROPERTIES[base]
        if selector > "\ufe0f" and mask & ucd.HAN:
            self.channel.add("variation", self._base + start, selector)
            return
        if is_listed_variation(base, selector):
            return
        severity = MEDIUM
        if selector in "\ufe0e\ufe0f" and base and not base.isascii():
            if mask & ucd.EMOJI or base == "\u20e3" or is_listed_variation(base, "\ufe0f"):
                return
            if not mask & (ucd.LETTER | ucd.NUMBER | ucd.MARK) and base.isprintable():
                severity = LOW  # a symbol that has no emoji form
        message = "Variation selector after a character that has no such variant"
        self._note("variation-selector-misplaced", severity, start, end, message)

    def _tag(self, start: int, end: int) -> None:
        """Tag characters: only the flags of UTS #51, ED-14a need them."""
        flag = _FLAG.fullmatch(self._text, start, end)
        if flag and self._before(start) == "\U0001f3f4":
            code = smuggle.decode_tags(flag[1])
            if code in subdivisions():
                return
            if code[:2] in regions():
                message = "Flag of a subdivision that is not in general use"
                self._note("flag-tag-unlisted", LOW, start, end, message, code)
                return
        decoded = smuggle.decode_tags(self._overlapped("tag", start, end))
        self._note("hidden-tag-text", HIGH, start, end, "Invisible tag characters that spell out text", decoded)

    # --- characters that look like nothing -------------------------------------------------------------------------

    def _shy(self, start: int, end: int) -> None:
        """Soft hyphens: one between syllables is typography."""
        if end - start > 1:
            self._note("soft-hyphen-run", MEDIUM, start, end, "Soft hyphens in a row")
        else:
            self.channel.add("shy", self._base + start, "\u00ad")

    def _filler(self, start: int, end: int) -> None:
        """Hangul fillers stand for a missing letter of a syllable."""
        around = self._before(start) + self._after(end)
        if not any(PROPERTIES[char] & ucd.HANGUL for char in around):
            message = "Hangul filler, which looks like nothing, without Hangul beside it"
            self._note("hangul-filler", MEDIUM, start, end, message)

    def _braille(self, start: int, end: int) -> None:
        """The blank Braille pattern is a space between Braille cells."""
        if not any("\u2801" <= char <= "\u28ff" for char in self._before(start) + self._after(end)):
            self._note("braille-blank", LOW, start, end, "Blank Braille pattern without Braille beside it")

    def _mongolian(self, start: int, end: int) -> None:
        """Free variation selectors and vowel separator follow a Mongolian letter."""
        if not PROPERTIES[self._before(start)] & ucd.MONGOLIAN or end - start > 2:
            message = "Mongolian format control without a Mongolian letter before it"
            self._note("mongolian-control-misplaced", MEDIUM, start, end, message)

    def _grapheme(self, start: int, end: int) -> None:
        """The combining grapheme joiner keeps marks apart."""
        before, after = self._before(start), self._after(end)
        if end - start > 1 or not before or before.isascii() or not PROPERTIES[after] & ucd.MARK:
            self._note("grapheme-joiner-misplaced", LOW, start, end, "Combining grapheme joiner that joins nothing")

    def _khmer(self, start: int, end: int) -> None:
        """Inherent vowels of Khmer."""
        if not PROPERTIES[self._before(start)] & ucd.KHMER or end - start > 1:
            message = "Invisible Khmer vowel without a Khmer letter before it"
            self._note("khmer-inherent-vowel", MEDIUM, start, end, message)

    def _deprecated(self, start: int, end: int) -> None:
        """Deprecated format controls (U+206A to U+206F) and the unassigned U+2065."""
        severity = LOW if PROPERTIES[base_before(self._text, start)] & ucd.JOINER_SCRIPT else MEDIUM
        self._note("deprecated-format-control", severity, start, end, "Deprecated invisible format control")

    def _interlinear(self, start: int, end: int) -> None:
        self._note("interlinear-annotation", MEDIUM, start, end, "Interlinear annotation control")

    def _notation(self, start: int, end: int) -> None:
        self._note("notation-control", LOW, start, end, "Invisible control of musical or shorthand notation")

    def _reserved(self, start: int, end: int) -> None:
        self._note("reserved-ignorable", HIGH, start, end, "Unassigned code points that are invisible everywhere")

    def _private(self, start: int, end: int) -> None:
        """Private-use characters: an icon or two is ordinary, a text of them is not for people."""
        if end - start > 3:
            decoded = smuggle.decode_private_use(self._text[start:end])
            self._note("private-use-run", LOW, start, end, "Private-use characters in a row", decoded)

    # --- what is no text -------------------------------------------------------------------------------------------

    def _bidi(self, start: int, end: int) -> None:
        """Directional controls are judged by the paragraph, not here."""

    def _control(self, start: int, end: int) -> None:
        self._note("control-character", LOW, start, end, "Control character")

    def _escape(self, start: int, end: int) -> int:
        """Escape sequences: colours are ordinary in logs; others move, erase or conceal what a terminal shows."""
        if end - start > 1:
            self._note("terminal-escape", LOW, start, end - 1, "Escape characters in a row")
            return end - 1
        match = _ESCAPE.match(self._text, start)
        assert match is not None
        parameters = (match["parameters"] or "").split(";")
        colours = match["final"] == "m" and not {"8", "08"} & set(parameters)
        severity = LOW if colours or match.end() - start == 1 else MEDIUM
        self._note("terminal-escape", severity, start, match.end(), "Terminal escape sequence")
        return match.end()

    def _nul(self, start: int, end: int) -> None:
        self._note("nul-character", MEDIUM, start, end, "NUL character, where some readers end the text")

    def _surrogate(self, start: int, end: int) -> None:
        self._note(
            "lone-surrogate", MEDIUM, start, end, "Invalid bytes or half a character, which no encoding can store"
        )

    def _separator(self, start: int, end: int) -> None:
        self._note(
            "line-separator", LOW, start, end, "Unicode line or paragraph separator, which most tools do not show"
        )

    def _noncharacter(self, start: int, end: int) -> None:
        self._note("noncharacter", LOW, start, end, "Code point that is not a character")

    def _marks(self, start: int, end: int) -> int:
        """Towers of more than four combining marks (UTS #39, section 5.4); the run has five possible ones at least."""
        judged = end - 4  # four marks more may make a tower of those
        for tower in _TOWER.finditer(self._text, start, end):
            length = len(tower.group())
            severity = MEDIUM if length > 8 else LOW
            self._note("combining-run", severity, *tower.span(), f"{length} combining marks in a row")
            judged = max(judged, tower.end())
        return judged
