"""What a match of a pattern must hold: the form in which the rules keep it."""

from __future__ import annotations

from inkgate.lean import NamedTuple

__all__ = ["Clause", "Near"]


class Near(NamedTuple):
    """One of `words` stands before or behind the anchor.

    Attributes:
        words: literals of the collapsed text.
        width: characters of the collapsed text that hold both it and the anchor, at most.
        before: whether it comes before the anchor.
    """

    words: tuple[str, ...]
    width: int
    before: bool


class Clause(NamedTuple):
    """One way to match.

    Attributes:
        anchors: lower-case literals, one of which every such match contains; none of them contains another one.
        marks: whether the anchors are of the text as it is, and not of the collapsed one: they are no words.
        exact: whether such a match begins with the first word character of its anchor.
        back: characters from where such a match begins to the end of its anchor, at most.
        ahead: characters from the beginning of the anchor to where such a match begins, at most, when it is behind it:
            keywords need only be near.
        cased: whether `starts` keep their case, for the text that keeps its own.
        starts: literals of the text as it is, one of which every such match begins with; empty when there are none.
        run: characters of the longest run of token characters (`runs.CHARS`) in every such match; 0: none is known.
        signs: marks, one of which every such match contains; none where that would spare little.
        sign_width: within how many characters from its beginning.
        near: what else it contains, the rarest first.
    """

    anchors: tuple[str, ...]
    marks: bool
    exact: bool
    back: int
    ahead: int
    cased: bool
    starts: tuple[str, ...]
    run: int
    signs: str
    sign_width: int
    near: tuple[Near, ...]
