"""Where a script without a parser gives values to names: assignments, loops, chains of calls, functions."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from inkgate.code.script_text import Outline, Span

__all__ = ["Function", "Locals", "Piece", "calls", "functions", "pieces", "words"]

_WORD = r"[A-Za-z_$][\w$]*+"
_ASSIGNED = re.compile(
    r"(?<![\w$])(?:([$@%]?[A-Za-z_][\w$]*+)((?:\s{0,2},\s{0,2}[$@%]?[A-Za-z_]\w{0,60}){0,2})|[{\[]([\w$\s,:]{1,400})[}\]])"
    r"\s{0,4}(?::\s{0,2}[\w<>\[\]&. ]{1,40}(?:,\s[\w<>]{1,20})?)?\s{0,4}[+.:?|&]{0,2}=(?![=>~])"
)
_LOOPED = re.compile(
    r"\b(?:for|foreach)\s{0,2}(?:await\s{0,2})?\(?\s{0,2}(?:(?:const|let|var|my|auto|final)\s{1,2})?(?:\w{1,20}\s{1,2})?"
    rf"(?:[$&]?({_WORD})|[\[({{]([\w$\s,]{{1,80}})[\])}}])\s{{1,2}}(?:of|in|:)\s(?=([^\n]{{1,400}}))"
    rf"|\bforeach\s{{0,2}}\(?\s{{0,2}}(?:my\s{{1,2}})?(?=([^\n]{{1,400}}?)(?:\s{{1,2}}as\s{{1,2}}(?:\$\w{{1,40}}\s{{0,2}}=>\s{{0,2}})?)\$({_WORD}))",
    re.IGNORECASE,
)
_EACH = re.compile(
    r"(?:\.\s{0,2}(?:(?:each\w{0,12}|map|forEach|flatMap|filter|for_each|then|tap|reduce)\b|on\(\s{0,2}['\"](?:data|message|line)['\"]\s{0,2},))"
    r"\s{0,2}[({]?\s{0,2}(?:async\s{1,2})?(?:function\b\s{0,2}\w{0,40}\s{0,2})?(?:do\s{1,2})?[(|{\[]{0,3}\s{0,2}"
    rf"({_WORD})((?:\s{{0,2}},\s{{0,2}}[A-Za-z_$]\w{{0,60}}){{0,2}})(?=[^\n]{{0,60}}?(?:=>|\||->|\{{|\bin\b))"
    r"|\|\s{0,2}(?:ForEach-Object|foreach|%)\s{0,2}\{\s{0,9}\$(_)",
    re.IGNORECASE,
)
_CALLBACK = re.compile(
    rf",\s{{0,9}}(?:async\b\s{{0,3}})?(?:function\b\s{{0,3}}\w{{0,40}}\s{{0,3}}\(([^()]{{0,200}})\)|(?:\(([^()]{{0,200}})\)|({_WORD}))\s{{0,3}}=>)"
)
_FILLED = re.compile(
    rf"(?<![\w$])({_WORD})(?:\s{{0,2}}(?:\.|->)\s{{0,2}}(?:append\w{{0,8}}|push\w{{0,8}}|write\w{{0,12}}|Write\w{{0,12}}|put|add|Add|set|insert|extend\w{{0,8}}|concat)!?\s{{0,2}}\(|\[[^\]\n]{{0,80}}\]\s{{0,2}}=(?![=>])|\s{{0,2}}<<\s)"
)
_DECLARED = re.compile(
    r"\b(?:function|func|fn|fun|sub|def)\b\s{0,3}\*?\s{0,3}(?:\([^)\n]{0,80}\)\s{0,2})?"
    rf"({_WORD})\s{{0,3}}(?:<[^>\n]{{0,60}}>)?(?=\()"
    r"|^[ \t]{0,16}(?:[\w<>\[\],.]{1,40}[ \t]{1,2}){0,5}"
    rf"(?!(?:if|for|while|switch|catch|return|foreach|elseif)\b)({_WORD})[ \t]?"
    r"(?=\([^()\n]{0,200}\)[^;{}()\n]{0,80}\{)",
    re.MULTILINE,
)
_BARE = re.compile(rf"\b(?:function|filter)[ \t]{{1,3}}({_WORD})\s{{0,9}}(?=\{{)", re.IGNORECASE)
"""A function of PowerShell without brackets: it gives back whatever its lines give."""
_RUBY = re.compile(
    r"^([ \t]{0,40})def[ \t]{1,3}(?:self\.)?([a-z_]\w*+)[?!]?(\([^()\n]{0,200}\))?[ \t]{0,9}\n", re.MULTILINE
)
_RUBY_END = re.compile(r"^([ \t]{0,40})end\b", re.MULTILINE)
_LAMBDA = re.compile(
    rf"\s{{0,4}}(?:async\b\s{{0,3}})?(?:(?:function|func|fn|sub)\b\s{{0,3}}\*?\s{{0,3}}\w{{0,40}}\s{{0,3}}\(([^()]{{0,400}})\)|(?:\(([^()]{{0,400}})\)|({_WORD}))\s{{0,3}}=>|\|([^|\n]{{0,80}})\|)"
)
_NAME = re.compile(r"[A-Za-z_][\w$]*+")


_DEPTH = 60
"""Functions inside of one another."""


class Function(NamedTuple):
    """A function of the script.

    Attributes:
        name: in small letters.
        start: where its parameters begin.
        stop: where its body ends.
        body: where that begins; of a function that gives back its last line, where this one does.
        parameters: as they are written.
        last: whether it gives back its last line.
    """

    name: str
    start: int
    stop: int
    body: int
    parameters: str
    last: bool = False


class Piece(NamedTuple):
    """Names that take a value.

    Attributes:
        names: in small letters.
        place: where they stand.
        spans: what the value is made of.
        form: how it is given: `assigned`, `taken` (apart, by name), `other`.
    """

    names: tuple[str, ...]
    place: int
    spans: Iterable[Span]
    form: str = "other"


def words(text: str) -> tuple[str, ...]:
    """The names in a text, in small letters."""
    return tuple(name.lower() for name in _NAME.findall(text))


def functions(outline: Outline) -> Iterator[Function]:
    """The functions that have a name and parameters in brackets."""
    text = outline.text
    for hit in _DECLARED.finditer(text):
        closed = outline.closing(hit.end())
        opened = text.find("{", closed, closed + 200)
        if opened >= 0:
            name = (hit[1] or hit[2]).lower()
            yield Function(name, hit.end(), outline.closing(opened), opened, text[hit.end() + 1 : closed])
    for hit in _BARE.finditer(text):
        yield Function(hit[1].lower(), hit.end(1), outline.closing(hit.end()), hit.end(), "", last=True)
    ends: dict[str, list[int]] = defaultdict(list)
    for hit in _RUBY_END.finditer(text):
        ends[hit[1]].append(hit.start())
    for hit in _RUBY.finditer(text):
        closing = ends[hit[1]]
        after = bisect_left(closing, hit.end())
        if after < len(closing):  # its value is that of its last line
            stop = closing[after] - 1
            last = text.rfind("\n", hit.end() - 1, stop) + 1
            yield Function(hit[2].lower(), hit.end(2), stop, last, (hit[3] or "")[1:-1], last=True)
    for hit in _ASSIGNED.finditer(text):
        head = _LAMBDA.match(text, hit.end()) if hit[1] and not hit[2] else None
        if head is not None:
            given = head[1] or head[2] or head[3] or head[4] or ""
            yield Function(words(hit[1])[0], hit.end(), outline.end(hit.end()), head.end(), given)


def pieces(outline: Outline) -> Iterator[Piece]:
    """What is given to names, but for the parameters of functions with a name."""
    text = outline.text
    for hit in _ASSIGNED.finditer(text):
        names = words(hit[3] or f"{hit[1]} {hit[2]}")
        yield Piece(
            names, hit.start(), outline.read(hit.end(), outline.end(hit.end())), "taken" if hit[3] else "assigned"
        )
    for hit in _LOOPED.finditer(text):
        yield Piece(words(hit[1] or hit[2] or hit[5]), hit.start(), (hit.span(3) if hit[3] else hit.span(4),))
    for hit in _EACH.finditer(text):
        names = words(f"{hit[1]} {hit[2]}" if hit[1] else hit[3])
        yield Piece(names, hit.start(), ((outline.beginning(hit.start()), hit.start()),))
    for hit in _FILLED.finditer(text):
        call = text[hit.end() - 1] == "("
        stop = outline.closing(hit.end() - 1) if call else outline.end(hit.end())
        yield Piece((hit[1].lower(),), hit.start(), ((hit.end(), stop),))
    for hit in _CALLBACK.finditer(text):
        opened = outline.bracket(hit.start())
        if opened >= 0:
            yield Piece(words(hit[1] or hit[2] or hit[3] or ""), hit.start(), ((opened, hit.start()),))


def calls(outline: Outline, function: Function, places: Iterable[int]) -> Iterator[Piece]:
    """What a function is given for its parameters, where its name stands at these places."""
    wanted = [words(part)[:3] for part in function.parameters.split(",")]
    for place in places if any(wanted) else ():
        opened = place + len(function.name)
        if opened == function.start or outline.text[opened : opened + 1] != "(":
            continue
        for names, span in zip(wanted, outline.arguments(opened), strict=False):
            if names:
                yield Piece(names, function.start + 1, (span,))


class Locals:
    """Parameters, which are other names inside of their function than outside of it.

    Attributes:
        all: their names.
        deep: whether functions stand in one another more deeply than is looked at.
    """

    def __init__(self, found: Iterable[Function]) -> None:
        self.deep = False
        self._functions = sorted(found, key=lambda item: (item.start, -item.stop))
        self._starts = [item.start for item in self._functions]
        self._names = [frozenset(words(item.parameters)) for item in self._functions]
        self._outer: list[int] = []
        self.all: frozenset[str] = frozenset().union(*self._names)
        around: list[int] = []
        for number, item in enumerate(self._functions):
            while around and self._functions[around[-1]].stop <= item.start:
                around.pop()
            self._outer.append(around[-1] if around else -1)
            around.append(number)
            self.deep = self.deep or len(around) > _DEPTH

    def key(self, name: str, place: int) -> str:
        """What a name at an offset is told apart by."""
        if name not in self.all:
            return name
        number = bisect_right(self._starts, place) - 1
        for _ in range(_DEPTH):
            if number < 0:
                break
            if place < self._functions[number].stop and name in self._names[number]:
                return f"{name}@{self._starts[number]}"
            number = self._outer[number]
        return name
