"""Files that outlive a script: what the agent, the shell, the system or the door to it reads again later on."""

from __future__ import annotations

import re

from inkgate.code.following import Following, Mark, Source
from inkgate.code.model import CodeFinding
from inkgate.code.script_text import paths
from inkgate.code.sensitive import Persistence, persistence_path

__all__ = ["kept"]

_WRITES = re.compile(
    r"(?:writeFile(?:Sync)?|appendFile(?:Sync)?|createWriteStream|Set-Content|Add-Content|Out-File|File\.write|file_put_contents|os\.WriteFile"
    r"|ioutil\.WriteFile|os\.OpenFile|fs::write|File::create|OpenOptions|Files\.write\w{0,6}|FileWriter|FileOutputStream"
    r"|File\.(?:WriteAll|AppendAll)\w{0,6}|File\.open|IO\.write|fopen)\b"
)
_COPIES = re.compile(
    r"\b(?:copyFile(?:Sync)?|cpSync|rename(?:Sync)?|symlink(?:Sync)?|link(?:Sync)?|fs::(?:copy|rename)|os\.(?:Rename|Symlink|Link)|Files\.(?:copy|move)"
    r"|FileUtils\.(?:cp|mv|ln_s\w?|install)|File\.(?:Copy|Move|rename|symlink)|Copy-Item|Move-Item|copy)\b"
)
_OPENS = re.compile(r"OpenFile|File\.open|fopen|OpenOptions")
_TO_WRITE = re.compile(
    r"['\"](?:[wa]|r\+)|O_(?:WRONLY|RDWR|APPEND|CREATE|CREAT)\b|\.(?:write|append|create\w{0,4})\(\s{0,2}true"
)
_LINE = re.compile(r"[^\n]{0,220}")
_MARKS = {
    Persistence.AGENT: Mark.AGENT,
    Persistence.STARTUP: Mark.STARTUP,
    Persistence.SERVICE: Mark.SERVICE,
    Persistence.DOOR: Mark.DOOR,
}
_RULES = (
    (Mark.DOOR, "script-opens-door"),
    (Mark.AGENT, "script-writes-agent-files"),
    (Mark.STARTUP | Mark.SERVICE, "script-persists"),
)


def kept(text: str) -> list[CodeFinding]:
    """Findings about files that are written and outlive the script, by their path or by a name that holds it.

    Args:
        text: the script; at most `inkgate.code.LONGEST` characters.
    """
    places = [(start, end, _MARKS[kind]) for path, start, end in paths(text) if (kind := persistence_path(path))]
    if not places:
        return []
    found: list[CodeFinding] = []
    sources: list[Source] = [(start, mark, "") for start, _end, mark in places]
    following = Following(text, sources)
    for hit in _WRITES.finditer(text):
        line = _LINE.match(text, hit.end())
        stop = line.end() if line is not None else hit.end()
        written = [item for item in places if hit.end() <= item[0] < stop]
        found += [CodeFinding(_rule(mark), start, end) for start, end, mark in written]
        if not written:
            found += _named(following, hit, 0)
    for hit in _COPIES.finditer(text):
        found += _named(following, hit, 1)
    if not following.whole:
        message = "It names files that outlive a script, and is too entangled to follow what it writes"
        found.insert(0, CodeFinding("script-not-analysed", 0, len(text), message))
    return found


def _named(following: Following, hit: re.Match[str], number: int) -> list[CodeFinding]:
    """Findings about a call whose argument of this number, from 0, holds such a path; without brackets, any of them."""
    text, outline = following.text, following.outline
    if text[hit.end() : hit.end() + 1] == "(":
        stop = outline.closing(hit.end())
        given = outline.arguments(hit.end())
        if len(given) <= number:
            return []
        start, last = given[number]
    elif "-" in hit[0] or hit[0] == "OpenOptions":
        start, stop = hit.end(), outline.end(hit.end())
        last = stop
    else:
        return []  # a word of a comment
    if _OPENS.search(hit[0]) and _TO_WRITE.search(text, hit.start(), stop) is None:
        return []
    mark = following.value(start, last)[0]
    return [CodeFinding(_rule(mark), hit.start(), last)] if any(mark & some for some, _name in _RULES) else []


def _rule(mark: Mark) -> str:
    return next(name for some, name in _RULES if mark & some)
