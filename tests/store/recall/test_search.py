"""What a query finds, in which order, and that no query can be more than words."""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from recalled import say

from inkgate.store import RefusalError
from inkgate.store.recall import Message, RecallStore
from inkgate.store.recall.query import LONGEST, parse
from inkgate.store.recall.search import Filters

Texts = Callable[..., list[str]]

MIXED = (
    "データベースの移行は金曜日です", "我们昨天讨论了数据库的备份", "데이터베이스를 옮깁니다", "ฐานข้อมูลใหม่",
    "the port is 8443", "the configuration of it", "le café du port", "write a => b there", "100% of it",
    "a_x and b", "launch \U0001f680 now", "axb", "1000 of it",
)  # fmt: skip


def test_words_are_found_word_for_word(store: RecallStore) -> None:
    """A hit tells session, number, time and role, and its text is what was put in."""
    text = "The  Harbor build\nlistens on port 8443. \U0001f680"
    store.add([Message("chat-1", "assistant", text, 1_700_000_000.0)])
    (hit,) = store.search("HARBOR port").hits
    passage = hit.match.passage
    assert (passage.session, passage.number, passage.role, passage.text) == ("chat-1", 1, "assistant", text)
    assert (passage.when, hit.how) == ("2023-11-14T22:13:20Z", "words")
    assert hit.match.text == text


def test_the_better_match_comes_first_and_the_newer_of_two_equal_ones(store: RecallStore, texts: Texts) -> None:
    """Rank counts first; between equals the time does, not the order in which they were put in."""
    store.add(say(*(f"other things {number}" for number in range(20)), session="noise"))
    store.add(say("blue kettle", session="new", start=9000.0))
    store.add(say("blue kettle", session="old", start=10.0))
    store.add(say("blue kettle on the long grey shelf beside the many other things", session="long", start=99_000.0))
    hits = store.search("kettle").hits
    assert [hit.match.passage.session for hit in hits] == ["new", "old", "long"]
    assert hits[0].score == hits[1].score > hits[2].score > 0


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("移行", "データベースの移行は金曜日です"),
        ("金", "データベースの移行は金曜日です"),
        ("データベース", "データベースの移行は金曜日です"),
        ("数据", "我们昨天讨论了数据库的备份"),
        ("데이", "데이터베이스를 옮깁니다"),
        ("ข้อมูล", "ฐานข้อมูลใหม่"),
        ("ＰＯＲＴ", "the port is 8443"),
        ("figurat", "the configuration of it"),
        ("Cafe", "le café du port"),
        ("=>", "write a => b there"),
        ("100%", "100% of it"),
        ("_x", "a_x and b"),
        ("\U0001f680", "launch \U0001f680 now"),
    ],
)
def test_parts_of_words_scripts_without_spaces_and_signs(query: str, expected: str, store: RecallStore) -> None:
    """Short Han words, parts of words, other widths, missing accents and bare signs all find their text."""
    store.add(say(*MIXED))
    found = [hit.match.passage.text for hit in store.search(query).hits]
    assert expected in found
    assert len(found) <= 2


def test_a_phrase_is_a_phrase(store: RecallStore, texts: Texts) -> None:
    """Quotes, straight or typographic, keep the words together and in order."""
    store.add(say("release notes for May", "notes about the release"))
    assert texts('"release notes"') == ["release notes for May"]
    assert texts("“release notes”") == ["release notes for May"]
    assert set(texts("release notes")) == {"release notes for May", "notes about the release"}
    assert texts("release-notes") == ["release notes for May"]


@pytest.mark.parametrize(
    "query",
    ["tea NOT milk", "tea AND milk", "NEAR(tea milk)", "text:tea milk", "tea OR milk", "(tea milk", "^tea milk",
     '"tea milk',
     "tea* milk", "{text}: tea milk", "- text : tea milk", "tea + milk", "tea 'milk", "tea ;DROP TABLE messages; milk"],
)  # fmt: skip
def test_operators_are_words(query: str, store: RecallStore, texts: Texts) -> None:
    """What FTS5 would take for an operator neither raises nor excludes nor chooses a column."""
    store.add(say("tea with milk", "tea"))
    assert "tea with milk" in texts(query)
    assert store.verify().problems == ()


def test_an_operator_is_looked_for_as_a_word(store: RecallStore, texts: Texts) -> None:
    """Messages that hold the word are found by it."""
    store.add(say("use NOT NULL here", "null and void"))
    assert texts("NOT NULL") == ["use NOT NULL here"]


@given(st.text(max_size=60))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_text_raises_as_a_query(store: RecallStore, query: str) -> None:
    """Any text is answered, or refused because there is nothing in it to look for."""
    if not store.sessions():
        store.add(say("tea with milk", "データベース"))
    if any(not character.isspace() and character.isprintable() and character != '"' for character in query):
        assert store.search(query).query == query
    else:
        with contextlib.suppress(RefusalError):  # nothing to look for
            store.search(query)


@given(st.text(alphabet=st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=40))
@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_text_is_found_by_itself(store: RecallStore, text: str) -> None:
    """Whatever was said is found by saying it again, unless there is nothing in it to look for."""
    try:
        parse(text)
    except RefusalError:
        return
    store.add([Message("mirror", "user", text)])
    found = store.search(text, limit=50, filters=Filters(order="newest"))
    assert text in [hit.match.passage.text for hit in found.hits]


def test_limits_of_a_query_are_told(store: RecallStore) -> None:
    """Nothing is cut off in silence."""
    for query, code in (("a" * (LONGEST + 1), "query-too-long"), (" ".join(map(str, range(40))), "query-too-many")):
        with pytest.raises(RefusalError) as refusal:
            store.search(query)
        assert refusal.value.code == code


def test_a_question_finds_by_its_rare_words(store: RecallStore) -> None:
    """When no message holds every word, those that occur count, the common ones last."""
    store.add(say(*(f"we did talk about the plan {number}" for number in range(60)), "harbor deploys on friday"))
    hits = store.search("when did we talk about the harbor").hits
    assert [(hit.match.passage.text, hit.how) for hit in hits] == [("harbor deploys on friday", "some")]


def test_a_window_holds_the_neighbours_of_the_same_session(store: RecallStore) -> None:
    """Before and after are in order, end at the session's ends, and never come from another session."""
    store.add(say("one", "two", "three kettle", "four"))
    store.add(say("five", "six kettle", session="other", start=50.0))
    hits = {hit.match.passage.session: hit for hit in store.search("kettle", window=2).hits}
    assert [item.passage.text for item in hits["s"].before] == ["one", "two"]
    assert [item.passage.text for item in hits["s"].after] == ["four"]
    assert [item.passage.text for item in hits["other"].shown] == ["five", "six kettle"]


def test_filters_choose(store: RecallStore) -> None:
    """Session, excluded session, role, time and order."""
    store.add(say("kettle a", "kettle b", session="x", start=100.0))
    store.add(say("kettle c", session="y", start=200.0, role="assistant"))

    def found(**values: object) -> list[str]:
        hits = store.search("kettle", filters=Filters(**values)).hits
        return [hit.match.passage.text[-1] for hit in hits]

    assert found(session="x") == ["b", "a"]
    assert found(exclude="x") == ["c"]
    assert found(role="assistant") == ["c"]
    assert found(since=101.0, until=200.0) == ["b"]
    assert found(order="oldest") == ["a", "b", "c"]
    assert found(order="newest") == ["c", "b", "a"]


def test_very_many_matches_are_told(store: RecallStore, monkeypatch: pytest.MonkeyPatch) -> None:
    """When only the newest are ranked, the result says so."""
    monkeypatch.setattr("inkgate.store.recall.search.RANKED", 3)
    store.add(say(*(f"kettle {number}" for number in range(5))))
    found = store.search("kettle")
    assert found.notes == ("More than 3 messages match; the newest 3 were ranked.",)
    assert store.search("kettle 1").notes == ()
