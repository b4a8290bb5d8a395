"""What becomes of what a script downloads: followed by name in JavaScript, PowerShell and Ruby, without a parser.

A name that takes what the network gave is tainted, and so is every name that is made from a tainted one. Where a
tainted name is evaluated, or a file that was downloaded is started, the script runs what somebody else may change.
"""

from __future__ import annotations

import re

from inkgate.code.following import Following, Mark
from inkgate.code.model import CodeFinding
from inkgate.code.script_calls import FETCHES
from inkgate.code.script_search import Cued
from inkgate.model import Confidence, Severity

__all__ = ["follow"]

_MOST = 20

_RECEIVED = re.compile(
    r"(?:\.on\(\s{0,4}['\"](?:data|message)['\"]\s{0,4},|\.then\(|\.onmessage\s{0,4}=|addEventListener\(\s{0,4}['\"]message['\"]\s{0,4},)"
    r"\s{0,4}(?:async\s{1,4})?(?:function\s{0,4}\w{0,20}\s{0,4})?\(?\s{0,4}([A-Za-z_$][\w$]*+)"
)
_EVALUATED = Cued(
    r"(?:\beval(?!\s{0,4}[|)\],:])|(?<![.\w])(?-i:(?:new\s{1,4})?Function(?=\s{0,4}\())|\bvm\.(?:run\w{0,20}|Script)|\bInvoke-Expression|\bIEX|\binstance_eval|\bclass_eval"
    r"|(?<![.\w])create_function|\b_compile|\[scriptblock\]::Create|\bimport(?=\(\s{0,4}['\"`]data:))\b(?!\s{0,4}\{)\s{0,4}\(?([^;\n]{1,300})",
    (
        "eval",
        "vm.run",
        "vm.script",
        "invoke-expression",
        "iex",
        "create_function",
        "_compile",
        "[scriptblock]::create",
        "import(",
    ),
    re.IGNORECASE,
    exact=("Function",),
)
_DECODES = Cued(
    r"\batob\s{0,2}\(|\bBuffer\.from\([^;\n]{1,200}['\"](?:base64|hex)['\"]|\bbase64_decode\s{0,2}\(|decode64\s{0,2}\("
    r"|FromBase64String\s{0,2}\(|\bdecode_base64\s{0,2}\(|unpack\w?\(\s{0,2}['\"][mH]|String\.fromCharCode\s{0,2}\(|\bgz(?:inflate|uncompress)\s{0,2}\(",
    (
        "atob",
        "buffer.from(",
        "base64_decode",
        "decode64",
        "frombase64string",
        "decode_base64",
        "unpack",
        "string.fromcharcode",
        "gzinflate",
        "gzuncompress",
    ),
)
_COMMANDED = Cued(
    r"(?<![.\w])(?:execSync|execFileSync|spawnSync|spawn|exec|execFile|system)\s{0,4}\(\s{0,4}"
    r"(?:['\"](?:/bin/)?(?:ba|z|da)?sh['\"],\s{0,4}\[\s{0,4}['\"]-c['\"],\s{0,4}|['\"](?:node|python3?|perl|ruby|php)['\"],\s{0,4}\[\s{0,4}['\"]-[cer]['\"],\s{0,4})?"
    r"([A-Za-z_$][\w$]*+)(?:\.(?:toString|trim)\(\))?\s{0,4}[,)\]]",
    (
        "exec",
        "spawn",
        "system",
    ),
)
"""A command, or a program for an interpreter, that is nothing but a name. A piece of a command is another matter."""
_CHAINED = Cued(
    r"\b(?:fetch|axios(?:\.get)?|got)\([^;]{1,300}?\.then\([^;]{0,200}?\b(?:eval|Function|vm\.run\w{0,20}|execSync)\b",
    (".then(",),
)
_SAVED = Cued(
    r"(?:-OutFile\s{1,4}|DownloadFile\([^,\n]{1,200},\s{0,4}|(?:writeFile(?:Sync)?|createWriteStream)\(\s{0,4}|Start-BitsTransfer[^\n]{0,200}-Destination\s{1,4}"
    r"|\bcurl(?:\.exe)?\s[^\n]{0,200}?\s-o\s{1,4})(['\"`]?[$\w.\\/:~%{}-]{1,120}['\"`]?)",
    (
        "-outfile",
        "downloadfile(",
        "writefile",
        "createwritestream",
        "start-bitstransfer",
        "curl",
    ),
    re.IGNORECASE,
)
_STARTED = re.compile(
    r"(?:\bStart-Process|\bInvoke-Item|\bsaps|\bstart\s(?:/\w\s){0,3}|(?<![.\w])(?:execSync|execFileSync|execFile|exec|spawn|spawnSync)\s{0,4}\("
    r"|\brundll32|\bregsvr32|\bmsiexec|\bcscript|\bwscript|\bmshta|(?:^|[;\n{]\s{0,8})&\s|\bforeach-object\s\{?\s{0,4}&)"
    r"([^\n]{1,200})",
    re.IGNORECASE,
)
_BARE = re.compile(r"[A-Za-z_][\w.]*+")
_BETWEEN = re.compile(r"[\s'\"`(),;{}]+")


def follow(text: str) -> list[CodeFinding]:
    """Findings about downloads that are run.

    Args:
        text: the script; at most `inkgate.code.LONGEST` characters.
    """
    sources = [(hit.start(), Mark.FETCHED, "") for hit in FETCHES.finditer(text)]
    sources += [(hit.start(), Mark.DECODED, "") for hit in _DECODES.finditer(text)]
    if not sources:
        return []
    found = [_run(hit.start(), hit.end()) for hit in _CHAINED.finditer(text)]
    found += _files(text)
    run = [*_EVALUATED.finditer(text), *_COMMANDED.finditer(text)]
    if run:
        following = Following(text, sources, ((hit[1], hit.start(1), Mark.FETCHED) for hit in _RECEIVED.finditer(text)))
        for hit in run:
            place = hit.start(1)
            stop = following.outline.closing(place - 1) if text[place - 1] == "(" else following.outline.end(place)
            stop = hit.end(1) if hit.re is _COMMANDED.pattern else max(stop, hit.end(1))
            if text[place - 1].isspace() and (word := _BARE.match(text, place)) is not None:
                stop = word.end()  # without brackets: one name, or prose about evaluating
            mark = Mark.NONE if _quoted_only(text[place:stop]) else following.names(place, stop)[0]
            if mark & Mark.FETCHED:
                found.append(_run(hit.start(), hit.end()))
            elif mark & Mark.DECODED and hit.re is _EVALUATED.pattern:
                found.append(CodeFinding("script-runs-decoded", hit.start(), hit.end(), "", None, Confidence.MEDIUM))
        if not following.whole:
            message = "It runs something, and is too entangled to follow where that comes from"
            return [CodeFinding("script-not-analysed", 0, len(text), message), *found[:_MOST]]
    return found[:_MOST]


def _run(start: int, end: int, message: str = "") -> CodeFinding:
    """Also in a document such code is shown to a person: nobody teaches to evaluate a download."""
    return CodeFinding("script-runs-downloaded", start, end, message, Severity.MEDIUM, Confidence.MEDIUM)


def _quoted_only(part: str) -> bool:
    """Whether all of it is one text in quotes, whose words are no names."""
    bare = part.strip().rstrip(");,} ")
    return len(bare) > 1 and bare[0] in "'\"" and bare.find(bare[0], 1) == len(bare) - 1


def _files(text: str) -> list[CodeFinding]:
    """Files that were downloaded and are started later on."""
    kept = list(_SAVED.finditer(text))
    started: dict[str, re.Match[str]] = {}
    for hit in _STARTED.finditer(text) if kept else ():
        for word in _BETWEEN.split(hit[1].lower()):
            started[word] = hit  # the last one: it is behind every download that can come before one
    message = "A file that was downloaded is started"
    found: dict[int, CodeFinding] = {}
    for saved in kept:
        place = saved[1].strip("'\"`").lower()
        last = started.get(place) if len(place) > 1 else None
        if last is not None and last.start() >= saved.end():
            found[last.start()] = _run(last.start(), last.end(), message)
    return list(found.values())
