"""Loading and validating packs."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkgate.match.parse import build, parse_pack
from inkgate.match.rules import RuleError, load_rules
from inkgate.model import Target

GOOD = """
[pack]
name = "demo"
[classes]
verb = ["sing", "hum"]
[[rule]]
id = "demo-song"
title = "An order to sing"
category = "injection"
severity = "high"
confidence = "medium"
keywords = ["{verb}"]
pattern = '''\\b{verb}{gap:2}songs?\\b'''
reach = 90
why = "w"
fix = "f"
since = "0.1.0"
examples = ["sing a song"]
counterexamples = ["a song"]
"""


def test_a_good_pack_loads() -> None:
    """Fields become typed values; what is left out has its documented default."""
    (rule,), _ = parse_pack(GOOD, "demo.toml")

    assert rule.id == "demo-song"
    assert rule.targets == frozenset(Target)
    assert rule.keywords == ("hum", "sing")
    assert rule.view == "folded"
    assert rule.stance


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ('"high"', '"severe"', "severity"),
        ('"injection"', '"injektion"', "category"),
        ("reach = 90", "reach = 99999", "reach"),
        ("reach = 90", "reach = true", "reach"),
        ("reach = 90", "", "reach"),
        ('"{verb}"]', '"{verbs}"]', "keywords"),
        ("{gap:2}", "{gip}", "pattern"),
        ("{gap:2}songs", "{gap:2}Songs", "pattern"),
        ("demo-song", "Demo Song", "id"),
        ('why = "w"', 'wyh = "w"', "wyh"),
        ('why = "w"', "", "why"),
        ("[[rule]]", "[[rules]]", "rules"),
        ('["sing", "hum"]', "[]", "classes.verb"),
        ('examples = ["sing a song"]', "examples = [1]", "examples"),
        ("since", 'view = "upside"\nsince', "view"),
        ("since", 'targets = ["attic"]\nsince', "targets"),
        ("since", 'detector = "magic"\nsince', "detector"),
        ("since", 'detector = "hidden"\nsince', "keywords"),
        ("[pack]", "[pack", "TOML"),
    ],
)
def test_mistakes_name_file_rule_and_field(old: str, new: str, named: str) -> None:
    """Every mistake is an error whose message says where it is."""
    text = GOOD.replace(old, new)
    assert text != GOOD

    with pytest.raises(RuleError, match=named) as caught:
        parse_pack(text, "demo.toml")

    assert "demo.toml" in str(caught.value)


def test_ids_are_unique_over_packs() -> None:
    """Two rules of one name are refused, whichever packs they stand in."""
    with pytest.raises(RuleError, match="demo-song"):
        build([("a.toml", GOOD), ("b.toml", GOOD)])


def test_the_digest_follows_the_rules() -> None:
    """Another text or another choice of rules gives another digest."""
    plain = build([("a.toml", GOOD)])

    assert plain.digest == build([("a.toml", GOOD)]).digest
    assert plain.digest != build([("a.toml", GOOD.replace("songs?", "song"))]).digest
    assert plain.digest != build([("a.toml", GOOD)], disabled=frozenset({"demo-song"})).digest


def test_switching_off_an_unknown_rule_is_an_error() -> None:
    """A misspelt id must not look as if it had been switched off."""
    with pytest.raises(RuleError, match="demo-sing"):
        build([("a.toml", GOOD)], disabled=frozenset({"demo-sing"}))


def test_extra_packs_are_added(tmp_path: Path) -> None:
    """A pack given by path joins the shipped ones; one that cannot be read is an error."""
    path = tmp_path / "demo.toml"
    path.write_text(GOOD)

    assert "demo-song" in load_rules((str(path),)).by_id
    with pytest.raises(RuleError, match="cannot be read"):
        load_rules((str(tmp_path / "none.toml"),))
