"""The shipped packs: their texts, and the same rules in a form that loads fast.

Reading patterns for their conditions takes seconds; a hook has a tenth of one. `tools/build_packs.py` therefore
writes the loaded rules beside the packs: an index of their anchors, then each rule on a line of its own, which is read
when the rule is needed. The file names the texts that it was made from; when they differ from the ones that are there
(an edited pack), it is not used and the packs are read.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from inkgate.match.index import Index, make_index
from inkgate.match.rules import Rule, RuleError, text_digest
from inkgate.model import Category, Confidence, Severity, Target

if TYPE_CHECKING:
    from inkgate.match.clause import Clause
    from inkgate.match.parse import Key

__all__ = ["COMPILED", "Compiled", "compiled", "contents", "decoded", "dump", "parsed", "texts"]

COMPILED = "compiled.json"
_FORMAT = 6
_NAMES = tuple(item.name for item in fields(Rule))
_RULES = '"rules": [\n'


class Compiled(NamedTuple):
    """The shipped rules as loaded from the fast form.

    Attributes:
        rules: each of them is read when anything but its id is asked for.
        anchors: the index of them.
        digest: names the texts of the packs.
    """

    rules: tuple[Rule, ...]
    anchors: Index
    digest: str


def _root() -> Path:
    import inkgate.patterns as package

    return Path(package.__file__ or "").parent


def contents() -> list[tuple[str, bytes]]:
    """Name and bytes of every pack of the package, in order of name; `common.toml` (word lists) first.

    Raises:
        RuleError: there are none.
    """
    root = _root()
    paths = sorted(
        (path.relative_to(root).as_posix() for path in (*root.glob("*.toml"), *root.glob("*/*.toml"))),
        key=lambda name: (name != "common.toml", name),
    )
    if not paths:
        raise RuleError(f"no rule packs in {root}", hint="the installation is damaged: install inkgate again")
    return [(name, (root / name).read_bytes()) for name in paths]


def decoded(packs: Sequence[tuple[str, bytes]]) -> list[tuple[str, str]]:
    """The same as text."""
    return [(name, data.decode("utf-8").replace("\r\n", "\n")) for name, data in packs]


def texts() -> list[tuple[str, str]]:
    """Name and text of every pack of the package.

    Raises:
        RuleError: there are none.
    """
    return decoded(contents())


def _checksum(packs: Sequence[tuple[str, bytes]]) -> int:
    """A quick name of the packs, the same whatever line ends a checkout gives them."""
    total = 0
    for name, data in packs:
        plain = data.replace(b"\r\n", b"\n")
        total = zlib.crc32(plain, zlib.crc32(f"{len(name)} {name} {len(plain)} ".encode(), total))
    return total


def dump(packs: Sequence[tuple[str, str]], rules: Sequence[Rule]) -> str:
    """The text of the fast form."""
    index = make_index(rules)
    head = {
        "format": _FORMAT,
        "fields": _NAMES,
        "checksum": _checksum([(name, text.encode()) for name, text in packs]),
        "digest": text_digest(packs),
        "index": index._replace(words="\n".join(index.words), users="\n".join(index.users)),
    }
    lines = ",\n".join(json.dumps([_plain(getattr(rule, name)) for name in _NAMES]) for rule in rules)
    return f"{json.dumps(head)[:-1]}, {_RULES}{lines}\n]}}\n"


def _plain(value: Any) -> Any:  # noqa: ANN401 - the fields of a rule
    if isinstance(value, Category | Severity | Confidence):
        return str(value) if isinstance(value, Category) else int(value)
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def compiled(packs: Sequence[tuple[str, bytes]]) -> Compiled | None:
    """The shipped rules from the fast form; None when it is absent, damaged, or was made from other texts."""
    try:
        head, _, rows = (_root() / COMPILED).read_text(encoding="ascii").partition(_RULES)
        data = json.loads(f"{head}{_RULES}]}}")
        if (
            data["format"] != _FORMAT
            or data["fields"] != list(_NAMES)
            or data["checksum"] != _checksum(packs)
            or not rows.endswith("\n]}\n")
        ):
            return None
        rules = tuple(map(_rule, rows[:-4].split(",\n")))
        index = Index(*data["index"])
        index = index._replace(words=str(index.words).split("\n"), users=str(index.users).split("\n"))
        return Compiled(rules, index, data["digest"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def parsed(packs: Sequence[tuple[str, bytes]]) -> list[Rule]:
    """The rules of edited packs, with what the fast form says of the patterns that are still the same.

    Raises:
        RuleError: a pack is wrong.
    """
    from inkgate.match.parse import parse_packs

    return parse_packs(decoded(packs), _remembered())


def _remembered() -> dict[Key, tuple[Clause, ...]]:
    try:
        head, _, rows = (_root() / COMPILED).read_text(encoding="ascii").partition(_RULES)
        data = json.loads(f"{head}{_RULES}]}}")
        if data["format"] != _FORMAT or data["fields"] != list(_NAMES):
            return {}
        rules = list(map(_rule, rows[:-4].split(",\n")))
        return {(rule.pattern, rule.reach, rule.keywords, rule.view == "cased"): rule.clauses for rule in rules}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _rule(row: str) -> Rule:
    """A rule that is read from its row when it is needed."""
    rule = object.__new__(Rule)
    object.__setattr__(rule, "id", row[2 : row.index('"', 2)])
    object.__setattr__(rule, "_read", _reader(row))
    return rule


def _reader(row: str) -> Callable[[Rule], None]:
    def read(rule: Rule) -> None:
        for name, value in _fields(dict(zip(_NAMES, json.loads(row), strict=True))).items():
            object.__setattr__(rule, name, value)

    return read


def _fields(row: dict[str, Any]) -> dict[str, Any]:
    from inkgate.match.clause import Clause, Near

    row["category"] = Category(row["category"])
    row["severity"] = Severity(row["severity"])
    row["confidence"] = Confidence(row["confidence"])
    row["targets"] = frozenset(map(Target, row["targets"]))
    row["clauses"] = tuple(
        Clause._make([*map(_tuples, clause[:-1]), tuple(Near._make(map(_tuples, near)) for near in clause[-1])])
        for clause in row["clauses"]
    )
    for name in ("keywords", "references", "examples", "counterexamples", "checks"):
        row[name] = tuple(row[name])
    return row


def _tuples(value: Any) -> Any:  # noqa: ANN401 - the fields of a clause
    return tuple(value) if isinstance(value, list) else value
