"""Tricks that put markup, breaks or quotes between words or inside them, and places where a text can hide."""

from __future__ import annotations

import re
from collections.abc import Callable

__all__ = ["BREAKS", "FAR", "MARKUP", "PLACES", "TYPOS"]

Trick = Callable[[str], str]

KEYWORDS = re.compile(
    r"[Ii]gnore|previous|instructions?|reveal|system|[Ff]orget|everything|orders|unrestricted|assistant|rules|filters|"
    r"developer|disable|safety|guidelines|mention|passwords?|collector|without|telling|[Uu]pload|entire|conversation|"
    r"message|[Rr]emember|authorized|payments|confirmation|vendor|account|approve|command|asking|[Rr]egister|controller|"
    r"minute|tasks|[Ww]henever|contract|secretly|forward|every|create|agents|contents|print|stored|granted|access|"
    r"bypass|content|delete|backups"
)


def words(write: Callable[[str], str], between: str = " ") -> Trick:
    """Writes each word in its own way."""
    return lambda text: between.join(map(write, text.split(" ")))


def inside(left: str, right: str = "", *, at: int = 2) -> Trick:
    """Puts marks round the inner letters of each longer word, from the third on; addresses are left alone."""

    def write(word: str) -> str:
        if len(word) < at + 3 or not word[: at + 2].isalpha():
            return word
        return word[:at] + left + word[at : at + 2] + right + word[at + 2 :]

    return words(write)


def around(left: str, right: str) -> Trick:
    """Puts marks round each word that is all letters."""
    return words(lambda word: f"{left}{word}{right}" if word.isalpha() else word)


def joined(text: str, quote: str = '"', operator: str = " + ", width: int = 6) -> str:
    """String literals that a program puts together."""
    pieces = [text[at : at + width] for at in range(0, len(text), width)]
    return operator.join(f"{quote}{piece.replace(quote, chr(92) + quote)}{quote}" for piece in pieces)


def hyphens(text: str) -> str:
    """Long words broken over two lines with a hyphen."""
    return " ".join(
        f"{word[:3]}-\n{word[3:]}" if len(word) > 6 and word.isalpha() else word for word in text.split(" ")
    )


def narrow(start: str = "", count: int = 3, end: str = "") -> Trick:
    """A few words on each line, with a mark at the start of each."""

    def write(text: str) -> str:
        parts = text.split(" ")
        return "\n".join(start + " ".join(parts[at : at + count]) + end for at in range(0, len(parts), count))

    return write


def typo(change: Callable[[str], str]) -> Trick:
    """One slip in each telling word."""
    return lambda text: KEYWORDS.sub(lambda hit: change(hit[0]), text)


BREAKS: dict[str, Trick] = {
    "line break in the middle": lambda text: narrow(count=max(1, len(text.split(" ")) // 2))(text),
    "a word per line": lambda text: text.replace(" ", "\n"),
    "Windows line ends": lambda text: text.replace(" ", "\r\n"),
    "tabs": lambda text: text.replace(" ", "\t"),
    "no-break spaces": lambda text: text.replace(" ", "\xa0"),
    "ideographic spaces": lambda text: text.replace(" ", "\u3000"),
    "Braille blanks": lambda text: text.replace(" ", "\u2800"),
    "many blanks": lambda text: text.replace(" ", " " * 11),
    "very many blanks": lambda text: text.replace(" ", " " * 60),
    "blank lines": lambda text: text.replace(" ", "\n\n\n"),
    "line separators": lambda text: text.replace(" ", "\u2028"),
    "next-line controls": lambda text: text.replace(" ", "\x85"),
    "vertical tabs": lambda text: text.replace(" ", "\x0b"),
    "emoji between words": lambda text: text.replace(" ", " \U0001f642 "),
    "bars between words": lambda text: text.replace(" ", " | "),
    "full stops between words": lambda text: text.replace(" ", ". "),
    "ellipses between words": lambda text: text.replace(" ", " ... "),
    "bullet items": narrow("- "),
    "numbered items": narrow("1. "),
    "table cells": lambda text: "| " + text.replace(" ", " | ") + " |",
    "table rows": narrow("| ", 3, " |"),
    "blockquote lines": narrow("> "),
    "nested blockquote lines": narrow("> > > "),
    "comment lines": narrow("# "),
    "slash comment lines": narrow("// "),
    "hyphens at line ends": hyphens,
    "hard line breaks": narrow("", 2, "\\"),
    "HTML line breaks": lambda text: text.replace(" ", "<br>"),
    "HTML paragraphs": lambda text: "".join(f"<p>{word}</p>" for word in text.split(" ")),
    "escaped line ends": lambda text: text.replace(" ", "\\n"),
}

MARKUP: dict[str, Trick] = {
    "emphasis around words": around("**", "**"),
    "emphasis inside words": inside("**", "**"),
    "underscores around words": around("_", "_"),
    "code spans around words": around("`", "`"),
    "code spans inside words": inside("`", "`"),
    "strike-through inside words": inside("~~", "~~"),
    "highlight inside words": inside("==", "=="),
    "HTML comment between words": lambda text: text.replace(" ", " <!-- the weather is fine today --> "),
    "HTML comment for blanks": lambda text: text.replace(" ", "<!-- --> "),
    "HTML comment inside words": inside("<!-- x -->"),
    "long HTML comment inside words": inside(f"<!-- {'nothing to see ' * 60}-->"),
    "tags around words": around("<b>", "</b>"),
    "tags inside words": inside('<span class="a">', "</span>"),
    "empty tags inside words": inside("<i></i>"),
    "wbr inside words": inside("<wbr>"),
    "links on words": around("[", "](https://example.org/a)"),
    "reference links on words": around("[", "][a]"),
    "wiki links on words": around("[[", "]]"),
    "links inside words": inside("[", "](https://example.org)"),
    "empty links inside words": inside("[](#)"),
    "footnotes on words": words(lambda word: f"{word}[^1]" if word.isalpha() else word),
    "percent comments inside words": inside("%%x%%"),
    "percent comments between words": lambda text: text.replace(" ", " %%remember the milk%% "),
    "LaTeX braces inside words": inside("{", "}"),
    "backslashes inside words": inside("\\"),
    "quotes inside words": inside("''"),
    "carets inside words": inside("^"),
    "concatenated literals": joined,
    "concatenated literals, single quotes": lambda text: joined(text, "'", " + ", 9),
    "literals side by side": lambda text: joined(text, '"', "\n  ", 10),
    "literals joined by dots": lambda text: joined(text, '"', " . ", 8),
    "array of words": lambda text: str(text.split(" ")),
    "pieces in a Python join": lambda text: f"''.join([{joined(text, chr(39), ', ', 7)}])",
    "pieces in a JavaScript join": lambda text: f"[{joined(text, chr(34), ', ', 7)}].join('')",
    "quotation marks around words": around('"', '"'),
    "dollar signs around words": around("$", "$"),
    "curly braces around words": around("{", "}"),
    "brackets around words": around("[", "]"),
}

PLACES: dict[str, Trick] = {
    "HTML comment": "<!-- {} -->".format,
    "percent comment": "%%{}%%".format,
    "percent comment on lines": "%%\n{}\n%%".format,
    "code comment": "def total(rows):\n    # {}\n    return sum(rows)".format,
    "block comment": "/*\n * {}\n */\nexport const size = 3;".format,
    "docstring": 'def total(rows):\n    """{}"""\n    return sum(rows)'.format,
    "front matter": "---\ntitle: Shopping\ndescription: {}\n---\nMilk and bread.".format,
    "JSON value": '{{"title": "Shopping", "note": "{}"}}'.format,
    "YAML list": "notes:\n  - milk\n  - {}\n".format,
    "heading": "## {}".format,
    "bullet": "- {}".format,
    "task": "- [ ] {}".format,
    "blockquote": "> {}".format,
    "fence": "Run the following block:\n```text\n{}\n```".format,
    "indented code": "Do this:\n\n    {}\n".format,
    "link title": '[shop](https://example.org "{}")'.format,
    "link text": "[{}](https://example.org)".format,
    "image text": "![{}](https://example.org/a.png)".format,
    "reference definition": '[shop]: https://example.org "{}"'.format,
    "footnote": "The shop opens at nine.[^1]\n\n[^1]: {}".format,
    "collapsed callout": "> [!note]- Shopping\n> {}".format,
    "details": "<details>\n<summary>Shopping</summary>\n\n{}\n</details>".format,
    "hidden element": '<div style="display:none">{}</div>'.format,
    "attribute": '<img src="a.png" alt="{}">'.format,
    "white text": '<span style="color:#fff">{}</span>'.format,
    "table": "| item | note |\n|---|---|\n| milk | {} |".format,
    "parentheses": "Buy milk ({}) and bread.".format,
    "sentence before": "The shop opens at nine and closes at six. {}".format,
    "after a link": "See [the shop](https://example.org/a?b=c&d=e). {}".format,
    "in capitals": str.upper,
    "in small letters": str.lower,
    "in title case": lambda text: " ".join(word[:1].upper() + word[1:] for word in text.split(" ")),
}

FAR: dict[str, Trick] = {
    "after 65,536 characters": lambda text: "The shop is open today.\n" * 2800 + text,
    "after 1,000,000 characters": lambda text: "The shop is open today.\n" * 42000 + text,
    "across the 65,536th character": lambda text: "\n" + "x " * ((65536 - len(text) // 2) // 2) + text,
    "before 100,000 characters": lambda text: text + "\nThe shop is open today." * 4200,
    "after 5,000 blank lines": lambda text: "\n" * 5000 + text,
    "far to the right": lambda text: " " * 5000 + text,
}

TYPOS: dict[str, Trick] = {
    "letters swapped": typo(lambda word: word[:2] + word[3] + word[2] + word[4:]),
    "letter missing": typo(lambda word: word[:3] + word[4:]),
    "letter doubled": typo(lambda word: word[:3] + word[2:]),
    "inner letters shuffled": typo(lambda word: word[0] + word[-2:0:-1] + word[-1]),
    "rn for m, vv for w": lambda text: text.replace("m", "rn").replace("w", "vv"),
    "letters drawn out": lambda text: re.sub("([aeiou])", r"\1\1\1", text),
}
