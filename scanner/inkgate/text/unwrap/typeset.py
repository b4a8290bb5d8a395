"""What a typesetter, a template or a chat makes of a text: TeX, RTF, struck letters, letters by the names of emoji."""

from __future__ import annotations

import re
from collections.abc import Sequence

from inkgate.text.lazy import lazy
from inkgate.text.unwrap.passage import Edit, Passages
from inkgate.text.unwrap.scene import Scene

__all__ = ["typeset"]

_ACCENTS = "'\"`^~=."
_GONE = ("del", "s", "strike", "rt", "rp")
"""Elements of HTML whose text is struck out, or stands beside the words."""

_NEEDLES = (
    (b"\\", lazy(rf"\\(?:[{_ACCENTS}]\{{|[\"'`^][aeiou]|text|emph|math|underline|mbox|-|u[1-9])".encode())),
    (b"</", lazy(f"<(?:{'|'.join(_GONE)})>".encode())),
    (b"~~", None),
    (b"{\\", None),
    (b":regional_indicator_", None),
    (b":alphabet-", None),
    (b"_x0", None),
    (b"${", lazy(rb"""\$\{ ?["']""")),
    (b"{{", lazy(rb"""\{\{(?:-| ?["'])""")),
)
"""What stands where anything begins that is undone here: a text, and what of it is looked for where that is seen."""

_ASCII = bytes(byte if byte < 128 else ord("?") for byte in range(256))
_TYPESET = lazy(
    "|".join(
        (
            r"~~[^~\n]{1,80}~~(?=[A-Za-z])",
            rf"<(?P<gone>{'|'.join(_GONE)})>[^<\n]{{0,80}}</(?P=gone)>",
            rf"\\[{re.escape(_ACCENTS)}](?:\{{\\?(?P<braced>[A-Za-z])\}}"
            rf"|(?<=[A-Za-z]\\[{re.escape(_ACCENTS)}])(?P<accented>[A-Za-z]))",
            r"\\-(?<=[A-Za-z]\\-)(?=[A-Za-z])",
            r"\\(?:text(?:bf|it|tt|sc|rm|sf|sl|up|normal)?|emph|math(?:rm|bf|it|sf|tt)|underline|mbox)"
            r"\{(?P<face>[^{}\n]{1,200})\}",
            r"\{(?<=[A-Za-z]\{)\\[A-Za-z]{2,12}[^{}\n\\A-Z]{0,16}\}(?=[A-Za-z])",
            r"\\u(?P<rtf>[1-9][0-9]{1,4})[ ]?\?",
            r":(?:regional_indicator_|alphabet-(?:white|yellow)-)(?P<named>[a-z]):(?:[ ](?=:))?",
            r"_x(?P<wide>0[0-9A-Fa-f]{3})_",
            r"""\$\{[ ]?(?P<one>["'])(?P<filled>[^"'\n{}]{1,200})(?P=one)[ ]?\}""",
            r"""\{\{-?[ ]?(?P<two>["'])(?P<printed>[^"'\n{}]{1,200})(?P=two)[ ]?-?\}\}""",
        )
    )
)
_KEPT = ("braced", "accented", "face", "named", "filled", "printed")


def _undone(hit: re.Match[str]) -> tuple[str, Sequence[Edit]]:
    """Write what is shown: the letters of a group, the character of a number, or nothing."""
    code = int(hit["rtf"] or 0) or int(hit["wide"] or "0", 16)
    if code:
        shown = chr(code) if not 0xD800 <= code <= 0xDFFF else ""
        return "typeset", ((hit.start(), hit.end(), shown),)
    kept = next((name for name in _KEPT if hit[name]), None)
    if kept is None:
        return "typeset", ((hit.start(), hit.end(), ""),)
    return "typeset", ((hit.start(), hit.start(kept), ""), (hit.end(kept), hit.end(), ""))


def _present(scene: Scene) -> set[bytes]:
    """Return the needles that a scene has."""
    raw, found = scene.raw, set[bytes]()
    for sign, needles in _NEEDLES:
        if sign in raw:
            found.update([sign] if needles is None else needles.findall(raw))
    return found


def _locate(scene: Scene, position: int, limit: int) -> int:
    """Return where the next needle stands."""
    return scene.next_of("typeset", lambda: _present(scene), _ASCII, position, limit)


def typeset() -> Passages:
    """Text with the marks of a typesetter, a template or a chat undone."""
    return Passages(_TYPESET, _undone, longest=300, locate=_locate)
