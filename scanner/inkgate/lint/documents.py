"""The text of office documents: what is shown, what is hidden, comments, and descriptions in attributes.

A word processor cuts a sentence into runs at every change of format, so the tags go without leaving a blank, and only
the elements that end a line for the reader end one here. Nothing is looked up and no entity is expanded.
"""

from __future__ import annotations

from xml.parsers import expat

from inkgate.lint.bounds import CHUNK, ArchiveError, ByteReader, Problem
from inkgate.text.decode import Decoder

__all__ = ["DocumentText", "holds_document", "is_document_part"]

_LINES = frozenset(
    "p h br cr tr tc c row cell si is li comment annotation title text-box line-break table-cell sp slide".split()  # noqa: SIM905 - a list of words that stays readable
)
_BLANKS = frozenset(("s", "tab"))
_PARTS = (".xml", ".rels", ".vml")
_DEPTH = 512
_NAMES = 10_000
_TOKEN = 1 << 20
_WORTH = 16
"""Characters from which an attribute without blanks is long enough to hold an address or a key."""


def holds_document(names: set[str]) -> bool:
    """Whether a zip archive with these members is an Office Open XML or an OpenDocument file."""
    return "[Content_Types].xml" in names or {"mimetype", "content.xml"} <= names


def is_document_part(name: str) -> bool:
    """Whether a member of such a document is XML that holds text."""
    return name.lower().endswith(_PARTS)


class DocumentText:
    """Reads the text of one XML part of a document.

    Text is in reading order, a line for each paragraph or cell; comments and the values of attributes that could hold
    a sentence, an address or a key follow the line that they stand in.

    Args:
        reader: the bytes of the part.
        name: the part's name, for its problem.

    Attributes:
        problem: why the rest was read as plain text with its tags, or None.
    """

    def __init__(self, reader: ByteReader, name: str) -> None:
        self._reader, self._name = reader, name
        self.problem: Problem | None = None
        self._parser: expat.XMLParserType | None = self._make()
        self._plain = Decoder(lenient=True)
        self._out: list[str] = []
        self._aside: list[str] = []
        self._names: set[str] = set()
        self._depth = self._fed = self._beside = 0
        self._held = ""
        self._ended = False

    def _make(self) -> expat.XMLParserType:
        parser = expat.ParserCreate(intern=None)
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.CommentHandler = self._comment
        parser.ProcessingInstructionHandler = self._instruction
        parser.EntityDeclHandler = self._entity
        return parser

    def read(self, n: int, /) -> str:
        """At most `n` characters; empty at the end."""
        while not self._held and not self._ended:
            data = self._reader.read(CHUNK)
            self._ended = not data
            self._take(data)
            if self._ended and self._parser is None:
                self._out.append(self._plain.feed(b"", final=True))
            self._held = "".join(self._out)
            self._out.clear()
        text, self._held = self._held[:n], self._held[n:]
        return text

    def _take(self, data: bytes) -> None:
        parser = self._parser
        if parser is not None:
            try:
                self._parse(parser, data)
            except expat.ExpatError as error:
                self._fail(f"not valid XML: {expat.ErrorString(error.code)}")
            except (ArchiveError, ValueError, LookupError) as error:
                self._fail(f"not read as XML: {error}")
            else:
                return
        self._out.append(self._plain.feed(data))

    def _parse(self, parser: expat.XMLParserType, data: bytes) -> None:
        parser.Parse(data, not data)
        self._fed += len(data)
        if self._fed - max(0, parser.CurrentByteIndex) > _TOKEN:  # expat reads an unfinished token again each time
            raise ArchiveError(f"a tag is longer than {_TOKEN >> 20} MiB")
        if not data:
            self._line()

    def _fail(self, reason: str) -> None:
        self._parser = None
        self._line()
        self.problem = Problem(self._name, f"{reason}; read with its tags", "archive-damaged", unread=False)

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._names.add(tag)
        if attributes:
            self._names.update(attributes)
        if self._depth > _DEPTH:
            raise ArchiveError(f"elements are nested deeper than {_DEPTH}")
        if len(self._names) > _NAMES:
            raise ArchiveError(f"more than {_NAMES:,} names of elements")
        for name, value in attributes.items():
            blank = " " in value or "\n" in value
            if blank or (len(value) >= _WORTH and not name.startswith("xmlns")):
                self._set_aside(value)
        self._border(tag)
        if tag.rpartition(":")[2] in _BLANKS:
            self._out.append(" ")

    def _end(self, tag: str) -> None:
        self._depth -= 1
        self._border(tag)

    def _border(self, tag: str) -> None:
        local = tag.rpartition(":")[2]
        if local in _LINES:
            self._line()

    def _line(self) -> None:
        self._out.append("\n")
        for value in self._aside:
            self._out += (value, "\n")
        self._aside.clear()
        self._beside = 0

    def _set_aside(self, value: str) -> None:
        self._aside.append(value)
        self._beside += len(value)
        if self._beside > CHUNK:
            self._line()

    def _text(self, data: str) -> None:
        self._out.append(data)

    def _comment(self, data: str) -> None:
        self._set_aside(data)

    def _instruction(self, target: str, data: str) -> None:
        if len(data) >= _WORTH:
            self._set_aside(data)

    def _entity(self, *_: object) -> None:
        raise ArchiveError("it declares entities")
