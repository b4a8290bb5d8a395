"""Members of a tar archive, read forward only.

The format is POSIX pax with the GNU forms (long names, base-256 numbers, sparse files). The standard library's reader
takes any header that an archive announces into memory, and some of its versions need quadratic time for hostile
ones; here a header has a bound, sparse data is read as it is stored, and reading goes on behind the end mark.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from inkgate.lint.bounds import ArchiveError, Bounds, ByteReader, Problem, exactly, skip

__all__ = ["Body", "tar_members"]

_BLOCK = 512
_LONGEST = 1 << 20
_LINKS = {b"1": "a hard link", b"2": "a symbolic link"}
_DEVICES = {b"3": "a character device", b"4": "a block device", b"6": "a FIFO"}
_ZERO = bytes(_BLOCK)


@dataclass(frozen=True, slots=True)
class Body:
    """A member's name and content.

    Attributes:
        name: as the archive has it.
        reader: its bytes; to be read before the next member is asked for.
    """

    name: str
    reader: ByteReader


class _Part:
    """The next `size` bytes of a source."""

    def __init__(self, source: ByteReader, size: int) -> None:
        self._source, self.left = source, size

    def read(self, n: int, /) -> bytes:
        data = self._source.read(min(n, self.left)) if self.left else b""
        if self.left and not data:
            raise ArchiveError("the archive ends within this member")
        self.left -= len(data)
        return data


@dataclass(slots=True)
class _Header:
    name: str
    link: str
    size: int
    kind: bytes
    sparse: bool


def tar_members(source: ByteReader, bounds: Bounds) -> Iterator[Body | Problem]:
    """Every file of a tar archive, in order; links that lead outside and devices are problems.

    Raises:
        ArchiveError: the archive is damaged, or beyond the bounds.
    """
    extended: dict[str, str] = {}
    while (header := _header(source)) is not None:
        bounds.member()
        if header.kind in (b"x", b"X", b"g", b"L", b"K"):
            _extend(extended, header, source)
            continue
        if header.kind == b"S" and header.sparse:
            _skip_map(source)
        name = extended.get("GNU.sparse.name") or extended.get("path") or header.name
        link = extended.get("linkpath") or header.link
        size = _number(extended["size"]) if "size" in extended else header.size
        extended.clear()
        if header.kind in _LINKS:
            if link_leaves(name, link) if header.kind == b"2" else leaves(link):
                yield Problem(name, f"{_LINKS[header.kind]} that leads outside", "archive-path", unread=False)
        elif header.kind in _DEVICES:
            yield Problem(name, f"{_DEVICES[header.kind]}", "archive-path", unread=False)
        elif header.kind != b"5":
            part = _Part(source, size)
            yield Body(name, part)
            padded = part.left + -size % _BLOCK
            if skip(source, padded) != padded:
                raise ArchiveError("the archive ends too early")


def leaves(path: str) -> bool:
    """Whether a member's path, or a link's, leads out of the folder that it is unpacked into."""
    path = path.replace("\\", "/")
    depth = 0
    for part in path.split("/"):
        depth += -1 if part == ".." else part not in ("", ".")
        if depth < 0:
            return True
    return path.startswith("/") or path[1:2] == ":"


def link_leaves(name: str, link: str) -> bool:
    """Whether the symbolic link of this name leads out of the folder that the archive is unpacked into."""
    return leaves(link if link.startswith(("/", "\\")) else f"{name.rpartition('/')[0]}/{link}".lstrip("/"))


def _header(source: ByteReader) -> _Header | None:
    block = _ZERO
    while block == _ZERO:
        block = exactly(source, _BLOCK)
        if not block:
            return None
    if len(block) < _BLOCK:
        raise ArchiveError("the archive ends within a header")
    unsigned = sum(block) - sum(block[148:156]) + 8 * 32
    signed = unsigned - 256 * sum(byte > 127 for byte in block[:148] + block[156:])
    if _octal(block[148:156]) not in (unsigned, signed):
        raise ArchiveError("a header is damaged, or there is data behind the end of the archive")
    name = _text(block[:100])
    if block[257:262] == b"ustar" and block[345] and block[257:265] != b"ustar  \0":
        name = f"{_text(block[345:500])}/{name}"
    size = _octal(block[124:136])
    if size < 0:
        raise ArchiveError("a member has a negative length")
    kind = block[156:157]
    if kind in (b"0", b"\0") and name.endswith("/"):
        kind = b"5" if not size else b"0"
    return _Header(name, _text(block[157:257]), size, kind, bool(block[482]))


def _octal(field: bytes) -> int:
    if field[0] in (0x80, 0xFF):
        return int.from_bytes(field[1:], "big") - (256 ** (len(field) - 1) if field[0] == 0xFF else 0)
    return _number(field.split(b"\0", 1)[0].decode("latin-1").strip() or "0", 8)


def _number(text: str, base: int = 10) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20):
        raise ArchiveError("a header holds no number where one should be")
    try:
        return int(text, base)
    except ValueError:
        raise ArchiveError("a header holds no number where one should be") from None


def _text(field: bytes) -> str:
    return field.split(b"\0", 1)[0].decode("utf-8", "replace")


def _extend(extended: dict[str, str], header: _Header, source: ByteReader) -> None:
    """Read a header that is about the next member: its long name, or a list of `length key=value` lines."""
    if header.size > _LONGEST:
        raise ArchiveError(f"a header of more than {_LONGEST >> 20} MiB", "archive-limit")
    data = exactly(source, header.size)
    padding = -header.size % _BLOCK
    if len(data) < header.size or skip(source, padding) != padding:
        raise ArchiveError("the archive ends within a header")
    if header.kind in (b"L", b"K"):
        extended["path" if header.kind == b"L" else "linkpath"] = _text(data)
        return
    place = 0
    while place < len(data) and data[place]:
        blank = data.find(b" ", place, place + 20)
        if blank < 0:
            raise ArchiveError("an extended header is damaged")
        end = place + _number(data[place:blank].decode("latin-1"))
        key, equals, value = data[blank + 1 : end - 1].partition(b"=")
        if end > len(data) or end <= blank or not equals:
            raise ArchiveError("an extended header is damaged")
        if header.kind != b"g":
            extended[key.decode("utf-8", "replace")] = value.decode("utf-8", "replace")
        place = end


def _skip_map(source: ByteReader) -> None:
    """The maps of an old GNU sparse file go on in blocks of their own."""
    while True:
        block = exactly(source, _BLOCK)
        if len(block) < _BLOCK:
            raise ArchiveError("the archive ends within a header")
        if not block[504]:
            return
