"""What is wrong with a skill's folder: links, compiled files, archives, ignore files, sizes, rights and names."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from inkgate.lint.globs import compile_glob
from inkgate.lint.skills.listing import MOST, Entry, Listing
from inkgate.lint.targets import words
from inkgate.model import Confidence, Severity
from inkgate.text.disguise import disguises
from inkgate.text.sniff import Kind, sniff

__all__ = ["FILES", "FILE_SIZE", "TOTAL_SIZE", "Complaint", "check_bundle"]

FILES = 50
FILE_SIZE = 256 << 10
TOTAL_SIZE = 1 << 20
"""Files, bytes of one and bytes of all that a person still reviews."""

_IGNORES_OF_SCANNERS = frozenset(
    {
        ".skillignore",
        ".clawhubignore",
        ".inkgateignore",
        ".semgrepignore",
        ".gitleaksignore",
        ".trivyignore",
        ".snyk",
        ".bandit",
    }
)
_IGNORES = frozenset(
    {".gitignore", ".ignore", ".rgignore", ".cursorignore", ".aiexclude", ".claudeignore", ".npmignore"}
)
_SEEN_OFTEN = frozenset(
    {".gitattributes", ".editorconfig", ".gitkeep", ".github", ".prettierrc", ".env.example", *_IGNORES}
)
_GENERATED = re.compile(r"(?:^|/)(?:__pycache__|node_modules|\.venv|venv|dist|build|\.DS_Store)(?:/|$)|\.pyc$|\.env$")
_ARCHIVES = frozenset({Kind.ZIP, Kind.TAR, Kind.GZIP, Kind.BZIP2, Kind.XZ, Kind.ARCHIVE})
_OFFICE = words("docx xlsx pptx docm xlsm pptm odt ods odp epub jar whl xpi apk ipa dotx potx xltx vsix")
_SHOWN = words("png jpg jpeg gif webp bmp ico svg pdf txt md csv json yaml yml html css mp3 mp4 wav ttf woff")
_RUN = words("exe scr com bat cmd ps1 vbs js jse wsf sh bash py pyw rb pl app command msi dll so jar lnk desktop")
_SCRIPTS = words("sh bash zsh py rb pl js mjs ts php ps1 fish command bat cmd exe awk tcl r jl swift go rs")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]")
_SCRIPT_HEAD = re.compile(rb"\xef\xbb\xbf?#!\s{0,4}/|#!\s{0,4}/")


@dataclass(frozen=True, slots=True)
class Complaint:
    """Something wrong with an entry, or with the folder when `path` is empty."""

    rule: str
    path: str
    message: str = ""
    severity: Severity | None = None
    confidence: Confidence | None = None


def check_bundle(listing: Listing) -> Iterator[Complaint]:
    """Every complaint about a folder, in the order of its entries."""
    files = [entry for entry in listing.entries if entry.is_file]
    sources = {entry.path for entry in files}
    rights = bool(files) and not all(entry.mode & 0o111 for entry in files)  # some file systems give them to all
    for entry in listing.entries:
        yield from _names(entry)
        if entry.outside:
            yield Complaint("skill-link-outside", entry.path)
        if entry.is_file:
            yield from _content(entry, sources)
            if rights and os.name == "posix":
                yield from _rights(entry)
    yield from _ignores(listing, files)
    yield from _sizes(listing, files)


def _names(entry: Entry) -> Iterator[Complaint]:
    name = entry.name
    if _CONTROL.search(name):
        yield Complaint(
            "skill-misleading-name", entry.path, "A file's name holds invisible or control characters", Severity.HIGH
        )
    elif disguises(name):
        yield Complaint(
            "skill-misleading-name", entry.path, "A file's name has look-alike letters in it", Severity.MEDIUM
        )
    parts = [part.strip().lower() for part in name.split(".")]
    if (
        len(parts) > 2
        and parts[-1] in _RUN
        and parts[-2] in _SHOWN
        and not (parts[-2] in ("json", "md", "html", "css") and parts[-1] in ("js", "py", "sh"))
    ):
        yield Complaint(
            "skill-misleading-name", entry.path, "A program whose name ends like that of a document", Severity.HIGH
        )
    if name.startswith(".") and name not in _SEEN_OFTEN and name not in _IGNORES_OF_SCANNERS:
        yield Complaint("skill-hidden-file", entry.path)


def _content(entry: Entry, sources: set[str]) -> Iterator[Complaint]:
    suffix = PurePosixPath(entry.path).suffix[1:].lower()
    kind = sniff(entry.head, entry.path)
    if suffix in ("pyc", "pyo") and _source_of(entry.path) in sources:
        message = "A compiled Python file beside its source: Python runs the compiled one, whatever the source says"
        yield Complaint("skill-compiled-file", entry.path, message)
    elif suffix in ("pyc", "pyo") or (kind is Kind.OPAQUE and suffix not in _OFFICE):
        yield Complaint("skill-compiled-file", entry.path)
    elif kind in _ARCHIVES and suffix not in _OFFICE:
        yield Complaint("skill-nested-archive", entry.path)
    script = _SCRIPT_HEAD.match(entry.head) is not None
    picture = suffix in ("png", "jpg", "jpeg", "gif", "webp", "bmp", "ico", "pdf", "mp3", "mp4", "wav", "ttf", "woff")
    if picture and entry.head and (script or kind is Kind.TEXT):
        yield Complaint(
            "skill-content-mismatch",
            entry.path,
            "The ending of a picture or a sound, the content of a text or a script",
        )
    elif script and suffix in ("txt", "md", "json", "csv", "yaml", "yml", "css", "svg", "log"):
        yield Complaint("skill-content-mismatch", entry.path, "The ending of a document, the first line of a script")


def _source_of(path: str) -> str:
    """The source that a compiled Python file belongs to (PEP 3147)."""
    folder, _, name = path.rpartition("/")
    stem = name.split(".")[0]
    folder = folder.removesuffix("__pycache__").rstrip("/")
    return f"{folder}/{stem}.py" if folder else f"{stem}.py"


def _rights(entry: Entry) -> Iterator[Complaint]:
    suffix = PurePosixPath(entry.path).suffix[1:].lower()
    binary = sniff(entry.head, entry.path) is not Kind.TEXT
    if entry.mode & 0o111 and not entry.head.startswith(b"#!") and suffix not in _SCRIPTS and not binary:
        yield Complaint("skill-executable-bit", entry.path)


def _ignores(listing: Listing, files: list[Entry]) -> Iterator[Complaint]:
    """Ignore files, and whether they leave out what is there."""
    for entry in files:
        if entry.name not in _IGNORES and entry.name not in _IGNORES_OF_SCANNERS:
            continue
        base = entry.path.rpartition("/")[0]
        hidden = _hidden(entry, base, files)
        if entry.name in _IGNORES_OF_SCANNERS:
            word = "A file that tells scanners what not to look at" if not hidden else ""
            yield Complaint("skill-ignore-file", entry.path, word, None if hidden else Severity.LOW)
        elif hidden:
            yield Complaint("skill-ignore-file", entry.path, "", Severity.LOW)


def _hidden(entry: Entry, base: str, files: list[Entry]) -> bool:
    """Whether one of the patterns in an ignore file fits a file that is there and was not generated."""
    globs = []
    for line in entry.head.decode("utf-8", "replace").splitlines()[:200]:
        pattern = line.strip()
        if not pattern or pattern.startswith(("#", "!")):
            continue
        try:
            globs.append(compile_glob(pattern[:200]))
        except ValueError:
            continue  # no pattern at all leaves nothing out
    prefix = f"{base}/" if base else ""
    for other in files:
        theirs = other is not entry and other.path.startswith(prefix) and not _GENERATED.search(other.path)
        if theirs and any(glob.fullmatch(other.path[len(prefix) :]) for glob in globs):
            return True
    return False


def _sizes(listing: Listing, files: list[Entry]) -> Iterator[Complaint]:
    if listing.truncated:
        message = f"A folder with more than {MOST:,} entries: the rest was not looked at as a part of the skill"
        yield Complaint("script-not-analysed", "", message)
    if len(files) > FILES:
        yield Complaint("skill-size", "", f"More than {FILES} files")
    total = sum(entry.size for entry in files)
    if total > TOTAL_SIZE:
        yield Complaint("skill-size", "", "More than a mebibyte in all")
    for entry in files:
        if entry.size > FILE_SIZE:
            yield Complaint("skill-size", entry.path, "A file of more than 256 KiB")
