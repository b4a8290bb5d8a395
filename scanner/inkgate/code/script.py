"""Scripts without a parser, from JavaScript to Go and Rust: read by patterns, each bounded and within a few lines."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from inkgate.code.model import Analysis, CodeFinding, Trait, few, merge
from inkgate.code.script_calls import NETWORK
from inkgate.code.script_commands import commands
from inkgate.code.script_files import kept
from inkgate.code.script_flow import follow
from inkgate.code.script_fold import built, folded, hidden_names
from inkgate.code.script_search import Cued
from inkgate.code.script_sends import sent
from inkgate.code.script_text import paths
from inkgate.code.sensitive import credential_path, is_bad_host, own_environment_file, secret_name
from inkgate.code.traps import traps
from inkgate.model import Confidence, Severity

__all__ = ["analyse"]

_NEAR = 1500
"""Characters within which a source and a sink belong together."""

_PATTERNS: tuple[tuple[str, Cued], ...] = (
    (
        "script-runs-decoded",
        Cued(
            r"\b(?:eval|new\s+Function|Function|constructor|execSync|exec|spawn|vm\.run\w{0,20}|setTimeout|system|instance_eval|assert)\s{0,8}+\(?+\s{0,8}+"
            r"[^;\n]{0,120}(?:\batob\s{0,4}\(|Buffer\.from\([^;\n]{1,400}['\"](?:base64|hex)['\"]|base64_decode\s{0,4}\(|decode64\s{0,4}\("
            r"|unpack\(['\"]m|String\.fromCharCode\s{0,4}\(|gzinflate|gzuncompress|str_rot13|MIME::Base64)",
            (
                "atob",
                "buffer.from",
                "base64_decode",
                "decode64",
                "unpack(",
                "fromcharcode",
                "gzinflate",
                "gzuncompress",
                "str_rot13",
                "mime::base64",
            ),
        ),
    ),
    (
        "script-runs-decoded",
        Cued(
            r"\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,200}\s-(?:e|en|enc|enco\w{0,10})\s+['\"]?[A-Za-z0-9+/=]{16}",
            (
                "powershell",
                "pwsh",
            ),
            re.IGNORECASE,
        ),
    ),
    (
        "script-runs-decoded",
        Cued(
            r"(?:\bIEX\b|Invoke-Expression)[^\n]{0,200}FromBase64String|FromBase64String[^\n]{0,400}\|\s{0,8}(?:IEX\b|Invoke-Expression)",
            ("frombase64string",),
            re.IGNORECASE,
        ),
    ),
    (
        "script-runs-downloaded",
        Cued(
            r"(?:\bIEX\b|Invoke-Expression)[^\n]{0,200}(?:DownloadString|Invoke-WebRequest|\biwr\b|\birm\b|Invoke-RestMethod|Net\.WebClient)"
            r"|\[scriptblock\]::Create\([^\n]{0,60}(?:DownloadString|\biwr\b|\birm\b|Invoke-WebRequest|Invoke-RestMethod)"
            r"|(?:DownloadString|\biwr\b|\birm\b|Invoke-RestMethod|Invoke-WebRequest)[^\n|]{0,300}\|\s{0,8}(?:IEX\b|Invoke-Expression)",
            (
                "iex",
                "invoke-expression",
                "[scriptblock]::create(",
            ),
            re.IGNORECASE,
        ),
    ),
    (
        "script-runs-downloaded",
        Cued(
            r"\b(?:eval|new\s+Function|vm\.run\w{0,20})\s{0,8}\(\s{0,8}(?:await\s+)?[^;\n]{0,80}(?:fetch\(|axios|\.responseText|\.body\b|\.text\(\))"
            r"|\beval\s{0,8}\(?\s{0,8}(?:URI\.open|Net::HTTP|file_get_contents\(\s{0,8}['\"]http|LWP)",
            (
                "fetch(",
                "axios",
                ".responsetext",
                ".body",
                ".text()",
                "uri.open",
                "net::http",
                "file_get_contents(",
                "lwp",
            ),
        ),
    ),
    (
        "script-sends-environment",
        Cued(
            r"(?:JSON\.stringify\(|body\s{0,4}:|data\s{0,4}:|\.write\(|\.send\(|\.post\([^;\n]{0,200})\s{0,8}(?:\{\s{0,4}(?:\.\.\.|\w{1,20}\s{0,4}:\s{0,4}))?"
            r"process\.env\s{0,8}[,)}\]]",
            ("process.env",),
        ),
    ),
    (
        "script-reverse-shell",
        Cued(
            r"(?:net\.(?:connect|createConnection)|new\s+net\.Socket|TCPSocket|fsockopen|Net\.Sockets\.TCPClient|IO::Socket)"
            r"[\s\S]{0,500}?(?:/bin/(?:ba)?sh|cmd\.exe|\bsh -i|Invoke-Expression|\bIEX\b)",
            (
                "net.connect",
                "net.createconnection",
                "net.socket",
                "tcpsocket",
                "fsockopen",
                "io::socket",
            ),
            re.IGNORECASE,
        ),
    ),
    (
        "script-hides-names",
        Cued(
            r"\brequire\s{0,4}\(\s{0,4}(?:['\"]\w{1,12}['\"]\s{0,4}\+\s{0,4}['\"]|atob\(|Buffer\.from\(|String\.fromCharCode)",
            ("require",),
        ),
    ),
    (
        "script-hides-names",
        Cued(
            r"(?:\\x[2-7][0-9a-fA-F]){12}|\b_0x[0-9a-f]{4,6}\b[^\n]{0,200}\b_0x[0-9a-f]{4,6}\b[^\n]{0,200}\b_0x",
            (
                "\\x",
                "_0x",
            ),
        ),
    ),
    (
        "script-shows-secret",
        Cued(
            r"(?:console\.(?:log|info|error|warn)|Write-(?:Host|Output)|\bputs|\bprint)\s{0,8}+\(?+\s{0,8}+[^;\n]{0,60}?(?:process\.env(?:\.|\[['\"])|\$env:|ENV\[['\"])(\w{1,80})['\"]?\]?\s{0,8}[),;\n]",
            (
                "process.env",
                "$env:",
                "env['",
                'env["',
            ),
        ),
    ),
    (
        "script-destroys",
        Cued(
            r"(?:rmSync|rm|rmdirSync|rimraf(?:\.sync)?)\(\s{0,8}(?:['\"](?:/|~|/home|C:\\\\)['\"]|(?:os|require\(['\"](?:node:)?os['\"]\))\.homedir\(\)\s{0,4}[,)])|Remove-Item\s[^\n]{0,80}(?:\bC:\\(?:\s|$)|\$HOME(?:\s|$)|\$env:USERPROFILE(?:\s|$))[^\n]{0,40}",
            (
                "rmsync(",
                "rm(",
                "rmdirsync(",
                "rimraf",
                "remove-item",
            ),
            re.IGNORECASE,
        ),
    ),
)
_OBSERVES = Cued(
    r"\b(?:pbpaste|xclip\s[^\n'\"]{0,40}-o\b|wl-paste|clipboardy|clipboard\.read(?:Text)?\(|Get-Clipboard|robotjs|nut-js|iohook"
    r"|uiohook|GlobalKeyboardListener|GetAsyncKeyState|screenshot-desktop|CopyFromScreen|screencapture|desktopCapturer)",
    (
        "pbpaste",
        "xclip",
        "wl-paste",
        "clipboard",
        "robotjs",
        "nut-js",
        "iohook",
        "globalkeyboardlistener",
        "getasynckeystate",
        "screenshot-desktop",
        "copyfromscreen",
        "screencapture",
        "desktopcapturer",
    ),
    re.IGNORECASE,
)
_SOCKET = re.compile(r"\bnet\.(?:connect|createConnection|Socket)\b|\btls\.connect\b")
_SHELL = re.compile(
    r"\bspawn\s{0,2}\(\s{0,4}(?:['\"`](?:/(?:usr/)?bin/)?(?:(?:ba|z|da)?sh|cmd(?:\.exe)?|powershell(?:\.exe)?)['\"`])"
)
_PIPED_IN = re.compile(r"\.pipe\(\s{0,4}\w{1,40}\.stdin\b|\.stdin\.write\(")
_PIPED_OUT = re.compile(r"\.stdout\.(?:pipe\(|on\(\s{0,4}['\"]data['\"])")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,8}://[^\s\"'`<>|)]{1,400}", re.IGNORECASE)
_RUNS = Cued(
    r"child_process|\bexecSync\b|\bspawn(?:Sync)?\b|Start-Process|\bsystem\s{0,4}\(",
    (
        "child_process",
        "execsync",
        "spawn",
        "start-process",
        "system",
    ),
)


def analyse(text: str) -> Analysis:
    """What a script in one of these languages does."""
    joined = list(built(text))
    found: list[CodeFinding] = [*_patterns(text), *hidden_names(joined)]
    traits: set[Trait] = set()
    written_out = folded(text, joined)
    if written_out != text:
        text = written_out
        found += _patterns(text)
    inner = commands(text)
    traits |= inner.traits
    found += inner.findings
    if (connected := _connected(text)) is not None:
        found.append(CodeFinding("script-reverse-shell", *connected))
    sinks = [hit.start() for hit in NETWORK.finditer(text)]
    if sinks:
        traits.add(Trait.NETWORK)
        found += [CodeFinding("script-bad-host", *hit.span()) for hit in _URL.finditer(text) if is_bad_host(hit[0])]
    if _RUNS.search(text):
        traits.add(Trait.RUNS)
    watched = _OBSERVES.search(text)
    if watched is not None and sinks:
        found.append(CodeFinding("script-spies", watched.start(), watched.end()))
    written = kept(text)
    if written:
        traits.add(Trait.PERSISTS)
    found += [*follow(text), *sent(text), *traps(text), *_reads(text, sinks, traits), *written]
    return merge([Analysis(tuple(few(found)), frozenset(traits))])


def _patterns(text: str) -> Iterator[CodeFinding]:
    for rule, pattern in _PATTERNS:
        for hit in pattern.finditer(text):
            if rule != "script-shows-secret" or secret_name(hit[1]):
                yield CodeFinding(rule, hit.start(), hit.end())


def _connected(text: str) -> tuple[int, int] | None:
    """Where a shell's input and output are tied to a connection, whatever the order."""
    if "stdin" not in text or "stdout" not in text or _SOCKET.search(text) is None:
        return None
    shell = _SHELL.search(text)
    into, out = _PIPED_IN.search(text), _PIPED_OUT.search(text)
    return shell.span() if shell and into and out else None


def _reads(text: str, sinks: list[int], traits: set[Trait]) -> Iterator[CodeFinding]:
    """Credential files, and whether a sink stands near.

    Args:
        text: the script.
        sinks: offsets of calls that use the network, in order.
        traits: gets what the script does.
    """
    for path, start, end in paths(text):
        if not credential_path(path):
            continue
        traits.add(Trait.CREDENTIALS)
        if own_environment_file(path):
            continue
        yield CodeFinding("script-reads-credentials", start, end)
        after = bisect_left(sinks, start)
        if after < len(sinks) and sinks[after] - start <= _NEAR:
            message = "A credential file is named, and the network is used soon after"
            yield CodeFinding("script-sends-credentials", start, end, message, Severity.HIGH, Confidence.MEDIUM)
