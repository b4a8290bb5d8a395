"""Operations on entries, without a disk."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkgate.store import Action, Operation, RefusalError
from inkgate.store.entries import joined_length
from inkgate.store.plan import find_entry, plan

ADD, REPLACE, REMOVE = Action.ADD, Action.REPLACE, Action.REMOVE
_WORDS = st.sampled_from(["aa", "ab", "aab", "b", "c c", "dé"])
_STEPS = st.one_of(
    st.builds(Operation, st.just(ADD), _WORDS),
    st.builds(Operation, st.just(REPLACE), _WORDS, _WORDS),
    st.builds(Operation, st.just(REMOVE), st.just(""), _WORDS),
)


def _code(entries: list[str], *operations: Operation, cap: int = 100, batch: bool = False) -> str:
    with pytest.raises(RefusalError) as caught:
        plan(entries, operations, cap=cap, batch=batch)
    return caught.value.code


def test_a_whole_entry_wins_over_a_piece() -> None:
    """A short entry that stands inside a longer one can be named."""
    assert find_entry(["tests pass", "test"], "test") == "test"


def test_a_piece_names_one_entry_or_none() -> None:
    """Several entries with the piece are ambiguous, none is no match; repeats count as one."""
    assert find_entry(["a 1", "b", "a 1"], "a") == "a 1"
    assert _code(["a 1", "a 2"], Operation(REMOVE, old_text="a")) == "ambiguous"
    assert _code(["a 1"], Operation(REMOVE, old_text="z")) == "no-match"
    assert _code(["a 1"], Operation(REMOVE, old_text=" ")) == "empty-text"


def test_line_ends_do_not_hide_an_entry() -> None:
    """A piece with LF names an entry that was written with CRLF."""
    assert find_entry(["one\r\ntwo", "x"], "one\ntwo") == "one\r\ntwo"


def test_the_same_text_in_other_characters_is_found() -> None:
    """é as one character names an entry with é as two, and the other way; an entry with the very characters wins."""
    one, two = "caf\u00e9 is open", "cafe\u0301 is open"
    assert find_entry([two, "x"], "caf\u00e9") == two
    assert find_entry([one, "x"], "cafe\u0301") == one
    assert find_entry([one, two], "caf\u00e9") == one
    assert _code([one, f"{one} late"], Operation(REMOVE, old_text="cafe\u0301 ")) == "ambiguous"


def test_a_pinned_entry_must_still_be_there() -> None:
    """Only the entry that was shown qualifies."""
    assert find_entry(["a 1", "a 2"], "a", "a 2") == "a 2"
    assert _code(["a 2"], Operation(REMOVE, old_text="a", pinned="a 1")) == "changed"


@pytest.mark.parametrize(
    ("entries", "operation", "accepted"),
    [
        (["x" * 10], Operation(ADD, "y" * 87), True),
        (["x" * 10], Operation(ADD, "y" * 88), False),
        (["x" * 150, "y"], Operation(REMOVE, old_text="y"), True),
        (["x" * 150, "y"], Operation(REPLACE, "x" * 140, "x"), True),
        (["x" * 150, "y"], Operation(REPLACE, "x" * 160, "x"), False),
        (["x" * 150, "y"], Operation(REPLACE, "z", "y"), False),
    ],
)
def test_the_cap_holds_and_what_shrinks_is_welcome(entries: list[str], operation: Operation, accepted: bool) -> None:
    """Up to the cap everything fits; over it only what makes the store smaller."""
    if accepted:
        assert plan(entries, [operation], cap=100).real
    else:
        assert _code(entries, operation) == "over-cap"


def test_a_batch_is_judged_by_its_end() -> None:
    """An add that does not fit yet is fine when a later step makes room; a failing step undoes all."""
    steps = [Operation(ADD, "y" * 60), Operation(REMOVE, old_text="x")]
    assert plan(["x" * 90], steps, cap=100, batch=True).new == ("y" * 60,)
    assert _code(["x"], Operation(ADD, "y"), Operation(REMOVE, old_text="zz"), batch=True) == "no-match"
    assert _code(["x"], Operation(REMOVE, old_text="x"), batch=True) == "would-empty"


def test_replacing_by_the_text_of_another_entry_folds_them() -> None:
    """No two entries are the same, not even for a moment on the disk."""
    assert plan(["A", "B"], [Operation(REPLACE, "B", "A")], cap=100).new == ("B",)


@given(st.lists(_WORDS, max_size=5), st.lists(_STEPS, min_size=1, max_size=4), st.booleans(), st.integers(1, 20))
def test_a_plan_keeps_its_promises(entries: list[str], steps: list[Operation], batch: bool, cap: int) -> None:
    """No repeats, never over the cap unless smaller than before, and untouched entries keep their order."""
    if not batch:
        steps = steps[:1]
    try:
        made = plan(entries, steps, cap=cap, batch=batch)
    except RefusalError:
        return
    assert len(set(made.new)) == len(made.new)
    size, before = joined_length(made.new), joined_length(made.old)
    assert size <= cap or size < before or made.new == made.old
    touched = {change.before for change in made.changes} | {change.after for change in made.changes}
    stable = [entry for entry in made.old if entry not in touched]
    assert [entry for entry in made.new if entry in stable] == stable
    assert made.new or not made.old or not batch
