"""Rules are data: what a rule says, and the set of those in use."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType

from inkgate.lean import TYPE_CHECKING, Any, dataclass, field
from inkgate.model import Category, Confidence, InkgateError, Severity, Target

if TYPE_CHECKING:
    from inkgate.match.clause import Clause
    from inkgate.match.index import Index

__all__ = ["Rule", "RuleError", "RuleSet", "assemble", "failure", "load_rules", "text_digest"]


class RuleError(InkgateError):
    """A rule pack cannot be used."""


class _Written:
    """A rule that is read from the fast form when anything but its id is asked for."""

    __slots__ = ("_row",)
    _row: tuple[bytes, int, int]

    def __getattr__(self, name: str) -> Any:
        if name == "_row":
            raise AttributeError(name)
        from inkgate.match.packs import read_row

        read_row(self, self._row)  # type: ignore[arg-type]
        return object.__getattribute__(self, name)


@dataclass(frozen=True, slots=True)
class Rule(_Written):
    """One rule of a pack.

    Attributes:
        id: kebab-case, unique over all packs, stable for ever.
        title: the finding's message: what was seen, in one clause.
        keywords: literals of the folded view; every match contains one of them. Empty for code rules.
        clauses: the ways to match, read from the pattern, with what they demand. Empty for code rules.
        keyed: whether a match counts only with a keyword within reach, as its beginning does not imply one.
        pattern: `regex` source, macros expanded and literals folded. Empty for code rules.
        reach: characters of the view; the longest match, and how far lookarounds see.
        view: `folded` (lower-cased) or `cased`.
        stance: whether use or mention is judged.
        value: named group that holds the secret, or empty.
        checks: tests that the value must pass, by name.
        detector: for code rules: the stage that makes the finding.
        pack: name of the pack.
    """

    id: str
    title: str
    category: Category
    severity: Severity
    confidence: Confidence
    targets: frozenset[Target]
    keywords: tuple[str, ...]
    clauses: tuple[Clause, ...]
    keyed: bool
    pattern: str
    reach: int
    view: str
    stance: bool
    why: str
    fix: str
    references: tuple[str, ...]
    since: str
    examples: tuple[str, ...]
    counterexamples: tuple[str, ...]
    value: str
    checks: tuple[str, ...]
    detector: str
    pack: str

    @property
    def lead(self) -> int:
        """Characters before a match that decide whether it is one: as far as its pattern looks behind for words."""
        return self.reach if "(?<=" in self.pattern else 0


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Every rule in use, and a digest that changes when any of them does.

    Attributes:
        rules: in the order of the packs.
        by_id: the same and those that are switched off, by id.
        digest: names the texts of the rules.
        index: where the anchors of the shipped rules are listed, when those were loaded from their fast form.
        engine: name of the engine that looks for anchors (see `engines`); empty: what the environment says.
        keep: whether what is compiled for an engine is kept in the user's cache folder: not for the gate.
    """

    rules: tuple[Rule, ...] = field(repr=False)
    by_id: Mapping[str, Rule] = field(repr=False)
    digest: str
    index: Index | None = field(default=None, repr=False, compare=False)
    engine: str = field(default="", repr=False, compare=False)
    keep: bool = field(default=False, repr=False, compare=False)
    _compiled: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def compiled(self, rule: Rule) -> Any:
        """The rule's compiled pattern; `regex` is imported here, at the first hit of any rule."""
        found = self._compiled.get(rule.id)
        if found is None:
            import regex

            found = regex.compile(rule.pattern, regex.MULTILINE)
            self._compiled[rule.id] = found
        return found

    def once(self, name: str, make: Any) -> Any:
        """A value derived from these rules, made on first use and kept (for instance the keyword automaton)."""
        with self._lock:
            if name not in self._compiled:
                self._compiled[name] = make(self)
            return self._compiled[name]


def failure(source: str, rule: str, name: str, problem: str) -> RuleError:
    """The error that says what is wrong where: file, rule and field, as far as they are known."""
    place = f"{source}: rule {rule!r}" if rule else source
    return RuleError(
        f"{place}: {name}: {problem}" if name else f"{place}: {problem}",
        hint="`inkgate rules check` tests every pack; docs/rules.md describes the format",
    )


def assemble(
    rules: Iterable[Rule],
    digest: str,
    *,
    disabled: frozenset[str] = frozenset(),
    index: Index | None = None,
    engine: str = "",
    keep: bool = False,
) -> RuleSet:
    """A rule set of loaded rules.

    Args:
        rules: of all packs, in order.
        digest: names the texts that they come from.
        disabled: ids of rules that are left out; they stay known by id.
        index: of the first of the rules.
        engine: see `RuleSet`.
        keep: see `RuleSet`.

    Raises:
        RuleError: two rules share an id, or `disabled` names an unknown rule.
    """
    every = tuple(rules)
    by_id: dict[str, Rule] = {}
    for rule in every:
        if rule.id in by_id:
            raise failure(rule.pack, rule.id, "id", f"is also a rule of {by_id[rule.id].pack}")
        by_id[rule.id] = rule
    for ident in sorted(disabled - by_id.keys()):
        raise RuleError(f"cannot switch off {ident!r}: no such rule", hint="`inkgate rules` lists them")
    name = digest[:16]
    if disabled:
        import hashlib

        name = hashlib.sha256("\0".join([digest, *sorted(disabled)]).encode()).hexdigest()[:16]
    used = tuple(rule for rule in every if rule.id not in disabled)
    return RuleSet(used, MappingProxyType(by_id), name, index, engine, keep)


def text_digest(packs: Iterable[tuple[str, str]]) -> str:
    """One name for a list of pack names and texts."""
    import hashlib

    digest = hashlib.sha256()
    for source, text in packs:
        digest.update(f"{len(source)}\0{source}\0{len(text)}\0{text}".encode())
    return digest.hexdigest()


@lru_cache(maxsize=8)
def load_rules(
    extra: tuple[str, ...] = (), disabled: frozenset[str] = frozenset(), *, engine: str = "", keep: bool = False
) -> RuleSet:
    """The shipped packs, then those named in `extra` (paths of TOML files), without the `disabled` rules.

    Args:
        extra: paths of TOML files.
        disabled: ids of rules.
        engine: what looks for their anchors, `auto`, `ahocorasick` or `hyperscan`; empty: what `INKGATE_ENGINE` says.
        keep: whether what is compiled for an engine is kept in the user's cache folder: not for the gate.

    Raises:
        RuleError: a pack cannot be read or is wrong.
        EngineError: there is no such engine, or it is not installed.
    """
    from inkgate.match import packs as shipped
    from inkgate.match.engines import choose

    engine = choose(engine)

    data = shipped.contents()
    own: list[tuple[str, str]] = []
    for name in extra:
        try:
            own.append((name, Path(name).read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError) as error:
            raise RuleError(f"{name}: cannot be read: {error}") from error
    fast = shipped.compiled(data)
    rules = list(fast.rules) if fast else shipped.parsed(data)
    digest = fast.digest if fast else text_digest(shipped.decoded(data))
    if own:
        from inkgate.match.parse import parse_packs

        common = [pack for pack in shipped.decoded(data) if pack[0] == "common.toml"]
        rules += parse_packs([*common, *own])
        digest = text_digest([("", digest), *own])
    index = fast.anchors if fast else None
    return assemble(rules, digest, disabled=disabled, index=index, engine=engine, keep=keep)
