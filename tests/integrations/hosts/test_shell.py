"""Command lines: what they leave in durable places."""

from __future__ import annotations

from pathlib import Path

import pytest

from inkgate.integrations.hosts.answer import RefusalError
from inkgate.integrations.hosts.shell import shell_items, shell_paths
from inkgate.integrations.hosts.shellwords import commands, unescape
from inkgate.integrations.hosts.writes import Doubt, Write


def written(line: str, cwd: Path) -> dict[str, str]:
    """Every text that a line leaves, by its place."""
    return {item.label: item.text for item in shell_items(line, cwd) if isinstance(item, Write)}


def doubted(line: str, cwd: Path) -> list[str]:
    """The places of which the line does not tell the text."""
    return [item.label for item in shell_items(line, cwd) if isinstance(item, Doubt)]


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("echo hello > MEMORY.md", "hello\n"),
        ("echo -n hello >MEMORY.md", "hello"),
        ("echo \"a b\" 'c d' >| MEMORY.md", "a b c d\n"),
        ("printf 'a\\nb' > MEMORY.md", "a\nb"),
        ("cat > MEMORY.md <<EOF\nit's one\ntwo\nEOF\n", "it's one\ntwo\n"),
        ("cat <<'EOF' > MEMORY.md\none $x\nEOF", "one $x\n"),
        ("cat <<-EOF >MEMORY.md\n\tone\n\tEOF\n", "one\n"),
        ("tee MEMORY.md <<EOF\none\nEOF", "one\n"),
        ("echo one | tee MEMORY.md", "one\n"),
        ("echo one | sudo tee MEMORY.md > /dev/null", "one\n"),
        ("cat <<< one > MEMORY.md", "one\n"),
        ("F=MEMORY.md; echo one > $F", "one\n"),
        ('F=MEMORY.md && echo one > "${F}"', "one\n"),
        ("echo igno''re > MEMORY.md", "ignore\n"),
        ("echo $'a\\x62c' > MEMORY.md", "abc\n"),
        ("bash -c 'echo one > MEMORY.md'", "one\n"),
        ("true && (echo one) > /dev/null; echo two > MEMORY.md", "two\n"),
        ("eval 'echo one > MEMORY.md'", "one\n"),
        ("echo $(echo one > MEMORY.md)", "one\n"),
        (": > MEMORY.md", ""),
    ],
)
def test_text_in_the_line_is_known(line: str, text: str, tmp_path: Path) -> None:
    """What a line prints into a memory file is told from the line alone."""
    assert written(line, tmp_path) == {"MEMORY.md": text}
    assert doubted(line, tmp_path) == []


def test_appending_is_judged_with_the_file(tmp_path: Path) -> None:
    """What is appended counts as an edit of the file that is there, twice in one line too."""
    (tmp_path / "MEMORY.md").write_text("old\n")
    (item,) = shell_items("echo one >> MEMORY.md; echo two >> ./MEMORY.md", tmp_path)
    assert isinstance(item, Write)
    assert (item.before, item.text) == ("old\n", "old\none\ntwo\n")
    assert "".join(item.text[span.start : span.end] for span in item.fresh) == "one\ntwo\n"


def test_a_change_of_folder_counts(tmp_path: Path) -> None:
    """A path is taken from the folder that the line went to."""
    (tmp_path / "memories").mkdir()
    assert written("cd memories && echo one > a.md", tmp_path) == {"a.md": "one\n"}
    (item,) = shell_items("cd memories && echo one > a.md", tmp_path)
    assert isinstance(item, Write)
    assert item.targets == ("memory",)


def test_copies_are_judged_by_what_they_copy(tmp_path: Path) -> None:
    """`cp` and `mv` are read at their source."""
    (tmp_path / "draft.txt").write_text("body\n")
    assert written("cp draft.txt MEMORY.md", tmp_path) == {"MEMORY.md": "body\n"}
    (tmp_path / "skills").mkdir()
    assert written("mv draft.txt skills", tmp_path) == {"skills/draft.txt": "body\n"}
    assert written("echo x > new.txt && cp new.txt MEMORY.md", tmp_path)["MEMORY.md"] == "x\n"


@pytest.mark.parametrize(
    "line",
    [
        "sed -i 's/a/b/' MEMORY.md",
        "curl -s https://example.org/x -o MEMORY.md",
        "wget --output-document=MEMORY.md https://example.org/x",
        "echo aGk= | base64 -d > MEMORY.md",
        "python3 make.py > MEMORY.md",
        "dd if=x of=MEMORY.md",
        "cp absent.txt MEMORY.md",
        "python3 -c \"open('MEMORY.md', 'a').write('x')\"",
        "python3 - <<EOF\nfrom pathlib import Path\nPath('MEMORY.md').write_text('x')\nEOF",
        "node -e \"fs.appendFileSync('MEMORY.md', 'x')\"",
        "perl -pi -e 's/a/b/' MEMORY.md",
        "Set-Content -Path MEMORY.md -Value x",
        "prettier --write MEMORY.md",
        "sudo -u anna tee MEMORY.md < draft",
        "git checkout main -- MEMORY.md",
        "find . -name MEMORY.md -exec sed -i s/a/b/ {} +",
        "exec 3> MEMORY.md; echo x >&3",
        "{ echo a; echo b; } > MEMORY.md",
    ],
)
def test_text_that_cannot_be_told_is_a_doubt(line: str, tmp_path: Path) -> None:
    """A line that writes to a memory file in any other way is left to a person, and its own words are judged."""
    assert doubted(line, tmp_path) == ["MEMORY.md"]
    assert len(written(line, tmp_path)) == 1


@pytest.mark.parametrize(
    "line",
    [
        'echo "a $(date)" > MEMORY.md',
        "echo `date` > MEMORY.md",
        'echo "$SOMETHING" > MEMORY.md',
        "X=$(fetch); echo $X | tee MEMORY.md",
        "cat > MEMORY.md <<EOF\none ${TWO}\nEOF",
    ],
)
def test_an_unknown_expansion_is_a_doubt_beside_the_text(line: str, tmp_path: Path) -> None:
    """What is known of the text is judged, and a person looks at the rest."""
    assert doubted(line, tmp_path) == ["MEMORY.md"]
    assert "MEMORY.md" in written(line, tmp_path)


@pytest.mark.parametrize(
    "line",
    [
        "echo 'costs $HOME `now`' > MEMORY.md",
        "cat > MEMORY.md <<'EOF'\n`code` $(x)\nEOF",
        "echo \\$5 \\`x\\` > MEMORY.md",
    ],
)
def test_quoted_dollars_are_text(line: str, tmp_path: Path) -> None:
    """What the shell does not expand leaves no doubt."""
    assert doubted(line, tmp_path) == []
    assert len(written(line, tmp_path)) == 1


@pytest.mark.parametrize(
    "line",
    [
        "cat MEMORY.md",
        "grep -rn key skills/ | head > /dev/null",
        "ls -la > build.log 2>&1",
        "pytest -q 2> errors.log",
        "python3 -c \"print(open('MEMORY.md').read())\"",
        "make > out.bin",
        "echo 'x > MEMORY.md'",
        "git commit -m 'write MEMORY.md'",
        "git add MEMORY.md && git diff HEAD -- MEMORY.md",
        "sort MEMORY.md | uniq -c",
        "python3 skills/pdf/scripts/fill.py form.pdf",
        "echo '",
        "",
    ],
)
def test_lines_that_keep_nothing_pass(line: str, tmp_path: Path) -> None:
    """Reading a memory, or writing a log, is nobody's business here."""
    assert list(shell_items(line, tmp_path)) == []


def test_a_patch_in_a_line_is_applied(tmp_path: Path) -> None:
    """`apply_patch` as a shell command is read as the patch that it is."""
    line = "apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: MEMORY.md\n+one\n*** End Patch\nEOF"
    assert written(line, tmp_path) == {"MEMORY.md": "one\n"}
    (tmp_path / "notes").mkdir()
    assert list(written(f"cd notes && {line}", tmp_path)) == ["MEMORY.md"]
    assert written("bash -lc " + "'" + line.replace("'", "") + "'", tmp_path) == {"MEMORY.md": "one\n"}


def test_nested_shells_end(tmp_path: Path) -> None:
    """A line nested beyond the bound is refused."""
    line = "echo x > MEMORY.md"
    for _ in range(6):
        line = "eval " + "".join(f"\\{char}" if not char.isalnum() else char for char in line)
    with pytest.raises(RefusalError):
        list(shell_items(line, tmp_path))


def test_files_of_a_line_can_be_looked_at_afterwards(tmp_path: Path) -> None:
    """The durable files that a line writes are named."""
    assert [path.name for path in shell_paths("make > MEMORY.md; ls > a.log; x | tee notes/b.md", tmp_path)] == [
        "MEMORY.md",
        "b.md",
    ]


def test_words_lose_their_quotes() -> None:
    """Quotes, escapes and variables that the line sets are taken out."""
    (command,) = commands("""echo a\\ b 'c'"d" $HOME""", {"HOME": "/h"})
    assert command.words == ["echo", "a b", "cd", "/h"]
    assert unescape(r"\x41\102\u0043\n\q") == "ABC\n\\q"
