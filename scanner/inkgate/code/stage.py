"""The code in a text that is being scanned: a script as a whole, a document's code blocks one by one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from inkgate.code import LONGEST, analyse
from inkgate.code.fences import Block, Fences
from inkgate.code.harmless import only_looks
from inkgate.code.language import Language, of_fence, of_file, of_text
from inkgate.code.model import CodeFinding, Trait
from inkgate.code.purpose import head_of, undeclared
from inkgate.model import Confidence, Severity

__all__ = ["Stage", "Staged", "shown_as_bad"]

_PLAIN = frozenset({"", "text", "txt", "plain", "plaintext", "output", "log", "none", "code"})
_HEAD = 8192
_BLOCKS = 4000
"""Code blocks of one document that are analysed."""

_SHOWN_AS_BAD = re.compile(
    r"\b(?:bad|wrong|avoid|never|don'?t|do not|insecure|unsafe|vulnerable|malicious|attack\w*|exploit\w*|dangerous|"
    r"anti-?patterns?|"
    r"flagged|detects?|red flags?|suspicious|incorrect|forbidden|prohibited|"
    r"backdoors?|threats?)\b|[\u274c\u26d4\U0001f6ab]",
    re.IGNORECASE,
)

_QUIET_IN_DOCUMENTS = frozenset(
    {"script-runs-downloaded", "script-persists", "script-writes-agent-files", "script-install-hook"}
)
"""What documents rightly show to people: with the rule's own severity these stay notes there."""


class Staged(NamedTuple):
    """A finding with its places in the whole text, and why it is only a mention (or empty)."""

    finding: CodeFinding
    mention: str = ""


class Stage:
    """Reads a text along with the scan.

    Args:
        source: path of the file, or empty.
    """

    def __init__(self, source: str) -> None:
        self._source = source
        self._language: Language | None = None
        self._known = False
        self._held: list[str] = []
        self._size = 0
        self._head = ""
        self._read = 0
        self._fences = Fences()
        self._blocks = 0
        self.traits: set[Trait] = set()

    def oldest(self, default: int) -> int:
        """Offset of the first character that a later finding may point at, if that lies before `default`."""
        if self._language is Language.MARKDOWN:
            return self._fences.oldest(default)
        return 0 if self._held else default

    def feed(self, block: str, *, final: bool = False) -> Iterator[Staged]:
        """Read the next block."""
        if not self._known:
            self._known = True
            self._language = of_file(self._source, block)
            if self._language is Language.MARKDOWN and self._source.rpartition("/")[2].lower() in ("", "skill.md"):
                yield from _front(block)
        if self._language is None:
            return
        if self._language is Language.MARKDOWN:
            yield from self._document(block, final)
            return
        if self._size <= LONGEST:
            self._held.append(block)
            self._size += len(block)
            if final or self._size > LONGEST:
                yield from self._script()
                self._held.clear()

    def _script(self) -> Iterator[Staged]:
        text = "".join(self._held)
        found = analyse(text, self._language or Language.SHELL, name=self._source, example=not self._source)
        self.traits |= found.traits
        for item in found.findings:
            yield Staged(item)

    def _document(self, text: str, final: bool) -> Iterator[Staged]:
        if len(self._head) < _HEAD:
            self._head += text[: _HEAD - len(self._head)]
        for block in self._fences.feed(text, final=final):
            yield from self._block(block)
        if final:
            yield from _named(self._head)
        if final and undeclared(head_of(self._head)[0], self.traits):
            _, start, end = head_of(self._head)
            yield Staged(CodeFinding("skill-undeclared-behaviour", start, end))

    def _block(self, block: Block) -> Iterator[Staged]:
        language = Language.SHELL if block.info == "!" else of_fence(block.info)
        if block.info == "!":
            severity = Severity.LOW if only_looks(block.text) else None
            yield Staged(CodeFinding("skill-inline-shell", *block.place(0, len(block.text)), "", severity))
        if language is None:
            if block.info.lower().partition(" ")[0] not in _PLAIN:
                return
            language = of_text(block.text)
        if not block.text.strip():
            return
        self._blocks += 1
        if self._blocks > _BLOCKS or block.truncated:
            if self._blocks <= _BLOCKS + 1 or block.truncated:
                message = "A document with more or longer code blocks than are analysed"
                yield Staged(CodeFinding("script-not-analysed", *block.place(0, len(block.text)), message))
            if self._blocks > _BLOCKS:
                return
        found = analyse(block.text, language, example=True)
        self.traits |= found.traits
        mention = "shown as a bad example" if _SHOWN_AS_BAD.search(block.line) else ""
        for item in found.findings:
            start, end = block.place(item.start, item.end)
            quiet = item.severity is None and item.rule in _QUIET_IN_DOCUMENTS and block.info != "!"
            sure = Confidence.LOW if quiet else item.confidence
            yield Staged(replace(item, start=start, end=end, confidence=sure), mention)


_NAMED = re.compile(r"\A\ufeff?---[ \t]*\n(?:[^\n]{0,400}\n){0,30}?name:[ \t]*[\"']?([\w.-]{3,80})[\"']?[ \t]*\r?\n")
_BARE = re.compile(r"\s{0,20}([a-z][a-z0-9]{1,40}(?:[-_./][a-z0-9]{1,40}){0,6})\s{0,20}\Z")


def _named(head: str) -> Iterator[Staged]:
    """A name that imitates a well-known word: of the skill, or of a tool where the text is nothing but its name."""
    found = _NAMED.match(head) or _BARE.match(head)
    if found is None:
        return
    from inkgate.code.misspelt import misspelt

    if misspelt(found[1]):
        yield Staged(CodeFinding("skill-name-misspelt", found.start(1), found.end(1)))


def _front(text: str) -> Iterator[Staged]:
    """What is dangerous in the front matter at the beginning of a text."""
    if not text.lstrip("\ufeff \t\r\n").startswith("---"):
        return
    from inkgate.code import front

    try:
        found = front.read(text, lenient=True)
        if found is not None and found.mended:
            message = "The front matter is not valid YAML; hosts may read it otherwise, or not at all"
            yield Staged(CodeFinding("skill-front-matter-broken", found.start, found.start, message, Severity.LOW))
        for item in front.dangers(found) if found is not None else ():
            yield Staged(item)
    except front.FrontError as error:
        yield Staged(CodeFinding("skill-front-matter-broken", error.start, error.start, str(error)))
    except Exception as error:  # noqa: BLE001 - what fails must not hide what it was to find
        message = f"The front matter could not be examined ({type(error).__name__})"
        yield Staged(CodeFinding("script-not-analysed", 0, 0, message))


def shown_as_bad(heading: str) -> bool:
    """Whether a heading announces bad examples."""
    return _SHOWN_AS_BAD.search(heading) is not None
