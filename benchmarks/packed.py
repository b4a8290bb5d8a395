"""Crafted archives: nested, many-membered, repetitive, with texts that are slow by themselves."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import tarfile
import zipfile
from collections.abc import Callable, Mapping

__all__ = ["archives"]

Texts = Callable[[int], str]


def zipped(members: Mapping[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(zipfile.ZipInfo(name), data, method)
    return out.getvalue()


def tarred(members: Mapping[str, bytes]) -> bytes:
    """A tar archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, data in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def nested(data: bytes, depth: int) -> bytes:
    """A file in an archive in an archive, as often as asked for, of alternating kinds."""
    name = "note.md"
    for level in range(depth):
        if level % 2:
            data, name = gzip.compress(tarred({name: data})), f"{level}.tar.gz"
        else:
            data, name = zipped({name: data, f"again-{level}.md": b"A note.\n"}), f"{level}.zip"
    return data


def doubled(data: bytes, depth: int) -> bytes:
    """An archive of two archives of two archives: what is in it doubles with each level."""
    name = "note.md"
    for level in range(depth):
        data = zipped({f"a-{name}": data, f"b-{name}": data})
        name = f"{level}.zip"
    return data


def archives(source: random.Random, size: int, prose: Texts, slow: Texts) -> dict[str, tuple[str, bytes]]:
    """Every kind of crafted archive: its file name and its bytes.

    Args:
        source: of chance.
        size: bytes of text in it, about.
        prose: makes ordinary text.
        slow: makes text that is slow to scan.
    """
    text, hard = prose(size).encode(), slow(size).encode()
    many = {f"{number}.md": prose(200).encode() for number in range(max(1, size // 200))}
    return {
        "archive, three deep": ("a.zip", nested(text, 3)),
        "archive, thirty deep": ("a.zip", nested(text, 30)),
        "archive of archives, doubled": ("a.zip", doubled(prose(size // 8).encode(), 3)),
        "archive of many small notes": ("a.zip", zipped(many, zipfile.ZIP_STORED)),
        "archive of many empty notes": ("a.zip", zipped({f"{number}.md": b"" for number in range(size // 80)})),
        "archive of slow text": ("a.zip", zipped({"note.md": hard})),
        "archive of one letter": ("a.zip", zipped({"note.md": b"a" * (size * 16)})),
        "tar of many small notes": ("a.tar", tarred(many)),
        "gzip of gzip of gzip": ("a.md.gz.gz.gz", gzip.compress(gzip.compress(gzip.compress(text)))),
        "bzip2 of one letter": ("a.md.bz2", bz2.compress(b"a" * (size * 16))),
        "xz of text": ("a.md.xz", lzma.compress(text)),
        "zip that is cut": ("a.zip", zipped({"note.md": text})[: size // 4]),
        "garbage that begins like a zip": ("a.zip", b"PK\x03\x04" + source.randbytes(size)),
        "document of slow text": ("a.docx", zipped({"word/document.xml": b"<w:t>" + hard + b"</w:t>"})),
    }
