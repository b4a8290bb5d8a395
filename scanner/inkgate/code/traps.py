"""What shows only in a script as a whole, in any language: swapped addresses, a hunt for keys, a wait for a date."""

from __future__ import annotations

import re

from inkgate.code.model import CodeFinding
from inkgate.code.script_calls import DELIVERS

__all__ = ["traps"]

_SWAPPED = re.compile(
    r"(?:\{(?:25|26|3\d|4\d|59|64),?\d{0,2}\}|\[a-km-zA-HJ-NP-Z[^\]\n]{0,12}\]\+|\[a-z0-9\]\+|\\w\+)[^\n]{0,80}?"
    r"(?:0x[0-9a-fA-F]{40}\b|\bbc1[a-z0-9]{20,60}\b|['\"`](?:bitcoin:)?[13][a-km-zA-HJ-NP-Z1-9]{25,34}['\"`]|(?:\$1|\\1)?[A-Z]{2}\d{16,30}\b)"
)
_REPLACES = re.compile(
    r"\.replace(?:All)?\(|\bre\.sub\(|\.sub\(|\bgsub\b|preg_replace|-replace\b|ReplaceAllString|replace_all"
)
_SHAPES = re.compile(
    r"AKIA\[|\(\?:AKIA|\bgh\[pousr|\bghp_\[|\bxox\[|\bxoxb-\[|BEGIN[^\n\"']{0,24}PRIVATE KEY"
    r"|\bsk-\[|\bsk-ant-\[|\bAIza\[|\bsk_live_\[|\bglpat-\[|\beyJ\[|\bnpm_\["
)
_IN_SHAPES = (
    *("AKIA", "gh[pousr", "ghp_[", "xox[", "xoxb-[", "PRIVATE KEY", "sk-[", "sk-ant-[", "AIza[", "sk_live_["),
    *("glpat-[", "eyJ[", "npm_["),
)
"""What shapes hold: to look for each takes a thirtieth of the time that the expression takes to find none."""

_DATE = (
    r"(?:new\s{1,3}Date\(\s{0,2}(?:['\"`]?20\d\d|1[6-9]\d{8})|Date\.(?:UTC|parse)\(\s{0,2}['\"`]?20\d\d"
    r"|Time\.(?:new|local|utc|parse)\(\s{0,2}['\"]?20\d\d|time\.Date\(\s{0,2}20\d\d|1[6-9]\d{8,11}\b|20\d\d-?\d\d-?\d\d)"
)
_NOW = (
    r"(?:Date\.now\(\)|new\s{1,3}Date\(\)|\.getTime\(\)|Time\.now\b|(?<![\w.])time\(\)|time\.Now\(\)"
    r"|\$\(date\s[^\n)]{1,24}\)|`date\s[^\n`]{1,24}`|\(?Get-Date\b[^\n)]{0,24}\)?)(?:\.(?:getTime|valueOf|Unix|to_i)(?:\(\))?)?"
)
_YEAR = r"\.(?:getFullYear\(\)|getUTCFullYear\(\)|[yY]ear\b(?:\(\))?)"
_NAMED = r"[A-Za-z_]\w*+"
_GIVEN = re.compile(rf"({_NAMED})\s{{0,3}}:?=\s{{0,3}}['\"]?(?:({_NOW})|{_DATE})")
"""A name for the present, or for a written-out date."""
_MORE = r"\s{0,3}['\"]?\s{0,2}(?:[><]=?|-g[te]|-l[te]|-eq|===?|\.(?:After|Before)\()\s{0,3}['\"]?"
_PRESENT = rf"(?:{_NOW}|[$]?\{{?\b{_NAMED}\}}?)"
_DUE = rf"(?:{_DATE}|[$]?\{{?\b{_NAMED}\}}?)"
_COMPARED = re.compile(
    rf"(?P<now>{_PRESENT}){_MORE}(?P<due>{_DUE})|(?P<due2>{_DATE}[^\n<>=;]{{0,24}}?|[$]?\{{?\b{_NAMED}\}}?){_MORE}(?P<now2>{_PRESENT})"
    rf"|(?P<now3>{_PRESENT}){_YEAR}{_MORE}(?P<due3>20[2-9]\d\b)"
)
_YEAR_CUE = re.compile(r"20\d\d|1[6-9]\d{8}")
"""Without a year or a number of seconds there is no date to wait for."""
_IS_NOW = re.compile(_NOW)
_IS_DATE = re.compile(_DATE)
_GRAVE = re.compile(
    r"\brm\s{1,3}-\w{0,3}[rf]|rmSync|unlink\w{0,4}\(|rimraf|rmdir|RemoveAll|remove_dir_all|rm_rf|Remove-Item"
    r"|\bshred\b|\bdd\s{1,3}if=|execSync|\bspawn\w{0,4}\(|\bexec\(|\beval\b|\bcurl\b|\bwget\b"
    r"|\bfetch\(|https?\.request|Invoke-\w{3,12}|writeFile\w{0,4}\(|Net::HTTP|child_process"
)
_LINES = re.compile(r"(?:[^\n]{0,400}\n){0,4}[^\n]{0,400}")
"""What may follow a comparison of dates, before it is another matter."""


def traps(text: str) -> list[CodeFinding]:
    """Findings about a script as a whole.

    Args:
        text: the script; at most `inkgate.code.LONGEST` characters.
    """
    found: list[CodeFinding] = []
    swapped = _SWAPPED.search(text)
    if swapped is not None and _REPLACES.search(text):
        found.append(CodeFinding("script-swaps-address", swapped.start(), swapped.end()))
    told = any(part in text for part in _IN_SHAPES)
    shapes = {hit[0]: hit for hit in _SHAPES.finditer(text)} if told else {}
    if len(shapes) > 1 and DELIVERS.search(text):
        first = min(shapes.values(), key=lambda hit: hit.start())
        message = "The script looks for keys of several services, and sends something"
        found.append(CodeFinding("script-collects-secrets", first.start(), first.end(), message))
    waits = _waits(text)
    if waits is not None:
        found.append(CodeFinding("script-waits-for-date", *waits))
    return found


def _waits(text: str) -> tuple[int, int] | None:
    """Where the present is compared with a written-out date, and something grave follows."""
    if _YEAR_CUE.search(text) is None or _IS_NOW.search(text) is None or _GRAVE.search(text) is None:
        return None
    nows: set[str] = set()
    dates: set[str] = set()
    for hit in _GIVEN.finditer(text):
        (nows if hit[2] else dates).add(hit[1])
    for hit in _COMPARED.finditer(text):
        now, due = (hit["now"], hit["due"]) if hit["now"] else (hit["now2"] or hit["now3"], hit["due2"])
        if not (_IS_NOW.match(now) or now.strip("${}") in nows):
            continue
        if hit["due3"] or _IS_DATE.match(due) or due.strip("${}") in dates:
            after = _LINES.match(text, hit.end())
            grave = _GRAVE.search(text, hit.end(), after.end() if after else hit.end())
            if grave is not None:
                return hit.start(), grave.end()
    return None
