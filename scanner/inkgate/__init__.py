"""inkgate: the gate in front of everything an AI agent writes into its long-term memory."""

from __future__ import annotations

from inkgate.lean import TYPE_CHECKING
from inkgate.model import (
    Category,
    Confidence,
    Finding,
    InkgateError,
    ScanResult,
    Severity,
    Span,
    Stance,
    Target,
    Unread,
    Verdict,
)

if TYPE_CHECKING:
    from os import PathLike

    from inkgate.scan import scan_bytes, scan_stream, scan_text

__version__ = "0.1.0"

__all__ = [
    "Category",
    "Confidence",
    "Finding",
    "InkgateError",
    "ScanResult",
    "Severity",
    "Span",
    "Stance",
    "Target",
    "Unread",
    "Verdict",
    "__version__",
    "scan_bytes",
    "scan_path",
    "scan_stream",
    "scan_text",
]


def __getattr__(name: str) -> object:
    """The scan functions, loaded at first use: importing a type should not cost the whole pipeline (PEP 562)."""
    if name in ("scan_bytes", "scan_stream", "scan_text"):
        from inkgate import scan

        found = getattr(scan, name)
        globals()[name] = found
        return found
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def scan_path(path: str | PathLike[str], *, target: Target | str | None = None) -> ScanResult:
    """Scan one file; the members of an archive are part of it.

    Args:
        path: a file. For folders use `inkgate.lint.walk.walk`.
        target: what the text is; taken from the path when None.

    Raises:
        InkgateError: nothing is there, it is a folder, unknown target, or rules that cannot be used. A file that is
            there and cannot be read raises nothing: the result says so and is not complete.
        TypeError: `path` is no path.
    """
    from pathlib import Path

    from inkgate.lint.files import scan_file
    from inkgate.text.escape import escape

    place = Path(path)
    try:
        folder = place.is_dir()
        place.lstat()
    except (FileNotFoundError, NotADirectoryError):
        raise InkgateError(f"{escape(str(path))}: no such file", hint="scan_text takes a text itself") from None
    except (OSError, ValueError):
        folder = False  # something is there; the result says why it cannot be read
    if folder:
        raise InkgateError(f"{escape(str(path))}: a folder, no file", hint="inkgate.lint.walk.walk lists its files")
    return scan_file(path, target=None if target is None else Target(target))
