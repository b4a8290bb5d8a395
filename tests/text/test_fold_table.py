"""What the fold table covers: the package it is made from, and every style that letters are disguised in."""

from __future__ import annotations

import importlib.util
import json
import unicodedata
from collections import defaultdict
from pathlib import Path

import pytest

from inkgate.text.fold import fold

LETTERS = "abcdefghijklmnopqrstuvwxyz"
CAPITALS = LETTERS.upper()

# Scripts that stay themselves (their letters join, are reordered from right to left, or are built of several signs),
# by the first word of the character's name.
UNFOLDED = {"ARABIC", "HEBREW", "ORIYA", "MALAYALAM", "TELUGU", "KANNADA", "SINHALA", "MYANMAR", "ETHIOPIC", "AHOM"}
UNFOLDED |= {"MENDE", "NKO", "IDEOGRAPHIC"}
# Single differences from the package, and why.
EXCEPTIONS = {
    "Ƨ": ("s", "a mirrored S, and the pair of ƨ"),
    "ſ": ("s", "the long s is an s by decomposition"),
    "ɯ": ("m", "a turned m by name, and the m of upside-down text"),
    "𑣄": ("y", "UTS #39 18.0 says y"),
    "\u02db": (" ", "decomposes to a space and a mark"),
    "\u037a": (" ", "decomposes to a space and a mark"),
}


def package_letters() -> dict[str, set[str]]:
    """Single characters of `confusable-homoglyphs` and the ASCII letters and digits that they reach in two steps.

    Read on its own here, with the U+200E taken out that damages the rows of right-to-left scripts.
    """
    spec = importlib.util.find_spec("confusable_homoglyphs")
    assert spec is not None
    assert spec.origin is not None
    graph: dict[str, set[str]] = defaultdict(set)
    for char, others in json.loads((Path(spec.origin).parent / "confusables.json").read_text("utf-8")).items():
        graph[char.replace("\u200e", "")].update(other["c"].replace("\u200e", "") for other in others)
    ascii_alnum = set(LETTERS + CAPITALS + "0123456789")
    reached = {
        char: near & ascii_alnum or {far for step in near for far in graph.get(step, ())} & ascii_alnum
        for char, near in graph.items()
        if len(char) == 1 and char > "\x7f"
    }
    return {char: found for char, found in reached.items() if found}


def same_kind(char: str) -> frozenset[str]:
    """The ASCII characters that are told apart by context only: 0 and o; l, i, 1 and the bar."""
    for group in ("0o", "li1|"):
        if char.lower() in group:
            return frozenset(group)
    return frozenset(char.lower())


def test_the_package_is_covered() -> None:
    """Each letter-like character of the package folds to the letter or digit it looks like, listed exceptions apart."""
    table = package_letters()
    assert len(table) > 1350
    for char, targets in table.items():
        got = fold(char).lower
        name = unicodedata.name(char)
        if char.isdecimal() and ord(char) > 0x7F and not unicodedata.decomposition(char):
            assert got == str(unicodedata.decimal(char)), name  # a decimal digit is its value in every script
        elif name.split()[0] in UNFOLDED and char not in EXCEPTIONS:
            assert not got.isascii(), name
        elif char in EXCEPTIONS:
            assert got == EXCEPTIONS[char][0], name
        else:
            assert any(got in same_kind(target) for target in targets), (name, got, targets)


def plane(first: int, count: int = 26) -> str:
    """Characters in code point order."""
    return "".join(map(chr, range(first, first + count)))


# Mathematical letters that Unicode had encoded before the alphabets, and the holes there.
HOLES = str.maketrans(
    "\U0001d455\U0001d49d\U0001d4a0\U0001d4a1\U0001d4a3\U0001d4a4\U0001d4a7\U0001d4a8\U0001d4ad\U0001d4ba\U0001d4bc\U0001d4c4"
    "\U0001d506\U0001d50b\U0001d50c\U0001d515\U0001d51d\U0001d53a\U0001d53f\U0001d545\U0001d547\U0001d548\U0001d549\U0001d551",
    "ℎℬℰℱℋℐℒℳℛℯℊℴℭℌℑℜℨℂℍℕℙℚℝℤ",
)

# Style, its letters, the letters that they stand for; what is missing is in MISSED.
MATHEMATICAL = {
    f"mathematical {first:X}": (plane(first).translate(HOLES), target)
    for first, target in zip(range(0x1D400, 0x1D6A4, 26), [CAPITALS, LETTERS] * 13, strict=True)
}
STYLES: dict[str, tuple[str, str]] = {
    "full width": (plane(0xFF21) + plane(0xFF41) + plane(0xFF10, 10), CAPITALS + LETTERS + "0123456789"),
    "circled": (plane(0x24B6) + plane(0x24D0), CAPITALS + LETTERS),
    "squared": (plane(0x1F130), CAPITALS),
    "parenthesised": (plane(0x249C) + plane(0x1F110), LETTERS + CAPITALS),
    "negative circled": (plane(0x1F150), CAPITALS),
    "negative squared": (plane(0x1F170), CAPITALS),
    "regional indicators": (plane(0x1F1E6), CAPITALS),
    "outlined": (plane(0x1CCD6) + plane(0x1CCF0, 10), CAPITALS + "0123456789"),
    "double struck digits": (plane(0x1D7CE, 50), "0123456789" * 5),
    "circled digits": ("⓪①②③④⑤⑥⑦⑧⑨❶❷❸❹❺❻❼❽❾➀➁➂➃➄➅➆➇➈➊➋➌➍➎➏➐➑➒", "0123456789" + "123456789" * 3),
    "raised": ("ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ⁰¹²³⁴⁵⁶⁷⁸⁹", "abcdefghijklmnoprstuvwxyz0123456789"),
    "lowered": ("ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ₀₁₂₃₄₅₆₇₈₉", "aehijklmnoprstuvx0123456789"),
    "small capitals": ("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnopqrstuvwyz"),
    "upside down": ("ɐɔǝɟƃɥᴉɾʞɯɹʇʌʍʎ", "acefghijkmrtvwy"),
    "Cyrillic": ("АВЕЅІЈКМНОРСТУХԚԜаеіјорсухѕԁһԛԝѵ", "ABESIJKMHOPCTYXQWaeijopcyxsdhqwv"),
    "Cyrillic small capitals": ("вгикмнптш", "brnkmhntw"),
    "Greek capitals": ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    "Cherokee": ("ᎪᏴᏟᎠᎬᎰᏀᎻᎥᎫᏦᏞᎷᏁᎾᏢᎡᏚᎢᏙᎳᎽᏃ", "ABCDEFGHIJKLMNOPRSTVWYZ"),
    "Lisu": ("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHIJKLMNOPRSTUVWXYZ"),
    "Armenian": ("աԁցհյոռօքքզրսՍֆ", "wdghjnnofpqruUs"),
    "Greek small": ("αβγδεζηθικμνορςστυχωϲϳ", "abydezno" + "ikuvopsotuxwcj"),
    "fancy": ("αв¢∂єƒgнιנкℓмησρqяѕтυνωχуz", LETTERS),
    "currency": ("₳฿₵ĐɆ₣₲ⱧłJ₭Ⱡ₥₦Ø₱QⱤ₴₮ɄV₩ӾɎⱫ", LETTERS),
    "stroked": ("ⱥƀȼđɇfǥħɨɉꝁłmnøᵽꝗɍsŧᵾvwxɏƶ", LETTERS),
    "stroked capitals": ("ȺɃȻĐɆꞘǤĦƗɈꝀŁMNØⱣꝖɌSŦɄVWӾɎƵ", CAPITALS),
    "accents": ("àḃçďéḟĝĥíĵķĺḿñôṕq̇ŕśţûṽŵẍÿž".replace("\u0307", ""), LETTERS),
    "typewriter of the world": ("ǟɮƈɖɛʄɢɦɨʝӄʟʍռօքզʀֆȶʊʋաӼʏʐ", LETTERS),
    "CJK": ("卂乃匚", "abc"),
}
# Letters of a style that fold to something else, on purpose: as many as a context-free table must miss.
MISSED = {
    "upside down": "ƃɾ",  # a b and an r by their own shape
    "Cherokee": "ᎰᏁ",
    "Greek small": "ς",  # must fold as σ does
    "fancy": "נ",  # Hebrew is not folded
    "currency": "ł",  # an l, not the i that the style takes it for
    "Armenian": "ք",
    "typewriter of the world": "ʍքʋ",
    "CJK": "卂乃匚",  # ordinary ideographs
}
STYLES.update(MATHEMATICAL)


@pytest.mark.parametrize("style", STYLES)
def test_letters_in_a_style_fold_to_plain_ones(style: str) -> None:
    """Each letter of each style folds to the letter it stands for, except the few that are listed."""
    letters, plain = STYLES[style]
    assert len(letters) == len(plain)
    missed = {letter for letter, target in zip(letters, plain, strict=True) if fold(letter).lower != target.lower()}

    assert missed == set(MISSED.get(style, ""))


@pytest.mark.parametrize("style", [*MATHEMATICAL, "full width", "circled", "negative squared", "outlined"])
def test_styles_of_latin_letters_keep_their_case(style: str) -> None:
    """A styled Latin letter keeps its case in the cased view, so that a token written in a style is still a token."""
    letters, plain = STYLES[style]

    assert fold(letters).cased == plain


def test_invisible_characters_are_dropped() -> None:
    """Default-ignorables, marks and invisible controls inside a word leave nothing behind."""
    unseen = [0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x180E, *range(0x200B, 0x2010), *range(0x202A, 0x202F)]
    unseen += [*range(0x2060, 0x2070), 0x3164, *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0, *range(0xFFF0, 0xFFFC)]
    unseen += [*range(0xE0000, 0xE1000), *range(0x300, 0x370), 0x20DD, 0x20E3, *range(0x1D173, 0x1D17B)]
    unseen += [code for code in range(0x80, 0xA0) if code != 0x85]

    assert fold("a" + "".join(map(chr, unseen)) + "b").cased == "ab"


def test_letters_of_scripts_without_latin_shapes_stay_themselves() -> None:
    """Arabic, Hebrew, Indic, Thai, Ethiopic, kana and Han letters are kept, and no Hangul letter becomes Latin."""
    for text in (
        "ابتثجحخدذرزسشصضطظعغفقكلمنهوي",
        "אבגדהוזחטיכלמנסעפצקרשת",
        "कखगघङचछजझञ",
        "กขคงจฉ",
        "ሀለሐመ",
        "アイウエオ",
        "卂乃匚刀",
    ):
        assert fold(text).cased == text
    hangul = [*range(0x1100, 0x1200), *range(0x3131, 0x318F), *range(0xA960, 0xA97D), *range(0xAC00, 0xD7A4)]
    folded = {char for code in hangul for char in fold(chr(code)).cased}
    assert all(unicodedata.name(char).startswith("HANGUL ") for char in folded)


def test_hangul_folds_alike_in_every_normal_form() -> None:
    """Syllables, letters in a row, half-width and compatibility letters fold to the same conjoining letters."""
    for code in [*range(0xAC00, 0xD7A4), *range(0x3131, 0x318F), *range(0xFFA1, 0xFFDD)]:
        char = chr(code)
        for form in ("NFC", "NFD", "NFKC", "NFKD"):
            assert fold(unicodedata.normalize(form, char)).cased == fold(char).cased, hex(code)


# How `fold.json`, a table made independently for comparison, may differ.
def _explained(char: str, ours: str, theirs: str) -> bool:
    reasons = (
        theirs in ("l", "ll") and set(ours) <= set("il1|"),  # the bar class, inverted by the kind of the source
        ours.isdecimal() and unicodedata.category(char) == "Nd",  # digits by value
        unicodedata.category(char)[0] in "LN" and not theirs.isalnum(),  # letters do not become punctuation
        ours == '"' and theirs == "''",
        unicodedata.normalize("NFKD", char) in ("Λ", "β", "σ"),  # one shape in every mathematical style
        unicodedata.category(char) in ("So", "Sm") and len(theirs) > 1,  # symbols do not become words
        unicodedata.name(char, "").split(" ")[0] in UNFOLDED | {"TANGUT", "ANATOLIAN"},
        unicodedata.category(char) == "Cn",  # newer than this interpreter
    )
    return any(reasons)


UNEXPLAINED = frozenset("¡ʋᶹӎɯֆЛ。।॥ـᴐꬿ߷‚ꛫ𞁧ꝸ𖽑𖽒𖽓𐞐𐞷")


def test_the_comparison_table_is_covered(shared: Path) -> None:
    """Against a table made independently, every difference has a reason."""
    other = json.loads((shared / "data" / "unicode" / "fold.json").read_text("utf-8"))
    differing = {
        chr(int(code, 16)): (fold(chr(int(code, 16))).lower, theirs)
        for code, theirs in other.items()
        if fold(chr(int(code, 16))).lower != theirs
    }

    assert {c: pair for c, pair in differing.items() if c not in UNEXPLAINED and not _explained(c, *pair)} == {}
