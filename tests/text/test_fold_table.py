"""What the fold table covers: the package it is made from, and every style that letters are disguised in."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest

from inkgate.text import coverage
from inkgate.text.coverage import UNFOLDED, package_letters, uncovered
from inkgate.text.fold import fold

LETTERS = "abcdefghijklmnopqrstuvwxyz"
CAPITALS = LETTERS.upper()


def test_the_package_is_covered() -> None:
    """Each letter-like character of the package folds to the letter or digit it looks like, listed exceptions apart."""
    assert len(package_letters()) > 1350
    assert uncovered() == []


def test_a_gap_in_the_table_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The check can fail: a look-alike that does not fold is named."""
    monkeypatch.setattr(coverage, "package_letters", lambda: {"\u0430": {"a"}, "\u0431": {"b"}, "\u4e00": {"l"}})

    assert coverage.uncovered() == ["\u0431", "\u4e00"]


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
