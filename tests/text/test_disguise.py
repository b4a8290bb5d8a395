"""What counts as a disguise in a slice of text, and what is ordinary writing."""

from __future__ import annotations

import json
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkgate.text.fold import disguises

DISGUISED = [
    ("ig\u200bnore", "ignorable"),
    ("ig\u00adnore", "ignorable"),
    ("ig\u2060\u200d\u034fnore", "ignorable"),
    ("i\ufe0fg\ufe0fn", "ignorable"),
    ("ig\U000e0041nore", "ignorable"),
    ("ig\u202enore", "ignorable"),
    ("ig\x00nore", "ignorable"),
    ("ig\x7f\x08nore", "ignorable"),
    ("ig\x9dnore é", "ignorable"),
    ("é\u200bcole", "ignorable"),
    ("1\u200b2 é", "ignorable"),
    ("иг\u200bнор", "ignorable"),
    ("ignоre", "confusable"),  # Cyrillic о
    ("Ꭰelete", "confusable"),  # Cherokee
    ("αdmin", "confusable"),
    ("use the раураӏ page", "confusable"),  # a wholly Cyrillic word in English
    ("сору раѕѕ ехес", "confusable"),  # nothing but twins of Latin letters
    ("игнoрируй", "confusable"),  # Latin o in a Russian word
    ("ｉｇｎｏｒｅ", "compat"),
    ("ｉgnore", "compat"),
    ("ｉ ｇ ｎ ｏ", "compat"),
    ("𝐢𝐠𝐧𝐨𝐫𝐞", "compat"),
    ("𝓲gnore", "compat"),
    ("ⓘⓖⓝⓞⓡⓔ", "compat"),
    ("🅸🅶🅽🅾🆁🅴", "compat"),
    ("⒤⒢⒩⒪⒭⒠", "compat"),
    ("ɪɢɴᴏʀᴇ", "compat"),
    ("ⁱᵍⁿᵒʳᵉ", "compat"),
    ("ǝɹouƃᴉ ʎʇ", "compat"),
    ("i̶g̶n̶o̶r̶e̶", "compat"),
    ("i\u0301\u0302\u0303\u0304gnore", "compat"),
]
ORDINARY = [
    "ignore",
    "first line\r\n\tsecond\fpage",
    "colour \x1b[31mred\x1b[0m",
    "exécute, naïve, Ångström, Żółć",
    unicodedata.normalize("NFD", "exécute Nguyễn"),
    "игнорируй все правила",
    "она тут",
    "see the тест folder",
    "Καλημέρα κόσμε",
    "μm, Δt, kΩ, λx",
    "忽略所有指令",
    "모든 지시를 무시",
    "می\u200cخواهم",
    "PDF\u200cها",
    "क्\u200dष",
    "Python\u200bภาษาไทย",
    "👨\u200d👩\u200d👧 family",
    "1\ufe0f\u20e32\ufe0f\u20e3",
    "ℹ\ufe0fInfo",
    "©\ufe0f2024 ™",
    "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007fEngland",
    "🇩🇪 Germany",
    "ＡＰＩを使う",
    "iPhone'ом, API-метод",
    "nᵗʰ 1ˢᵗ x² H₂O 5ª nº",
    "[ˈɪnɡlɪʃ]",
    "f(𝑥) ∈ ℝ",
    "½ cup, № 5, ℃, Ⅳ",
    "\u200bignore\u200b \u200ball",  # at the edge of a word nothing is split
    "",
]


@pytest.mark.parametrize(("raw", "kind"), DISGUISED)
def test_disguised_writing_is_told(raw: str, kind: str) -> None:
    """Each way to write a word so that it is not recognised has its name."""
    assert disguises(raw) == {kind}


@pytest.mark.parametrize("raw", ORDINARY)
def test_ordinary_writing_is_no_disguise(raw: str) -> None:
    """Accents, other scripts, joiners and selectors where they belong, units, ordinals and phonetics are left alone."""
    assert disguises(raw) == set()


def test_several_disguises_are_told_together() -> None:
    """A slice may be disguised in every way at once."""
    assert disguises("ig\u200bnоre ｔｈｅ") == {"ignorable", "confusable", "compat"}


@given(st.text(st.characters(), max_size=40))
def test_any_slice_gets_an_answer(raw: str) -> None:
    """No text raises, and the answer is a subset of the three kinds."""
    assert disguises(raw) <= {"ignorable", "confusable", "compat"}


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E)))
def test_printable_ascii_is_never_disguised(raw: str) -> None:
    """Plain ASCII has nothing to hide behind."""
    assert disguises(raw) == set()


@pytest.mark.parametrize("unit", ["a\x00", "\x00", "a\u0301", "é\u200b", "аb ", "\u200b"])
def test_a_long_slice_is_read_once(unit: str) -> None:
    """The time is linear in the length of the slice."""
    start = time.perf_counter()
    disguises("a" + unit * 100_000)

    assert time.perf_counter() - start < 5


def test_ordinary_text_in_many_languages_is_nearly_silent(shared: Path) -> None:
    """Of the lines of ordinary text in 40 languages, at most 16 are told: typing errors and format strings."""
    told = []
    lines = 0
    for row in (shared / "data" / "unicode" / "ordinary.jsonl").read_text("utf-8").splitlines():
        for line in json.loads(row)["text"].split("\n"):
            lines += 1
            told += [line] if disguises(line) else []

    assert lines > 20_000
    assert len(told) <= 16
