"""Line and column numbers over blocks that come and go."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkgate.text import raw as module
from inkgate.text.raw import Raw


def expected(text: str, offset: int) -> tuple[int, int]:
    """Line and column by counting from the start."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


@given(st.text(alphabet="ab\n\r\u00e9", max_size=60), st.lists(st.integers(0, 60), max_size=5))
def test_lines_and_columns_are_exact(text: str, cuts: list[int]) -> None:
    """Every offset has the line and column that counting from the start gives."""
    raw, last = Raw(), 0
    for cut in [*sorted(min(cut, len(text)) for cut in cuts), len(text)]:
        raw.append(text[last:cut])
        last = cut

    for offset in range(len(text) + 1):
        assert raw.line_column(offset) == expected(text, offset)


def test_dropped_text_keeps_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks whose text is no longer kept still count lines; their characters are gone, and that is said."""
    monkeypatch.setattr(module, "KEEP", 8)
    text = "ab\ncd\n\nef\ngh\nij\n"
    raw = Raw()
    for start in range(0, len(text), 4):
        raw.append(text[start : start + 4])

    assert [raw.line_column(i) for i in range(len(text))] == [expected(text, i) for i in range(len(text))]
    assert raw.slice(0, 2) is None
    assert raw.slice(len(text) - 3, len(text)) == text[-3:]


def test_trimmed_offsets_raise() -> None:
    """An offset before what is kept has no line to give."""
    raw = Raw()
    raw.append("ab\n")
    raw.append("cd\n")
    raw.trim(3)

    assert raw.line_column(4) == (2, 2)
    with pytest.raises(LookupError):
        raw.line_column(1)
