"""Tricks that change what letters look like, or put something between them that nobody sees."""

from __future__ import annotations

import random
from collections.abc import Callable

__all__ = ["HIDDEN", "INVISIBLE", "SHAPES"]

Trick = Callable[[str], str]

LOWER = "abcdefghijklmnopqrstuvwxyz"
CYRILLIC = "acdehijlmnopqstwxyABCEHIKMOPSTXY", "асԁеһіјӏмпорԛѕтԝхуАВСЕНІКМОРЅТХҮ"
GREEK = "abeiknoprtuvwxyABEHIKMNOPTXYZ", "αβεικηορгτυνωχγΑΒΕΗΙΚΜΝΟΡΤΧΥΖ"
CHEROKEE = "abcdeghjklmprstvwyz", "ᎪᏴᏟᎠᎬᏀᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᎩᏃ"
LISU = "abcdefghijklmnoprstuvwxyz", "ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ"
ARMENIAN = "ghnoqsu", "ցհոօզՏս"
SMALL_CAPITALS = "abcdefghijklmnoprstuvwyz", "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ"
TURNED = "abcdefghijklmnopqrstuvwxyz", "ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz"
TURNED_ALONE = "acefhikmrtvwy", "ɐɔǝɟɥᴉʞɯɹʇʌʍʎ"
STROKED = "abcdeghijloprtuyz", "ⱥƀȼđɇǥħɨɉłøᵽɍŧʉɏƶ"
CURRENCY = "abcdefhklmnoprstuwxy", "₳฿₵đɇ₣ⱨκⱡ₥₦ø₱ɽ₴₮ʉ₩ӿɏ"
RAISED = "abcdefghijklmnoprstuvwxyz", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ"
ACCENTED = "aceginosuyz", "äçéğíñôşüýž"
ZALGO = "".join(map(chr, range(0x300, 0x340)))


def swap(letters: tuple[str, str]) -> Trick:
    """Writes each letter as its look-alike."""
    return lambda text: text.translate(str.maketrans(*letters))


def row(first: int) -> Trick:
    """Writes letters, in either case, as a row of 26 styled ones."""
    table = {ord(case(letter)): chr(first + at) for at, letter in enumerate(LOWER) for case in (str.lower, str.upper)}
    return lambda text: text.translate(table)


def both(upper: int, lower: int) -> Trick:
    """Writes letters as styled ones that have two cases."""
    table = {ord(letter): chr(lower + at) for at, letter in enumerate(LOWER)}
    table |= {ord(letter.upper()): chr(upper + at) for at, letter in enumerate(LOWER)}
    return lambda text: text.translate(table)


def mixed(text: str) -> str:
    """Each letter in the alphabet of its own luck."""
    tables = [dict(zip(*letters, strict=True)) for letters in (CYRILLIC, GREEK, CHEROKEE, LISU, ARMENIAN, STROKED)]
    luck = random.Random(7)
    return "".join(luck.choice(tables).get(char, char) for char in text)


def full_width(text: str) -> str:
    """Every printable ASCII character in full width, blanks too."""
    return "".join(
        chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else "\u3000" if char == " " else char for char in text
    )


def upside_down(text: str) -> str:
    """The text as it reads when the page is turned round: turned letters from right to left."""
    return text.lower().translate(str.maketrans(*TURNED))[::-1]


def between(mark: str) -> Trick:
    """Puts a mark between the letters of each word."""
    return lambda text: "".join(
        char + (mark if char.isalnum() and text[at + 1 : at + 2].isalnum() else "") for at, char in enumerate(text)
    )


def piled(text: str) -> str:
    """Six combining marks on each letter."""
    luck = random.Random(7)
    return "".join(char + "".join(luck.choices(ZALGO, k=6)) if char.isalnum() else char for char in text)


def overlaid(text: str) -> str:
    """Each letter struck through by a mark."""
    return "".join(char + "\u0336" if char.isalnum() else char for char in text)


def enclosed(text: str) -> str:
    """Each letter in a combining circle."""
    return "".join(char + "\u20dd" if char.isalnum() else char for char in text)


def tags(text: str) -> str:
    """Invisible tag characters after an ordinary word."""
    return "Noted." + "".join(chr(0xE0000 + ord(char)) for char in text)


def selectors(text: str) -> str:
    """One variation selector per byte, behind an emoji."""
    return "\U0001f642" + "".join(chr(0xFE00 + byte if byte < 16 else 0xE0100 + byte - 16) for byte in text.encode())


def zero_width_bits(text: str) -> str:
    """One zero-width character per bit."""
    return "Noted." + "".join("\u200b" if bit == "0" else "\u200c" for byte in text.encode() for bit in f"{byte:08b}")


def overridden(text: str) -> str:
    """Written backwards between bidi controls, so that it is displayed forwards."""
    return f"\u202e{text[::-1]}\u202c"


SHAPES: dict[str, Trick] = {
    "Cyrillic": swap(CYRILLIC),
    "Greek": swap(GREEK),
    "Cherokee": swap(CHEROKEE),
    "Lisu": swap(LISU),
    "Armenian": swap(ARMENIAN),
    "mixed look-alikes": mixed,
    "full width": full_width,
    "mathematical bold": both(0x1D400, 0x1D41A),
    "mathematical script": both(0x1D4D0, 0x1D4EA),
    "mathematical Fraktur": both(0x1D56C, 0x1D586),
    "mathematical monospace": both(0x1D670, 0x1D68A),
    "circled": both(0x24B6, 0x24D0),
    "circled, negative": row(0x1F150),
    "squared": row(0x1F130),
    "squared, negative": row(0x1F170),
    "parenthesised": row(0x249C),
    "regional indicators": row(0x1F1E6),
    "outlined": row(0x1CCD6),
    "small capitals": swap(SMALL_CAPITALS),
    "raised": swap(RAISED),
    "turned letters": swap(TURNED_ALONE),
    "stroked": swap(STROKED),
    "currency signs": swap(CURRENCY),
    "accents": swap(ACCENTED),
}

INVISIBLE: dict[str, Trick] = {
    "zero-width space": between("\u200b"),
    "zero-width non-joiner": between("\u200c"),
    "zero-width joiner": between("\u200d"),
    "word joiner": between("\u2060"),
    "byte order mark": between("\ufeff"),
    "soft hyphen": between("\xad"),
    "grapheme joiner": between("\u034f"),
    "variation selector between": between("\ufe0f"),
    "invisible times": between("\u2062"),
    "left-to-right mark": between("\u200e"),
    "Hangul filler": between("\u3164"),
    "control character": between("\x01"),
    "marks piled up": piled,
    "strike-through marks": overlaid,
    "enclosing marks": enclosed,
}

HIDDEN: dict[str, Trick] = {
    "tag characters": tags,
    "variation-selector bytes": selectors,
    "zero-width bits": zero_width_bits,
    "bidi override": overridden,
    "upside down": upside_down,
}
