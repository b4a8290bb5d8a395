"""Scripts without a parser, from JavaScript to Go and Rust: read by patterns, each bounded and within a few lines."""

from __future__ import annotations

import re

from inkgate.code.model import Analysis, CodeFinding, Trait, merge
from inkgate.code.script_flow import follow
from inkgate.code.script_sends import paths, sent
from inkgate.code.sensitive import credential_path, is_bad_host, own_environment_file, persistence_path, secret_name
from inkgate.code.traps import traps
from inkgate.model import Confidence, Severity

__all__ = ["analyse"]

MOST = 100
_NEAR = 1500
"""Characters within which a source and a sink belong together."""

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "script-runs-decoded",
        re.compile(
            r"\b(?:eval|new\s+Function|Function|execSync|exec|spawn|vm\.run\w{0,20}|setTimeout|system|instance_eval|assert)\s{0,8}\(?\s{0,8}"
            r"[^;\n]{0,120}(?:\batob\s{0,4}\(|Buffer\.from\([^;\n]{1,400}['\"](?:base64|hex)['\"]|base64_decode\s{0,4}\(|decode64\s{0,4}\("
            r"|unpack\(['\"]m|String\.fromCharCode\s{0,4}\(|gzinflate|gzuncompress|str_rot13|MIME::Base64)"
        ),
    ),
    (
        "script-runs-decoded",
        re.compile(
            r"\b(?:powershell|pwsh)(?:\.exe)?\b[^\n]{0,200}\s-(?:e|en|enc|enco\w{0,10})\s+['\"]?[A-Za-z0-9+/=]{16}",
            re.IGNORECASE,
        ),
    ),
    (
        "script-runs-decoded",
        re.compile(
            r"(?:\bIEX\b|Invoke-Expression)[^\n]{0,200}FromBase64String|FromBase64String[^\n]{0,400}\|\s{0,8}(?:IEX\b|Invoke-Expression)",
            re.IGNORECASE,
        ),
    ),
    (
        "script-runs-downloaded",
        re.compile(
            r"(?:\bIEX\b|Invoke-Expression)[^\n]{0,200}(?:DownloadString|Invoke-WebRequest|\biwr\b|\birm\b|Invoke-RestMethod|Net\.WebClient)"
            r"|\[scriptblock\]::Create\([^\n]{0,60}(?:DownloadString|\biwr\b|\birm\b|Invoke-WebRequest|Invoke-RestMethod)"
            r"|(?:DownloadString|\biwr\b|\birm\b|Invoke-RestMethod|Invoke-WebRequest)[^\n|]{0,300}\|\s{0,8}(?:IEX\b|Invoke-Expression)",
            re.IGNORECASE,
        ),
    ),
    (
        "script-runs-downloaded",
        re.compile(
            r"\b(?:eval|new\s+Function|vm\.run\w{0,20})\s{0,8}\(\s{0,8}(?:await\s+)?[^;\n]{0,80}(?:fetch\(|axios|\.responseText|\.body\b|\.text\(\))"
            r"|\beval\s{0,8}\(?\s{0,8}(?:URI\.open|Net::HTTP|file_get_contents\(\s{0,8}['\"]http|LWP)"
        ),
    ),
    (
        "script-sends-environment",
        re.compile(
            r"(?:JSON\.stringify\(|body\s{0,4}:|data\s{0,4}:|env\s{0,4}:|\.write\(|\.send\(|\.post\([^;\n]{0,200})\s{0,8}(?:\{\s{0,4}(?:\.\.\.|\w{1,20}\s{0,4}:\s{0,4}))?"
            r"process\.env\s{0,8}[,)}\]]"
        ),
    ),
    (
        "script-reverse-shell",
        re.compile(
            r"(?:net\.(?:connect|createConnection)|new\s+net\.Socket|TCPSocket|fsockopen|Net\.Sockets\.TCPClient|IO::Socket)"
            r"[\s\S]{0,500}?(?:/bin/(?:ba)?sh|cmd\.exe|\bsh -i|Invoke-Expression|\bIEX\b)",
            re.IGNORECASE,
        ),
    ),
    (
        "script-hides-names",
        re.compile(
            r"\brequire\s{0,4}\(\s{0,4}(?:['\"]\w{1,12}['\"]\s{0,4}\+\s{0,4}['\"]|atob\(|Buffer\.from\(|String\.fromCharCode)"
        ),
    ),
    (
        "script-hides-names",
        re.compile(
            r"(?:\\x[2-7][0-9a-fA-F]){12}|\b_0x[0-9a-f]{4,6}\b[^\n]{0,200}\b_0x[0-9a-f]{4,6}\b[^\n]{0,200}\b_0x"
        ),
    ),
    (
        "script-shows-secret",
        re.compile(
            r"(?:console\.(?:log|info|error|warn)|Write-(?:Host|Output)|\bputs|\bprint)\s{0,8}\(?\s{0,8}[^;\n]{0,60}?(?:process\.env(?:\.|\[['\"])|\$env:|ENV\[['\"])(\w{1,80})['\"]?\]?\s{0,8}[),;\n]"
        ),
    ),
    (
        "script-destroys",
        re.compile(
            r"(?:rmSync|rm|rmdirSync|rimraf(?:\.sync)?)\(\s{0,8}(?:['\"](?:/|~|/home|C:\\\\)['\"]|(?:os|require\(['\"](?:node:)?os['\"]\))\.homedir\(\)\s{0,4}[,)])|Remove-Item\s[^\n]{0,80}(?:\bC:\\(?:\s|$)|\$HOME(?:\s|$)|\$env:USERPROFILE(?:\s|$))[^\n]{0,40}",
            re.IGNORECASE,
        ),
    ),
)
_OBSERVES = re.compile(
    r"\b(?:pbpaste|xclip\s[^\n'\"]{0,40}-o\b|wl-paste|clipboardy|clipboard\.read(?:Text)?\(|Get-Clipboard|robotjs|nut-js|iohook"
    r"|uiohook|GlobalKeyboardListener|GetAsyncKeyState|screenshot-desktop|CopyFromScreen|screencapture|desktopCapturer)",
    re.IGNORECASE,
)
_NETWORK = re.compile(
    r"\b(?:fetch|axios(?:\.\w+)?|https?(?:['\"]\))?\.(?:request|get|post)|request\.post|got(?:\.\w+)?"
    r"|XMLHttpRequest|sendBeacon|net\.(?:connect|Socket)|new WebSocket|"
    r"Net::HTTP\w*|http\.(?:Post\w{0,4}|NewRequest\w{0,12})|reqwest|ureq|TcpStream|HttpClient|HttpURLConnection|OkHttpClient|HttpRequest|URLSession|net\.Dial|HTTP::Tiny|IO::Socket|fsockopen|Faraday|HTTParty|RestClient|"
    r"Invoke-WebRequest|Invoke-RestMethod|UploadString|UploadFile|DownloadString|DownloadFile|WebClient|curl_exec|LWP::UserAgent|HTTP\.post)\b",
    re.IGNORECASE,
)
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,8}://[^\s\"'`<>|)]{1,400}", re.IGNORECASE)
_RUNS = re.compile(r"child_process|\bexecSync\b|\bspawn(?:Sync)?\b|Start-Process|\bsystem\s{0,4}\(")
_WRITES = re.compile(
    r"(?:writeFile(?:Sync)?|appendFile(?:Sync)?|createWriteStream|Set-Content|Add-Content|Out-File|File\.write|file_put_contents|os\.WriteFile|ioutil\.WriteFile|os\.OpenFile|fs::write|File::create|OpenOptions|Files\.write\w{0,6}|FileWriter|FileOutputStream|File\.(?:WriteAll|AppendAll)\w{0,6}|File\.open|IO\.write|fopen)\b[^\n]{0,20}[^\n]{0,200}"
)


def analyse(text: str) -> Analysis:
    """What a script in one of these languages does."""
    found: list[CodeFinding] = []
    traits: set[Trait] = set()
    for rule, pattern in _PATTERNS:
        for hit in pattern.finditer(text):
            if rule == "script-shows-secret" and not secret_name(hit[1]):
                continue
            found.append(CodeFinding(rule, hit.start(), hit.end()))
            if len(found) >= MOST:
                break
    sinks = [hit.start() for hit in _NETWORK.finditer(text)]
    if sinks:
        traits.add(Trait.NETWORK)
    if _RUNS.search(text):
        traits.add(Trait.RUNS)
    watched = _OBSERVES.search(text)
    if watched is not None and sinks:
        found.append(CodeFinding("script-spies", watched.start(), watched.end()))
    found += follow(text)
    found += sent(text)
    found += traps(text)
    found += _reads(text, sinks, traits)
    found += _places(text, bool(sinks), traits)
    return merge([Analysis(tuple(found[: 2 * MOST]), frozenset(traits))])


def _reads(text: str, sinks: list[int], traits: set[Trait]) -> list[CodeFinding]:
    """Credential files, and whether a sink stands near."""
    found: list[CodeFinding] = []
    for path, start, end in paths(text):
        if not credential_path(path) or len(found) >= MOST:
            continue
        traits.add(Trait.CREDENTIALS)
        if own_environment_file(path):
            continue
        found.append(CodeFinding("script-reads-credentials", start, end))
        if any(0 <= sink - start <= _NEAR for sink in sinks[:MOST]):
            message = "A credential file is named, and the network is used soon after"
            found.append(CodeFinding("script-sends-credentials", start, end, message, Severity.HIGH, Confidence.MEDIUM))
    return found


def _places(text: str, network: bool, traits: set[Trait]) -> list[CodeFinding]:
    """Bad addresses, and files that outlive the call."""
    found: list[CodeFinding] = []
    for hit in _URL.finditer(text):
        if network and is_bad_host(hit[0]) and len(found) < MOST:
            found.append(CodeFinding("script-bad-host", hit.start(), hit.end()))
    for hit in _WRITES.finditer(text):
        for path, start, end in paths(hit[0]):
            kind = persistence_path(path)
            if kind and len(found) < 2 * MOST:
                traits.add(Trait.PERSISTS)
                rule = {"agent": "script-writes-agent-files", "door": "script-opens-door"}.get(kind, "script-persists")
                found.append(CodeFinding(rule, hit.start() + start, hit.start() + end))
    return found
