"""Writing a file whole or not at all: a report, a baseline."""

from __future__ import annotations

import os
from pathlib import Path

__all__ = ["replace_file"]


def replace_file(path: Path, text: str) -> None:
    """Put `text` (UTF-8, LF) where `path` is: written beside it, brought to the disk, then renamed.

    A link is followed, so that its target is replaced and the link stays. The permissions of an existing file are kept.

    Raises:
        OSError: the folder does not exist or cannot be written, or the disk is full; what was there is untouched.
    """
    real = Path(os.path.realpath(path))
    draft = real.with_name(f".{real.name}.{os.getpid()}.tmp")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o666)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        if real.exists():
            draft.chmod(real.stat().st_mode & 0o7777)
        draft.replace(real)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
