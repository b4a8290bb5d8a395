"""The folded view: its laws, checked on every code point and on random text, and its offsets."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkgate.text.fold import Folded, _stays, fold, fold_char, pattern_chars

# Every plane that has characters; the planes between hold nothing that folds.
CODES = [*range(0x40000), *range(0xE0000, 0xE2000), *range(0xFFFFE, 0x100010), 0x10FFFF]

nasty = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(
            "aAzZ09 \n\t\0éÅﬁß½…①Ⅷㅎ한각각\u0301\u0327\u0323\u200b\u200d\ufe0f\u00ad\ud800\udfff\uffff\ufffe"
        ),
        st.sampled_from("аеоИЗзЛлшЮΣσςΩİıſ中。あがガｶﾞไทยकि़ক্لآا\u0640\U0001d400\U0001f1e6\U000e0041"),
    ),
    max_size=60,
)


def naive(text: str) -> str:
    """The fold by its definition, one character at a time."""
    return "".join(map(fold_char, text))


def origins(text: str) -> list[int]:
    """The source index of each character of the fold, one character at a time."""
    return [index for index, char in enumerate(text) for _ in fold_char(char)]


DROPPED = [*range(9), 11, *range(14, 32), 127, *range(0x80, 0x85), *range(0x86, 0xA0), 0xFFFD]


def test_controls_and_what_could_not_be_read_are_dropped() -> None:
    """A word is a word with a control character or a replacement character inside, and positions stay exact."""
    assert [code for code in DROPPED if fold_char(chr(code)) != ""] == []
    for char in map(chr, DROPPED):
        folded = fold(f"ig{char}nore")
        assert folded.lower == "ignore"
        assert [folded.source(place) for place in range(7)] == [0, 1, 3, 4, 5, 6, 7]


def test_ascii_is_never_rewritten() -> None:
    """All other ASCII characters fold to themselves, line feed, carriage return, form feed and tab among them."""
    text = "".join(map(chr, sorted({*range(128)} - {*DROPPED})))

    assert text == fold(text).cased
    assert text.lower() == fold(text).lower
    assert fold(text).identity


def test_every_fold_is_a_fixed_point() -> None:
    """Folding what folding gave changes nothing, for every code point."""
    assert [hex(code) for code in CODES if naive(fold_char(chr(code))) != fold_char(chr(code))] == []


def test_no_fold_leaves_a_capital_that_is_not_ascii() -> None:
    """Outside of ASCII the cased view is lower-cased already, so that both views are equally long."""
    folds = {fold_char(chr(code)) for code in CODES}

    assert [f for f in folds for char in f if char > "\x7f" and char.lower() != char] == []
    assert [f for f in folds if len(f.lower()) != len(f) or f.lower().lower() != f.lower()] == []


def test_every_character_folds_like_its_normal_forms() -> None:
    """NFC and NFD of a character fold like the character, for every code point."""
    for code in CODES:
        char = chr(code)
        for form in ("NFC", "NFD"):
            assert naive(unicodedata.normalize(form, char)) == fold_char(char), hex(code)


def test_no_fold_is_long() -> None:
    """One character folds to at most 18, the longest decomposition of Unicode."""
    assert max(len(fold_char(chr(code))) for code in CODES) == 18


def test_letters_in_use_fold_to_one_character() -> None:
    """A letter without decomposition folds to exactly one character, Latin ligatures apart."""
    longer = {
        char
        for char in map(chr, CODES)
        if unicodedata.category(char) in ("Lu", "Ll", "Lo") and len(fold_char(char)) > 1
        and unicodedata.normalize("NFKD", char) == char
    }  # fmt: skip
    named = [unicodedata.name(char) for char in longer]

    assert [name for name in named if not name.startswith("LATIN ")] == []
    assert longer >= set("æœßÆŒẞꜳ")
    assert longer.isdisjoint("ЮюЫыǁ")


@given(nasty)
def test_fold_is_the_concatenation_of_its_characters(text: str) -> None:
    """The view is context-free: the folds of the characters one after the other, and its own lower case."""
    folded = fold(text)

    assert naive(text) == folded.cased
    assert folded.cased.lower() == folded.lower
    assert len(folded.cased) == len(folded.lower)


@given(nasty, st.data())
def test_a_text_may_be_cut_anywhere(text: str, data: st.DataObject) -> None:
    """fold(a + b) is fold(a) + fold(b) for every cut."""
    cut = data.draw(st.integers(0, len(text)))

    assert fold(text).cased == fold(text[:cut]).cased + fold(text[cut:]).cased
    assert fold(text).lower == fold(text[:cut]).lower + fold(text[cut:]).lower


@given(nasty)
def test_canonically_equal_texts_fold_alike(text: str) -> None:
    """A text, its NFC and its NFD have one fold."""
    assert fold(text).cased == fold(unicodedata.normalize("NFC", text)).cased
    assert fold(text).cased == fold(unicodedata.normalize("NFD", text)).cased


@given(nasty)
def test_folding_is_idempotent(text: str) -> None:
    """Both views fold to themselves."""
    folded = fold(text)

    assert folded.cased == fold(folded.cased).cased
    assert folded.lower == fold(folded.lower).lower


@given(nasty)
def test_offsets_point_at_the_character_that_gave_the_fold(text: str) -> None:
    """Each position of the view maps to its character; the map never runs back, and its end is the text's end."""
    folded = fold(text)
    expected = origins(text)

    assert expected == [folded.source(position) for position in range(len(folded.cased))]
    assert expected == list(folded.sources(0, len(folded.cased)))
    assert expected == sorted(expected)
    assert len(text) == folded.source(len(folded.cased))
    assert folded.identity == (expected == list(range(len(text))) and len(expected) == len(text))


@pytest.mark.parametrize("position", [-1, 4])
def test_a_position_outside_of_the_view_is_an_error(position: int) -> None:
    """Positions outside of 0..len are refused, not guessed, in plain and in folded text."""
    for text in ("abc", "ab\u200bc"):
        with pytest.raises(IndexError):
            fold(text).source(position)
        with pytest.raises(IndexError):
            fold(text).sources(0, 4)


ALPHABETS = {
    "sparse": "abcdefghij klm nop " * 12 + "éßﬁ\u200b’",
    "russian": "абвгдежзийклмнопрстуфхцчшщъыьэюя АБВГ ",
    "russian with misses": "абвгдежзийклмнопрст " * 40 + "ﷺ①\uffff\ufffe\U0001f600",
    "greek": "αβγδεζηθικλμνξοπρστυφχψω ΑΒΓΔ",
    "hindi": "कखगघचछजझटठडढणतथदधनपफबभमयरलवशषसह्ािीुूेैोौं़ ",
    "arabic": "ابتثجحخدذرزسشصضطظعغفقكلمنهوي\u064b\u064e\u0650\u0651 ",
    "thai": "กขคฆงจฉชซญดตถทธนบปผฝพฟภมยรลวศษสหอ่้๊๋ัำิีึืุู ",
    "chinese": "".join(map(chr, range(0x4E00, 0x4E00 + 900))) + "，。：（）　",
    "japanese": "".join(map(chr, range(0x3041, 0x3094))) + "".join(map(chr, range(0x4E00, 0x4E80))),
    "korean": "".join(map(chr, range(0xAC00, 0xAE00))) + " ",
    "vietnamese": "aăâbcdđeêghiklmnoôơpqrstuưvxyàảãáạằẳẵắặầẩẫấậ ",
    "emoji": "words and words " * 12 + "👍🎉\ufe0f\u200d",
    "astral": "".join(map(chr, range(0x1D400, 0x1D7FF))) + "".join(map(chr, range(0x20000, 0x20200))),
    "marks": "ab" + "".join(map(chr, range(0x300, 0x370))),
    "surrogates": "ab\ud83d\ude00\udc80 " + "\uffff\ufffe",
    "tags": "ab" + "".join(map(chr, range(0xE0000, 0xE0080))),
}


def long_texts() -> list[tuple[str, str]]:
    """Texts of several lengths in every kind of writing, long enough for each of the fast ways."""
    texts = []
    for name, alphabet in ALPHABETS.items():
        draw = random.Random(name)
        texts += [(name, "".join(draw.choices(alphabet, k=size))) for size in (1023, 1024, 3000, 9001)]
    return texts


@pytest.mark.parametrize(
    ("name", "text"), long_texts(), ids=lambda value: value if len(value) < 30 else f"{len(value)}"
)
def test_every_way_of_folding_gives_the_same(name: str, text: str) -> None:
    """A long text in any writing folds to the folds of its characters, with the same offsets, on a second call too."""
    for _ in range(2):
        folded = fold(text)

        assert naive(text) == folded.cased
        assert naive(text).lower() == folded.lower
        assert origins(text) == list(folded.sources(0, len(folded.cased)))
        assert folded.identity == all(len(fold_char(char)) == 1 for char in text)
        at = len(folded.cased) * 2 // 3
        assert list(folded.sources(at, at)) == []
        if at:
            assert origins(text)[at] == folded.source(at)


def test_a_text_that_changes_its_writing_folds_alike() -> None:
    """The choice of a fast way by a sample never changes the result, though the rest is of another kind."""
    draw = random.Random(5)
    pieces = ["".join(draw.choices(alphabet, k=2500)) for alphabet in ALPHABETS.values()]
    for _ in range(12):
        draw.shuffle(pieces)
        text = "".join(pieces)

        assert naive(text) == fold(text).cased


def test_threads_do_not_disturb_each_other() -> None:
    """Many texts folded at once in threads give what they give one by one."""
    texts = [text for _, text in long_texts()] * 3
    expected = [naive(text) for text in texts]

    with ThreadPoolExecutor(8) as pool:
        assert expected == [folded.cased for folded in pool.map(fold, texts)]


@pytest.mark.parametrize(
    "unit", ["a\u0301", "\u0301\u0323", "é", "中é", "\U000e0041", "а\ud800", "ﷺ", "a\uffff", "한", "\u200b"]
)
def test_no_text_is_slower_than_linear(unit: str) -> None:
    """Sixteen times the text costs about sixteen times as long, also for the runs that make NFKC quadratic."""

    def measure(text: str) -> float:
        best = 9.0
        for _ in range(3):
            start = time.perf_counter()
            fold(text)
            best = min(best, time.perf_counter() - start)
        return best

    size = 20_000
    assert measure(unit * 16 * size) < 16 * 6 * max(measure(unit * size), 1e-4)


def test_examples_of_each_kind() -> None:
    """What the fold does, kind by kind."""
    examples = {
        "Ｉgnоrе": "Ignore",  # full width, Cyrillic о and е
        "ＡＫＩＡ": "AKIA",  # Latin letters keep their case
        "АВС": "abc",  # those of other scripts do not
        "é Å ñ": "e A n",
        "ﬁ æ ß ㏂ ½": "fi ae ss a.m. 1/2",
        "i\u200bg\u00adn\u2060o\ufe0fr\U000e0041e": "ignore",
        "i\x9dg\ufff9n": "ign",
        "a\u00a0b\u3000c\u2028d\u2029e\x85f\u2800g": "a b c d e f g",
        "مرحبا": "مرحبا",
        "مـرحبا": "مرحبا",  # the lengthening stroke is no letter
        "中文、日本": "中文、日本",
        "한국": "\u1112\u1161\u11ab\u1100\u116e\u11a8",
        "٣ १ ߀": "3 1 0",
        "“x” ‘y’ — ‐": "\"x\" 'y' - -",
        "¡Ignora!": "¡Ignora!",
        "Юрий": "юpnn",
        "ꝁ ꝗ Ӿ Ⲁ Ⲉ ր": "k q x a e r",
        "І ӏ ӏ│": "i l l|",
        "\ud800a\udfff": "\ud800a\udfff",
    }

    assert examples == {text: fold(text).cased for text in examples}


def test_upper_and_lower_case_fold_alike_where_the_shapes_allow() -> None:
    """Most Cyrillic, Greek and Armenian letters have one fold; the others have one per shape."""
    letters = "абвгдежзийклмнопрстуфхцчшщъыьэюя"
    several = {char: pattern_chars(char) for char in letters if len(pattern_chars(char)) > 1}

    assert several == {"б": ("6", "b")}
    assert pattern_chars("З") == ("3",)
    assert ("o", "e") == pattern_chars("σ") == pattern_chars("ς") == pattern_chars("Σ")


@given(st.characters())
def test_pattern_chars_meets_every_case_of_a_letter(char: str) -> None:
    """Whatever case a letter of a pattern is written in, its fold is among the alternatives."""
    alternatives = pattern_chars(char)

    assert alternatives
    assert len(alternatives) == len(set(alternatives))
    for form in (char, char.lower(), char.upper(), char.title()):
        if form in (char.lower(), char.upper(), char.title()):
            assert fold(form).lower in alternatives


def test_the_package_is_not_imported_and_its_environment_variable_has_no_effect() -> None:
    """Folding reads the shipped table only: no package, no data from the environment, and no table for ASCII."""
    code = """
import sys
from inkgate.text.fold import fold
fold("plain"); assert "inkgate.text._fold_table" not in sys.modules
print(fold("ignоrе").cased)
assert "inkgate.text._fold_table" in sys.modules
assert "confusable_homoglyphs" not in sys.modules
"""
    environment = {**os.environ, "CONFUSABLE_DATA": "/nonexistent", "PYTHONIOENCODING": "utf-8"}

    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, "ignore\n", "")


def test_repr_names_the_view() -> None:
    """A Folded shows its text when a test fails."""
    assert repr(fold("ab")) == "Folded('ab')"
    assert isinstance(fold("ab"), Folded)


def test_latin_text_that_stays_itself_is_known_without_the_map() -> None:
    """Exactly the characters of Latin-1 that stay themselves, and only where all of a text are such."""
    for point in range(256):
        char = chr(point)
        assert _stays(char) == (fold_char(char) == char), hex(point)
    for text in ("one \xa7 two \xa7 Three", "\xab yes \xbb", "\xa7", "caf\xe9 \xa7", "\xa7 \u2014", "a\x00\xa7"):
        folded = fold(text)
        assert folded.cased == "".join(map(fold_char, text))
        assert folded.lower == folded.cased.lower()
        assert folded.identity == (_stays(text) or (len(folded.cased) == len(text)))
