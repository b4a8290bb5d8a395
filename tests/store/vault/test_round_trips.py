"""Real notes, written out as a vault: one is changed, every other byte stays."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from inkgate.gate.vault import VaultGate
from inkgate.gate.vaultrequest import VaultRequest
from inkgate.model import ScanResult, Verdict
from inkgate.store import Durability, Origin, RefusalError
from inkgate.store.names import check_name
from inkgate.store.vault.changes import Stamp, append, replace_section, superseded
from inkgate.store.vault.markdown import sections
from inkgate.store.vault.properties import Properties, with_properties
from inkgate.store.vault.verify import verify

BOB = Origin("bob", "chat:7")
CORPORA = ("vault_obsidian_en", "vault_obsidian_i18n", "vault_til_jbranchaud")
EXTRA = """---
aliases: [ 'Fest',  "x" ]   # two
cssclasses:
- wide
# a comment on its own
due: 2026-02-30
---
> [!warning]- Collapsed
> ![[Berth map.png|300]] and [[Fest#Open|see]] ^block

- [ ] ==marked== %%hidden%% $x_1$
\t- tab

```dataview
TABLE file.ctime FROM "Projects"
```

| a | b |
|---|:-:|
| [[x\\|y]] | 1 |
"""


def notes(shared: Path) -> Iterator[tuple[str, str]]:
    """Name and text of every real note whose name every system takes."""
    for corpus in CORPORA:
        for line in (shared / "data/threats" / f"{corpus}.jsonl").read_text(encoding="utf-8").splitlines():
            sample = json.loads(line)
            name = sample["source"].replace("+", "/")
            yield name if name.endswith(".md") else f"{name}.md", sample["text"]


def _bytes(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".inkgate" not in path.parts
    }


@pytest.fixture(name="gate")
def _gate(tmp_path: Path) -> VaultGate:
    gate = VaultGate(
        tmp_path / "home", tmp_path / "vault", scan=lambda text, target: ScanResult(Verdict.ALLOW),
        durability=Durability.NONE,
    )  # fmt: skip
    gate.vault.root.mkdir()
    return gate


@pytest.fixture(name="written")
def _written(gate: VaultGate, shared: Path) -> dict[str, bytes]:
    """The real notes, and one with all that Obsidian knows, in four line-end and BOM variants."""
    texts = dict(notes(shared))
    texts |= {
        "Fest.md": EXTRA, "crlf.md": EXTRA.replace("\n", "\r\n"), "bom.md": "\ufeff" + EXTRA,
        "mixed.md": EXTRA.replace("\n", "\r\n", 5),
    }  # fmt: skip
    for name, text in texts.items():
        path = gate.vault.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8"))
    (gate.vault.root / ".obsidian").mkdir()
    (gate.vault.root / ".obsidian/app.json").write_text("{}")
    return _bytes(gate.vault.root)


def test_superseding_one_note_changes_no_other_byte(gate: VaultGate, written: dict[str, bytes]) -> None:
    """In a vault of more than a thousand notes: one pointer in one note, one new note, nothing else."""
    assert len(written) > 1_000
    root = gate.vault.root
    for number, name in enumerate(("Fest.md", "crlf.md", "bom.md", "mixed.md", sorted(written)[700])):
        before = _bytes(root)
        seen = gate.vault.read(name).digest
        request = VaultRequest("supersede", name, "# Next\n", to=f"Next {number}", seen=seen, origin=BOB)
        decision = gate.submit(request)
        assert decision.saved, (name, decision.message)
        after = _bytes(root)
        assert {key for key in after if after[key] != before.get(key)} == {name, f"Next {number}.md"}
        old, new = before[name].decode().splitlines(keepends=True), after[name].decode().splitlines(keepends=True)
        added = [line for line in new if line.split(":")[0] in ("author", "date", "source", "superseded_by")]
        assert [line for line in new if line not in added] == old
        assert {line.rstrip("\r\n") != line.rstrip("\n") for line in added} == {before[name].count(b"\r\n") > 0}
        assert gate.vault.read(name).superseded_by == f"Next {number}.md"
    assert verify(gate.vault) == []


def test_every_real_note_is_read(gate: VaultGate, written: dict[str, bytes]) -> None:
    """Front matter, headings and links of all of them; their names are taken."""
    problems: dict[str, str] = {}
    found = list(gate.vault.notes(problems))
    assert problems == {}
    assert len(found) == len(written) - 1
    assert sum(len(note.sections) for note in found) > 3_000
    assert sum(len(note.links) for note in found) > 3_000
    refused = []
    for note in found:
        assert all(note.text[slice(*link.place)].strip() or link.heading for link in note.links)
        try:
            check_name(note.name)
        except RefusalError:
            refused.append(note.name)
    assert refused == []


def test_properties_come_and_go_in_every_real_note(shared: Path) -> None:
    """A property set and set back gives the same bytes; a new one adds a line and nothing else."""
    count = 0
    for _, text in notes(shared):
        before = Properties.of(text)
        for name in before.names:
            value = before.get(name)
            if value and "\n" not in before.written(name):
                changed = with_properties(text, {name: value + "x"})
                assert len(changed.splitlines()) == len(text.splitlines())
                assert Properties.of(changed).get(name) == value + "x"
        grown = with_properties(text, {"author": "bob"})
        assert grown.replace("author: bob\n", "", 1) == (text if before.there else f"---\n---\n{text}")
        count += 1
    assert count > 1_000


def test_changes_keep_every_other_byte_of_every_real_note(shared: Path) -> None:
    """A section replaced by itself, text appended, a pointer set: the rest is as it was."""
    stamp = Stamp("bob", "2026-01-01T00:00:00Z", "chat:7")
    replaced, refused = 0, Counter[str]()
    for name, text in list(notes(shared))[::3]:
        body = text[Properties.of(text).body :]
        old = superseded(text, "Next", stamp).text
        assert old[Properties.of(old).body :] == body
        grown = append(text, "more\n", stamp, stamp).text
        assert grown[Properties.of(grown).body :].startswith(body)
        assert grown.endswith("more\n")
        for section in sections(text, Properties.of(text).body):
            inner = text[section.body : section.end].strip("\r\n")
            if not inner.strip():
                continue
            path = "#".join(section.path)
            try:
                same = replace_section(text, path if len(section.path) > 1 else section.title, inner, stamp, stamp)
            except RefusalError as refusal:
                refused[refusal.code] += 1
                continue
            replaced += 1
            assert same.text[Properties.of(same.text).body :] == body, (name, section.title)
            assert same.text[slice(*same.fresh)] == inner
    assert replaced > 800
    assert refused.total() < replaced / 20, refused
