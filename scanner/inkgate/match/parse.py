"""From the text of a pack to rules. A mistake names the file, the rule and the field."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from inkgate.match.clause import Clause
from inkgate.match.clauses import clauses
from inkgate.match.literals import start_set
from inkgate.match.pattern import PatternError, bare_keyword, expand, keyword_variants, keywords_of
from inkgate.match.rules import Rule, RuleSet, assemble, failure, text_digest
from inkgate.model import Category, Confidence, Severity, Target

__all__ = ["MAX_REACH", "Key", "build", "parse_pack", "parse_packs"]

MAX_REACH = 4096
"""Characters: no rule may look further than this around a keyword, so that memory and time stay bounded."""

Key = tuple[str, int, tuple[str, ...], bool]
"""What the clauses of a rule are read from: pattern, reach, keywords, and whether the text keeps its case."""

VIEWS = ("folded", "cased")
DETECTORS = ("hidden", "integrity", "lint", "skill", "budget", "score", "learned", "tiers")

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


def _member(kind: Any, word: object, source: str, rule: str, name: str) -> Any:  # noqa: ANN401 - any enumeration
    for item in kind:
        if str(item) == word:
            return item
    raise failure(source, rule, name, f"{word!r} is none of {', '.join(map(str, kind))}")


def _strings(data: Mapping[str, Any], name: str, source: str, rule: str) -> tuple[str, ...]:
    items = data.get(name, [])
    for item in items:
        if not isinstance(item, str) or not item:
            raise failure(source, rule, name, "must be a list of non-empty strings")
    return tuple(items)


def _check_fields(data: Mapping[str, Any], source: str) -> str:
    ident = data.get("id")
    if not isinstance(ident, str) or not all(part.isalnum() and part == part.lower() for part in ident.split("-")):
        raise failure(source, str(ident or "?"), "id", "must be kebab-case letters and digits")
    for name, value in data.items():
        if name not in _FIELDS:
            import difflib

            near = difflib.get_close_matches(name, _FIELDS, 1)
            raise failure(source, ident, name, "unknown field" + (f"; did you mean {near[0]!r}?" if near else ""))
        if type(value) is not _FIELDS[name]:  # exactly: true is not a number here
            raise failure(source, ident, name, f"must be of type {_FIELDS[name].__name__}")
    for name in _REQUIRED:
        if not data.get(name):
            raise failure(source, ident, name, "is required")
    return ident


def _matching(
    data: Mapping[str, Any], ident: str, classes: Mapping[str, Sequence[str]], source: str
) -> tuple[tuple[str, ...], str, int, str]:
    view = data.get("view", "folded")
    if view not in VIEWS:
        raise failure(source, ident, "view", f"{view!r} is none of {', '.join(VIEWS)}")
    for name in ("pattern", "reach", "examples"):
        if not data.get(name):
            raise failure(source, ident, name, "is required")
    reach = data["reach"]
    if not 1 <= reach <= MAX_REACH:
        raise failure(source, ident, "reach", f"must be between 1 and {MAX_REACH} characters")
    try:
        pattern = expand(data["pattern"], classes, folded=view == "folded")
    except PatternError as error:
        raise failure(source, ident, "pattern", str(error)) from error
    words: set[str] = set()
    try:
        for entry in _strings(data, "keywords", source, ident):
            for keyword in keywords_of(entry, classes):
                words |= keyword_variants(bare_keyword(keyword) if view == "folded" else keyword)
    except PatternError as error:
        raise failure(source, ident, "keywords", str(error)) from error
    words = words or set(start_set(pattern))
    if not words:
        raise failure(source, ident, "keywords", "is required, since the pattern does not begin with plain words")
    # A keyword that contains another one of the same rule adds nothing.
    kept = tuple(sorted(w for w in words if not any(o != w and o in w for o in words)))
    return kept, pattern, reach, view


def _cues(data: Mapping[str, Any], ident: str, source: str) -> tuple[str, ...]:
    """The words at which the learned judge looks, folded; what begins with another of them is left out."""
    words = sorted(set().union(*map(keyword_variants, _strings(data, "keywords", source, ident))))
    if not words:
        raise failure(source, ident, "keywords", "is required")
    kept: list[str] = []
    for word in words:
        if not kept or not word.startswith(kept[-1]):
            kept.append(word)
    return tuple(kept)


def _rule(
    data: Mapping[str, Any],
    classes: Mapping[str, Sequence[str]],
    source: str,
    pack: str,
    known: Mapping[Key, tuple[Clause, ...]],
) -> Rule:
    ident = _check_fields(data, source)
    detector = data.get("detector", "")
    keywords: tuple[str, ...]
    if detector:
        if detector not in DETECTORS:
            raise failure(source, ident, "detector", f"{detector!r} is none of {', '.join(DETECTORS)}")
        cued = detector == "learned"
        for name in ("pattern", "reach") if cued else ("keywords", "pattern", "reach"):
            if name in data:
                raise failure(source, ident, name, "does not go with a detector")
        keywords, pattern, reach, view = _cues(data, ident, source) if cued else (), "", 0, "raw"
    else:
        keywords, pattern, reach, view = _matching(data, ident, classes, source)
    category = _member(Category, data["category"], source, ident, "category")
    secret = category is Category.SECRET
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
        clauses=_clauses((pattern, reach, keywords, view == "cased"), known) if pattern else (),
        keyed=bool(pattern) and not _implied(keywords, pattern),
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


def _clauses(key: Key, known: Mapping[Key, tuple[Clause, ...]]) -> tuple[Clause, ...]:
    if key in known:
        return known[key]
    return clauses(*key[:3], cased=key[3])


def _implied(keywords: tuple[str, ...], pattern: str) -> bool:
    """Whether a keyword is in all that a match can begin with."""
    starts = start_set(pattern)
    return bool(starts) and all(any(keyword in start for keyword in keywords) for start in starts)


def parse_pack(
    text: str,
    source: str,
    *,
    shared: Mapping[str, Sequence[str]] | None = None,
    known: Mapping[Key, tuple[Clause, ...]] | None = None,
) -> tuple[tuple[Rule, ...], Mapping[str, Sequence[str]]]:
    """The rules of one TOML pack and its word lists.

    Args:
        text: the pack.
        source: its name, for messages.
        shared: word lists of other packs that this one may use.
        known: what was read from patterns before.

    Raises:
        RuleError: with file, rule and field, whatever is wrong.
    """
    import tomllib

    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise failure(source, "", "", f"not valid TOML: {error}") from error
    for name in data:
        if name not in ("pack", "classes", "rule"):
            raise failure(source, "", name, "unknown table; a pack has [pack], [classes] and [[rule]]")
    classes: dict[str, Sequence[str]] = dict(shared or {})
    for name, items in data.get("classes", {}).items():
        if not isinstance(items, list) or not items or not all(isinstance(item, str) and item for item in items):
            raise failure(source, "", f"classes.{name}", "must be a list of non-empty strings")
        classes[name] = items
    pack = str(data.get("pack", {}).get("name", source))
    rules = tuple(_rule(item, classes, source, pack, known or {}) for item in data.get("rule", []))
    return rules, classes


def parse_packs(packs: Iterable[tuple[str, str]], known: Mapping[Key, tuple[Clause, ...]] | None = None) -> list[Rule]:
    """The rules of several packs; the word lists of one called `common.toml` serve all behind it.

    Args:
        packs: names and texts.
        known: what was read from patterns before; reading one takes ten milliseconds.

    Raises:
        RuleError: a pack is wrong.
    """
    rules: list[Rule] = []
    shared: dict[str, Sequence[str]] = {}
    for source, text in packs:
        found, classes = parse_pack(text, source, shared=shared, known=known)
        if source.rpartition("/")[2] == "common.toml":
            shared.update(classes)
        rules += found
    return rules


def build(packs: Iterable[tuple[str, str]], *, disabled: frozenset[str] = frozenset()) -> RuleSet:
    """A rule set from named pack texts.

    Raises:
        RuleError: a pack is wrong, two rules share an id, or `disabled` names an unknown rule.
    """
    every = list(packs)
    return assemble(parse_packs(every), text_digest(every), disabled=disabled)
