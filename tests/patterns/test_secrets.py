"""The secrets packs: every rule proves itself, and the repository holds nothing that looks live."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from inkgate.checks import check_rule
from inkgate.judge.secrets import CHECKS
from inkgate.match.rules import Rule, load_rules
from inkgate.match.samples import render
from inkgate.model import Category
from inkgate.scan import scan_text

RULES = [rule for rule in load_rules().rules if rule.category is Category.SECRET]
ENDS = (".", ")", "*", "**", "|", "<", ",", "`", '"', "'", "\\n", "\n", "", " ")
BEGINS = ("", "(", "**", "|", ">", "=", ": ", '"', "`", "/")


def test_there_are_several_hundred_rules() -> None:
    """A pack that is lost in packaging shows here."""
    assert len(RULES) > 350


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_keeps_its_word(rule: Rule) -> None:
    """Each example is found and each near-miss left alone, by the whole pipeline, for three seeds."""
    assert [failure.problem for failure in check_rule(rule, load_rules())] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_a_rule_says_where_its_secret_is(rule: Rule) -> None:
    """The group of the value exists, and every check of the rule has a name that the judge knows."""
    assert rule.value in load_rules().compiled(rule).groupindex
    assert {check.partition(":")[0] for check in rule.checks} <= CHECKS.keys()
    assert not rule.stance
    assert rule.view == "cased"


@pytest.mark.parametrize(
    "sample",
    [
        "{{crc62:ghp_}}",
        "sk-ant-api03-{{base62:93}}AA",
        "AKIA{{base32:16}}",
        "glpat-{{base62:20}}",
        "{{crc62:npm_}}",
        "SG.{{base62:22}}.{{base62:43}}",
        "hf_{{alpha:34}}",
        "AIza{{base62:35}}",
        "{{grafana:}}",
        "dop_v1_{{hex:64}}",
        "{{jwt:}}",
    ],
)
def test_a_token_is_found_whatever_ends_it(sample: str) -> None:
    """A note ends tokens with full stops, brackets, emphasis, table bars and tags, not with blanks alone."""
    for begin in BEGINS:
        for end in ENDS:
            token = render(sample, 7)
            text = f"we use {begin}{token}{end}"
            found = [item for item in scan_text(text).findings if item.category is Category.SECRET]
            assert found, f"{sample} between {begin!r} and {end!r}"
            assert text[found[0].start : found[0].end] == token


@pytest.mark.parametrize("sample", ["{{crc62:ghp_}}", "glpat-{{base62:20}}", "hf_{{alpha:34}}"])
def test_a_broken_token_is_found(sample: str) -> None:
    """Escaped for Markdown, with an invisible space in it, in pieces over two lines, or encoded."""
    import base64

    token = render(sample, 3)
    half = len(token) // 2 + 4
    broken = (
        token.replace("_", "\\_"),
        f"{token[:8]}\u200b{token[8:]}",
        f'"{token[:half]}" \\\n"{token[half:]}"',
        f"token:\n{token[:half]}\n{token[half:]}\n",
        base64.b64encode(f"token={token}".encode()).decode(),
        token.encode().hex(),
    )
    for text in broken:
        assert any(item.category is Category.SECRET for item in scan_text(text).findings), text[:12]


COLOURS = (
    ("\x1b[32m", "\x1b[0m"),
    ("\x1b[1;32m", "\x1b[m"),
    ("\x1b[38;5;208m", "\x1b[39m"),
    ("\x1b[01;31m\x1b[K", "\x1b[m\x1b[K"),
    ("\\033[32m", "\\033[0m"),
    ("\\e[0;32m", "\\e[0m"),
    ("^[[32m", "^[[0m"),
    ("\x1b]8;;https://shop.example/\x1b\\", "\x1b]8;;\x1b\\"),
)
SHORT = ("{{crc62:ghp_}}", "sk_{{hex:48}}", "{{base62:14}}.atlasv1.{{base62:64}}", "re_{{base62:8}}_{{base62:24}}")


@pytest.mark.parametrize(("begin", "end"), COLOURS)
def test_a_coloured_token_is_found(begin: str, end: str) -> None:
    """What a terminal printed in colour: the whole token, or the middle of it, as a search marks it."""
    for sample in (*SHORT, "azure_key={{hex:32}}", "postgres://app:{{base62:16}}@db.shop.example/app"):
        token = render(sample, 5)
        secret = re.split("[=@]|app:", token)[1] if "=" in token or "@" in token else token
        for text in (
            token.replace(secret, begin + secret + end),
            token.replace(secret, secret[:6] + begin + secret[6:12] + end + secret[12:]),
        ):
            found = [item for item in scan_text(f"out: {text} done").findings if item.category is Category.SECRET]
            assert found, (sample, text[-12:])


def test_ranges_of_queries_are_no_colours() -> None:
    """A duration in brackets is left where it stands."""
    from inkgate.text.unwrap import Unwrapper

    for text in ("rate(hits[5m]) > 2", "max_over_time(x[30m:1m])", "at [10m, 20m] and a[m] = 1"):
        assert not [item for item in Unwrapper().feed(text, 0, len(text), final=True) if "terminal" in item.encoding]


@pytest.mark.parametrize("sample", ["sk_{{hex:48}}", "sk-proj-{{base64url:120}}", "re_{{base62:8}}_{{base62:24}}"])
@pytest.mark.parametrize("glued", ["x_", "MY_", "the-"])
def test_a_token_glued_to_a_name_is_found(sample: str, glued: str) -> None:
    """A token long enough to be one is no word's end, so a name may stand right before it."""
    text = f"see {glued}{render(sample, 4)} there"
    assert any(item.category is Category.SECRET for item in scan_text(text).findings)


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ('"access_token":"%s"', ("2YotnFZFEjr", "1zCsicMWpAA")),
        ("Authorization: Bearer %s", ("mF_9.", "B5f-4.1JqM")),
        ("oauth_token_secret=%s", ("pfkkdhi9", "sl3r4s00")),
        ("TOTP secret: %s", ("JBSWY3DP", "EHPK3PXP")),
        ("apiKey: 'test_%s'", ("dHar4XY7LxsDOtmnk", "VtjNVWXLSlXsM")),
    ],
)
def test_what_a_standard_prints_is_no_secret(name: str, parts: tuple[str, str]) -> None:
    """An example that everybody copies opens nothing; the same with its halves changed over is one."""
    printed, other = name % "".join(parts), name % "".join(reversed(parts))
    assert not [item for item in scan_text(printed).findings if item.category is Category.SECRET]
    if "mF" not in other:
        assert [item for item in scan_text(other).findings if item.category is Category.SECRET]


def test_the_packs_hold_no_live_looking_token() -> None:
    """Examples are built when they run: no known prefix stands before a long run of token characters.

    A fixed header before a part that is drawn is a prefix.
    """
    folder = Path(__file__).resolve().parents[2] / "patterns" / "secrets"
    live = re.compile(
        r"(?:ghp_|gho_|github_pat_|glpat-|sk-ant-|sk_live_|xox[bp]-|AKIA|AIza|hf_|npm_|SG\.|pypi-|dop_v1_|eyJ)[A-Za-z0-9_-]{14,}+(?!\.\{\{)"
    )
    for path in sorted(folder.glob("*.toml")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if not line.startswith(("pattern", "keywords")):
                assert not [
                    hit for hit in live.findall(line) if not re.search(r"EXAMPLE|x{6}|_by_default|package", line)
                ], path
