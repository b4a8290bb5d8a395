"""Front matter is changed in its text: what a change does not name keeps every byte; what is doubtful is refused."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from inkgate.store import RefusalError
from inkgate.store.vault.properties import Properties, dominant_line_end, plain, with_item, with_properties

# Pieces of front matter as people and plug-ins write it: each is one property, with its comments and blank lines.
PIECES = st.sampled_from(
    [
        "tags: [a,  'b' ,\"c\"]   # three\n", "aliases:\n  - One\n  - 'Two: x'\n", "aliases:\n- One\n# inside\n- Two\n",
        "# a comment\n", "\n", "title: \"Ein \\\"Titel\\\"\"\n", "n: 1_000\n", "when: 2020-01-01 10:00:00\n",
        "text: |\n  one\n\n  two\n", "folded: >-\n  a\n  b\n", "empty:\n", "map: {a: 1, b: [2]}\n",
        "deep:\n  x:\n    - y: z\n      w: 'q'\n", "'quoted key': v\n", "ünï: é 字 😀\n", "link: \"[[Note#H|a]]\"\n",
        "x: &anchor v\n", "bool: yes\n", "null_: ~\n", "url: https://example.org/a#b\n", "long: a b\n  c d\n",
        "trailing: v   \n", "cssclasses: [ ]\n", "\"date\": 2020-02-02\n", "author:   Ann   # she\n", "source:\n",
    ]
)  # fmt: skip
BODIES = st.sampled_from(["", "text\n", "# T\n\n---\nauthor: x\n---\n", "no end", "\n\n  \n"])
VALUES = st.one_of(
    st.sampled_from(
        ["agent", "yes", "null", "1.5", "[[A]]", "a: b", "# x", "", " ", "2020-01-01T00:00:00Z", "é😀", "x'\"\\"]
    ),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=20),
)


def fronts() -> st.SearchStrategy[str]:
    """Whole notes with front matter that is valid YAML."""
    parts = st.lists(PIECES, max_size=8, unique=True).map("".join)
    return st.builds(lambda yaml_, body: f"---\n{yaml_}---\n{body}", parts, BODIES).filter(_readable)


def _readable(text: str) -> bool:
    try:
        assert Properties.of(text).names is not None
    except RefusalError:
        return False
    return True


@given(note=fronts(), author=VALUES, ends=st.sampled_from(["\n", "\r\n"]), bom=st.booleans(), top=st.booleans())
def test_only_the_named_property_changes(note: str, author: str, ends: str, bom: bool, top: bool) -> None:
    """In any note, a property gets its value, and without its own line the note is what it was."""
    note = note.replace("\n", ends)
    note = ("\ufeff" if bom else "") + note
    name = "author" if top else "updated_by"
    changed = with_properties(note, {name: author})
    before, after = Properties.of(note), Properties.of(changed)
    assert after.items(name) == ((author,) if author else ())
    assert changed[after.body :] == note[before.body :]
    others = {key: value for key, value in before.tree().items() if key != name}
    assert {key: value for key, value in after.tree().items() if key != name} == others
    old, new = note.split(ends), changed.split(ends)
    lines = [line for line in new if not line.startswith((f"{name}:", f'"{name}":'))]
    assert lines == [line for line in old if not line.startswith((f"{name}:", f'"{name}":'))]
    assert yaml.load(changed[after.start : after.end], Loader=yaml.BaseLoader)[name] == author
    assert with_properties(changed, {name: author}) == changed


@given(value=st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_every_value_is_read_back(value: str) -> None:
    """Whatever a name, a source or a person contains, YAML reads it as the same text, on one line."""
    written = plain(value)
    assert len(written.splitlines()) == 1
    assert yaml.safe_load(f"k: {written}\n") == {"k": value}


@pytest.mark.parametrize(
    "value", ["yes", "No", "NULL", "true", "on", "1", "1.0", "0x1f", "1e3", "12:30", "2020-01-01", "~", "-"]
)
def test_words_that_yaml_takes_for_something_are_quoted(value: str) -> None:
    """A source called `no` stays a text."""
    assert yaml.safe_load(f"k: {plain(value)}") == {"k": value}


@given(note=fronts(), items=st.lists(st.sampled_from(["[[A]]", "[[B c]]", "[[Ä/ö]]"]), min_size=1, max_size=3))
def test_a_list_grows_item_by_item(note: str, items: list[str]) -> None:
    """Whatever the property was, it holds what it held and the new items, once each."""
    changed = note
    for item in items:
        changed = with_item(changed, "supersedes", item)
    assert Properties.of(changed).items("supersedes") == tuple(dict.fromkeys(items))
    before = Properties.of(note).tree()
    assert {key: value for key, value in Properties.of(changed).tree().items() if key != "supersedes"} == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('s: "[[A]]"\n', 's: ["[[A]]", "[[B]]"]\n'),
        ("s: x  # why\nt: 1\n", 's: [x, "[[B]]"]  # why\nt: 1\n'),
        ("s: [x, 'y']  # why\n", "s: [x, 'y', \"[[B]]\"]  # why\n"),
        ("s:\n  - x # one\n  # two\nt: 1\n", 's:\n  - x # one\n  - "[[B]]"\n  # two\nt: 1\n'),
        ("s:\n- x\n- y\n\nt: 1\n", 's:\n- x\n- y\n- "[[B]]"\n\nt: 1\n'),
        ("s: []\nt: 1\n", 's: ["[[B]]"]\nt: 1\n'),
        ("s:\nt: 1\n", 's: "[[B]]"\nt: 1\n'),
    ],
)
def test_each_kind_of_list_keeps_its_kind(before: str, after: str) -> None:
    """Comments and style stay."""
    assert with_item(f"---\n{before}---\nx", "s", "[[B]]") == f"---\n{after}---\nx"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("text\n", "---\na: b\n---\ntext\n"),
        ("", "---\na: b\n---\n"),
        ("\ufefftext", "\ufeff---\na: b\n---\ntext"),
        ("x\r\ny\r\n", "---\r\na: b\r\n---\r\nx\r\ny\r\n"),
        ("---\n---\ntext\n", "---\na: b\n---\ntext\n"),
        ("---\r\n# only\r\n---\r\nx", "---\r\n# only\r\na: b\r\n---\r\nx"),
        ("---\na:\nb: 1\n---\n", "---\na: b\nb: 1\n---\n"),
        ("---\na: # later\nb: 1\n---\n", "---\na: b # later\nb: 1\n---\n"),
        ("---\na: 'x'   # c\n---\n", "---\na: b   # c\n---\n"),
        ("---\n  a: x\n  b: y\n---\n", "---\n  a: b\n  b: y\n---\n"),
        ("---\n  b: y\n---\n", "---\n  b: y\n  a: b\n---\n"),
        ("---\nb: 1\n...\ntext", "---\nb: 1\na: b\n...\ntext"),
        ("----\nno front matter\n", "---\na: b\n---\n----\nno front matter\n"),
    ],
)
def test_where_a_property_is_written(before: str, after: str) -> None:
    """In its place, or on a line of its own at the end, or in new front matter."""
    assert with_properties(before, {"a": "b"}) == after


@pytest.mark.parametrize(
    "text",
    [
        "---\nno end\n", "---\na: [b\n---\n", "---\n- x\n---\n", "---\ntext\n---\n", "---\na: 1\na: 2\n---\n",
        "---\r# c\ra: 1\r---\r", "---\n{a: 1}\n---\n", "---\na: |\n  x\n---\n", "---\nb: &x 1\na: *x\n---\n",
        "---\na: [x]\n---\n", "---\na: {x: 1}\n---\n", "---\na: x\n  y\n---\n", "---\n" + "[" * 100 + "\n---\n",
        "---\n" + "a: x\n" * 20_000 + "---\n",
    ],
)  # fmt: skip
def test_what_is_doubtful_is_refused(text: str) -> None:
    """Front matter that cannot be changed with certainty is not changed; the message holds none of it."""
    with pytest.raises(RefusalError) as refusal:
        with_properties(text, {"a": "SECRET"})
    assert refusal.value.code == "front-matter"
    assert "SECRET" not in str(refusal.value)


def test_the_line_end_of_most_lines() -> None:
    """A note of mixed line ends is not half converted."""
    assert dominant_line_end("a\r\nb\r\nc\n") == "\r\n"
    assert dominant_line_end("a\nb\nc\r\n") == "\n"
    assert dominant_line_end("a\rb") == "\r"
    assert dominant_line_end("") == "\n"


def test_reading_a_property() -> None:
    """One value, a list, none."""
    known = Properties.of("---\na: x\nb: [y, 'z']\nc:\nd: ~\ne: {f: 1}\n---\n")
    assert [known.get(name) for name in "abcdef"] == ["x", "", "", "", "", ""]
    assert (known.items("a"), known.items("b"), known.items("c"), known.items("zz")) == (("x",), ("y", "z"), (), ())
    assert [name for name in "abcdef" if known.has(name)] == ["a", "b", "e"]
    assert known.written("b") == "b: [y, 'z']"
