"""Where a call would write, what stands there now, and which durable text that is."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from inkgate.integrations.hosts.answer import RefusalError
from inkgate.text.escape import escape

__all__ = ["MAX_FILE", "label", "locate", "read_text"]

MAX_FILE = 32 * 1024 * 1024
"""Most bytes of a file whose edit is judged; a larger one is refused."""


def locate(path: str, cwd: Path) -> Path:
    """The absolute path that a tool means: `~` expanded, relative to `cwd`, `..` taken out, links kept.

    Raises:
        RefusalError: an empty path or one that no file can have.
    """
    if not path.strip() or "\0" in path:
        raise RefusalError("the path of the file is empty or holds a NUL")
    try:
        os.fsencode(path)
    except UnicodeEncodeError:
        raise RefusalError("the path of the file holds half of a character, so no file has it") from None
    return Path(os.path.abspath(cwd / Path(path).expanduser()))  # noqa: PTH100 - `absolute()` keeps `..`


def label(path: Path, cwd: Path) -> str:
    """The path as it is shown: relative to `cwd` when it lies inside, safe to print, not too long."""
    try:
        shown = str(path.relative_to(Path(os.path.abspath(cwd))))  # noqa: PTH100
    except ValueError:
        shown = str(path)
    return escape(shown if len(shown) <= 160 else "…" + shown[-159:], 200)


def read_text(path: Path) -> str | None:
    """The text of a file; None when there is none.

    Read as UTF-8, or as UTF-16 when it begins with that byte order mark. Line ends are kept as they are.

    Raises:
        RefusalError: it is no regular file, too large, not permitted, or not text in those encodings.
    """
    try:
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with os.fdopen(os.open(path, flags), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise RefusalError("the file to be changed is not a regular file")
            data = file.read(MAX_FILE + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise RefusalError(
            f"the file to be changed cannot be read ({error.strerror or type(error).__name__})"
        ) from None
    if len(data) > MAX_FILE:
        raise RefusalError(f"the file to be changed is larger than {MAX_FILE // 1024 // 1024} MiB")
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise RefusalError(f"the file to be changed is not valid {encoding.upper()} (byte {error.start})") from None
