"""The configuration of a lint run: the nearest file wins, nothing is merged but what `extend` names.

Looked for from the working directory upwards, in each folder in this order: `.inkgate.toml`, `inkgate.toml`, and
`pyproject.toml` if it has a table `[tool.inkgate]`. It is never looked for in the folders that are scanned, unless one
of them is the working directory or above it: the text under test has no say. The gate takes its configuration by
argument and does not use this module. A configuration is data; none of its keys names code.

    extend = "../team.toml"              # first read that file; a key given here replaces its key, tables are merged
    fail-on = "stage"                    # block, stage, a severity, or never
    format = "text"
    jobs = 0                             # processes; 0: as many as there are processors
    cache = false                        # whether files that were clean are remembered
    baseline = ".inkgate-baseline.json"
    exclude = ["archive/**"]
    rule-packs = ["rules/team.toml"]
    skill-profile = "claude-code"        # or spec
    skill-trust = "trusted"              # builtin, trusted, community, agent-created
    [targets]                            # the first pattern that matches
    "memories/**" = "memory"
    [disable]                            # rule = why
    some-rule = "our notes quote it all the time"
    [policy.vault.stage]                 # see inkgate.policy
    medium = "high"

File names are relative to the file that names them, patterns to the folder of the file that was found.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from inkgate.lean import Any, dataclass, field
from inkgate.model import InkgateError, Target
from inkgate.policy import DEFAULT, Policy, PolicyError, Trust
from inkgate.report import FORMATS
from inkgate.report.model import FAIL_ON

__all__ = ["KEYS", "NAMES", "Config", "ConfigError", "discover", "load"]

NAMES = (".inkgate.toml", "inkgate.toml", "pyproject.toml")
SKILL_PROFILES = ("spec", "claude-code")
_EXTENDS = 10
"""Files that may extend one another in a row."""


class ConfigError(InkgateError):
    """The configuration cannot be used; the message names file and key."""


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of a run.

    Attributes:
        values: by key, checked; file names made absolute.
        origins: the file from which each value comes; a key that is absent has its default.
        folder: what patterns are relative to.
    """

    values: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    origins: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    folder: Path = field(default_factory=Path.cwd)

    def get(self, key: str) -> Any:
        """The value of a key, or its default."""
        return self.values.get(key, KEYS[key].default)

    def policy(self) -> Policy:
        """The verdict table: the default one, changed by `policy`."""
        changes = self.get("policy")
        return Policy.from_mapping(changes) if changes else DEFAULT


def discover(start: Path) -> Path | None:
    """The configuration file that counts for a folder."""
    folder = start.absolute()
    for place in (folder, *folder.parents):
        for name in NAMES:
            path = place / name
            if path.is_file() and (name != "pyproject.toml" or _table(path) is not None):
                return path
    return None


def load(explicit: str | Path | None = None, *, search: bool = True, start: Path | None = None) -> Config:
    """The configuration of a run.

    Args:
        explicit: a file by name (`--config`, or else the environment's `INKGATE_CONFIG`); nothing is looked for then.
        search: whether to look for one; False for `--no-config`.
        start: the folder from which to look; the working directory if not given.

    Raises:
        ConfigError: a file cannot be read or is wrong.
    """
    folder = start or Path.cwd()
    path = Path(explicit) if explicit else discover(folder) if search else None
    if path is None:
        return Config(folder=folder)
    values: dict[str, Any] = {}
    origins: dict[str, str] = {}
    _read(path, values, origins, ())
    return Config(MappingProxyType(values), MappingProxyType(origins), path.absolute().parent)


def _read(path: Path, values: dict[str, Any], origins: dict[str, str], seen: tuple[Path, ...]) -> None:
    real = path.resolve()
    if real in seen:
        raise ConfigError(f"{path}: extend: the files extend one another in a circle")
    if len(seen) >= _EXTENDS:
        raise ConfigError(f"{path}: extend: more than {_EXTENDS} files in a row")
    data = _table(path)
    if data is None:
        raise ConfigError(f"{path}: has no table [tool.inkgate]")
    base = data.pop("extend", None)
    if base is not None:
        if not isinstance(base, str) or not base:
            raise ConfigError(f"{path}: extend: must be a file name")
        _read(path.parent / base, values, origins, (*seen, real))
    for key, raw in data.items():
        spec = KEYS.get(key)
        if spec is None:
            raise ConfigError(f"{path}: {key}: unknown key{_near(key, (*KEYS, 'extend'))}")
        value = spec.read(raw, f"{path}: {key}", path.absolute().parent)
        if isinstance(value, Mapping) and key in values:
            value = {**value, **{k: v for k, v in values[key].items() if k not in value}}
        values[key] = value
        origins[key] = str(path)


def _table(path: Path) -> dict[str, Any] | None:
    """The settings of a file; None for a `pyproject.toml` that has none."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read: {error.strerror or error}") from error
    project = path.name == "pyproject.toml"
    if project and b"inkgate" not in data:
        return None  # another tool's file is not even parsed
    import tomllib

    try:
        document = tomllib.loads(data.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigError(f"{path}: not valid TOML: {error}") from None
    if not project:
        return document
    tool = document.get("tool")
    table = tool.get("inkgate") if isinstance(tool, dict) else None
    if table is not None and not isinstance(table, dict):
        raise ConfigError(f"{path}: tool.inkgate: must be a table")
    return table


def _near(word: str, known: Iterable[str]) -> str:
    import difflib

    near = difflib.get_close_matches(word, known, 1)
    return f"; did you mean {near[0]!r}?" if near else f"; known are {', '.join(sorted(known))}"


Reader = Callable[[Any, str, Path], Any]


@dataclass(frozen=True, slots=True)
class Key:
    """One key: how its value is checked, what it is when absent, and what it is for."""

    read: Reader
    default: Any
    what: str


def _one_of(*words: str) -> Reader:
    def read(value: Any, where: str, _folder: Path) -> str:
        if not isinstance(value, str) or value not in words:
            raise ConfigError(f"{where}: {value!r} is none of {', '.join(words)}")
        return value

    return read


def _jobs(value: Any, where: str, _folder: Path) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= 512:
        raise ConfigError(f"{where}: must be a number from 0 to 512")
    return value


def _flag(value: Any, where: str, _folder: Path) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{where}: must be true or false")
    return value


def _file(value: Any, where: str, folder: Path) -> str:
    if not isinstance(value, str) or not value:
        raise ConfigError(f"{where}: must be a file name")
    return os.path.normpath(folder / value)


def _files(value: Any, where: str, folder: Path) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ConfigError(f"{where}: must be a list of file names")
    return tuple(_file(item, where, folder) for item in value)


def _pattern(value: Any, where: str) -> str:
    from inkgate.lint.globs import compile_glob

    if not isinstance(value, str):
        raise ConfigError(f"{where}: {value!r} is not a pattern")
    try:
        compile_glob(value)
    except ValueError as error:
        raise ConfigError(f"{where}: {value!r}: {error}") from None
    return value


def _patterns(value: Any, where: str, _folder: Path) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ConfigError(f"{where}: must be a list of patterns")
    return tuple(_pattern(item, where) for item in value)


def _targets(value: Any, where: str, _folder: Path) -> dict[str, Target]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where}: must be a table of patterns and targets")
    found = {}
    for pattern, name in value.items():
        _pattern(pattern, where)
        try:
            found[pattern] = Target(name)
        except ValueError:
            raise ConfigError(f"{where}.{pattern}: {name!r} is none of {', '.join(Target)}") from None
    return found


def _disable(value: Any, where: str, _folder: Path) -> dict[str, str]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where}: must be a table: rule = reason")
    for rule, reason in value.items():
        if not isinstance(reason, str) or not reason.strip():
            raise ConfigError(f"{where}.{rule}: say why, as text")
    return dict(value)


def _policy(value: Any, where: str, _folder: Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ConfigError(f"{where}: must be a table")
    try:
        Policy.from_mapping(value)
    except PolicyError as error:
        raise ConfigError(f"{where.removesuffix(': policy')}: {error}") from None
    return dict(value)


KEYS: Mapping[str, Key] = MappingProxyType(
    {
        "fail-on": Key(_one_of(*FAIL_ON), "stage", "from which verdict or severity on a finding fails the run"),
        "format": Key(_one_of(*FORMATS), "text", "how the report is written"),
        "jobs": Key(_jobs, 0, "processes; 0 is as many as the files are worth, one for each processor at most"),
        "cache": Key(
            _flag, False, "whether files that were clean are remembered, and not scanned while they are the same"
        ),
        "baseline": Key(_file, None, "file of accepted findings"),
        "exclude": Key(_patterns, (), "paths that are left out"),
        "rule-packs": Key(_files, (), "further rule packs (TOML)"),
        "targets": Key(_targets, MappingProxyType({}), "what paths are taken for"),
        "disable": Key(_disable, MappingProxyType({}), "rules that do not count, and why"),
        "skill-profile": Key(_one_of(*SKILL_PROFILES), "spec", "which fields the front matter of a skill may have"),
        "skill-trust": Key(_one_of(*Trust), "community", "who the skills come from, which decides what is allowed"),
        "policy": Key(_policy, MappingProxyType({}), "changes of the verdict table"),
    }
)
"""Every key but `extend`."""
