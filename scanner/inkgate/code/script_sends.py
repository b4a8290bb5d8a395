"""What a script reads and then sends: followed by name in a dozen languages, without a parser.

A name that takes a credential file, the whole environment or the user's files is marked, and so is every name that is
made from it, in assignments, loops and calls that fill an object. Where a marked name stands among the arguments of a
call that sends, the script sends what it has read. Each text is read a bounded number of times, line by line.
"""

from __future__ import annotations

import enum
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import NamedTuple

from inkgate.code.model import CodeFinding
from inkgate.code.sensitive import credential_path, own_environment_file, secret_name, service_name
from inkgate.model import Confidence, Severity

__all__ = ["paths", "sent"]

_ROUNDS = 12
"""Passes over the assignments; each carries a mark at least one name further."""
_ASSIGNMENTS = 2000
"""Of each form."""
_SINKS = 1000
"""Calls that send. That there are more of either is a finding where something private is read."""
_MOST = 20
_LONGEST = 500
"""Characters of one right-hand side, or of the arguments of one call."""


class _Mark(enum.IntFlag):
    NONE = 0
    SECRET = 1
    ENVIRONMENT = 2
    FILES = 4


_Marks = tuple[_Mark, frozenset[str]]
"""Where a value comes from, and the services whose credentials from the environment are in it."""

_QUOTED = r"\"[^\"\n]{1,200}\"|'[^'\n]{1,200}'|`[^`\n]{1,200}`"
_JOINED = re.compile(
    rf"(?:{_QUOTED})(?:\s{{0,3}}(?:[,+.]|\)\s{{0,3}}(?:\.\s{{0,3}}(?:join|push|resolve|appending\w{{0,24}})\s{{0,2}}\(|[,+])|/)\s{{0,3}}"
    rf"(?:(?:path\.sep|File::SEPARATOR|DIRECTORY_SEPARATOR|sep)\s{{0,3}}[+.,]\s{{0,3}})?(?:{_QUOTED})){{0,6}}"
)
_PIECE = re.compile(_QUOTED)
_ENVIRONMENT = re.compile(
    r"\bprocess\.env\b(?!\s{0,2}(?:\?\.|[.\[]))|\bos\.Environ\(\)|\bSystem\.getenv\(\)|\benv::vars(?:_os)?\(\)"
    r"|(?<![\w.])ENV\.(?:to_h|to_hash|to_a|map|each|select|inspect)\b|\$_ENV\b(?!\s{0,2}\[)|(?<![\w:>])getenv\(\s{0,2}\)"
    r"|\b(?i:Get-ChildItem|gci|dir|ls)\s{1,3}(?i:env:)|GetEnvironmentVariables\(\)|processInfo\.environment\b(?!\s{0,2}\[)"
    r"|\bDeno\.env\.toObject\(\)|\bBun\.env\b(?!\s{0,2}[.\[])|[%\\]ENV\b(?!\s{0,2}\{)|\b(?:printenv|env)['\"]\s{0,2}[,)]"
)
_VARIABLE = re.compile(
    r"(?:\bprocess\.env(?:\?)?\.|\bprocess\.env\[\s{0,2}['\"]|\bgetenv\(\s{0,2}['\"]|\bGetenv\(\s{0,2}['\"]|\benv::var\(\s{0,2}\"|\bENV(?:\.fetch\(|\[)\s{0,2}['\"]"
    r"|\$env:|\$_ENV\[\s{0,2}['\"]|\$ENV\{\s{0,2}['\"]?|GetEnvironmentVariable\(\s{0,2}\"|\bDeno\.env\.get\(\s{0,2}['\"]|\bLookupEnv\(\s{0,2}\")(\w{2,80})"
)
_FILES = re.compile(
    r"git\s{1,2}ls-files|['\"]ls-files['\"]|git\s{1,2}log\s{1,2}-p|git\s{1,2}(?:archive|bundle)\b"
    r"|(?:readdir(?:Sync)?|glob(?:Sync)?|walk\w{0,8}|Walk(?:Dir)?|ReadDir|read_dir|WalkDir::new|listFiles|Files\.walk|EnumerateFiles|GetFiles|Dir\.glob|Find\.find|scandir|Get-ChildItem|gci)"
    r"\b[^\n]{0,80}(?:homedir\(|UserHomeDir|home_dir\(|user\.home|\bhome\b|\$HOME|~/|ENV\[['\"]HOME|USERPROFILE|\$env:HOME)",
    re.IGNORECASE,
)
_SENDS = re.compile(
    r"\bfetch\s{0,2}\(|\baxios(?:\.(?:post|put|patch|request))?\s{0,2}\(|\bgot(?:\.(?:post|put|patch))?\s{0,2}\(|\bhttps?\.(?:request|Post|PostForm|NewRequest(?:WithContext)?)\s{0,2}\("
    r"|\bNewRequest(?:WithContext)?\s{0,2}\(|\bsendBeacon\s{0,2}\(|\bureq::(?:post|put)\s{0,2}\(|\.(?:post|put|Post|PostForm|PostAsync|PutAsync|PostAsJsonAsync|postForEntity|postForObject|post_form)\s{0,2}\("
    r"|\.(?:body|json|form|multipart|send_string|send_json|send_bytes|send_form|send|POST|PUT|sendall|write_all)\s{0,2}\("
    r"|\b(?:BodyPublishers\.of\w{1,12}|RequestBody\.create|StringContent|ByteArrayContent|UploadString\w{0,12}|UploadData\w{0,12}|UploadFile\w{0,12}|UploadValues\w{0,12})\s{0,2}\("
    r"|\.(?:toRequestBody)\s{0,2}\(|CURLOPT_(?:POSTFIELDS|INFILE)\b|\bNet::HTTP\.(?:post\w{0,6}|start)\s{0,2}\(|\b(?:Faraday|HTTParty|RestClient|Http|HTTP)(?:\.|::|->)(?:post|put)\s{0,2}\(?"
    r"|\.body\s{0,2}=(?!=)|\.httpBody\s{0,2}=|\buploadTask\s{0,2}\(|->(?:post|put|request)\s{0,2}\(|['\"]content['\"]\s{0,3}=>|\s-(?:Body|InFile|Form)\s|\bfwrite\s{0,2}\("
    r"|\bcurl(?:\.exe)?\s[^\n]{0,200}?(?:\s-(?:d|F|T)\s{0,2}|--(?:data|form|upload-file)\S{0,12}\s{0,2})|\bprintf\s{1,2}\$?\w{0,12}(?:sock|conn)\w{0,8}\b"
)
_SPEAKS = re.compile(
    r"https?://|\bfetch\b|\baxios\b|\bhttps?\b|reqwest|ureq|hyper|TcpStream|HttpClient|HttpURLConnection|HttpRequest|okhttp|WebClient|WebRequest|RestMethod"
    r"|Net::HTTP|LWP|HTTP::Tiny|IO::Socket|curl|URLSession|\bnet\.(?:Dial|connect|Socket)|WebSocket|sendBeacon|fsockopen|Faraday|HTTParty",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(
    r"(?:([$@%]?[A-Za-z_][\w$]{0,40})((?:\s{0,2},\s{0,2}[A-Za-z_]\w{0,20}){0,2})|[{\[]([\w$\s,:]{1,80})[}\]])"
    r"\s{0,4}(?::\s{0,2}[\w<>\[\]&. ]{1,40}(?:,\s[\w<>]{1,20})?)?\s{0,4}[+.:?]?=(?![=>~])"
)
_LOOPED = re.compile(
    r"\b(?:for|foreach)\s{0,2}(?:await\s{0,2})?\(?\s{0,2}(?:(?:const|let|var|my|auto|final)\s{1,2})?(?:\w{1,20}\s{1,2})?[$&]?(\w{1,40})\s{1,2}(?:of|in|:)\s(?=([^\n]{1,200}))"
    r"|\bforeach\s{0,2}\(?\s{0,2}(?:my\s{1,2})?(?=([^\n]{1,200}?)(?:\s{1,2}as\s{1,2}(?:\$\w{1,40}\s{0,2}=>\s{0,2})?)\$(\w{1,40}))"
)
_EACH = re.compile(
    r"^([^\n]{0,200}?)\.(?:each\w{0,12}|map|forEach|flatMap|filter|for_each)\b\s{0,2}[({]?\s{0,2}(?:async\s{1,2})?(?:do\s{1,2})?[(|]{0,2}\s{0,2}([A-Za-z_$][\w$]{0,40})",
    re.MULTILINE,
)
_FILLED = re.compile(
    r"\b([A-Za-z_$][\w$]{0,40})(?:\s{0,2}(?:\.|->)\s{0,2}(?:append\w{0,8}|push\w{0,8}|write\w{0,12}|Write\w{0,12}|put|add|Add|set|insert|extend\w{0,8}|concat)!?\s{0,2}\(|\[[^\]\n]{0,80}\]\s{0,2}=(?![=>])|\s{0,2}<<\s)"
)
_SIGNS = re.compile(r"[()\[\]{};\n]")
_NAME = re.compile(r"[A-Za-z_][\w$]{0,40}")
_PART = re.compile(
    r"\s{0,2}(?:\?\.|\.|\[|->|::)\s{0,2}['\"]?(?!(?:map|filter|entries|toString|to_s\w{0,3}|to_json|trim|join|slice|text|clone|iter|as_\w+|to_vec|read|length)\b)\w"
)
_HEADER = re.compile(r"(?:Authorization|Bearer|\btoken\s|privateKey|passphrase|x-api-key)", re.IGNORECASE)


def paths(text: str) -> Iterator[tuple[str, int, int]]:
    """The quoted texts of a script; pieces of a path that are joined by a call or a sign count as one.

    Args:
        text: the script; at most `inkgate.code.LONGEST` characters.
    """
    for hit in _JOINED.finditer(text):
        pieces = [piece[0][1:-1] for piece in _PIECE.finditer(hit[0])]
        yield pieces[0], hit.start() + 1, hit.start() + 1 + len(pieces[0])
        if len(pieces) > 1:
            for piece in pieces[1:]:
                yield piece, hit.start(), hit.end()
            yield "/".join(piece.strip("/\\") for piece in pieces), hit.start(), hit.end()


class _Sources:
    """Where in a script something private is named: found once, looked up for each piece of it."""

    def __init__(self, text: str) -> None:
        self.text = text
        found: list[tuple[int, _Mark, str]] = [
            (start, _Mark.SECRET, "")
            for path, start, _end in paths(text)
            if credential_path(path) and not own_environment_file(path)
        ]
        found += [(hit.start(), _Mark.ENVIRONMENT, "") for hit in _ENVIRONMENT.finditer(text)]
        found += [(hit.start(), _Mark.FILES, "") for hit in _FILES.finditer(text)]
        found += [
            (hit.start(), _Mark.NONE, service_name(hit[1]) or hit[1])
            for hit in _VARIABLE.finditer(text)
            if secret_name(hit[1])
        ]
        self._found = sorted(found)
        self._places = [place for place, _mark, _service in self._found]

    @property
    def any(self) -> bool:
        """Whether there are any."""
        return bool(self._found)

    def read(self, start: int, end: int) -> _Piece:
        """What stands in a range, and which names."""
        mark, services = _Mark.NONE, set[str]()
        for number in range(bisect_left(self._places, start), bisect_left(self._places, end)):
            mark |= self._found[number][1]
            services |= {self._found[number][2]} - {""}
        names = frozenset(
            (hit[0], _PART.match(self.text, hit.end()) is not None) for hit in _NAME.finditer(self.text, start, end)
        )
        return _Piece(mark, frozenset(services), names)


class _Piece(NamedTuple):
    """A piece of code: the marks and services that it names, and its names, each with whether a part is taken."""

    mark: _Mark
    services: frozenset[str]
    names: frozenset[tuple[str, bool]]

    def marks(self, marked: dict[str, _Marks]) -> _Marks:
        """Its marks and services, with those of its names."""
        mark, services = self.mark, self.services
        for name, part in self.names:
            known = marked.get(name)
            if known is not None:
                mark |= known[0] & _Mark.SECRET if part else known[0]
                services |= known[1]
        return mark, services


def sent(text: str) -> list[CodeFinding]:
    """Findings about what is read and then sent.

    Args:
        text: the script; at most `inkgate.code.LONGEST` characters.
    """
    if _SPEAKS.search(text) is None:
        return []
    sources = _Sources(text)
    if not sources.any:
        return []
    marked, followed = _marked(sources)
    found = [] if followed else [_unread(text)]
    for number, hit in enumerate(_SENDS.finditer(text)):
        if len(found) >= _MOST:
            break
        if number >= _SINKS:
            found.append(_unread(text))
            break
        end = _end(text, hit.end(), call=text[hit.end() - 1] == "(")
        mark, services = sources.read(hit.end(), end).marks(marked)
        shown = bool(mark & _Mark.SECRET) and _HEADER.search(text, hit.end(), end) is not None
        item = _judge(mark, services, shown, hit.start(), min(end, hit.start() + 200))
        if item is not None:
            found.append(item)
    return found


def _unread(text: str) -> CodeFinding:
    message = "It reads something private, and has more assignments or calls that send than are followed"
    return CodeFinding("script-not-analysed", 0, len(text), message)


def _judge(mark: _Mark, services: frozenset[str], shown: bool, start: int, end: int) -> CodeFinding | None:
    """What is wrong with the arguments of a call that sends, by the gravest of it; `shown`: in a header."""
    if mark & _Mark.SECRET:
        message = "What was read from a credential file is sent"
        severity = Severity.MEDIUM if shown else Severity.HIGH
        return CodeFinding("script-sends-credentials", start, end, message, severity, Confidence.MEDIUM)
    if mark & _Mark.ENVIRONMENT:
        return CodeFinding("script-sends-environment", start, end, "", Severity.HIGH, Confidence.MEDIUM)
    if len(services) > 1:
        message = "Credentials of several services are sent to one address"
        return CodeFinding("script-sends-variable", start, end, message, Severity.MEDIUM, Confidence.MEDIUM)
    if mark & _Mark.FILES:
        message = "Every file of the project or the home folder is sent"
        return CodeFinding("script-sends-files", start, end, message, Severity.MEDIUM, Confidence.MEDIUM)
    return None


def _marked(sources: _Sources) -> tuple[dict[str, _Marks], bool]:
    """The marks of each name, and whether all of them were followed to their end."""
    pairs, whole = _pairs(sources)
    marked: dict[str, _Marks] = {}
    changed = True
    for _ in range(_ROUNDS):
        changed = False
        for name, piece in pairs:
            mark, services = piece.marks(marked)
            if mark or services:
                old, others = marked.get(name, (_Mark.NONE, frozenset()))
                changed = changed or bool(mark & ~old) or not services <= others
                marked[name] = old | mark, others | services
        if not changed:
            break
    return marked, whole and not changed


def _pairs(sources: _Sources) -> tuple[list[tuple[str, _Piece]], bool]:
    """Each name that is given a value, with what the value is made of; and whether these are all of them."""
    text, whole = sources.text, True

    def some(pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        nonlocal whole
        for number, hit in enumerate(pattern.finditer(text)):
            if number >= _ASSIGNMENTS:
                whole = False
                return
            yield hit

    return list(_given(sources, some)), whole


def _given(
    sources: _Sources, some: Callable[[re.Pattern[str]], Iterator[re.Match[str]]]
) -> Iterator[tuple[str, _Piece]]:
    text = sources.text
    for hit in some(_ASSIGNED):
        piece = sources.read(hit.end(), _end(text, hit.end()))
        taken = hit[3] is not None and bool(piece.mark & _Mark.ENVIRONMENT)
        for name in _NAME.findall(hit[3] or f"{hit[1]} {hit[2]}"):
            service = frozenset({service_name(name) or name} if secret_name(name) else ())
            yield name, _Piece(_Mark.NONE, service, frozenset()) if taken else piece
    for hit in some(_LOOPED):
        group = 2 if hit[1] else 3
        yield hit[1] or hit[4], sources.read(*hit.span(group))
    for hit in some(_EACH):
        yield hit[2], sources.read(*hit.span(1))
    for hit in some(_FILLED):
        yield hit[1], sources.read(hit.end(), _end(text, hit.end(), call=text[hit.end() - 1] == "("))


def _end(text: str, start: int, *, call: bool = False) -> int:
    """Where a line ends, or further on while a bracket is open; of a call, its closing bracket."""
    depth = int(call)
    stop = min(len(text), start + _LONGEST)
    for hit in _SIGNS.finditer(text, start, stop):
        char = hit[0]
        if char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth < 0 or (call and not depth):
                return hit.start()
        elif depth <= 0 and hit.start() > start:
            return hit.start()
    return stop
