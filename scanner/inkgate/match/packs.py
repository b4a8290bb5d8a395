"""The shipped packs: their texts, and the same rules in a form that loads fast.

Reading patterns for their conditions takes seconds; a hook has a tenth of one. `tools/build_packs.py` therefore
writes the loaded rules beside the packs: a line with the index of their anchors, then each rule on a line of its own,
which is read when the rule is needed. The file names the texts that it was made from; when they differ from the ones
that are there (an edited pack), it is not used and the packs are read.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Sequence
from itertools import accumulate, repeat

from inkgate.lean import TYPE_CHECKING, Any, NamedTuple, fields
from inkgate.match.index import Anchors, Index, make_index
from inkgate.match.rules import Rule, RuleError, text_digest
from inkgate.model import Category, Confidence, Severity, Target

if TYPE_CHECKING:
    from inkgate.match.clause import Clause
    from inkgate.match.parse import Key

__all__ = ["COMPILED", "Compiled", "compiled", "contents", "decoded", "dump", "parsed", "read_row", "texts"]

COMPILED = "compiled.json"
_FORMAT = 8
_NAMES = tuple(item.name for item in fields(Rule))


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


def _root() -> str:
    import inkgate.patterns as package

    return os.path.dirname(package.__file__ or "")


def contents() -> list[tuple[str, bytes]]:
    """Name and bytes of every pack of the package, in order of name; `common.toml` (word lists) first.

    Raises:
        RuleError: there are none.
    """
    root = _root()
    names = [*_packs(root), *(f"{name}/{each}" for name in _folders(root) for each in _packs(f"{root}/{name}"))]
    names.sort(key=lambda name: (name != "common.toml", name))
    if not names:
        raise RuleError(f"no rule packs in {root}", hint="the installation is damaged: install inkgate again")
    return [(name, _bytes(f"{root}/{name}")) for name in names]


def _packs(folder: str) -> list[str]:
    return [name for name in os.listdir(folder) if name.endswith(".toml")]


def _folders(folder: str) -> list[str]:
    with os.scandir(folder) as entries:
        return [entry.name for entry in entries if entry.is_dir()]


def _bytes(path: str) -> bytes:
    with open(path, "rb", buffering=0) as file:
        return file.readall()


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
        plain = data.replace(b"\r\n", b"\n") if b"\r" in data else data
        total = zlib.crc32(plain, zlib.crc32(f"{len(name)} {name} {len(plain)} ".encode(), total))
    return total


def dump(packs: Sequence[tuple[str, str]], rules: Sequence[Rule]) -> str:
    """The text of the fast form."""
    index = make_index(rules)
    lines = [json.dumps([_plain(getattr(rule, name)) for name in _NAMES]) for rule in rules]
    head = {
        "format": _FORMAT,
        "fields": _NAMES,
        "checksum": _checksum([(name, text.encode()) for name, text in packs]),
        "digest": text_digest(packs),
        "rules": " ".join(rule.id for rule in rules),
        "ends": list(accumulate(len(line) + 1 for line in lines)),
        "plain": _packed(index.plain),
        "tokens": _packed(index.tokens),
        "index": [index.units, index.targets, index.cues, index.reach, index.ahead],
    }
    return "".join(f"{line}\n" for line in (json.dumps(head), *lines))


def _packed(anchors: Anchors) -> list[Any]:
    """Anchors as they are written: one string is read far faster than a list of thousands, and one without escapes
    faster still."""
    heads, firsts = zip(*anchors.heads, strict=True) if anchors.heads else ((), ())
    lists = [",".join(each) for each in (anchors.words, anchors.users, heads)]
    return [*lists, firsts, anchors.targets, anchors.marked, anchors.bare]


def _unpacked(data: Sequence[Any]) -> Anchors:
    words, users, heads, firsts, targets, marked, bare = data
    lists = words.split(","), users.split(","), targets, list(zip(heads.split(","), firsts, strict=True))
    return Anchors(*lists, {word: [(each[0], each[1], each[2]) for each in marked[word]] for word in marked}, bare)


def _plain(value: Any) -> Any:
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
        head, rules = _fast_form()
        if head["checksum"] != _checksum(packs):
            return None
        units, targets, cues, reach, ahead = head["index"]
        index = Index(units, targets, _unpacked(head["plain"]), _unpacked(head["tokens"]), cues, reach, ahead)
        return Compiled(rules, index, head["digest"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _fast_form() -> tuple[dict[str, Any], tuple[Rule, ...]]:
    """What the first line of the fast form says, and the rules of the other lines.

    Raises:
        ValueError: it is damaged, or of another version.
        OSError: it cannot be read.
    """
    data = _bytes(f"{_root()}/{COMPILED}")
    first = data.find(b"\n") + 1
    head = json.loads(data[:first])
    if head["format"] != _FORMAT or head["fields"] != list(_NAMES):
        raise ValueError("of another version")
    names, ends = head["rules"].split(), head["ends"]
    if len(names) != len(ends) or len(data) != first + ends[-1]:
        raise ValueError("cut off")
    return head, tuple(map(_rule, names, repeat(data), repeat(first), [0, *ends], ends))


def parsed(packs: Sequence[tuple[str, bytes]]) -> list[Rule]:
    """The rules of edited packs, with what the fast form says of the patterns that are still the same.

    Raises:
        RuleError: a pack is wrong.
    """
    from inkgate.match.parse import parse_packs

    return parse_packs(decoded(packs), _remembered())


def _remembered() -> dict[Key, tuple[Clause, ...]]:
    try:
        _, rules = _fast_form()
        return {(rule.pattern, rule.reach, rule.keywords, rule.view == "cased"): rule.clauses for rule in rules}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def _rule(ident: str, data: bytes, first: int, start: int, end: int) -> Rule:
    """A rule that is read from its line when it is needed."""
    rule = object.__new__(Rule)
    _set(rule, "id", ident)
    _set(rule, "_row", (data, first + start, first + end))
    return rule


_set = object.__setattr__


def read_row(rule: Rule, row: tuple[bytes, int, int]) -> None:
    """Set the fields of a rule from its line in the fast form: the bytes of that, and from where to where."""
    data, start, end = row
    for name, value in _fields(dict(zip(_NAMES, json.loads(data[start:end]), strict=True))).items():
        _set(rule, name, value)


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


def _tuples(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value
