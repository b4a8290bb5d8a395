"""What a network program of a shell script sends, and where to."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from inkgate.code.model import Label
from inkgate.code.sensitive import credential_path
from inkgate.code.shell.commands import Command
from inkgate.code.shell.lexer import Token

__all__ = ["Message", "message"]

_BODY = re.compile(
    r"^(?:-d|--data(?:-raw|-binary|-urlencode|-ascii)?|-F|--form(?:-string)?|--json|-T|--upload-file|--post-data|--post-file"
    r"|--body-data|--body-file|-body|--data-raw)(?==|$)"
)
_GLUED = re.compile(r"^-[dFT](?=[^-\s])")
_ENVELOPE = frozenset(
    {
        "-H",
        "--header",
        "-u",
        "--user",
        "-b",
        "--cookie",
        "-A",
        "--user-agent",
        "-e",
        "--referer",
        "-x",
        "--proxy",
        "--oauth2-bearer",
        "-headers",
        "--http-user",
        "--http-password",
        "--password",
    }
)
_OTHER = frozenset(
    {
        "-o",
        "--output",
        "-O",
        "-X",
        "--request",
        "-w",
        "--write-out",
        "-m",
        "--max-time",
        "--connect-timeout",
        "--retry",
        "-K",
        "--cacert",
        "--cert",
        "--key",
        "-c",
        "--cookie-jar",
        "-P",
        "-method",
        "-outfile",
    }
)
_URL = re.compile(
    r"^(?:[a-z][a-z0-9+.-]{1,8}://|[\w.-]{1,200}\.[a-z]{2,24}(?:[/:?]|$)|(?:\d{1,3}\.){3}\d)", re.IGNORECASE
)
_PROPER = re.compile(
    r"(?:[?&]|\\?[\"'{,]\s{0,4}|^)[\w.-]{0,40}(?:key|token|secret|password|passwd|auth|apikey|access|client_id|pat|assertion|code)[\w-]{0,20}"
    r"\\?[\"']?\s{0,4}[=:]\s{0,4}\\?[\"']{0,3}(?:Bearer\s)?\$|api\.telegram\.org/bot|[\w+.-]+://[^/\s@]{0,80}\$[^/\s@]{0,120}@",
    re.IGNORECASE,
)
_LOCAL = re.compile(r"^(?:https?://)?(?:localhost|127\.|\[::1\]|0\.0\.0\.0|\$)")


@dataclass(slots=True)
class Message:
    """What a command sends.

    Attributes:
        addresses: where to.
        labels: of the body.
        path: of the address.
        sends: whether there is a body at all.
        proper: whether a credential stands where one belongs, as `key=$KEY`.
        local: whether every address is of this machine.
    """

    addresses: list[str]
    labels: Label = Label.NONE
    path: Label = Label.NONE
    sends: bool = False
    proper: bool = False
    local: bool = False


def message(
    command: Command, texts: Sequence[str], piped: Label, labels_of: Callable[[Token], Label]
) -> Message | None:
    """What a command sends over the network; None for one that does not.

    Args:
        command: the command.
        texts: its arguments, variables expanded.
        piped: what comes in through its pipe.
        labels_of: labels of a word.
    """
    program = command.program
    if program in (
        "curl",
        "wget",
        "http",
        "https",
        "iwr",
        "irm",
        "invoke-webrequest",
        "invoke-restmethod",
        "aria2c",
        "fetch",
    ):
        return _http(command, texts, piped, labels_of)
    if program in ("nc", "ncat", "netcat", "telnet", "socat", "openssl", "mail", "mailx", "sendmail", "mutt"):
        if program == "openssl" and "s_client" not in texts:
            return None
        labels = piped
        for word in (*command.arguments, *command.given, *command.inputs):
            labels |= labels_of(word) | (Label.SECRET if credential_path(word.text) else Label.NONE)
        return Message([text for text in texts if _URL.match(text)], labels, sends=True)
    if program in ("scp", "rsync", "sftp", "rclone", "ssh"):
        remote = any(re.match(r"[\w.@-]{1,200}:", text) or "://" in text for text in texts) or program == "ssh"
        keys = {place + 1 for place, text in enumerate(texts) if text in ("-i", "-e", "-F", "-o")}
        carried = [text for place, text in enumerate(texts) if place not in keys]
        labels = piped if program == "ssh" else Label.NONE
        if program != "ssh" and any(credential_path(text) for text in carried):
            labels |= Label.SECRET
        return Message([], labels, sends=True) if remote else None
    return None


def _http(command: Command, texts: Sequence[str], piped: Label, labels_of: Callable[[Token], Label]) -> Message:
    sent = Message([])
    skip = ""
    for word, text in zip(command.arguments, texts, strict=True):
        if skip:
            if skip == "body":
                _body(sent, word, text, piped, labels_of)
            skip = ""
            continue
        if text in _ENVELOPE or text in _OTHER:
            skip = "other"
        elif (found := _BODY.match(text)) is not None:
            sent.sends = True
            if found.end() == len(text):
                skip = "body"
            else:
                _body(sent, word, text[found.end() + 1 :], piped, labels_of)
        elif _GLUED.match(text):
            sent.sends = True
            _body(sent, word, text[2:], piped, labels_of)
        elif not text.startswith("-"):
            sent.addresses.append(text)
            labels = labels_of(word)
            sent.labels |= labels & (Label.SECRET | Label.ENVIRONMENT)
            sent.path |= labels & Label.SECRET_VARIABLE
            if labels & Label.SECRET_VARIABLE:
                sent.proper = _PROPER.search(word.text) is not None
    sent.local = bool(sent.addresses) and all(_LOCAL.match(address) for address in sent.addresses)
    return sent


def _body(sent: Message, word: Token, text: str, piped: Label, labels_of: Callable[[Token], Label]) -> None:
    labels = labels_of(word)
    if text in ("@-", "-") or text.endswith("=@-"):
        labels |= piped
    file = text.rpartition("@")[2] if "@" in text else text
    if ("@" in text or text.startswith(("/", "~", "."))) and credential_path(file):
        labels |= Label.SECRET
    if labels & Label.SECRET_VARIABLE:
        sent.proper = _PROPER.search(word.text) is not None
    sent.labels |= labels
