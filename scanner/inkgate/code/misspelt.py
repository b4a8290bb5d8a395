"""Names of skills and tools that are a slip of the keys away from a word that everybody uses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

__all__ = ["misspelt"]

_SHORTEST = 5
_LONGEST = 80
_WORDS = frozenset(
    # Words that names of tools are made of. None of them is another one with two neighbouring letters swapped.
    """
    numpy openai pandas requests langchain adapter agent alert analysis analyzer android anthropic archive assistant
    audit automation backup browser builder calculator calendar chart cleaner client cloud collector command
    compiler config configuration connector container context converter coverage crawler creator database debugger
    dependency deploy deployment detector diagnostics diagram docker document downloader editor email engine
    environment executor explorer export extension extractor fetcher filesystem filter finder formatter framework
    function gateway generator gitlab github google graph handler helper history image importer index inspector
    installer integration internet javascript kubernetes language launcher library linter loader logger lookup
    manager markdown memory messenger metadata metrics microsoft migration monitor network notebook notifier notion
    optimizer organizer package parser password performance pipeline planner playwright plugin portfolio postgres
    preview printer processor profile profiler project prompt provider proxy publisher puppeteer python reader
    recorder redis refactor registry release renderer report reporter repository request research resolver review
    reviewer router runner sandbox scanner scheduler schema scraper screenshot script search security server service
    session settings signal slack snapshot snippet solana spreadsheet storage summarizer summary support system
    template terminal terraform testing tracker transcript transformer translate translator typescript updater
    upload uploader validate validation validator version viewer visualizer wallet weather webhook wikipedia
    workflow workspace writer
    """.split()  # noqa: SIM905 - stays readable
)
_REAL = frozenset({"reactor", "reactors", "tracer", "tracers", "pagination", "pprint", "pprinter", "contact", "mapper"})
"""Words of their own that are one slip from a word of the list."""

_TOKEN = re.compile(r"[a-z]{5,24}")
_VOWELS = frozenset("aeiouy")


def misspelt(name: str) -> bool:
    """Whether a part of a name is one slip from a word of the list: two letters swapped, one dropped, one doubled, one
    vowel taken for another. Endings do not count, so that other forms of a word are words of their own.

    Args:
        name: the name of a skill, a tool or a package, of at most 80 characters; longer ones are no such names.
    """
    return len(name) <= _LONGEST and any(_near(token) for token in _TOKEN.findall(name.lower()))


def _near(token: str) -> bool:
    return token not in _REAL and token not in _forms() and any(slip in _WORDS for slip in _slips(token))


@lru_cache(maxsize=1)
def _forms() -> frozenset[str]:
    """The words, and the other forms in which they are written."""
    endings = ("", "s", "es", "d", "ed", "r", "er", "or", "ers", "ing", "ly", "al", "y")
    stems = set(_WORDS) | {word[:-1] for word in _WORDS if word.endswith(("e", "y", "s"))}
    stems |= {word[:-2] for word in _WORDS if word.endswith(("er", "or", "ed"))}
    return frozenset(stem + ending for stem in stems for ending in endings)


def _slips(token: str) -> Iterator[str]:
    """What a token may have been before a slip of the keys; its first letter and its ending are taken as meant."""
    for at in range(1, len(token) - 1):  # two neighbours were swapped
        if token[at] != token[at + 1]:
            yield token[:at] + token[at + 1] + token[at] + token[at + 2 :]
    if token[:2] != token[1::-1]:
        yield token[1] + token[0] + token[2:]
    for at in range(1, len(token) - 1):
        if token[at] == token[at - 1]:  # one was doubled
            yield token[:at] + token[at + 1 :]
        if token[at] in _VOWELS and len(token) > _SHORTEST + 1:  # a vowel was taken for another one
            for vowel in "aeiou":
                yield token[:at] + vowel + token[at + 1 :]
    if len(token) >= _SHORTEST:  # one was dropped
        for at in range(1, len(token)):
            for letter in "abcdefghijklmnopqrstuvwxyz":
                yield token[:at] + letter + token[at:]
