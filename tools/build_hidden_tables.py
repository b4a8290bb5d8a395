"""Write `scanner/inkgate/text/_ucd_table.py`, the Unicode properties that the checks for hidden text need.

    python tools/build_hidden_tables.py --ucd DIR [--output FILE]

DIR holds the plain files of the Unicode Character Database and of the emoji data, version 17: UnicodeData.txt,
Scripts.txt, ScriptExtensions.txt, DerivedBidiClass.txt, DerivedCoreProperties.txt, DerivedJoiningType.txt,
IndicSyllabicCategory.txt, PropList.txt, StandardizedVariants.txt, emoji-data.txt, emoji-variation-sequences.txt and
emoji-sequences.txt. The table is committed, so that the scanner judges alike under every Python, whose own
`unicodedata` may be years older.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

LAST = 0x10FFFF

# Bits of a property mask; the same names are written into the table.
BITS = (
    "LETTER",  # general category L*
    "NUMBER",  # general category N*
    "MARK",  # Mn or Me
    "NONSPACING",  # Mn
    "VIRAMA",  # canonical combining class 9
    "REORDERED",  # canonical combining class neither 0 nor 9
    "COUNTED",  # Mn or Me that is not default-ignorable: what a tower of marks is made of
    "TRANSPARENT",  # Joining_Type T
    "JOINS_NEXT",  # Joining_Type D or L
    "JOINS_PREVIOUS",  # Joining_Type D or R
    "VOWEL",  # Indic_Syllabic_Category Vowel_Dependent
    "PICTOGRAPH",  # Extended_Pictographic
    "EMOJI",
    "SKIN",  # Emoji_Modifier
    "ALPHABET",  # a letter or digit of ASCII, or of the scripts Latin, Greek, Cyrillic
    "JOINER_SCRIPT",  # a script whose spelling uses ZWJ, ZWNJ or directional marks
    "UNSPACED",  # a script written without spaces, or one of JOINER_SCRIPT
    "HAN",
    "HANGUL",
    "MONGOLIAN",
    "KHMER",
)
JOINER_SCRIPTS = {
    "Arabic", "Syriac", "Mandaic", "Mongolian", "Phags_Pa", "Nko", "Manichaean", "Psalter_Pahlavi", "Sogdian",
    "Hanifi_Rohingya", "Adlam", "Chorasmian", "Old_Uyghur", "Devanagari", "Bengali", "Gurmukhi", "Gujarati",
    "Oriya", "Tamil", "Telugu", "Kannada", "Malayalam", "Sinhala", "Khmer", "Myanmar", "Tibetan", "Balinese",
    "Javanese", "Sundanese", "Newa", "Tirhuta", "Chakma", "Kaithi", "Modi", "Sharada", "Grantha", "Meetei_Mayek",
    "Lepcha", "Limbu", "Brahmi", "Thai", "Lao", "Tai_Tham", "Cham", "Thaana", "Hebrew",
}  # fmt: skip
# Thai, Lao, Khmer, Myanmar, Tibetan, Tai Tham, Javanese and Balinese are in the first list already.
UNSPACED_SCRIPTS = JOINER_SCRIPTS | {
    "New_Tai_Lue", "Tai_Le", "Han", "Hiragana", "Katakana", "Bopomofo", "Hangul",
}  # fmt: skip
ALPHABETS = {"Latin", "Greek", "Cyrillic"}
APART = (0x12000, 0x1D400)  # cuneiform, mathematical alphanumerics: no marks, and long runs of them are ordinary
HEADER = '''\
"""Unicode 17 properties for the checks of hidden text. Written by tools/build_hidden_tables.py: do not edit.

Made from the Unicode Character Database and the emoji data files, (c) Unicode, Inc., Unicode License v3.
"""

from __future__ import annotations

'''


def rows(path: Path) -> Iterator[tuple[int, int, list[str]]]:
    """Yield (first, last, further fields) of a semicolon-separated UCD file."""
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = [field.strip() for field in line.partition("#")[0].split(";")]
        if len(fields) < 2 or not fields[0]:
            continue
        first, _, last = fields[0].partition("..")
        yield int(first, 16), int(last or first, 16), fields[1:]


def having(path: Path, value: str) -> set[int]:
    """Code points whose first property field is `value`."""
    return {point for first, last, fields in rows(path) if fields[0] == value for point in range(first, last + 1)}


def by_value(path: Path) -> dict[str, set[int]]:
    """Code points of each value of an enumerated property."""
    found: dict[str, set[int]] = defaultdict(set)
    for first, last, fields in rows(path):
        found[fields[0]].update(range(first, last + 1))
    return found


def general(path: Path) -> tuple[dict[str, set[int]], dict[int, int]]:
    """General category of every assigned code point, and the canonical combining classes other than 0."""
    categories: dict[str, set[int]] = defaultdict(set)
    classes: dict[int, int] = {}
    opened = -1
    for line in path.read_text(encoding="utf-8").splitlines():
        fields = line.split(";")
        point = int(fields[0], 16)
        if fields[1].endswith("First>"):
            opened = point
            continue
        first = opened if fields[1].endswith("Last>") else point
        categories[fields[2]].update(range(first, point + 1))
        if fields[3] != "0":
            classes[point] = int(fields[3])
    return categories, classes


def script_sets(ucd: Path) -> dict[str, set[int]]:
    """Code points of each script; a shared character (Common, Inherited) counts for its Script_Extensions too."""
    scripts = by_value(ucd / "Scripts.txt")
    shared = scripts["Common"] | scripts["Inherited"]
    names = {
        "Arab": "Arabic", "Syrc": "Syriac", "Thaa": "Thaana", "Nkoo": "Nko", "Deva": "Devanagari", "Beng": "Bengali",
        "Guru": "Gurmukhi", "Gujr": "Gujarati", "Orya": "Oriya", "Taml": "Tamil", "Telu": "Telugu", "Knda": "Kannada",
        "Mlym": "Malayalam", "Sinh": "Sinhala", "Mymr": "Myanmar", "Mong": "Mongolian", "Hani": "Han",
        "Hira": "Hiragana", "Kana": "Katakana",
    }  # fmt: skip
    for first, last, fields in rows(ucd / "ScriptExtensions.txt"):
        for short in fields[0].split():
            if short in names:
                scripts[names[short]].update(point for point in range(first, last + 1) if point in shared)
    return scripts


def property_sets(ucd: Path) -> dict[str, set[int]]:
    """The code points of every name in BITS."""
    categories, classes = general(ucd / "UnicodeData.txt")
    scripts = script_sets(ucd)
    joining = by_value(ucd / "DerivedJoiningType.txt")
    emoji = by_value(ucd / "emoji-data.txt")
    core = by_value(ucd / "DerivedCoreProperties.txt")
    letters = set().union(*(points for name, points in categories.items() if name[0] == "L"))
    numbers = set().union(*(points for name, points in categories.items() if name[0] == "N"))
    marks = categories["Mn"] | categories["Me"]
    alphabets = set().union(*(scripts[name] for name in ALPHABETS))
    return {
        "LETTER": letters,
        "NUMBER": numbers,
        "MARK": marks,
        "NONSPACING": categories["Mn"],
        "VIRAMA": {point for point, value in classes.items() if value == 9},
        "REORDERED": {point for point, value in classes.items() if value not in (0, 9)},
        "COUNTED": marks - core["Default_Ignorable_Code_Point"],
        "TRANSPARENT": joining["T"],
        "JOINS_NEXT": joining["D"] | joining["L"],
        "JOINS_PREVIOUS": joining["D"] | joining["R"],
        "VOWEL": having(ucd / "IndicSyllabicCategory.txt", "Vowel_Dependent"),
        "PICTOGRAPH": emoji["Extended_Pictographic"],
        "EMOJI": emoji["Emoji"],
        "SKIN": emoji["Emoji_Modifier"],
        "ALPHABET": (alphabets & (letters | numbers)) | set(range(0x30, 0x3A)),
        "JOINER_SCRIPT": set().union(*(scripts[name] for name in JOINER_SCRIPTS)),
        "UNSPACED": set().union(*(scripts[name] for name in UNSPACED_SCRIPTS)),
        "HAN": scripts["Han"] | having(ucd / "PropList.txt", "Unified_Ideograph"),
        "HANGUL": scripts["Hangul"],
        "MONGOLIAN": scripts["Mongolian"],
        "KHMER": scripts["Khmer"],
    }


def ranges(points: Iterable[int]) -> list[tuple[int, int]]:
    """Sorted closed ranges of the code points."""
    found: list[tuple[int, int]] = []
    for point in sorted(points):
        if found and point <= found[-1][1] + 1:
            found[-1] = (found[-1][0], point)
        else:
            found.append((point, point))
    return found


def coarse(points: Iterable[int]) -> list[tuple[int, int]]:
    """Few ranges that hold all points and none of APART; beyond the BMP `re` tries the ranges of a class one by one."""
    found: list[tuple[int, int]] = []
    for point in sorted(points):
        if found and not any(found[-1][1] < first < point for first in APART):
            found[-1] = (found[-1][0], point)
        else:
            found.append((point, point))
    return found


def escape(point: int) -> str:
    """One code point inside a character class of a Python string literal."""
    return f"\\u{point:04x}" if point <= 0xFFFF else f"\\U{point:08x}"


def char_class(spans: Iterable[tuple[int, int]]) -> list[str]:
    """The items of a character class, one per range."""
    return [escape(first) + (f"-{escape(last)}" if last > first else "") for first, last in spans]


def packed(sets: dict[str, set[int]]) -> tuple[list[int], list[str]]:
    """Distinct masks, and the runs of equal mask over all code points as `length.mask` in hexadecimal."""
    masks = bytearray(4 * (LAST + 1))
    view = memoryview(masks).cast("I")
    for bit, name in enumerate(BITS):
        for point in sets[name]:
            view[point] |= 1 << bit
    distinct: dict[int, int] = {0: 0}
    runs: list[str] = []
    start = 0
    for point in range(1, LAST + 2):
        if point > LAST or view[point] != view[start]:
            index = distinct.setdefault(view[start], len(distinct))
            runs.append(f"{point - start:x}.{index:x} ")
            start = point
    return list(distinct), runs


def variations(ucd: Path) -> dict[int, list[tuple[int, int]]]:
    """For each variation selector the ranges of bases that the standard lists with it."""
    found: dict[int, set[int]] = defaultdict(set)
    for name in ("StandardizedVariants.txt", "emoji-variation-sequences.txt"):
        for line in (ucd / name).read_text(encoding="utf-8").splitlines():
            fields = line.partition("#")[0].split(";")
            if len(fields) > 1:
                base, selector = (int(item, 16) for item in fields[0].split())
                found[selector].add(base)
    return {selector: ranges(bases) for selector, bases in sorted(found.items())}


def flags(ucd: Path) -> tuple[list[str], list[str]]:
    """Region codes with an RGI flag, and subdivision codes with an RGI tag sequence (UTS #51, ED-14a)."""
    regions, subdivisions = [], []
    for line in (ucd / "emoji-sequences.txt").read_text(encoding="utf-8").splitlines():
        fields = [field.strip() for field in line.partition("#")[0].split(";")]
        if len(fields) < 2:
            continue
        points = [int(item, 16) for item in fields[0].split()] if ".." not in fields[0] else []
        if fields[1] == "RGI_Emoji_Flag_Sequence":
            regions.append("".join(chr(point - 0x1F1E6 + ord("a")) for point in points))
        elif fields[1] == "RGI_Emoji_Tag_Sequence":
            subdivisions.append("".join(chr(point - 0xE0000) for point in points[1:-1]))
    return sorted(regions), sorted(subdivisions)


def literal(name: str, pieces: Iterable[str]) -> str:
    """`name = ("..." ...)`, in lines of at most 120 characters and without splitting a piece."""
    lines, line = [], ""
    for piece in pieces:
        if len(line) + len(piece) > 112:
            lines.append(line)
            line = ""
        line += piece
    lines.append(line)
    if len(lines) == 1 and len(name) + len(line) < 112:
        return f'{name} = "{line}"\n'
    return f"{name} = (\n" + "".join(f'    "{line}"\n' for line in lines) + ")\n"


def render(ucd: Path) -> str:
    """The text of the table module."""
    sets = property_sets(ucd)
    masks, runs = packed(sets)
    bidi = by_value(ucd / "DerivedBidiClass.txt")
    regions, subdivisions = flags(ucd)
    counted = ranges(sets["COUNTED"])
    astral = coarse(point for point in sets["COUNTED"] if point > 0xFFFF)
    assigned = set().union(*general(ucd / "UnicodeData.txt")[0].values())
    rtl = ranges(((bidi["R"] | bidi["AL"]) & assigned) - {0x200F, 0x061C})
    parts = [HEADER]
    parts.append("# Bits of a mask.\n" + "".join(f"{name} = 0x{1 << bit:x}\n" for bit, name in enumerate(BITS)))
    parts.append("\n# Distinct masks, then runs over all code points: length.index of the mask, hexadecimal.\n")
    parts.append(literal("MASKS", (f"{mask:x} " for mask in masks)))
    parts.append(literal("RUNS", runs))
    parts.append("\n# Items of character classes: marks of the BMP exactly, others exactly and coarsely, and\n")
    parts.append("# assigned strong right-to-left characters (Bidi_Class R or AL) other than the directional marks.\n")
    parts.append(literal("BMP_MARKS", char_class(item for item in counted if item[1] <= 0xFFFF)))
    parts.append(literal("ASTRAL_MARKS", char_class(item for item in counted if item[0] > 0xFFFF)))
    parts.append(literal("NEAR_ASTRAL_MARKS", char_class(astral)))
    parts.append(literal("STRONG_RTL", char_class(rtl)))
    parts.append("\n# Standardised variation sequences: selector, colon, ranges of bases as first+more, hexadecimal.\n")
    pieces: list[str] = []
    for selector, spans in variations(ucd).items():
        pieces.append(f"{selector:x}: ")
        pieces += [f"{first:x}+{last - first:x} " if last > first else f"{first:x} " for first, last in spans]
    parts.append(literal("VARIATIONS", pieces))
    parts.append("\n# Regions with a flag emoji, subdivisions whose tag sequence is recommended (UTS #51).\n")
    parts.append(literal("REGIONS", (f"{region} " for region in regions)))
    parts.append(literal("SUBDIVISIONS", (f"{item} " for item in subdivisions)))
    return "".join(parts)


def main(arguments: list[str] | None = None) -> int:
    """Write the table; 2 when a data file cannot be read."""
    parser = argparse.ArgumentParser(description="Write the Unicode property table of the hidden-text checks.")
    default = Path(__file__).resolve().parents[1] / "scanner/inkgate/text/_ucd_table.py"
    parser.add_argument("--ucd", type=Path, required=True, metavar="DIR", help="folder with the Unicode 17 data files")
    parser.add_argument("--output", type=Path, default=default, metavar="FILE", help="default: the module in the tree")
    options = parser.parse_args(arguments)
    try:
        text = render(options.ucd)
    except (OSError, ValueError) as error:
        print(f"build_hidden_tables: {error}", file=sys.stderr)
        return 2
    options.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
