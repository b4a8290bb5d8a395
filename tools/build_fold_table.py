"""Generate `scanner/inkgate/text/_fold_table.py`, the map behind `inkgate.text.fold`.

    python tools/build_fold_table.py --ucd DIR [--check]

DIR holds these public files, the first three from https://www.unicode.org/Public/17.0.0/ucd/ and the others from
https://www.unicode.org/Public/security/17.0.0/ and .../18.0.0/, with their version in the name:

    UnicodeData.txt  DerivedCoreProperties.txt  Scripts.txt  confusables-17.0.txt  confusables-18.0.txt

The other sources are packages: `confusables.json` of `confusable-homoglyphs` (the file is read, the package is not
imported), and `unicodedata2` 18.0.0 for the characters that Unicode 18 adds. `--check` writes nothing and exits with 1
if the shipped module differs from what the sources give.

The map is the context-free one: every character is decomposed (NFKD), marks (ccc not 0, or Me) and default-ignorables
are dropped, and what remains is looked up by shape: first the hand-made shapes, then confusables 18.0, 17.0, then
the package. So folding commutes with concatenation and gives the same for NFC and NFD. UTS #39 maps to prototypes
such as `l` and `rn`; those classes are inverted here, and ASCII itself is never rewritten.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from fold_shapes import FOLDED_SCRIPTS, LOWER_LIKE_UPPER, NEVER, SHAPES, UPPER_SHAPED
from fold_sources import Sources, enclosed_letter, load_sources, plain_letter

TARGET = Path(__file__).resolve().parents[1] / "scanner" / "inkgate" / "text" / "_fold_table.py"
HANGUL = range(0xAC00, 0xD7A4)  # decomposed by arithmetic at run time (Unicode Standard 3.12)
IGNORABLE_PLANE = range(0xE0000, 0xE1000)  # all default-ignorable; a range at run time
_SPACES = frozenset([0x2028, 0x2029, 0x85, 0x2800])


class Folder:
    """Computes the fold of one character from the sources; every answer is a fixed point of folding."""

    def __init__(self, sources: Sources) -> None:
        self.src = sources
        self._memo: dict[str, str] = {}
        self._open: set[str] = set()

    def fold(self, char: str) -> str:
        """The fold of one character: '' when it is dropped, ASCII where it has a Latin shape."""
        if char < "\x80":
            return char
        named = enclosed_letter(self.src.name(char))
        if named:
            return named
        if char in SHAPES:
            return SHAPES[char]
        return "".join(self.base(part) for part in self.src.decompose(char))

    def base(self, char: str) -> str:
        """The fold of one fully decomposed character."""
        if char < "\x80":
            return char
        if char not in self._memo:
            if char in self._open:  # a cycle of look-alikes without a Latin member
                return char
            self._open.add(char)
            try:
                self._memo[char] = self._base(char)
            finally:
                self._open.discard(char)
        return self._memo[char]

    def _base(self, char: str) -> str:
        src = self.src
        code, category = ord(char), src.category(char)
        if src.dropped(char):
            return ""
        if category == "Zs" or code in _SPACES:
            return " "
        if category == "Nd":
            return str(src.digit(char))
        shape = self._shape(char)
        if shape is not None:
            return shape
        lower = src.lower(char)
        return self.fold(lower) if lower != char else char

    def _shape(self, char: str) -> str | None:
        """The ASCII shape of a character, or None when it stays itself."""
        if char in SHAPES:
            return SHAPES[char]
        if char in NEVER or self.src.script(char) not in FOLDED_SCRIPTS:
            return None
        prototypes = list(self.src.prototypes(char))
        direct = [prototype for prototype in prototypes if prototype[0].isascii()]
        for prototype in direct:
            if shape := self._from_prototype(char, prototype):
                return shape
        if named := plain_letter(self.src.name(char)):  # surer than a chain over other letters
            return named
        if plain := self._from_plain(char):
            return plain
        for prototype in prototypes:
            if shape := self._from_prototype(char, prototype):
                return shape
        return self._from_capital(char)

    def _from_prototype(self, char: str, prototype: str) -> str | None:
        """Turn a UTS #39 prototype into the ASCII text that this character stands for."""
        category, script = self.src.category(char), self.src.script(char)
        letter = category[0] in "LMN"
        if prototype in ("l", "I", "1", "|"):
            return self._bar(char)
        target = prototype.replace("rn", "m") if letter and prototype[:2] == "rn" else prototype
        text = "".join(self.fold(part) for part in target)
        if text == "l" and letter:  # l with an overlay
            return self._bar(char)
        text = text.lower()
        if not text.isascii():
            return None
        if not letter:
            return _sign(text)
        if category == "Lm" and len(text) == 1:
            return text
        kept = "".join(part for part in text if part.isalnum())
        if len(kept) == 1 and (script == "Latin" or len(text) == 1):
            return kept
        return kept if len(kept) == 2 and f" {kept.upper()}" in self.src.name(char) else None

    def _bar(self, char: str) -> str:
        """The class l, I, 1, | of UTS #39, inverted by the kind of the source."""
        category = self.src.category(char)
        if category[0] == "N":
            return "1"
        if category[0] != "L":
            return "|"
        return "i" if category == "Lu" or self.src.script(char) in UPPER_SHAPED else "l"

    def _from_plain(self, char: str) -> str | None:
        """The shape of the letter that this one is a variant of by name: KA WITH HOOK."""
        plain = self.src.plain_variant(char)
        shape = self.fold(plain) if plain else ""
        return shape if len(shape) == 1 and shape.isascii() else None

    def _from_capital(self, char: str) -> str | None:
        """The shape of the capital, where small letters are small capitals; a hyphen for a dash."""
        upper = self.src.upper(char)
        if upper != char and self.src.script(char) in LOWER_LIKE_UPPER:
            shape = self._shape(upper)
            return shape.lower() if shape and len(shape) == 1 else None
        return "-" if self.src.category(char) == "Pd" else None


def _sign(text: str) -> str | None:
    """The fold of a symbol: one ASCII character, or up to three ASCII signs; never several letters (as in ∞)."""
    text = text.strip() or " "
    if text == "''":
        return '"'
    alphanumeric = any(part.isalnum() for part in text)
    return text if len(text) == 1 or (len(text) <= 3 and not alphanumeric) else None


def build(sources: Sources) -> dict[int, str]:
    """The whole table: code point to fold, for every character that does not fold to itself."""
    folder = Folder(sources)
    table = {}
    for code in sources.codes():
        if code in HANGUL or code in IGNORABLE_PLANE:
            continue
        fold = folder.fold(chr(code))
        if fold != chr(code):
            table[code] = fold
    for _ in range(4):  # names and variants may lead to a character that folds further
        changed = {c: new for c, t in table.items() if (new := "".join(table.get(ord(x), x) for x in t)) != t}
        if not changed:
            return table
        table.update(changed)
    raise SystemExit(f"the table does not settle: {changed}")


def _runs(codes: list[int]) -> str:
    """Code points as pairs of first and last character of each run."""
    pairs: list[list[int]] = []
    for code in codes:
        if pairs and code == pairs[-1][1] + 1:
            pairs[-1][1] = code
        else:
            pairs.append([code, code])
    return "".join(chr(end) for pair in pairs for end in pair)


def _literal(text: str) -> str:
    """An ASCII-only parenthesised string literal in lines of at most 120 characters."""
    pieces: list[str] = []
    line = ""
    for char in text:
        quoted = {'"': '\\"', "\\": "\\\\", "\n": "\\n"}.get(char) or ascii(char)[1:-1]
        if len(line) + len(quoted) > 112:
            pieces.append(line)
            line = ""
        line += quoted
    pieces.append(line)
    return "(\n" + "\n".join(f'    "{piece}"' for piece in pieces) + "\n)"


def render(table: dict[int, str], sources: Sources) -> str:
    """The text of the table module."""
    single = sorted(c for c, t in table.items() if len(t) == 1)
    multi = sorted(c for c, t in table.items() if len(t) > 1)
    dropped = sorted(c for c, t in table.items() if not t)
    longest = max(len(t) for t in table.values())
    values = "".join(table[c] for c in single)
    texts = "\n".join(table[c] for c in multi)
    return f'''"""Generated by tools/build_fold_table.py; do not edit.

Sources: Unicode {sources.version}, confusables 18.0 and 17.0 (UTS #39), confusable-homoglyphs {sources.package}.
{len(single)} characters fold to one other, {len(multi)} to several (at most {longest}), {len(dropped)} are dropped.
*_RUNS hold the keys as pairs (first, last) of each run of code points; values stand in the same order.
"""

# fmt: off
UNICODE = "{sources.version}"
SINGLE_RUNS = {_literal(_runs(single))}
SINGLE = {_literal(values)}
MULTI_RUNS = {_literal(_runs(multi))}
MULTI = {_literal(texts)}
DROPPED_RUNS = {_literal(_runs(dropped))}
'''


def main(argv: list[str] | None = None) -> int:
    """Write the table module, or with --check compare it; returns the exit code."""
    parser = argparse.ArgumentParser(description="Generate the fold table of inkgate.")
    parser.add_argument("--ucd", type=Path, required=True, help="folder with the Unicode files named in this script")
    parser.add_argument("--output", type=Path, default=TARGET, help="module to write (default: the shipped one)")
    parser.add_argument("--check", action="store_true", help="compare with the module instead of writing it")
    options = parser.parse_args(argv)
    try:
        sources = load_sources(options.ucd)
    except FileNotFoundError as error:
        parser.error(f"a source is missing: {error}")
    except ModuleNotFoundError as error:
        parser.error(f"{error}: pip install unicodedata2==18.0.0")
    text = render(build(sources), sources)
    if options.check:
        same = options.output.read_text(encoding="ascii") == text
        print("up to date" if same else f"{options.output} differs from its sources")
        return 0 if same else 1
    options.output.write_text(text, encoding="ascii")
    print(f"{options.output}: {len(text)} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
