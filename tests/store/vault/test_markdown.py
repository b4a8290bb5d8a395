"""Headings, sections and links as CommonMark and Obsidian read them."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inkgate.store.vault.markdown import closed, links, sections


def titles(text: str) -> list[tuple[int, str]]:
    """Level and title of each heading."""
    return [(section.level, section.title) for section in sections(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# A\n## B ##\n###### F #x\n", [(1, "A"), (2, "B"), (6, "F #x")]),
        ("#no\n####### seven\n\\# no\n", []),
        ("   # A\n    # code\n", [(1, "A")]),
        ("#\n##   \n", [(1, ""), (2, "")]),
        ("A\n===\n\nB\nc\n---\n", [(1, "A"), (2, "B c")]),
        ("- item\n---\n", []),
        ("- item\ngoes on\n---\n", []),
        ("> quote\nlazy\n===\n", []),
        ("---\n***\ntext\n***\n", []),
        ("a | b\n--- | ---\n", []),
        ("| a |\n|---|\n", []),
        ("```\n# no\n```\n# A\n", [(1, "A")]),
        ("````\n```\n# no\n````\n# A\n", [(1, "A")]),
        ("~~~ x\n# no\n```\n~~~~\n# A", [(1, "A")]),
        ("> ```\n> # no\n# A\n", [(1, "A")]),
        ("- ```\n  # no\n  ```\n# A\n", [(1, "A")]),
        ("``` a`b\n# A\n", [(1, "A")]),
        ("<!--\n# no\n-->\n# A\n<!-- x --> \n# B\n", [(1, "A"), (1, "B")]),
        ("%%\n# no\n%%\n# A\n", [(1, "A")]),
        ("# A\r\n## B\r\ntext\r\n", [(1, "A"), (2, "B")]),
        ("# A\r## B\r", [(1, "A"), (2, "B")]),
        ("# Ünï 字 `x`\n", [(1, "Ünï 字 `x`")]),
        ("", []),
    ],
)
def test_headings(text: str, found: list[tuple[int, str]]) -> None:
    """ATX and setext, outside of code and comments."""
    assert titles(text) == found


def test_sections_reach_to_the_next_of_their_level() -> None:
    """With what stands under them, and the path of what stands above."""
    text = "intro\n# A\na\n## B\nb\n### C\nc\n## D\n# E\n"
    found = {section.title: text[section.body : section.end] for section in sections(text)}
    assert found == {"A": "a\n## B\nb\n### C\nc\n## D\n", "B": "b\n### C\nc\n", "C": "c\n", "D": "", "E": ""}
    assert [section.path for section in sections(text)][2] == ("A", "B", "C")


LINES = st.sampled_from(
    ["# a", "## b", "### c ##", "#", "a\n===", "b\n---", "a", "", "```", "~~~", "%%", "<!--", "-->", "> # q"]
)


@given(
    text=st.one_of(
        st.text(st.sampled_from("#ab \n\r`~-=>%<!|"), max_size=80),
        st.lists(LINES, max_size=12).map("\n".join),
    )
)
@example(text="# a\n## b\na\n# a")
def test_sections_cover_the_text(text: str) -> None:
    """Whatever the text: sections nest, follow each other and end in it; the offset moves them all."""
    found = sections(text)
    for section, other in itertools.pairwise(found):
        assert section.start < section.body <= other.start
        assert section.end >= other.end or section.end <= other.start
    assert all(0 <= section.start <= section.body <= section.end <= len(text) for section in found)
    moved = sections(f"xx\n\n{text}", 4)
    assert [(section.level, section.title, section.start - 4) for section in moved] == [
        (section.level, section.title, section.start) for section in found
    ]


def test_links_of_every_kind() -> None:
    """Target, heading, embed, and the place of the target in the text."""
    text = (
        '[[A]] ![[B c|x]] [[D/e#f|g]] [[#own]] [h](I%20j.md#k) ![l](<M n.md> "t") '
        "[o](https://x.org/a.md) [p](mailto:q)\n[[r^block]] [[s.md]]\n"
    )
    found = links(text)
    assert [(link.target, link.heading, link.embed, link.wiki) for link in found] == [
        ("A", "", False, True), ("B c", "", True, True), ("D/e", "#f", False, True), ("", "#own", False, True),
        ("I j.md", "#k", False, False), ("M n.md", "", True, False), ("s.md", "", False, True),
    ]  # fmt: skip
    assert [text[slice(*link.place)] for link in found][4:6] == ["I%20j.md", "M n.md"]


@pytest.mark.parametrize(
    "text",
    ["`[[A]]`", "``x ` [[A]]``", "```\n[[A]]\n```", "<!-- [[A]] -->", "%%\n[[A]]\n%%", "[[A", "[[A\n]]", "[[]]|"],
)
def test_no_links(text: str) -> None:
    """Code, comments, and what only looks like one."""
    assert [link for link in links(text) if link.target] == []


@pytest.mark.parametrize("text", ["` [[A]]", "`` ` [[A]]", "`x\n\n[[A]] `", "\\`[[A]]", "```\n```\n[[A]]"])
def test_backticks_that_close_nothing(text: str) -> None:
    """A run of backticks without its like in the paragraph is no code."""
    assert [link.target for link in links(text)] == ["A"]


def test_what_is_left_open() -> None:
    """Code and comments that a text does not close."""
    assert closed("```\nx\n```\n%% a %%\n<!-- b -->\n")
    for text in ("```\n", "~~~\n```\n", "%%\n", "<!-- a\n", "> ```\n"):
        assert not closed(text)


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "[[",
        "[[a",
        "`",
        "`` `",
        "# ",
        "#" * 7,
        "<!--",
        "%%",
        "> - ",
        "- ",
        "a\n---",
        "](",
        "![](<",
        " " * 9 + "#",
        "1. ",
    ],
)
def test_a_flood_of_marks_is_read_to_its_end(piece: str) -> None:
    """Twenty thousand of the same mark hide nothing that stands behind them in the open."""
    text = piece * 20_000 + "\n\n\n# A [[b]]\n"
    found = [link.target for link in links(text)][-1:]
    assert found == ([] if piece in ("<!--", "%%", "`") and not closed(text) else ["b"])
    assert titles(text)[-1:] == ([(1, "A [[b]]")] if found else titles(text)[-1:])
