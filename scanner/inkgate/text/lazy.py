"""Expressions that are compiled when they are first used: to compile those of a whole scan takes longer than a scan.

Before Python 3.11.5, `(?:...)*+` goes on from where its last, failed round had come to, and so takes in what does not
match (https://github.com/python/cpython/issues/106052). Groups are therefore repeated within `(?>...)`, which means the
same and was always right; `[...]*+` is right as well.
"""

from __future__ import annotations

import re

from inkgate.lean import Any, AnyStr, cast

__all__ = ["lazy"]


class _Lazy:
    """Stands for a pattern; whatever is asked of it is asked of the compiled one, and kept."""

    def __init__(self, pattern: str | bytes, flags: int) -> None:
        self._source: Any = pattern, flags

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        compiled = re.compile(*self._source)
        for method in ("search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def lazy(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """A pattern that is compiled at its first use. To be called from it only, not to be passed to functions of `re`.

    Args:
        pattern: the expression.
        flags: as for `re.compile`.

    Raises:
        re.error: at the first use, when the expression is wrong.
    """
    return cast("re.Pattern[AnyStr]", _Lazy(pattern, flags))
