"""Texts that a script puts together from pieces, folded where they stand: every offset stays what it was."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from typing import NamedTuple

from inkgate.code.model import CodeFinding
from inkgate.model import Confidence, Severity

__all__ = ["Built", "built", "folded", "hidden_names"]

_QUOTED = r"(?:'[^'\\\n]{0,40}'|\"[^\"\\\n]{0,40}\")"
_ADDED = re.compile(rf"{_QUOTED}(?>(?:\s{{0,4}}[+.]\s{{0,4}}{_QUOTED}){{1,60}})")
_LISTED = re.compile(
    rf"\[\s{{0,4}}({_QUOTED}(?>(?:\s{{0,4}},\s{{0,4}}{_QUOTED}){{1,60}}))\s{{0,4}}\]\s{{0,2}}\.join\(\s{{0,2}}(?:''|\"\")\s{{0,2}}\)"
)
_NUMBERED = re.compile(
    r"String\.fromCharCode\(\s{0,4}(\d{1,4}(?>(?:\s{0,4},\s{0,4}\d{1,4}){1,200}))\s{0,4}\)"
    r"|\[\s{0,4}(\d{1,4}(?>(?:\s{0,4},\s{0,4}\d{1,4}){1,200}))\s{0,4}\]\s{0,4}\.map\([^\n]{0,60}?String\.fromCharCode[^\n]{0,30}?\.join\(\s{0,2}(?:''|\"\")\s{0,2}\)"
)
_TURNED = re.compile(
    r"(['\"])([^'\"\\\n]{2,200})\1\s{0,2}\.split\(\s{0,2}(?:''|\"\")\s{0,2}\)\s{0,2}\.reverse\(\)\s{0,2}\.join\(\s{0,2}(?:''|\"\")\s{0,2}\)"
)
_ESCAPED = re.compile(
    r"(['\"])((?>(?:[\w./: -]{0,40}?\\(?:x[2-7][0-9a-fA-F]|u00[2-7][0-9a-fA-F])){2,60})[\w./: -]{0,40})\1"
)
_ESCAPE = re.compile(r"\\(?:x|u00)([0-9a-fA-F]{2})")
_DECODED = re.compile(
    r"(?:\batob\(\s{0,2}|Buffer\.from\(\s{0,2}|base64_decode\(\s{0,2})(['\"])([A-Za-z0-9+/]{4,400}={0,2})\1"
)
_PIECE = re.compile(_QUOTED)
_NUMBER = re.compile(r"\d+")
_FUNCTION = re.compile(
    r"^[ \t]{0,40}function[ \t]{1,4}((?:[A-Za-z]\w{0,40}-){1,6}\w{1,40})", re.MULTILINE | re.IGNORECASE
)

_NAMES = frozenset(
    {
        *(
            "child_process",
            "node:child_process",
            "process",
            "eval",
            "function",
            "exec",
            "execsync",
            "spawn",
            "spawnsync",
        ),
        *("iex", "invoke-expression", "powershell", "powershell.exe", "cmd.exe", "downloadstring", "downloadfile"),
        *(
            "frombase64string",
            "net.webclient",
            "amsiutils",
            "base64_decode",
            "gzinflate",
            "str_rot13",
            "assert",
            "system",
        ),
        *("shell_exec", "passthru", "curl", "wget", "bash", "/bin/sh", "/bin/bash", "sh -c", "id_rsa", ".ssh"),
    }
)
"""Names that nobody has a reason to put together from pieces."""


class Built(NamedTuple):
    """A text that is put together.

    Attributes:
        start: offset of what puts it together.
        end: offset just past that.
        text: what comes out.
        pieces: texts that stand in it as they are.
        decoded: whether it is decoded, and not only joined.
    """

    start: int
    end: int
    text: str
    pieces: tuple[str, ...] = ()
    decoded: bool = False


def built(text: str) -> Iterator[Built]:
    """The texts that a script puts together from nothing but what is written in it.

    Args:
        text: the script; at most `inkgate.code.LONGEST` characters.
    """
    for hit in _ADDED.finditer(text):
        pieces = tuple(piece[0][1:-1] for piece in _PIECE.finditer(hit[0]))
        yield Built(*hit.span(), "".join(pieces), pieces)
    if "join" in text:
        for hit in _LISTED.finditer(text):
            pieces = tuple(piece[0][1:-1] for piece in _PIECE.finditer(hit[1]))
            yield Built(*hit.span(), "".join(pieces), pieces)
    if "fromCharCode" in text:
        for hit in _NUMBERED.finditer(text):
            yield Built(*hit.span(), "".join(chr(int(number)) for number in _NUMBER.findall(hit[1] or hit[2])))
    if ".reverse()" in text:
        for hit in _TURNED.finditer(text):
            yield Built(*hit.span(), hit[2][::-1])
    if "\\x" in text or "\\u00" in text:
        for hit in _ESCAPED.finditer(text):
            yield Built(*hit.span(), _ESCAPE.sub(lambda one: chr(int(one[1], 16)), hit[2]))
    for hit in _DECODED.finditer(text):
        try:
            plain = base64.b64decode(hit[2] + "=" * (-len(hit[2]) % 4)).decode("ascii")
        except (binascii.Error, UnicodeDecodeError):
            continue  # not text: nothing that a name could be
        yield Built(*hit.span(), plain, decoded=True)


def hidden_names(found: list[Built]) -> Iterator[CodeFinding]:
    """Findings about names of programs, modules and functions that are put together."""
    for item in found:
        name = item.text.strip().lower()
        if name in _NAMES and all(piece.strip().lower() != name for piece in item.pieces):
            message = "The name of something that runs code or takes keys is put together from pieces"
            yield CodeFinding("script-hides-names", item.start, item.end, message, Severity.MEDIUM, Confidence.MEDIUM)


def folded(text: str, found: list[Built]) -> str:
    """The script with each joined text written out in its place, and each hyphen in a function's name as a line below.

    A text that would not fit (none does not) or has quotes or ends of lines in it is left as it is.
    """
    parts: list[str] = []
    done = 0
    for item in sorted(found):
        room = item.end - item.start
        plain = item.text.isprintable() and "'" not in item.text and '"' not in item.text
        if item.start >= done and plain and not item.decoded and len(item.text) + 2 <= room:
            parts += (text[done : item.start], f'"{item.text}"'.ljust(room))
            done = item.end
    out = "".join((*parts, text[done:]))
    names = {hit[1].lower() for hit in _FUNCTION.finditer(text)}
    if names:
        called = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))), re.IGNORECASE)
        out = called.sub(lambda hit: hit[0].replace("-", "_"), out)
    return out
