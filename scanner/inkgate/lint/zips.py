"""Members of a zip archive (APPNOTE 6.3.10). The standard library reads the directory; the data is read here, where
each step is small, because its reader unpacks a whole block of bzip2 or a gigabyte of deflate at one call.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from typing import IO

from inkgate.lint.bounds import CHUNK, ArchiveError, Bounds, ByteReader, Guarded, Problem, exactly
from inkgate.lint.expand import Expander, bzip2, deflate
from inkgate.lint.tars import Body, link_leaves

__all__ = ["zip_directory", "zip_members"]

_LARGEST = 4 << 20
"""Bytes of the directory: enough for ten thousand members with names of 350 characters."""

_ENCRYPTED = 0x1 | 0x40 | 0x2000
_METHODS = {1: "shrink", 6: "implode", 9: "deflate64", 14: "LZMA", 93: "zstd", 95: "xz", 98: "PPMd", 99: "AES"}


class _Careful:
    """A file that refuses to give much at once: the directory reader asks for as much as the archive says."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, n: int = -1, /) -> bytes:
        if n > _LARGEST:
            raise ArchiveError(f"its directory takes more than {_LARGEST >> 20} MiB", "archive-limit")
        return self._file.read(n if n >= 0 else _LARGEST)


class _Slice:
    """Bytes of a file from one offset on; other slices of the same file may be read in between."""

    def __init__(self, file: IO[bytes], start: int, size: int) -> None:
        self._file, self._place, self._left = file, start, size

    def read(self, n: int, /) -> bytes:
        if not self._left:
            return b""
        self._file.seek(self._place)
        data = self._file.read(min(n, self._left, CHUNK))
        if not data:
            raise ArchiveError("the archive ends within this member")
        self._place += len(data)
        self._left -= len(data)
        return data


class _Checked:
    """The content of a member, compared at its end with the length and checksum that the directory gives."""

    def __init__(self, reader: ByteReader, info: zipfile.ZipInfo) -> None:
        self._reader, self._info = reader, info
        self._size = self._crc = 0

    def read(self, n: int, /) -> bytes:
        data = self._reader.read(n)
        self._size += len(data)
        self._crc = zlib.crc32(data, self._crc)
        if not data and (self._size, self._crc) != (self._info.file_size, self._info.CRC):
            raise ArchiveError("its length or checksum is wrong")
        return data


class _Counted:
    """Stored bytes: not decompressed, but many members may share them."""

    def __init__(self, reader: ByteReader, bounds: Bounds) -> None:
        self._reader, self._bounds = reader, bounds

    def read(self, n: int, /) -> bytes:
        data = self._reader.read(n)
        self._bounds.spend(len(data))
        return data


def zip_directory(file: IO[bytes]) -> list[zipfile.ZipInfo]:
    """The entries of the archive's directory; data in front of the archive is allowed.

    Raises:
        ArchiveError: there is no directory, or it is damaged or beyond the bounds.
    """
    try:
        with zipfile.ZipFile(_Careful(file)) as archive:
            return archive.infolist()
    except (
        zipfile.BadZipFile,
        NotImplementedError,
        ValueError,
        struct.error,
        OverflowError,
        EOFError,
        OSError,
    ) as error:
        raise ArchiveError(f"its directory cannot be read: {error}") from error


def zip_members(file: IO[bytes], entries: list[zipfile.ZipInfo], bounds: Bounds) -> Iterator[Body | Problem]:
    """Every file of a zip archive, in the order of its directory.

    Raises:
        ArchiveError: more than the bounds allow. What is wrong with one member is a `Problem`, and the others follow.
    """
    for info in entries:
        bounds.member()
        name = info.orig_filename
        if info.flag_bits & _ENCRYPTED:
            yield Problem(name, "protected by a password", "archive-encrypted")
            continue
        try:
            start, encrypted = _data_start(file, info)
            if encrypted:
                yield Problem(name, "protected by a password", "archive-encrypted")
                continue
            reader = _content(file, start, info, bounds)
        except ArchiveError as error:
            yield error.at(name)
            continue
        if reader is None:
            method = _METHODS.get(info.compress_type, f"method {info.compress_type}")
            yield Problem(name, f"packed with {method}, which is not read", "archive-unread")
        elif info.external_attr >> 28 == 0o12:
            if link_leaves(name, exactly(Guarded(reader, name), 4096).decode("utf-8", "replace")):
                yield Problem(name, "a symbolic link that leads outside", "archive-path", unread=False)
        elif not (name.endswith("/") and not info.file_size):
            yield Body(name, reader)


def _data_start(file: IO[bytes], info: zipfile.ZipInfo) -> tuple[int, bool]:
    """Where the member's data begins by its own header, and whether that header calls it encrypted."""
    try:
        file.seek(info.header_offset)
    except (ValueError, OverflowError, OSError) as error:
        raise ArchiveError("its place in the archive makes no sense") from error
    header = exactly(file, 30)
    if len(header) < 30 or header[:4] != b"PK\x03\x04":
        raise ArchiveError("its header is missing")
    flags, names, extra = struct.unpack_from("<H", header, 6)[0], *struct.unpack_from("<HH", header, 26)
    own = exactly(file, names)
    if own.replace(b"\\", b"/") != _raw_name(info).replace(b"\\", b"/"):
        raise ArchiveError("its header and the directory call it by different names")
    return info.header_offset + 30 + names + extra, bool(flags & _ENCRYPTED)


def _raw_name(info: zipfile.ZipInfo) -> bytes:
    return info.orig_filename.encode("utf-8" if info.flag_bits & 0x800 else "cp437", "replace")


def _content(file: IO[bytes], start: int, info: zipfile.ZipInfo, bounds: Bounds) -> ByteReader | None:
    packed = _Slice(file, start, info.compress_size)
    if info.compress_type == zipfile.ZIP_STORED:
        return _Checked(_Counted(packed, bounds), info)
    if info.compress_type == zipfile.ZIP_DEFLATED:
        return _Checked(Expander(packed, deflate, bounds, many=False), info)
    if info.compress_type == zipfile.ZIP_BZIP2:
        return _Checked(Expander(packed, bzip2, bounds), info)
    return None
