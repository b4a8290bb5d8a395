"""How deep Python nests is told by the same tokens, however the expression that finds them is written."""

from __future__ import annotations

import ast
import re
from string import ascii_letters

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkgate.code import nesting, traps
from inkgate.code.model import CodeFinding
from inkgate.code.python.order import postorder

PLAIN = re.compile(
    r"""(?P<string>'''|\"\"\")|(?P<quote>['"])|(?P<comment>\#[^\n]*)|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<line>\n)
    |(?P<stop>[,;])|(?P<chain>\*\*|//|[-+*/%&|^~@.<>]|\b(?:not|and|or|if|else|elif|lambda|await|in|is)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
PIECES = ["not", "AND ", " or ", "if", "else", "elif ", "lambda", "await", "in", "is ", "'''", '"""', "**", "//"]
CHARS = ascii_letters + "()[]{}'\"#\n,;*/+%&|^~@.<>-_1 \\\u00e9\u0131\u0130\u017f\u00a0"
SOURCE = (
    "def f(a, *b, key=1, **c):\n    if not a and b < 2:\n        return [-x + y ** 2 for x, y in c.items() if x in b]\n"
)


def tokens(pattern: re.Pattern[str], text: str) -> list[tuple[str | None, int, str]]:
    """Every token that stands behind the one before it."""
    return [(hit.lastgroup, hit.end(), hit[0]) for hit in pattern.finditer(text)]


@given(st.lists(st.sampled_from([*PIECES, *CHARS]), max_size=40).map("".join))
def test_tokens_are_those_of_the_plain_expression(text: str) -> None:
    """Their kind, their place and their characters."""
    assert tokens(nesting._TOKEN, text) == tokens(PLAIN, text)


@pytest.mark.parametrize("word", ["lambda", "In", "\u0131f"])
def test_words_count_alone_only(word: str) -> None:
    """Not within a name."""
    assert [kind for kind, _, _ in tokens(nesting._TOKEN, f" {word} ")] == ["chain"]
    assert tokens(nesting._TOKEN, f"x{word} {word}x") == []


def test_every_node_comes_after_what_it_is_made_of() -> None:
    """All are there but operators and what says whether a name is read or written."""
    tree = ast.parse(SOURCE)
    steps = [node for node, _ in postorder(tree, {}, {}, 0)]
    signs = (ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)
    assert {id(node) for node in steps} == {id(node) for node in ast.walk(tree) if not isinstance(node, signs)}
    assert len(set(map(id, steps))) == len(steps)
    places = {id(node): place for place, node in enumerate(steps)}
    for node in steps:
        assert all(places[id(child)] < places[id(node)] for child in ast.iter_child_nodes(node) if id(child) in places)


@pytest.mark.parametrize(
    "shape",
    [
        *("AKIA[", "(?:AKIA", "gh[pousr", "ghp_[", "xox[", "xoxb-[", "BEGIN RSA PRIVATE KEY", "sk-[", "sk-ant-["),
        *("AIza[", "sk_live_[", "glpat-[", "eyJ[", "npm_["),
    ],
)
def test_a_hunt_for_keys_is_found_by_each_shape(shape: str) -> None:
    """With any other one, in a script that sends."""
    other = "BEGIN EC PRIVATE KEY" if shape == "AKIA[" else "AKIA["
    found = traps.traps(f'one = "{shape}"\ntwo = "{other}"\nrequests.post(url, data=hits)\n')
    assert [item.rule for item in found if isinstance(item, CodeFinding)] == ["script-collects-secrets"]
    assert traps.traps(f'one = "{shape}"\nrequests.post(url, data=hits)\n') == []
