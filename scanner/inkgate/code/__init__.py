"""What code does: Python by its syntax tree, shell scripts by their commands, other languages by patterns.

Nothing is run, imported or fetched. Every analyser works in bounded time and memory on a text of at most `LONGEST`
characters; what it could not read is itself a finding, `script-not-analysed`.
"""

from __future__ import annotations

from inkgate.code.language import Language
from inkgate.code.model import Analysis, CodeFinding

__all__ = ["LONGEST", "Analysis", "CodeFinding", "Language", "analyse"]

LONGEST = 262_144
"""Characters of one piece of code that are analysed."""


def analyse(text: str, language: Language | str, *, name: str = "", example: bool = False) -> Analysis:
    """What a piece of code does.

    Args:
        text: the code; at most `LONGEST` characters of it are read, and a finding says so.
        language: what it is written in; a text in another language than those of `Language` has no findings.
        name: the file's name.
        example: whether it is a block in a document.

    Raises:
        ValueError: there is no such language.
    """
    kind = Language(language)
    if kind is Language.MARKDOWN:
        raise ValueError("the code blocks of Markdown are analysed one by one; see `inkgate.code.stage`")
    read = text[:LONGEST]
    try:
        found = _dispatch(read, kind, name, example)
    except Exception as error:  # noqa: BLE001 - an analyser that fails must not hide what it was to find
        message = f"The analysis failed ({type(error).__name__}); nothing can be said about this code"
        return Analysis((CodeFinding("script-not-analysed", 0, len(read), message),))
    if len(text) > LONGEST:
        rest = CodeFinding(
            "script-not-analysed",
            LONGEST,
            len(text),
            f"Code longer than {LONGEST:,} characters: the rest is not analysed",
        )
        found = Analysis((*found.findings, rest), found.traits)
    return found


def _dispatch(text: str, language: Language, name: str, example: bool) -> Analysis:
    if language is Language.PYTHON:
        from inkgate.code import python

        return python.analyse(text, name=name, example=example)
    if language is Language.SHELL:
        from inkgate.code import shell

        return shell.analyse(text)
    if language is Language.JSON:
        from inkgate.code import servers

        return servers.analyse(text, name=name)
    from inkgate.code import script

    return script.analyse(text)
