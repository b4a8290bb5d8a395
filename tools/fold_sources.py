"""Readers of the public data that the fold table is made from: Unicode files and `confusable-homoglyphs`."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["Sources", "enclosed_letter", "load_package", "load_sources", "plain_letter"]

_ALNUM = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
_INTERLINEAR = range(0xFFF9, 0xFFFC)  # invisible format controls that are not Default_Ignorable
_C1 = range(0x80, 0xA0)  # control characters that print nothing

# Styles that are read through whatever they decompose to: "(a)" is taken for a.
_ENCLOSED = re.compile(
    r"(?:NEGATIVE |CROSSED NEGATIVE )?(?:PARENTHESIZED|CIRCLED|SQUARED|OUTLINED) LATIN (CAPITAL|SMALL) LETTER ([A-Z])"
    r"|REGIONAL INDICATOR SYMBOL (LETTER) ([A-Z])"
)
_WORD = re.compile(r"(?:NEGATIVE )?SQUARED (AB|CL|COOL|FREE|ID|NEW|NG|OK|SOS|VS|IC|PA|SA|WC)")
_KINDS = (
    "TURNED|REVERSED|SIDEWAYS|INVERTED|DOTLESS|INSULAR|CLOSED|OPEN|BARRED|STRETCHED|BLACKLETTER|BLACK-LETTER|SCRIPT|LENIS"
    "|HALF|ANGLICANA|BROKEN|TOP HALF|BOTTOM HALF|EPIGRAPHIC|LONG-LEGGED|STRAIGHT|CAPITAL|SMALL|MIDDLE SCOTS"
)
_PLAIN = re.compile(
    rf"(?:LATIN|MODIFIER)(?: SUBSCRIPT)?(?: CAPITAL| SMALL)? LETTER (?:(?:{_KINDS}) )*([A-Z])"
    r"(?: ROTUNDA)?(?: (?:WITH|BELOW) .*)?"
)
_DIGIT = re.compile(r"(?:DINGBAT )?(?:NEGATIVE |DOUBLE )?CIRCLED (?:SANS-SERIF )?(?:DIGIT|NUMBER) .*")


def enclosed_letter(name: str) -> str | None:
    """The letters that an enclosed, outlined or regional-indicator character shows, in the case that its name says."""
    if word := _WORD.fullmatch(name):
        return word[1].lower()
    match = _ENCLOSED.fullmatch(name)
    if not match:
        return None
    return match[2].lower() if match[1] == "SMALL" else match[2] or match[4]


def plain_letter(name: str) -> str | None:
    """The letter that a character is a variant of by its name, as in LATIN SMALL LETTER A WITH STROKE."""
    match = _PLAIN.fullmatch(name)
    return match[1].lower() if match else None


@dataclass(slots=True)
class Sources:
    """The character properties and look-alike tables, by character."""

    version: str
    package: str
    records: dict[int, list[str]]
    ranges: list[tuple[int, int, list[str]]]
    ignorable: set[int]
    scripts: dict[int, str]
    tables: list[dict[str, str]]
    names: dict[str, str] = field(default_factory=dict)

    def _record(self, char: str) -> list[str] | None:
        record = self.records.get(ord(char))
        if record is None:
            return next((r for first, last, r in self.ranges if first <= ord(char) <= last), None)
        return record

    def codes(self) -> Iterator[int]:
        """Every code point that can fold to something else, in order; a dropped one may be unassigned."""
        yield from sorted({c for c in self.records if c > 0x7F} | {c for c in self.ignorable if c > 0x7F})

    def name(self, char: str) -> str:
        """The Unicode name, '' when there is none."""
        record = self._record(char)
        return record[1] if record else ""

    def category(self, char: str) -> str:
        """The general category, Cn for an unassigned code point."""
        record = self._record(char)
        return record[2] if record else "Cn"

    def dropped(self, char: str) -> bool:
        """Whether a match view leaves the character out: marks, default-ignorables, invisible controls."""
        code = ord(char)
        record = self._record(char)
        if code in self.ignorable or code in _INTERLINEAR or (code in _C1 and code != 0x85):
            return True
        return record is not None and (record[3] != "0" or record[2] == "Me")

    def digit(self, char: str) -> int:
        """The value of a decimal digit (Nd)."""
        record = self._record(char)
        if record is None:
            raise ValueError(f"U+{ord(char):04X} is not a digit")
        return int(record[6])

    def script(self, char: str) -> str:
        """The Script property, Unknown where the file does not say."""
        return self.scripts.get(ord(char), "Unknown")

    def lower(self, char: str) -> str:
        """The simple lower-case mapping."""
        record = self._record(char)
        return chr(int(record[13], 16)) if record and record[13] else char

    def upper(self, char: str) -> str:
        """The simple upper-case mapping."""
        record = self._record(char)
        return chr(int(record[12], 16)) if record and record[12] else char

    def decompose(self, char: str) -> str:
        """The full compatibility decomposition (NFKD) of one character, without the order of its marks."""
        record = self._record(char)
        if not record or not record[5]:
            value = record[8] if record and _DIGIT.fullmatch(record[1]) else ""
            return value if value.isdecimal() else char
        parts = record[5].split("> ")[-1].split()
        return "".join(self.decompose(chr(int(part, 16))) for part in parts)

    def prototypes(self, char: str) -> Iterator[str]:
        """What the look-alike tables say, the newest first."""
        for table in self.tables:
            if char in table:
                yield table[char]

    def plain_variant(self, char: str) -> str | None:
        """The letter that a Cyrillic, Greek or Coptic letter is a variant of: CYRILLIC SMALL LETTER KA WITH HOOK."""
        name = self.name(char)
        if self.script(char) not in ("Cyrillic", "Greek") or " WITH " not in name:
            return None
        return self.names.get(name.split(" WITH ")[0])


def load_sources(folder: Path) -> Sources:
    """Read all sources. Raises FileNotFoundError for a missing Unicode file or package."""
    records: dict[int, list[str]] = {}
    ranges: list[tuple[int, int, list[str]]] = []
    first = 0
    for line in (folder / "UnicodeData.txt").read_text(encoding="ascii").splitlines():
        row = line.split(";")
        code = int(row[0], 16)
        if row[1].endswith(", First>"):
            first = code
        elif row[1].endswith(", Last>"):
            ranges.append((first, code, ["", "", *row[2:]]))
        else:
            records[code] = row
    properties = (folder / "DerivedCoreProperties.txt").read_text(encoding="utf-8")
    version = re.match(r"# DerivedCoreProperties-([\d.]+)\.txt", properties)
    ignorable = {c for c, value in _property(properties) if value == "Default_Ignorable_Code_Point"}
    package, graph = load_package()
    sources = Sources(
        version=version[1] if version else "unknown",
        package=package,
        records=records,
        ranges=ranges,
        ignorable=ignorable,
        scripts=dict(_property((folder / "Scripts.txt").read_text(encoding="utf-8"))),
        tables=[_confusables(folder / f"confusables-{v}.txt") for v in ("18.0", "17.0")] + [_reached(graph)],
        names={row[1]: chr(code) for code, row in records.items()},
    )
    _add_newer(sources)
    return sources


def _add_newer(sources: Sources) -> None:
    """Add the characters that `unicodedata2` knows and UnicodeData.txt does not; case and script go by their names."""
    import unicodedata2

    if tuple(map(int, unicodedata2.unidata_version.split("."))) <= tuple(map(int, sources.version.split("."))):
        return
    sources.version = unicodedata2.unidata_version
    fresh = []
    for code in range(0x80, 0x110000):
        char = chr(code)
        category = unicodedata2.category(char)
        if category in ("Cn", "Co", "Cs") or sources.category(char) != "Cn":
            continue
        name = unicodedata2.name(char, "")
        digit = str(unicodedata2.digit(char, ""))
        row = [f"{code:04X}", name, category, str(unicodedata2.combining(char)), "", unicodedata2.decomposition(char)]
        sources.records[code] = [*row, str(unicodedata2.decimal(char, "")), digit, digit, "", "", "", "", "", ""]
        sources.names[name] = char
        sources.scripts[code] = name.partition(" ")[0].capitalize()
        fresh.append(code)
    for code in fresh:
        name = sources.records[code][1]
        other = sources.names.get(name.replace(" CAPITAL ", " SMALL "), "")
        if " CAPITAL " in name and other:
            sources.records[code][13] = f"{ord(other):04X}"
            sources.records[ord(other)][12] = sources.records[ord(other)][12] or f"{code:04X}"


def _property(text: str) -> Iterator[tuple[int, str]]:
    """Rows of a UCD property file, one per code point."""
    for line in text.splitlines():
        fields = line.partition("#")[0].split(";")
        if len(fields) >= 2:
            first, _, last = fields[0].strip().partition("..")
            for code in range(int(first, 16), int(last or first, 16) + 1):
                yield code, fields[1].strip()


def _confusables(path: Path) -> dict[str, str]:
    """Source character to prototype of a confusables.txt."""
    table = {}
    for line in path.read_text(encoding="utf-8-sig").splitlines():
        fields = line.partition("#")[0].split(";")
        if len(fields) >= 2:
            source, target = ("".join(chr(int(c, 16)) for c in f.split()) for f in fields[:2])
            if len(source) == 1 and source > "\x7f":
                table[source] = target
    return table


def load_package() -> tuple[str, dict[str, set[str]]]:
    """Version and look-alike graph of `confusable-homoglyphs`, without importing it.

    The package took its characters from a comment in which rows of right-to-left scripts carry a U+200E next to the
    character; that mark is removed here from every row, except from one that is nothing else.
    """
    spec = importlib.util.find_spec("confusable_homoglyphs")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("confusable-homoglyphs is not installed")
    rows = json.loads((Path(spec.origin).parent / "confusables.json").read_text(encoding="utf-8"))
    graph: dict[str, set[str]] = defaultdict(set)
    for char, others in rows.items():
        for other in others:
            graph[char.replace("\u200e", "") or char].add(other["c"].replace("\u200e", "") or other["c"])
    return importlib.metadata.version("confusable-homoglyphs"), dict(graph)


def _reached(graph: dict[str, set[str]]) -> dict[str, str]:
    """The ASCII letter or digit that a character of the package is one or two steps away from."""
    table = {}
    for char, near in graph.items():
        if len(char) == 1 and char > "\x7f":
            found = near & _ALNUM or {other for step in near for other in graph.get(step, ())} & _ALNUM
            if len(found) == 1:
                table[char] = found.pop()
    return table
