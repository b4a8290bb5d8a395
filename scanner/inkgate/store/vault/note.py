"""A note as it stands: its text, and what its front matter says about where it comes from and what became of it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

from inkgate.store.edit import digest
from inkgate.store.errors import RefusalError
from inkgate.store.names import QUARANTINE

from .changes import CONFLICT, SUPERSEDED_BY, SUPERSEDES, Stamp
from .markdown import Link, Section, links, sections
from .properties import Properties

__all__ = ["MARKDOWN", "Note", "bare", "check_new_name", "note_name", "pointed_at", "pointer"]

MARKDOWN = ".md"
RESOLVED = "resolved"

_CORE = frozenset(
    {
        "soul.md",
        "agents.md",
        "claude.md",
        "gemini.md",
        "memory.md",
        "user.md",
        "skill.md",
        "copilot-instructions.md",
        "agents.override.md",
        "claude.local.md",
        "codex.md",
        "qwen.md",
        "warp.md",
        "crush.md",
        "hermes.md",
        "replit.md",
    }
)  # files that hosts load by themselves: not for notes
_LATE = re.compile(rf"(.+/)?{QUARANTINE}/(.+)\.late\.[0-9a-f]{{12}}\.md")  # written into a file that was being replaced
_UNLINKABLE = re.compile(r"[\[\]#^|]|%%")  # Obsidian: Internal links
_POINTER = re.compile(r"\[\[([^\[\]|#]+)(?:[#|][^\[\]]*)?\]\]")


def note_name(name: object) -> str:
    """The name of a note with its ending, which a writer may leave out. Whether it is a good one is asked later.

    Raises:
        RefusalError: `bad-name` (no text), or `reserved`: the quarantine, or a file that agents load by themselves.
    """
    if not isinstance(name, str) or not name.strip():
        raise RefusalError("bad-name", "The name cannot be used: it is empty.")
    full = name if name.lower().endswith(MARKDOWN) else name + MARKDOWN
    parts = [part.casefold() for part in full.split("/")]
    if parts[-1] in _CORE:
        raise RefusalError("reserved", "Files of this name are loaded by agents; they are not written as notes.")
    if QUARANTINE in parts[:-1]:
        raise RefusalError(
            "reserved", "The quarantine is not written to directly.", hint="See `inkgate vault conflicts`."
        )
    return full


def bare(name: str) -> str:
    """The name as a link says it: without its ending."""
    return name[: -len(MARKDOWN)] if name.lower().endswith(MARKDOWN) else name


def pointer(name: str) -> str:
    """How a property points to a note: as a link, or by its name with the ending where a link could not hold it."""
    link = f"[[{bare(name)}]]"
    return name if _UNLINKABLE.search(name) or pointed_at(link) != name else link


def pointed_at(value: str) -> str:
    """The name of the note that a pointer leads to; empty for anything else."""
    found = _POINTER.fullmatch(value.strip())
    if found is not None:
        return bare(found[1].strip()) + MARKDOWN
    return value if value.lower().endswith(MARKDOWN) and "[[" not in value else ""


def check_new_name(name: str) -> None:
    """A name that a link can hold; notes that are there may have others.

    Raises:
        RefusalError: `bad-name`.
    """
    found = _UNLINKABLE.search(name)
    if found:
        raise RefusalError("bad-name", f"The name cannot be used: no link can hold {found.group()!r}.")
    if pointed_at(f"[[{bare(name)}]]") != name.removesuffix(name[-len(MARKDOWN) :]) + MARKDOWN:
        raise RefusalError("bad-name", "The name cannot be used: a link to it would lead to a note of another name.")


@dataclass(frozen=True)
class Note:
    """A note.

    Attributes:
        name: from the root of the vault, with `/`, its ending included.
        raw: its bytes.
        text: the same as text; a byte order mark is its first character.
    """

    name: str
    raw: bytes
    text: str

    @property
    def digest(self) -> str:
        """SHA-256 of the bytes; give it as `seen` with the next write."""
        return digest(self.raw)

    @cached_property
    def properties(self) -> Properties:
        """The front matter.

        Raises:
            RefusalError: `front-matter`: it cannot be read.
        """
        return Properties.of(self.text)

    @property
    def body(self) -> str:
        """The text behind the front matter."""
        return self.text[self.properties.body :]

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The headings, with places in `text`."""
        return sections(self.text, self.properties.body)

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The links to other notes, those of the front matter included, with places in `text`."""
        return links(self.text)

    @property
    def provenance(self) -> Stamp:
        """Author, date and source, as the front matter says; empty where it does not."""
        known = self.properties
        return Stamp(*(" ".join(known.items(name)) for name in ("author", "date", "source")))

    @property
    def superseded_by(self) -> str:
        """Name of the note that took its place; empty while it stands."""
        return pointed_at(self.properties.get(SUPERSEDED_BY))

    @property
    def supersedes(self) -> tuple[str, ...]:
        """Names of the notes whose place it took."""
        return tuple(filter(None, map(pointed_at, self.properties.items(SUPERSEDES))))

    @property
    def conflict_with(self) -> str:
        """For a note in quarantine that waits for a person: the note that it contradicts."""
        if self.properties.has(RESOLVED) or QUARANTINE not in self.name.split("/")[:-1]:
            return ""
        late = _LATE.fullmatch(self.name)
        told = pointed_at(self.properties.get(CONFLICT))
        return told or (f"{late[1] or ''}{late[2]}{MARKDOWN}" if late else "")
