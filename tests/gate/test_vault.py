"""The vault's gate: every action, provenance, quarantine and what a person decides about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inkgate.gate import Outcome, Settings
from inkgate.gate.gate import Reviewer
from inkgate.gate.tierplan import TierDecision
from inkgate.gate.vault import VaultGate
from inkgate.gate.vaultrequest import VaultRequest
from inkgate.model import Target
from inkgate.store import Durability, Origin, RefusalError
from inkgate.store.vault import Vault
from inkgate.store.vault.verify import verify

ANN = Reviewer("ann", "test")
BOB = Origin("bob", "chat:7", "s1")
CRON = Origin("cron", "nightly", background=True)

Do = Callable[..., TierDecision[VaultRequest]]


@pytest.fixture(name="root")
def _root(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    root.mkdir()
    return root


@pytest.fixture(name="make")
def _make(tmp_path: Path, root: Path, scan: Any) -> Callable[..., VaultGate]:
    def make(**options: Any) -> VaultGate:
        return VaultGate(tmp_path / "home", root, **{"scan": scan, "durability": Durability.NONE, **options})

    return make


@pytest.fixture(name="gate")
def _gate(make: Callable[..., VaultGate]) -> VaultGate:
    return make()


@pytest.fixture(name="do")
def _do(gate: VaultGate) -> Do:
    def do(action: str, name: str, text: str = "", **more: Any) -> TierDecision[VaultRequest]:
        return gate.submit(VaultRequest(action, name, text, **{"origin": BOB, **more}))

    return do


def put(root: Path, name: str, text: str) -> Path:
    """A note of a person, byte for byte."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


# --- what each action does -------------------------------------------------------------------------------------------


def test_a_new_note_says_where_it_comes_from(do: Do, gate: VaultGate, root: Path) -> None:
    """Author, date and source stand in its front matter, the text behind it as it was given."""
    assert do("create", "Projects/Harbor", "# Harbor\n\nBerth 4.\n").saved
    note = gate.vault.read("Projects/Harbor")
    assert (note.provenance.author, note.provenance.source) == ("bob", "chat:7")
    assert note.provenance.date.endswith("Z")
    assert note.body == "# Harbor\n\nBerth 4.\n"
    assert (root / "Projects/Harbor.md").is_file()
    assert do("create", "Projects/Harbor", "# Harbor\n\nBerth 4.").outcome is Outcome.UNCHANGED


@pytest.mark.parametrize("name", ["author", "superseded_by"])
@pytest.mark.parametrize("merge", ["*a", "[*b, *a]"])
def test_provenance_is_not_merged_in(do: Do, gate: VaultGate, name: str, merge: str) -> None:
    """Readers of YAML take what an anchor holds for properties of the note; other anchors are left alone."""
    text = f"---\nbase: &a {{{name}: eve}}\nmore: &b {{x: 1}}\n<<: {merge}\n---\ntext\n"
    assert do("create", "n", text).code == "provenance"
    assert do("create", "n", text.replace(name, "kind")).saved
    assert do("replace", "n", text, seen=gate.vault.read("n").digest).code == "provenance"
    assert "eve" not in gate.vault.read("n").text.replace("kind: eve", "")


@pytest.mark.parametrize("start", ["", "\n", "\ufeff"])
@pytest.mark.parametrize("action", ["append", "replace"])
@pytest.mark.parametrize("mark", ["", "\ufeff", "\ufeff\ufeff"])
def test_a_text_does_not_become_the_front_matter_of_a_note(
    do: Do, gate: VaultGate, root: Path, start: str, action: str, mark: str
) -> None:
    """In a note of a person that is empty, what is put in begins the file: it must not say who wrote it."""
    path = put(root, "n.md", start)
    seen = gate.vault.read("n").digest
    forged = f'{mark}---\nauthor: eve\nsuperseded_by: "[[x]]"\n---\ntext\n'
    answer = do(action, "n", forged, seen=seen)
    if answer.saved:
        note = gate.vault.read("n")
        assert (note.provenance.author, note.superseded_by) == ("unknown", "")
    else:
        assert answer.code in ("structure", "provenance")
        assert path.read_bytes() == start.encode()


def test_front_matter_of_a_new_note_stays(do: Do, gate: VaultGate) -> None:
    """The writer's own properties are kept as they are written; provenance comes behind them."""
    text = "---\ntags:   [a,  'b']  # two\nx: >-\n  folded\n---\nbody\n"
    assert do("create", "n", text).saved
    written = gate.vault.read("n").text
    assert written.startswith("---\ntags:   [a,  'b']  # two\nx: >-\n  folded\nauthor: bob\n")
    assert written.endswith("---\nbody\n")


@pytest.mark.parametrize("name", ["author", "date", "source", "superseded_by", "supersedes", "updated_by"])
def test_a_text_cannot_claim_provenance(do: Do, root: Path, name: str) -> None:
    """Where a note comes from is said by who calls, not by the text."""
    decision = do("create", "n", f"---\n{name}: alice\n---\nbody\n")
    assert (decision.outcome, decision.code) == (Outcome.REFUSED, "provenance")
    assert not (root / "n.md").exists()


@pytest.mark.parametrize("origin", [Origin("", "x"), Origin("x", " ")])
def test_no_note_without_author_and_source(do: Do, origin: Origin) -> None:
    """A writer that does not say who it is and from what it writes is refused."""
    assert do("create", "n", "x", origin=origin).code == "no-provenance"


def test_append_leaves_every_byte_before_it(do: Do, gate: VaultGate, root: Path) -> None:
    """The text comes behind the end, with the line ends of the note; front matter only grows."""
    put(root, "n.md", "\ufeff---\r\n# c\r\na: 'x'\r\n---\r\n# T\r\nold")
    assert do("append", "n", "new\nlines").saved
    raw = (root / "n.md").read_bytes().decode()
    assert raw.startswith("\ufeff---\r\n# c\r\na: 'x'\r\nauthor: unknown\r\n")
    assert raw.endswith("---\r\n# T\r\nold\r\n\r\nnew\r\nlines\r\n")
    assert gate.vault.read("n").properties.get("updated_by") == "bob"


def test_append_goes_on_with_a_list(do: Do, gate: VaultGate) -> None:
    """An item after an item makes no gap."""
    do("create", "n", "- one\n")
    do("append", "n", "- two\n")
    do("append", "n", "text")
    assert gate.vault.read("n").body == "- one\n- two\n\ntext\n"


def test_a_section_is_replaced_between_its_neighbours(do: Do, gate: VaultGate, root: Path) -> None:
    """The heading and everything outside of the section keep their bytes, subsections go with it."""
    text = "# A\n\nintro\n\n## B ##\n\nold\n### C\nold c\n\n## D\n\nd\n"
    put(root, "n.md", text)
    seen = gate.vault.read("n").digest
    assert do("section", "n", "new\n\n### E\ne", heading="B", seen=seen).saved
    assert gate.vault.read("n").body == "# A\n\nintro\n\n## B ##\n\nnew\n\n### E\ne\n\n## D\n\nd\n"


def test_a_section_by_path_where_titles_repeat(do: Do, gate: VaultGate) -> None:
    """The same title twice is ambiguous; with what is above it, it is not."""
    do("create", "n", "# A\n## Log\na\n# B\n## Log\nb\n")
    assert do("section", "n", "x", heading="Log").code == "ambiguous"
    assert do("section", "n", "x", heading="B#Log").saved
    assert gate.vault.read("n").body == "# A\n## Log\na\n# B\n## Log\nx\n"
    assert do("section", "n", "x", heading="None").code == "no-heading"
    assert do("section", "n", "x", heading="").code == "no-heading"


@pytest.mark.parametrize("text", ["# Out\n", "## Beside", "```\nopen", "%% hidden\n", "~~~\n## Inside\n"])
def test_a_section_does_not_break_out(do: Do, gate: VaultGate, text: str) -> None:
    """Text that would end the section or swallow what follows is refused."""
    do("create", "n", "# A\n## B\nb\n## C\nc\n")
    before = gate.vault.read("n").text
    decision = do("section", "n", text, heading="B")
    assert (decision.outcome, decision.code) == (Outcome.REFUSED, "structure")
    assert gate.vault.read("n").text == before


def test_an_empty_section_is_filled_and_emptied(do: Do, gate: VaultGate) -> None:
    """A section without text gets one, at the end of the note and before another heading."""
    do("create", "n", "# A\n# B\n")
    assert do("section", "n", "b", heading="B").saved
    assert do("section", "n", "a", heading="A").saved
    assert gate.vault.read("n").body == "# A\n\na\n\n# B\n\nb\n"
    assert do("section", "n", "", heading="A").saved
    assert gate.vault.read("n").body.count("\na\n") == 0


def test_replace_keeps_properties_and_provenance(do: Do, gate: VaultGate, root: Path) -> None:
    """Another text, the same front matter; the first author stays, the last one is told."""
    put(root, "n.md", "---\nauthor: ann\ntags: [x]   # y\n---\nold\n")
    assert do("replace", "n", "new\n", seen=gate.vault.read("n").digest).saved
    note = gate.vault.read("n")
    assert note.text.startswith("---\nauthor: ann\ntags: [x]   # y\ndate: ")
    assert note.body == "new\n"
    assert (note.provenance.author, note.properties.get("updated_by")) == ("ann", "bob")


def test_replace_with_front_matter_changes_what_is_not_provenance(do: Do, gate: VaultGate) -> None:
    """A writer that sends the whole note back may change its own properties; what the gate has set stays."""
    do("create", "n", "---\ntags: [x]\n---\nold\n")
    text = gate.vault.read("n").text.replace("tags: [x]", "tags: [y, z]").replace("old", "new")
    assert do("replace", "n", text).saved
    assert gate.vault.read("n").properties.items("tags") == ("y", "z")
    assert do("replace", "n", "---\ntags: [q]\n---\nnewer\n").saved
    assert gate.vault.read("n").provenance.author == "bob"
    forged = gate.vault.read("n").text.replace("author: bob", "author: alice").replace("newer", "newest")
    assert do("replace", "n", forged).code == "provenance"


def test_supersede_changes_nothing_but_one_pointer(do: Do, gate: VaultGate, root: Path) -> None:
    """The old note keeps its text and points to the new one, the new one back."""
    do("create", "old", "# Old\n\ntext  \n")
    before = gate.vault.read("old").text
    assert do("supersede", "old", "# New\n", to="Sub/new", reason="moved").saved
    old, new = gate.vault.read("old"), gate.vault.read("Sub/new")
    assert old.text.replace('superseded_by: "[[Sub/new]]"\n', "") == before
    assert (old.superseded_by, new.supersedes) == ("Sub/new.md", ("old.md",))
    assert new.provenance.author == "bob"
    do("create", "older", "x")
    assert do("supersede", "older", to="Sub/new").saved
    assert gate.vault.read("Sub/new").supersedes == ("old.md", "older.md")
    assert verify(gate.vault) == []


def test_a_superseded_note_is_not_written_to(do: Do, gate: VaultGate) -> None:
    """It keeps its text; the answer names the successor. Nothing leads in a circle."""
    do("create", "a", "x")
    do("supersede", "a", "y", to="b")
    for action, more in (("append", {}), ("replace", {}), ("section", {"heading": "x"}), ("supersede", {"to": "c"})):
        decision = do(action, "a", "text", **more)
        assert (decision.code, decision.details) == ("superseded", {"superseded_by": "b.md"})
    assert do("supersede", "b", to="a").code == "superseded"
    assert do("supersede", "b", to="b").code == "no-successor"
    assert do("supersede", "b", to="missing").code == "not-understood"


def test_rename_tells_of_links_and_moves_pointers(do: Do, gate: VaultGate, root: Path) -> None:
    """Links of others are told and left, pointers of the gate follow."""
    do("create", "a", "x")
    do("supersede", "a", "y", to="b")
    put(root, "c.md", "[[b]] and [[b#x|y]]\n")
    decision = do("rename", "b", to="Sub/d")
    assert decision.saved
    assert decision.details == {"links_updated": ["a.md"], "links_left": ["c.md"]}
    assert gate.vault.read("a").superseded_by == "Sub/d.md"
    assert (root / "c.md").read_text() == "[[b]] and [[b#x|y]]\n"
    assert verify(gate.vault) == []


def test_pointers_to_names_that_no_link_can_hold(do: Do, gate: VaultGate, root: Path) -> None:
    """Notes of a person may be called `C# [draft]`; they are superseded, set aside and renamed like others."""
    for name in ("C# [draft].md", "x^y.md", "a%%b.md", "ends so .md", "two.md.md"):
        assert do("create", name, "x").code == "bad-name"
        put(root, name, "mine\n")
        assert do("replace", name, "other").code == "conflict"
        assert gate.vault.conflicts()[-1].conflict_with or gate.vault.conflicts()[0].conflict_with
        assert do("supersede", name, f"new {name}\n", to="Next", seen=gate.vault.read(name).digest).saved
        assert gate.vault.read("Next").supersedes == (name,)
        assert verify(gate.vault) == []
        renamed = f"Old {len(name)}"
        assert do("rename", name, to=renamed, seen=gate.vault.read(name).digest).saved
        assert gate.vault.read("Next").supersedes == (f"{renamed}.md",)
        assert {aside.conflict_with for aside in gate.vault.conflicts()} >= {f"{renamed}.md"}
        assert do("rename", "Next", to=f"Next of {renamed}").saved
        assert gate.vault.read(renamed).superseded_by == f"Next of {renamed}.md"
        assert verify(gate.vault) == []


def test_one_of_several_pointers_follows(do: Do, gate: VaultGate) -> None:
    """In a list of predecessors, only the one that was renamed changes; what was written too late follows as well."""
    for name in "abc":
        do("create", name, name)
        do("supersede", name, to="n") if name != "a" else do("supersede", "a", "new\n", to="n")
    do("rename", "b", to="Sub/b2")
    assert gate.vault.read("n").supersedes == ("a.md", "Sub/b2.md", "c.md")
    with (gate.vault.root / "n.md").open("a") as editor:
        do("append", "n", "more\n")
        editor.write("by hand\n")
    do("rename", "n", to="m")
    assert [aside.conflict_with for aside in gate.vault.conflicts()] == ["m.md"]
    assert verify(gate.vault) == []


def test_an_ending_in_capitals_is_pointed_to(do: Do, gate: VaultGate, root: Path) -> None:
    """`A.MD` is a note like others."""
    put(root, "A.MD", "mine\n")
    assert do("supersede", "A.MD", "new", to="B", seen=gate.vault.read("A.MD").digest).saved
    assert gate.vault.read("B").supersedes == ("A.MD",)
    assert verify(gate.vault) == []


def test_a_byte_order_mark_stays_at_the_beginning(do: Do, gate: VaultGate) -> None:
    """Only a new note may begin with one; in the middle of a note it would be a hidden character."""
    assert do("create", "n", "\ufeff# A\n").saved
    assert do("append", "n", "\ufeffmore\n").saved
    assert do("section", "n", "\ufefftext\n", heading="A").saved
    text = gate.vault.read("n").text
    assert (text[0], text.count("\ufeff")) == ("\ufeff", 1)
    assert do("replace", "n", "\ufeffother\n", seen="0").code == "conflict"
    assert gate.vault.conflicts()[0].body == "other\n"
    assert do("replace", "n", "\ufeff---\nk: v\n---\nother\n").saved
    text = gate.vault.read("n").text
    assert (text[0], text.count("\ufeff"), gate.vault.read("n").body) == ("\ufeff", 1, "other\n")


def test_a_note_outside_of_quarantine_is_no_conflict(gate: VaultGate, root: Path) -> None:
    """Whatever its properties say."""
    put(root, "n.md", '---\nconflict_with: "[[m]]"\n---\nx\n')
    request = VaultRequest("resolve", "n.md", origin=Origin("ann", "terminal"), keep="original")
    assert gate.replay(request, ANN).code == "no-conflict"


def test_rename_with_links_changes_targets_only(do: Do, gate: VaultGate, root: Path) -> None:
    """Every way to write a link keeps its way; code, other notes and other names stay."""
    do("create", "Old name", "self [[Old name#H]]\n")
    text = (
        "[[Old name]] ![[Old name|x]] [[Old name.md#a]] [m](Old%20name.md) [n](<Old name.md#b>) `[[Old name]]`\r\n"
        "[[Old name 2]] [[other/Old name]]\r\n```\r\n[[Old name]]\r\n```\r\n"
    )
    put(root, "Sub/c.md", text.replace("(Old%20name", "(../Old%20name"))
    assert do("rename", "Old name", to="Sub/New name", links=True).saved
    assert (root / "Sub/c.md").read_bytes().decode() == (
        "[[New name]] ![[New name|x]] [[New name.md#a]] [m](New%20name.md) [n](<New%20name.md#b>) `[[Old name]]`\r\n"
        "[[Old name 2]] [[other/Old name]]\r\n```\r\n[[Old name]]\r\n```\r\n"
    )
    assert gate.vault.read("Sub/New name").body == "self [[New name#H]]\n"
    assert not (root / "Old name.md").exists()


def test_links_that_may_mean_another_note_are_left(do: Do, gate: VaultGate, root: Path) -> None:
    """Two notes of the same last name: a bare link is told, not changed."""
    put(root, "x/n.md", "1")
    put(root, "y/n.md", "2")
    put(root, "c.md", "[[n]] [[x/n]]")
    decision = do("rename", "x/n", to="x/m", links=True, seen=gate.vault.read("x/n").digest)
    assert decision.details == {"links_updated": ["c.md"], "links_left": ["c.md"]}
    assert (root / "c.md").read_text() == "[[n]] [[x/m]]"


# --- names -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("there", "name"), [("Plan.md", "plan"), ("Fa\u0308den.md", "F\u00e4den"), ("Sub/x.md", "SUB/X"), ("A.MD", "a")]
)
def test_collisions_are_found_before_they_overwrite(do: Do, root: Path, there: str, name: str) -> None:
    """By case and by Unicode form; the answer names what is there."""
    path = put(root, there, "mine")
    decision = do("create", name, "x")
    assert (decision.code, decision.details) == ("collision", {"taken": there})
    do("create", "other", "x")
    assert do("rename", "other", to=name).code == "collision"
    assert do("supersede", "other", "y", to=name).code == "collision"
    assert path.read_text() == "mine"


def test_a_name_may_change_its_case(do: Do, root: Path) -> None:
    """The note itself is no obstacle."""
    do("create", "plan", "x")
    assert do("rename", "plan", to="Plan").saved
    assert [path.name for path in root.glob("*.md")] == ["Plan.md"]


@pytest.mark.parametrize(
    "name",
    [
        "quarantine/x",
        "a/Quarantine/x",
        "AGENTS",
        "sub/claude.md",
        "SOUL",
        "MEMORY.md",
        "AGENTS.override",
        "CLAUDE.local",
        "qwen",
    ],
)
def test_reserved_names(do: Do, name: str) -> None:
    """The quarantine and the files that agents load by themselves are not written as notes."""
    assert do("create", name, "x").code == "reserved"
    do("create", "n", "x")
    assert do("rename", "n", to=name).code == "reserved"


@pytest.mark.parametrize("name", ["../x", "/x", ".obsidian/x", "a\u202eb", "", "nul", "C:x", "x ", "Sub/x ", "x.md.md"])
def test_no_name_leads_out(do: Do, name: str) -> None:
    """Names are checked for every action and for both names."""
    assert do("create", name, "x").code == "bad-name"
    do("create", "n", "x")
    if name:
        assert do("rename", "n", to=name).code == "bad-name"
        assert do("supersede", "n", "x", to=name).code == "bad-name"


def test_a_name_is_screened_like_a_text(do: Do) -> None:
    """Whoever lists the vault reads it."""
    assert do("create", "POISON ORDER", "x").outcome is Outcome.BLOCKED
    do("create", "n", "x")
    assert do("rename", "n", to="POISON ORDER").outcome is Outcome.BLOCKED


# --- conflicts -------------------------------------------------------------------------------------------------------


def test_a_write_on_an_old_text_is_set_aside(do: Do, gate: VaultGate, root: Path) -> None:
    """The note stays, the text lies in quarantine beside it with both origins; the same again piles up nothing."""
    do("create", "P/n", "one\n")
    seen = gate.vault.read("P/n").digest
    do("replace", "P/n", "two\n", seen=seen, origin=Origin("eve", "mail:1"))
    decision = do("replace", "P/n", "three\n", seen=seen)
    assert (decision.outcome, decision.code) == (Outcome.REFUSED, "conflict")
    assert gate.vault.read("P/n").body == "two\n"
    [aside] = gate.vault.conflicts()
    assert aside.name == decision.details["quarantine"]
    assert aside.name.startswith("P/quarantine/n.")
    assert (aside.conflict_with, aside.body) == ("P/n.md", "three\n")
    assert (aside.provenance.author, aside.provenance.source) == ("bob", "chat:7")
    known = aside.properties
    assert (known.get("original_author"), known.get("original_source")) == ("eve", "mail:1")
    assert known.get("conflict_seen") == seen
    assert do("replace", "P/n", "three\n", seen=seen).details["quarantine"] == aside.name
    assert len(gate.vault.conflicts()) == 1
    assert aside.name not in gate.vault.names()


def test_creating_what_is_there_with_another_text_is_a_conflict(do: Do, gate: VaultGate) -> None:
    """Two writers, one name."""
    do("create", "n", "one")
    assert do("create", "n", "two").code == "conflict"
    assert gate.vault.read("n").body == "one"


def test_what_a_person_wrote_is_not_overwritten_unseen(do: Do, gate: VaultGate, root: Path) -> None:
    """Without a digest, a note that somebody else wrote in is not replaced: not at first, not at the second try."""
    path = put(root, "n.md", "# A\nmine\n")
    for _ in range(2):
        assert do("replace", "n", "new").code == "conflict"
        assert do("section", "n", "new", heading="A").code == "conflict"
        assert do("rename", "n", to="m").code == "changed"
        assert do("supersede", "n", "new", to="m").code == "changed"
    assert path.read_text() == "# A\nmine\n"
    assert do("append", "n", "added").saved
    assert do("replace", "n", "new").code == "conflict", "the person's text is still in it"
    assert do("replace", "n", "new", seen=gate.vault.read("n").digest).saved
    assert do("replace", "n", "newer").saved, "now the gate wrote all of it"


def test_what_an_editor_wrote_too_late_is_a_conflict(do: Do, gate: VaultGate, root: Path) -> None:
    """Text for a note that was just being replaced waits for a person, like every other conflict."""
    do("create", "P/n", "one\n")
    with (root / "P/n.md").open("a") as editor:
        do("replace", "P/n", "two\n")
        editor.write("by hand\n")
    do("append", "P/n", "three\n")
    [aside] = gate.vault.conflicts()
    assert aside.conflict_with == "P/n.md"
    assert aside.body == "one\nby hand\n"
    request = VaultRequest("resolve", aside.name, to="P/m", origin=Origin("ann", "terminal"), keep="both")
    assert gate.replay(request, ANN).saved
    assert gate.vault.conflicts() == []


def test_a_note_that_changes_while_it_is_scanned_is_looked_at_again(
    make: Callable[..., VaultGate], root: Path, scan: Any
) -> None:
    """An addition comes behind what somebody has just written; a replacement is set aside."""
    path = put(root, "n.md", "one\n")
    gate = make()
    seen = gate.vault.read("n").digest
    left = ["two\n", "three\n"]

    def slow(text: str, target: Target) -> Any:
        if "mine" in text and "---" in text and left:
            with path.open("a") as file:
                file.write(left.pop(0))
        return scan(text, target)

    gate = make(scan=slow)
    assert gate.submit(VaultRequest("append", "n", "mine", origin=BOB)).saved
    assert gate.vault.read("n").body == "one\ntwo\nthree\n\nmine\n"
    left.append("four\n")
    seen = gate.vault.read("n").digest
    assert gate.submit(VaultRequest("replace", "n", "mine too", origin=BOB, seen=seen)).code == "conflict"
    assert gate.vault.read("n").body.endswith("mine\nfour\n")
    assert [aside.body for aside in gate.vault.conflicts()] == ["mine too"]


def test_a_writer_goes_on_with_what_it_wrote(do: Do, gate: VaultGate) -> None:
    """The answer has the digest of the note as it was written: the next write needs no new reading."""
    decision = do("create", "n", "one\n")
    for text in ("two\n", "three\n"):
        decision = do("replace", "n", text, seen=decision.digests[0])
        assert decision.saved
    assert decision.digests == (gate.vault.read("n").digest,)


def test_a_poisoned_text_is_not_set_aside(do: Do, root: Path) -> None:
    """Quarantine is no way into the vault."""
    put(root, "n.md", "mine")
    assert do("replace", "n", "POISON!").outcome is Outcome.BLOCKED
    assert not (root / "quarantine").exists()


def test_the_last_text_of_the_gate_is_found_after_purge_and_rename(do: Do, gate: VaultGate) -> None:
    """Every text that a note had is reachable, from under its earlier name too."""
    do("create", "n", "one\n")
    do("replace", "n", "two\n")
    do("rename", "n", to="m")
    do("append", "m", "three\n")
    told = [(version.name, version.action) for version in gate.vault.history("m.md")]
    assert told == [("n.md", "create"), ("n.md", "replace"), ("m.md", "rename"), ("m.md", "append")]
    texts = [version.text or "" for version in gate.vault.history("m.md")]
    assert [text.split("---\n")[2] for text in texts] == ["one\n", "two\n", "two\n", "two\n\nthree\n"]


@pytest.mark.parametrize(
    ("keep", "more", "body"),
    [
        ("original", {}, "two\n"), ("quarantined", {}, "three\n"), ("text", {"text": "both\n"}, "both\n"),
        ("both", {"to": "n2"}, "two\n"),
    ],
)  # fmt: skip
def test_a_person_decides(do: Do, gate: VaultGate, keep: str, more: dict[str, str], body: str) -> None:
    """What was chosen stands, the other text stays in quarantine, marked, and the conflict is over."""
    do("create", "n", "one\n")
    seen = gate.vault.read("n").digest
    do("replace", "n", "two\n", seen=seen)
    name = do("replace", "n", "three\n", seen=seen).details["quarantine"]
    request = VaultRequest("resolve", name, origin=Origin("ann", "terminal"), keep=keep, **more)
    assert gate.submit(request).code == "needs-person"
    decision = gate.replay(request, ANN)
    assert decision.outcome is Outcome.SAVED, decision.message
    assert gate.vault.read("n").body == body
    assert gate.vault.conflicts() == []
    aside = gate.vault.read(name)
    assert aside.body == "three\n"
    assert (aside.properties.get("resolution"), aside.properties.get("resolved_by")) == (keep, "ann")
    if keep == "both":
        assert gate.vault.read("n2").body == "three\n"
        assert gate.vault.read("n2").provenance.author == "bob"
    assert gate.replay(request, ANN).code == "no-conflict"
    assert verify(gate.vault) == []


@pytest.mark.parametrize(
    ("action", "more", "body"), [("append", {}, "# A\nx\n\nnew\n"), ("section", {"heading": "A"}, "# A\nnew\n")]
)
def test_a_decision_does_what_the_writer_asked_for(
    do: Do, gate: VaultGate, action: str, more: dict[str, str], body: str
) -> None:
    """A section that was set aside goes into its section, an addition to the end."""
    do("create", "n", "# A\nx\n")
    name = do(action, "n", "new", seen="0" * 64, **more).details["quarantine"]
    origin = Origin("ann", "terminal")
    assert gate.replay(VaultRequest("resolve", name, origin=origin, keep="quarantined"), ANN).saved
    assert gate.vault.read("n").body == body


# --- people and machines ---------------------------------------------------------------------------------------------


def test_unattended_writers_add(do: Do, gate: VaultGate) -> None:
    """Create and append are done; everything else is a proposal that a person can apply."""
    assert do("create", "n", "# A\nx\n", origin=CRON).saved
    assert do("append", "n", "y", origin=CRON).saved
    for action, more in (
        ("replace", {"text": "z"}), ("section", {"heading": "A", "text": "z"}), ("rename", {"to": "m"}),
        ("supersede", {"to": "o", "text": "z"}),
    ):  # fmt: skip
        decision = do(action, "n", origin=CRON, **more)
        assert (decision.outcome, decision.code) == (Outcome.STAGED, "unattended")
        write = gate.pending.get("vault", decision.pending_id)
        assert gate.diff(write)
        assert write.summary.startswith(f"{action} n.md")
    assert len(gate.pending.writes("vault")) == 4
    assert gate.approve(decision.pending_id, ANN).saved
    assert gate.vault.read("n").superseded_by == "o.md"
    assert gate.vault.read("o").provenance.author == "cron"


def test_additions_that_keep_every_word_pass_where_that_is_set(make: Callable[..., VaultGate]) -> None:
    """With `preserve`, a replacement that holds the old text whole needs nobody."""
    gate = make(settings=Settings.from_mapping({"unattended": {"preserve": True}}))
    gate.submit(VaultRequest("create", "n", "old", origin=CRON))
    assert gate.submit(VaultRequest("replace", "n", "old and new", origin=CRON)).saved
    assert gate.submit(VaultRequest("replace", "n", "new", origin=CRON)).outcome is Outcome.STAGED


def test_a_staged_change_is_not_made_on_another_text(make: Callable[..., VaultGate], root: Path) -> None:
    """Approved late, it becomes a conflict beside what is there now."""
    gate = make(settings=Settings.from_mapping({"vault": {"approval": True}}))
    put(root, "n.md", "one\n")
    seen = gate.vault.read("n").digest
    staged = gate.submit(VaultRequest("replace", "n", "two\n", origin=BOB, seen=seen))
    assert staged.outcome is Outcome.STAGED
    put(root, "n.md", "by hand\n")
    decision = gate.approve(staged.pending_id, ANN)
    assert decision.code == "conflict"
    assert (root / "n.md").read_text() == "by hand\n"
    assert [aside.body for aside in gate.vault.conflicts()] == ["two\n"]
    assert len(gate.pending.writes("vault")) == 1


@pytest.mark.parametrize("there", [True, False])
@pytest.mark.parametrize("touched", ["n.md", "m.md"])
def test_a_staged_successor_is_approved_as_it_was_shown(
    touched: str, there: bool, make: Callable[..., VaultGate], root: Path
) -> None:
    """Whichever of the two notes is changed, made or removed meanwhile, the approval is refused; undone, it holds."""
    gate = make()
    put(root, "n.md", "old\n")
    if there:
        put(root, "m.md", "the successor\n")
    text = "" if there else "the successor\n"
    seen = gate.vault.read("n").digest
    staged = gate.submit(VaultRequest("supersede", "n", text, to="m", origin=CRON, seen=seen))
    assert staged.outcome is Outcome.STAGED
    before = (root / touched).read_bytes() if (root / touched).exists() else None
    put(root, touched, "the successor\n" if before is None else "something else\n")
    assert gate.approve(staged.pending_id, ANN).code == "changed"
    with pytest.raises(RefusalError, match="not as it was"):
        gate.diff(gate.pending.get("vault", staged.pending_id))
    assert "superseded_by" not in (root / "n.md").read_text()
    if before is None:
        (root / touched).unlink()
    else:
        (root / touched).write_bytes(before)
    assert gate.approve(staged.pending_id, ANN).saved
    assert gate.vault.read("n").superseded_by == "m.md"


def test_a_cap_holds(make: Callable[..., VaultGate]) -> None:
    """The cap of the settings is for one note, with its front matter."""
    gate = make(settings=Settings.from_mapping({"vault": {"cap": 200}}))
    assert gate.submit(VaultRequest("create", "n", "x", origin=BOB)).saved
    assert gate.submit(VaultRequest("append", "n", "y" * 200, origin=BOB)).code == "over-cap"


def test_the_root_comes_from_the_settings(tmp_path: Path) -> None:
    """By default the vault lies in the home."""
    assert VaultGate(tmp_path).vault.root == tmp_path / "vault"
    settings = Settings.from_mapping({"vault": {"root": str(tmp_path / "elsewhere")}})
    assert VaultGate(tmp_path, settings=settings).vault.root == tmp_path / "elsewhere"
    assert settings.of(Target.VAULT).cap == 0


def test_status_counts(do: Do, gate: VaultGate, root: Path) -> None:
    """Notes, superseded, conflicts, staged, unreadable."""
    do("create", "a", "x")
    do("supersede", "a", "y", to="b")
    do("create", "b", "z")
    do("rename", "b", to="c", origin=CRON)
    put(root, "bad.md", "---\nnever closed\n")
    status = gate.status()
    assert (status.notes, status.superseded, status.conflicts, status.pending) == (3, 1, 1, 1)
    assert list(status.unreadable) == ["bad.md"]


def test_front_matter_that_cannot_be_read_is_a_refusal(do: Do, gate: VaultGate, root: Path) -> None:
    """Nothing is written into it, nothing is lost, the message says why and repeats nothing."""
    for number, text in enumerate(
        ("---\nno end\n", "---\na: [b\n---\n", "---\n- list\n---\n", "---\na: 1\na: 2\n---\nx", "---\r\ra: 1\r---\rx")
    ):
        path = put(root, f"n{number}.md", text)
        decision = do("append", f"n{number}", "more")
        assert (decision.outcome, decision.code) == (Outcome.REFUSED, "front-matter"), text
        assert path.read_bytes() == text.encode()
    assert do("create", "m", "---\nnot closed\n").code == "front-matter"


def test_a_note_that_is_no_text_is_left_alone(do: Do, root: Path) -> None:
    """Bytes that are no UTF-8 refuse every write."""
    (root / "n.md").write_bytes(b"\xff\xfe")
    assert (do("append", "n", "x").outcome, do("append", "n", "x").code) == (Outcome.FAILED, "unreadable")
    assert (root / "n.md").read_bytes() == b"\xff\xfe"


def test_only_notes_are_touched(do: Do, root: Path) -> None:
    """Settings of Obsidian, attachments and hidden files are as they were."""
    others = {".obsidian/app.json": "{}", "pic.png": "x", ".trash/n.md": "old", "board.canvas": "{}"}
    for name, text in others.items():
        put(root, name, text)
    do("create", "n", "x")
    do("rename", "n", to="m", links=True)
    do("supersede", "m", "y", to="o")
    assert {name: (root / name).read_text() for name in others} == others


def test_reading_needs_no_gate(do: Do, tmp_path: Path, root: Path) -> None:
    """A vault reads what is there, and finds a note under a name that it would not give."""
    do("create", "n", "# H\n[[m]]\n")
    put(root, "why?.md", "x")
    vault = Vault(root, tmp_path / "home")
    assert vault.names() == ["n.md", "why?.md"]
    assert vault.read("why?").body == "x"
    assert [section.title for section in vault.read("n").sections] == ["H"]
    assert [link.target for link in vault.read("n").links] == ["m"]
    for name in ("../x", ".obsidian/x", "none", "a\0b", "/etc/passwd"):
        with pytest.raises(RefusalError):
            vault.read(name)
