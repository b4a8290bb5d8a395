"""Inline suppressions: which spellings count, what they cover, and that their mistakes are findings."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkgate.lint.suppress import LINE, apply, find_in_file, find_suppressions
from inkgate.match.parse import parse_pack
from inkgate.match.rules import Rule
from inkgate.model import Category, Confidence, Finding, ScanResult, Severity, Verdict

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def rules() -> dict[str, Rule]:
    """The rules about suppressions, and two that can be suppressed."""
    text = (ROOT / "patterns" / "lint.toml").read_text(encoding="utf-8")
    shipped, _ = parse_pack(text, "lint.toml")
    found = {rule.id: rule for rule in shipped}
    return found | dict.fromkeys(("rule-a", "rule-b", "findings-omitted"), shipped[0])


def finding(line: int, rule: str = "rule-a", **changes: object) -> Finding:
    """A finding on a line."""
    fields: dict[str, object] = {
        "rule": rule,
        "category": Category.INJECTION,
        "severity": Severity.HIGH,
        "confidence": Confidence.HIGH,
        "message": "m",
        "start": line * 1000,
        "end": line * 1000 + 1,
        "line": line,
        "column": 1,
        "view": "folded",
        "excerpt": "e",
        "fingerprint": "f",
        "verdict": Verdict.BLOCK,
        "source": "a.md",
    }
    return Finding(**(fields | changes))  # type: ignore[arg-type]


def result(*findings: Finding) -> ScanResult:
    """A scan of one file."""
    return ScanResult(Verdict.BLOCK, findings, source="a.md")


@pytest.mark.parametrize(
    ("line", "rules", "reason", "alone"),
    [
        ("<!-- inkgate: ignore[rule-a] an example -->", ("rule-a",), "an example", True),
        ("text <!-- inkgate: ignore[rule-a] an example -->", ("rule-a",), "an example", False),
        ("<!-- inkgate: ignore[rule-a] an example --> text", ("rule-a",), "an example", False),
        ("- <!-- inkgate: ignore[rule-a] in a list -->", ("rule-a",), "in a list", True),
        ("> <!-- inkgate: ignore[rule-a] in a quote -->", ("rule-a",), "in a quote", True),
        ("<!-- inkgate: ignore[rule-a,rule-b] two -->", ("rule-a", "rule-b"), "two", True),
        ("<!-- inkgate: ignore[rule-a, rule-b] two -->", ("rule-a", "rule-b"), "two", True),
        ("%% inkgate: ignore[rule-a] Obsidian %%", ("rule-a",), "Obsidian", True),
        ("# inkgate: ignore[rule-a] YAML", ("rule-a",), "YAML", True),
        ("key: value  # inkgate: ignore[rule-a] YAML", ("rule-a",), "YAML", False),
        ("\t// inkgate: ignore[rule-a] JSONC", ("rule-a",), "JSONC", True),
        ("# inkgate: ignore[rule-a] with # more", ("rule-a",), "with # more", True),
        ("# inkgate: ignore[rule-a] ends in CR\r", ("rule-a",), "ends in CR", True),
    ],
)
def test_accepted_spellings(line: str, rules: tuple[str, ...], reason: str, alone: bool) -> None:
    """Each comment syntax gives its rules, its reason, and whether it stands alone."""
    (found,) = find_suppressions([f"first\n{line}\nlast"])

    assert (found.line, found.rules, found.reason, found.alone) == (2, rules, reason, alone)


@pytest.mark.parametrize(
    "line",
    [
        "<!-- inkgate:ignore[rule-a] no blank -->",
        "<!--inkgate: ignore[rule-a] no blank -->",
        "<!-- inkgate: ignore [rule-a] blank too many -->",
        "<!-- inkgate:  ignore[rule-a] blank too many -->",
        "<!-- inkgate: ignore rule-a without brackets -->",
        "<!-- inkgate: ignore everything -->",
        "<!-- inkgate: ignore[] nothing named -->",
        "<!-- inkgate: ignore[*] all of them -->",
        "<!-- inkgate: ignore[Rule-A] capitals -->",
        "<!-- inkgate: ignore[rule-a] never closed",
        "%% inkgate: ignore[rule-a] never closed",
        "#inkgate: ignore[rule-a] no blank",
        "## inkgate: ignore[rule-a] a heading",
        "# inkgate: disable[rule-a] another word",
        "# inkgate: noqa",
    ],
)
def test_near_misses_are_malformed(line: str, rules: dict[str, Rule]) -> None:
    """A comment that comes close suppresses nothing and is itself a finding."""
    applied = apply(result(finding(1)), find_suppressions([line]), rules)

    assert sorted(item.rule for item in applied.findings) == ["rule-a", "suppression-malformed"]
    assert applied.suppressed == ()


@pytest.mark.parametrize(
    "line",
    [
        "inkgate: ignore[rule-a] not in a comment",
        "`# inkgate: ignore[rule-a] in code`",
        "https://e.example/#inkgate: ignore",
        "x# inkgate: ignore[rule-a] the mark sticks to a word",
        "# a note about inkgate: it ignores nothing",
        "<!-- inkgate is a tool -->",
    ],
)
def test_prose_is_neither(line: str) -> None:
    """Writing about the tool is not taken for a comment to it."""
    assert find_suppressions([line]) == []


def test_a_trailing_comment_covers_its_own_line_only(rules: dict[str, Rule]) -> None:
    """The next line stands."""
    comments = find_suppressions(["bad <!-- inkgate: ignore[rule-a] why -->\nbad\n"])

    applied = apply(result(finding(1), finding(2)), comments, rules)

    assert [item.line for item in applied.findings] == [2]
    assert [(item.finding.line, item.kind, item.reason) for item in applied.suppressed] == [(1, "inline", "why")]


def test_a_comment_alone_covers_the_next_line_too(rules: dict[str, Rule]) -> None:
    """And no line beyond."""
    comments = find_suppressions(["<!-- inkgate: ignore[rule-a] why -->\nbad\nbad\n"])

    applied = apply(result(finding(1), finding(2), finding(3)), comments, rules)

    assert [item.line for item in applied.findings] == [3]


def test_only_the_named_rule_is_covered(rules: dict[str, Rule]) -> None:
    """Another rule's finding on the same line stands."""
    comments = find_suppressions(["x # inkgate: ignore[rule-a] why"])

    applied = apply(result(finding(1), finding(1, "rule-b")), comments, rules)

    assert [item.rule for item in applied.findings] == ["rule-b"]


@pytest.mark.parametrize(
    ("comment", "rule", "verdict"),
    [
        ("# inkgate: ignore[rule-a]", "suppression-without-reason", Verdict.STAGE),
        ("# inkgate: ignore[rule-a]   ", "suppression-without-reason", Verdict.STAGE),
        ("# inkgate: ignore[rule-a]glued", "suppression-without-reason", Verdict.STAGE),
        ("# inkgate: ignore[rule-z] why", "suppression-unknown-rule", Verdict.STAGE),
        ("# inkgate: ignore[findings-omitted] why", "suppression-unknown-rule", Verdict.STAGE),
        ("# inkgate: ignore[rule-b] why", "suppression-unused", Verdict.ALLOW),
    ],
)
def test_a_useless_comment_is_a_finding(comment: str, rule: str, verdict: Verdict, rules: dict[str, Rule]) -> None:
    """It covers nothing, and says so at its own place with a verdict of its own."""
    found = result(finding(1), finding(1, "findings-omitted"))
    applied = apply(found, find_suppressions([f"x {comment}"]), rules)

    (fault,) = [item for item in applied.findings if item.rule.startswith("suppression")]
    assert (fault.rule, fault.verdict, fault.line, fault.column, fault.source) == (rule, verdict, 1, 3, "a.md")
    assert len(applied.findings) == 3


def test_one_unused_id_of_two_is_told(rules: dict[str, Rule]) -> None:
    """The used one works, the other is a finding that names it."""
    applied = apply(result(finding(1)), find_suppressions(["x # inkgate: ignore[rule-a, rule-b] why"]), rules)

    assert [(item.rule, item.excerpt) for item in applied.findings] == [("suppression-unused", "rule-b")]


def test_a_rule_that_is_switched_off_is_not_called_unused(rules: dict[str, Rule]) -> None:
    """The configuration may switch a rule off for a while without all its comments becoming findings."""
    applied = apply(result(), find_suppressions(["x # inkgate: ignore[rule-b] why"]), rules, off={"rule-b"})

    assert applied.findings == ()


@pytest.mark.parametrize(
    ("ids", "start", "end", "counts"),
    [
        ("rule-a", 10, 30, False),
        ("rule-a", 10, 40, True),
        ("rule-z", 10, 30, True),
        ("rule-a", 0, 30, True),
    ],
)
def test_the_id_of_a_rule_is_no_finding(ids: str, start: int, end: int, counts: bool, rules: dict[str, Rule]) -> None:
    """Ids read like what their rules find; only known ids are passed over, and nothing beyond the bracket."""
    inside = finding(1, "rule-b", start=start, end=end)
    applied = apply(result(inside, finding(1)), find_suppressions([f"text <!-- inkgate: ignore[{ids}] why -->"]), rules)

    assert (inside in applied.findings) is counts


def test_members_of_an_archive_are_never_covered(rules: dict[str, Rule]) -> None:
    """A comment counts for the file in which it stands."""
    inner = finding(1, source="a.md!inner.md")

    assert inner in apply(result(inner), find_suppressions(["# inkgate: ignore[rule-a] why"]), rules).findings


def test_a_reason_on_the_line_of_a_secret_is_not_shown(rules: dict[str, Rule]) -> None:
    """The reason could repeat the secret."""
    secret = finding(1, category=Category.SECRET)

    (item,) = apply(result(secret), find_suppressions(["x # inkgate: ignore[rule-a] it is hunter2"]), rules).suppressed

    assert "hunter2" not in item.reason


def test_the_place_is_counted_in_characters() -> None:
    """Line, column and offsets are right behind characters of any width."""
    text = "\U0001f600\u00e9\n\u4f60 # inkgate: ignore[rule-a] why\n"
    (found,) = find_suppressions([text])

    assert (found.line, found.column) == (2, 3)
    assert text[found.start : found.end] == "# inkgate: ignore[rule-a] why"


def test_a_line_that_is_too_long_is_left_out() -> None:
    """Memory is bounded, and the lines after it are read again."""
    blocks = ["x" * (LINE + 1), " # inkgate: ignore[rule-a] far out\n", "# inkgate: ignore[rule-b] near\n"]

    assert [(item.line, item.rules) for item in find_suppressions(blocks)] == [(2, ("rule-b",))]


@given(
    st.lists(
        st.sampled_from(["a\n", "# inkgate: ignore[rule-a] why", "\n", "<!-- inkgate: ignore[x] y -->", "\U0001f600"]),
        max_size=12,
    ).map("".join),
    st.lists(st.integers(0, 200), max_size=6),
)
def test_the_cut_changes_nothing(text: str, cuts: list[int]) -> None:
    """However the text is delivered, the comments are the same."""
    edges = [0, *sorted(cut for cut in cuts if cut < len(text)), len(text)]
    pieces = [text[start:end] for start, end in itertools.pairwise(edges)]

    assert find_suppressions(pieces) == find_suppressions([text])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_files_of_each_encoding_are_read(encoding: str, tmp_path: Path) -> None:
    """A comment is found in the file as it is decoded for the scan."""
    path = tmp_path / "a.md"
    path.write_text("one\ntwo # inkgate: ignore[rule-a] why\n", encoding=encoding)

    assert [(item.line, item.column) for item in find_in_file(path)] == [(2, 5)]


def test_a_comment_across_two_reads_is_found(tmp_path: Path) -> None:
    """The search before the parse has no blind spot at the edge of its blocks."""
    path = tmp_path / "a.md"
    path.write_text("x" * 1000 + "\n" * ((1 << 20) - 1005) + "# inkgate: ignore[rule-a] why\n", encoding="utf-8")

    assert len(find_in_file(path)) == 1


def test_an_archive_has_no_comments(tmp_path: Path) -> None:
    """Text that happens to lie uncompressed in a zip file is not taken for a comment."""
    import zipfile

    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.md", "# inkgate: ignore[rule-a] why\n")

    assert find_in_file(path) == []
