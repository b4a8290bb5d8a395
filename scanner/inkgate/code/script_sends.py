"""What a script reads and then sends: followed by name in a dozen languages, without a parser.

Where a name that holds a credential file, the whole environment or the user's files stands among the arguments of a
call that sends, or is written to a connection, the script sends what it has read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from inkgate.code.following import Following, Mark, Source
from inkgate.code.model import CodeFinding
from inkgate.code.script_calls import FETCHES, SENDS, SPEAKS
from inkgate.code.script_search import Cued
from inkgate.code.script_text import Span, paths
from inkgate.code.sensitive import credential_path, own_environment_file, secret_name, service_name
from inkgate.model import Confidence, Severity

__all__ = ["sent"]

_MOST = 20

_ENVIRONMENT = Cued(
    r"\b(?:process|require\(\s{0,2}['\"](?:node:)?process['\"]\s{0,2}\))(?:\.env\b|\[\s{0,2}['\"]env['\"]\s{0,2}\])(?!\s{0,2}(?:\?\.|[.\[]))|\bos\.Environ\(\)|\bSystem\.getenv\(\)|\benv::vars(?:_os)?\(\)"
    r"|(?<![\w.])ENV\.(?:to_h|to_hash|to_a|map|each|select|inspect)\b|\$_ENV\b(?!\s{0,2}\[)|(?<![\w:>])getenv\(\s{0,2}\)"
    r"|\b(?i:Get-ChildItem|gci|dir|ls)\s{1,3}(?i:env:)|GetEnvironmentVariables\(\)|processInfo\.environment\b(?!\s{0,2}\[)"
    r"|\bDeno\.env\.toObject\(\)|\bBun\.env\b(?!\s{0,2}[.\[])|[%\\]ENV\b(?!\s{0,2}\{)|\b(?:printenv|env)['\"]\s{0,2}[,)]",
    (
        *(
            "process.env",
            "environ()",
            "getenv",
            "env::vars",
            "env.to_",
            "env.map",
            "env.each",
            "env.select",
            "env.inspect",
        ),
        *(
            "$_env",
            "env:",
            "getenvironmentvariables",
            "processinfo.environment",
            "deno.env",
            "bun.env",
            "%env",
            "\\env",
        ),
        *("env'", 'env"', "process'", 'process"'),
    ),
)
_NAMED = Cued(
    r"\{[^{}\n]{0,80}?\benv\b(?:(?:\s{0,2}:|\s{1,2}as)\s{1,2}(\w{1,60}))?[^{}\n]{0,80}\}\s{0,2}(?:=\s{0,2}(?:require\(\s{0,2}['\"](?:node:)?process['\"]|process\b(?!\.))"
    r"|from\s{0,2}['\"](?:node:)?process['\"])",
    ("process",),
)
"""A name for the whole environment."""
_ALIASED = Cued(
    r"(?<![\w$.])([A-Za-z_$][\w$]*+)\s{0,3}=\s{0,3}(?:(?:globalThis|global|window|self)\s{0,2}(?:\.\s{0,2}|\[\s{0,2}['\"]))?process"
    r"(?:['\"]\s{0,12}\])?\s{0,2}(?=[;,\n]|\Z)",
    ("process",),
)
"""Another name for the process."""
_VARIABLE = Cued(
    r"(?:\bprocess\.env(?:\?)?\.|\bprocess\.env\[\s{0,2}['\"]|\bgetenv\(\s{0,2}['\"]|\bGetenv\(\s{0,2}['\"]|\benv::var\(\s{0,2}\"|\bENV(?:\.fetch\(|\[)\s{0,2}['\"]"
    r"|\$env:|\$_ENV\[\s{0,2}['\"]|\$ENV\{\s{0,2}['\"]?|GetEnvironmentVariable\(\s{0,2}\"|\bDeno\.env\.get\(\s{0,2}['\"]|\bLookupEnv\(\s{0,2}\")(\w{2,80})",
    (
        *("process.env", "getenv(", "env::var(", "env.fetch(", "env[", "$env:", "$_env[", "$env{"),
        *("getenvironmentvariable(", "deno.env.get(", "lookupenv("),
    ),
)
_TRACKED = Cued(
    r"git\s{1,2}ls-files|['\"]ls-files['\"]|git\s{1,2}log\s{1,2}-p|git\s{1,2}(?:archive|bundle)\b",
    ("ls-files", "-p", "archive", "bundle"),
    re.IGNORECASE,
)
"""Every file of a project, or its history."""
_FILES = Cued(
    r"(?:readdir(?:Sync)?|glob(?:Sync)?|walk\w{0,8}|Walk(?:Dir)?|ReadDir|read_dir|WalkDir::new|listFiles|Files\.walk|EnumerateFiles|GetFiles|Dir\.glob|Find\.find|scandir|Get-ChildItem|gci)"
    r"\b[^\n]{0,80}(?:homedir\(|UserHomeDir|home_dir\(|user\.home|\bhome\b|\$HOME|~/|ENV\[['\"]HOME|USERPROFILE|\$env:HOME)",
    (
        *("readdir", "glob", "walk", "read_dir", "listfiles", "enumeratefiles", "getfiles", "find.find", "scandir"),
        *("get-childitem", "gci"),
    ),
    re.IGNORECASE,
)
"""Every file below the home folder."""
_WRITTEN = re.compile(
    r"(?<![\w$])([A-Za-z_$][\w$]*+)\s{0,2}(?:\.|->)\s{0,2}(?:write|end|Write|WriteLine|WriteAsync|puts|print|syswrite)\s{0,2}\("
)
"""What is written to an object, which may be a connection."""
_HEADER = re.compile(r"(?:Authorization|Bearer|\btoken\s|privateKey|passphrase|x-api-key)", re.IGNORECASE)


def sent(text: str) -> list[CodeFinding]:
    """Findings about what is read and then sent.

    Args:
        text: the script; at most `inkgate.code.LONGEST` characters.
    """
    if SPEAKS.search(text) is None:
        return []
    aliases = "|".join(sorted({re.escape(hit[1]) for hit in _ALIASED.finditer(text)}))
    private = _private(text)
    if aliases:
        whole = re.compile(rf"(?<![\w$.])(?:{aliases})\.env\b(?!\s{{0,2}}(?:\?\.|[.\[]))")
        private += [(hit.start(), Mark.ENVIRONMENT, "") for hit in whole.finditer(text)]
    named = [(hit[1] or "env", hit.start(), Mark.ENVIRONMENT) for hit in _NAMED.finditer(text)]
    if not private and not named:
        return []
    fetched = ((hit.start(), Mark.FETCHED, "") for hit in FETCHES.finditer(text))
    following = Following(text, [*private, *fetched], named)
    found: list[CodeFinding] = []
    for place, (start, stop) in _arguments(following):
        if len(found) >= _MOST:
            break
        mark, services = following.value(start, stop)
        shown = bool(mark & Mark.SECRET) and _HEADER.search(text, start, stop) is not None
        item = _judge(mark, services, shown, place, min(stop, start + 200))
        if item is not None:
            found.append(item)
    return found if following.whole else [_unread(text), *found]


def _private(text: str) -> list[Source]:
    """Where something is read that is worth stealing."""
    found: list[Source] = [
        (start, Mark.SECRET, "")
        for path, start, _end in paths(text)
        if credential_path(path) and not own_environment_file(path)
    ]
    found += [(hit.start(), Mark.ENVIRONMENT, "") for hit in _ENVIRONMENT.finditer(text)]
    found += [(hit.start(), Mark.FILES, "") for hits in (_TRACKED, _FILES) for hit in hits.finditer(text)]
    found += [
        (hit.start(), Mark.NONE, service_name(hit[1]) or hit[1])
        for hit in _VARIABLE.finditer(text)
        if secret_name(hit[1])
    ]
    return found


def _arguments(following: Following) -> Iterator[tuple[int, Span]]:
    """Each call that sends, with the range of what it sends."""
    text, outline = following.text, following.outline
    for hit in SENDS.finditer(text):
        call = text[hit.end() - 1] == "("
        yield hit.start(), (hit.end(), outline.closing(hit.end() - 1) if call else outline.end(hit.end()))
    for hit in _WRITTEN.finditer(text):
        if hit[1].lower() in following.connections:
            yield hit.start(), (hit.end(), outline.closing(hit.end() - 1))


def _unread(text: str) -> CodeFinding:
    message = "It reads something private, and is too entangled to follow where that goes"
    return CodeFinding("script-not-analysed", 0, len(text), message)


def _judge(mark: Mark, services: frozenset[str], shown: bool, start: int, end: int) -> CodeFinding | None:
    """What is wrong with the arguments of a call that sends, by the gravest of it; `shown`: in a header."""
    if mark & Mark.SECRET:
        message = "What was read from a credential file is sent"
        severity = Severity.MEDIUM if shown else Severity.HIGH
        return CodeFinding("script-sends-credentials", start, end, message, severity, Confidence.MEDIUM)
    if mark & Mark.ENVIRONMENT:
        return CodeFinding("script-sends-environment", start, end, "", Severity.HIGH, Confidence.MEDIUM)
    if len(services) > 1:
        message = "Credentials of several services are sent to one address"
        return CodeFinding("script-sends-variable", start, end, message, Severity.MEDIUM, Confidence.MEDIUM)
    if mark & Mark.FILES:
        message = "Every file of the project or the home folder is sent"
        return CodeFinding("script-sends-files", start, end, message, Severity.MEDIUM, Confidence.MEDIUM)
    return None
