"""What is worth stealing, what survives, and where stolen data goes: tables of names, shared by all languages.

Every pattern is searched in one short text (a path, a host, a variable's name), never in a whole file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

__all__ = [
    "PERSISTS",
    "Persistence",
    "credential_path",
    "is_bad_host",
    "is_hidden_path",
    "persistence_path",
    "secret_name",
    "service_name",
]

_LONGEST = 1024

_CREDENTIALS = re.compile(
    r"""(?:^|[/~\\'"=@:\s])(?:
      \.ssh(?:$|/(?!config\b|known_hosts|authorized_keys)) | id_(?:rsa|dsa|ecdsa|ed25519)(?!\.pub)\b
    | \.aws(?:$|/(?:credentials|config|$)) | \.kube/config | \.docker/config\.json | \.netrc | \.pgpass
    | \.git-credentials
    | \.gnupg(?:$|/) | \.npmrc | \.pypirc | \.azure(?:$|/) | \.config/(?:gcloud|gh|hub)(?:$|/) | \.password-store
    | \.config/solana/id\.json | \.ethereum/keystore | \.bitcoin(?:$|/) | wallet\.dat | \.electrum
    | etc/(?:shadow|gshadow|master\.passwd|sudoers\b) | proc/(?:self|\d+|\*)/environ
    | (?:Login\ Data|Web\ Data|Cookies)(?:$|["']) | cookies\.sqlite | logins\.json | key[34]\.db
    | Local\ Extension\ Settings | \.mozilla/firefox | google-chrome(?:$|/) | Chrome/User\ Data | BraveSoftware
    | Library/Keychains | login\.keychain | \.local/share/keyrings
    | Exodus/exodus\.wallet | nkbihfbeogaeaoehlefnkodbefgpgknn
    | \.(?:claude|codex|gemini|openclaw|hermes)/(?:\.?credentials?|auth|oauth\w*|\.env)(?:\.json)?\b
    | (?:[\w.-]+/)*\.env(?:\.(?:local|prod|production|staging|dev))?(?:$|["'])
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_OWN_ENV = re.compile(r"(?:^|/)\.env(?:\.\w+)?[\"']?$", re.IGNORECASE)

_AGENT_FILES = re.compile(
    r"""(?:^|/)(?:MEMORY\.md|USER\.md|SOUL\.md|CLAUDE(?:\.local)?\.md|AGENTS\.md|GEMINI\.md|HERMES\.md|\.cursorrules
    |\.windsurfrules|\.clinerules|copilot-instructions\.md|\.mcp\.json|claude_desktop_config\.json|mcp_config\.json
    |\.claude\.json|\.(?:claude|cursor|codex|gemini|openclaw|hermes|windsurf)/(?:settings[\w.]*\.json|mcp\.json|hooks\b
    |config\.(?:toml|ya?ml|json)|rules\b|agents\b|commands\b|skills\b|CLAUDE\.md)[^\s]*)$""",
    re.VERBOSE | re.IGNORECASE,
)
_STARTUP = re.compile(
    r"""(?:^|/|~)(?:\.(?:bash_?rc|bash_profile|bash_login|profile|zshrc|zprofile|zshenv|zlogin|kshrc|cshrc|tcshrc|xprofile
    |xinitrc|config/fish/config\.fish|config/autostart/[^/]*)|etc/(?:profile|bash\.bashrc|zshrc|rc\.local)
    |etc/profile\.d/[^/]*|Startup/[^/]*)$|\\CurrentVersion\\Run(?:Once)?\\?$""",
    re.VERBOSE | re.IGNORECASE,
)
_SERVICE = re.compile(
    r"""(?:^|/)(?:Library/Launch(?:Agents|Daemons)/?|(?:\.config|etc|lib|run)/systemd/(?:user|system)/?
    |etc/cron(?:tab|\.d|\.(?:hourly|daily|weekly|monthly))|var/spool/cron|etc/init\.d/)|\.git/hooks/(?!.*\.sample$)""",
    re.VERBOSE | re.IGNORECASE,
)
_DOOR = re.compile(
    r"(?:^|/|~)(?:\.ssh/authorized_keys2?|etc/sudoers(?:\.d/[^\s]*)?|etc/(?:passwd|shadow)|etc/pam\.d/[^\s]*"
    r"|etc/ld\.so\.preload)$"
)

_SECRET_NAME = re.compile(
    r"(?:^|_)(?:KEY|TOKEN|SECRET|SECRETS|PASSWORD|PASSWD|PASS|CREDENTIALS?|PAT|APIKEY|AUTH|PRIVATE|MNEMONIC|SEED)(?:$|_|\d)"
)
_NOT_SECRET = re.compile(
    r"(?:PUBLIC|KEY_?(?:ID|NAME|PATH|FILE|BOARD|WORD)|TOKEN_?(?:LIMIT|COUNT|BUDGET|URL|S)|MAX_|AUTH_?(?:URL|SOCK|TYPE|MODE))"
)
_AFFIX = re.compile(
    r"_?(?:API|ACCESS|SECRET|PRIVATE|AUTH|KEY|TOKEN|PASSWORD|PASSWD|PASS|CREDENTIALS?|PAT|ID|BEARER|REFRESH|CLIENT|USER|"
    r"URL|WEBHOOK|SESSION)(?=_|$)"
)

_BAD_HOSTS = re.compile(
    r"""(?:^|[./@])(?:pastebin\.com|paste\.ee|hastebin\.com|rentry\.(?:co|org)|ghostbin\.\w+|dpaste\.\w+|ix\.io|sprunge\.us
    |termbin\.com|transfer\.sh|file\.io|0x0\.st|anonfiles\.com|catbox\.moe|gofile\.io|temp\.sh|oshi\.at|bashupload\.com
    |webhook\.site|requestbin\.\w+(?:\.com)?|pipedream\.net|requestcatcher\.com|beeceptor\.com|hookbin\.com|burpcollaborator\.net
    |oastify\.com|oast\.\w+|interact\.sh|interactsh\.com|canarytokens\.\w+|dnslog\.\w+|ceye\.io
    |ngrok(?:-free)?\.(?:io|app|dev)|loca\.lt|serveo\.net|trycloudflare\.com|localhost\.run|duckdns\.org|no-ip\.\w+
    |glot\.io|[\w-]+\.onion)$""",
    re.VERBOSE | re.IGNORECASE,
)
_DROPS = re.compile(r"^https?://(?:discord(?:app)?\.com/api/webhooks/|api\.telegram\.org/bot)", re.IGNORECASE)
_NUMERIC = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}|0x[0-9a-f]{8}|\d{8,10}|\[[0-9a-f:]{4,39}\]", re.IGNORECASE)
_LOCAL = re.compile(
    r"^(?:localhost|127\.|0\.0\.0\.0|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.170\.|\[::1\]|\[f[cde]|192\.0\.2\."
    r"|198\.51\.100\.|203\.0\.113\.)"
)
_HOST = re.compile(r"^[a-z][a-z0-9+.-]{1,12}://(?:[^/@\s]{0,200}@)?(\[[0-9a-fA-F:]{2,39}\]|[^/:?#\s\"']{1,255})", re.I)
_HIDDEN = re.compile(r"^(?:/tmp/|/var/tmp/|/dev/shm/|/private/tmp/)|(?:^|/)\.(?!\.?(?:/|$))[\w-][^/]*$")


class Persistence:
    """Kinds of places whose content outlives the call."""

    AGENT = "agent"
    STARTUP = "startup"
    SERVICE = "service"
    DOOR = "door"


PERSISTS: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        Persistence.AGENT: ("script-writes-agent-files", ""),
        Persistence.STARTUP: ("script-persists", "What every new shell or session runs is changed"),
        Persistence.SERVICE: ("script-persists", "A job is set up that goes on after the call"),
        Persistence.DOOR: ("script-opens-door", ""),
    }
)
"""Rule and message for a script that writes to a place of each kind."""


def credential_path(text: str) -> bool:
    """Whether a path is that of a credential, a browser's profile, a wallet or a key store."""
    return _CREDENTIALS.search(text[:_LONGEST]) is not None


def own_environment_file(text: str) -> bool:
    """Whether a credential path is only the `.env` of a project, which ordinary programs load."""
    return _OWN_ENV.search(text[:_LONGEST]) is not None


def persistence_path(text: str) -> str:
    """The kind of place (`Persistence`) that a path is, or empty."""
    text = text[:_LONGEST]
    for kind, pattern in (
        (Persistence.DOOR, _DOOR),
        (Persistence.AGENT, _AGENT_FILES),
        (Persistence.STARTUP, _STARTUP),
        (Persistence.SERVICE, _SERVICE),
    ):
        if pattern.search(text):
            return kind
    return ""


def is_hidden_path(text: str) -> bool:
    """Whether a path is that of a temporary or hidden file."""
    return _HIDDEN.search(text[:_LONGEST]) is not None


def secret_name(name: str) -> bool:
    """Whether a variable's name says that it holds a credential."""
    upper = name[:200].upper()
    return _SECRET_NAME.search(upper) is not None and _NOT_SECRET.search(upper) is None


def service_name(name: str) -> str:
    """What is left of a credential's name without the words that every credential has: the service."""
    return _AFFIX.sub("", name[:200].upper()).strip("_")


def host_of(address: str) -> str:
    """The host of an address, or empty."""
    found = _HOST.match(address[:_LONGEST])
    return found[1].lower() if found else ""


def is_bad_host(address: str) -> bool:
    """Whether an address is a bare number, a paste site, a tunnel or a catcher of requests; local ones are not."""
    host = host_of(address)
    if not host or _LOCAL.match(host):
        return False
    return bool(_NUMERIC.fullmatch(host) or _BAD_HOSTS.search(host) or _DROPS.match(address))
