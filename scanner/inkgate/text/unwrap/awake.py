"""Which detectors are to look at a scene. Each sleeps until a cheap test says that there may be something.

A test must hold for every scene in whose range a candidate begins. A detector is made, and its module loaded, when its
test first holds; most texts wake five of forty.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, reduce
from importlib import import_module
from operator import or_

from inkgate.lean import NamedTuple
from inkgate.text.fold import fold
from inkgate.text.unwrap.codewords import SPELLING
from inkgate.text.unwrap.cues import FIELDED, LEAST, STRONG
from inkgate.text.unwrap.fragment import Budget
from inkgate.text.unwrap.layout import gaps
from inkgate.text.unwrap.letters import LONG, single_letters
from inkgate.text.unwrap.letters import SHAPE as LETTERS
from inkgate.text.unwrap.packed import SHAPE as PACKED
from inkgate.text.unwrap.packed import SHORTEST, marked, narrow
from inkgate.text.unwrap.scene import MARKS, Detector, Scene, classes
from inkgate.text.unwrap.words import LETTERLIKE, cue_kinds, cue_words

__all__ = ["DISGUISES", "GROUPS", "NEEDLES", "NOUNS", "Detectors", "order", "signs"]

GROUPS = classes(A="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
NEEDLES = {width: b"?" + b"?".join([b"A" * width] * 3) for width in (4, 8)}
"""What groups of a width begin with in the shadow under `GROUPS`; the start of a text counts as a mark."""

_SOLID = classes(s=" \t\n\r\x0b\x0c")
_TOKEN = b"?" * 25
_DIGITS = classes(d="0123456789")
_HEX = classes(h="0123456789abcdefABCDEF")
_MARKED = MARKS.encode("latin-1") + b"?"
_PLACED = b"-.,/|; \n"
_SPELLING = frozenset(name.encode() for name in SPELLING)
_RENDERED = b"`-*_\"'][=<\\$&%~^{"
"""What a piece begins with that a renderer undoes."""


def _has(*literals: bytes) -> Callable[[Scene], bool]:
    """Return the test for one of some literals."""
    if len(literals) == 1:
        only = literals[0]
        return lambda scene: only in scene.raw
    return lambda scene: any(literal in scene.raw for literal in literals)


def _any_of(characters: bytes) -> Callable[[Scene], bool]:
    """Return the test for one of many characters."""
    return lambda scene: len(scene.raw.translate(None, characters)) < len(scene.raw)


def _row(table: bytes, sign: bytes, between: bytes) -> Callable[[Scene], bool]:
    """Return the test for characters of a class in a row, when all that may stand between them is left out."""

    def test(scene: Scene) -> bool:
        key = table + between
        rows = scene.bare.get(key)
        if rows is None:
            kept = scene.bare.get(between)  # to leave bytes out takes far longer than to write others for them
            if kept is None:
                kept = scene.bare[between] = scene.raw.translate(None, between)
            rows = scene.bare[key] = kept.translate(table)
        return sign in rows

    return test


_TYPESET = ((b"\\",), (b"~", b"~~"), (b"{", b"${"), (b"{", b"{{"), (b"<", b"</"))
"""What text that is typeset or filled in has one of: all of a row; a single sign is looked for in no time."""
_SHOWN = frozenset((b"x0020", b"regional", b"alphabet"))
"""Words of what is known by words: `_x0020_`, `:regional_indicator_a:`, `:alphabet-white-a:`."""


def _typeset(scene: Scene) -> bool:
    """Whether text may be typeset, filled in or struck out."""
    raw = scene.raw
    return not _SHOWN.isdisjoint(scene.words) or any(all(sign in raw for sign in signs) for signs in _TYPESET)


_digits = _row(_DIGITS, b"d" * 8, _MARKED)
_placed = _row(_DIGITS, b"d" * 8, _PLACED)


def _small_numbers(scene: Scene) -> bool:
    """Whether numbers stand in a row with few marks between them; a row with any marks is known for other kinds."""
    return _digits(scene) and _placed(scene)


def _cue(kind: str) -> Callable[[Scene], bool]:
    """Return the test for a cue word of a kind."""
    return lambda scene: kind in cue_kinds(scene)


_letterlike = _any_of(LETTERLIKE)


def _leet(scene: Scene) -> bool:
    """Whether digits or signs may stand for letters."""
    return "leet" in cue_kinds(scene) or _letterlike(scene)


def _packed(scene: Scene) -> bool:
    """Whether a run of letters and digits is long, lines are narrow, or question marks in a row are encoded."""
    if SHORTEST in scene.shadow(PACKED) or narrow(scene):
        return True
    start, stop = scene.start - scene.base, scene.stop - scene.base
    return marked(scene.text, start, stop) < stop


def _grouped(scene: Scene) -> bool:
    """Whether three groups of four or eight letters stand in a row."""
    shadow = scene.shadow(GROUPS)
    return any(needle in shadow or shadow.startswith(needle[1:]) for needle in NEEDLES.values())


NOUNS = frozenset(
    b"letter letters character characters chars initials acrostic acrostics word words columns backwards backward "
    b"reverse reversed downwards vertically bottom letra letras lettera lettere lettre lettres mot mots buchstabe "
    b"buchstaben anfangsbuchstaben palabra palabras parola parole palavra palavras wort worte litery harf huruf "
    b"derecha rechts droite destra baixo oben haut abajo".split()
)
"""Words without which nobody tells how to read a text in which only some letters or words count."""


@cache
def signs() -> tuple[str, ...]:
    """The same for scripts without spaces, folded as the text is: parts of words."""
    return tuple(fold(word).cased for word in ("букв", "字", "글자", "読み"))


def _told(scene: Scene) -> bool:
    """Whether letters, words or ways of reading are spoken of."""
    return not NOUNS.isdisjoint(scene.words) or (b"??" in scene.raw and any(sign in scene.text for sign in signs()))


def _fielded(scene: Scene) -> bool:
    """Whether there are words of orders; in the last scene of a text, as many as a row must have."""
    here = FIELDED & scene.words
    return bool(here) and (not scene.last or (len(here) >= LEAST and not STRONG.isdisjoint(here)))


_DIGIT = b"0123456789"
_ANY, _WORD = 1, 2
_BITS = tuple(4 << byte for byte in range(256))
_SMALL = 4096
"""Characters: in a longer scene one finds nearly every sign."""


def _bits(signs: bytes, *, words: bool = False) -> int:
    """Return the bits of some signs, and of words."""
    return sum(_BITS[sign] for sign in signs) | (_WORD if words else 0)


class _Kind(NamedTuple):
    """One kind of detector.

    Attributes:
        order: place in the order of what is undone in a text (see `Unwrapper`).
        awake: the test.
        module: where it is made.
        maker: the name of what makes it there.
        of: what it is made with.
        needs: bits of signs and words, one of which is there wherever the test holds.
    """

    order: int
    awake: Callable[[Scene], bool]
    module: str
    maker: str
    of: tuple[str, ...] = ()
    needs: int = _ANY


_prefixed = _has(b"0x", b"0X", b"0o")
_NUMBERS = {
    "pairs": (_row(_HEX, b"h" * 12, _MARKED), _ANY),
    "prefixed": (lambda scene: _prefixed(scene) or (_digits(scene) and b"0b" in scene.raw), _bits(b"xXbo")),
    "points": (lambda scene: b"u" in scene.words and b"U+00" in scene.raw, _bits(b"+")),
    "codes": (_row(_DIGITS, b"d" * 12, _MARKED), _bits(_DIGIT)),
    "calls": (_cue("call"), _WORD),
    "bits": (_row(_DIGITS, b"d" * 28, _MARKED), _bits(_DIGIT)),
    "stream": (_row(_DIGITS, b"d" * 32, b""), _bits(_DIGIT)),
    "morse": (_has(b" .-", b" -."), _bits(b"-")),
}
DISGUISES = ("reversed", "turned", "cipher", "leet", "typo", "coded", "rot47", "pig-latin")
_KINDS: tuple[_Kind, ...] = (
    _Kind(0, _packed, "packed", "Packed"),
    _Kind(0, _has(b"<!--", b"%%"), "markup", "Comments", needs=_bits(b"<%")),
    _Kind(0, _any_of(_RENDERED), "markup", "rendered", needs=_bits(_RENDERED)),
    _Kind(0, _has(b"\\"), "markup", "escaped_letters", needs=_bits(b"\\")),
    _Kind(1, _has(b"="), "markup", "quoted_printable", needs=_bits(b"=")),
    _Kind(2, gaps, "layout", "pulled_apart"),
    _Kind(3, _cue("command"), "dressed", "dressed", needs=_WORD),
    _Kind(0, _cue("join"), "joined", "joined", needs=_WORD),
    _Kind(4, single_letters, "letters", "spaced"),
    _Kind(5, lambda scene: LONG in scene.shadow(LETTERS), "letters", "Glued"),
    *(_Kind(0, test, "numbers", "Numbers", (kind,), needs) for kind, (test, needs) in _NUMBERS.items()),
    *(
        _Kind(0, _leet, "words", "Disguised", (kind,), _bits(LETTERLIKE, words=True))
        if kind == "leet"
        else _Kind(0, _cue(kind), "words", "Disguised", (kind,), _WORD)
        for kind in DISGUISES
    ),
    _Kind(0, _has(b"<", b"%%"), "distant", "Distant", needs=_bits(b"<%")),
    _Kind(0, _grouped, "strewn", "Grouped"),
    _Kind(0, _has(b"0000010"), "strewn", "Dumped", needs=_bits(b"0")),
    _Kind(0, lambda scene: _TOKEN in scene.shadow(_SOLID), "dense", "Dense"),
    _Kind(0, lambda scene: b"begin" in scene.words, "dense", "Uuencoded", needs=_WORD),
    _Kind(0, _has(b"+A"), "dense", "utf7", needs=_bits(b"+")),
    _Kind(0, _has(b"xn--"), "dense", "domain_labels", needs=_bits(b"-")),
    _Kind(0, _small_numbers, "coded", "letter_numbers", needs=_bits(_DIGIT)),
    _Kind(0, lambda scene: not _SPELLING.isdisjoint(scene.words), "coded", "spelling_words", needs=_WORD),
    _Kind(0, _told, "told", "Told", needs=_bits(b"?", words=True)),
    _Kind(0, _has(b"<"), "distant", "unseen", needs=_bits(b"<")),
    _Kind(0, _typeset, "typeset", "typeset", needs=_bits(b"~\\<_:{", words=True)),
    _Kind(6, _fielded, "fields", "Fields"),
)
"""Every kind; those that find something at one place are told apart by their order here."""

_Test = tuple[int, Callable[[Scene], bool], int]
_TESTS: tuple[_Test, ...] = tuple((number, kind.awake, kind.needs) for number, kind in enumerate(_KINDS))
_GLUED = tuple(_TESTS[number] for number, kind in enumerate(_KINDS) if kind.maker == "Glued")
_CARRYING = frozenset(number for number, kind in enumerate(_KINDS) if kind.maker in ("Packed", "Distant"))
"""Those that may be in the middle of something when a scene ends."""

_NEEDED = reduce(or_, (kind.needs for kind in _KINDS))
_IDLE = bytes(byte for byte in range(256) if not _NEEDED & _BITS[byte])
"""Signs that no kind needs."""

_ARRANGED = ("told", "fields")
"""Modules that read a text in another arrangement, which encodes nothing."""

_REARRANGING = frozenset(number for number, kind in enumerate(_KINDS) if kind.module in _ARRANGED)

_DEEP = 2
"""Encodings undone: what is nested more deeply is not read in other arrangements too."""


def order(number: int) -> int:
    """Return the place of a kind in the order of what is undone in a text."""
    return _KINDS[number].order


_OTHER_WORDS = NOUNS | _SPELLING | {b"begin"}
"""Words beside the cues that wake a kind."""


def _there(scene: Scene) -> int:
    """Return the bits of the signs and words of a scene; all of them where it is not worth a look."""
    if len(scene.raw) > _SMALL:
        return -1
    words = scene.words
    found = _ANY if cue_words().isdisjoint(words) and _OTHER_WORDS.isdisjoint(words) else _ANY | _WORD
    for sign in set(scene.raw.translate(None, _IDLE)):
        found |= _BITS[sign]
    return found


@cache
def _maker(number: int) -> Callable[..., Detector]:
    """Return what makes the detectors of a kind; its module is loaded."""
    kind = _KINDS[number]
    made: Callable[..., Detector] = getattr(import_module(f"inkgate.text.unwrap.{kind.module}"), kind.maker)
    return made


class Detectors:
    """The detectors of one view; each is made when its test first holds.

    Args:
        budget: for what unpacks.
        depth: encodings that were undone before.
        undone: disguises that are not taken off again.
        glued: only words that stand glued are looked for.
    """

    __slots__ = ("_budget", "_kinds", "_made")

    def __init__(self, budget: Budget | None, depth: int, undone: Sequence[str], *, glued: bool) -> None:
        self._budget = budget
        self._made: dict[int, Detector] = {}
        if glued:
            self._kinds: Sequence[_Test] = _GLUED
        elif undone or depth >= _DEEP:
            self._kinds = [
                (number, test, needs)
                for number, test, needs in _TESTS
                if not (_KINDS[number].of and _KINDS[number].of[0] in undone)
                and not (depth >= _DEEP and _KINDS[number].module in _ARRANGED)
            ]
        else:
            self._kinds = _TESTS

    def awake(
        self, whole: Scene, near: Scene | None = None, kinds: frozenset[int] = frozenset()
    ) -> list[tuple[int, Scene, Detector]]:
        """Return the numbers of the kinds that are to look at a scene, the scene and the detector.

        Args:
            whole: the scene.
            near: that part of it which suffices for all kinds but those that read in another arrangement; None: for no
                kind it does.
            kinds: more that it does not suffice for.
        """
        found: list[tuple[int, Scene, Detector]] = []
        made, carrying = self._made, self._carrying()
        part = near or whole
        here = _there(part)
        for number, test, needs in self._kinds:
            scene = whole if near is None or number in kinds or number in _REARRANGING else near
            if ((needs & here or scene is not part) and test(scene)) or number in carrying:
                detector = made.get(number)
                if detector is None:
                    kind = _KINDS[number]
                    make = _maker(number)
                    detector = made[number] = make(self._budget) if kind.maker == "Packed" else make(*kind.of)
                found.append((number, scene, detector))
        return found

    def _carrying(self) -> frozenset[int]:
        """Return the kinds that are in the middle of something."""
        made = self._made
        return frozenset(number for number in _CARRYING if number in made and made[number].busy)  # type: ignore[attr-defined]
