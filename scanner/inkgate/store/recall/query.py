"""From what somebody typed to what the index is asked: words and phrases, never an operator.

FTS5 has a language of its own (`AND`, `NEAR(...)`, `col:`, `*`, `^`). None of it is meant by a person who types those
characters, so every term is handed over as a quoted string. Double quotes, straight or typographic, make a phrase.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from inkgate.store.errors import RefusalError

__all__ = ["LONGEST", "MOST_TERMS", "Term", "every", "fold", "parse", "some", "space", "trigrams"]

LONGEST = 2_000  # characters of a query
MOST_TERMS = 32

_PHRASE = re.compile(r'"([^"]*)"|“([^”]*)”|„([^“”]*)[“”]|«([^»]*)»|「([^」]*)」')
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

# Scripts that are written without spaces between words, or glue particles to them: Thai, Lao, Myanmar, Khmer, kana,
# bopomofo, Han, Hangul. Each of their characters is a word of its own to the index, so that any part can be found.
_UNSPACED = re.compile(
    "([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u312f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff])"
)


@dataclass(frozen=True, slots=True)
class Term:
    """One word, or one quoted phrase, in the form in which it is looked up."""

    text: str

    @property
    def has_word(self) -> bool:
        """Whether there is a letter or a digit in it; else only a look at every text can find it."""
        return any(character.isalnum() for character in self.text)


def fold(text: str) -> str:
    """A text as it is looked up: compatibility forms (full width, ligatures) in their plain form."""
    return text if text.isascii() else unicodedata.normalize("NFKC", text)


def space(text: str) -> str:
    """A folded text with the characters of unspaced scripts set apart."""
    return text if text.isascii() else _UNSPACED.sub(r" \1 ", text)


def parse(query: str) -> list[Term]:
    """The terms of a query, without repeats.

    Raises:
        RefusalError: `query-empty`, `query-too-long` or `query-too-many`.
    """
    if len(query) > LONGEST:
        raise RefusalError(
            "query-too-long", f"The query has {len(query):,} characters; {LONGEST:,} are allowed.",
            hint="Ask with the few words that matter.",
        )  # fmt: skip
    clean = fold(_CONTROL.sub(" ", query.encode("utf-8", "replace").decode("utf-8")))
    terms: dict[str, None] = {}
    position = 0
    for match in _PHRASE.finditer(clean):
        terms |= dict.fromkeys(_words(clean[position : match.start()]))
        terms |= dict.fromkeys(filter(None, [" ".join("".join(filter(None, match.groups())).split())]))
        position = match.end()
    terms |= dict.fromkeys(_words(clean[position:]))
    found = [Term(text) for text in terms]
    if any(term.has_word for term in found):  # a dash between words is no word; alone it is what is looked for
        found = [term for term in found if term.has_word]
    if not found:
        raise RefusalError("query-empty", "There is no word in the query.")
    if len(found) > MOST_TERMS:
        raise RefusalError(
            "query-too-many", f"The query has {len(found)} words; {MOST_TERMS} are allowed.",
            hint="Ask with the few words that matter.",
        )  # fmt: skip
    return found


def _words(text: str) -> list[str]:
    return text.replace('"', " ").split()


def every(terms: list[Term]) -> str:
    """The question for messages that hold every term as words."""
    return " AND ".join(_quoted(space(term.text)) for term in terms)


def some(terms: list[Term]) -> str:
    """The question for messages that hold any of the terms as words."""
    return " OR ".join(_quoted(space(term.text)) for term in terms)


def trigrams(terms: list[Term]) -> str:
    """The question for messages that hold every term of three characters or more, wherever it stands."""
    return " AND ".join(_quoted(term.text) for term in terms if len(term.text) >= 3)


def _quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'
