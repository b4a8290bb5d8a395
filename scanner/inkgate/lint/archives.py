"""Members of archives and office documents: opened in memory, within bounds, and never put on the disk."""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import IO

from inkgate.lint.bounds import CHUNK, ArchiveError, Bounds, ByteReader, Guarded, Problem, Replay, exactly
from inkgate.lint.documents import DocumentText, holds_document, is_document_part
from inkgate.lint.tars import Body, leaves, tar_members
from inkgate.text.sniff import HEAD, Kind, promises_text, sniff
from inkgate.text.stream import Reader

__all__ = ["Bounds", "Member", "Problem", "in_memory", "members"]

_MOST_ALIKE = 20
_PACKED = {Kind.GZIP: (".gz", ".tgz"), Kind.BZIP2: (".bz2", ".tbz2", ".tbz"), Kind.XZ: (".xz", ".txz")}
_UNSHOWN = re.compile("[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")  # controls, and what turns text around


@dataclass(frozen=True, slots=True)
class Member:
    """One file in an archive.

    Attributes:
        name: its path in the archive, `outer!inner` where archives are nested.
        kind: what it is; never an archive that is opened.
        reader: its bytes, or its text if it is a part of an office document; to be read before the next member is
            asked for. It ends early where it is damaged, and a `Problem` follows.
        head: its first bytes, empty for a part of a document.
    """

    name: str
    kind: Kind
    reader: Reader
    head: bytes = b""


def members(file: IO[bytes], kind: Kind, name: str = "", bounds: Bounds | None = None) -> Iterator[Member | Problem]:
    """Every file in an archive, through all archives that are nested in it.

    Args:
        file: the archive, at its start; for zip it must be seekable.
        kind: what `sniff` says about it.
        name: its own name, from which a single compressed file gets its name.
        bounds: what may be spent; the default bounds if not given.

    Yields:
        A `Member` for each file, and a `Problem` for each thing that cannot be read or should not be there. Damaged
        archives raise nothing; what is alike is counted from the twentieth on.
    """
    counts: Counter[tuple[str, bool]] = Counter()
    for item in _open(file, kind, name, "", bounds or Bounds(), 1):
        if isinstance(item, Problem):
            counts[item.rule, item.fatal] += 1
            if counts[item.rule, item.fatal] > _MOST_ALIKE:
                continue
        yield item
    for (rule, fatal), count in counts.items():
        if count > _MOST_ALIKE:
            yield Problem("", f"{count - _MOST_ALIKE:,} more members like this are only counted", rule, fatal=fatal)


def _open(
    file: IO[bytes] | ByteReader, kind: Kind, name: str, path: str, bounds: Bounds, depth: int
) -> Iterator[Member | Problem]:
    """The members of one archive; `path` is empty or ends in `!`."""
    try:
        if kind is Kind.ZIP:
            yield from _zip(file, path, bounds, depth)
        elif kind is Kind.TAR:
            for item in tar_members(file, bounds):
                yield from _member(item, path, bounds, depth, documents=False)
        else:
            yield from _compressed(file, kind, name, path, bounds, depth)
    except ArchiveError as error:
        yield error.at(path.rstrip("!"))


def _zip(file: IO[bytes] | ByteReader, path: str, bounds: Bounds, depth: int) -> Iterator[Member | Problem]:
    from inkgate.lint.zips import zip_directory, zip_members

    if depth > 1:
        held = in_memory(file, bounds)
        if isinstance(held, Problem):
            yield replace(held, name=path.rstrip("!"))
            return
        file = held
    seekable: IO[bytes] = file  # type: ignore[assignment]
    entries = zip_directory(seekable)
    documents = holds_document({entry.filename for entry in entries})
    for item in zip_members(seekable, entries, bounds):
        yield from _member(item, path, bounds, depth, documents=documents)


def in_memory(file: ByteReader, bounds: Bounds) -> IO[bytes] | Problem:
    """All bytes of an archive that can only be read from its end, or why there are too many."""
    held = io.BytesIO()
    try:
        while data := file.read(CHUNK):
            bounds.hold(len(data))
            held.write(data)
    except ArchiveError as error:
        return error.at("")
    held.seek(0)
    return held


def _compressed(
    file: ByteReader, kind: Kind, name: str, path: str, bounds: Bounds, depth: int
) -> Iterator[Member | Problem]:
    """A single compressed file; a tar in it belongs to the same level."""
    from inkgate.lint import expand

    engine = {Kind.GZIP: expand.gzip, Kind.BZIP2: expand.bzip2, Kind.XZ: expand.xz}[kind]
    expander = expand.Expander(file, engine, bounds)
    base = name.rpartition("/")[2]
    ending = next((ending for ending in _PACKED[kind] if base.lower().endswith(ending)), "")
    inner = (base[: -len(ending)] if ending else base) or "content"
    guarded = Guarded(expander, path + inner)
    head = exactly(guarded, HEAD)
    whole = Replay(head, guarded)
    if sniff(head, inner) is Kind.TAR:
        yield from _open(whole, Kind.TAR, inner, path, bounds, depth)
    else:
        yield from _member(Body(inner, whole), path, bounds, depth, documents=False)
    if guarded.problem is not None:
        yield guarded.problem


def _member(
    item: Body | Problem, path: str, bounds: Bounds, depth: int, *, documents: bool
) -> Iterator[Member | Problem]:
    """A member as it is, or the members of the archive that it is."""
    full = path + item.name
    if isinstance(item, Problem):
        yield Problem(full, item.reason, item.rule, item.unread, item.fatal)
        return
    if leaves(item.name) or _UNSHOWN.search(item.name):
        yield Problem(full, "a name that leads outside or does not look like what it is", "archive-path", unread=False)
    guarded = Guarded(item.reader, full)
    if documents and is_document_part(item.name):
        text = DocumentText(guarded, full)
        yield Member(full, Kind.TEXT, text)
        if text.problem is not None:
            yield text.problem
    else:
        head = exactly(guarded, HEAD)
        kind = sniff(head, item.name)
        whole = Replay(head, guarded)
        if kind.opened and not promises_text(item.name):
            yield from _nested(whole, kind, full, bounds, depth)
        else:
            if kind.opened:
                yield Problem(full, "an archive under the name of a text, which was not opened", "archive-unread")
            yield Member(full, Kind.TEXT if kind.opened else kind, whole, head)
    if guarded.problem is not None:
        yield guarded.problem
    if bounds.total < 0:
        raise ArchiveError("the members behind this bound were not read", "archive-limit")


def _nested(whole: ByteReader, kind: Kind, full: str, bounds: Bounds, depth: int) -> Iterator[Member | Problem]:
    if depth >= bounds.depth:
        yield ArchiveError(f"archives are nested deeper than {bounds.depth}", "archive-limit").at(full)
    else:
        yield from _open(whole, kind, full, f"{full}!", bounds, depth + 1)
