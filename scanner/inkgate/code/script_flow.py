"""What becomes of what a script downloads: followed by name in JavaScript, PowerShell and Ruby, without a parser.

A name that takes what the network gave is tainted, and so is every name that is made from a tainted one. Where a
tainted name is evaluated, or a file that was downloaded is started, the script runs what somebody else may change.
"""

from __future__ import annotations

import re

from inkgate.code.model import CodeFinding
from inkgate.model import Confidence, Severity

__all__ = ["follow"]

_ROUNDS = 4
"""Passes over the assignments; each carries a taint one name further."""
_ASSIGNMENTS = 2000
"""Assignments that are read. Generated code has more; it is judged by its names instead."""
_MOST = 20

_SOURCE = re.compile(
    r"\bfetch\s{0,4}\(|\baxios\b|\bgot(?:\.\w{1,10})?\(|\bhttps?['\"]?\)?\.(?:get|request)\(|XMLHttpRequest|\.responseText\b"
    r"|DownloadString|DownloadData|DownloadFile|Invoke-WebRequest|Invoke-RestMethod|\biwr\b|\birm\b|Net::HTTP|URI\.open|\bcurl_exec\b"
    r"|file_get_contents\(\s{0,4}['\"]https?:|\bLWP::|new WebSocket\(|\bcurl(?:\.exe)?\s[^\n]{0,80}https?:",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(
    r"(?:(\$?[A-Za-z_][\w$]{0,40})|\{([\w$\s,:]{1,80})\})\s{0,8}[+.]?=(?![=>])\s{0,8}(?=([^;\n]{1,300}))"
)
_RECEIVED = re.compile(
    r"(?:\.on\(\s{0,4}['\"](?:data|message)['\"]\s{0,4},|\.then\(|\.onmessage\s{0,4}=|addEventListener\(\s{0,4}['\"]message['\"]\s{0,4},)"
    r"\s{0,4}(?:async\s{1,4})?(?:function\s{0,4}\w{0,20}\s{0,4})?\(?\s{0,4}([A-Za-z_$][\w$]{0,40})"
)
_EVALUATED = re.compile(
    r"(?:\beval|\bnew\s{1,4}Function|(?<![.\w])(?-i:Function)|\bvm\.(?:run\w{0,20}|Script)|\bInvoke-Expression|\bIEX|\binstance_eval|\bclass_eval"
    r"|(?<![.\w])create_function|\b_compile|\[scriptblock\]::Create)\b\s{0,4}\(?([^;\n]{1,300})",
    re.IGNORECASE,
)
_COMMANDED = re.compile(
    r"(?<![.\w])(?:execSync|execFileSync|spawnSync|spawn|exec|execFile|system)\s{0,4}\(\s{0,4}"
    r"(?:['\"](?:/bin/)?(?:ba|z|da)?sh['\"],\s{0,4}\[\s{0,4}['\"]-c['\"],\s{0,4}|['\"](?:node|python3?|perl|ruby|php)['\"],\s{0,4}\[\s{0,4}['\"]-[cer]['\"],\s{0,4})?"
    r"([A-Za-z_$][\w$]{0,40})(?:\.(?:toString|trim)\(\))?\s{0,4}[,)\]]"
)
"""A command, or a program for an interpreter, that is nothing but a name. A piece of a command is another matter."""
_CHAINED = re.compile(
    r"\b(?:fetch|axios(?:\.get)?|got)\([^;]{1,300}?\.then\([^;]{0,200}?\b(?:eval|Function|vm\.run\w{0,20}|execSync)\b"
)
_SAVED = re.compile(
    r"(?:-OutFile\s{1,4}|DownloadFile\([^,\n]{1,200},\s{0,4}|(?:writeFile(?:Sync)?|createWriteStream)\(\s{0,4}|Start-BitsTransfer[^\n]{0,200}-Destination\s{1,4}"
    r"|\bcurl(?:\.exe)?\s[^\n]{0,200}?\s-o\s{1,4})(['\"`]?[$\w.\\/:~%{}-]{1,120}['\"`]?)",
    re.IGNORECASE,
)
_STARTED = re.compile(
    r"(?:\bStart-Process|\bInvoke-Item|\bsaps|\bstart\s(?:/\w\s){0,3}|(?<![.\w])(?:execSync|execFileSync|execFile|exec|spawn|spawnSync)\s{0,4}\("
    r"|\brundll32|\bregsvr32|\bmsiexec|\bcscript|\bwscript|\bmshta|(?:^|[;\n{]\s{0,8})&\s|\bforeach-object\s\{?\s{0,4}&)"
    r"([^\n]{1,200})",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"[\s'\"`(),;{}]+")
_NAME = re.compile(r"\$?[A-Za-z_][\w$]{0,40}")


def follow(text: str) -> list[CodeFinding]:
    """Findings about downloads that are run.

    Args:
        text: the script; at most `inkgate.code.LONGEST` characters.
    """
    if _SOURCE.search(text) is None:
        return []
    tainted = _tainted(text)
    found = [_run(hit.start(), hit.end()) for hit in _CHAINED.finditer(text)]
    for hit in _EVALUATED.finditer(text):
        if tainted.intersection(_names(hit[1])) and not _quoted_only(hit[1]):
            found.append(_run(hit.start(), hit.end(1)))
    for hit in _COMMANDED.finditer(text):
        if hit[1].lower() in tainted:
            found.append(_run(hit.start(), hit.end()))
    found += _files(text)
    return found[:_MOST]


def _run(start: int, end: int, message: str = "") -> CodeFinding:
    """Also in a document such code is shown to a person: nobody teaches to evaluate a download."""
    return CodeFinding("script-runs-downloaded", start, end, message, Severity.MEDIUM, Confidence.MEDIUM)


def _tainted(text: str) -> set[str]:
    """Names that hold what the network gave."""
    tainted = {hit[1].lower() for hit in _RECEIVED.finditer(text)}
    pairs: list[tuple[str, set[str]]] = []
    for hit in _ASSIGNED.finditer(text):
        for name in _NAME.findall(hit[2]) if hit[2] else [hit[1]]:
            if _SOURCE.search(hit[3]):
                tainted.add(name.lower())
            pairs.append((name.lower(), _names(hit[3])))
        if len(pairs) >= _ASSIGNMENTS:
            break
    for _ in range(_ROUNDS):
        before = len(tainted)
        tainted.update(name for name, parts in pairs if not tainted.isdisjoint(parts))
        if len(tainted) == before:
            break
    return tainted


def _names(part: str) -> set[str]:
    return {name.lower() for name in _NAME.findall(part)}


def _quoted_only(part: str) -> bool:
    """Whether all of it is one text in quotes, whose words are no names."""
    bare = part.strip().rstrip(");,} ")
    return len(bare) > 1 and bare[0] in "'\"" and bare.find(bare[0], 1) == len(bare) - 1


def _files(text: str) -> list[CodeFinding]:
    """Files that were downloaded and are started later on."""
    started: dict[str, re.Match[str]] = {}
    for hit in _STARTED.finditer(text):
        for word in _BETWEEN.split(hit[1].lower()):
            started[word] = hit  # the last one: it is behind every download that can come before one
    message = "A file that was downloaded is started"
    found: dict[int, CodeFinding] = {}
    for saved in _SAVED.finditer(text):
        place = saved[1].strip("'\"`").lower()
        last = started.get(place) if len(place) > 1 else None
        if last is not None and last.start() >= saved.end():
            found[last.start()] = _run(last.start(), last.end(), message)
    return list(found.values())
