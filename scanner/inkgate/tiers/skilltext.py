"""What a skill reads like that comes of a procedure, a note or an entry."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence

from .model import TierError

__all__ = ["described", "name_of", "procedure", "with_variant"]

LONGEST_NAME, LONGEST_DESCRIPTION = 64, 1024  # characters, by the Agent Skills specification

_OTHER = re.compile(r"[^a-z0-9]+")


def name_of(text: str) -> str:
    """A name for a skill: lower-case letters, digits and single hyphens.

    Raises:
        TierError: nothing of the text can stand in such a name.
    """
    plain = unicodedata.normalize("NFKD", text).casefold().encode("ascii", "ignore").decode("ascii")
    name = _OTHER.sub("-", plain)[:LONGEST_NAME].strip("-")
    if not name:
        raise TierError("The skill needs a name of lower-case letters, digits and hyphens.", hint="Give one yourself.")
    return name


def described(name: str, description: str, body: str) -> str:
    """A `SKILL.md` of a name, a description and a body."""
    line = " ".join(description.split())
    if len(line) > LONGEST_DESCRIPTION:
        line = line[: LONGEST_DESCRIPTION - 1] + "…"
    return f"---\nname: {name}\ndescription: {json.dumps(line, ensure_ascii=False)}\n---\n\n{body.strip()}\n"


def procedure(name: str, when: str, steps: Sequence[str], sources: Sequence[str]) -> str:
    """A skill of steps, with the sessions in which they worked."""
    title = name.replace("-", " ").capitalize()
    body = f"# {title}\n\n## When\n\n{when.strip()}\n\n## Steps\n\n{_numbered(steps)}\n\n## Where it comes from\n\n"
    return described(name, when, body + "\n".join(f"- {source}" for source in sources))


def with_variant(text: str, steps: Sequence[str], sources: Sequence[str]) -> str:
    """A skill with one more way of doing it, at its end."""
    told = "\n".join(f"- {source}" for source in sources)
    return f"{text.rstrip()}\n\n## Another way that worked\n\n{_numbered(steps)}\n\n{told}\n"


def _numbered(steps: Sequence[str]) -> str:
    lines = []
    for number, step in enumerate(steps, 1):
        first, *rest = step.strip().splitlines()
        lines += [f"{number}. {first}", *(f"   {line}" for line in rest)]
    return "\n".join(lines)
