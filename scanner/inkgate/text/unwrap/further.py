"""The detectors of rarer tricks. Each sleeps until a cheap test says that there may be something; then it is loaded.

A test must hold for every scene in whose range a candidate begins.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module

from inkgate.text.fold import fold
from inkgate.text.unwrap.codewords import SPELLING
from inkgate.text.unwrap.cues import FIELDED
from inkgate.text.unwrap.distant import Distant
from inkgate.text.unwrap.scene import Detector, Scene, classes

__all__ = ["NOUNS", "Further", "signs"]


_GROUPS = classes(A="ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
_GROUPED = tuple(b"?".join([b"A" * width] * 3) for width in (4, 8))
_SOLID = classes(s=" \t\n\r\x0b\x0c")
_TOKEN = b"?" * 25
_SMALL = classes(d="0123456789", m="-.,/|; \n")
_SMALL_ROWS = (b"dmdm", b"dmddm")
_SPELLING = frozenset(name.encode() for name in SPELLING)


def _has(literal: bytes) -> Callable[[Scene], bool]:
    """Return the test for a literal."""
    return lambda scene: literal in scene.raw


def _grouped(scene: Scene) -> bool:
    """Whether three groups of four or eight letters stand in a row."""
    shadow = scene.shadow(_GROUPS)
    return any(needle in shadow for needle in _GROUPED)


def _numbers(scene: Scene) -> bool:
    """Whether small numbers stand in a row."""
    shadow = scene.shadow(_SMALL)
    return any(needle in shadow for needle in _SMALL_ROWS)


NOUNS = frozenset(
    b"letter letters character characters chars initials acrostic acrostics word words columns backwards backward "
    b"reverse reversed downwards vertically bottom letra letras lettera lettere lettre lettres mot mots buchstabe "
    b"buchstaben anfangsbuchstaben palabra palabras parola parole palavra palavras wort worte litery harf huruf "
    b"izquierda links gauche sinistra baixo unten abajo".split()
)
"""Words without which nobody tells how to read a text in which only some letters or words count."""


@cache
def signs() -> tuple[str, ...]:
    """The same for scripts without spaces, folded as the text is: parts of words."""
    return tuple(fold(word).cased for word in ("букв", "字", "글자", "読み"))


def _told(scene: Scene) -> bool:
    """Whether letters, words or ways of reading are spoken of."""
    return not NOUNS.isdisjoint(scene.words) or (b"??" in scene.raw and any(sign in scene.text for sign in signs()))


_KINDS: tuple[tuple[int, Callable[[Scene], bool], str, str], ...] = (
    (0, _grouped, "strewn", "Grouped"),
    (0, _has(b"0000010"), "strewn", "Dumped"),
    (0, lambda scene: _TOKEN in scene.shadow(_SOLID), "dense", "Dense"),
    (0, lambda scene: b"begin" in scene.words, "dense", "Uuencoded"),
    (0, _has(b"+A"), "dense", "utf7"),
    (0, _has(b"xn--"), "dense", "domain_labels"),
    (0, _numbers, "coded", "letter_numbers"),
    (0, lambda scene: not _SPELLING.isdisjoint(scene.words), "coded", "spelling_words"),
    (0, _told, "told", "Told"),
    (0, _has(b"<"), "distant", "unseen"),
    (6, lambda scene: not FIELDED.isdisjoint(scene.words), "fields", "Fields"),
)
"""Place in the order of what is undone in a text (see `Unwrapper`), test, module and maker of each."""


_ARRANGED = ("told", "fields")
"""Modules that read a text in another arrangement, which encodes nothing."""

_DEEP = 2
_DEEP_KINDS = tuple(kind for kind in _KINDS if kind[2] not in _ARRANGED)


class Further:
    """The rarer detectors of one view; each is made when its test first holds.

    Args:
        depth: encodings that were undone before. What is nested more deeply is not read in other arrangements too.
    """

    __slots__ = ("_distant", "_kinds", "_made")

    def __init__(self, depth: int) -> None:
        self._kinds = _KINDS if depth < _DEEP else _DEEP_KINDS
        self._made: dict[str, Detector] = {}
        self._distant = Distant()

    def awake(self, scene: Scene) -> list[tuple[int, Detector]]:
        """Return the detectors that are to look at a scene, each with its place in the order."""
        found: list[tuple[int, Detector]] = []
        if self._distant.opened or b"<" in scene.raw or b"%%" in scene.raw:
            found.append((0, self._distant))
        for order, awake, module, maker in self._kinds:
            if awake(scene):
                if maker not in self._made:
                    self._made[maker] = getattr(import_module(f"inkgate.text.unwrap.{module}"), maker)()
                found.append((order, self._made[maker]))
        return found
