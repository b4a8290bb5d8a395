"""What a file is, by its first bytes: text in which encoding, an archive, media, compiled code, or something unknown.

Content decides. A name is only asked to confirm: media and binary data are left unread only where the name does not
promise text, so a picture's signature in front of a note hides nothing.
"""

from __future__ import annotations

import codecs
import enum

from inkgate.lean import dataclass
from inkgate.text.lazy import lazy

__all__ = ["HEAD", "Encoding", "Kind", "detect", "promises_text", "sniff"]

HEAD = 4096
"""Bytes that settle what a file is."""


class Kind(enum.StrEnum):
    """What to do with a file."""

    TEXT = "text"
    ZIP = "zip"
    TAR = "tar"
    GZIP = "gzip"
    BZIP2 = "bzip2"
    XZ = "xz"
    ARCHIVE = "archive"
    """An archive that is not opened: 7z, rar, zstd, cab and others."""
    MEDIA = "media"
    """A picture, sound, film, font or PDF."""
    OPAQUE = "opaque"
    """Compiled code, a serialised program, or a document in a binary format."""
    BINARY = "binary"
    """Bytes of no kind that is known here."""

    @property
    def opened(self) -> bool:
        """Whether it is an archive whose members are read."""
        return self in _OPENED


_OPENED = frozenset({Kind.ZIP, Kind.TAR, Kind.GZIP, Kind.BZIP2, Kind.XZ})


@dataclass(frozen=True, slots=True)
class Encoding:
    """An encoding, the length of its byte order mark in bytes, and whether it was told from the NUL bytes alone."""

    encoding: str
    bom: int = 0
    guessed: bool = False


def detect(head: bytes) -> Encoding:
    """The encoding of a text by its first bytes (Unicode Standard 23.8 for the byte order marks).

    UTF-32 and UTF-16 share their little-endian mark's first two bytes; UTF-32 is believed only if the head is valid
    UTF-32, because UTF-16 that starts with a NUL looks the same.
    """
    for mark, name in ((codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be")):
        if head.startswith(mark) and _valid_utf32(head[4:], name):
            return Encoding(name, 4)
    if head.startswith(codecs.BOM_UTF8):
        return Encoding("utf-8", 3)
    if head.startswith(codecs.BOM_UTF16_LE):
        return Encoding("utf-16-le", 2)
    if head.startswith(codecs.BOM_UTF16_BE):
        return Encoding("utf-16-be", 2)
    return _by_nuls(head) or Encoding("utf-8")


def _valid_utf32(body: bytes, name: str) -> bool:
    try:
        codecs.getincrementaldecoder(name)().decode(body, False)
    except UnicodeDecodeError:
        return False
    return True


def _by_nuls(head: bytes) -> Encoding | None:
    """UTF-16 or UTF-32 without a mark: NUL on one side of the units, and hardly any on the other."""
    head = head[: len(head) & ~3] or head[: len(head) & ~1]
    if len(head) < 4 or 0 not in head:
        return None
    lanes = [head[lane::4].count(0) for lane in range(4)]
    quarter = len(head) // 4
    if quarter >= 2 and lanes[0] * 20 <= quarter and min(lanes[1:]) * 10 >= quarter * 9:
        return Encoding("utf-32-le", guessed=True)
    if quarter >= 2 and lanes[3] * 20 <= quarter and min(lanes[:3]) * 10 >= quarter * 9:
        return Encoding("utf-32-be", guessed=True)
    even, odd, units = lanes[0] + lanes[2], lanes[1] + lanes[3], len(head) // 2
    if odd * 10 >= units * 4 and even * 20 <= units:
        return Encoding("utf-16-le", guessed=True)
    if even * 10 >= units * 4 and odd * 20 <= units:
        return Encoding("utf-16-be", guessed=True)
    return None


_SIGNATURES: tuple[tuple[Kind, tuple[bytes, ...]], ...] = (
    (Kind.ZIP, (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")),
    (Kind.GZIP, (b"\x1f\x8b\x08",)),
    (Kind.BZIP2, tuple(b"BZh%d" % level + end for level in range(1, 10) for end in (b"1AY&SY", b"\x17rE8P\x90"))),
    (Kind.XZ, (b"\xfd7zXZ\0",)),
    (
        Kind.ARCHIVE,
        (
            b"7z\xbc\xaf\x27\x1c",
            b"Rar!\x1a\x07",
            b"\x28\xb5\x2f\xfd",  # zstd
            b"\x04\x22\x4d\x18",  # lz4
            b"MSCF\0\0\0\0",
            b"LZIP\x01",
            b"\x5d\0\0",  # lzma without a container
            b"\x1f\x9d",  # compress
            b"!<arch>\n",
            b"xar!\0",
            b"\xed\xab\xee\xdb",  # rpm
        ),
    ),
    (
        Kind.OPAQUE,
        (
            b"\x7fELF",
            b"MZ",
            b"\0asm",
            b"\xfe\xed\xfa\xce",  # Mach-O, in both byte orders and widths, and for several machines
            b"\xfe\xed\xfa\xcf",
            b"\xce\xfa\xed\xfe",
            b"\xcf\xfa\xed\xfe",
            b"\xca\xfe\xba\xbe",  # also a Java class
            b"dex\n0",
            b"BC\xc0\xde",
            b"\x1bLua",
            b"\x80\x02",  # pickle, protocols 2 to 5
            b"\x80\x03",
            b"\x80\x04\x95",
            b"\x80\x05\x95",
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",  # OLE: documents and macros of old Office, encrypted new ones
        ),
    ),
    (
        Kind.MEDIA,
        (
            b"\x89PNG\r\n\x1a\n",
            b"\xff\xd8\xff",
            b"GIF87a",
            b"GIF89a",
            b"BM",
            b"\0\0\1\0",
            b"II*\0",
            b"MM\0*",
            b"8BPS",
            b"\xff\x0a",  # JPEG XL
            b"\0\0\0\x0cJXL ",
            b"ID3",
            b"\xff\xfb",
            b"\xff\xf3",
            b"\xff\xf2",
            b"\xff\xf1",
            b"\xff\xf9",
            b"OggS",
            b"fLaC",
            b"MThd",
            b"\x1a\x45\xdf\xa3",
            b"FLV\1",
            b"\0\1\0\0",
            b"OTTO",
            b"true",
            b"ttcf",
            b"wOFF",
            b"wOF2",
            b"%PDF-",
        ),
    ),
)


def _names(words: str) -> frozenset[str]:
    return frozenset(words.split())


_MEDIA_NAMES = _names(
    "png apng jpg jpeg jpe jfif gif webp bmp ico cur tif tiff psd jxl avif heic heif raw dng "
    "mp3 wav ogg oga opus flac m4a aac mid midi mp4 m4v mov mkv webm avi flv ogv 3gp "
    "ttf otf ttc woff woff2 eot pdf "
)
_TEXT_NAMES = _names(
    "md markdown mdown mkd mdx mdc qmd rmd txt text rst adoc asciidoc org tex wiki canvas base "
    "json jsonl ndjson json5 yaml yml toml ini cfg conf config properties env csv tsv log xml html htm xhtml svg "
    "css scss "
    "sh bash zsh fish ps1 psm1 bat cmd py pyi pyw js mjs cjs jsx ts mts cts tsx rb pl pm php lua r go rs java kt swift "
    "c h cc cpp hpp cs sql vue svelte ipynb plist srt vtt eml mbox ics vcf diff patch lock tf gradle cursorrules "
    "windsurfrules clinerules "
)
_CONTROLS = bytes({*range(32), 127} - {8, 9, 10, 12, 13, 27})
_ESCAPED = lazy("[\udc80-\udcff]")


def promises_text(name: str) -> bool:
    """Whether a file of this name is read as text by its reader, whatever is in it."""
    base = name.replace("\\", "/").rstrip("/").rpartition("/")[2].lower()
    if base.startswith(".") and "." not in base[1:]:
        return True
    return base.rpartition(".")[2] in _TEXT_NAMES and "." in base


def sniff(head: bytes, name: str = "") -> Kind:
    """What a file is.

    Args:
        head: its first `HEAD` bytes, or all of them if it is shorter.
        name: its name or path; empty when there is none.
    """
    kind = _by_signature(head)
    if kind is Kind.MEDIA and name.rpartition(".")[2].lower() not in _MEDIA_NAMES:
        kind = None
    if kind in (Kind.MEDIA, Kind.OPAQUE) and not _noise(head)[0]:
        kind = None
    if kind is not None:
        return kind
    if not head or promises_text(name):
        return Kind.TEXT
    found = detect(head)
    if found.bom:
        return Kind.TEXT
    if found.guessed:
        letters = head.decode(found.encoding, "replace")
        return Kind.TEXT if sum(map(str.isprintable, letters)) * 10 >= len(letters) * 8 else Kind.BINARY
    controls, invalid = _noise(head)
    return Kind.BINARY if controls and (controls + invalid) * 10 >= len(head) else Kind.TEXT


def _by_signature(head: bytes) -> Kind | None:
    for kind, signatures in _SIGNATURES:
        if head.startswith(signatures):
            return kind
    if _is_tar(head):
        return Kind.TAR
    if head[2:4] == b"\r\n" and head[1:2] in (b"\x0c", b"\x0d", b"\x0e", b"\x0f") and 0 in head[:16]:
        return Kind.OPAQUE  # CPython bytecode: a version number, then CR LF
    if head[4:8] == b"ftyp" or (head[:4] == b"RIFF" and head[8:12] in (b"WEBP", b"WAVE", b"AVI ")):
        return Kind.MEDIA
    return None


def _is_tar(head: bytes) -> bool:
    """A tar header says its own checksum: the sum of its bytes, with blanks for the checksum (POSIX pax)."""
    if len(head) < 512:
        return False
    digits = head[148:156].strip(b" \0")
    if not digits or not digits.isdigit() or b"8" in digits or b"9" in digits:
        return False
    return int(digits, 8) == sum(head[:148]) + 8 * 32 + sum(head[156:512])


def _noise(head: bytes) -> tuple[int, int]:
    """Bytes that are control characters of no use in text, and bytes that are not valid UTF-8."""
    controls = len(head) - len(head.translate(None, _CONTROLS))
    return controls, len(_ESCAPED.findall(head.decode("utf-8", "surrogateescape")))
