"""Which names and paths a skill may have, and which ones some system would take for another."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inkgate.store.errors import RefusalError
from inkgate.store.skills.names import (
    FOLDERS,
    check_category,
    check_name,
    check_new_path,
    check_path,
    find_collision,
    same_name,
)


@pytest.mark.parametrize("name", ["a", "tea", "tea-2", "2-tea", "a" * 64])
def test_names_of_the_specification(name: str) -> None:
    """Lower-case letters, digits, single hyphens between them, at most 64."""
    assert check_name(name) == name


@pytest.mark.parametrize(
    "name",
    [
        "",
        "Tea",
        "-tea",
        "tea-",
        "te--a",
        "te_a",
        "te.a",
        "té",
        "a" * 65,
        "a/b",
        "..",
        ".",
        "tea\n",
        "con",
        "lpt1",
        "ｔｅａ",
    ],
)
def test_names_that_are_none(name: str) -> None:
    """Everything else is refused, devices of Windows among it."""
    with pytest.raises(RefusalError) as caught:
        check_name(name)
    assert caught.value.code == "bad-name"


def test_the_other_profile_accepts_more_and_stays_a_plain_folder() -> None:
    """Dots and underscores as hosts write them; no path, no dot at an end, no device."""
    assert check_name("tea_2.1", "claude-code") == "tea_2.1"
    for name in ("tea.", ".tea", "a/b", "nul.txt", "Tea", "te a"):
        with pytest.raises(RefusalError):
            check_name(name, "claude-code")


def test_a_category_is_one_folder_or_none() -> None:
    """An empty one means none; a path is refused."""
    assert check_category("") == ""
    assert check_category("kitchen") == "kitchen"
    with pytest.raises(RefusalError):
        check_category("a/b")


@pytest.mark.parametrize(
    "path",
    [
        "/etc/passwd", "../x", "scripts/../../x", "scripts//x", "scripts/", "scripts/./x", "scripts/x.", "scripts/ x",
        "scripts\\x", "scripts/a:b", "scripts/x\0y", "scripts/x\u202ey", "scripts/x\u200b", "scripts/.hidden",
        "scripts/aux.py", "scripts/" + "x" * 201, "scripts/" + "é" * 101, "scripts/" + "a/" * 8 + "b", "C:/x",
        "scripts/" + unicodedata.normalize("NFD", "é"), "scripts/\ud800",
    ],
)  # fmt: skip
def test_paths_that_no_skill_may_have(path: str) -> None:
    """They leave the skill, cannot be seen, or do not exist on every system."""
    with pytest.raises(RefusalError) as caught:
        check_path(path)
    assert caught.value.code == "bad-name"


@pytest.mark.parametrize(
    "path",
    ["x.md", "other/x.md", "Scripts/x", "SKILL.md/x", "skill.md", "Skill.MD", "references/SKILL.md", "assets/skill.md"],
)
def test_new_files_have_their_folders(path: str) -> None:
    """A new file lies in a folder of the specification, and the one SKILL.md is spelled so."""
    with pytest.raises(RefusalError):
        check_new_path(path)


@pytest.mark.parametrize("path", ["SKILL.md", "scripts/a.py", "references/深い/b.md", "assets/c.png", "LICENSE.txt"])
def test_new_files_that_may_be(path: str) -> None:
    """The SKILL.md, the folders, and a licence."""
    assert check_new_path(path) == path


@pytest.mark.parametrize(
    ("path", "known"),
    [
        ("assets/A.png", "assets/a.png"),
        ("assets/é.png", "assets/" + unicodedata.normalize("NFD", "é") + ".png"),
        ("assets/straße", "assets/STRASSE"),
        ("assets/x/y", "assets/x"),
        ("assets/x", "assets/x/y"),
        ("assets/X/new", "assets/x/old"),
    ],
)
def test_collisions_are_found(path: str, known: str) -> None:
    """By case, by normalisation, in a folder of the path, and between a file and a folder."""
    assert find_collision(path, ["references/z", known]) == known


def test_what_is_apart_does_not_collide() -> None:
    """The same path is no collision, and neither are neighbours."""
    assert find_collision("assets/a", ["assets/a", "assets/ab", "scripts/a", "assets/b/a"]) is None


part = st.text(st.characters(codec="utf-8", exclude_characters="/\0"), min_size=1, max_size=12)


@given(st.lists(part, min_size=1, max_size=4).map("/".join))
def test_an_accepted_path_is_plain_everywhere(path: str) -> None:
    """Whatever is accepted is relative, normalised, visible and without parts that lead upwards."""
    try:
        check_path(path)
    except RefusalError:
        return
    for piece in path.split("/"):
        assert piece not in ("", ".", "..")
        assert not piece.startswith(".")
        assert piece == piece.strip()
        assert not set(piece) & set('<>:"|?*\\')
        unseen = {char for char in piece if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")}
        assert unseen <= set("\u200c\u200d")  # joiners, where a script needs them
    assert path == unicodedata.normalize("NFC", path)


@given(st.lists(part.map(lambda name: f"assets/{name}"), max_size=8))
def test_paths_that_pass_one_after_the_other_are_apart_on_every_system(paths: list[str]) -> None:
    """Folding case and normalising the accepted paths in any order leaves as many as there were."""
    kept: list[str] = []
    for path in paths:
        try:
            check_new_path(path)
        except RefusalError:
            continue
        if path not in kept and find_collision(path, kept) is None:
            kept.append(path)
    for form in ("NFC", "NFD"):
        folded = {unicodedata.normalize(form, unicodedata.normalize(form, path).casefold()) for path in kept}
        assert len(folded) == len(kept)
        assert len({unicodedata.normalize(form, path) for path in kept}) == len(kept)


@given(part, part)
def test_same_name_is_symmetric(one: str, other: str) -> None:
    """The order does not matter, and a name is its own."""
    assert same_name(one, other) == same_name(other, one)
    assert same_name(one, one)
    assert len(FOLDERS) == len(set(FOLDERS))
