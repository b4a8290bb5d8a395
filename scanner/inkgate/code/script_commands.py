"""Command lines that a script hands to a shell: read as shell scripts, each in the place of its text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from inkgate.code.model import Analysis, CodeFinding, Trait, few

__all__ = ["commands"]

_TEXT = r"(?:'((?>(?:[^'\\\n]|\\.){4,2000}))'|\"((?>(?:[^\"\\\n]|\\.){4,2000}))\"|`((?>(?:[^`\\]|\\.){4,2000}))`)"
_STARTED = re.compile(
    r"(?:exec(?<!\wexec)(?:Sync|Async|Promise|a)?|spawn(?<!\wspawn)(?:Sync)?|system(?<!\wsystem)|shell_exec|passthru|popen|proc_open"
    rf"|Command(?<!\wCommand))\s{{0,2}}\(\s{{0,4}}{_TEXT}"
)
_GIVEN = re.compile(
    rf"['\"](?:/bin/)?(?:ba|z|da)?sh['\"]\s{{0,4}}(?:,\s{{0,4}}\[?|\)\s{{0,9}}\.args?\(\s{{0,4}}\[?)\s{{0,4}}['\"]-\w{{0,2}}c['\"]\s{{0,4}}(?:,|\)\s{{0,9}}\.arg\()\s{{0,4}}{_TEXT}"
)
_TICKED = re.compile(
    r"(?:(?<![\w$])\$|%x\s{0,2}|^[ \t]{0,40}(?:\w{1,40}\s{0,2}=\s{0,2})?)`([^`\n]{4,2000})`|%x\(([^()\n]{4,2000})\)",
    re.M,
)
_KINDS = (
    (_STARTED, ("exec", "spawn", "system", "shell_", "passthru", "popen", "proc_open", "Command")),
    (_GIVEN, ("sh'", 'sh"')),
    (_TICKED, ("$`", "%x", "`\n")),
)
"""Ways to hand over a command line, and what a script that uses one has in it."""
_ESCAPE = re.compile(r"\\([\"'`\\$])")


def commands(text: str) -> Analysis:
    """What the command lines in a script do.

    Args:
        text: the script; at most `inkgate.code.LONGEST` characters.
    """
    found: list[CodeFinding] = []
    traits: set[Trait] = set()
    for start, end, line in _lines(text):
        from inkgate.code import shell

        inner = shell.analyse(line, depth=1)
        traits |= inner.traits
        found += (
            CodeFinding(item.rule, start, end, item.message, item.severity, item.confidence)
            for item in few(inner.findings, 1)
        )
    return Analysis(tuple(found), frozenset(traits))


def _lines(text: str) -> Iterator[tuple[int, int, str]]:
    """Each command line with its place, and without the escapes of its quotes."""
    for pattern, cues in _KINDS:
        for hit in pattern.finditer(text) if any(cue in text for cue in cues) else ():
            line = hit[hit.lastindex or 0]
            if " " in line:
                yield *hit.span(hit.lastindex or 0), _ESCAPE.sub(r"\1", line)
