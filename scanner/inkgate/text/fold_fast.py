"""Fast ways to apply the fold map to a whole text; each gives exactly what `str.translate` gives.

`translate` costs the same per character whatever the text holds. Three kinds of text can do better with what the
standard library has in C: mostly ASCII (the ASCII codec skips to the few other characters), an alphabet (a code page
made for the text at hand), and ideographs (a regular expression skips what stays itself).
"""

from __future__ import annotations

import codecs
import re
import threading
from collections import Counter
from functools import cache

from inkgate.lean import TYPE_CHECKING, NamedTuple
from inkgate.text.fold_map import CONTROLS, fold_map

if TYPE_CHECKING:
    from _codecs import _EncodingMap

__all__ = ["fold_text"]

_SHORT = 1024  # characters; below, choosing costs more than it gains
_SAMPLE = 1024  # characters, at each of four places
_SPARSE = 0.08  # extra UTF-8 bytes per character up to which a text is mostly ASCII
_PAGE_MISSES = 0.015  # share of characters outside of a code page up to which it pays
_DENSE = 0.2  # share of characters that fold up to which skipping the others pays
_PAGES_KEPT = 4
_CACHE_LIMIT = 8192  # runs
_CACHED_RUN = 24  # characters
_UNDEFINED, _MISS = "\ufffe", "\uffff"
_ASCII = "".join(map(chr, range(128)))


class _Work(threading.local):
    """What the error handlers met in the calls under way on this thread, innermost last."""

    def __init__(self) -> None:
        self.missed: list[list[str]] = []
        self.uneven: list[bool] = []


_work = _Work()
_runs: dict[str, tuple[bytes, bool]] = {}


def _is_even(text: str) -> bool:
    """Whether each character folds to exactly one."""
    folds = fold_map()
    return all(len(folds[ord(char)]) == 1 for char in set(text))


def fold_text(text: str) -> tuple[str, str, bool | None]:
    """The folded text, the same in lower case, and whether positions are kept; None when that was not looked at.

    Linear in the length of the text. The choice between the ways changes the time only.
    """
    if len(text) < _SHORT:
        return _translate(text)
    quarter = len(text) // 4
    sample = "".join([text[at : at + _SAMPLE] for at in range(0, 4 * quarter, quarter)])
    if len(sample.encode("utf-8", "surrogatepass")) < (1 + _SPARSE) * len(sample):
        return _sparse(text)
    counts, folds = Counter(sample), fold_map()
    page = _page_for(sample, counts)
    if page is not None:
        return _by_page(text, page)
    folding = sum(count for char, count in counts.items() if char > "\x7f" and folds[ord(char)] != char)
    return _skipping(text) if folding < _DENSE * len(sample) else _translate(text)


def _translate(text: str) -> tuple[str, str, None]:
    cased = text.translate(fold_map())
    return cased, cased.lower(), None


def _fold_run(error: UnicodeError) -> tuple[bytes, int]:
    """Error handler of the ASCII codec: a run of other characters becomes its fold, in UTF-8."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    run = error.object[error.start : error.end]
    known = _runs.get(run)
    if known is None:
        known = run.translate(fold_map()).encode("utf-8", "surrogatepass"), _is_even(run)
        if len(run) <= _CACHED_RUN:
            if len(_runs) >= _CACHE_LIMIT:
                _runs.clear()
            _runs[run] = known
    if not known[1]:
        _work.uneven[-1] = True
    return known[0], error.end


def _sparse(text: str) -> tuple[str, str, bool]:
    """For text that is mostly ASCII."""
    _work.uneven.append(False)
    try:
        data = text.encode("ascii", "inkgate-fold")
    finally:
        uneven = _work.uneven.pop()
    kept = data.translate(None, CONTROLS)
    uneven = uneven or len(kept) < len(data)
    data = kept
    # bytes.lower touches ASCII only, and the fold leaves no other capital
    return data.decode("utf-8", "surrogatepass"), data.lower().decode("utf-8", "surrogatepass"), not uneven


class _Page(NamedTuple):
    """A code page of ASCII and up to 126 other characters; byte 255 stands for a run of characters outside of it."""

    chars: frozenset[str]
    encoding: dict[int, int] | _EncodingMap
    cased: str  # what each byte folds to
    lower: str
    dropped: bytes  # the bytes of characters that fold to nothing


_pages: tuple[_Page, ...] = ()


def _page_for(sample: str, counts: Counter[str]) -> _Page | None:
    """A page that holds nearly all characters of the sample: one in use, or a new one."""
    global _pages
    allowed = _PAGE_MISSES * len(sample)
    for page in _pages:
        if sum(count for char, count in counts.items() if char not in page.chars) <= allowed:
            return page
    folds = fold_map()
    common = [char for char, _ in counts.most_common(256) if "\x7f" < char < _UNDEFINED]
    chars = [char for char in common if len(folds[ord(char)]) <= 1][:126]
    held = sum(counts[char] for char in chars) + sum(count for char, count in counts.items() if char < "\x80")
    if len(sample) - held > allowed:
        return None
    fresh = _new_page(chars)
    _pages = (fresh, *_pages[: _PAGES_KEPT - 1])
    return fresh


def _new_page(chars: list[str]) -> _Page:
    """A page for the given characters, none of which folds to more than one."""
    folds = fold_map()
    unused = _UNDEFINED * (127 - len(chars))
    cased = _ASCII + "".join([folds[ord(char)] or _UNDEFINED for char in chars]) + unused + _MISS
    return _Page(
        chars=frozenset([*_ASCII, *chars]),
        encoding=codecs.charmap_build(_ASCII + "".join(chars) + unused + _UNDEFINED),
        cased=cased,
        lower=cased.lower(),
        dropped=CONTROLS + bytes(128 + index for index, char in enumerate(chars) if not folds[ord(char)]),
    )


def _note_miss(error: UnicodeError) -> tuple[bytes, int]:
    """Error handler of the code pages: remembers a run of characters that the page does not hold."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    _work.missed[-1].append(error.object[error.start : error.end])
    return b"\xff", error.end


def _by_page(text: str, page: _Page) -> tuple[str, str, bool | None]:
    """For text in one alphabet."""
    _work.missed.append([])
    try:
        data, _ = codecs.charmap_encode(text, "inkgate-miss", page.encoding)
    finally:
        missed = _work.missed.pop()
    kept = data.translate(None, page.dropped)
    cased, _ = codecs.charmap_decode(kept, "strict", page.cased)
    lower, _ = codecs.charmap_decode(kept, "strict", page.lower)
    if not missed:
        return cased, lower, len(kept) == len(data)
    folds = fold_map()
    cased = _fill(cased, [run.translate(folds) for run in missed])
    lower = _fill(lower, [run.translate(folds).lower() for run in missed])
    return cased, lower, len(kept) == len(data) and all(map(_is_even, missed))


def _fill(text: str, runs: list[str]) -> str:
    """Put each run in the place of a miss."""
    pieces = text.split(_MISS)
    runs.append("")
    return "".join([part for pair in zip(pieces, runs, strict=True) for part in pair])


@cache
def _folding() -> re.Pattern[str]:
    """Runs of what may fold: exact in the first plane, all of the others (long lists of astral ranges are slow)."""
    codes = sorted({code for code, folded in fold_map().copy().items() if code < 0x10000 and folded != chr(code)})
    codes = sorted({*codes, *range(0xAC00, 0xD7A4)})
    parts: list[str] = []
    first = previous = codes[0]
    for code in [*codes[1:], 0x10000]:
        if code != previous + 1:
            parts.append(f"{chr(first)}-{chr(previous)}")
            first = code
        previous = code
    return re.compile("[" + "".join(parts) + "\U00010000-\U0010ffff]+")


def _skipping(text: str) -> tuple[str, str, None]:
    """For text of which most stays itself."""
    folds, known = fold_map(), dict[str, str]()

    def replace(match: re.Match[str]) -> str:
        run = match[0]
        folded = known.get(run)
        if folded is None:
            folded = known[run] = run.translate(folds)
        return folded

    cased = _folding().sub(replace, text)
    return cased, cased.lower(), None


codecs.register_error("inkgate-fold", _fold_run)
codecs.register_error("inkgate-miss", _note_miss)
