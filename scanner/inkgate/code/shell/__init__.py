"""Shell scripts: what a script does, by its commands and by what flows between them."""

from __future__ import annotations

from inkgate.code.model import Analysis, CodeFinding, few, merge
from inkgate.code.shell.commands import pipelines
from inkgate.code.shell.rules import Watch
from inkgate.code.traps import traps

__all__ = ["analyse"]

_DEPTH = 4
"""Scripts within scripts that are read; that there are deeper ones is said."""


def analyse(text: str, *, depth: int = 0, example: bool = False) -> Analysis:
    """What a shell script does.

    Args:
        text: the script.
        depth: how many texts inside texts this one is.
        example: whether it is a block in a document; a script has no syntax that must hold, so it changes nothing.
    """
    del example
    watch = Watch(text, depth, _inner)
    for line in pipelines(text):
        watch.see(line)
    whole = traps(text) if depth == 0 else []
    return merge([Analysis(tuple(few((*watch.found, *whole))), frozenset(watch.traits))])


def _inner(language: str, text: str, depth: int) -> Analysis:
    if depth > _DEPTH:
        message = "Code in code in code, more deeply than is looked at"
        return Analysis((CodeFinding("script-not-analysed", 0, len(text), message),))
    if language == "shell":
        return analyse(text, depth=depth)
    if language == "python":
        from inkgate.code import python

        return python.analyse(text, depth=depth, example=True)
    from inkgate.code import script

    return script.analyse(text)
