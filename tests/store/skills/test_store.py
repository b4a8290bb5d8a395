"""The store: reading step by step, versions, hands that write beside it, folders that cannot be used."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from inkgate.gate.gate import Reviewer
from inkgate.gate.request import Outcome
from inkgate.gate.skills import SkillGate
from inkgate.store.errors import RefusalError, UnreadableError
from inkgate.store.origin import Origin
from inkgate.store.skills import PAGE, SkillAction, SkillRequest

Save = Callable[[SkillRequest], None]
Manifest = Callable[..., str]
A = SkillAction
ANN = Reviewer("ann", "test")

posix = pytest.mark.skipif(os.name != "posix", reason="rights and links of POSIX")


@pytest.fixture(name="tea")
def _tea(save: Save, manifest: Manifest) -> None:
    save(
        SkillRequest(
            A.CREATE, "tea", text=manifest(), files={"scripts/brew.sh": "#!/bin/sh\nbrew\n", "assets/a": b"\0"}
        )
    )


def restore(gate: SkillGate, version: str = "") -> None:
    """Bring something back, as a person."""
    staged = gate.submit(SkillRequest(A.RESTORE, "tea", version=version))
    assert staged.outcome is Outcome.STAGED, staged
    decision = gate.approve(staged.pending_id, ANN)
    assert decision.saved, decision.message


# --- reading ---------------------------------------------------------------------------------------------------------


def test_the_list_tells_name_and_description(gate: SkillGate, save: Save, manifest: Manifest) -> None:
    """In the root and below folders that sort; what begins with a dot is no skill."""
    save(SkillRequest(A.CREATE, "tea", text=manifest(description="How to make tea.")))
    save(SkillRequest(A.CREATE, "ale", text=manifest("ale", description="'Of: hops'"), category="cellar"))
    listed = gate.store.list()
    assert [(item.name, item.description, item.category, item.problem) for item in listed] == [
        ("ale", "Of: hops", "cellar", ""),
        ("tea", "How to make tea.", "", ""),
    ]


def test_only_front_matter_is_read_for_the_list(gate: SkillGate) -> None:
    """A body of any size, and of any bytes, costs nothing."""
    folder = gate.store.root / "big"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_bytes(b"---\nname: big\ndescription: d\n---\n" + b"\xff" * 200_000)
    with (folder / "SKILL.md").open("ab") as file:
        file.truncate(1 << 36)  # 64 GiB with a hole: reading all of it would not end
    assert gate.store.list()[0].description == "d"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("no front matter", "there is no front matter"),
        ("---\nname: x\n", "never closed"),
        ("---\nname: [\n---\n", "not valid YAML"),
        ("---\nname: odd\n---\n", "no description"),
        ("---\nname: odd\ndescription: " + "d" * 2000 + "\n---\n", "longer than 1,024"),
    ],
)
def test_what_is_wrong_with_a_skill_is_listed_and_hides_none(
    gate: SkillGate, save: Save, manifest: Manifest, text: str, problem: str
) -> None:
    """A broken front matter is told; the others are listed as they are."""
    save(SkillRequest(A.CREATE, "tea", text=manifest()))
    (gate.store.root / "odd").mkdir()
    (gate.store.root / "odd" / "SKILL.md").write_text(text)
    odd, tea = gate.store.list()
    assert problem in odd.problem
    assert len(odd.description) <= 1024
    assert not tea.problem


@pytest.mark.usefixtures("tea")
def test_a_view_goes_step_by_step(gate: SkillGate, manifest: Manifest) -> None:
    """The SKILL.md with the files beside it, then one of them; bytes as bytes."""
    view = gate.store.view("tea")
    assert view.text == manifest()
    assert [(item.path, item.size) for item in view.linked] == [("assets/a", 1), ("scripts/brew.sh", 15)]
    assert gate.store.view("tea", "scripts/brew.sh").text == "#!/bin/sh\nbrew\n"
    picture = gate.store.view("tea", "assets/a")
    assert picture.text == "\0"
    (gate.store.root / "tea" / "assets" / "a").write_bytes(b"\xff\xfe\xff")
    assert (gate.store.view("tea", "assets/a").text, gate.store.view("tea", "assets/a").data) == (None, b"\xff\xfe\xff")


@pytest.mark.usefixtures("tea")
def test_a_long_file_is_paged_and_never_cut(gate: SkillGate, save: Save) -> None:
    """Without an offset there is a clear error; the pages put together are the file."""
    text = "".join(f"{number} é\n" for number in range(40_000))
    save(SkillRequest(A.WRITE, "tea", path="references/long.md", text=text))
    with pytest.raises(RefusalError, match="more than the 100,000 of one view") as caught:
        gate.store.view("tea", "references/long.md")
    assert "page by page" in caught.value.hint
    assert caught.value.details["characters"] == len(text)
    pages, start = [], 0
    while True:
        view = gate.store.view("tea", "references/long.md", start=start)
        assert view.text is not None
        assert len(view.text) <= PAGE
        pages.append(view.text)
        if view.next is None:
            break
        start = view.next
    assert "".join(pages) == text
    with pytest.raises(RefusalError, match="nothing at"):
        gate.store.view("tea", "references/long.md", start=len(text) + 1)


@pytest.mark.usefixtures("tea")
def test_a_large_file_that_is_no_text_is_refused(gate: SkillGate) -> None:
    """More than a mebibyte of bytes is an error that gives the number."""
    (gate.store.root / "tea" / "assets" / "big").write_bytes(b"\xff" * ((1 << 20) + 1))
    with pytest.raises(RefusalError, match="1,048,577 bytes"):
        gate.store.view("tea", "assets/big")


@pytest.mark.usefixtures("tea")
@pytest.mark.parametrize(
    "path", ["../tea/SKILL.md", "/etc/passwd", "scripts/../SKILL.md", "scripts", "scripts/", "none", "skill.MD", "a\0b"]
)
def test_a_view_never_leaves_the_skill(gate: SkillGate, path: str) -> None:
    """Nothing but the files themselves, by the names that they have."""
    with pytest.raises(RefusalError) as caught:
        gate.store.view("tea", path)
    assert caught.value.code in ("bad-name", "no-file")


@pytest.mark.parametrize("name", ["none", "..", "../tea", ".archive", ".inkgate", "TEA", ""])
@pytest.mark.usefixtures("tea")
def test_a_name_that_is_no_skill(gate: SkillGate, name: str) -> None:
    """The name is looked up among the skills, never joined to a path."""
    with pytest.raises(RefusalError) as caught:
        gate.store.view(name)
    assert caught.value.code == "no-skill"


def test_two_skills_of_one_name_are_told(gate: SkillGate, save: Save, manifest: Manifest) -> None:
    """Neither is used until a person has renamed one of them."""
    save(SkillRequest(A.CREATE, "tea", text=manifest()))
    (gate.store.root / "sub" / "tea").mkdir(parents=True)
    (gate.store.root / "sub" / "tea" / "SKILL.md").write_text(manifest())
    assert all("another skill" in item.problem for item in gate.store.list())
    with pytest.raises(RefusalError, match="more than one"):
        gate.store.view("tea")
    decision = gate.submit(SkillRequest(A.EDIT, "tea", text=manifest(body="x")))
    assert decision.code == "ambiguous"


# --- links, rights, what is in the way -------------------------------------------------------------------------------


@posix
@pytest.mark.usefixtures("tea")
@pytest.mark.parametrize("inner", ["scripts/link", "link", "references"])
def test_links_in_a_skill_are_refused(gate: SkillGate, tmp_path: Path, manifest: Manifest, inner: str) -> None:
    """A link is neither followed by a view nor written over, and says so; what it leads to is untouched."""
    secret = tmp_path / "elsewhere"
    secret.mkdir()
    (secret / "x.md").write_text("private")
    (gate.store.root / "tea" / inner).symlink_to(secret if inner == "references" else secret / "x.md")
    with pytest.raises(RefusalError, match="symbolic link"):
        gate.store.view("tea", f"{inner}/x.md" if inner == "references" else inner)
    assert any(item.problem == "a symbolic link" for item in gate.store.view("tea").linked)
    for request in (
        SkillRequest(A.EDIT, "tea", text=manifest(body="x")),
        SkillRequest(A.WRITE, "tea", path="references/x.md", text="over"),
    ):
        decision = gate.submit(request)
        assert decision.outcome is Outcome.FAILED
        assert "symbolic link" in decision.message
    assert (secret / "x.md").read_text() == "private"
    assert gate.store.view("tea").text == manifest()


@posix
def test_a_linked_skill_is_listed_with_its_problem(gate: SkillGate, tmp_path: Path, manifest: Manifest) -> None:
    """A folder that is a link, or whose SKILL.md is one, is no skill of this store."""
    (tmp_path / "far").mkdir()
    (tmp_path / "far" / "SKILL.md").write_text(manifest())
    gate.store.root.mkdir(parents=True)
    (gate.store.root / "tea").symlink_to(tmp_path / "far")
    assert "symbolic link" in gate.store.list()[0].problem
    assert gate.status().problems == 1
    assert gate.submit(SkillRequest(A.EDIT, "tea", text=manifest(body="x"))).code == "unreadable"
    assert (tmp_path / "far" / "SKILL.md").read_text() == manifest()


@posix
@pytest.mark.usefixtures("tea")
def test_special_files_and_large_folders_refuse_the_write(gate: SkillGate, manifest: Manifest) -> None:
    """Nothing waits for a FIFO, and a part of a folder never passes for the whole."""
    os.mkfifo(gate.store.root / "tea" / "fifo")
    decision = gate.submit(SkillRequest(A.EDIT, "tea", text=manifest(body="x")))
    assert (decision.outcome, "regular file" in decision.message) == (Outcome.FAILED, True)
    (gate.store.root / "tea" / "fifo").unlink()
    (gate.store.root / "tea" / "huge").write_bytes(b"")
    os.truncate(gate.store.root / "tea" / "huge", 1 << 30)
    decision = gate.submit(SkillRequest(A.EDIT, "tea", text=manifest(body="x")))
    assert (decision.outcome, "more than" in decision.message) == (Outcome.FAILED, True)


@posix
@pytest.mark.usefixtures("tea")
def test_rights_are_kept(gate: SkillGate, save: Save) -> None:
    """A new script with `#!` may be run by its owner; a replaced file keeps its rights; a read-only one is refused."""
    script = gate.store.root / "tea" / "scripts" / "brew.sh"
    assert stat.S_IMODE(script.stat().st_mode) == 0o700
    assert stat.S_IMODE((gate.store.root / "tea" / "SKILL.md").stat().st_mode) == 0o600
    script.chmod(0o755)
    save(SkillRequest(A.PATCH, "tea", path="scripts/brew.sh", old_text="brew", text="boil", reason="r"))
    assert stat.S_IMODE(script.stat().st_mode) == 0o755
    save(SkillRequest(A.WRITE, "tea", path="scripts/brew.sh", text="x", executable=False))
    assert stat.S_IMODE(script.stat().st_mode) == 0o644
    script.chmod(0o444)
    decision = gate.submit(SkillRequest(A.WRITE, "tea", path="scripts/brew.sh", text="y"))
    assert decision.outcome is Outcome.FAILED
    assert "read-only" in decision.message
    assert script.read_text() == "x"


def test_a_new_skill_takes_no_place_that_is_taken(gate: SkillGate, save: Save, manifest: Manifest) -> None:
    """A folder without a SKILL.md, another spelling, another category, a file, a skill as category."""
    save(SkillRequest(A.CREATE, "tea", text=manifest(), category="kitchen"))
    root = gate.store.root
    (root / "plain").mkdir()
    (root / "CUP").mkdir()
    (root / "file").write_text("x")
    cases = {
        ("tea", ""): "exists",
        ("plain", ""): "exists",
        ("cup", ""): "collision",
        ("file", ""): "collision",
        ("pot", "file"): "collision",
        ("pot", "cup"): "collision",
    }
    for (name, category), code in cases.items():
        decision = gate.submit(SkillRequest(A.CREATE, name, text=manifest(name), category=category))
        assert (name, category, decision.code) == (name, category, code)
    save(SkillRequest(A.CREATE, "pan", text=manifest("pan")))
    assert gate.submit(SkillRequest(A.CREATE, "lid", text=manifest("lid"), category="pan")).code == "collision"
    assert {item.name for item in gate.store.list()} == {"tea", "pan"}


# --- versions --------------------------------------------------------------------------------------------------------


def test_every_state_is_named_and_can_be_read(gate: SkillGate, save: Save, manifest: Manifest) -> None:
    """Author, date, source and reason of each; the bytes of each file as they were."""
    origin = Origin("ann", "notes.md", "s1")
    save(SkillRequest(A.CREATE, "tea", text=manifest(body="one"), files={"assets/a": b"\0one"}, origin=origin))
    save(SkillRequest(A.PATCH, "tea", old_text="one", text="two", reason="It has changed.", origin=origin))
    save(SkillRequest(A.REMOVE, "tea", path="assets/a"))
    save(SkillRequest(A.ARCHIVE, "tea"))
    first, second, third, last = gate.store.history("tea")
    assert [item.action for item in (first, second, third, last)] == ["create", "patch", "remove", "archive"]
    assert (second.reason, second.origin, second.at[:2]) == ("It has changed.", origin, "20")
    assert list(second.changed) == ["SKILL.md"]
    assert list(third.changed) == ["assets/a"]
    assert not last.files
    assert gate.store.read_version("tea", first.id, "SKILL.md").decode() == manifest(body="one")
    assert gate.store.read_version("tea", second.id, "assets/a") == b"\0one"
    with pytest.raises(RefusalError, match=r"There was no assets/a"):
        gate.store.read_version("tea", third.id, "assets/a")
    with pytest.raises(RefusalError, match="no version 99"):
        gate.store.read_version("tea", "99", "SKILL.md")


@pytest.mark.usefixtures("tea")
def test_an_archived_skill_comes_back_as_it_was(gate: SkillGate, manifest: Manifest) -> None:
    """It leaves the list, lies whole in the archive, and returns; twice, under two names in the archive."""
    for _ in range(2):
        assert gate.submit(SkillRequest(A.ARCHIVE, "tea")).saved
        assert gate.store.list() == ()
        assert gate.status().archived == 1
        restore(gate)
        assert gate.store.view("tea").text == manifest()
        assert gate.status().archived == 0
    assert gate.submit(SkillRequest(A.ARCHIVE, "tea")).saved
    assert gate.submit(SkillRequest(A.CREATE, "tea", text=manifest(body="other"))).saved
    assert gate.submit(SkillRequest(A.ARCHIVE, "tea")).saved
    assert {path.name for path in (gate.store.root / ".archive").iterdir()} == {"tea", "tea~2", ".inkgate"}
    restore(gate)
    assert gate.store.view("tea").text == manifest(body="other")


@pytest.mark.usefixtures("tea")
def test_a_version_comes_back_whole(gate: SkillGate, save: Save, manifest: Manifest) -> None:
    """With files that were removed since, without those that came, with their rights; also when all is gone."""
    first = gate.store.history("tea")[-1]
    save(SkillRequest(A.EDIT, "tea", text=manifest(body="new"), files={"references/r.md": "r"}))
    save(SkillRequest(A.REMOVE, "tea", path="scripts/brew.sh"))
    restore(gate, first.id)
    assert gate.store.files_of("tea", gate.store.history("tea")[-1].id) == gate.store.files_of("tea", first.id)
    assert not (gate.store.root / "tea" / "references").exists()
    save(SkillRequest(A.ARCHIVE, "tea"))
    restore(gate, first.id)
    assert gate.store.history("tea")[-1].files == first.files
    assert os.access(gate.store.root / "tea" / "scripts" / "brew.sh", os.X_OK) == (os.name == "posix")


@pytest.mark.usefixtures("tea")
def test_a_hand_that_writes_beside_the_gate_is_told_and_kept(gate: SkillGate, save: Save, manifest: Manifest) -> None:
    """What it left is a version; a blind overwrite is refused once; a patch of what is there now goes on."""
    path = gate.store.root / "tea" / "SKILL.md"
    path.write_text(manifest(body="by hand"))
    (gate.store.root / "tea" / "assets" / "new").write_bytes(b"\xff")
    decision = gate.submit(SkillRequest(A.EDIT, "tea", text=manifest(body="over")))
    assert (decision.outcome, decision.code) == (Outcome.REFUSED, "drift")
    assert path.read_text() == manifest(body="by hand")
    told = gate.store.history("tea")[-1]
    assert (told.action, told.origin.author) == ("outside", "unknown")
    assert set(told.changed) == {"SKILL.md", "assets/new"}
    save(SkillRequest(A.PATCH, "tea", old_text="by hand", text="by both", reason="r"))
    path.write_text(manifest(body="by hand again"))
    save(SkillRequest(A.PATCH, "tea", old_text="hand", text="machine", reason="r"))
    assert gate.store.read_version("tea", told.id, "SKILL.md").decode() == manifest(body="by hand")
    assert path.read_text() == manifest(body="by machine again")
    bodies = [gate.store.read_version("tea", item.id, "SKILL.md") for item in gate.store.history("tea")]
    assert manifest(body="by hand again").encode() in bodies
    assert gate.ledger.verify().intact


def test_a_skill_that_was_there_before_the_ledger_is_taken_over(gate: SkillGate, manifest: Manifest) -> None:
    """Its first state is a version, and no conflict."""
    folder = gate.store.root / "kitchen" / "tea"
    folder.mkdir(parents=True)
    (folder / "SKILL.md").write_text(manifest())
    assert gate.submit(SkillRequest(A.EDIT, "tea", text=manifest(body="new"))).saved
    before, after = gate.store.history("tea")
    assert (before.action, after.place) == ("outside", "kitchen/tea")
    assert gate.store.read_version("tea", before.id, "SKILL.md").decode() == manifest()


@pytest.mark.usefixtures("tea")
def test_what_git_keeps_is_left_alone(gate: SkillGate, save: Save) -> None:
    """The `.git` of a skill is no part of it, and stays when several files change."""
    git = gate.store.root / "tea" / ".git"
    git.mkdir()
    (git / "HEAD").write_text("ref")
    save(SkillRequest(A.WRITE, "tea", files={"assets/1": "1", "assets/2": "2"}))
    assert (git / "HEAD").read_text() == "ref"
    assert not any(path.startswith(".git") for path in gate.store.history("tea")[-1].files or {})


@pytest.mark.usefixtures("tea")
def test_a_version_that_was_changed_on_the_disk_is_not_given_out(gate: SkillGate) -> None:
    """An object whose bytes are not those of its name is an error, and so is one that is gone."""
    version = gate.store.history("tea")[0]
    sha256 = version.sha256("SKILL.md")
    assert sha256 is not None
    path = gate.store.objects.folder / sha256[:2] / sha256[2:]
    path.write_text("other")
    with pytest.raises(UnreadableError, match="was changed"):
        gate.store.read_version("tea", version.id, "SKILL.md")
    path.unlink()
    with pytest.raises(UnreadableError, match="not kept"):
        gate.store.read_version("tea", version.id, "SKILL.md")


@pytest.mark.usefixtures("tea")
def test_a_leaked_text_is_erased_from_the_versions(gate: SkillGate, save: Save, manifest: Manifest) -> None:
    """Every object that holds it goes; the others stay."""
    save(SkillRequest(A.WRITE, "tea", path="references/a.md", text="the leak"))
    save(SkillRequest(A.WRITE, "tea", path="references/a.md", text="clean"))
    gone = gate.store.objects.erase(b"the leak")
    assert len(gone) == 1
    assert not gate.store.objects.holds(gone[0])
    last = gate.store.history("tea")[-1]
    assert gate.store.read_version("tea", last.id, "references/a.md") == b"clean"
    assert gate.store.read_version("tea", last.id, "SKILL.md").decode() == manifest()


@pytest.mark.usefixtures("tea")
def test_a_plan_for_another_folder_is_not_written(gate: SkillGate) -> None:
    """What was screened is what is written, or nothing is."""
    from inkgate.store.skills import SkillFile, SkillPlan, canonical

    with gate.store.begin("tea") as transaction:
        plan = SkillPlan.between(transaction.tree, {"SKILL.md": SkillFile(b"a")})
        screened = gate.screener.sealed(
            gate.folders.folder("tea", {}, plan.new), canonical({"SKILL.md": SkillFile(b"b")})
        )
        assert screened is not None
        with pytest.raises(ValueError, match="belong together"):
            transaction.commit(screened, plan, SkillRequest(A.EDIT, "tea"))


def test_a_skill_md_in_another_case_is_the_skill(gate: SkillGate, save: Save, manifest: Manifest) -> None:
    """It is listed, viewed and edited where it is; no second one is put beside it."""
    folder = gate.store.root / "tea"
    folder.mkdir(parents=True)
    (folder / "skill.md").write_text(manifest())
    assert gate.store.list()[0].description == "How to make tea."
    assert gate.store.view("tea").path == "skill.md"
    save(SkillRequest(A.EDIT, "tea", text=manifest(body="new")))
    save(SkillRequest(A.PATCH, "tea", old_text="new", text="newer", reason="r"))
    assert [path.name for path in folder.iterdir()] == ["skill.md"]
    assert (folder / "skill.md").read_text() == manifest(body="newer")
    decision = gate.submit(SkillRequest(A.WRITE, "tea", path="SKILL.md", text="x"))
    assert decision.code in ("manifest", "collision")


@posix
def test_a_workshop_that_is_a_link_is_refused(gate: SkillGate, tmp_path: Path, manifest: Manifest) -> None:
    """Nothing is prepared where a link leads."""
    (tmp_path / "far").mkdir()
    gate.store.root.mkdir()
    (gate.store.root / ".archive").symlink_to(tmp_path / "far")
    decision = gate.submit(SkillRequest(A.CREATE, "tea", text=manifest()))
    assert decision.outcome is Outcome.FAILED
    assert "symbolic link" in decision.message
    assert list((tmp_path / "far").iterdir()) == []


@pytest.mark.usefixtures("tea")
def test_one_writer_waits_for_another_and_gives_up_with_a_word(tmp_path: Path, gate: SkillGate) -> None:
    """A lock that is held too long is an error that changed nothing."""
    impatient = SkillGate(tmp_path, durability=gate.store.durability, lock_seconds=0.05)
    with gate.store.begin("tea"):
        decision = impatient.submit(SkillRequest(A.ARCHIVE, "tea"))
    assert decision.outcome is Outcome.FAILED
    assert "held by another writer" in decision.message
    assert gate.status().skills == 1
