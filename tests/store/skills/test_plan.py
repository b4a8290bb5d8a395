"""What a request makes of files, without a disk."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkgate.store.errors import NotUnderstoodError, RefusalError
from inkgate.store.skills import (
    FILE_BYTES,
    FOLDER_FILES,
    MANIFEST_CHARACTERS,
    SkillAction,
    SkillFile,
    SkillPlan,
    SkillRequest,
    canonical,
    plan_change,
)

TREE = {
    "SKILL.md": SkillFile(b"one two one\n"),
    "scripts/run.sh": SkillFile(b"#!/bin/sh\r\necho a\r\necho b\r\n", executable=True),
    "assets/dot.png": SkillFile(b"\x89PNG\0"),
    "notes.md": SkillFile(b"written by hand"),
}


def made(action: SkillAction, **more: Any) -> SkillPlan:
    """The plan on the tree above."""
    return plan_change({} if action is SkillAction.CREATE else TREE, SkillRequest(action, "tea", **more))


def refused(action: SkillAction, **more: Any) -> str:
    """The code of the refusal."""
    with pytest.raises(RefusalError) as caught:
        made(action, **more)
    return caught.value.code


def test_a_patch_changes_the_one_place_and_nothing_else() -> None:
    """The piece is replaced; every other file, and the right to run it, stays."""
    plan = made(SkillAction.PATCH, old_text="two", text="three", reason="typo")
    assert [change.path for change in plan.changes] == ["SKILL.md"]
    assert plan.new["SKILL.md"].data == b"one three one\n"
    assert {path: file for path, file in plan.new.items() if path != "SKILL.md"} == {
        path: file for path, file in TREE.items() if path != "SKILL.md"
    }
    plan = made(SkillAction.PATCH, path="scripts/run.sh", old_text="echo a\necho", text="echo c\necho", reason="c")
    assert plan.new["scripts/run.sh"] == SkillFile(b"#!/bin/sh\r\necho c\r\necho b\r\n", executable=True)


def test_a_patch_has_to_be_clear() -> None:
    """A reason, one place, text that is there, in a file that is there and is text."""
    assert refused(SkillAction.PATCH, old_text="two", text="x") == "needs-reason"
    assert refused(SkillAction.PATCH, old_text="two", text="x", reason=" ") == "needs-reason"
    assert refused(SkillAction.PATCH, old_text="", text="x", reason="r") == "empty-text"
    assert refused(SkillAction.PATCH, old_text="four", text="x", reason="r") == "no-match"
    assert refused(SkillAction.PATCH, old_text="one", text="x", reason="r") == "ambiguous"
    assert refused(SkillAction.PATCH, path="x.md", old_text="one", text="x", reason="r") == "no-file"
    assert refused(SkillAction.PATCH, path="assets/dot.png", old_text="PNG", text="x", reason="r") == "binary"
    every = made(SkillAction.PATCH, old_text="one", text="x", reason="r", replace_all=True)
    assert every.new["SKILL.md"].data == b"x two x\n"


def test_an_overlap_is_ambiguous_too() -> None:
    """`aa` stands in `aaa` twice, so it names no place."""
    tree = {"SKILL.md": SkillFile(b"aaa")}
    request = SkillRequest(SkillAction.PATCH, "tea", old_text="aa", text="b", reason="r")
    with pytest.raises(RefusalError, match="2 times"):
        plan_change(tree, request)


def test_files_come_and_go() -> None:
    """Write, with the right to run it where that may be, and remove; the SKILL.md has its own actions."""
    assert made(SkillAction.WRITE, path="scripts/b.py", text="#!x").new["scripts/b.py"].executable
    assert not made(SkillAction.WRITE, path="scripts/b.py", text="x = 1").new["scripts/b.py"].executable
    assert (
        not made(SkillAction.WRITE, path="scripts/run.sh", text="x", executable=False).new["scripts/run.sh"].executable
    )
    assert made(SkillAction.WRITE, path="scripts/run.sh", text="x").new["scripts/run.sh"].executable
    assert refused(SkillAction.WRITE, path="references/b.sh", text="#!x", executable=True) == "bad-name"
    assert refused(SkillAction.WRITE, path="SKILL.md", text="x") == "manifest"
    assert refused(SkillAction.WRITE, text="x") == "manifest"
    assert refused(SkillAction.REMOVE, path="SKILL.md") == "manifest"
    assert refused(SkillAction.REMOVE, path="scripts/none") == "no-file"
    assert "scripts/run.sh" not in made(SkillAction.REMOVE, path="scripts/run.sh").new
    assert made(SkillAction.WRITE, path="notes.md", text="by hand").new["notes.md"].data == b"by hand"


def test_bytes_that_are_no_text_lie_in_assets() -> None:
    """Elsewhere they are refused, also when they are UTF-8 with a NUL in it."""
    assert made(SkillAction.WRITE, path="assets/a.bin", data=b"\xff\0").new["assets/a.bin"].data == b"\xff\0"
    assert refused(SkillAction.WRITE, path="references/a.md", data=b"\xff") == "binary"
    assert refused(SkillAction.WRITE, path="references/a.md", data=b"a\0b") == "binary"
    assert refused(SkillAction.EDIT, text="a\0b") == "binary"
    with pytest.raises(NotUnderstoodError, match="surrogate"):
        made(SkillAction.EDIT, text="a\ud800b")
    with pytest.raises(NotUnderstoodError, match="must be text"):
        made(SkillAction.EDIT, text=7)


def test_sizes_have_limits_and_say_so() -> None:
    """A SKILL.md by characters, a file by bytes, a folder by files; the refusal names both numbers."""
    assert made(SkillAction.EDIT, text="é" * MANIFEST_CHARACTERS).changes
    with pytest.raises(RefusalError, match="100,001 characters, more than 100,000"):
        made(SkillAction.EDIT, text="é" * (MANIFEST_CHARACTERS + 1))
    assert made(SkillAction.WRITE, path="assets/a", data=b"x" * FILE_BYTES).changes
    with pytest.raises(RefusalError, match="1,048,577 bytes"):
        made(SkillAction.WRITE, path="assets/a", data=b"x" * (FILE_BYTES + 1))
    many = {f"assets/{number}": b"x" for number in range(FOLDER_FILES)}
    assert refused(SkillAction.WRITE, files=many) == "too-large"
    large = {f"assets/{number}": b"x" * FILE_BYTES for number in range(17)}
    assert refused(SkillAction.WRITE, files=large) == "too-large"


def test_a_new_skill_is_new_and_a_change_needs_one() -> None:
    """Create refuses what is there; everything else what is not."""
    assert made(SkillAction.CREATE, text="x", files={"scripts/a": "y"}).new.keys() == {"SKILL.md", "scripts/a"}
    with pytest.raises(RefusalError) as caught:
        plan_change(TREE, SkillRequest(SkillAction.CREATE, "tea", text="x"))
    assert caught.value.code == "exists"
    for action in (SkillAction.EDIT, SkillAction.PATCH, SkillAction.WRITE, SkillAction.REMOVE):
        with pytest.raises(RefusalError) as caught:
            plan_change({}, SkillRequest(action, "tea", path="scripts/a", text="x", old_text="x", reason="r"))
        assert caught.value.code == "no-skill"


def test_files_of_one_request_collide_with_each_other() -> None:
    """Two new files that some systems take for one are refused together."""
    assert refused(SkillAction.CREATE, text="x", files={"assets/A": "1", "assets/a": "2"}) == "collision"
    assert refused(SkillAction.CREATE, text="x", files={"assets/a": "1", "assets/a/b": "2"}) == "collision"
    assert refused(SkillAction.CREATE, text="x", files={"SKILL.md": "1"}) == "manifest"


def test_a_file_that_somebody_has_lies_where_it_lies() -> None:
    """With its rights, and of any bytes; but its name must be one, and collide with none."""
    script = SkillFile(b"y", executable=True)
    mine = {"forms.md": SkillFile(b"x"), "fonts/a.ttf": SkillFile(b"\xff\0"), "scripts/b": script}
    new = made(SkillAction.CREATE, text="x", files=mine).new
    assert {path: file for path, file in new.items() if path != "SKILL.md"} == mine
    for path in ("../x", ".hidden", "skill.md", "sub/SKILL.md"):
        assert refused(SkillAction.CREATE, text="x", files={path: SkillFile(b"x")}) == "bad-name"
    twice = {"a/b": SkillFile(b"1"), "A/b": SkillFile(b"2")}
    assert refused(SkillAction.CREATE, text="x", files=twice) == "collision"


def test_a_writer_can_say_what_it_has_seen() -> None:
    """A digest that is not the file's any more refuses every kind of change."""
    seen = TREE["scripts/run.sh"].sha256
    assert made(SkillAction.WRITE, path="scripts/run.sh", text="x", expected=seen).changes
    for action, more in (
        (SkillAction.WRITE, {"path": "scripts/run.sh", "text": "x"}),
        (SkillAction.REMOVE, {"path": "scripts/run.sh"}),
        (SkillAction.EDIT, {"text": "x"}),
        (SkillAction.PATCH, {"old_text": "two", "text": "x", "reason": "r"}),
    ):
        assert refused(action, expected="0" * 64, **more) == "overtaken"


def test_a_skill_md_in_another_case_stays_the_one() -> None:
    """An edit goes to the file that is there, however it is spelled."""
    tree = {"skill.md": SkillFile(b"old")}
    plan = plan_change(tree, SkillRequest(SkillAction.EDIT, "tea", text="new"))
    assert plan.new == {"skill.md": SkillFile(b"new")}


contents = st.dictionaries(
    st.sampled_from(["SKILL.md", "assets/a", "scripts/b"]), st.builds(SkillFile, st.binary(max_size=4), st.booleans())
)


@given(contents, contents)
def test_the_canonical_text_names_exactly_one_folder(one: dict[str, SkillFile], other: dict[str, SkillFile]) -> None:
    """Two folders have the same text when they are the same, and a plan between them has changes when they are not."""
    assert (canonical(one) == canonical(other)) == (one == other)
    assert bool(SkillPlan.between(one, other).changes) == (one != other)


@given(st.text(), st.text(min_size=1), st.text(), st.text())
def test_a_patch_undone_gives_the_file_back(head: str, old: str, tail: str, new: str) -> None:
    """Whatever the text is, replacing the one place and only it is what happens."""
    text = head + old + tail
    tree = {"assets/x": SkillFile(text.encode("utf-8"))}
    request = SkillRequest(SkillAction.PATCH, "tea", path="assets/x", old_text=old, text=new, reason="r")
    places = [at for at in range(len(text)) if text.startswith(old, at)]
    if len(places) != 1:
        with pytest.raises(RefusalError, match="times"):
            plan_change(tree, request)
        return
    assert plan_change(tree, request).new["assets/x"].data.decode() == head + new + tail
