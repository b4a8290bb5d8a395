"""Rules are data: TOML packs, loaded and validated at start. A mistake names the file, the rule and the field."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from inkgate.match.literals import required_sets, start_set
from inkgate.match.pattern import PatternError, bare_keyword, expand, keyword_variants, keywords_of
from inkgate.model import Category, Confidence, InkgateError, Severity, Target

__all__ = ["MAX_REACH", "Rule", "RuleError", "RuleSet", "load_rules", "parse_pack"]

MAX_REACH = 4096
"""Characters: no rule may look further than this around a keyword, so that memory and time stay bounded."""

VIEWS = ("folded", "cased")
DETECTORS = ("hidden", "integrity", "lint", "skill", "budget", "score", "learned")

_FIELDS: Mapping[str, type] = MappingProxyType(
    {
        "id": str,
        "title": str,
        "category": str,
        "severity": str,
        "confidence": str,
        "targets": list,
        "keywords": list,
        "pattern": str,
        "reach": int,
        "view": str,
        "stance": bool,
        "why": str,
        "fix": str,
        "references": list,
        "since": str,
        "examples": list,
        "counterexamples": list,
        "value": str,
        "checks": list,
        "detector": str,
    }
)
_REQUIRED = ("id", "title", "category", "severity", "confidence", "why", "fix", "since")


class RuleError(InkgateError):
    """A rule pack cannot be used."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of a pack.

    Attributes:
        id: kebab-case, unique over all packs, stable for ever.
        title: the finding's message: what was seen, in one clause.
        keywords: literals of the folded view; every match contains one of them. Empty for code rules.
        starts: literals, read from the pattern; every match begins with one of them. Empty when there are none.
        requires: further sets of literals, read from the pattern; every match contains one of each set too.
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
    starts: frozenset[str]
    requires: tuple[frozenset[str], ...]
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


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Every rule in use, and a digest that changes when any of them does."""

    rules: tuple[Rule, ...] = field(repr=False)
    by_id: Mapping[str, Rule] = field(repr=False)
    digest: str
    _compiled: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def compiled(self, rule: Rule) -> Any:  # noqa: ANN401 - `regex` has no types
        """The rule's compiled pattern; `regex` is imported here, at the first hit of any rule."""
        found = self._compiled.get(rule.id)
        if found is None:
            import regex

            found = regex.compile(rule.pattern, regex.MULTILINE)
            self._compiled[rule.id] = found
        return found

    def once(self, name: str, make: Any) -> Any:  # noqa: ANN401 - a cache of differently typed values
        """A value derived from these rules, made on first use and kept (for instance the keyword automaton)."""
        with self._lock:
            if name not in self._compiled:
                self._compiled[name] = make(self)
            return self._compiled[name]


def _fail(source: str, rule: str, name: str, problem: str) -> RuleError:
    place = f"{source}: rule {rule!r}" if rule else source
    return RuleError(
        f"{place}: {name}: {problem}" if name else f"{place}: {problem}",
        hint="`inkgate rules check` tests every pack; docs/rules.md describes the format",
    )


def _member(kind: Any, word: object, source: str, rule: str, name: str) -> Any:  # noqa: ANN401 - any enumeration
    for item in kind:
        if str(item) == word:
            return item
    raise _fail(source, rule, name, f"{word!r} is none of {', '.join(map(str, kind))}")


def _strings(data: Mapping[str, Any], name: str, source: str, rule: str) -> tuple[str, ...]:
    items = data.get(name, [])
    for item in items:
        if not isinstance(item, str) or not item:
            raise _fail(source, rule, name, "must be a list of non-empty strings")
    return tuple(items)


def _check_fields(data: Mapping[str, Any], source: str) -> str:
    ident = data.get("id")
    if not isinstance(ident, str) or not all(part.isalnum() and part == part.lower() for part in ident.split("-")):
        raise _fail(source, str(ident or "?"), "id", "must be kebab-case letters and digits")
    for name, value in data.items():
        if name not in _FIELDS:
            import difflib

            near = difflib.get_close_matches(name, _FIELDS, 1)
            raise _fail(source, ident, name, "unknown field" + (f"; did you mean {near[0]!r}?" if near else ""))
        if type(value) is not _FIELDS[name]:  # exactly: true is not a number here
            raise _fail(source, ident, name, f"must be of type {_FIELDS[name].__name__}")
    for name in _REQUIRED:
        if not data.get(name):
            raise _fail(source, ident, name, "is required")
    return ident


def _matching(
    data: Mapping[str, Any], ident: str, classes: Mapping[str, Sequence[str]], source: str
) -> tuple[tuple[str, ...], str, int, str]:
    view = data.get("view", "folded")
    if view not in VIEWS:
        raise _fail(source, ident, "view", f"{view!r} is none of {', '.join(VIEWS)}")
    for name in ("pattern", "reach", "examples"):
        if not data.get(name):
            raise _fail(source, ident, name, "is required")
    reach = data["reach"]
    if not 1 <= reach <= MAX_REACH:
        raise _fail(source, ident, "reach", f"must be between 1 and {MAX_REACH} characters")
    try:
        pattern = expand(data["pattern"], classes, folded=view == "folded")
    except PatternError as error:
        raise _fail(source, ident, "pattern", str(error)) from error
    words: set[str] = set()
    try:
        for entry in _strings(data, "keywords", source, ident):
            for keyword in keywords_of(entry, classes):
                words |= keyword_variants(bare_keyword(keyword) if view == "folded" else keyword)
    except PatternError as error:
        raise _fail(source, ident, "keywords", str(error)) from error
    words = words or set(start_set(pattern))
    if not words:
        raise _fail(source, ident, "keywords", "is required, since the pattern does not begin with plain words")
    # A keyword that contains another one of the same rule adds nothing.
    kept = tuple(sorted(w for w in words if not any(o != w and o in w for o in words)))
    return kept, pattern, reach, view


def _cues(data: Mapping[str, Any], ident: str, source: str) -> tuple[str, ...]:
    """The words at which the learned judge looks, folded; what begins with another of them is left out."""
    words = sorted(set().union(*map(keyword_variants, _strings(data, "keywords", source, ident))))
    if not words:
        raise _fail(source, ident, "keywords", "is required")
    kept: list[str] = []
    for word in words:
        if not kept or not word.startswith(kept[-1]):
            kept.append(word)
    return tuple(kept)


def _rule(data: Mapping[str, Any], classes: Mapping[str, Sequence[str]], source: str, pack: str) -> Rule:
    ident = _check_fields(data, source)
    detector = data.get("detector", "")
    keywords: tuple[str, ...]
    if detector:
        if detector not in DETECTORS:
            raise _fail(source, ident, "detector", f"{detector!r} is none of {', '.join(DETECTORS)}")
        cued = detector == "learned"
        for name in ("pattern", "reach") if cued else ("keywords", "pattern", "reach"):
            if name in data:
                raise _fail(source, ident, name, "does not go with a detector")
        keywords, pattern, reach, view = _cues(data, ident, source) if cued else (), "", 0, "raw"
    else:
        keywords, pattern, reach, view = _matching(data, ident, classes, source)
    category = _member(Category, data["category"], source, ident, "category")
    secret = category is Category.SECRET
    starts, requires = _conditions(keywords, pattern, further=not secret)
    targets = data.get("targets")
    return Rule(
        id=ident,
        title=data["title"],
        category=category,
        severity=_member(Severity, data["severity"], source, ident, "severity"),
        confidence=_member(Confidence, data["confidence"], source, ident, "confidence"),
        targets=frozenset(
            Target if targets is None else (_member(Target, t, source, ident, "targets") for t in targets)
        ),
        keywords=keywords,
        starts=starts,
        requires=requires,
        pattern=pattern,
        reach=reach,
        view=view,
        stance=bool(data.get("stance", not detector and not secret)),
        why=data["why"],
        fix=data["fix"],
        references=_strings(data, "references", source, ident),
        since=data["since"],
        examples=_strings(data, "examples", source, ident),
        counterexamples=_strings(data, "counterexamples", source, ident),
        value=data.get("value", ""),
        checks=_strings(data, "checks", source, ident),
        detector=detector,
        pack=pack,
    )


_MOST_REQUIRED = 3
_MOSTLY = 0.5


def _conditions(
    keywords: tuple[str, ...], pattern: str, *, further: bool = True
) -> tuple[frozenset[str], tuple[frozenset[str], ...]]:
    """Where matches begin, and what else they contain: conditions that no other one of the rule implies.

    Rules of secrets share their further words (key, token, secret): each such word would be noted for all of them, which
    costs more than the tries that it spares. For those `further` is False.
    """
    if not pattern:
        return frozenset(), ()
    starts, words = start_set(pattern), frozenset(keywords)
    known: list[frozenset[str]] = [starts or words]
    if starts and _share(words, starts) < 1:
        known.append(words)
    options = required_sets(pattern) if further else []
    # The rarest first, as far as length tells.
    options.sort(key=lambda option: (len(option) * 4.0 ** -min(map(len, option)), sorted(option)))
    for option in options:
        if len(known) <= _MOST_REQUIRED and not any(_related(option, other) for other in known):
            known.append(option)
    return starts, tuple(known[1:])


def _related(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether one condition holds, for the most part, wherever the other one does."""
    return _share(one, other) > _MOSTLY or _share(other, one) > _MOSTLY


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    """For how many literals of `other` a hit is one on `one` as well, from 0 to 1."""
    return sum(any(word in literal for word in one) for literal in other) / len(other)


def parse_pack(
    text: str, source: str, *, shared: Mapping[str, Sequence[str]] | None = None
) -> tuple[tuple[Rule, ...], Mapping[str, Sequence[str]]]:
    """The rules of one TOML pack and its word lists.

    Args:
        text: the pack.
        source: its name, for messages.
        shared: word lists of other packs that this one may use.

    Raises:
        RuleError: with file, rule and field, whatever is wrong.
    """
    import tomllib

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _fail(source, "", "", f"not valid TOML: {error}") from error
    for name in data:
        if name not in ("pack", "classes", "rule"):
            raise _fail(source, "", name, "unknown table; a pack has [pack], [classes] and [[rule]]")
    classes: dict[str, Sequence[str]] = dict(shared or {})
    for name, items in data.get("classes", {}).items():
        if not isinstance(items, list) or not items or not all(isinstance(item, str) and item for item in items):
            raise _fail(source, "", f"classes.{name}", "must be a list of non-empty strings")
        classes[name] = items
    pack = str(data.get("pack", {}).get("name", source))
    rules = tuple(_rule(item, classes, source, pack) for item in data.get("rule", []))
    return rules, classes


def assemble(rules: Iterable[Rule], digest: str, *, disabled: frozenset[str] = frozenset()) -> RuleSet:
    """A rule set of loaded rules.

    Args:
        rules: of all packs, in order.
        digest: names the texts that they come from.
        disabled: ids of rules that are left out; they stay known by id.

    Raises:
        RuleError: two rules share an id, or `disabled` names an unknown rule.
    """
    every = tuple(rules)
    by_id: dict[str, Rule] = {}
    for rule in every:
        if rule.id in by_id:
            raise _fail(rule.pack, rule.id, "id", f"is also a rule of {by_id[rule.id].pack}")
        by_id[rule.id] = rule
    for ident in sorted(disabled - by_id.keys()):
        raise RuleError(f"cannot switch off {ident!r}: no such rule", hint="`inkgate rules` lists them")
    name = hashlib.sha256("\0".join([digest, *sorted(disabled)]).encode()).hexdigest()[:16]
    return RuleSet(tuple(rule for rule in every if rule.id not in disabled), MappingProxyType(by_id), name)


def text_digest(packs: Iterable[tuple[str, str]]) -> str:
    """One name for a list of pack names and texts."""
    digest = hashlib.sha256()
    for source, text in packs:
        digest.update(f"{len(source)}\0{source}\0{len(text)}\0{text}".encode())
    return digest.hexdigest()


def parse_packs(packs: Iterable[tuple[str, str]], shared: Mapping[str, Sequence[str]] | None = None) -> list[Rule]:
    """The rules of several packs; the word lists of one called `common.toml` serve all behind it.

    Raises:
        RuleError: a pack is wrong.
    """
    rules: list[Rule] = []
    known = dict(shared or {})
    for source, text in packs:
        found, classes = parse_pack(text, source, shared=known)
        if source.rpartition("/")[2] == "common.toml":
            known.update(classes)
        rules += found
    return rules


def build(packs: Iterable[tuple[str, str]], *, disabled: frozenset[str] = frozenset()) -> RuleSet:
    """A rule set from named pack texts.

    Raises:
        RuleError: a pack is wrong, two rules share an id, or `disabled` names an unknown rule.
    """
    every = list(packs)
    return assemble(parse_packs(every), text_digest(every), disabled=disabled)


@lru_cache(maxsize=8)
def load_rules(extra: tuple[str, ...] = (), disabled: frozenset[str] = frozenset()) -> RuleSet:
    """The shipped packs, then those named in `extra` (paths of TOML files), without the `disabled` rules.

    Raises:
        RuleError: a pack cannot be read or is wrong.
    """
    from inkgate.match import packs as shipped

    texts = shipped.texts()
    own: list[tuple[str, str]] = []
    for name in extra:
        try:
            own.append((name, Path(name).read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError) as error:
            raise RuleError(f"{name}: cannot be read: {error}") from error
    rules = list(shipped.compiled(texts) or parse_packs(texts))
    if own:
        common = [pack for pack in texts if pack[0] == "common.toml"]
        rules += parse_packs([*common, *own])
    return assemble(rules, text_digest([*texts, *own]), disabled=disabled)
