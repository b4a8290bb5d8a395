"""Hyperscan as the engine: three databases for a target, each asked once for a text.

Words of the collapsed text, conditions on that text (`conditions`), and marks of the text as it is, which the automaton
can only look for by what is left of them when their signs are taken off. All of it is ASCII: of other text, the
automaton finds as much in the same time, as every place would have to be counted anew in characters.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import groupby
from operator import itemgetter

import hyperscan

from inkgate.lean import TYPE_CHECKING, Any, NamedTuple
from inkgate.match.conditions import Watched, expression, worth
from inkgate.match.index import Anchors, read_users
from inkgate.private import CacheError, cache_folder, load, save

if TYPE_CHECKING:
    from inkgate.match.keywords import Unit
    from inkgate.match.passes import Found, Hit
    from inkgate.model import Target

__all__ = ["Database", "Databases", "Hyperscan", "kept_finder", "new_finder"]

_FORMAT = 1
"""Of what is kept, and of the expressions."""

_LIMIT = 64 << 20
"""Bytes of what is kept."""


class Database:
    """Literals or expressions, compiled; safe for threads.

    Args:
        made: the library's database; None: nothing is looked for.
    """

    __slots__ = ("_idle", "_made")

    def __init__(self, made: Any = None) -> None:
        self._made = made
        self._idle: list[Any] = [] if made is None else [hyperscan.Scratch(made)]

    @classmethod
    def compile(cls, words: Sequence[str], numbers: Sequence[int], *, literal: bool) -> Database:
        """A new one.

        Raises:
            hyperscan.error: the library refuses an expression.
        """
        if not words:
            return cls()
        made = hyperscan.Database()
        flags = 0 if literal else hyperscan.HS_FLAG_DOTALL
        made.compile([word.encode("ascii") for word in words], ids=list(numbers), flags=flags, literal=literal)
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
        conditions: of the collapsed text, by the numbers of their units.
        marks: of the text as it is, by their numbers in `marks_of`.
        units: those whose anchors are not among the words.
    """

    words: Database
    conditions: Database
    marks: Database
    units: frozenset[int]

    def written(self) -> bytes:
        """The same as bytes."""
        parts = [each.written() for each in (self.words, self.conditions, self.marks)]
        head = {"units": sorted(self.units), "sizes": list(map(len, parts))}
        return b"\n".join((json.dumps(head).encode(), b"".join(parts)))


def _read(data: bytes) -> Databases:
    """See `Databases.written`.

    Raises:
        hyperscan.error: they are of another version of the library, or for another processor.
        ValueError, KeyError, TypeError: they are no such bytes.
    """
    first, _, rest = data.partition(b"\n")
    head = json.loads(first)
    one, two, three = head["sizes"]
    if one + two + three != len(rest):
        raise ValueError("of another length")
    parts = rest[:one], rest[one : one + two], rest[one + two :]
    words, conditions, marks = map(Database.read, parts)
    return Databases(words, conditions, marks, frozenset(head["units"]))


class Hyperscan:
    """The finder of a target; see `passes.Finder`. For ASCII text only."""

    __slots__ = ("_anchors", "_cues", "_hits", "_live", "_made", "_marks", "_unit", "_watched")

    def __init__(
        self,
        anchors: Anchors,
        live: Sequence[bool],
        cues: Mapping[str, Sequence[str]],
        unit: Callable[[int], Unit],
        made: Databases,
    ) -> None:
        self._anchors = anchors
        self._live = live
        self._cues = cues
        self._unit = unit
        self._made = made
        self._hits: list[Hit | None] = [None] * len(anchors.words)
        self._marks = [(len(mark), units) for mark, units in marks_of(anchors, live)]
        self._watched: dict[int, Watched] = {}

    def find(self, text: str, lower: str) -> Found:
        """See `passes.Finder`."""
        made, known, marks = self._made, self._hits, self._marks
        data = text.encode("ascii")
        words = [(end - 1, known[number] or self._hit(number)) for end, number in made.words.ends(data)]
        words += self._watch(text, made.conditions.ends(data))
        return words, [(end - 1, marks[number]) for end, number in made.marks.ends(lower.encode("ascii"))]

    def _hit(self, number: int) -> Hit:
        """What a word tells, without the units that have a condition, and without marks."""
        word, live, units = self._anchors.words[number], self._live, self._made.units
        users = read_users(self._anchors.users[number])
        mine = tuple(user for user in users if live[user[0]] and user[0] not in units)
        found = self._hits[number] = len(word), mine, (), self._cues.get(word, ())
        return found

    def _watch(self, text: str, ends: list[tuple[int, int]]) -> Iterator[tuple[int, Hit]]:
        """The anchors of the units whose conditions hold."""
        ends.sort(key=itemgetter(1))
        for number, some in groupby(ends, itemgetter(1)):
            watched = self._watched.get(number)
            if watched is None:
                watched = self._watched[number] = Watched(number, self._unit(number))
            yield from watched.hits(text, [end for end, _ in some])


def marks_of(anchors: Anchors, live: Sequence[bool]) -> list[tuple[str, list[int]]]:
    """Marks that ASCII text can hold, each with its units, always in the same order."""
    every = [(mark, units) for some in anchors.marked.values() for _, mark, units in some]
    chosen = ((mark, [unit for unit in units if live[unit]]) for mark, units in (*every, *anchors.bare.items()))
    return [(mark, units) for mark, units in chosen if units and mark.isascii()]


def new_finder(
    anchors: Anchors,
    live: Sequence[bool],
    cues: Mapping[str, Sequence[str]],
    unit: Callable[[int], Unit],
    *,
    conditions: bool = True,
) -> Hyperscan:
    """A finder whose databases are compiled now.

    Args:
        anchors: of the index.
        live: for each unit, whether it is looked for.
        cues: words at which a judge looks, each with the forms that it has in the text.
        unit: gives the unit of a number.
        conditions: whether there are any: they take nearly all of the time.

    Raises:
        hyperscan.error: the library cannot compile them.
    """
    return Hyperscan(anchors, live, cues, unit, compiled(anchors, live, cues, unit, conditions=conditions))


def kept_finder(
    anchors: Anchors,
    target: Target | None,
    live: Sequence[bool],
    cues: Mapping[str, Sequence[str]],
    unit: Callable[[int], Unit],
    digest: str,
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
            return Hyperscan(anchors, live, cues, unit, _read(data))
    except (CacheError, hyperscan.error, ValueError, KeyError, TypeError):
        pass  # as good as absent
    made = compiled(anchors, live, cues, unit)
    with suppress(CacheError):  # it is compiled again next time
        save(path, stamp, made.written())
    return Hyperscan(anchors, live, cues, unit, made)


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


def compiled(
    anchors: Anchors,
    live: Sequence[bool],
    cues: Mapping[str, Sequence[str]],
    unit: Callable[[int], Unit],
    *,
    conditions: bool = True,
) -> Databases:
    """New databases; see `new_finder`.

    Raises:
        hyperscan.error: the library cannot compile them.
    """
    users = [[user for user, _ in read_users(written) if live[user]] for written in anchors.users]
    common = sorted({user for some in users for user in some if worth(unit(user))} if conditions else ())
    asked = [(number, expression(unit(number))) for number in common]
    made, refused = _conditions([each for each in asked if each[1]])
    units = frozenset(common) - refused
    words, numbers = [], []
    for number, word in enumerate(anchors.words):
        if word.isascii() and (word in cues or any(user not in units for user in users[number])):
            words.append(word)
            numbers.append(number)
    marks = [mark for mark, _ in marks_of(anchors, live)]
    return Databases(
        Database.compile(words, numbers, literal=True),
        made,
        Database.compile(marks, range(len(marks)), literal=True),
        units,
    )


def _conditions(asked: list[tuple[int, str]]) -> tuple[Database, frozenset[int]]:
    """The database of some expressions, and the units of those that the library refuses: they go by their anchors."""
    numbers = [number for number, _ in asked]
    try:
        return Database.compile([each for _, each in asked], numbers, literal=False), frozenset()
    except hyperscan.error:
        good = [each for each in asked if _accepted(each[1])] if len(asked) > 1 else []
        if len(good) == len(asked):  # each by itself, but not all of them together
            good = good[: len(good) // 2]
        made, more = _conditions(good)
        return made, more | frozenset(numbers).difference(number for number, _ in good)


def _accepted(each: str) -> bool:
    try:
        Database.compile([each], [0], literal=False)
    except hyperscan.error:
        return False
    return True
