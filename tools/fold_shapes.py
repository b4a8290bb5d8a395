"""What neither the Unicode data nor `confusable-homoglyphs` knows: shapes set by hand, and scripts that are folded.

Read by `build_fold_table.py`. Every entry is here because of the letter's *shape* (what a person or a model takes it
for) or its *name* (a letter that is called A with something).
"""

from __future__ import annotations

__all__ = ["FOLDED_SCRIPTS", "LOWER_LIKE_UPPER", "NEVER", "SHAPES", "UPPER_SHAPED"]

# Scripts whose letters take a Latin shape. The others (Arabic, Hebrew, the Indic scripts, Thai, Lao, Khmer, Myanmar,
# Ethiopic, Hangul, Han, kana, N'Ko, Mende...) stay themselves: their letters are poor look-alikes inside a Latin word
# (joined, reordered from right to left, or built of several signs), and ordinary text in them would be riddled.
FOLDED_SCRIPTS = frozenset(
    [
        "Armenian", "Bamum", "Bassa_Vah", "Beria_Erfe", "Canadian_Aboriginal", "Carian", "Cherokee", "Common", "Coptic",
        "Cyrillic", "Deseret", "Elbasan", "Georgian", "Glagolitic", "Gothic", "Greek", "Inherited", "Latin",
        "Lisu", "Lycian", "Lydian", "Medefaidrin", "Miao", "Old_Hungarian", "Old_Italic", "Old_Turkic", "Osage",
        "Runic", "Tifinagh", "Tolong_Siki", "Vai", "Warang_Citi",
    ]
)  # fmt: skip

# Scripts whose small letters are small copies of their capitals, so that a shape found for one holds for the other.
LOWER_LIKE_UPPER = frozenset(["Cherokee", "Coptic", "Deseret", "Osage", "Warang_Citi", "Old_Hungarian", "Glagolitic"])

# Scripts without case that are drawn like Latin capitals: their bar-shaped letter is read as I, not as l.
UPPER_SHAPED = frozenset(["Lisu", "Runic", "Old_Italic", "Lycian", "Carian", "Lydian", "Gothic", "Miao"])

# Rows of the published tables that are not followed: ¡ opens an ordinary Spanish sentence and would glue an "i" to its
# first word; a danda ends an ordinary Hindi sentence and would be read as a pipe; °, ¦, triangles, and the ideographic
# full stop are no letters or dots; Л has no more of a Latin shape than л.
NEVER = frozenset("¡°¦。・〒।॥△▲Л")

_PAIRS = (
    # Latin letters without decomposition whose name does not say the letter that they look like
    ("ĐđÐðƉ", "d"), ("ÞþǷƿ", "p"), ("Ŋŋ", "n"), ("ƏəǝƎɘ", "e"), ("Ɛɛᶓꬲꬳꬴᴇ", "e"), ("Ɜɜɝᴈ", "3"), ("Ꞓꞓ", "e"),
    ("ƆɔͻᴐↃↄ", "c"), ("Ɩɩ", "i"), ("ı", "i"), ("ȷ", "j"), ("ĸᴋ", "k"), ("ſ", "s"), ("Ʃʃ", "s"), ("ɣƔ", "y"),
    ("Ʊʊᵿ", "u"), ("Ʌʌᴧ", "v"), ("ʍ", "w"), ("Ɯɯ", "m"), ("Ƨƨᴤ", "s"), ("Ʀʀ", "r"), ("ɿʅ", "r"), ("ɷ", "w"),
    ("ƕ", "h"), ("Ɥɥ", "h"), ("ɮ", "b"), ("Ɪɪ", "i"), ("ꭓꞳ", "x"), ("ƍ", "g"), ("ᴍꟽ", "m"), ("ꞵꞴ", "b"), ("ƽ", "s"),
    ("ƅ", "b"), ("ʒȝ", "3"), ("Ƽ", "5"), ("ꝡꝠ", "w"), ("ꞟʉ", "u"), ("ɒ", "a"), ("ɟⅎℲ", "f"), ("ᴆ", "d"),
    ("ꝁꝃꝅ", "k"), ("ꝗꝙ", "q"), ("ẞß", "ss"), ("Ææᴁᴭ", "ae"), ("Œœɶ", "oe"), ("ʣ", "dz"), ("ʦ", "ts"),
    # Greek: whole-text look-alikes and the letters that fancy alphabets take
    ("ϲϹ", "c"), ("ςσ", "o"), ("ωϖꞷ", "w"), ("χ", "x"), ("ε", "e"), ("δ", "d"), ("μ", "u"), ("η", "n"), ("θ", "o"),
    ("τ", "t"), ("κ", "k"), ("ζ", "z"), ("ϝ", "f"), ("ϻ", "m"), ("ͱ", "h"), ("β", "b"), ("ΛΔ", "a"), ("Σ", "e"),
    ("Γ", "r"),
    # Cyrillic: the small letters that are drawn as small capitals, and the ones read by their mirror image
    ("в", "b"), ("н", "h"), ("м", "m"), ("т", "t"), ("к", "k"), ("Гг", "r"), ("Ии", "n"), ("Яяᴙ", "r"), ("Пп", "n"),
    ("Шш", "w"), ("зӡ", "3"), ("Єє", "e"), ("ћђ", "h"), ("џ", "u"), ("Ӿӿ", "x"), ("Әә", "e"), ("Ѳѳ", "o"),
    ("Ԑԑ", "e"), ("Ъъь", "b"), ("Ѣѣ", "b"),
    # Armenian and Coptic
    ("ր", "r"), ("ֆ", "s"), ("ՂղՈ", "n"), ("Ⲁⲁ", "a"), ("Ⲉⲉ", "e"), ("Ⲱⲱ", "w"), ("Ⲡⲡ", "n"),
    # turned capitals and mathematical signs that stand for letters
    ("∀Ɐ∆", "a"), ("∃", "e"), ("∂", "d"), ("⅄", "y"), ("⅁", "g"), ("ꓭᗺ", "b"), ("ꓞ", "f"), ("ꓕ⊥", "t"), ("Ꞁ⅂", "l"),
    ("∈", "e"), ("℮", "e"), ("∅", "o"), ("©", "c"), ("®", "r"), ("℗", "p"),
    # currency signs
    ("₿฿", "b"), ("¢₡₵", "c"), ("₫₯", "d"), ("€₠", "e"), ("₣", "f"), ("₲", "g"), ("₴", "s"), ("₭", "k"),
    ("£₤₺", "l"), ("₥₼", "m"), ("₦", "n"), ("₱₽₧", "p"), ("₹", "r"), ("₮₸", "t"), ("₩", "w"), ("¥", "y"),
    ("₳", "a"), ("₨", "rs"), ("₶", "lt"),
    # punctuation
    ("“”„‟″‶〝〞〟❝❞", '"'), ("‘’‚‛′‵❛❜Ꞌꞌʼ", "'"), ("，", ","), ("─━╌╍┄┅┈┉", "-"), ("│┃╎╏┆┇┊┋❘❙❚", "|"),
    # the Arabic lengthening stroke carries no letter
    ("ـ", ""), ("‖∥", "||"), ("×✕✖✗✘╳", "x"),
)  # fmt: skip

SHAPES: dict[str, str] = {char: target for chars, target in _PAIRS for char in chars}
