"""The operator's settings: which targets are on, their caps, who is asked, what an unattended writer may do.

They come from an argument, or from a TOML file that is named by an argument. Nothing is discovered in the tree that the
gate guards, because whoever writes there could then loosen the gate.

    [memory]
    enabled = true
    cap = 2200              # characters of the joined text
    approval = false        # every change waits for a person

    [user]
    cap = 1375

    [vault]
    root = "~/Notes"        # the folder of notes; `vault` in the home when it is not given ([skill]: `skills`)

    [unattended]
    preserve = false        # let a background change through that keeps every old entry word for word

    [pending]
    days = 30               # a staged write that nobody looked at expires
    most = 500              # writes of one tier that may wait at a time

    [tiers]
    consolidate = true      # what a host compresses away, and a session that ends, is kept

    [policy]                # verdicts by severity and confidence, see inkgate.policy
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from inkgate.lean import Any, dataclass, field, replace
from inkgate.model import InkgateError, Target
from inkgate.policy import Policy
from inkgate.store.memory import CAPS

__all__ = ["Settings", "SettingsError", "TargetSettings"]

DAYS = 30
MOST = 500
"""Writes of one tier that may wait at a time."""
_NAMES = frozenset(map(str, Target))
_FOLDERS: Mapping[Target, str] = MappingProxyType({Target.VAULT: "vault", Target.SKILL: "skills"})


class SettingsError(InkgateError):
    """The settings cannot be used; the message names the key."""


@dataclass(frozen=True, slots=True)
class TargetSettings:
    """Settings of one target.

    Attributes:
        enabled: whether it may be written at all.
        cap: most characters of the joined text.
        approval: whether every change waits for a person.
        root: the folder of a tier of files; None for the one in the home.
    """

    enabled: bool = True
    cap: int = 0
    approval: bool = False
    root: Path | None = None


@dataclass(frozen=True, slots=True)
class Settings:
    """Settings of a gate.

    Attributes:
        targets: by target; what is missing has the defaults.
        preserve: whether an unattended change that keeps every old entry word for word is applied at once.
        pending_days: after how many days a staged write expires.
        pending_most: how many staged writes of one tier may wait at a time.
        policy: verdicts by target, severity and confidence.
        consolidate: whether a session that its host compresses or ends is consolidated.
    """

    targets: Mapping[Target, TargetSettings] = field(default_factory=dict)
    preserve: bool = False
    pending_days: float = DAYS
    policy: Policy = field(default_factory=Policy)
    consolidate: bool = True
    pending_most: int = MOST

    def __post_init__(self) -> None:
        filled = {target: self.targets.get(target, TargetSettings()) for target in {**CAPS, **self.targets}}
        for target, found in filled.items():
            if not found.cap:
                filled[target] = replace(found, cap=CAPS.get(target, 0))
        object.__setattr__(self, "targets", MappingProxyType(filled))

    def of(self, target: Target) -> TargetSettings:
        """The settings of a target, with its default cap filled in."""
        return self.targets.get(target) or TargetSettings()

    def root(self, target: Target, home: Path) -> Path:
        """The folder of a tier of files, such as of the vault."""
        found = self.of(target).root
        return (home / _FOLDERS[target]) if found is None else found.expanduser().absolute()

    @property
    def caps(self) -> Mapping[Target, int]:
        """The cap of each memory target, in characters."""
        return {target: self.of(target).cap for target in CAPS}

    @classmethod
    def read(cls, path: Path) -> Settings:
        """Settings from a TOML file.

        Raises:
            SettingsError: the file cannot be read, is not TOML, or holds something that is not a setting.
        """
        import tomllib

        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise SettingsError(f"The settings {path} could not be read: {error.strerror}.") from error
        except ValueError as error:
            raise SettingsError(f"The settings {path} are not TOML: {error}.") from error
        return cls.from_mapping(data)

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> Settings:
        """Settings from parsed data.

        Raises:
            SettingsError: an unknown key or a value of the wrong type. A mistyped word never means a default.
        """
        targets: dict[Target, TargetSettings] = {}
        unattended: Mapping[str, Any] = {}
        pending: Mapping[str, Any] = {}
        tiers: Mapping[str, Any] = {}
        policy = Policy()
        for name, table in data.items():
            if not isinstance(table, Mapping):
                raise SettingsError(f"{name}: must be a table")
            if name == "policy":
                policy = Policy.from_mapping(table)
            elif name == "unattended":
                unattended = _checked(name, table, {"preserve": bool})
            elif name == "pending":
                pending = _checked(name, table, {"days": (int, float), "most": int})
            elif name == "tiers":
                tiers = _checked(name, table, {"consolidate": bool})
            elif name in _NAMES:
                targets[Target(name)] = _target(name, table)
            else:
                raise SettingsError(
                    f"{name}: unknown table; known are {', '.join(Target)}, unattended, pending, tiers, policy"
                )
        return cls(
            MappingProxyType(targets),
            unattended.get("preserve", False),
            pending.get("days", DAYS),
            policy,
            tiers.get("consolidate", True),
            pending.get("most", MOST),
        )


def _target(name: str, table: Mapping[str, Any]) -> TargetSettings:
    types: dict[str, Any] = {"enabled": bool, "cap": int, "approval": bool}
    if Target(name) in _FOLDERS:
        types["root"] = str
    values = dict(_checked(name, table, types))
    if "root" in values:
        values["root"] = Path(values["root"])
    return TargetSettings(**values)


def _checked(table: str, values: Mapping[str, Any], types: Mapping[str, Any]) -> Mapping[str, Any]:
    for name, value in values.items():
        if name not in types:
            raise SettingsError(f"{table}.{name}: unknown key; known are {', '.join(types)}")
        kind = types[name]
        if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
            raise SettingsError(f"{table}.{name}: {value!r} is not a valid value")
        if kind is str and not value.strip():
            raise SettingsError(f"{table}.{name}: must not be empty")
        if kind not in (bool, str) and not value > 0:  # what is no number at all is not either
            raise SettingsError(f"{table}.{name}: must be more than 0")
    return values
