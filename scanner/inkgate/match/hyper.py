"""Hyperscan as the engine: two databases of literals for a target, each asked once for a text.

Words of the collapsed text, and marks of the text as it is, which the automaton can only look for by what is left of
them when their signs are taken off. All of it is ASCII: of other text, the automaton finds as much in the same time, as
every place would have to be counted anew in characters.

Only literals: of expressions (two words within a distance, dozens of them in one database) version 5.4.12 of the
library leaves out matches that it finds with the same expression alone.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from contextlib import suppress
from hashlib import sha256

import hyperscan

from inkgate.lean import TYPE_CHECKING, Any, NamedTuple
from inkgate.match.index import Anchors, read_users
from inkgate.match.passes import read_hit
from inkgate.private import CacheError, cache_folder, load, save

if TYPE_CHECKING:
    from inkgate.match.passes import Found, Hit
    from inkgate.model import Target

__all__ = ["Database", "Databases", "Hyperscan", "kept_finder", "new_finder"]

_FORMAT = 2
"""Of what is kept."""

_LIMIT = 64 << 20
"""Bytes of what is kept."""


class Database:
    """Literals, compiled; safe for threads.

    Args:
        made: the library's database; None: nothing is looked for.
    """

    __slots__ = ("_idle", "_made")

    def __init__(self, made: Any = None) -> None:
        self._made = made
        self._idle: list[Any] = [] if made is None else [hyperscan.Scratch(made)]

    @classmethod
    def compile(cls, words: Sequence[str], numbers: Sequence[int]) -> Database:
        """A new one.

        Raises:
            hyperscan.error: the library refuses a literal.
        """
        if not words:
            return cls()
        made = hyperscan.Database()
        made.compile([word.encode("ascii") for word in words], ids=list(numbers), literal=True)
        return cls(made)

    @classmethod
    def read(cls, data: bytes) -> Database:
        """What `written` gave.

        Raises:
            hyperscan.error: it is of another version of the library, or for another processor.
        """
        return cls(hyperscan.loadb(data, hyperscan.HS_MODE_BLOCK)) if data else cls()

    def written(self) -> bytes:
        """The same as bytes; none where nothing is looked for."""
        return b"" if self._made is None else hyperscan.dumpb(self._made)

    def ends(self, data: bytes) -> list[tuple[int, int]]:
        """The ends of all that is found, each with its number, in order."""
        found: list[tuple[int, int]] = []
        if self._made is None:
            return found
        append = found.append

        def note(number: int, start: int, end: int, flags: int, context: object) -> None:
            append((end, number))

        try:
            scratch = self._idle.pop()
        except IndexError:  # every other is in use by a thread
            scratch = hyperscan.Scratch(self._made)
        try:
            self._made.scan(data, note, scratch=scratch)
        finally:
            self._idle.append(scratch)
        found.sort()
        return found


class Databases(NamedTuple):
    """All that is looked for.

    Attributes:
        words: of the collapsed text, by their numbers in the index.
        marks: of the text as it is, by their numbers in `marks_of`.
    """

    words: Database
    marks: Database

    def written(self) -> bytes:
        """The same as bytes."""
        words, marks = self.words.written(), self.marks.written()
        return b"%d\n%b%b" % (len(words), words, marks)


def _read(data: bytes) -> Databases:
    """See `Databases.written`.

    Raises:
        hyperscan.error: they are of another version of the library, or for another processor.
        ValueError: they are no such bytes.
    """
    size, _, rest = data.partition(b"\n")
    words = int(size)
    if not 0 < words <= len(rest):
        raise ValueError("of another length")
    return Databases(Database.read(rest[:words]), Database.read(rest[words:]))


class Hyperscan:
    """The finder of a target; see `passes.Finder`. For ASCII text only."""

    __slots__ = ("_anchors", "_cues", "_hits", "_live", "_made", "_marks")

    def __init__(
        self, anchors: Anchors, live: Sequence[bool], cues: Mapping[str, Sequence[str]], made: Databases
    ) -> None:
        self._anchors = anchors
        self._live = live
        self._cues = cues
        self._made = made
        self._hits: list[Hit | None] = [None] * len(anchors.words)
        self._marks = [(len(mark), units) for mark, units in marks_of(anchors, live)]

    def find(self, text: str, lower: str) -> Found:
        """See `passes.Finder`."""
        made, known, marks = self._made, self._hits, self._marks
        words = made.words.ends(text.encode("ascii"))
        told = [(end - 1, known[number] or self._hit(number)) for end, number in words]
        return told, [(end - 1, marks[number]) for end, number in made.marks.ends(lower.encode("ascii"))]

    def _hit(self, number: int) -> Hit:
        """What a word tells, without marks, which are found by themselves."""
        found = self._hits[number] = read_hit(self._anchors, number, self._live, self._cues)
        return found


def marks_of(anchors: Anchors, live: Sequence[bool]) -> list[tuple[str, list[int]]]:
    """Marks that ASCII text can hold, each with its units, always in the same order."""
    every = [(mark, units) for some in anchors.marked.values() for _, mark, units in some]
    chosen = ((mark, [unit for unit in units if live[unit]]) for mark, units in (*every, *anchors.bare.items()))
    return [(mark, units) for mark, units in chosen if units and mark.isascii()]


def new_finder(anchors: Anchors, live: Sequence[bool], cues: Mapping[str, Sequence[str]]) -> Hyperscan:
    """A finder whose databases are compiled now.

    Args:
        anchors: of the index.
        live: for each unit, whether it is looked for.
        cues: words at which a judge looks, each with the forms that it has in the text.

    Raises:
        hyperscan.error: the library cannot compile them.
    """
    return Hyperscan(anchors, live, cues, compiled(anchors, live, cues))


def kept_finder(
    anchors: Anchors, target: Target | None, live: Sequence[bool], cues: Mapping[str, Sequence[str]], digest: str
) -> Hyperscan:
    """The same with the databases of the user's cache folder.

    They are compiled, and kept if that is possible, where it has none that can be used.

    Args:
        target: what the anchors are looked for.
        digest: names the rules.
    """
    stamp = _stamp(anchors, target, live, cues, digest)
    path = cache_folder() / f"hyperscan-{_sum(stamp)[:32]}"
    try:
        data = load(path, stamp, _LIMIT)
        if data is not None:
            return Hyperscan(anchors, live, cues, _read(data))
    except (CacheError, hyperscan.error, ValueError):
        pass  # as good as absent
    made = compiled(anchors, live, cues)
    with suppress(CacheError):  # it is compiled again next time
        save(path, stamp, made.written())
    return Hyperscan(anchors, live, cues, made)


def _stamp(
    anchors: Anchors, target: Target | None, live: Sequence[bool], cues: Mapping[str, Sequence[str]], digest: str
) -> str:
    """Everything on which databases depend: the library, the processor, the rules, and what is read from them."""
    probe = hyperscan.Database()
    probe.compile([b"probe"], literal=True)
    made = repr((anchors.words, anchors.users, anchors.marked, anchors.bare, live, cues))
    parts = [_FORMAT, hyperscan.__version__, probe.info().decode(), platform.machine(), digest, target, _sum(made)]
    return json.dumps(parts)


def _sum(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def compiled(anchors: Anchors, live: Sequence[bool], cues: Mapping[str, Sequence[str]]) -> Databases:
    """New databases; see `new_finder`.

    Raises:
        hyperscan.error: the library cannot compile them.
    """
    words, numbers = [], []
    for number, word in enumerate(anchors.words):
        if word.isascii() and (word in cues or any(live[user] for user, _ in read_users(anchors.users[number]))):
            words.append(word)
            numbers.append(number)
    marks = [mark for mark, _ in marks_of(anchors, live)]
    return Databases(Database.compile(words, numbers), Database.compile(marks, range(len(marks))))
