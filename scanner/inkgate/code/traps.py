"""What shows only in a script as a whole, in any language: swapped addresses, a hunt for keys, a wait for a date."""

from __future__ import annotations

import re

from inkgate.code.model import CodeFinding

__all__ = ["sends", "traps"]

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
_SENDS = re.compile(
    r"\.(?:post|put|request|PostAsync|Post|sendall|send_json)\(|\bfetch\(|\baxios\b|urlopen\(|sendBeacon|Invoke-RestMethod|Invoke-WebRequest|http\.(?:Post|NewRequest)"
    r"|\bcurl\b[^\n]{0,200}\s(?:-d|--data\S{0,10}|-F|-T)\s"
)
_DATE = (
    r"(?:new\s{1,3}Date\(\s{0,2}(?:['\"`]?20\d\d|1[6-9]\d{8})|Date\.(?:UTC|parse)\(\s{0,2}['\"`]?20\d\d"
    r"|1[6-9]\d{8,11}\b|['\"]?20\d\d-?\d\d-?\d\d)"
)
_NOW = (
    r"(?:Date\.now\(\)|new\s{1,3}Date\(\)|\.getTime\(\)|Time\.now|time\(\)|time\.Now\(\)"
    r"|\$\(date\s[^\n)]{1,24}\)|`date\s[^\n`]{1,24}`|\(?Get-Date\)?)"
)
_GRAVE = (
    r"(?:\brm\s{1,3}-\w{0,3}[rf]|rmSync|unlink\w{0,4}\(|rimraf|rmdir|RemoveAll|remove_dir_all|rm_rf|Remove-Item"
    r"|\bshred\b|\bdd\s{1,3}if=|execSync|\bspawn\w{0,4}\(|\bexec\(|\beval\b|\bcurl\b|\bwget\b"
    r"|\bfetch\(|https?\.request|Invoke-\w{3,12}|writeFile\w{0,4}\(|Net::HTTP|child_process)"
)
_WAITS = re.compile(
    rf"{_NOW}\s{{0,3}}['\"]?\s{{0,2}}(?:[><]=?|-g[te]|-l[te]|===?)\s{{0,3}}['\"]?{_DATE}[^\n]{{0,120}}(?:\n[^\n]{{0,160}}){{0,4}}?{_GRAVE}"
)


def sends(text: str) -> bool:
    """Whether a script has a call that sends something."""
    return _SENDS.search(text) is not None


def traps(text: str) -> list[CodeFinding]:
    """Findings about a script as a whole.

    Args:
        text: the script; at most `inkgate.code.LONGEST` characters.
    """
    found: list[CodeFinding] = []
    swapped = _SWAPPED.search(text)
    if swapped is not None and _REPLACES.search(text):
        found.append(CodeFinding("script-swaps-address", swapped.start(), swapped.end()))
    shapes = {hit[0]: hit for hit in _SHAPES.finditer(text)}
    if len(shapes) > 1 and sends(text):
        first = min(shapes.values(), key=lambda hit: hit.start())
        message = "The script looks for keys of several services, and sends something"
        found.append(CodeFinding("script-collects-secrets", first.start(), first.end(), message))
    waits = _WAITS.search(text)
    if waits is not None:
        found.append(CodeFinding("script-waits-for-date", waits.start(), waits.end()))
    return found
