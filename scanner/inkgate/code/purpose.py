"""Whether a skill's name and description speak of what its code does."""

from __future__ import annotations

import re
from collections.abc import Iterable

from inkgate.code.model import Trait

__all__ = ["WORDS", "head_of", "speaks_of", "undeclared"]

_HEAD = 8192


def words(text: str) -> frozenset[str]:
    """A set of words, written as a text so that it stays readable."""
    return frozenset(text.split())


WORDS = words(
    """
    api apis http https rest graphql webhook webhooks network web website websites browser browse url urls
    online internet cloud remote server servers download downloads upload uploads fetch fetches sync syncs
    synchronize send sends email emails mail post posts publish publishes deploy deploys deployment push share
    backup backups sftp ftp ssh scp s3 git github gitlab bitbucket jira slack discord telegram notion linear
    google drive gmail calendar aws azure gcp kubernetes docker registry npm pypi database databases sql
    postgres mysql redis mongodb stripe twilio openai anthropic gemini llm model models huggingface search
    scrape scraping crawl crawler rss feed request requests client integration integrations credential
    credentials secret secrets password passwords token tokens key keys auth authentication oauth login
    account accounts vault keychain wallet security audit scanner scan pentest forensics dotfiles environment
    env
    """
)
"""Words that tell a reader that the network or credentials come into it."""

_FIELD = re.compile(r"^(name|description):[ \t]*(.*)$", re.MULTILINE)
_MORE = re.compile(r"(?:\n[ \t]+[^\n]*){0,40}")
_WORD = re.compile(r"[a-z0-9]+")


def head_of(text: str) -> tuple[str, int, int]:
    """The name and description of a skill, and where the description stands in the text.

    Args:
        text: the beginning of a `SKILL.md`; without front matter its first lines stand for the description.
    """
    text = text[:_HEAD]
    opened = text.removeprefix("\ufeff").startswith("---")
    end = text.find("\n---", 3) if opened else -1
    front = text[:end] if end > 0 else ""
    found = list(_FIELD.finditer(front))
    if not found:
        first = text.find("\n\n", 0, 600)
        return text[: first if first > 0 else 600], 0, min(len(text), 1)
    parts = []
    place = found[0]
    for hit in found:
        more = _MORE.match(front, hit.end())
        parts.append(hit[2] + (more[0] if more else ""))
        if hit[1] == "description":
            place = hit
    return " ".join(parts), place.start(), place.end()


def speaks_of(description: str) -> bool:
    """Whether a description has a word of `WORDS` in it."""
    return any(word in WORDS for word in _WORD.findall(description.lower()))


def undeclared(description: str, traits: Iterable[Trait]) -> bool:
    """Whether code reads credentials and sends data, and the description speaks of neither."""
    return {Trait.CREDENTIALS, Trait.SENDS} <= set(traits) and not speaks_of(description)
