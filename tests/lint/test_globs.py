"""Patterns of paths mean what ignore files have taught people."""

from __future__ import annotations

import pytest

from inkgate.lint.globs import compile_glob


@pytest.mark.parametrize(
    ("pattern", "path", "matches"),
    [
        ("*.md", "a.md", True),
        ("*.md", "x/y/a.md", True),
        ("*.md", "a.mdx", False),
        ("archive", "archive/x/a.md", True),
        ("archive/", "x/archive/a.md", True),
        ("/archive", "x/archive/a.md", False),
        ("x/*.md", "x/a.md", True),
        ("x/*.md", "x/y/a.md", False),
        ("x/*.md", "z/x/a.md", False),
        ("x/**/a.md", "x/a.md", True),
        ("x/**/a.md", "x/y/z/a.md", True),
        ("**/x/a.md", "q/x/a.md", True),
        ("x/**", "x/y/a.md", True),
        ("./x/a.md", "x/a.md", True),
        ("a?.md", "ab.md", True),
        ("a?b", "a/b", False),
        ("[ab].md", "b.md", True),
        ("[!ab].md", "b.md", False),
        ("[!a].md", "/.md", False),
        ("a.md", "aXmd", False),
        ("a+(b).md", "a+(b).md", True),
    ],
)
def test_what_a_pattern_matches(pattern: str, path: str, matches: bool) -> None:
    """Names match at any depth, patterns with a slash are anchored, folders match what is in them."""
    assert (compile_glob(pattern).fullmatch(path) is not None) is matches


@pytest.mark.parametrize("pattern", ["", "  ", "/", "a[b", "[z-a]"])
def test_a_pattern_that_cannot_be_read_is_refused(pattern: str) -> None:
    """A mistake is told and does not quietly match nothing."""
    with pytest.raises(ValueError):
        compile_glob(pattern)
