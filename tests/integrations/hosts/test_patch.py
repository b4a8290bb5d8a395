"""The patch language: what the patched files will hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkgate.integrations.hosts.answer import RefusalError
from inkgate.integrations.hosts.patch import apply_patch, is_patch, patched_paths
from inkgate.integrations.hosts.writes import Desk, Write


def apply(text: str, cwd: Path, *, at_hint: bool = False) -> list[Write]:
    """The files that a patch leaves."""
    desk = Desk(cwd)
    apply_patch(text, desk, at_hint=at_hint)
    return desk.items()


def patch(*lines: str) -> str:
    """A patch of these lines."""
    return "\n".join(("*** Begin Patch", *lines, "*** End Patch", ""))


def test_a_new_file_is_all_new(tmp_path: Path) -> None:
    """The added lines without their marks are the file."""
    (write,) = apply(patch("*** Add File: notes/a.md", "+one", "+", "++two"), tmp_path)
    assert (write.label, write.text, write.before) == ("notes/a.md", "one\n\n+two\n", None)


def test_a_hunk_changes_its_lines_only(tmp_path: Path) -> None:
    """Context stays, removed lines go, added lines are fresh."""
    (tmp_path / "a.md").write_text("1\n2\n3\n4\n5\n")
    (write,) = apply(patch("*** Update File: a.md", "@@", " 2", "-3", "+three", " 4", "+four and a half"), tmp_path)
    assert write.text == "1\n2\nthree\n4\nfour and a half\n5\n"
    assert [write.text[span.start : span.end] for span in write.fresh] == ["three", "four and a half\n"]


def test_a_last_line_without_an_end_can_be_followed(tmp_path: Path) -> None:
    """An addition after a file that does not end its last line begins a line of its own."""
    (tmp_path / "a.md").write_text("1\n2")
    (write,) = apply(patch("*** Update File: a.md", "@@", " 2", "+3"), tmp_path)
    assert write.text == "1\n2\n3\n"


def test_an_addition_without_context_goes_to_the_end_or_after_its_hint(tmp_path: Path) -> None:
    """Codex adds at the end, Hermes after the line that the hint names."""
    (tmp_path / "a.md").write_text("# A\ntext\n# B\n")
    text = patch("*** Update File: a.md", "@@ # A", "+new")
    assert apply(text, tmp_path)[0].text == "# A\ntext\n# B\nnew\n"
    assert apply(text, tmp_path, at_hint=True)[0].text == "# A\nnew\ntext\n# B\n"


def test_a_moved_file_is_all_new_at_its_place(tmp_path: Path) -> None:
    """What is moved to another name is judged whole as what that name says."""
    (tmp_path / "a.txt").write_text("1\n2\n")
    text = patch("*** Update File: a.txt", "*** Move to: MEMORY.md", "@@", "-1", "+one")
    (write,) = apply(text, tmp_path)
    assert (write.label, write.text, write.before, write.targets) == ("MEMORY.md", "one\n2\n", None, ("memory",))
    (write,) = apply(patch("*** Move File: a.txt -> b.md"), tmp_path)
    assert (write.label, write.text) == ("b.md", "1\n2\n")


def test_two_sections_for_one_file_are_one_result(tmp_path: Path) -> None:
    """Changes to one file are judged together, wherever they stand in the patch."""
    (tmp_path / "a.md").write_text("1\n2\n")
    text = patch("*** Update File: a.md", "-1", "+one", "*** Update File: ./a.md", "-2", "+two")
    (write,) = apply(text, tmp_path)
    assert write.text == "one\ntwo\n"


def test_a_deleted_file_leaves_nothing(tmp_path: Path) -> None:
    """A deletion writes no text."""
    assert apply(patch("*** Delete File: a.md"), tmp_path) == []
    assert patched_paths(patch("*** Delete File: a.md", "*** Add File: b.md", "+x")) == ["b.md"]


@pytest.mark.parametrize(
    "lines",
    [
        ("*** Update File: absent.md", "@@", "-1", "+2"),
        ("*** Update File: a.md", "@@", "-not there", "+2"),
        ("*** Update File: a.md", "@@ no such line", "-1", "+2"),
        ("*** Update File: a.md", "@@", "-1", "+x", "@@", "-1", "+y"),
        ("*** Update File: ", "@@"),
        ("*** Move File: a.md",),
        ("nothing",),
        ("*** Delete File: a.md", "text where none may stand"),
    ],
)
def test_a_patch_that_does_not_fit_is_refused(lines: tuple[str, ...], tmp_path: Path) -> None:
    """A patch whose result is unknown raises an error that does not repeat its text."""
    (tmp_path / "a.md").write_text("1\n2\n")
    with pytest.raises(RefusalError) as caught:
        apply(patch(*lines), tmp_path)
    assert "not there" not in str(caught.value)


def test_blanks_around_markers_do_not_hide_a_section(tmp_path: Path) -> None:
    """A marker with blanks around it counts, and so do Windows line ends."""
    (write,) = apply("*** Begin Patch\r\n  *** Add File: a.md \r\n+x\r\n*** End Patch", tmp_path)
    assert (write.label, write.text) == ("a.md", "x\n")
    assert is_patch("cat *** Begin Patch")
