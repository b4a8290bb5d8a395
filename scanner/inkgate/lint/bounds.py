"""How much of an archive is read, and what is said where reading stops."""

from __future__ import annotations

from inkgate.lean import Protocol, dataclass
from inkgate.model import InkgateError

__all__ = ["CHUNK", "ArchiveError", "Bounds", "ByteReader", "Guarded", "Problem", "Replay", "exactly", "skip"]

CHUNK = 65_536
"""Bytes that are asked for at once."""

_RATIO = 250
_RATIO_FROM = 16 << 20


class ByteReader(Protocol):
    """Anything with `read(n)` that gives bytes."""

    def read(self, n: int, /) -> bytes:
        """At most `n` bytes, empty at the end."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that could not be read, or should not be there.

    Attributes:
        name: the member, as `outer!inner` where archives are nested; empty for the archive itself.
        reason: one sentence without a name.
        rule: id of the integrity rule that reports it, or empty.
        unread: whether something stayed unread.
        fatal: whether the scan is incomplete because of it.
    """

    name: str
    reason: str
    rule: str = ""
    unread: bool = True
    fatal: bool = False


class ArchiveError(InkgateError):
    """Reading has to stop here: damaged data, or a bound."""

    def __init__(self, reason: str, rule: str = "archive-damaged") -> None:
        super().__init__(reason)
        self.rule = rule

    def at(self, name: str) -> Problem:
        """The same, as something to report about a member."""
        return Problem(name, str(self), self.rule, fatal=True)


class Bounds:
    """What is left to spend on one file, over all archives that are nested in it.

    Args:
        members: members and compressed streams.
        total: bytes that come out of decompression.
        depth: archives within archives; a compressed tar counts once.
        held: bytes of inner archives that have to be in memory because they are read from their end.
    """

    def __init__(self, *, members: int = 10_000, total: int = 256 << 20, depth: int = 3, held: int = 32 << 20) -> None:
        self.members, self.total, self.depth, self.held = members, total, depth, held
        self._asked = (members, total, held)

    def member(self) -> None:
        """Count a member.

        Raises:
            ArchiveError: there are too many.
        """
        self.members -= 1
        if self.members < 0:
            raise ArchiveError(f"more than {self._asked[0]:,} members", "archive-limit")

    def spend(self, size: int) -> None:
        """Count unpacked bytes.

        Raises:
            ArchiveError: there are too many.
        """
        self.total -= size
        if self.total < 0:
            raise ArchiveError(f"unpacks to more than {self._asked[1] >> 20:,} MiB", "archive-limit")

    def hold(self, size: int) -> None:
        """Count bytes that are kept in memory.

        Raises:
            ArchiveError: there are too many.
        """
        self.held -= size
        if self.held < 0:
            raise ArchiveError(f"inner archives of more than {self._asked[2] >> 20:,} MiB", "archive-limit")

    @staticmethod
    def ratio(packed: int, unpacked: int) -> None:
        """Refuse what no ordinary data reaches once it matters: 250 times its packed size, and 16 MiB.

        Raises:
            ArchiveError: it is packed like a decompression bomb.
        """
        if unpacked > _RATIO_FROM and unpacked > _RATIO * packed:
            raise ArchiveError(f"unpacks to more than {_RATIO} times its size", "archive-limit")


class Guarded:
    """A reader that ends where reading fails, and keeps the reason.

    What was read until then is scanned; whoever uses it looks at `problem` afterwards.

    Attributes:
        problem: why reading ended early, or None.
    """

    def __init__(self, reader: ByteReader, name: str) -> None:
        self._reader, self._name = reader, name
        self.problem: Problem | None = None

    def read(self, n: int, /) -> bytes:
        """At most `n` bytes; empty at the end, and from the first failure on."""
        if self.problem is not None:
            return b""
        try:
            data: bytes | None = self._reader.read(n)
        except ArchiveError as error:
            self.problem = error.at(self._name)
        except OSError as error:
            self.problem = Problem(self._name, f"cannot be read: {error.strerror or error}", fatal=True)
        else:
            if data is not None:
                return data
            self.problem = Problem(
                self._name, "gives no data now; a file that one has to wait for is not read", fatal=True
            )
        return b""


class Replay:
    """A reader some bytes of which were already taken."""

    def __init__(self, head: bytes, reader: ByteReader) -> None:
        self._head, self._reader = head, reader

    def read(self, n: int, /) -> bytes:
        """At most `n` bytes: those that were taken first."""
        if self._head:
            data, self._head = self._head[:n], self._head[n:]
            return data
        return self._reader.read(n)


def exactly(reader: ByteReader, size: int) -> bytes:
    """Read `size` bytes, fewer only at the end; `size` must be small."""
    parts = []
    while size and (part := reader.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def skip(reader: ByteReader, size: int) -> int:
    """Read and drop up to `size` bytes; how many there were."""
    left = size
    while left and (part := reader.read(min(left, CHUNK))):
        left -= len(part)
    return size - left
