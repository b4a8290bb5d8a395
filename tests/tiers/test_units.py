"""Statements: how they are found in summaries and sessions, and where they are said to come from."""

from __future__ import annotations

import pytest

from inkgate.store.recall import Passage
from inkgate.tiers.never import objection
from inkgate.tiers.orders import is_order
from inkgate.tiers.units import from_session, from_summary, locate


def said(*texts: str, role: str = "user") -> list[Passage]:
    """Messages in a row."""
    return [Passage("s", number, float(number), role, text) for number, text in enumerate(texts, 1)]


@pytest.mark.parametrize(
    ("text", "statement"),
    [
        ("Remember that the wiki is at wiki.example.", "The wiki is at wiki.example."),
        ("ok, please remember: tests run at noon", "Tests run at noon"),
        ("Can you remember that tests run at noon?", "Tests run at noon"),
        ("Tests run at noon, remember that.", "Tests run at noon"),
        ("Don't forget: the crane is closed on Fridays", "The crane is closed on Fridays"),
        ("Note to self: the crane is closed on Fridays", "The crane is closed on Fridays"),
        ("Save this for later: the crane is closed on Fridays", "The crane is closed on Fridays"),
        ("Hello. Keep in mind that builds are slow. Bye.", "Builds are slow."),
        ("Merk dir bitte, dass der Kran freitags ruht.", "Der Kran freitags ruht."),
        ("Recuerda que la grúa cierra los viernes.", "La grúa cierra los viernes."),
        ("请记住服务器端口是8443", "服务器端口是8443"),
        ("デプロイは金曜日を覚えておいてください。", "デプロイは金曜日"),
        ("We decided to keep the old crane.", "We decided to keep the old crane."),
        ("I prefer short answers.", "I prefer short answers."),
    ],
)
def test_what_a_user_asks_to_be_kept_is_found(text: str, statement: str) -> None:
    """Without the words of the request, and with its message."""
    (unit,) = from_session("s", said(text))
    assert (unit.text, unit.source.told, unit.entry) == (statement, "session s, message 1", True)


@pytest.mark.parametrize(
    "text",
    [
        "I don't remember the port.",
        "Do you remember what we did?",
        "Save the file and run the tests.",
        "Note the time of the crane.",
        "> Remember that the wiki moved.",
        "```\nremember that the wiki moved\n```",
        "Have we decided on a crane?",
        "The store has remembered nothing.",
    ],
)
def test_what_only_looks_like_a_request_is_none(text: str) -> None:
    """Denials, questions, other meanings, and other people's words."""
    assert from_session("s", said(text)) == []


def test_a_request_before_a_list_means_its_items() -> None:
    """Up to the end of the paragraph."""
    units = from_session(
        "s", said("Please remember this:\n- the wiki moved\n2. tests run at noon\n\nThe crane is red.")
    )
    assert [unit.text for unit in units] == ["the wiki moved", "tests run at noon"]


def test_a_summary_is_read_by_items_and_sentences() -> None:
    """Under their headings; what goes on in the next line belongs to its item."""
    units = from_summary(
        "# Summary\n\n## Facts ##\n- The wiki\n  moved.\n* [x] Tests run at noon.\n\n"
        "Open:\n1. Crane?\n\n```\nmake\n```\n",
        "s",
        said("the wiki moved", "tests run at noon"),
    )
    assert [(unit.heading, unit.text) for unit in units] == [
        ("Summary / Facts", "The wiki moved."),
        ("Summary / Facts", "Tests run at noon."),
        ("Summary / Facts / Open", "Crane?"),
        ("Summary / Facts / Open", "```\nmake\n```"),
    ]
    assert [unit.source.told for unit in units[:2]] == ["session s, message 1", "session s, message 2"]


def test_the_messages_that_say_so_are_named() -> None:
    """Those that hold the rare words; runs are joined; nothing when none supports it."""
    messages = said(
        "hello there", "Nordwind has 14 vessels", "yes, Nordwind has 14 vessels", "bye there", "Nordwind: 14 vessels"
    )
    assert locate("Nordwind has 14 vessels.", messages) == (((2, 3), (5, 5)), ("user",))
    assert locate("The mascot is a heron.", messages) == ((), ())


RUNS = [
    ".",
    " ",
    "a.",
    "I ",
    "please ",
    "#",
    "- ",
    "> ",
    "'",
    "|",
    "a|",
    "0,",
    "{",
    "we ",
    "remember ",
    "when a, ",
    "請",
]


@pytest.mark.parametrize("run", RUNS)
def test_runs_of_one_thing_hold_nobody_up(run: str) -> None:
    """A long run of a character or a word, alone and around a request, is read like any other text."""
    text = (run * 60_000)[:60_000]
    units = from_session(
        "s", said(f"Remember that the wiki moved.\n\n{text}", f"{text}\n\nTests run at noon, remember that.")
    )
    assert {"The wiki moved.", "Tests run at noon"} <= {unit.text for unit in units}
    assert objection(text).code == "never-dump"
    assert isinstance(is_order(text[:4_000]), bool)
    assert from_summary(f"- The wiki moved.\n\n{text}\n", "s", said(text))[0].text == "The wiki moved."
