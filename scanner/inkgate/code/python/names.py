"""What calls in Python mean: the functions that run, fetch, send, decode, read and write, by their full names."""

from __future__ import annotations

import re

__all__ = [
    "BODY",
    "authentic",
    "decodes",
    "executes",
    "fetches",
    "known",
    "opens_pickle",
    "passes",
    "resolves_host",
    "runs_program",
    "sends",
    "tells",
    "writes_file",
]

BODY = frozenset({"data", "json", "files", "content", "body", "params", "fields", "msg"})
"""Keywords of network calls whose value travels as the message and not as its envelope."""

_HTTP = r"(?:requests|httpx|aiohttp|urllib3|niquests|curl_cffi|grequests)(?:\.\w+)*"
_SENDS = re.compile(
    rf"""^(?:{_HTTP}\.(?:post|put|patch|request|get|head|delete|stream|urlopen)
    |urllib\.request\.(?:urlopen|Request|urlretrieve)|urllib2?\.urlopen|http\.client\.HTTPS?Connection\.request
    |socket\.(?:socket|create_connection)\.(?:send|sendall|sendto)|smtplib\.\w+\.(?:sendmail|send_message)
    |ftplib\.\w+\.stor(?:binary|lines)|websockets?(?:\.\w+)*\.send|paramiko(?:\.\w+)*\.put|telnetlib\.\w+\.write)$""",
    re.VERBOSE,
)
_FETCHES = re.compile(
    rf"""^(?:{_HTTP}\.(?:post|put|patch|request|get|stream|urlopen)|urllib\.request\.urlopen|urllib2?\.urlopen
    |http\.client\.HTTPS?Connection\.getresponse|socket\.(?:socket|create_connection)\.recv)$""",
    re.VERBOSE,
)
_NAMES = re.compile(
    r"^(?:socket\.(?:gethostbyname(?:_ex)?|getaddrinfo)|dns\.resolver\.(?:query|resolve)|dns\.resolver\.\w+\.(?:query|resolve))$"
)
_DECODES = re.compile(
    r"""^(?:base64\.(?:\w*decode\w*)|binascii\.(?:a2b_\w+|unhexlify)|bytes\.fromhex|bytearray\.fromhex|codecs\.decode
    |(?:zlib|gzip|bz2|lzma)\.decompress|marshal\.loads?|quopri\.decodestring|uu\.decode
    |cryptography\.fernet\.Fernet\.decrypt|Fernet\.decrypt|Crypto(?:dome)?(?:\.\w+)*\.decrypt)$""",
    re.VERBOSE,
)
_EXECUTES = frozenset(
    {
        "exec",
        "eval",
        "builtins.exec",
        "builtins.eval",
        "execfile",
        "compile",
        "builtins.compile",
        "code.InteractiveInterpreter.runcode",
        "code.InteractiveInterpreter.runsource",
        "types.FunctionType",
        "runpy.run_path",
    }
)
_SHELLS = frozenset(
    {
        "os.system",
        "os.popen",
        "subprocess.getoutput",
        "subprocess.getstatusoutput",
        "commands.getoutput",
        "asyncio.create_subprocess_shell",
        "pty.spawn",
        "platform.popen",
    }
)
_PROGRAMS = re.compile(
    r"^(?:subprocess\.(?:run|call|check_call|check_output|Popen)|os\.(?:exec[lv]p?e?|spawn[lv]p?e?|posix_spawnp?|startfile)"
    r"|asyncio\.create_subprocess_exec)$"
)
_PICKLES = re.compile(
    r"^(?:c?[pP]ickle|dill|cloudpickle|shelve|joblib|marshal|jsonpickle|torch)\.(?:loads?|decode|open)$|^yaml\.(?:unsafe_load|full_load)$"
)
_DROPS = frozenset(
    {
        "len",
        "bool",
        "isinstance",
        "hash",
        "id",
        "type",
        "any",
        "all",
        "callable",
        "hasattr",
        "range",
        "os.path.exists",
        "os.path.isfile",
        "os.path.isdir",
        "os.path.getsize",
        "os.path.basename",
        "os.stat",
    }
)
_DROPS_METHOD = frozenset({"exists", "is_file", "is_dir", "startswith", "endswith", "stat", "count", "index", "find"})
_LOUD = frozenset(
    {
        "print",
        "logging.info",
        "logging.debug",
        "logging.warning",
        "logging.error",
        "sys.stdout.write",
        "logger.info",
        "logger.debug",
        "click.echo",
        "pprint.pprint",
    }
)
_WRITES = re.compile(r"^(?:shutil\.(?:copy\w*|move)|os\.(?:rename|replace|symlink|link))$")
_AUTHENTIC = re.compile(
    r"^(?:authorization|auth|x-?api-?key|[\w-]*api[_-]?key|apikey|key|[\w-]*token|bearer|cookies?|headers?|[\w-]*secret|"
    r"client_?id|password|pass|user(?:name)?|x-[\w-]*-(?:key|token)|credentials?|api_?hash)$",
    re.IGNORECASE,
)


def sends(name: str) -> bool:
    """Whether a call sends its arguments over the network."""
    return _SENDS.match(name) is not None


def fetches(name: str) -> bool:
    """Whether a call gives an answer from the network."""
    return _FETCHES.match(name) is not None


def resolves_host(name: str) -> bool:
    """Whether a call looks up a host's name, which tells the name to whoever serves it."""
    return _NAMES.match(name) is not None


def decodes(name: str) -> bool:
    """Whether a call takes off an encoding, a compression or a cipher."""
    return _DECODES.match(name) is not None


def executes(name: str) -> bool:
    """Whether a call runs Python code."""
    return name in _EXECUTES


def runs_program(name: str) -> str:
    """`shell` for a call that runs a command line, `program` for one that runs a program, or empty."""
    if name in _SHELLS:
        return "shell"
    return "program" if _PROGRAMS.match(name) else ""


def opens_pickle(name: str) -> bool:
    """Whether a call loads a format that can run code."""
    return _PICKLES.match(name) is not None


def tells(name: str) -> bool:
    """Whether a call shows its arguments to whoever started the program."""
    return name in _LOUD


def writes_file(name: str) -> bool:
    """Whether a call copies, moves or links a file to its second argument."""
    return _WRITES.match(name) is not None


def known(name: str) -> bool:
    """Whether a full name is that of a call that runs, sends, fetches or decodes something."""
    return bool(runs_program(name)) or executes(name) or sends(name) or fetches(name) or decodes(name)


def passes(name: str) -> bool:
    """Whether the result of a call still holds what its arguments hold."""
    return name not in _DROPS and name.rpartition(".")[2] not in _DROPS_METHOD


def authentic(word: str) -> bool:
    """Whether a field's name says that a credential belongs there."""
    return _AUTHENTIC.match(word[:80]) is not None
