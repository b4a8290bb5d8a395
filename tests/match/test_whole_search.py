"""What the anchors lead to is all that a search of the whole text finds."""

from __future__ import annotations

import random

from inkgate.match.engine import Match, Matcher
from inkgate.match.rules import load_rules
from inkgate.match.samples import render
from inkgate.text.fold import fold
from inkgate.text.view import View

EACH = 40
"""Examples in one text."""


def test_no_rule_finds_more_where_it_is_tried_everywhere() -> None:
    """Each shipped pattern over the whole of texts that are full of attacks and secrets of every kind."""
    rules = load_rules()
    examples = [render(example) for rule in rules.rules if rule.pattern for example in rule.examples]
    random.Random(7).shuffle(examples)
    checked = 0
    for start in range(0, len(examples), EACH):
        view = View()
        view.append(fold("\n".join(examples[start : start + EACH])), 0)
        found: dict[str, list[int]] = {}
        for match in Matcher(rules).matches(view, view.end + 1):
            assert isinstance(match, Match)
            found.setdefault(match.rule.id, []).append(match.start)
        for rule in rules.rules:
            if not rule.pattern or rule.keyed:
                continue
            text = view.lower if rule.view == "folded" else view.cased
            for hit in rules.compiled(rule).finditer(text):
                if hit.end() - hit.start() > rule.reach:
                    continue
                checked += 1
                # Where two matches of a rule overlap, which of them is told depends on where the search began.
                assert any(abs(hit.start() - place) <= rule.reach for place in found.get(rule.id, ())), (
                    rule.id,
                    hit[0],
                )
    assert checked > 1000
