"""The fast form of the shipped packs says what the packs say."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from inkgate.match import packs
from inkgate.match.automaton import Automaton
from inkgate.match.index import heads_of, make_index, rank, read_users
from inkgate.match.parse import parse_packs
from inkgate.match.rules import Rule, load_rules


@pytest.fixture(scope="module")
def rules() -> tuple[Rule, ...]:
    """The rules of the packs, read anew."""
    return tuple(parse_packs(packs.texts()))


def test_the_fast_form_is_in_step(root: Path, rules: tuple[Rule, ...]) -> None:
    """The file that is shipped is what the packs give today."""
    shipped = (root / "patterns" / packs.COMPILED).read_text(encoding="ascii")

    assert shipped == packs.dump(packs.texts(), rules), "run python tools/build_packs.py"


def test_the_fast_form_gives_the_same_rules(rules: tuple[Rule, ...]) -> None:
    """Rules that are loaded fast equal rules that are read from the packs, and so does the index of their anchors."""
    fast = packs.compiled(packs.contents())

    assert fast is not None
    assert fast.rules == rules
    assert fast.anchors == make_index(rules)
    assert list(fast.anchors.plain.words) == list(make_index(rules).plain.words)


def test_a_rule_is_read_when_it_is_asked_for() -> None:
    """Only the id is there from the start; the rest comes with the first question, and a wrong one is an error."""
    rule = load_rules().rules[0]

    assert rule.id
    assert rule.title
    with pytest.raises(AttributeError, match="colour"):
        rule.colour  # type: ignore[attr-defined]  # noqa: B018


def test_an_edited_pack_is_read_anew() -> None:
    """When a text has changed, the fast form is not used; what it says of other patterns is the same as before."""
    edited = [(name, data + b"\n# edited\n") for name, data in packs.contents()]
    fast = packs.compiled(packs.contents())

    assert packs.compiled(edited) is None
    assert fast is not None
    assert tuple(packs.parsed(edited)) == fast.rules


def test_line_ends_do_not_make_packs_differ() -> None:
    """A checkout with other line ends still loads fast."""
    windows = [(name, data.replace(b"\n", b"\r\n")) for name, data in packs.contents()]

    assert packs.compiled(windows) is not None


@pytest.mark.parametrize("content", ["", "{", '{"format": 0}', "[]"])
def test_a_damaged_file_is_not_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: str) -> None:
    """A file that is cut off or of another format is passed over, and the packs are read."""
    data = packs.contents()
    (tmp_path / packs.COMPILED).write_text(content)
    monkeypatch.setattr(packs, "_root", lambda: tmp_path)

    assert packs.compiled(data) is None


def test_rules_that_are_switched_off_find_nothing() -> None:
    """A rule set without a rule is the same with and without the fast form."""
    off = frozenset(["ignore-instructions"])
    assert "ignore-instructions" not in {rule.id for rule in load_rules((), off).rules}


def test_a_short_text_is_looked_through_without_the_whole_automaton() -> None:
    """The first short texts and all later ones give the same anchors."""
    short = {"".join(pair) for pair in product("abcdefghijklmnopqrst", repeat=3)}
    words = sorted(short | {f"{word} {word}" for word in short} | {"a", "bc bcd", "\u0436 a"}, key=rank)
    heads = heads_of(words)
    text = "abc bcd " * 20
    fresh, used = Automaton(words, words.__getitem__, heads), Automaton(words, words.__getitem__, heads)
    list(used.iter("a" * 10_000))
    list(used.iter("\u0436" * 10_000))

    assert list(fresh.iter(text)) == list(used.iter(text)) != []
    assert list(fresh.iter("\u0436 " + text)) == list(used.iter("\u0436 " + text)) != []
    assert list(fresh.iter("a")) == list(used.iter("a")) != []


def test_units_are_read_as_they_are_written() -> None:
    """Each with how far apart two of its anchors may be."""
    assert read_users("3:0 12:40") == ((3, 0), (12, 40))
    assert read_users("") == ()
